"""Spells and spellburn that the written examples do not cover."""

import pytest

from systems.contract.outcome import GivenCondition

from .play import facts, outcome, play, request


@pytest.mark.parametrize(
    ("face", "effect"),
    [
        (1, "invert_target"),
        (2, "invert_effect"),
        (3, "random_effect"),
        (4, "random_target"),
    ],
)
def test_a_critical_failure_has_its_effect_and_burns(face, effect):
    answer = play("cast", 1, face, 6, 6, difficulty=5)
    assert (answer["facts"]["critical_effect"], answer["facts"]["passed"]) == (effect, False)
    assert (answer["actor"]["hearts"], answer["actor"]["wound_banes"]) == (1, 1)


def test_a_passed_spell_works_and_burns_only_by_house_rule():
    saved = facts("cast", 1, 5, difficulty=5)
    assert saved["critical_failure"] is True
    assert (saved["critical_effect"], saved["passed"]) == ("miraculous_recovery", True)
    assert (saved["spellburn"], saved["damage"], saved["wound"]) == (False, 0, "none")
    burned = facts("cast", 1, 6, 5, 3, 4, difficulty=5, house={"spellburn": "always"})
    assert (burned["passed"], burned["spellburn"], burned["damage"]) == (True, True, 7)


def test_a_natural_one_that_passes_is_no_critical_failure():
    got = facts("cast", 1, difficulty=1)
    assert (got["passed"], got["critical_failure"], got["critical_effect"]) == (True, False, "none")


def test_stamina_pays_for_a_small_spellburn_of_either_kind():
    house = {"spellburn_track": "mental"}
    got = play("cast", 2, 4, 5, difficulty=5, house=house, use_stamina=True)
    assert (got["facts"]["paid_by"], got["actor"]["stamina"], got["actor"]["brains"]) == ("stamina", 0, 3)
    got = play("cast", 2, 4, 6, difficulty=5, house=house, use_stamina=True)
    assert (got["facts"]["paid_by"], got["actor"]["brains"]) == ("brains", 1)


def test_a_caster_that_burns_out_is_offered_last_breaths():
    burned = outcome(request("cast", actor={"hearts": 1}, difficulty=30), 2, 1, 1)
    assert [(ask.action, ask.by) for ask in burned.asks] == [("death_choice", "actor")]


def test_the_natural_die_of_a_spell_places_its_spellburn():
    burned = outcome(request("cast", difficulty=30), 20, 6, 6)
    assert burned.facts["location"] == "head"
    assert burned.gives == (GivenCondition("actor", "wounded_head"),)
    assert "takes spellburn in the head, a major wound" in burned.tell().text
    assert "location" not in facts("cast", 20, difficulty=5)
    assert "location" not in facts("cast", 2, 6, 6, difficulty=30, house={"spellburn_track": "mental"})
