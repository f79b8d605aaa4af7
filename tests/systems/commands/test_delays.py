"""Delayed turns: when they come, and who waits for them."""

import pytest

from systems.errors import Refused
from tests.systems.fight import Fight
from tests.systems.toy import counts, toy
from tests.systems.turns import FOUR, turns


def test_a_combatant_that_delayed_into_another_sides_turn_comes_after_it():
    fight = toy(*FOUR, "delay", "next", style="sides")
    assert fight.turn == "orc-1"
    said = fight.do("return ada").text
    assert said == "Ada is back in the order. Ada's turn comes when the foes are done."
    assert fight.encounter.progress.order == ("bo", "ada", "orc-1", "orc-2")
    assert turns(fight, 3) == ["orc-1", "orc-2", "ada"]


def test_a_delayed_combatant_returns_after_the_current_turn():
    fight = toy(*FOUR)
    assert fight.text("delay").startswith("Ada waits. Bo's turn.")
    fight.do("next")
    fight.do("return ada")
    assert turns(fight, 4) == ["orc-1", "ada", "orc-2", "bo"]
    assert counts(fight, "turn_start")["ada"] == 1


def test_pointless_delay_and_return_are_refused():
    with pytest.raises(Refused, match="during a fight"):
        toy("add ada", "delay ada")
    fight = toy(*FOUR, "delay bo", "damage orc-2 20")
    for line, said in (
        ("delay bo", "waits already"),
        ("delay orc-2", "is dead"),
        ("return ada", "has neither delayed"),
        ("order bo before ada", "Bo waits and has no place in the order until it returns"),
        ("order ada before ada", "itself"),
    ):
        with pytest.raises(Refused, match=said):
            fight.do(line)


def test_delaying_combatants_get_their_turn_at_the_end_of_the_round():
    fight = toy(*FOUR, "delay")
    told = [fight.text("next") for _ in range(3)]
    assert "Ada has waited until the end of the round. Ada's turn." in told[-1]
    assert (fight.turn, fight.round) == ("ada", 1)
    assert "Round 2" in fight.text("next")
    assert counts(fight, "turn_start")["ada"] == 1


def test_several_delaying_combatants_act_in_sequence_before_the_next_round():
    fight = toy(*FOUR, "delay", "delay")
    assert turns(fight, 4) == ["orc-1", "orc-2", "ada", "bo"]
    assert "Round 2" in fight.text("next")


def test_the_last_combatant_that_delays_waits_into_the_next_round_and_the_log_says_so():
    fight = toy(*FOUR, "next", "next", "next")
    assert "Orc 2 waits into round 2." in fight.text("delay")
    assert turns(fight, 5) == ["ada", "bo", "orc-1", "orc-2", "ada"]


def test_the_next_combatant_is_named_if_all_others_delay():
    fight = toy("add ada", "add bo", "start", "delay")
    assert fight.turn == "bo"
    assert "Next: Ada" in fight.log.events[-1].text


def test_a_return_places_a_combatant_after_the_current_turn_and_the_log_says_so():
    fight = toy(*FOUR, "delay")
    assert fight.text("return ada") == "Ada is back in the order, after Bo."


def test_a_combatant_that_delays_keeps_its_place_if_no_other_can_act():
    fight = Fight("arden", "add okado", "add guard x2", "start dice=20,10,1")
    for line in ("damage guard-1 9", "damage guard-2 9", "delay"):
        fight.do(line)
    assert fight.turn == "okado"
    assert sorted(fight.encounter.progress.order) == ["guard-1", "guard-2", "okado"]


def test_the_place_of_a_return_after_a_hidden_combatant_has_its_own_sentence():
    fight = toy(*FOUR, "hide bo", "delay")
    assert fight.text("return ada") == "Ada is back in the order. Ada comes after Bo."


def test_a_return_after_the_own_turn_promises_no_turn_when_the_other_side_is_done():
    fight = toy("add ada", "add orc", "start", "next", "delay ada", style="sides")
    assert fight.text("return ada") == "Ada is back in the order."
    early = toy("add ada", "add bo", "add orc", "start", "delay ada", "next", style="sides")
    promise = "Ada is back in the order. Ada's turn comes when the foes are done."
    assert early.text("return ada") == promise


def test_a_condition_until_the_end_of_a_delayed_turn_ends_with_that_turn():
    fight = toy("add ada", "add orc", "start", "next", "condition ada sharp until end of orc", "delay orc")
    fight.do("next")
    assert (fight.turn, fight.conditions("ada")) == ("orc", ["sharp"])
    fight.do("next")
    assert fight.conditions("ada") == []
