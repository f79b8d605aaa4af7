"""Whose turn it is: nobody is skipped, nobody comes up twice, in every style and whatever happens."""

import re
from contextlib import suppress
from random import Random

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from systems.commands.beginning import comes_to, with_turn_begun
from systems.commands.table import title_of
from systems.contract.action import Action
from systems.contract.ruleset import Initiative
from systems.encounter.schedule import (
    beaten_sides,
    can_have_turn,
    following,
    may_act,
    sides_down,
    upcoming,
    waiting,
)
from systems.errors import Misread, Refused, Wrong
from tests.laws import examples
from tests.systems.fight import GAMES, Fight
from tests.systems.toy import TOY, counts, toy

FOUR = ("add ada", "add bo", "add orc x2", "start")
FALLS = {"atlantis": "life -40", "waygate": "hp -90", "atomic_d20": "status dead"}
RISES = {"atlantis": "life 30", "waygate": "hp 8", "atomic_d20": "status active"}


def turns(fight: Fight, number: int) -> list[str]:
    """Whose turns the next ones are, the current one first."""
    found = [fight.turn]
    for _ in range(number - 1):
        fight.do("next")
        found.append(fight.turn)
    return found


# The laws


def _moves(fight: Fight, random: Random) -> str:
    one, other = (random.choice(fight.encounter.progress.ids or ("okado",)) for _ in range(2))
    lines = ["next"] * 10
    lines += [f"delay {one}", "delay", f"return {one}", f"return {other}", f"remove {one}"]
    lines += [
        f"order {one} after {other}",
        f"order {one} before {other}",
        f"order {one} {random.randint(1, 20)}",
    ]
    later = f"in round {fight.round + random.randint(1, 2)}"
    lines += ["add guard", "add guard x2 group", f"add guard {later}", f"add guard x3 {later}"]
    lines += [f"add guard x2 group {later}", f"add guard hidden {later}", f"hide {one}", f"reveal {other}"]
    lines += [f"group {one},{other}", f"group {random.choice(['foes', 'all'])}", f"ungroup {one}"]
    if fight.game.name in FALLS:
        lines += [f"set {one} {FALLS[fight.game.name]}", f"set {other} {RISES[fight.game.name]}"] * 2
    if fight.game.name == "atomic_d20":
        lines += [f"set {one} status dying", f"death_choice choice=adrenaline by {one}"]
    if fight.encounter.style == "sides":
        lines += [f"next by {one}", f"next by {other}", f"next by {one}"]
    return random.choice(lines)


@pytest.mark.parametrize("game", GAMES)
@examples(15)
@given(
    random=st.integers(0, 2**32).map(Random),
    style=st.sampled_from([None, "initiative", "sides", "manual"]),
)
def test_every_combatant_that_can_act_has_exactly_one_turn_in_a_round(game, style, random):
    fight = Fight(game, "add okado", "add tamsin", "add guard x3", "start", style=style, seed=random.random())
    over: set[str] = set()
    new: set[str] = set()
    for _ in range(60):
        line, before = _moves(fight, random), fight.encounter
        try:
            event = fight.do(line)
        except Refused:
            continue
        progress, now = before.progress, fight.encounter.progress
        new |= {*now.ids} - {*progress.ids}
        over -= {*progress.ids} - {*now.ids}
        ended = _ended(before, event, line)
        assert not over & ended
        over |= ended | _passed(before, event, progress.round)
        if now.round != progress.round:
            able = {one for one in progress.order if one in now.ids and can_have_turn(before, one)}
            waiting = {one.id for one in fight.encounter if one.state.waits}
            assert able - new - waiting <= over
            over, new = _passed(before, event, now.round), {*now.ids} - {*progress.ids}


def _passed(before, event, number: int) -> set[str]:
    """Whose turn of that round an event began and ended at once, since they cannot act."""
    done = {change.who for change in event.changes if (change.field, change.after) == ("done", number)}
    return {who for who in done & {*before.combatants} if not before.status(before.combatants[who]).acts}


