"""Laws for any request, and odds that agree with every roll of every die."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from systems.dice.sources import RandomDice
from systems.errors import Wrong
from systems.requests import as_text, odds, resolve
from systems.schema.fields import fields_of
from systems.schema.types import Choice, Flag, Whole
from tests.laws import examples

from .play import FIREBOLT, GAME, RIFLE, SWORD, by_hand

ATTRIBUTES = ("str", "dex", "vit", "wp", "int", "cha", "magic")
NAMES = st.sampled_from(["blade", "gun", "spell", "skill"])
SMALL = st.integers(-6, 9)
HITS = st.integers(-40, 40)
DICE = st.sampled_from(["1d4", "1d6", "2d6", "2d8+1d4"])
WEAPON = st.fixed_dictionaries(
    {"name": NAMES, "damage": DICE},
    optional={
        "kind": st.sampled_from(["melee", "finesse", "ranged"]),
        "hit_mod": SMALL,
        "damage_mod": SMALL,
        "firearm": st.booleans(),
        "modes": st.lists(st.sampled_from(["single", "burst", "auto"]), max_size=3),
        "burst": st.integers(0, 6),
        "clip": st.integers(0, 9),
        "loaded": st.integers(0, 9),
        "maintained": st.booleans(),
        "jammed": st.booleans(),
    },
)
SPELL = st.fixed_dictionaries({"name": NAMES}, optional={"damage": DICE, "mystic": st.integers(1, 30)})
SKILL = st.fixed_dictionaries(
    {"name": NAMES, "attribute": st.sampled_from(ATTRIBUTES)}, optional={"training": st.integers(-2, 3)}
)
SHEET = st.fixed_dictionaries(
    {},
    optional={
        **dict.fromkeys(ATTRIBUTES, SMALL),
        "max_hp": st.integers(1, 40),
        "hp": HITS,
        "armor": st.integers(0, 30),
        "level": st.integers(1, 9),
        "aether_marks": st.integers(0, 1),
        "rounds_below_zero": st.integers(0, 5),
        "weapons": st.lists(WEAPON, max_size=3),
        "spells": st.lists(SPELL, max_size=2),
        "skills": st.lists(SKILL, max_size=2),
        "name": st.sampled_from(["Aryn", "Fury"]),
    },
)


def _value(kind):
    match kind:
        case Whole(low, high):
            return st.integers(max(low, -9), min(high, 25))
        case Flag():
            return st.booleans()
        case Choice(values):
            return st.sampled_from(values)
    return NAMES


def _given(cls):
    return st.fixed_dictionaries(
        {}, optional={name: _value(field.type) for name, field in fields_of(cls).items()}
    )


REQUEST = st.sampled_from(GAME.actions).flatmap(
    lambda action: st.fixed_dictionaries(
        {"action": st.just(action.name), "options": _given(action.options)},
        optional={"actor": SHEET, "target": SHEET, "house": _given(GAME.house)},
    )
)


def answered(request, seed=0):
    try:
        return resolve(GAME, request, RandomDice(random.Random(seed)))
    except Wrong as error:
        if not error.field.startswith("options."):
            raise
        return None


@examples(80)
@given(REQUEST, st.integers(0, 99))
def test_any_request_is_answered_in_full_or_names_an_option(request_, seed):
    answer = answered(request_, seed)
    if answer is None:
        return
    action, found = GAME.action(request_["action"]), answer["facts"]
    house = {"house": request_.get("house", {})}
    sheet = {"action": "status", "actor": request_.get("actor", {}), **house}
    before = resolve(GAME, sheet, RandomDice(random.Random(0)))["actor"]
    if "refused" in found:
        assert found["refused"] in [one.reason for one in action.refusals]
        assert (answer["actor"], answer["rolls"], answer["terms"]) == (before, [], [])
    else:
        assert set(found) <= set(action.facts)
        assert set(action.facts) - set(found) <= {"loaded", "damage"}
        if "total" in found:
            assert sum(term["value"] for term in answer["terms"]) == found["total"]
    assert answer["actor"]["aether_marks"] <= max(1, before["aether_marks"])
    for role in ("actor", "target"):
        if role in answer:
            again = {"action": "status", "actor": answer[role], **house}
            assert resolve(GAME, again, RandomDice(random.Random(0)))["actor"] == answer[role]


@examples(50)
@given(REQUEST, st.integers(0, 99))
def test_the_rolled_faces_give_the_same_answer_again(request_, seed):
    answer = answered(request_, seed)
    if answer is not None:
        faces = [roll["face"] for roll in answer["rolls"]]
        assert answered({**request_, "dice": faces}) == answer


@examples(25)
@given(REQUEST)
def test_the_odds_of_every_fact_sum_to_1(request_):
    if answered(request_) is None:
        return
    for fact, spread in odds(GAME, request_)["facts"].items():
        assert sum(spread.values()) == pytest.approx(1), fact


TARGET = {"max_hp": 30, "armor": 12}
SHOOTER = {"dex": 4, "weapons": [{**RIFLE, "damage": "1d4", "burst": 3}], "aether_marks": 1}
MARKED = {"use_aether_mark": True}
WALKED = [
    {"action": "test", "actor": {"int": 3}, "options": {"attribute": "int", "difficulty": "hard"}},
    {"action": "test", "actor": {"aether_marks": 1}, "options": {"threshold": 9, **MARKED}},
    {"action": "test", "options": {"threshold": 25, "reaction": True}},
    {"action": "mystic", "actor": {"magic": 3, "aether_marks": 1}, "options": {"mystic": 13}},
    {"action": "attack", "actor": {"str": -3, "weapons": [SWORD]}, "target": TARGET},
    {"action": "attack", "actor": SHOOTER, "target": TARGET, "options": {"mode": "burst"}},
    {"action": "attack", "actor": SHOOTER, "target": TARGET, "options": MARKED},
    {
        "action": "attack",
        "actor": SHOOTER,
        "target": TARGET,
        "options": {"mode": "auto", "damage_modifier": -3},
        "house": {"jam_blocks_shot": False},
    },
    {
        "action": "attack",
        "actor": {"magic": 3, "spells": [FIREBOLT]},
        "target": {"armor": 4},
        "options": {"spell": "firebolt"},
    },
    {"action": "attack", "actor": {"hp": 0, "weapons": [SWORD]}, "target": TARGET},
    {"action": "turn_start", "actor": {"hp": -12, "max_hp": 30, "rounds_below_zero": 2}},
]


def same(found, expected):
    assert {
        name: {as_text(value): pytest.approx(float(one)) for value, one in ways.items()}
        for name, ways in expected.items()
    } == found


@pytest.mark.parametrize("request_", WALKED)
def test_the_odds_agree_with_every_roll_of_every_die(request_):
    same(odds(GAME, request_)["facts"], by_hand(request_))


@pytest.mark.parametrize("modifier", [0, 3])
@pytest.mark.parametrize("mark", [False, True])
def test_the_odds_of_an_opposed_test_are_those_of_the_attempt_that_decides(modifier, mark):
    request = {
        "action": "opposed",
        "actor": {"aether_marks": 1},
        "options": {"modifier": modifier, "use_aether_mark": mark},
    }
    expected = by_hand(request, most_dice=3 if mark else 2)
    expected.pop("attempts")
    same(odds(GAME, request)["facts"], expected)
