"""Laws for every request: it resolves, its terms add up, its odds are exact."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from systems.dice.sources import RandomDice
from systems.requests import resolve
from systems.schema.fields import Entries, fields_of
from systems.schema.types import Choice, DiceText, Flag, ListOf, Text, Whole
from tests.laws import examples

from .play import ATOMIC, by_brute_force, exact, request

NAMES = ("Block", "Parry", "war axe", "pistol")


def plain(kind):
    """Draw plain data of one kind."""
    match kind:
        case Whole(low, high):
            return st.integers(low, high)
        case Flag():
            return st.booleans()
        case Text():
            return st.sampled_from(NAMES)
        case Choice(values):
            return st.sampled_from(values)
        case DiceText():
            return st.sampled_from(("1d4", "2d6", "2d8+1d4"))
        case ListOf(item):
            return st.lists(plain(item), max_size=3)
        case Entries(of):
            return st.lists(tables(of), min_size=1, max_size=2)
    raise AssertionError(kind)


def tables(cls, **fixed):
    """Draw plain data of a declared class: needed fields always, others sometimes."""
    known = {name: fixed.get(name, plain(field.type)) for name, field in fields_of(cls).items()}
    needed = {name for name, field in fields_of(cls).items() if field.needed}
    return st.fixed_dictionaries(
        {name: one for name, one in known.items() if name in needed},
        optional={name: one for name, one in known.items() if name not in needed},
    )


@st.composite
def requests(draw, actions=tuple(action.name for action in ATOMIC.actions)):
    action = ATOMIC.action(draw(st.sampled_from(actions)))
    actor = draw(tables(ATOMIC.sheet))
    actor["weapons"] = [{"name": "war axe", "damage": "1d4"}, *actor.get("weapons", ())]
    named = {"weapon": st.sampled_from([one["name"] for one in actor["weapons"]])}
    return {
        "action": action.name,
        "actor": actor,
        "target": draw(tables(ATOMIC.sheet)),
        "options": draw(tables(action.options, **named)),
        "house": draw(tables(ATOMIC.house)),
    }


def answer_of(asked, seed=0):
    return resolve(ATOMIC, asked, RandomDice(random.Random(seed)))


@given(requests(), st.integers(0, 99))
def test_every_request_resolves_and_its_result_can_be_used_again(asked, seed):
    answer = answer_of(asked, seed)
    again = {**asked, "dice": [roll["face"] for roll in answer["rolls"]]}
    assert answer_of(again) == answer
    after = {key: answer[key] for key in ("actor", "target") if key in answer}
    answer_of({**asked, **after})
    status = answer_of({"action": "status", "actor": answer["actor"]})
    assert status["actor"] == answer["actor"]


@given(requests(("maneuver", "attack", "cast")), st.integers(0, 99))
def test_the_terms_add_up_to_the_total(asked, seed):
    answer = answer_of(asked, seed)
    if "refused" not in answer["facts"]:
        assert sum(term["value"] for term in answer["terms"]) == answer["facts"]["total"]
        if "bonus" in answer["facts"]:
            assert answer["facts"]["bonus"] == answer["facts"]["total"] - answer["rolls"][0]["face"]


@given(requests())
def test_a_refused_request_rolls_nothing_and_changes_nothing(asked):
    answer = answer_of(asked)
    if "refused" in answer["facts"]:
        assert answer["rolls"] == []
        assert answer["facts"]["refused"] in [one.reason for one in ATOMIC.action(asked["action"]).refusals]
        assert answer["actor"] == answer_of({"action": "status", "actor": asked["actor"]})["actor"]
        assert answer["text"].endswith(".")


@given(requests(), st.integers(0, 99))
def test_values_stay_on_their_tracks_and_wounds_never_heal(asked, seed):
    answer = answer_of(asked, seed)
    declared = ATOMIC.action(asked["action"]).facts
    assert "refused" in answer["facts"] or set(answer["facts"]) <= set(declared)
    for role in ("actor", "target"):
        if role in answer and asked["action"] in ("attack", "cast", "wound"):
            before = answer_of({"action": "status", "actor": asked[role]})["actor"]
            for figure in ("hearts", "brains", "stamina"):
                assert 0 <= answer[role][figure] <= before[figure]


@examples(25)
@given(requests(tuple(action.name for action in ATOMIC.actions if action.name != "attack")))
def test_odds_agree_with_every_sequence_of_faces(asked):
    found = exact(asked)
    assert found == by_brute_force(asked)
    for fact, spread in found.items():
        assert sum(spread.values()) == 1, fact


@pytest.mark.parametrize(
    ("target", "house", "options"),
    [
        ({"armor": 1, "hearts": 1}, {}, {"boons": [2]}),
        ({"fortitude": 2, "reflex": -4}, {"armor_mode": "subtraction"}, {"damage_modifier": 7}),
        ({"status": "unconscious", "stamina": 0}, {"ties": "defender"}, {"track": "mental"}),
        ({}, {}, {"damage_modifier": -2, "use_stamina": True}),
    ],
)
def test_the_odds_of_an_attack_agree_with_every_sequence_of_faces(target, house, options):
    actor = {"weapons": [{"name": "dagger", "damage": "1d4"}]}
    asked = request("attack", actor=actor, target=target, house=house, **options)
    found = exact(asked)
    assert found == by_brute_force(asked)
    assert all(sum(spread.values()) == 1 for fact, spread in found.items() if fact != "location")