def _ended(before, event, line) -> set[str]:
    """Whose turns of the order a command ended: a group's together unless whole sides take turns.

    An extra turn is none of them.
    """
    progress = before.progress
    if event.command != "next" or not progress.turn:
        return set()
    if progress.interrupted:
        fallen = progress.interrupted != progress.turn and not can_have_turn(before, progress.interrupted)
        return {progress.interrupted} if fallen else set()
    turn = line.split()[-1] if " by " in line else progress.turn
    group = before.combatants[turn].state.group if before.style != "sides" else None
    together = (
        one.id
        for one in before
        if group and one.state.group == group and not one.state.waits
        if one.state.begun == progress.round > one.state.done
    )
    return {turn, *together}


# The start


def test_the_game_masters_order_begins_with_the_players_as_they_joined():
    fight = toy("add orc", "add ada", "add bo", "start")
    assert turns(fight, 4) == ["ada", "bo", "orc", "ada"]
    assert fight.round == 2


def test_initiative_dice_fall_in_the_order_of_adding_and_then_come_the_roll_offs():
    fight = toy("add ada", "add bo", "add orc x2", style="initiative")
    event = fight.do("start dice=5,12,5,20,2,6")
    assert [roll.of for roll in event.rolls] == ["ada", "bo", "orc-1", "orc-2", "ada", "orc-1"]
    assert turns(fight, 4) == ["orc-2", "bo", "orc-1", "ada"]


def low_first() -> Fight:
    """Ada, Bo and two orcs in a game where low numbers come first; Bo and the second orc are equal."""
    rule = Initiative(lambda sheet, table: table.d(10, "initiative"), roll_off=6, first="low")
    fight = toy()
    fight.game = attrs.evolve(fight.game, initiative=lambda house: rule)
    fight.encounter = attrs.evolve(fight.encounter, game=fight.game, style="initiative")
    for line in ("add ada", "add bo", "add orc x2", "start dice=9,4,2,4,3,5"):
        fight.do(line)
    return fight


def test_the_low_die_wins_a_roll_off_if_low_initiative_comes_first():
    fight = low_first()
    assert [combatant.state.initiative for combatant in fight.encounter.in_line()] == [2, 4, 4, 9]
    assert turns(fight, 4) == ["orc-1", "bo", "orc-2", "ada"]


def test_low_initiative_comes_first_for_newcomers_delays_and_set_scores_too():
    fight = low_first()
    fight.do("add orc as Late dice=3")
    assert fight.encounter.progress.order == ("orc-1", "late", "bo", "orc-2", "ada")
    fight.do("order ada 1")
    assert fight.encounter.progress.order[0] == "ada"
    fight.do("delay bo")
    fight.do("delay late")
    assert waiting(fight.encounter) == ("late", "bo")


@pytest.mark.parametrize(
    ("dice", "said"), [("5,12", "too few dice"), ("1,2,3,4,5", "too many dice"), ("21,1", "d20")]
)
def test_initiative_dice_that_cannot_be_are_refused_and_nothing_has_begun(dice, said):
    fight = toy("add ada", "add bo", "add orc x2", style="initiative")
    with pytest.raises(Refused, match=said):
        fight.do(f"start dice={dice}")
    assert fight.round == 0


def test_a_score_that_the_game_master_has_set_is_not_rolled_again():
    fight = toy("add ada", "add orc", "order ada 15", "start dice=18", style="initiative")
    assert turns(fight, 2) == ["orc", "ada"]


def test_an_order_set_by_hand_before_the_fight_sticks_in_every_style():
    for style in ("manual", "initiative", "sides"):
        fight = toy("add ada", "add bo", "add orc", "order orc before ada", "start", style=style)
        assert fight.encounter.progress.order == ("orc", "ada", "bo")


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
    assert following(fight.encounter, comes_to).id == "guard-2"
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


def test_start_is_refused_with_nobody_there_twice_and_after_the_end():
    with pytest.raises(Refused, match="no combatant can take a turn"):
        toy("start")
    fight = toy(*FOUR)
    with pytest.raises(Refused, match="has begun already"):
        fight.do("start")
    fight.do("end")
    with pytest.raises(Refused, match="over"):
        fight.do("start")


