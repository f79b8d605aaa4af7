"""Laws of any game: terms add up, refusals roll nothing, odds agree with every throw of the dice."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from systems.dice.sources import RandomDice
from systems.errors import Wrong
from systems.requests import as_text, odds, resolve
from tests.laws import examples

from .play import GAME, by_hand

SMALL = st.integers(-6, 12)
WEAPON = st.fixed_dictionaries(
    {"name": st.sampled_from(["bow", "sword"])},
    optional={
        "bonus": SMALL,
        "damage": st.sampled_from(["1d4", "1d6", "1d8+1d4"]),
        "damage_bonus": SMALL,
        "counter": st.sampled_from(["arrows", "mana"]),
    },
)
COUNTER = st.fixed_dictionaries(
    {"name": st.sampled_from(["arrows", "mana"])},
    optional={"full": st.integers(0, 5), "now": st.integers(0, 5)},
)
SHEET = st.fixed_dictionaries(
    {},
    optional={
        "max_hp": st.integers(1, 30),
        "hp": st.integers(-9, 40),
        "temporary_hp": st.integers(0, 5),
        "defence": st.integers(-5, 25),
        "armour": st.integers(0, 5),
        "attack": SMALL,
        "skills": st.dictionaries(st.sampled_from(["lore", "climb"]), SMALL),
        "weapons": st.lists(WEAPON, max_size=2),
        "counters": st.lists(COUNTER, max_size=2),
        "hero": st.booleans(),
        "dead": st.booleans(),
        "stunned": st.booleans(),
    },
)
HOUSE = st.fixed_dictionaries(
    {"roll": st.sampled_from(["over", "under", "bands", "pool"])},
    optional={
        "dice": st.sampled_from(["1d20", "1d12", "2d6", "3d6", "1d10"]),
        "ties_succeed": st.booleans(),
        "naturals": st.booleans(),
        "critical": st.sampled_from(["double_dice", "double_damage", "none"]),
        "partial_damage": st.sampled_from(["full", "half"]),
        "counts_from": st.integers(1, 7),
        "below_zero": st.booleans(),
    },
)
OPTIONS = {
    "attack": st.fixed_dictionaries(
        {}, optional={"modifier": SMALL, "edge": st.integers(-2, 2), "cover": SMALL, "damage_modifier": SMALL}
    ),
    "check": st.fixed_dictionaries(
        {},
        optional={
            "skill": st.sampled_from(["lore", "swim"]),
            "value": SMALL,
            "difficulty": SMALL,
            "modifier": SMALL,
            "edge": st.integers(-2, 2),
        },
    ),
    "harm": st.fixed_dictionaries({"amount": st.integers(0, 50)}, optional={"armour": st.booleans()}),
    "heal": st.fixed_dictionaries({"amount": st.integers(0, 50)}, optional={"temporary": st.booleans()}),
    "spend": st.fixed_dictionaries({"counter": st.just("mana"), "amount": st.integers(1, 6)}),
    "regain": st.fixed_dictionaries({"counter": st.just("mana"), "amount": st.integers(1, 6)}),
}
REQUEST = st.sampled_from(GAME.actions).flatmap(
    lambda action: st.fixed_dictionaries(
        {"action": st.just(action.name), "options": OPTIONS.get(action.name, st.just({}))},
        optional={"actor": SHEET, "target": SHEET, "house": HOUSE},
    )
)


@given(request=REQUEST, seed=st.integers(0, 999))
@examples(200)
def test_any_request_is_answered_or_its_error_named_and_answers_are_valid_input(request, seed):
    try:
        answer = resolve(GAME, request, RandomDice(random.Random(seed)))
    except Wrong as error:
        wrong = error
    else:
        _holds(request, answer)
        return
    assert wrong.field.startswith(("options.", "actor.", "house.", "target")), wrong


def _holds(request, answer):
    again = {**request, "dice": [roll["face"] for roll in answer["rolls"]]}
    assert resolve(GAME, again, RandomDice(random.Random(0))) == answer
    if "refused" in answer["facts"]:
        assert answer["rolls"] == []
        return
    sheets = {key: answer[key] for key in ("actor", "target") if key in answer}
    resolve(GAME, {"action": "status", **sheets}, RandomDice(random.Random(0)))
    if request["action"] in ("attack", "check"):
        assert sum(term["value"] for term in answer["terms"]) == answer["facts"]["total"]
    if request["action"] in ("harm", "heal"):
        assert sum(term["value"] for term in answer["terms"]) == next(iter(answer["facts"].values()))


ODDS = [
    {"roll": "over"},
    {"roll": "over", "dice": "2d6", "critical": "double_damage"},
    {"roll": "under", "dice": "1d12"},
    {"roll": "under", "dice": "2d6", "naturals": False},
    {"roll": "bands"},
    {"roll": "bands", "partial_damage": "half"},
    {"roll": "pool", "counts_from": 5},
]


@pytest.mark.parametrize("house", ODDS, ids=lambda house: " ".join(map(str, house.values())))
@pytest.mark.parametrize("edge", [0, 1, -1])
def test_odds_agree_with_every_throw(house, edge):
    request = {
        "action": "attack",
        "actor": {"attack": 2, "weapons": [{"name": "knife", "damage": "1d4", "damage_bonus": 1}]},
        "target": {"hp": 4, "armour": 1, "defence": 8 if house["roll"] == "over" else 1},
        "options": {"edge": edge},
        "house": house,
    }
    expected = by_hand(request)
    for name, chances in odds(GAME, request)["facts"].items():
        told = {as_text(value): pytest.approx(float(share)) for value, share in expected[name].items()}
        assert chances == told, name
