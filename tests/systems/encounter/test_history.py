"""Undo, redo, and the step back, which keeps later changes."""

import marshal
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from systems.codec.events import read_event
from systems.commands.step_back import restored
from systems.encounter.events import Event
from systems.encounter.history import Events, HistoryState, extended, history
from systems.encounter.step_runs import in_one_line
from systems.errors import Refused, Wrong
from systems.frozen import asdict, evolve
from tests.systems.fight import Fight
from tests.systems.toy import counts, toy

FOUR = ("add ada", "add bo", "add orc x2", "start")


# Undo and redo


def test_undo_and_redo_name_the_commands():
    fight = toy(*FOUR, "damage orc-1 3", "note hello")
    assert fight.text("undo 2") == 'Undone: the note "hello"; 3 damage to Orc 1.'
    assert fight.text("redo") == "Redone: 3 damage to Orc 1."
    assert fight.sheet("orc-1").hp == 7


def test_undo_and_redo_of_many_steps_are_one_sentence():
    fight = toy(*FOUR, *(f"damage orc-1 {number}" for number in range(1, 10)), "next")
    undone = fight.do("undo 10")
    assert undone.text == "Undone: 10 commands, from the end of Ada's turn back to 1 damage to Orc 1."
    assert len(undone.sentences) == 1
    assert undone.titles == ("the end of Ada's turn", "1 damage to Orc 1")
    assert fight.text("redo") == "Redone: 1 damage to Orc 1."
    assert fight.text("redo 9") == "Redone: 9 commands, from 2 damage to Orc 1 to the end of Ada's turn."
    assert fight.text("undo 3") == "Undone: the end of Ada's turn; 9 damage to Orc 1; 8 damage to Orc 1."


def test_several_undos_in_a_row_read_as_one_line():
    fight = toy(*FOUR, *(f"damage orc-1 {number}" for number in range(1, 8)), *["undo"] * 5)
    told = [event.text for event in in_one_line(fight.log.events)]
    assert told[-5] == "Undone: 7 damage to Orc 1."
    assert told[-3] == "Undone: 7 damage to Orc 1; 6 damage to Orc 1; 5 damage to Orc 1."
    assert told[-1] == "Undone: 5 commands, from 7 damage to Orc 1 back to 3 damage to Orc 1."
    for known in range(len(fight.log.events)):
        assert [event.text for event in in_one_line(fight.log.events, known)] == told[known:]
    fight.do("redo")
    fight.do("redo 2")
    last = list(in_one_line(fight.log.events))[-1]
    assert last.text == "Redone: 3 damage to Orc 1; 4 damage to Orc 1; 5 damage to Orc 1."
    assert [event.text for event in in_one_line(fight.log.events)][:-2] == told


def test_undos_without_titles_in_the_log_stay_separate_lines():
    fight = toy(*FOUR, "damage orc-1 1", "damage orc-1 2", "undo", "undo")
    older = [evolve(event, titles=()) for event in fight.log.events]
    assert list(in_one_line(older)) == older


def test_a_new_command_leaves_nothing_to_redo():
    fight = toy(*FOUR, "damage orc-1 3", "undo", "note other")
    with pytest.raises(Refused, match="nothing to redo"):
        fight.do("redo")


def test_undoing_too_many_commands_is_refused_and_changes_nothing():
    fight = toy("add ada", "add bo")
    with pytest.raises(Refused, match="only 2 can be undone"):
        fight.do("undo 3")
    assert len(fight.log.events) == 2


def test_undo_takes_no_dice():
    fight = toy("add ada")
    with pytest.raises(Refused, match="undo takes no dice"):
        fight.do("undo dice=3")


# Batches


def _in_batch(*lines, seats=()):
    """Return a fight with these lines as one batch, and the events of seats among them."""
    fight = toy(*FOUR, "note before")
    first = len(fight.log.events) + 1
    for line in lines:
        who = "ada" if line in seats else "gm"
        fight.keep(evolve(fight.done(line), who=who, batch=0 if who == "ada" else first))
    return fight


def test_undo_takes_a_whole_batch_back_and_leaves_what_a_seat_did_in_between():
    seats = ("note mine", "damage orc-1 1")
    fight = _in_batch("damage bo 2", "note mine", "damage bo 3", "damage orc-1 1", "next", seats=seats)
    before, bo = fight.plain, fight.sheet("bo").hp
    undone = fight.do("undo")
    assert (undone.refs, undone.batch) == ((10, 8, 6), 6)
    assert fight.sheet("bo").hp == bo + 5
    assert fight.sheet("orc-1").hp == 9
    assert fight.log.standing == (1, 2, 3, 4, 5, 7, 9)
    assert fight.folded() == fight.plain
    assert history(fight.log.events).standing == fight.log.standing
    redone = fight.do("redo")
    assert redone.refs == (6, 8, 10)
    assert fight.plain == before
    assert fight.log.standing == tuple(range(1, 11))
    assert history(fight.log.events, fight.log.known).standing == fight.log.standing
    fight.do("undo")
    # What the seats did comes next, one by one, and comes back in the same order.
    fight.do("undo 2")
    assert fight.sheet("orc-1").hp == 10
    fight.do("redo 2")
    fight.do("redo")
    assert fight.plain == before


