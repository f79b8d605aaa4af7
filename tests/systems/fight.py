"""A fight as the tests play it: lines in, events out, everything checked that holds after any command."""

import random
import tomllib
from collections.abc import Mapping
from typing import Any

import tomli_w

from systems import load
from systems.commands.dispatcher import perform
from systems.commands.table import read_command
from systems.contract.ruleset import Ruleset
from systems.contract.table import Suggested
from systems.dice.sources import RandomDice
from systems.encounter.changes import apply, replay
from systems.encounter.events import Event
from systems.encounter.history import History, extended, history
from systems.encounter.model import Encounter, new_encounter
from systems.encounter.serialize import plain
from systems.frozen import frozen
from systems.schema.conversion import read

GAMES = ("arden", "atlantis", "atomic_d20", "simple", "srd5", "waygate", "xcom")


@frozen
class Entry:
    """One character or kind of creature in the roster."""

    name: str
    side: str
    sheet: Any
    party: str = ""


PEOPLE: Mapping[str, Mapping[str, Any]] = {
    "atlantis": {
        "okado": {
            "abilities": {"melee": 53, "dodge": 30},
            "traits": {"body": 12},
            "max_life": 52,
            "weapons": [{"name": "sword", "damage": 15}],
            "max_armour_pool": 20,
            "armour_per_attack": 6,
            "attacks_per_round": 2,
        },
        "guard": {
            "abilities": {"melee": 36},
            "max_life": 45,
            "weapons": [{"name": "sword", "damage": 15}],
            "max_armour_pool": 10,
            "armour_per_attack": 4,
        },
    },
    "waygate": {
        "okado": {
            "str": 2,
            "dex": 3,
            "max_hp": 20,
            "armor": 12,
            "aether_marks": 1,
            "weapons": [
                {"name": "rifle", "damage": "2d6", "kind": "ranged", "firearm": True, "clip": 4},
                {"name": "blade", "damage": "1d8"},
            ],
        },
        "guard": {"str": 1, "max_hp": 9, "armor": 10, "weapons": [{"name": "club", "damage": "1d6"}]},
    },
    "atomic_d20": {
        "okado": {
            "high_concept": 3,
            "fortitude": 2,
            "reflex": 3,
            "stamina": 2,
            "weapons": [{"name": "axe", "damage": "2d6"}],
        },
        "guard": {"high_concept": 2, "reflex": 1, "weapons": [{"name": "club", "damage": "2d8"}]},
    },
    "arden": {
        "okado": {
            "abilities": {"attack": 3, "defense": 2, "precision": 3, "perception": 2, "speed": 4},
            "max_hp": 6,
            "armor": 1,
            "weapons": [{"name": "sword", "bands": [3, 1, 0]}],
        },
        "guard": {
            "abilities": {"attack": 2, "defense": 1, "speed": 2},
            "max_hp": 4,
            "max_ap": 3,
            "weapons": [{"name": "club", "bands": [1, 0, 0]}],
        },
    },
    "simple": {
        "okado": {
            "max_hp": 20,
            "defence": 14,
            "attack": 5,
            "initiative": 2,
            "skills": {"climb": 3},
            "weapons": [
                {"name": "bow", "damage": "1d8", "damage_bonus": 2, "counter": "arrows"},
                {"name": "sword", "damage": "1d6"},
            ],
            "counters": [
                {"name": "arrows", "full": 12},
                {"name": "hurry", "full": 9, "offered": True},
            ],
        },
        "guard": {
            "max_hp": 9,
            "armour": 1,
            "attack": 3,
            "weapons": [{"name": "spear", "damage": "1d6"}],
            "counters": [{"name": "luck", "full": 1, "refills": "turn", "offered": True}],
        },
    },
    "srd5": {
        "okado": {
            "ac": 16,
            "max_hp": 28,
            "strength": 16,
            "dexterity": 14,
            "skills": [{"name": "stealth", "bonus": 6}],
            "attacks": [
                {"name": "sword", "to_hit": 5, "damage": ["1d8+3 slashing"]},
                {"name": "bow", "to_hit": 4, "kind": "ranged", "range": 80, "damage": ["1d6+2 piercing"]},
            ],
            "powers": [
                {"name": "blast", "save": "dexterity", "dc": 13, "damage": ["2d6 fire"], "half": True},
                {"name": "second wind", "healing": "1d10+3", "uses_per_day": 1},
            ],
        },
        "guard": {
            "ac": 13,
            "max_hp": 9,
            "dies_at_zero": True,
            "attacks": [{"name": "spear", "to_hit": 3, "damage": ["1d6+1 piercing"]}],
        },
    },
    "xcom": {
        "okado": {
            "aim": 65,
            "will": 50,
            "mobility": 12,
            "cover": "half",
            "weapons": [{"name": "rifle", "damage_base": 2, "damage_range": 3, "crit": 10}],
        },
        "guard": {
            "aim": 60,
            "dodge": 20,
            "mobility": 9,
            "max_health": 5,
            "weapons": [{"name": "pistol", "damage_base": 1, "damage_range": 3}],
        },
    },
}


def roster_of(game: Ruleset) -> dict[str, Entry]:
    """Okado, Tamsin and the guards of a game."""
    sheets = {name: read(game.sheet, given) for name, given in PEOPLE[game.name].items()}
    return {
        "okado": Entry("Okado", "players", sheets["okado"]),
        "tamsin": Entry("Tamsin", "players", sheets["okado"]),
        "guard": Entry("Guard", "foes", sheets["guard"]),
    }


class Fight:
    """One fight from its opening. `do` carries out a line and gives its event."""

    def __init__(
        self,
        game: str | Ruleset = "atlantis",
        *lines: str,
        style: Any = None,
        seed: int = 1,
        **house: Any,
    ) -> None:
        self.game = load(game) if isinstance(game, str) else game
        self.house = read(self.game.house, house)
        self.style = style
        self.roster = roster_of(self.game) if self.game.name in PEOPLE else {}
        self.dice = RandomDice(random.Random(seed))
        self.encounter: Encounter = new_encounter(self.game, self.house, style)
        self.opening = plain(self.encounter)
        self.log: History = history([])
        for line in lines:
            self.do(line)

    def done(self, line: str) -> Event:
        """What the line would come to; nothing is kept."""
        command = read_command(self.encounter, line)
        return perform(self.encounter, self.log, self.roster, command, self.dice, Suggested())

    def do(self, line: str) -> dict[str, Any]:
        return self.keep(self.done(line))

    def keep(self, event: Any) -> Any:
        """Apply an event, and put it in the log."""
        self.encounter, self.log = apply(self.encounter, event), extended(self.log, event)
        return event

    def text(self, line: str) -> str:
        return str(self.do(line).text)

    @property
    def turn(self) -> str:
        return self.encounter.progress.turn or ""

    @property
    def round(self) -> int:
        return self.encounter.progress.round

    @property
    def plain(self) -> dict[str, Any]:
        return plain(self.encounter)

    def sheet(self, who: str) -> Any:
        return self.encounter.combatants[who].sheet

    def conditions(self, who: str) -> list[str]:
        return [held.label_in(self.encounter.game) for held in self.encounter.combatants[who].conditions]

    def folded(self, events: Any = None) -> dict[str, Any]:
        """The present as a program that opens the files finds it."""
        events = list(self.log.events) if events is None else events
        return plain(replay(self.game, self.house, self.style, self.opening, events))


def through_toml(value: Mapping[str, Any]) -> dict[str, Any]:
    """What a file of it holds."""
    return tomllib.loads(tomli_w.dumps(value))
