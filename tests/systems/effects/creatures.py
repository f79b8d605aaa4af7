"""Creatures with effects for the game `simple`, and fights among them."""

from typing import Any

from systems import load
from systems.contract.ruleset import Ruleset
from systems.schema.conversion import read
from tests.systems.fight import Entry, Fight

GAME = load("simple")
GOBLIN = {
    "max_hp": 10,
    "defence": 15,
    "attack": 4,
    "weapons": [{"name": "scimitar", "damage": "1d6", "damage_bonus": 2, "type": "slashing"}],
    "effects": [
        {"name": "Nasty", "when": "hit", "of": ["scimitar"], "roll": "advantage", "damage": ["1d4 slashing"]},
        {"name": "Pack", "when": "always", "ally_near": True, "change": {"attacks": "advantage"}},
    ],
}
TROLL = {
    "max_hp": 84,
    "defence": 15,
    "attack": 7,
    "initiative": 1,
    "weapons": [{"name": "claws", "damage": "2d6", "damage_bonus": 4, "type": "slashing"}],
    "effects": [
        {"name": "Regeneration", "when": "start", "heal": "10", "stopped_by": ["fire", "acid"]},
    ],
}
TYRANT = {
    "max_hp": 120,
    "defence": 16,
    "attack": 8,
    "initiative": 3,
    "immunities": ["fire"],
    "weapons": [{"name": "claw", "damage": "2d8", "damage_bonus": 4, "type": "slashing"}],
    "effects": [
        {"name": "Burning Aura", "when": "start", "whose": "foes", "near": True, "damage": ["2d4 fire"]},
        {
            "name": "Dread",
            "when": "hit",
            "of": ["claw"],
            "save": "wisdom",
            "dc": 14,
            "condition": "frightened",
            "until": "target_end",
        },
        {"name": "Ember Scales", "when": "damaged", "who": "attacker", "damage": ["1d4 fire"]},
        {
            "name": "Fire Breath",
            "when": "asked",
            "save": "dexterity",
            "dc": 15,
            "half": True,
            "damage": ["6d6 fire"],
            "recharge": 5,
        },
    ],
}
MIRA = {
    "max_hp": 40,
    "defence": 14,
    "attack": 6,
    "initiative": 20,
    "saves": {"wisdom": 1},
    "weapons": [
        {"name": "sword", "damage": "1d8", "damage_bonus": 3, "type": "slashing"},
        {"name": "torch", "damage": "1d4", "type": "fire"},
    ],
}
PEOPLE = {"mira": MIRA, "bo": {**MIRA, "initiative": 19}, "goblin": GOBLIN, "troll": TROLL, "tyrant": TYRANT}


def effect_fight(*lines: str, game: Ruleset = GAME, house: Any = None, **sheets: object) -> Fight:
    """Return a fight among PEOPLE, or other sheets by name; Mira acts first."""
    fight = Fight(game, **(house or {}))
    for name, sheet in {**PEOPLE, **sheets}.items():
        side = "players" if name in ("mira", "bo") else "foes"
        fight.roster[name] = Entry(name.capitalize(), side, read(GAME.sheet, sheet))
    for line in lines:
        fight.do(line)
    return fight