def test_initiative_is_set_by_its_own_name_before_the_fight_and_in_it():
    fight = toy("add ada", "add bo", "initiative ada 4", "start dice=10", style="initiative")
    assert fight.encounter.progress.order == ("bo", "ada")
    event = fight.do("initiative ada 15")
    assert (event.command, event.text) == ("initiative", "Ada has initiative 15.")
    assert fight.encounter.progress.order == ("ada", "bo")
    assert fight.text("undo") == "Undone: Ada's initiative."
    assert fight.encounter.progress.order == ("bo", "ada")


def test_initiative_is_the_place_in_an_order_without_scores():
    fight = toy("add ada", "add bo", "add orc", "start")
    assert fight.text("initiative orc 1") == "Orc comes 1st in the order."
    with pytest.raises(Misread, match="initiative"):
        fight.do("initiative orc high")


def test_an_amendment_carries_an_initiative_out_again():
    fight = toy("add ada", "add bo", "start dice=10,12", "initiative ada 15", "note x", style="initiative")
    fight.do("amend 4 initiative ada 3")
    assert fight.encounter.progress.order == ("bo", "ada")
    fight.do("amend 3 dice=10,2")
    assert fight.encounter.progress.order == ("ada", "bo")


# Passing the turn


def test_next_is_refused_before_the_fight_after_it_and_for_others():
    fight = toy("add ada", "add orc")
    with pytest.raises(Refused, match="has not begun"):
        fight.do("next")
    fight.do("start")
    with pytest.raises(Refused, match="it is not Orc's turn; it is Ada's"):
        fight.do("next by orc")
    fight.do("next by ada")
    assert fight.turn == "orc"
    fight.do("end")
    with pytest.raises(Refused, match="over"):
        fight.do("next")


def test_the_hooks_are_called_at_their_moments():
    fight = toy(*FOUR)
    everybody = ["ada", "bo", "orc-1", "orc-2"]
    assert counts(fight, "round_start") == dict.fromkeys(everybody, 1)
    assert counts(fight, "turn_start") == dict.fromkeys(everybody, 0) | {"ada": 1}
    assert turns(fight, 5) == [*everybody, "ada"]
    assert counts(fight, "round_start") == dict.fromkeys(everybody, 2)
    assert counts(fight, "turn_start") == dict.fromkeys(everybody, 1) | {"ada": 2}
    assert counts(fight, "turn_end") == dict.fromkeys(everybody, 1)
    fight.do("end")
    assert counts(fight, "encounter_end") == dict.fromkeys(everybody, 1)


def test_a_side_begins_its_turn_as_one_and_its_members_end_theirs_in_any_order():
    fight = toy(*FOUR, style="sides")
    assert counts(fight, "turn_start") == {"ada": 1, "bo": 1, "orc-1": 0, "orc-2": 0}
    with pytest.raises(Refused, match="the players have it"):
        fight.do("next by orc-1")
    assert fight.do("next by bo").text == "Bo is done."
    with pytest.raises(Refused, match="no turn to end in this round"):
        fight.do("next by bo")
    fight.do("next by ada")
    assert counts(fight, "turn_start") == {"ada": 1, "bo": 1, "orc-1": 1, "orc-2": 1}
    fight.do("next by orc-2")
    fight.do("next")
    assert (fight.turn, fight.round) == ("ada", 2)


def test_a_combatant_that_delayed_into_another_sides_turn_comes_after_it():
    fight = toy(*FOUR, "delay", "next", style="sides")
    assert fight.turn == "orc-1"
    said = fight.do("return ada").text
    assert said == "Ada is back in the order. Ada's turn comes when the foes are done."
    assert fight.encounter.progress.order == ("bo", "ada", "orc-1", "orc-2")
    assert turns(fight, 3) == ["orc-1", "orc-2", "ada"]


def test_any_member_of_the_side_that_acts_has_the_turn():
    fight = toy(*FOUR, "strike orc-1 by bo", style="sides")
    assert fight.turn == "bo"
    fight.do("strike ada by orc-1")
    assert fight.turn == "bo"


def test_a_late_arrival_to_a_side_starts_a_turn_of_its_own():
    fight = toy(*FOUR, "next", "next", "add ada as Ida", style="sides")
    assert turns(fight, 3) == ["orc-1", "orc-2", "ida"]
    assert fight.round == 1
    assert counts(fight, "turn_start")["ida"] == 1


