"""Requests whose sheets are already in an unusual state: helpless, knocked out, dead, or exhausted."""

from random import Random

import pytest

from systems import load
from systems.dice.sources import RandomDice
from systems.requests import resolve

SRD = load("srd5")


def harmed(actor, amount):
    request = {"action": "harm", "actor": actor, "options": {"amount": amount}}
    return resolve(SRD, request, RandomDice(Random(1)))


@pytest.mark.parametrize("condition", ["incapacitated", "petrified", "stunned"])
def test_damage_ends_the_concentration_of_a_helpless_creature_without_a_save(condition):
    answer = harmed({"max_hp": 50, "concentrating": "web", "conditions": [condition]}, 8)
    assert answer["facts"]["concentration_dc"] == 0
    assert answer["actor"]["concentrating"] == "none"


def test_damage_to_the_dead_asks_for_no_concentration_save():
    assert harmed({"exhaustion": 6, "concentrating": "web"}, 8)["facts"]["concentration_dc"] == 0


def test_a_fall_clears_failures_that_were_left_from_before():
    answer = harmed({"max_hp": 20, "hp": 5, "death_failures": 3}, 9)
    assert answer["facts"]["fell"] == "unconscious"
    assert (answer["actor"]["status"], answer["actor"]["death_failures"]) == ("dying", 0)


def attacked(target, dice, *conditions):
    bite = {"name": "bite", "to_hit": 20, "damage": ["1d4 fire"], "conditions": list(conditions)}
    actor = {"attacks": [bite], "multiattack": [{"name": "bite", "times": 3}]}
    request = {"action": "multiattack", "actor": actor, "target": target, "dice": dice}
    return resolve(SRD, request, RandomDice(Random(1)))


def test_a_multiattack_on_a_target_that_is_already_knocked_out_is_one_attack():
    answer = attacked({"max_hp": 50, "knocked_out": True}, [10, 10, 2, 2])
    assert answer["facts"]["attacks"] == 1


def test_a_multiattack_ends_when_exhaustion_kills_the_target():
    answer = attacked({"max_hp": 50, "exhaustion": 4}, [10, 2, 10, 2], "exhaustion")
    assert answer["facts"]["attacks"] == 2
    assert answer["target"]["status"] == "dead"


def test_the_dead_have_nothing_to_recharge():
    breath = {"name": "breath", "recharge": 5, "spent": True}
    for sheet, dice in (({}, 1), ({"exhaustion": 6}, 0)):
        request = {"action": "turn_start", "actor": {"powers": [breath], **sheet}}
        assert resolve(SRD, request, RandomDice(Random(1)))["facts"]["recharges"] == dice