def test_a_batch_that_a_seat_depends_on_is_refused_in_one_sentence():
    fight = _in_batch("damage bo 2", "heal bo 1", "damage bo 3", seats=("heal bo 1",))
    before = fight.plain
    why = r"event 7 of ada depends on these 3 commands; undo 3 undoes them all"
    with pytest.raises(Refused, match=why):
        fight.do("undo")
    assert fight.plain == before
    fight.do("undo 3")
    assert fight.log.standing == (1, 2, 3, 4, 5)


def test_undo_of_a_batch_takes_along_what_the_table_did_because_of_it():
    fight = _in_batch("damage bo 2", "damage bo 3")
    last = fight.log.events[-1].n
    fight.keep(fight.done("heal bo 1"))
    fight.keep(evolve(fight.done("damage bo 1"), batch=6))
    fight.do("undo")
    assert fight.log.standing == (1, 2, 3, 4, 5)
    fight.do("redo")
    assert fight.log.standing[-1] == last + 2


def test_an_event_inside_a_batch_can_be_amended_and_stays_in_it():
    fight = _in_batch("damage bo 2", "damage bo 3")
    bo = fight.sheet("bo").hp
    fight.do("amend 6 damage bo 1")
    assert fight.sheet("bo").hp == bo + 1
    assert fight.log.events[-1].replaced[0].batch == 6
    fight.do("undo")
    fight.do("undo")
    assert fight.sheet("bo").hp == bo + 5


def test_a_history_is_unchanged_when_two_logs_continue_it():
    fight = toy("add ada", "add bo")
    log = fight.log
    one = extended(log, Event(n=3, text="one"))
    other = extended(log, Event(n=3, text="other"))
    assert [each.events[-1].text for each in (one, other)] == ["one", "other"]
    assert len(log.events) == 2
    assert [event.n for event in one.events[1:]] == [2, 3]
    assert one.standing == (1, 2, 3)


@pytest.mark.parametrize(
    "events",
    [
        [{"n": 2, "kind": "command"}],
        [{"n": 1, "kind": "command"}, {"n": 2, "kind": "undo", "refs": [7]}],
        [{"n": 1, "kind": "redo", "refs": [1]}],
        [{"n": 1, "kind": "command"}, {"n": 2, "kind": "command"}, {"n": 3, "kind": "undo", "refs": [1]}],
    ],
)
def test_a_log_with_wrong_numbers_gets_one_error_sentence(events):
    with pytest.raises(Wrong, match=r"event|n: expected 1, got 2"):
        history([read_event(event) for event in events])


@pytest.mark.parametrize(
    "changes",
    [
        [{"who": "ada", "field": "sheet.hp.deep", "after": 3}],
        [{"who": "nobody", "field": "sheet.hp", "after": 3}],
        [{"who": "ada", "field": "sheet.hp", "after": "many"}],
        [{"field": "order", "after": ["ada", "ada"]}],
        [{"field": "turn", "after": "nobody"}],
        [{"who": "ada"}],
        ["what"],
        7,
    ],
)
def test_events_that_do_not_fit_the_fight_get_one_error_sentence(changes):
    fight = toy("add ada")
    with pytest.raises(Wrong):
        fight.folded([*fight.log.events, read_event({"n": 2, "kind": "command", "changes": changes})])


LINES = st.lists(st.sampled_from(("note a", "undo", "undo 2", "redo", "redo 3", "damage orc-1 1", "next")))


@given(lines=LINES, data=st.data())
def test_a_history_resumed_from_a_summary_is_the_same(lines, data):
    fight = toy(*FOUR)
    for line in lines:
        with suppress(Refused):
            fight.do(line)
    events = list(fight.log.events)
    known = history(events[: data.draw(st.integers(0, len(events)))]).known
    found = history(events, HistoryState(**marshal.loads(marshal.dumps(asdict(known)))))
    for one in (found, history(events)):
        assert (one.standing, one.undone) == (fight.log.standing, fight.log.undone)
        assert list(one.newest()) == list(fight.log.newest())
        heights = [pile.height if pile else 0 for pile in (one.stands, one.gone)]
        assert heights == [len(one.standing), len(one.undone)]


@given(past=st.integers(0, 5), since=st.integers(0, 5), part=st.slices(12), place=st.integers(-12, 12))
def test_events_behave_like_a_sequence_in_any_storage(past, since, part, place):
    events = [{"n": number} for number in range(1, past + since + 1)]
    found = Events(tuple(events[:past]), events[past:])
    assert (len(found), list(found), list(reversed(found))) == (len(events), events, events[::-1])
    assert list(found[part]) == events[part]
    assert list(found[part][::-1]) == events[part][::-1]
    assert list(found[1:][part]) == events[1:][part]
    if -len(events) <= place < len(events):
        assert found[place] is events[place]
    else:
        with pytest.raises(IndexError):
            found[place]


