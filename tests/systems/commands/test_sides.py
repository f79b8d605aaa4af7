"""A side's turn: its members act in any order, and the turn passes when none of them can act."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from systems.encounter.schedule import still_to_act
from systems.errors import Misread, Refused, Wrong
from systems.frozen import evolve
from systems.visibility.rows import turn_marks
from tests.laws import examples
from tests.systems.fight import GAMES, Fight
from tests.systems.toy import counts, toy
from tests.systems.walks import line_for

FOUR = ("add ada", "add bo", "add orc x2", "start")


def squad(*lines: str) -> Fight:
    """Three soldiers against two guards, in the soldiers' turn."""
    soldiers = ("add okado", "add tamsin", "add okado as Mara", "add guard x2", "start")
    return Fight("xcom", *soldiers, *lines)


def marks(fight: Fight) -> dict[str, str]:
    return {who: mark for who, mark in turn_marks(fight.encounter).items() if mark == "with"}


def test_next_goes_to_the_next_member_with_an_action_left_and_then_to_the_other_side():
    fight = squad("attack guard-1 by tamsin")
    assert (fight.turn, still_to_act(fight.encounter)) == ("tamsin", ("okado", "mara"))
    fight.do("next")
    assert fight.turn == "mara", "the search begins after the member that acted"
    fight.do("overwatch")
    fight.do("next")
    assert fight.turn == "okado"
    fight.do("overwatch")
    assert still_to_act(fight.encounter) == ()
    assert fight.do("next").text.startswith("The foes have the turn. Guard 1's turn.")


def test_members_that_act_in_any_order_add_no_line_of_their_own_to_the_log():
    fight = squad("attack guard-1 by mara", "move steps=2 by okado", "attack guard-2 by tamsin")
    events = [event for event in fight.log.events if event.command != "add"]
    assert [event.command for event in events] == ["start", "action", "action", "action"]
    assert all("turn" not in event.text for event in events[1:])
    assert fight.do("next by tamsin").text == "Okado's turn. Next: Guard 1."


def test_a_member_that_ends_its_turn_while_another_acts_leaves_the_turn_there():
    fight = squad("move steps=2 by okado")
    assert fight.do("next by mara").text == "Mara is done."
    assert (fight.turn, still_to_act(fight.encounter)) == ("okado", ("okado", "tamsin"))


def test_a_member_with_an_action_left_comes_again_after_the_others():
    fight = squad()
    for who in ("okado", "tamsin", "mara"):
        assert fight.turn == who
        fight.do("move steps=2")
        fight.do("next")
    assert fight.turn == "okado"
    fight.do("overwatch")
    fight.do("next")
    # Tamsin and Mara do nothing more.
    fight.do("next")
    fight.do("next")
    assert fight.encounter.progress.side == "foes"


def test_a_member_passed_over_without_an_action_has_no_further_turn_in_the_round():
    fight = squad("next")
    assert fight.turn == "tamsin"
    assert marks(fight) == {"mara": "with"}


def test_rows_mark_the_members_that_can_still_act():
    fight = squad("attack guard-1 by mara", "move steps=2 by okado")
    assert turn_marks(fight.encounter) == {"okado": "now", "tamsin": "with"}
    fight.do("attack guard-1 by tamsin")
    assert turn_marks(fight.encounter) == {"tamsin": "now", "okado": "with"}


def test_a_game_that_counts_no_actions_marks_the_members_whose_turn_is_not_over():
    fight = toy(*FOUR, "strike orc-1 by bo", style="sides")
    assert still_to_act(fight.encounter) == ("ada", "bo")
    fight.do("next")
    assert (fight.turn, still_to_act(fight.encounter)) == ("ada", ("ada",))


def test_the_end_of_a_side_ends_the_turn_of_each_member_once_in_line_order():
    fight = toy("add ada", "add bo", "add ada as Cid", "add orc", "start", "next by bo", style="sides")
    before = counts(fight, "turn_end")
    event = fight.do("next side")
    assert fight.encounter.progress.side == "foes"
    after = counts(fight, "turn_end")
    assert {who for who in after if after[who] > before[who]} == {"ada", "cid"}
    assert [change.who for change in event.changes if change.field == "done"] == ["ada", "cid"]
    fight.do("undo")
    assert fight.encounter.progress.side == "players"


def test_a_side_cannot_end_its_turn_where_single_combatants_take_turns():
    fight = toy(*FOUR, style="manual")
    with pytest.raises(Refused, match="sides do not take turns in this fight; end a single turn with next"):
        fight.do("next side")


def test_the_end_of_a_side_is_named_when_it_is_undone():
    fight = squad("next side")
    assert fight.text("undo") == "Undone: the end of the side's turn."


def test_a_late_arrival_has_a_turn_before_the_side_is_over():
    fight = squad("overwatch", "overwatch by tamsin", "overwatch by mara", "add okado as Nia")
    fight.do("next")
    assert fight.turn == "nia"


@pytest.mark.parametrize("game", GAMES)
@examples(5)
@given(seed=st.integers(0, 2**32))
def test_next_never_passes_over_a_member_that_can_act_and_has_not_had_its_turn(game, seed):
    random = Random(seed)
    fight = Fight(
        game, "add okado", "add tamsin", "add guard x3", "start", style="sides", seed=random.random()
    )
    for _ in range(20):
        before = fight.encounter
        line = "next" if random.random() < 0.5 else line_for(fight, random)
        try:
            event = fight.do(line)
        except (Refused, Wrong, Misread):
            continue
        if event.typed != "next" or before.progress.interrupted:
            continue
        turn, side = before.progress.turn, fight.encounter.progress.side
        others = [who for who in still_to_act(before) if who != turn]
        if others:
            assert (side, fight.encounter.progress.round) == (before.progress.side, before.progress.round)
            assert fight.turn in others
        there = fight.plain
        fight.do("back")
        fight.do("next")
        assert fight.plain == there
        fight.do("undo 2")
        assert fight.plain == there == fight.folded()


def test_a_combatant_under_no_rule_of_actions_left_is_not_passed_over():
    fight = squad()
    fight.encounter = evolve(fight.encounter, game=evolve(fight.game, spent=None))
    fight.do("attack guard-1")
    assert still_to_act(fight.encounter) == ("okado", "tamsin", "mara")
