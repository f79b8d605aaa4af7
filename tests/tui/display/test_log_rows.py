"""The rows of the log: whole sentences, and what stands out in them."""

from hypothesis import given
from hypothesis import strategies as st

from systems import load
from systems.contract.marked_text import MarkedText
from systems.frozen import evolve
from systems.visibility.log_entries import LogEntry, entries_of
from tests.tui.table import at_the_gate
from tui.display.details import DetailLine
from tui.display.log_marks import marked_rows
from tui.display.log_rows import _text_rows, log_row, rows_behind, rows_of
from tui.display.text import Row, width, wrapped


def told(*commands: str) -> LogEntry:
    """The last event of a fight."""
    return entries_of(at_the_gate(*commands).log)[-1]


def rows(entry: LogEntry, cells: int) -> list[Row]:
    return [log_row(row, False, cells, load("atlantis")) for row in rows_of(entry, cells)]


def test_an_event_is_wrapped_and_never_cut() -> None:
    entry = told("attack guard-1 dice=15")
    for cells in (40, 59, 79, 139):
        found = rows(entry, cells)
        assert all(width(row) <= cells for row in found)
        said = " ".join("".join(text for text, _ in row).replace("12:00", "").strip() for row in found)
        assert entry.text in " ".join(said.split())


def test_the_actor_is_bold_and_the_result_is_coloured() -> None:
    entry = told("attack guard-1 dice=15", "attack guard-1 dice=15")
    pieces = [piece for row in rows(entry, 200) for piece in row]
    assert ("Okado", "strong") in pieces
    assert ("4 → −37", "warning") in pieces
    assert ("dead", "danger strong") in pieces


def test_the_arithmetic_is_dimmed_below_what_happened_and_every_row_is_counted() -> None:
    for line in ("attack guard-1 dice=15", "attack guard-1,guard-2 dice=15,15"):
        entry = told(line)
        for cells in (40, 79, 139):
            found = rows(entry, cells)
            assert len(found) == len(_text_rows(entry, cells, load("atlantis")))
            starts = [row for row in found if any(" against 36" in text for text, _ in row)]
            assert len(starts) == line.count("15")
            assert all(tone == "muted" for row in starts for text, tone in row if text.strip())


def test_turns_are_dimmed_and_undone_lines_are_struck_through_and_dimmed() -> None:
    entry = told("next")
    assert {tone for text, tone in rows(entry, 200)[0] if text.strip()} == {"muted"}
    here = at_the_gate("attack guard-1 dice=15", "undo")
    undone = entries_of(here.log)[-2]
    found = rows(undone, 200)
    assert [tone for row in found for text, tone in row if text.strip(" :0123456789")] == ["muted struck"] * 2
    assert "undone" not in "".join(text for row in found for text, _ in row)


def test_each_line_of_an_event_with_several_targets_has_its_colours() -> None:
    entry = told("damage guard-1,guard-2 50")
    found = rows(entry, 60)
    for name in ("Guard 1", "Guard 2"):
        [row] = [row for row in found if name in "".join(text for text, _ in row)]
        assert ("45 → −5", "warning") in row
    assert sum(piece == ("unconscious", "danger strong") for row in found for piece in row) == 2


def test_an_event_from_before_marks_has_no_colours_and_neither_has_a_note_that_looks_like_them() -> None:
    entry = told("attack guard-1 dice=15")
    unmarked = [evolve(held, text=MarkedText(str(held.text))) for held in entry.event.sentences]
    event = evolve(entry.event, sentences=tuple(unmarked))
    for plain in (evolve(entry, event=event), told("note Okado: life 45 → 4, dead")):
        assert {tone for row in rows(plain, 200) for _, tone in row} == {"", "muted"}


WORDS = st.lists(st.text("abö→−.", min_size=1, max_size=30), min_size=1, max_size=12)


@given(WORDS, st.integers(14, 60), st.sampled_from((0, 2)), st.data())
def test_emphasis_changes_no_letter_of_a_line_and_covers_whole_words(
    words: list[str], cells: int, indent: int, data: st.DataObject
) -> None:
    text = " ".join(words)
    ends = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=6, unique=True)))
    marks = [(first, last, "actor") for first, last in zip(ends[::2], ends[1::2], strict=False)]
    found = marked_rows(text, marks, cells, indent)
    assert ["".join(part for part, _ in row) for row in found] == wrapped(text, cells, " " * indent)
    bold = "".join(part for row in found for part, tone in row if tone == "strong")
    assert bold.replace(" ", "") == "".join(text[first:last] for first, last, _ in marks).replace(" ", "")


def test_the_note_on_a_term_continues_below_it_and_is_never_cut() -> None:
    game, entry = load("atlantis"), told("attack guard-1 dice=15")
    for cells in (59, 79, 139):
        behind = [row for row in rows_behind(entry, {}, game, cells) if isinstance(row, DetailLine)]
        assert all(width(log_row(row, False, cells, game)) <= cells for row in behind)
        assert "at most 4 a blow, 6 of 10 left in it" in " ".join(row.note for row in behind)
