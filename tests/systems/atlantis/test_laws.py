"""Laws that hold for every request, and the odds against two other ways to get them."""

import random

import icepool
import pytest
from hypothesis import given

from systems.dice.sources import RandomDice
from systems.requests import as_text, resolve
from systems.schema.fields import fields_of
from systems.sheets import read_sheet, write_sheet
from tests.laws import examples

from .asking import BOW, GAME, GUARD, OKADO, TAMSIN, asked, chances, enumerated, requests

TOTALS = {"roll": "luck", "check": "total", "contest": "total", "attack": "total", "round_start": "total"}
SOMETIMES = {"attack": {"luck", "total", "resistance", "success"}, "round_start": {"total", "passed"}}


def answered(request):
    return resolve(GAME, request, RandomDice(random.Random(7)))


@examples(50)
@given(requests())
def test_a_valid_request_is_answered_in_the_words_of_the_vocabulary(request):
    answer = answered(request)
    action = GAME.action(request["action"])
    facts = answer["facts"]
    if "refused" in facts:
        assert set(facts) == {"refused"}
        assert facts["refused"] in [one.reason for one in action.refusals]
    else:
        assert set(facts) <= set(action.facts)
        assert set(action.facts) - set(facts) <= SOMETIMES.get(action.name, set())
    assert ("target" in answer) is (action.targets != "none")
    assert set(answer["actor"]) >= set(fields_of(GAME.sheet)) - {"name", "notes", "habits"}
    assert all(roll["sides"] == 20 for roll in answer["rolls"])
    assert answer["text"].endswith(".") or action.group == "hook"


@examples(40)
@given(requests())
def test_the_terms_add_up_to_the_total(request):
    answer = answered(request)
    total = TOTALS.get(request["action"])
    if total in answer["facts"]:
        assert sum(term["value"] for term in answer["terms"]) == answer["facts"][total]


@examples(40)
@given(requests())
def test_an_answered_sheet_is_valid_input_and_stays_the_same(request):
    answer = answered(request)
    for role in ("actor", "target"):
        if role in answer:
            house = GAME.house(**request["house"])
            assert write_sheet(GAME, read_sheet(GAME, answer[role], role), house) == answer[role]


@examples(40)
@given(requests())
def test_a_refusal_rolls_no_die_and_changes_nothing(request):
    answer = answered(request)
    if "refused" in answer["facts"]:
        assert answer["rolls"] == []
        house = GAME.house(**request["house"])
        for role in ("actor", "target"):
            if role in answer:
                before = read_sheet(GAME, request.get(role, {}), role)
                assert answer[role] == write_sheet(GAME, before, house)


@examples(25)
@given(requests())
def test_the_dice_that_fell_give_the_same_answer_when_they_are_typed_in(request):
    answer = answered(request)
    typed = {**request, "dice": [roll["face"] for roll in answer["rolls"]]}
    assert resolve(GAME, typed, RandomDice(random.Random(0))) == answer


def assert_same(fast, slow):
    """Two tables of odds agree: fact -> value as text -> probability."""
    assert fast.keys() == slow.keys()
    for name, ways in slow.items():
        assert fast[name] == pytest.approx(ways), name


def slowly(request):
    return {
        name: {as_text(value): float(chance) for value, chance in ways.items()}
        for name, ways in enumerated(request).items()
    }


@examples(25)
@given(requests("check", "roll", "round_start", "harm", "heal", "status"))
def test_odds_agree_with_every_throw(request):
    assert_same(chances(request), slowly(request))


@examples(8)
@given(requests("attack", "contest"))
def test_the_odds_of_two_rolling_combatants_agree_with_every_roll(request):
    assert_same(chances(request), slowly(request))


@examples(25)
@given(requests())
def test_the_odds_of_a_fact_that_is_always_there_add_up_to_one(request):
    found = chances(request)
    if "refused" in found:
        assert found == {"refused": {next(iter(found["refused"])): 1.0}}
        return
    sometimes = SOMETIMES.get(request["action"], set())
    for name, ways in found.items():
        if name not in sometimes:
            assert sum(ways.values()) == pytest.approx(1)


def luck():
    """The open-ended d20 as icepool has it."""
    d20 = icepool.d(20)
    return d20.map(lambda face: -d20 if face == 1 else 20 + d20 if face == 20 else face)


def as_odds(die):
    return {
        str(value): float(chance) for value, chance in zip(die.outcomes(), die.probabilities(), strict=True)
    }


def test_the_open_ended_die_agrees_with_icepool():
    assert chances({"action": "roll"})["luck"] == pytest.approx(as_odds(luck()))


def test_the_odds_of_a_contest_agree_with_icepool():
    request = {"action": "contest", "actor": OKADO, "target": GUARD, "options": {"ability": "melee"}}
    assert chances(request)["success"] == pytest.approx(as_odds(53 + luck() - (36 + luck())))


def test_the_odds_of_an_active_defence_agree_with_icepool():
    options = {"defence": "active", "defence_ability": "dodge"}
    request = {"action": "attack", "actor": GUARD, "target": OKADO, "options": options}
    total = 36 + luck() - (30 + luck())
    assert chances(request)["success"] == pytest.approx(as_odds(total))
    assert chances(request)["hit"]["true"] == pytest.approx(float((total > 0).probability(True)))


def test_the_odds_of_a_shot_agree_with_icepool():
    request = {"action": "attack", "actor": TAMSIN, "target": GUARD, "options": {"distance": 40}}
    assert chances(request)["success"] == pytest.approx(as_odds(45 - 10 + luck() - 25))
    assert chances(request)["critical"] == {"true": 0.05, "false": 0.95}


def test_the_odds_of_an_action_without_dice_are_certain():
    request = {
        "action": "attack",
        "actor": TAMSIN,
        "target": GUARD,
        "options": {"distance": BOW["max_range"] + 1},
    }
    assert chances(request)["auto_fail"] == {"true": 1.0}
    assert asked("status", OKADO)["rolls"] == []
