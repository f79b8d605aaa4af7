"""The last lines of the log: always the newest at the end, and seldom moved."""

import json

from hypothesis import given
from hypothesis import strategies as st

from systems.encounter.history import history
from systems.visibility.build import view
from systems.visibility.log_view import LogReader
from systems.visibility.parts import LogLine, LogText
from systems.visibility.viewer import Shown, Viewer
from tests.tui.table import at_the_gate
from tui.display.export import export
from tui.display.log_tail import still_tail_rows, tail_rows
from tui.display.text import Row

LINES = st.lists(st.text("abc ", min_size=1, max_size=90), min_size=1, max_size=60)


def lines_of(texts: list[str]) -> list[LogLine]:
    return [LogLine(1, f"{number} {text}") for number, text in enumerate(texts)]


def shown(lines: list[LogLine], cells: int, height: int) -> list[Row]:
    """The tail as the screen makes it: of as many of the newest lines as there are rows."""
    newest = lines[-height:]
    return still_tail_rows(newest, len(lines) - len(newest), cells, height)


@given(LINES, st.integers(30, 100), st.integers(3, 20))
def test_the_newest_line_is_always_visible_on_its_own_row(texts, cells, height) -> None:
    lines = lines_of(texts)
    rows = shown(lines, cells, height)
    assert len(rows) <= height
    plain = tail_rows(lines[-height:], cells, height)
    assert list(rows) == plain[len(plain) - len(rows) :]


def test_lines_stay_where_they_are_until_there_is_no_room() -> None:
    lines = lines_of(["x"] * 60)
    moves = 0
    for count in range(13, 60):
        before, after = (shown(lines[:end], 80, 12) for end in (count, count + 1))
        # The newest line is bold, so the last row of before looks another way.
        moves += before[: len(before) - 1] != after[: len(before) - 1]
    assert moves <= 47 // 3 + 1


@given(st.lists(st.integers(1, 9), min_size=1, max_size=40), st.integers(3, 20))
def test_half_of_the_room_is_never_empty_while_there_are_older_lines(sizes, height) -> None:
    lines = [LogLine(1, f"x{at}", below=(LogText("hit"),) * (size - 1)) for at, size in enumerate(sizes)]
    for count in range(1, len(lines) + 1):
        rows = shown(lines[:count], 80, height)
        assert 2 * len(rows) >= min(height, 2 * sum(sizes[:count]))


def test_a_sweep_stays_while_there_is_room_for_what_comes_after_it() -> None:
    sweep = LogLine(1, "sweep", below=(LogText("hit"),) * 5)
    for earlier in range(20):
        lines = [*lines_of(["x"] * earlier), sweep, *lines_of(["after"] * 4)]
        for after in range(1, 5):
            rows = shown(lines[: earlier + 1 + after], 80, 10)
            assert any("sweep" in text for row in rows for text, _ in row), (earlier, after)


def test_the_tail_has_the_colours_of_the_log_and_a_seat_those_of_what_it_reads() -> None:
    here = at_the_gate("attack guard-1 dice=15", "attack guard-1 dice=15", "damage okado 5", "next")
    expected = {
        ("Okado", "strong"),
        ("4 → −37", "warning"),
        ("dead", "danger strong"),
        ("52 → 47", "warning"),
    }
    table = LogReader().lines(here.encounter, here.log, 20)
    assert expected <= {piece for row in tail_rows(table, 200, 20) for piece in row}
    okado = view(here.encounter, here.log, Viewer(frozenset({"okado"})), Shown())
    seen = {piece for row in tail_rows(okado.log, 200, 20) for piece in row}
    assert {("Okado", "strong"), ("52 → 47", "warning")} <= seen
    assert ("dead", "danger strong") not in seen