# The step back


def test_back_keeps_changes_made_since_the_turn_passed():
    fight = toy(*FOUR, "next", "damage orc-1 3", "condition bo dazed", "add orc")
    assert fight.text("back") == "Back: it is Ada's turn again, round 1."
    assert fight.turn == "ada"
    assert fight.sheet("orc-1").hp == 7
    assert fight.conditions("bo") == ["dazed"]
    assert "orc-5" in fight.encounter.combatants
    assert counts(fight, "turn_end")["ada"] == 0
    fight.do("next")
    assert counts(fight, "turn_start")["bo"] == 1


def test_back_restores_a_number_and_keeps_later_additions():
    fight = toy(*FOUR, "condition bo bleeding", "next dice=4", "heal bo 2", "back")
    assert fight.sheet("bo").hp == 12


def test_back_restores_an_ended_condition_and_keeps_a_newer_one():
    fight = toy(*FOUR, "condition orc-1 dazed until start of bo", "condition orc-1 weak", "next")
    fight.do("condition orc-1 slow")
    fight.do("clear orc-1 weak")
    fight.do("back")
    assert fight.conditions("orc-1") == ["dazed", "slow"]


def test_back_over_a_round_removes_arrivals_even_if_some_have_left():
    fight = toy("add ada", "add orc x2 in round 2", "start", "next")
    assert fight.encounter.progress.order == ("ada", "orc_h1", "orc_h2")
    fight.do("remove orc_h1")
    fight.do("back")
    assert fight.encounter.progress.order == ("ada",)
    assert fight.round == 1
    fight.do("next")
    assert fight.encounter.progress.order == ("ada", "orc_h2")


def test_back_undoes_a_delay_that_passed_the_turn_on():
    fight = toy(*FOUR, "next", "delay", "back")
    assert fight.turn == "bo"
    assert fight.encounter.progress.order == ("ada", "bo", "orc-1", "orc-2")
    fight.do("back")
    assert fight.turn == "ada"


def test_back_finds_the_turn_after_a_removal_moved_it():
    fight = toy(*FOUR, "next", "remove bo", "back")
    assert (fight.turn, fight.round) == ("ada", 1)
    fight.do("next")
    assert fight.turn == "orc-1"


def test_back_is_refused_if_the_previous_combatant_has_left():
    fight = toy(*FOUR, "next", "remove ada")
    with pytest.raises(Refused, match="has left the fight"):
        fight.do("back")


def test_back_goes_on_turn_by_turn_to_the_first():
    fight = toy(*FOUR, *["next"] * 5)
    seen = []
    for _ in range(5):
        fight.do("back")
        seen.append((fight.round, fight.turn))
    assert seen == [(2, "ada"), (1, "orc-2"), (1, "orc-1"), (1, "bo"), (1, "ada")]
    with pytest.raises(Refused, match="first turn"):
        fight.do("back")


def test_back_is_refused_after_the_end():
    with pytest.raises(Refused, match="over"):
        toy(*FOUR, "next", "end", "back")


def test_offers_come_back_with_their_turn():
    fight = toy(*FOUR, "strike orc-1 dice=1", "next")
    assert not fight.encounter.offers
    fight.do("back")
    assert [one.by for one in fight.encounter.offers] == ["orc-1"]


# The merge that the step back uses


PLAIN = st.recursive(
    st.integers(-9, 9) | st.booleans() | st.text("ab", max_size=2),
    lambda inner: (
        st.dictionaries(st.sampled_from("abc"), inner, max_size=3)
        | st.lists(st.sampled_from("abcd"), unique=True)
    ),
    max_leaves=5,
)


@given(left=PLAIN, earlier=PLAIN)
def test_values_without_later_changes_are_restored(left, earlier):
    assert restored(left, left, earlier) == earlier


@given(now=PLAIN, same=PLAIN)
def test_values_that_the_step_did_not_change_stay(now, same):
    assert restored(now, same, same) == now


@pytest.mark.parametrize(
    ("now", "left", "earlier", "found"),
    [
        (12, 8, 10, 14),
        (["a", "c", "d"], ["a", "b", "c"], ["a", "b"], ["a", "d"]),
        (["a", "c"], ["a", "c"], ["a", "b", "c"], ["a", "b", "c"]),
        (["c", "a", "x"], ["a", "c"], ["a", "b", "c"], ["c", "a", "b", "x"]),
        ({"a": 1, "b": 5}, {"a": 1}, {"a": 2}, {"a": 2, "b": 5}),
        (None, [{"name": "a"}], [{"name": "b"}], [{"name": "b"}]),
        ("new", "left", "earlier", "new"),
    ],
)
def test_three_values_merge_into_one(now, left, earlier, found):
    assert restored(now, left, earlier) == found


def test_the_cost_of_a_command_does_not_grow_with_the_log():
    fight = Fight("atlantis", "add okado")
    for _ in range(50):
        fight.do("note x")
    before = fight.log
    fight.do("note y")
    assert fight.log.events._since is before.events._since
    assert fight.log.stands.below is before.stands.below
