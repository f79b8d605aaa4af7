"""Requests to The Ages of Arden, short to write, and every branch of one by brute force."""

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

ARDEN = load("arden")
SWORD = {"name": "sword", "bands": [3, 1, 0]}


def request(action, *, actor=None, target=None, house=None, dice=None, **options):
    """A request as `affray resolve` reads it, without what is not said."""
    whole = {"action": action, "actor": actor, "target": target, "options": options, "house": house}
    whole = {key: value for key, value in whole.items() if value}
    return whole if dice is None else {**whole, "dice": list(dice)}


def play(action, *dice, **parts):
    """The answer when exactly these faces fall."""
    return resolve(ARDEN, request(action, dice=dice, **parts), RandomDice(random.Random(0)))


def facts(action, *dice, **parts):
    return play(action, *dice, **parts)["facts"]


def by_brute_force(asked):
    """Fact -> value as text -> exact probability, from one whole resolution for each row of faces."""
    found = defaultdict(lambda: defaultdict(Fraction))
    open_rows = [((), Fraction(1))]
    while open_rows:
        faces, chance = open_rows.pop()
        sides = _sides_wanted(asked, faces)
        if sides:
            open_rows += [((*faces, face), chance / sides) for face in range(1, sides + 1)]
            continue
        answer = resolve(ARDEN, {**asked, "dice": list(faces)}, RandomDice(random.Random(0)))
        for fact, value in answer["facts"].items():
            found[fact][as_text(value)] += chance
    return {fact: dict(spread) for fact, spread in found.items()}


def _sides_wanted(asked, faces):
    """The sides of the next die after these faces, or 0 when they are enough."""
    action, scene = scene_of(asked)
    try:
        action.run(scene, Table(ScriptedDice(faces)))
    except NeedsFace as dry:
        return dry.request.sides
    return 0


def scene_of(asked):
    """The action and the scene of a request, as the rules see them."""
    action = ARDEN.action(asked["action"])
    return action, Scene(
        read_sheet(ARDEN, asked.get("actor", {}), "actor"),
        read_sheet(ARDEN, asked.get("target", {}), "target"),
        read(action.options, asked.get("options", {}), "options"),
        read(ARDEN.house, asked.get("house", {}), "house"),
    )


def exact(asked):
    """Fact -> value as text -> exact probability, as the walker finds them."""
    action, scene = scene_of(asked)
    found = facts_odds(lambda table: action.run(scene, table))
    return {
        fact: {as_text(value): chance for value, chance in spread.items()} for fact, spread in found.items()
    }
