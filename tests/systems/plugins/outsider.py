"""A third-party game: the sixth one of these tests, changed in one place or another."""

import random

import systems
from systems import load
from systems.contract.condition import Condition
from systems.dice.sources import RandomDice
from systems.frozen import evolve
from systems.plugins import loading
from systems.requests import resolve
from tests.command import affray, commands
from tests.systems.gutterlight import ACTIONS, RULESET

ROSTER = {
    "ana": """
format = 1
name = "Ana"
side = "players"
skills = { blade = 3, pistol = 5, will = 3, instinct = 4 }
debts = { "Old Tam" = 40 }
scars = [-1]
weapons = [
  { name = "pepperbox", skill = "pistol", harm = 2, loaded = 1, magazine = 4 },
  { name = "hook" },
]
""",
    "bosun": 'format = 1\nname = "Bosun"\nside = "players"\nskills = { blade = 4 }\ndefence = 2\n',
    "eel": 'format = 1\nname = "Eel"\nmax_wounds = 2\nluck = 0\nskills = { blade = 2, instinct = 1 }\n',
}


def brought(monkeypatch, game) -> systems.contract.ruleset.Ruleset:
    """Return a game as an installed one, checked and guarded."""
    monkeypatch.setattr(loading, "_others", lambda: {"sixth": lambda: game})
    load.cache_clear()
    try:
        return load("sixth")
    finally:
        load.cache_clear()


def resolved(game, **request):
    return resolve(game, request, RandomDice(random.Random(1)))


def changed(**by):
    """Return the game's actions, some of them changed."""
    return tuple(evolve(one, **by[one.name]) if one.name in by else one for one in ACTIONS)


def made(**parts):
    return evolve(RULESET, **parts)


def fails(*given):
    raise KeyError("nobody")


def with_condition(*effects, **parts):
    return made(conditions=(Condition("odd", "is odd", effects=effects, **parts),))


def played(monkeypatch, folder, game, *lines):
    """Play lines in a campaign of an installed game with one eel, and return the results."""
    monkeypatch.setattr(loading, "_others", lambda: {"sixth": lambda: game})
    load.cache_clear()
    assert affray("new", "night", "--system", "sixth", "--campaigns", folder).status == 0
    (folder / "night" / "roster").mkdir(exist_ok=True)
    (folder / "night" / "roster" / "eel.toml").write_text(ROSTER["eel"])
    [added, *answers] = commands(folder, "night", "add eel", *lines)
    assert added["ok"]
    return answers
