"""The log as a seat reads it."""

from hypothesis import given
from hypothesis import strategies as st

from systems.visibility.parts import LogLine
from tui.seats.log_reading import SeatLog

NEWEST = 200


def line(number: int, words: str = "") -> LogLine:
    return LogLine(1, f"line {number}. {words}".strip())


def shown(log: SeatLog, cells: int = 60, height: int = 12) -> list[str]:
    return ["".join(text for text, _ in row) for row in log.rows(cells, height)]


def numbers(rows: list[str]) -> list[int]:
    return [int(row.split("line ")[1].split(".")[0]) for row in rows if "line " in row]


def test_lines_stay_where_they_are_as_others_come_until_there_is_no_room() -> None:
    lines = [line(number) for number in range(300)]
    log, moves = SeatLog(), 0
    for end in range(1, 300):
        before = shown(log)
        log.follow(lines[max(0, end - NEWEST) : end], end > NEWEST)
        after = shown(log)
        assert numbers(after)[-1] == end - 1
        moves += before != after[: len(before)]
    assert moves <= 300 // 3 + 1


@given(st.lists(st.integers(0, 40), min_size=1, max_size=60), st.integers(30, 80), st.integers(3, 20))
def test_paging_back_shows_every_line(lengths: list[int], cells: int, height: int) -> None:
    lines = [line(number, "word " * length) for number, length in enumerate(lengths)]
    log = SeatLog()
    for end in range(1, len(lines) + 1):
        log.follow(lines[:end], False)
    met = set(numbers(shown(log, cells, height)))
    for _ in lines:
        log.scroll(1, cells, height)
        met |= set(numbers(shown(log, cells, height)))
    tall = {
        number for number, length in enumerate(lengths) if len(shown_alone(lines[number], cells)) > height
    }
    assert met >= set(range(len(lines))) - tall


def shown_alone(of: LogLine, cells: int) -> list[str]:
    log = SeatLog()
    log.follow([of], False)
    return shown(log, cells, 99)


def test_older_lines_put_in_front_move_nothing() -> None:
    log = SeatLog()
    log.follow([line(number) for number in range(100, 103)], True)
    before = shown(log)
    log.take_older([line(number) for number in range(93, 100)])
    assert numbers(shown(log))[-3:] == numbers(before)
    log.follow([line(number) for number in range(100, 104)], True)
    assert numbers(shown(log))[-1] == 103
