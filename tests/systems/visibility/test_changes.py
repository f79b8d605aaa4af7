"""What of a view is sent to a seat that has the one before."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from systems.codec.plain import BadPlainData
from systems.visibility.build import view
from systems.visibility.changes import to_changes, with_changes
from systems.visibility.parts import LogLine
from systems.visibility.view import View
from systems.visibility.viewer import GAME_MASTER, PUBLIC, Shown, Viewer
from tests.systems.fight import GAMES, Fight

OKADO = Viewer(frozenset({"okado"}))
LINES = (
    "start",
    "next",
    "damage guard-1 3",
    "condition okado marked for 2 rounds",
    "next",
    "add guard x2",
    "undo",
    "remove guard-2",
    "note it rains for all",
    "next",
    "back",
    "end",
)
TEXTS = st.lists(st.sampled_from("abcde"), max_size=8)


def seen(fight: Fight, viewer: Viewer = OKADO) -> View:
    return view(fight.encounter, fight.log, viewer, Shown())


def sent(before: View, after: View) -> dict[str, object]:
    return json.loads(json.dumps(to_changes(before, after)))


@pytest.mark.parametrize("viewer", [OKADO, PUBLIC, GAME_MASTER])
@pytest.mark.parametrize("game", GAMES)
def test_changes_turn_the_earlier_view_into_the_later_one(game, viewer):
    fight = Fight(game, "add okado", "add guard x3")
    before = seen(fight, viewer)
    for line in LINES:
        fight.do(line)
        after = seen(fight, viewer)
        assert with_changes(before, sent(before, after)) == after
        before = after
    assert with_changes(View(), sent(View(), before)) == before
    assert sent(before, before) == {}


def test_what_stays_is_the_same_object_and_is_not_sent():
    fight = Fight("atlantis", "add okado", "add guard x3", "start", "note it rains for all")
    before = seen(fight)
    fight.do("damage guard-2 3")
    changes = sent(before, seen(fight))
    after = with_changes(before, changes)
    assert set(changes) <= {"log", "rows"}
    assert changes["log"] == [
        [0, len(before.log)],
        {"round": 1, "text": "Guard 2 is harmed: hurt.", "result": True},
    ]
    assert [row.name for row in after.rows if not any(row is old for old in before.rows)] in ([], ["Guard 2"])
    assert after.own is before.own


@given(TEXTS, TEXTS)
def test_a_list_after_any_other_is_made_of_what_stays_and_what_is_new(before, after):
    old, new = (View(log=tuple(LogLine(1, text) for text in texts)) for texts in (before, after))
    changes = sent(old, new)
    assert with_changes(old, changes) == new
    told = [part for part in changes.get("log", ()) if isinstance(part, dict)]
    assert {line["text"] for line in told} == (set(after) - set(before) if changes else set())


def test_a_log_that_moves_up_is_sent_as_its_last_line():
    lines = tuple(LogLine(1, f"line {number}") for number in range(201))
    old, new = View(log=lines[:200], older=True), View(log=lines[1:], older=True)
    assert sent(old, new) == {"log": [[1, 200], {"round": 1, "text": "line 200"}]}


@pytest.mark.parametrize(
    "wrong",
    [
        [],
        {"x": 1},
        {"round": "2"},
        {"log": 7},
        {"log": [[0, 3]]},
        {"log": [[1, 1]]},
        {"log": [[-1, 1]]},
        {"log": ["a"]},
        {"log": [{"round": 1}]},
    ],
)
def test_what_are_no_changes_is_refused(wrong):
    with pytest.raises(BadPlainData):
        with_changes(View(log=(LogLine(1, "a"), LogLine(1, "b"))), wrong)
