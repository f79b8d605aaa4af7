"""Play the rules by hand: one request at a time, and every branch of its dice by brute force."""

import random
from fractions import Fraction

from systems import load
from systems.contract.action import Scene
from systems.contract.table import Table
from systems.dice.scripted import ScriptedDice
from systems.dice.sources import NeedsFace, RandomDice
from systems.requests import resolve
from systems.schema.conversion import read
from systems.sheets import read_sheet

GAME = load("waygate")
SWORD = {"name": "short sword", "damage": "1d8"}
RIFLE = {
    "name": "submachine gun",
    "kind": "ranged",
    "damage": "1d6",
    "firearm": True,
    "modes": ["single", "burst", "auto"],
    "burst": 5,
    "clip": 30,
}
FIREBOLT = {"name": "firebolt", "damage": "1d8", "mystic": 11}


def play(action, dice=(), **request):
    """Return the answer to one request with given dice."""
    return resolve(GAME, {"action": action, "dice": list(dice), **request}, RandomDice(random.Random(0)))


def facts(action, dice=(), **request):
    return play(action, dice, **request)["facts"]


def rules(action, dice=(), **request):
    """Return the ids of the rules that the explanation names."""
    action, scene = scene_of({"action": action, **request})
    return action.run(scene, Table(ScriptedDice(dice))).tell().rules


def scene_of(request):
    action = GAME.action(request["action"])
    return action, Scene(
        read_sheet(GAME, request.get("actor", {}), "actor"),
        read_sheet(GAME, request.get("target", {}), "target"),
        read(action.options, request.get("options", {}), "options"),
        read(GAME.house, request.get("house", {}), "house"),
    )


def by_hand(request, most_dice=99):
    """Return fact -> value -> probability from every roll of every die.

    Branches that need more than `most_dice` are dropped, and the rest is scaled to 1.
    """
    action, scene = scene_of(request)
    found, whole = {}, Fraction(0)
    waiting = [((), Fraction(1))]
    while waiting:
        faces, chance = waiting.pop()
        try:
            outcome = action.run(scene, Table(ScriptedDice(faces)))
        except NeedsFace as dry:
            sides = dry.request.sides
            if len(faces) < most_dice:
                waiting += [((*faces, face), chance / sides) for face in range(1, sides + 1)]
            continue
        whole += chance
        for name, value in outcome.facts.items():
            if value is not None:
                ways = found.setdefault(name, {})
                ways[value] = ways.get(value, Fraction(0)) + chance
    return {name: {value: one / whole for value, one in ways.items()} for name, ways in found.items()}
