"""Arrivals, departures and falls during the turns: no turn is skipped or repeated."""

import pytest

from systems.encounter.schedule import (
    beaten_sides,
    sides_down,
)
from systems.errors import Refused
from tests.systems.fight import Fight
from tests.systems.toy import counts, toy
from tests.systems.turns import FOUR, turns


def test_the_dead_leave_the_order_of_turns_and_stay_in_the_fight():
    fight = toy(*FOUR, "damage bo 20")
    assert turns(fight, 4) == ["ada", "orc-1", "orc-2", "ada"]
    assert "bo" in fight.encounter.combatants
    fight.do("heal bo 20")
    fight.do("next")
    assert fight.turn == "bo"


def test_a_combatant_that_falls_in_its_own_turn_keeps_it_until_next():
    fight = toy(*FOUR, "damage ada 20")
    assert turns(fight, 2) == ["ada", "bo"]


def test_removing_the_combatant_with_the_turn_passes_it_on():
    fight = toy(*FOUR, "next")
    assert fight.text("remove bo") == "Bo leaves the fight. Orc 1's turn. Next: Orc 2."
    assert turns(fight, 3) == ["orc-1", "orc-2", "ada"]


def test_removing_others_neither_skips_nor_repeats_a_turn():
    fight = toy(*FOUR, "next", "remove ada", "remove orc-1")
    assert turns(fight, 3) == ["bo", "orc-2", "bo"]


def test_the_next_arrival_gets_the_turn_if_all_combatants_have_left():
    fight = toy("add ada", "start", "remove ada")
    assert fight.turn == ""
    with pytest.raises(Refused, match="no combatant is left"):
        fight.do("next")
    fight.do("add orc")
    assert fight.turn == "orc"


def test_rounds_pass_until_the_next_arrival_if_no_combatant_is_left():
    fight = toy("add ada", "add orc in round 4", "start", "damage ada 20", "next")
    assert (fight.round, fight.turn) == (2, "")
    fight.do("next")
    assert (fight.round, fight.turn) == (4, "orc_h1")


def test_late_arrivals_come_with_their_round():
    fight = toy("add ada", "add orc in round 3", "start")
    assert turns(fight, 3) == ["ada", "ada", "ada"]
    assert fight.round == 3
    assert counts(fight, "round_start") == {"ada": 3, "orc_h1": 1}
    assert turns(fight, 3) == ["ada", "orc_h1", "ada"]


def test_one_added_for_the_first_round_before_the_fight_is_there_when_it_begins():
    fight = toy("add ada", "add orc in round 1", "start")
    assert turns(fight, 2) == ["ada", "orc_h1"]


def test_a_newcomer_with_a_passed_initiative_acts_in_the_next_round():
    fight = toy("add ada", "add bo", "start dice=15,10", "next", style="initiative")
    fight.do("add orc dice=12")
    assert turns(fight, 3) == ["bo", "ada", "orc"]


def test_a_fight_is_decided_when_one_side_is_left_and_not_when_a_bystander_falls():
    fight = Fight("simple", "add okado", "add guard", "add guard as Cook side=townsfolk", "start")
    assert beaten_sides(fight.encounter) == ()
    fight.do("damage cook 99")
    assert (sides_down(fight.encounter), beaten_sides(fight.encounter)) == (("townsfolk",), ())
    fight.do("damage guard 99")
    assert beaten_sides(fight.encounter) == ("foes", "townsfolk")
    fight.do("undo 2")
    fight.do("damage okado 99")
    assert beaten_sides(fight.encounter) == ("players",)


def test_a_side_stands_with_its_last_combatant_and_not_with_those_who_come_later():
    fight = Fight("simple", "add okado", "add guard x2", "start", "damage guard-2 99")
    assert sides_down(fight.encounter) == ()
    fight.do("add guard in round 5")
    fight.do("damage guard-1 99")
    assert sides_down(fight.encounter) == ("foes",)


def test_the_log_says_that_no_combatant_is_left():
    fight = toy("add ada", "start")
    assert fight.text("remove ada") == "Ada leaves the fight. No combatant is left to take a turn."
