"""Short requests to Atomic D20, and every branch of one by brute force."""

import random
from collections import defaultdict
from fractions import Fraction

from systems import load
from systems.contract.action import Scene
from systems.contract.table import Table
from systems.dice.scripted import ScriptedDice
from systems.dice.sources import NeedsFace, RandomDice
from systems.odds import facts_odds
from systems.requests import as_text, resolve
from systems.schema.conversion import read
from systems.sheets import read_sheet

ATOMIC = load("atomic_d20")
AXE = {"name": "war axe", "damage": "2d6"}
ARMED = {"weapons": [AXE]}


def request(action, *, actor=None, target=None, house=None, dice=None, **options):
    """Return a request as `affray resolve` reads it, without absent parts."""
    whole = {"action": action, "actor": actor, "target": target, "options": options, "house": house}
    whole = {key: value for key, value in whole.items() if value}
    return whole if dice is None else {**whole, "dice": list(dice)}


def play(action, *dice, **parts):
    """Return the answer for exactly these faces."""
    return resolve(ATOMIC, request(action, dice=dice, **parts), RandomDice(random.Random(0)))


def facts(action, *dice, **parts):
    return play(action, *dice, **parts)["facts"]


def sheet(**fields):
    return read_sheet(ATOMIC, fields, "actor")


def scene_of(asked):
    """Return the action and the scene of a request, as the rules see them."""
    action = ATOMIC.action(asked["action"])
    return action, Scene(
        read_sheet(ATOMIC, asked.get("actor", {}), "actor"),
        read_sheet(ATOMIC, asked.get("target", {}), "target"),
        read(action.options, asked.get("options", {}), "options"),
        read(ATOMIC.house, asked.get("house", {}), "house"),
        "Ragnor",
        "Skeleton 1",
    )


def outcome(asked, *dice, choices=None):
    """Return the outcome of a request; no questions are answered unless `choices` are given."""
    action, scene = scene_of(asked)
    return action.run(scene, Table(ScriptedDice(dice), choices))


def exact(asked):
    """Return fact -> value as text -> exact probability, from the walker."""
    action, scene = scene_of(asked)
    found = facts_odds(lambda table: action.run(scene, table))
    return {
        fact: {as_text(value): chance for value, chance in spread.items()} for fact, spread in found.items()
    }


def by_brute_force(asked):
    """Return the same from one run for each sequence of faces; a repeated die cannot show that face."""
    action, scene = scene_of(asked)
    found = defaultdict(lambda: defaultdict(Fraction))
    open_rows = [((), Fraction(1))]
    while open_rows:
        faces, chance = open_rows.pop()
        try:
            result = action.run(scene, Table(ScriptedDice(faces)))
        except NeedsFace as dry:
            again = dry.request.why == "critical failure" and scene.house.critical_six == "reroll"
            last = 5 if again else dry.request.sides
            open_rows += [((*faces, face), chance / last) for face in range(1, last + 1)]
            continue
        for fact, value in result.facts.items():
            if value is not None:
                found[fact][as_text(value)] += chance
    return {fact: dict(spread) for fact, spread in found.items()}
