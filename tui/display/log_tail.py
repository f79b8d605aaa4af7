"""The newest lines of the log, the last one at the bottom."""

from collections.abc import Sequence
from itertools import takewhile

from systems.encounter.history import History
from systems.visibility.view import LogLine
from tui.display.log import round_of
from tui.display.text import Row, printable, wrapped


def tail_rows(lines: Sequence[LogLine], cells: int, height: int) -> list[Row]:
    """Return as many of the last lines as there is room for; what was undone is struck through."""
    rows: list[Row] = []
    for line in reversed(lines):
        if len(rows) >= height:
            break
        rows = [*_line_rows(line, cells, not rows), *rows]
    return rows[-height:] if height > 0 else []


def newest_lines(log: History, most: int) -> list[LogLine]:
    """Return the last events of the table's log, at most `most`, the oldest first."""
    newest = log.events[-most:] if most > 0 else []
    standing = numbers_standing(log, newest[0]["n"]) if newest else set()
    return [
        LogLine(
            round_of(event),
            printable(str(event.get("text", ""))),
            event["n"] not in standing and event.get("kind") not in ("undo", "redo"),
        )
        for event in newest
    ]


def numbers_standing(log: History, first: int) -> set[int]:
    """Return the numbers from `first` on of the events that stand."""
    return {event["n"] for event in takewhile(lambda event: event["n"] >= first, log.newest())}


def _line_rows(line: LogLine, cells: int, is_newest: bool) -> list[Row]:
    head = f" R{line.round} " if line.round else " – "
    tone = "struck muted" if line.undone else "strong" if is_newest else ""
    parts = wrapped(line.text, max(8, cells - len(head) - 1), "")
    return [[(head if at == 0 else " " * len(head), "muted"), (part, tone)] for at, part in enumerate(parts)]
