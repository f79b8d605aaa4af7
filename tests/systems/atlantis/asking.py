"""Asking the rules of Atlantis: requests, their odds, and every branch the slow way."""

import random
from collections import Counter
from fractions import Fraction

from hypothesis import strategies as st

from systems import load
from systems.contract.action import Scene
from systems.contract.table import Table
from systems.dice.scripted import ScriptedDice
from systems.dice.sources import NeedsFace, RandomDice
from systems.requests import odds, resolve
from systems.schema.conversion import read
from systems.schema.fields import Entries, fields_of
from systems.schema.types import Choice, DiceText, Flag, ListOf, TableOf, Text, Whole
from systems.sheets import read_sheet

GAME = load("atlantis")

SWORD = {"name": "sword", "damage": 15}
OKADO = {
    "name": "Okado",
    "abilities": {"melee": 53, "dodge": 30},
    "traits": {"body": 12, "mind": 9, "spirit": 9},
    "max_life": 52,
    "weapons": [SWORD],
}
GUARD = {"name": "Guard 1", "abilities": {"melee": 36}, "max_life": 45, "weapons": [SWORD]}
BOW = {"name": "short bow", "damage": 15, "ability": "missile", "kind": "ranged", "max_range": 90}
TAMSIN = {"name": "Tamsin", "abilities": {"missile": 45}, "max_life": 48, "weapons": [BOW]}


def asked(action, actor=None, target=None, *, dice=None, house=None, **options):
    """The answer to one request; dice are forced when given."""
    request = {"action": action, "actor": actor or {}, "options": options, "house": house or {}}
    if target is not None:
        request["target"] = target
    if dice is not None:
        request["dice"] = dice
    return resolve(GAME, request, RandomDice(random.Random(1)))


def attacked(actor=OKADO, target=GUARD, *, dice, house=None, **options):
    return asked("attack", actor, target, dice=dice, house=house, **options)


def chances(request):
    return odds(GAME, request)["facts"]


def scene_of(request):
    action = GAME.action(request["action"])
    return action, Scene(
        read_sheet(GAME, request.get("actor", {}), "actor"),
        read_sheet(GAME, request.get("target", {}), "target"),
        read(action.options, request.get("options", {}), "options"),
        read(GAME.house, request.get("house", {}), "house"),
    )


def every_branch(request):
    """Each outcome with its probability, by throwing every face of every die that is asked for."""
    action, scene = scene_of(request)
    waiting = [((), Fraction(1))]
    while waiting:
        faces, chance = waiting.pop()
        try:
            yield action.run(scene, Table(ScriptedDice(faces))), chance
        except NeedsFace as dry:
            sides = dry.request.sides
            waiting += [((*faces, face), chance / sides) for face in range(1, sides + 1)]


def enumerated(request):
    """Fact -> value -> probability, the slow way."""
    found = {}
    for outcome, chance in every_branch(request):
        for name, value in outcome.facts.items():
            found.setdefault(name, Counter())[value] += chance
    return found


def valid(kind):
    """Values that a kind of field takes, the ends of a range among them."""
    match kind:
        case Whole(low, high):
            return st.one_of(st.sampled_from([low, high]), st.integers(low, high), near(low, high))
        case Flag():
            return st.booleans()
        case Choice(values):
            return st.sampled_from(values)
        case Text():
            return st.sampled_from(["melee", "dodge", "brawl", "missile", "sword", "short bow"])
        case DiceText():
            return st.sampled_from(["1d6", "2d8+1d4"])
        case ListOf(item, _):
            return st.lists(valid(item), max_size=3)
        case TableOf(item, names):
            return st.dictionaries(
                st.sampled_from(names) if names else valid(Text()), valid(item), max_size=4
            )
        case Entries(of):
            return st.lists(fields_given(of), max_size=2)


def near(low, high):
    """Small numbers, where the tables have their limits."""
    return st.integers(max(low, -40), min(high, 110))


def fields_given(cls):
    """Plain data for a declared class: the needed fields, and any of the others."""
    known = fields_of(cls)
    needed = {name: valid(field.type) for name, field in known.items() if field.needed}
    others = {name: valid(field.type) for name, field in known.items() if not field.needed}
    return st.fixed_dictionaries(needed, optional=others)


@st.composite
def requests(draw, *names):
    """Valid requests for one of the actions of that name, or for any action."""
    action = draw(st.sampled_from([one for one in GAME.actions if one.name in names or not names]))
    request = {
        "action": action.name,
        "actor": draw(fields_given(GAME.sheet)),
        "options": draw(fields_given(action.options)),
        "house": draw(fields_given(GAME.house)),
    }
    if "weapon" in request["options"]:
        there = [one["name"] for one in request["actor"].get("weapons", ())]
        request["options"]["weapon"] = draw(st.sampled_from(["punch", *there]))
    if action.targets != "none":
        request["target"] = draw(fields_given(GAME.sheet))
    if draw(st.booleans()):
        request["actor"] |= {"life": 30, "slain": False, "action_spent": False, "attacks_made": 0}
    return request
