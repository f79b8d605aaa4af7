"""Groups: one initiative and one turn for several combatants."""

import re

import pytest

from systems.commands.beginning import comes_to
from systems.encounter.schedule import (
    upcoming,
)
from systems.errors import Refused
from tests.systems.fight import Fight
from tests.systems.toy import counts, toy
from tests.systems.turns import FOUR, turns


def test_a_group_rolls_once_and_has_one_turn():
    fight = toy("add ada", "add orc x3 group", "start dice=10,15", style="initiative")
    assert turns(fight, 3) == ["orc-1", "ada", "orc-1"]
    assert counts(fight, "turn_end") == {"ada": 1, "orc-1": 1, "orc-2": 1, "orc-3": 1}
    fight.do("next by orc-2")
    assert fight.turn == "ada"


def test_the_first_member_that_can_act_starts_the_turn_of_a_group():
    fight = Fight("atlantis", "add okado", "add guard x3 group", "start")
    assert fight.text("damage guard-1 60")
    told = fight.text("next")
    assert fight.turn == "guard-2"
    assert "Guard 2's turn. Shared with Guard 3. Next: Okado, round 2." in told
    assert fight.text("next").endswith("Next: Guard 2.")
    fight.do("next")
    assert fight.turn == "guard-2"


def test_a_combatant_that_joins_a_group_during_its_turn_is_not_next():
    fight = Fight("atlantis", "add okado", "add guard x3", "start", "next", "group guard-1,guard-2,guard-3")
    assert fight.turn == "guard-1"
    assert upcoming(fight.encounter, comes_to)[0].id == "guard-2"
    fight.do("next")
    assert fight.turn == "guard-2"


def test_the_end_of_a_groups_turn_names_members_that_have_not_acted():
    fight = Fight("atlantis", "add okado", "add guard x4 group", "start", "next")
    fight.do("attack okado by guard-1")
    fight.do("damage guard-4 60")
    assert fight.text("next").startswith("Guard 2 and Guard 3 have not acted. Round 2.")
    fight.do("next")
    fight.do("check ability=melee threshold=10 by guard-1,guard-2")
    assert fight.text("next").startswith("Guard 3 has not acted. Round 3.")
    fight.do("next")
    # One who is ready has used its turn, and a group that lets its turn pass does so as anybody may.
    fight.do("attack okado by guard-1")
    fight.do("attack okado by guard-2")
    fight.do("ready guard-3 stab")
    assert fight.text("next").startswith("Round 4.")
    fight.do("next")
    assert fight.text("next").startswith("Round 5.")


def test_combatants_in_the_order_can_be_grouped_and_ungrouped():
    fight = toy("add ada", "add bo", "add orc x3", "start")
    assert fight.text("group orc-3,bo") == "Bo and Orc 3 share a turn."
    assert fight.encounter.progress.order == ("ada", "bo", "orc-3", "orc-1", "orc-2")
    assert turns(fight, 5) == ["ada", "bo", "orc-1", "orc-2", "ada"]
    assert fight.text("ungroup bo") == "Bo and Orc 3 have turns of their own again."
    assert turns(fight, 4) == ["ada", "bo", "orc-3", "orc-1"]
    fight.do("undo 4")
    assert turns(fight, 3) == ["ada", "bo", "orc-1"]


def test_a_combatant_that_has_acted_joins_its_group_in_the_next_round():
    fight = toy("add ada", "add bo", "add orc x2", "start", "next")
    told = fight.text("group ada,orc-2")
    assert told == "Ada and Orc 2 share a turn. They act together from round 2."
    # Nobody loses the turn of this round, and nobody has another.
    assert turns(fight, 5) == ["bo", "orc-1", "orc-2", "ada", "bo"]
    assert counts(fight, "turn_end") == {"ada": 2, "bo": 1, "orc-1": 1, "orc-2": 2}


def test_a_turn_that_is_shared_no_longer_goes_on_for_each():
    fight = toy("add ada", "add orc x2 group", "start", "next")
    fight.do("ungroup orc-2")
    assert turns(fight, 3) == ["orc-1", "orc-2", "ada"]
    assert counts(fight, "turn_start")["orc-2"] == 1


def test_a_group_made_before_the_fight_rolls_once_and_shares_its_place():
    fight = toy("add ada", "add orc", "add bo", "group orc,ada", style="initiative")
    fight.do("start dice=10,15")
    assert turns(fight, 3) == ["bo", "ada", "bo"]
    assert fight.encounter.combatants["orc"].state.initiative == 10


def test_what_cannot_be_a_group_is_refused_in_one_sentence():
    fight = toy("add ada", "add bo", "add orc", "add orc hidden", "start")
    for line, sentence in {
        "group ada": "Ada alone is not a group; name two or more, such as: group 3-5",
        "group ada,h1": "Orc h1 is hidden and cannot share a turn with Ada",
        "ungroup ada": "Ada has a turn of its own already",
    }.items():
        with pytest.raises(Refused, match=sentence):
            fight.do(line)
    fight.do("group ada,bo")
    with pytest.raises(Refused, match="Bo and Ada share a turn already"):
        fight.do("group bo,ada")
    told = fight.text("group ada,orc")
    assert "Ada and Orc share a turn." in told
    assert "Bo has a turn of its own again." in told


def test_the_next_combatant_is_not_one_that_shares_the_current_turn():
    fight = toy("add orc x3 group", "add ada", "start", "next")
    assert fight.turn == "orc-1"
    assert upcoming(fight.encounter, comes_to)[0].id == "ada", "in the next round"


def test_a_group_that_arrives_later_has_one_initiative_and_one_turn():
    fight = Fight("simple", "add okado", "add guard x3 as Wolf group in round 2", "start")
    assert re.search(r"Wolf 2, Wolf 3 and Wolf 4 have initiative \d+\.", fight.text("next"))
    wolves = [each for each in fight.encounter if each.name.startswith("Wolf")]
    assert len({each.state.initiative for each in wolves}) == 1
    while fight.round < 3:
        fight.do("next")
    whose = []
    while fight.round == 3:
        whose.append(fight.turn)
        fight.do("next")
    assert sorted(who.partition("_")[0] for who in whose) == ["okado", "wolf"]


def test_a_joint_action_without_a_result_is_headed_by_the_number_of_its_actors():
    fight = toy(*FOUR, style="manual")
    assert fight.text("again by ada,bo").startswith("Again by 2. Ada goes again.")


def test_no_group_is_made_where_whole_sides_take_turns():
    fight = toy("add ada", "add bo", "add orc", "start", style="sides")
    with pytest.raises(Refused, match="whole sides take turns in this fight"):
        fight.do("group ada,bo")
