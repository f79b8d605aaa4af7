"""Playing any game by hand: one request at a time, and every branch of its dice by brute force."""

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

GAME = load("simple")


def play(action, dice=(), **request):
    """The answer to one request with forced dice."""
    return resolve(GAME, {"action": action, "dice": list(dice), **request}, RandomDice(random.Random(0)))


def by_hand(request):
    """Fact -> value -> probability by throwing every die in every way."""
    action = GAME.action(request["action"])
    scene = Scene(
        read_sheet(GAME, request.get("actor", {}), "actor"),
        read_sheet(GAME, request.get("target", {}), "target"),
        read(action.options, request.get("options", {}), "options"),
        read(GAME.house, request.get("house", {}), "house"),
    )
    found = {}
    waiting = [((), Fraction(1))]
    while waiting:
        faces, chance = waiting.pop()
        try:
            outcome = action.run(scene, Table(ScriptedDice(faces)))
        except NeedsFace as dry:
            sides = dry.request.sides
            waiting += [((*faces, face), chance / sides) for face in range(1, sides + 1)]
            continue
        for name, value in outcome.facts.items():
            ways = found.setdefault(name, {})
            ways[value] = ways.get(value, Fraction(0)) + chance
    return found
