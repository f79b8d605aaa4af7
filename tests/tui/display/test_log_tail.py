"""The last lines of the log: always the newest at the end, and seldom moved."""

from hypothesis import given
from hypothesis import strategies as st

from systems.visibility.parts import LogLine
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
def test_the_newest_line_is_always_in_sight_and_nothing_stands_beside_it(texts, cells, height) -> None:
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
