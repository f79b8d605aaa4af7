"""Creatures of the SRD facing a hero."""

import tomllib
from functools import cache
from pathlib import Path

from systems import load
from systems.sheets import read_sheet
from tests.systems.fight import Entry, Fight

FOLDER = Path(__file__).parents[3] / "systems" / "srd5" / "creatures"
HERO = {"name": "Mira", "ac": 15, "max_hp": 60, "level": 5, "dexterity": 14}
SWORD = {"name": "sword", "to_hit": 5, "damage": ["1d8+3 slashing"]}


def sheet_of(name):
    given = tomllib.loads((FOLDER / f"{name}.toml").read_text("utf-8"))
    return {field: value for field, value in given.items() if field not in ("format", "tags")}


@cache
def creature(name):
    """Return the sheet of a creature that the game ships."""
    return read_sheet(load("srd5"), sheet_of(name), "")


def facing(*creatures, **hero):
    """Return a fight of a hero against creatures, all of them in the order."""
    fight = Fight("srd5")
    sheet = read_sheet(fight.game, {**HERO, **hero}, "")
    fight.roster = {"mira": Entry("Mira", "players", sheet)}
    for name in creatures:
        fight.roster[name] = Entry(name, "foes", creature(name))
    for name in ("mira", *creatures):
        fight.do(f"add {name}")
    unseen = sum("invisible" in fight.sheet(name).conditions for name in creatures)
    fight.do(f"start dice={','.join(['10'] * (1 + len(creatures) + unseen))}")
    return fight


CASTER = {
    "constitution": 14,
    "powers": [
        {
            "name": "Fireball",
            "save": "dexterity",
            "dc": 15,
            "damage": ["8d6 fire"],
            "half": True,
            "magical": True,
            "slot": 3,
        },
        {"name": "Bellow", "save": "dexterity", "dc": 15, "damage": ["1d6 thunder"]},
    ],
    "attacks": [{"name": "Fire Bolt", "to_hit": 7, "kind": "ranged", "range": 120, "magical": True}],
    "spell_slots": [{"name": "level 3", "level": 3, "total": 2}],
}