# Coming and going


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


def test_a_move_neither_skips_nor_repeats_a_turn_and_stays():
    fight = toy(*FOUR, "next", "order orc-2 before ada")
    assert turns(fight, 4) == ["bo", "orc-1", "orc-2", "orc-2"]
    assert fight.round == 2
    assert fight.encounter.progress.order == ("orc-2", "ada", "bo", "orc-1")


@pytest.mark.parametrize("style", ["manual", "initiative"])
def test_a_number_that_is_no_place_or_score_is_refused_or_means_the_end(style):
    fight = toy("add ada", "add bo", style=style)
    if style == "initiative":
        with pytest.raises(Refused, match="from -9999 to 9999"):
            fight.do("order ada 10000")
    else:
        assert fight.text("order ada 10000") == "Ada comes 2nd in the order."


# Extra turns


def test_an_extra_turn_comes_at_once_and_the_interrupted_one_goes_on():
    fight = toy(*FOUR)
    assert fight.text("again by orc-2") == "Orc 2 goes again. Orc 2 takes an extra turn now."
    assert (fight.turn, following(fight.encounter, comes_to).id) == ("orc-2", "ada")
    assert fight.text("next") == "Ada's turn goes on."
    assert turns(fight, 5) == ["ada", "bo", "orc-1", "orc-2", "ada"]
    assert counts(fight, "turn_end")["orc-2"] == 2


def test_an_extra_turn_stays_one_when_the_interrupted_one_leaves():
    fight = toy(*FOUR, "again by orc-2", "remove ada")
    assert fight.turn == "orc-2"
    assert turns(fight, 4)[1:] == ["bo", "orc-1", "orc-2"]


def test_a_step_back_into_an_extra_turn_whose_interrupted_one_has_left_goes_on_with_the_others():
    fight = toy(*FOUR, "again by orc-2", "next", "remove ada", "back")
    assert fight.turn == "orc-2"
    assert turns(fight, 4)[1:] == ["bo", "orc-1", "orc-2"]


def test_adrenaline_is_an_extra_turn_and_death_at_its_end():
    fight = Fight("atomic_d20", "add okado", "add guard", "start", "set guard status dying")
    fight.do("death_choice choice=adrenaline by guard")
    assert fight.turn == "guard"
    assert "dead" in fight.text("next")
    assert fight.turn == "okado"


def test_the_next_combatant_is_not_one_that_shares_the_current_turn():
    fight = toy("add orc x3 group", "add ada", "start", "next")
    assert fight.turn == "orc-1"
    assert following(fight.encounter, comes_to).id == "ada", "in the next round"


# Nobody loses a turn in silence


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


def test_one_next_runs_the_whole_turn_of_a_combatant_that_cannot_act():
    fight = Fight("atlantis", "add okado", "add guard x2", style="manual")
    fight.do("start")
    fight.do("set guard-1 life -3")
    assert fight.encounter.status(fight.encounter.combatants["guard-1"]).name == "unconscious"
    told = fight.text("next")
    assert "Guard 1 is unconscious and cannot act. Guard 2's turn" in told
    assert fight.turn == "guard-2"
    place = fight.encounter.combatants["guard-1"].state
    assert (place.begun, place.done) == (1, 1)
    assert fight.folded() == fight.plain


def test_the_turn_stays_if_no_combatant_can_act():
    fight = Fight("atlantis", "add okado", "add guard", "start", style="manual")
    for who in ("okado", "guard"):
        fight.do(f"set {who} life -3")
    fight.do("next")
    assert fight.turn == "guard"


def test_whose_turn_runs_is_asked_in_one_place():
    fight = toy(*FOUR, style="sides")
    assert [may_act(fight.encounter, who) for who in ("ada", "bo", "orc-1")] == [True, True, False]
    fight.do("next by bo")
    assert [may_act(fight.encounter, who) for who in ("ada", "bo", "orc-1")] == [True, False, False]
    with pytest.raises(Refused, match="no turn to end"):
        fight.do("next by bo")


