"""Requests that the tests of the XCOM-inspired game share, and functions that resolve them."""

import random

from systems import load
from systems.dice.sources import RandomDice
from systems.requests import odds, resolve

GAME = load("xcom")
RIFLE = {"name": "rifle", "damage_base": 2, "damage_range": 3}
SWORD = {"name": "sword", "damage_base": 3, "damage_range": 2, "melee": True}
RANGER = {"name": "Ranger", "aim": 65, "will": 50, "tech": 40, "mobility": 12, "weapons": [RIFLE, SWORD]}
PSION = {"name": "Psion", "max_health": 5, "aim": 70, "will": 65, "psi": 70, "psionic": True}


def ask(action, actor=RANGER, target=None, dice=(), house=None, **options):
    """Return the answer to one request with given dice."""
    request = {"action": action, "actor": actor, "options": options, "dice": list(dice)}
    if target is not None:
        request["target"] = target
    if house is not None:
        request["house"] = house
    return resolve(GAME, request, RandomDice(random.Random(0)))


def facts(*arguments, **more):
    return ask(*arguments, **more)["facts"]


def chances(action, actor=RANGER, target=None, house=None, **options):
    """Return the odds of one request, fact by fact."""
    request = {"action": action, "actor": actor, "options": options, "house": house or {}}
    return odds(GAME, request | ({} if target is None else {"target": target}))["facts"]