def test_the_arithmetic_is_dimmed_on_a_line_of_its_own_below_what_happened() -> None:
    here = at_the_gate("attack guard-1 dice=15", "note rain")
    lines = LogReader().lines(here.encounter, here.log, 20)
    *_, happened, arithmetic, _ = tail_rows(lines, 79, 20)
    assert "".join(text for text, _ in happened) == " R1 Okado hits Guard 1 for 41 (life 45 → 4), hurt −10."
    assert arithmetic == [("    ", "muted"), ("68 against 36, success 32, 45 damage, armour 4.", "muted")]
    okado = view(here.encounter, here.log, Viewer(frozenset({"okado"})), Shown(foes="figures"))
    assert arithmetic in tail_rows(okado.log, 79, 20)


def test_a_line_at_the_top_without_room_for_both_shows_what_happened() -> None:
    here = at_the_gate("attack guard-1 dice=15", "note rain")
    lines = LogReader().lines(here.encounter, here.log, 20)
    [happened, note] = tail_rows(lines, 79, 2)
    assert "hits Guard 1" in "".join(text for text, _ in happened)
    assert "rain" in "".join(text for text, _ in note)
    [newest] = tail_rows(lines[:-1], 79, 1)
    assert "hits Guard 1" in "".join(text for text, _ in newest)


def test_lines_for_several_targets_are_coloured_below_and_undone_ones_are_plain() -> None:
    here = at_the_gate("damage guard-1,guard-2 50", "note rain", "undo 2")
    for log, coloured in ((history(here.log.events[:-1]), True), (here.log, False)):
        rows = tail_rows(LogReader().lines(here.encounter, log, 20), 60, 20)
        assert (("45 → −5", "warning") in [piece for row in rows for piece in row]) is coloured
        assert sum("· " in text for row in rows for text, _ in row) == 2


def test_the_newest_line_is_bold_as_a_whole() -> None:
    here = at_the_gate("damage okado 5")
    *_, newest = tail_rows(LogReader().lines(here.encounter, here.log, 20), 200, 20)
    assert ("52 → 47", "warning strong") in newest
    assert all("strong" in tone for text, tone in newest[1:])


def test_a_change_of_turn_is_dimmed_once_something_came_after_it():
    lines = [LogLine(1, "Okado's turn.", quiet=True), LogLine(1, "Okado hits Guard 1.")]
    tones = [tone for row in tail_rows(lines, 80, 5) for text, tone in row if "Okado" in text]
    assert tones == ["muted", "strong"]
    assert tail_rows(lines[:1], 80, 5)[0][-1][1] == "strong"


def test_undos_in_a_row_take_one_line_and_leave_the_room_to_the_fight() -> None:
    lines = [f"damage guard-1 {number}" for number in range(1, 11)]
    here = at_the_gate(*lines, *["undo"] * 9)
    newest = LogReader()
    shown = newest.lines(here.encounter, here.log, 5)
    assert [line.text for line in shown][-1].startswith("Undone: 9 commands, from 10 damage to Guard 1 back")
    assert [line.undone for line in shown] == [True, True, True, True, False]
    assert len(shown) == 5
    before = newest.before
    here.do("undo")
    again = newest.lines(here.encounter, here.log, 5)
    assert [line.text for line in again][:-1] == [line.text for line in shown][:-1]
    assert newest.before == before
    here.do("next")
    assert newest.lines(here.encounter, here.log, 2)[0].text.startswith("Undone: 10 commands")


def test_an_export_has_one_line_for_undos_in_a_row() -> None:
    here = at_the_gate("damage guard-1 3", "damage guard-1 4", "undo", "undo", "redo")
    written = export(here.log, here.encounter, "", "md")
    assert written.count("- Undone:") == 1
    assert "- Undone: 4 damage to Guard 1; 3 damage to Guard 1." in written
    assert "- Redone: 3 damage to Guard 1." in written
    stored = [json.loads(line) for line in export(here.log, here.encounter, "", "jsonl").splitlines()]
    assert [event["text"] for event in stored[-3:-1]] == [
        "Undone: 4 damage to Guard 1.",
        "Undone: 3 damage to Guard 1.",
    ]
