"""The rows of the log: whole sentences, and what stands out in them."""

from hypothesis import given
from hypothesis import strategies as st

from tests.tui.table import at_the_gate
from tui.display.log import LogEntry, entries_of, names_of
from tui.display.log_marks import Marker, marked_lines, marker_of
from tui.display.log_rows import log_row, rows_of
from tui.display.text import width, wrapped


def told(*commands: str) -> tuple[LogEntry, Marker]:
    """The last event of a fight, and what is marked in its log."""
    here = at_the_gate(*commands)
    return entries_of(here.log)[-1], marker_of(here.game, names_of(here.encounter))


def rows(entry: LogEntry, marker: Marker, cells: int) -> list:
    return [log_row(row, False, cells, marker) for row in rows_of(entry, cells)]


def test_an_event_is_wrapped_and_never_cut() -> None:
    entry, marker = told("attack guard-1 dice=15")
    for cells in (40, 59, 79, 139):
        found = rows(entry, marker, cells)
        assert all(width(row) <= cells for row in found)
        said = " ".join("".join(text for text, _ in row).split("  (")[0].strip() for row in found)
        assert entry.text in " ".join(said.split())


def test_who_acts_is_bold_and_what_came_of_it_is_coloured() -> None:
    entry, marker = told("attack guard-1 dice=15", "attack guard-1 dice=15")
    pieces = [piece for row in rows(entry, marker, 200) for piece in row]
    assert ("Okado", "strong") in pieces
    assert ("4 → −37", "warning") in pieces
    assert ("dead", "danger strong") in pieces


def test_turns_are_dimmed_and_what_was_undone_is_struck_through_and_dimmed() -> None:
    entry, marker = told("next")
    assert {tone for text, tone in rows(entry, marker, 200)[0] if text.strip()} == {"muted"}
    here = at_the_gate("attack guard-1 dice=15", "undo")
    undone = entries_of(here.log)[-2]
    [row] = rows(undone, marker, 200)
    assert row[1][1] == "muted struck"
    assert "undone" not in "".join(text for text, _ in row)


WORDS = st.lists(st.text("abö→−.", min_size=1, max_size=12), min_size=1, max_size=12)


@given(WORDS, st.integers(14, 60), st.data())
def test_what_stands_out_changes_no_letter_of_a_line(
    words: list[str], cells: int, data: st.DataObject
) -> None:
    text = " ".join(words)
    lines = wrapped(text, cells, "  ")
    ends = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=6, unique=True)))
    spans = [(first, last, "strong") for first, last in zip(ends[::2], ends[1::2], strict=False)]
    marked = marked_lines(lines, 2, spans, "")
    assert ["".join(part for part, _ in row) for row in marked] == lines