def test_a_combatant_that_delays_keeps_its_place_if_no_other_can_act():
    fight = Fight("arden", "add okado", "add guard x2", "start dice=20,10,1")
    for line in ("damage guard-1 9", "damage guard-2 9", "delay"):
        fight.do(line)
    assert fight.turn == "okado"
    assert sorted(fight.encounter.progress.order) == ["guard-1", "guard-2", "okado"]


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


def test_initiative_is_listed_in_turn_order():
    fight = Fight("simple", "add okado", "add tamsin", "add guard x2 as Wolf group")
    said = fight.text("start dice=3,18,11")
    assert said.startswith("Initiative: 20 Tamsin, 11 Wolf 1 and Wolf 2, 5 Okado.")


def test_the_initiative_of_hidden_combatants_has_its_own_sentence():
    fight = Fight("simple", "add okado", "add tamsin", "add guard as Wolf hidden")
    said = fight.text("start dice=3,18,11")
    assert said.startswith("Initiative: 20 Tamsin, 5 Okado. Wolf has initiative 11.")


def test_the_place_of_a_return_after_a_hidden_combatant_has_its_own_sentence():
    fight = toy(*FOUR, "hide bo", "delay")
    assert fight.text("return ada") == "Ada is back in the order. Ada comes after Bo."


def test_the_end_of_rounds_without_a_turn_is_called_the_next_turn():
    fight = toy("add ada", "add orc in round 4", "start", "damage ada 20", "next")
    assert title_of(fight.do("next"), {}) == "the next turn"


def test_the_combatant_whose_turn_was_interrupted_comes_next():
    fight = toy(*FOUR, "again by bo")
    assert fight.turn == "bo"
    assert upcoming(fight.encounter, comes_to) == (fight.encounter.combatants["ada"], 1)


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


def test_the_place_of_a_wrong_word_among_initiative_totals_is_known():
    fight = toy("add ada", "add orc")
    line = "start ada 14,orc many"
    with pytest.raises(Misread) as misread:
        fight.do(line)
    assert line[misread.value.start : misread.value.end] == "many"


def test_a_joint_action_without_a_result_is_headed_by_the_number_of_its_actors():
    fight = toy(*FOUR, style="manual")
    assert fight.text("again by ada,bo").startswith("Again by 2. Ada goes again.")


def test_no_group_is_made_where_whole_sides_take_turns():
    fight = toy("add ada", "add bo", "add orc", "start", style="sides")
    with pytest.raises(Refused, match="whole sides take turns in this fight"):
        fight.do("group ada,bo")


def test_an_error_of_the_game_at_the_start_of_a_turn_is_told_with_the_name_and_the_turn_goes_on():
    def fails(scene, table):
        raise Wrong("hp", "is odd")

    actions = (*(each for each in TOY.actions if each.name != "turn_start"), Action("turn_start", "", fails))
    fight = Fight(attrs.evolve(TOY, actions=actions), style="manual")
    fight.roster = toy().roster
    for line in ("add ada", "add bo", "start"):
        fight.do(line)
    assert fight.text("next").startswith("Bo: hp: is odd. Bo's turn.")


def test_the_log_says_that_no_combatant_is_left():
    fight = toy("add ada", "start")
    assert fight.text("remove ada") == "Ada leaves the fight. No combatant is left to take a turn."


def test_an_order_without_a_place_says_what_is_expected():
    fight = toy("add ada", "add orc")
    with pytest.raises(Misread, match=r"^the place: expected before, after or a number, got .last.$"):
        fight.do("order ada last")


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("style", ["manual", "initiative", "sides"])
def test_a_planned_turn_finds_its_combatant_as_the_real_one_does(game, style):
    play = Fight(game, "add okado", "add tamsin", "add guard x2", "start", style=style)
    while play.turn != "okado":
        play.do("next")
    for _ in range(2):
        with suppress(Refused):
            play.do("attack guard-1 by okado")
    play.do("next")
    compared = 0
    for _ in range(5):
        if may_act(play.encounter, "okado"):
            break
        before = play.encounter
        planned = with_turn_begun(before, "okado")
        assert may_act(planned, "okado")
        assert play.encounter is before
        compared += 1
        play.do("next")
    assert compared
    assert planned.combatants["okado"].sheet == play.encounter.combatants["okado"].sheet
