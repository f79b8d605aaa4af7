"""Campaigns and events for tests."""

from pathlib import Path
from typing import Any

from systems.codec.events import read_event
from systems.encounter.events import Event

CAMPAIGN = """\
# The docks at night
format = 1
title = "The docks"
system = "atlantis"   # the percentile game

[house]
tie_passes = false    # we like it harder

[table]
dice = "real"
"""
GUARD = """\
# A guard of the harbour
format = 1
name = "Guard"   # plain, on purpose

side = "foes"
# What they can do
abilities = { dodge = 30, melee = 45 }   # trained
max_life = 30

# Cheap steel
[[weapons]]
name = "spear"      # two hands
damage = 9

[[weapons]]
name = "knife"
damage = 4          # hidden in the boot
"""
OPENING = """\
format = 1
title = "At the gate"

[[combatant]]
id = "okado"
name = "Okado"
side = "players"
sheet = { max_life = 40, abilities = { melee = 60 } }

[[combatant]]
id = "guard-1"
name = "Guard 1"
kind = "guard"

[combatant.sheet]
max_life = 30
"""
SEATS = """\
format = 1

[[seat]]
name = "anna"
characters = ["okado"]
"""


def campaign(folder: Path) -> Path:
    """Return a small campaign of the percentile game, written as a user would."""
    path = folder / "docks"
    (path / "roster").mkdir(parents=True)
    (path / "encounters" / "gate").mkdir(parents=True)
    (path / "campaign.toml").write_text(CAMPAIGN, encoding="utf-8")
    (path / "roster" / "guard.toml").write_text(GUARD, encoding="utf-8")
    (path / "encounters" / "gate" / "opening.toml").write_text(OPENING, encoding="utf-8")
    (path / "seats.toml").write_text(SEATS, encoding="utf-8")
    return path


def event(n: int, text: str = "Okado hits Guard 1: 12 damage.", **more: Any) -> Event:
    """Return an event like those of a fight. `more`: other fields, as the log stores them."""
    plain = {
        "n": n,
        "time": f"2025-01-01T20:14:{n % 60:02}",
        "kind": "command",
        "round": 1,
        "turn": "okado",
        "typed": "attack guard-1",
        "text": text,
        "rolls": [{"sides": 100, "face": 13, "why": "attack", "of": "okado"}],
        "changes": [{"who": "guard-1", "field": "sheet.life", "before": 30, "after": 30 - n % 20}],
        **more,
    }
    return read_event(plain)


def events(many: int) -> list[Event]:
    return [event(n) for n in range(1, many + 1)]


def names_in(folder: Path) -> list[str]:
    """Return the names in a folder, including hidden ones."""
    return sorted(one.name for one in folder.iterdir())


def is_one_line(problem: Exception) -> bool:
    """Return whether an error fits on a terminal's last line."""
    return str(problem).isprintable() and 0 < len(str(problem)) < 1000
