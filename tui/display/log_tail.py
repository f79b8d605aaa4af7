"""The newest lines of the log, the last one at the bottom."""

from collections.abc import Sequence
from functools import lru_cache

from systems.frozen import evolve
from systems.visibility.parts import LogLine
from tui.display.log_marks import line_rows
from tui.display.text import Row

_BULLET = "· "  # before what came to each of several


def tail_rows(lines: Sequence[LogLine], cells: int, height: int, rule_at: int = -1) -> list[Row]:
    """Return as many of the last lines as there is room for; undone lines are struck through.

    `rule_at`: the index of the first line that came while the reader was away, or -1.
    """
    rows: list[Row] = []
    for at in range(len(lines) - 1, -1, -1):
        if len(rows) >= height:
            break
        part = _line_rows(lines[at], cells, at == len(lines) - 1)
        if len(rows) + len(part) > height:
            part = _line_rows(_without_arithmetic(lines[at]), cells, at == len(lines) - 1)
        rows = [*part, *rows]
        if at == rule_at:
            words = f" ── since you left: {len(lines) - at} "
            rows = [[(words + "─" * max(0, cells - len(words) - 1), "accent")], *rows]
    return rows[-height:] if height > 0 else []


def still_tail_rows(lines: Sequence[LogLine], before: int, cells: int, height: int) -> list[Row]:
    """Return the last lines so that they seldom move: new ones are added below until there is no room.

    Then several of the oldest go at once, a quarter of the height or fewer, so that never half of the
    height is empty. `before`: how many events lie before these lines, on which it hangs where the first
    one stands.
    """
    parts = [_line_rows(line, cells, at == len(lines) - 1) for at, line in enumerate(lines)]
    first = _first_of_still(parts, before, height)
    return [row for part in parts[first:] for row in part] or tail_rows(lines, cells, height)


def still_lines(lines: Sequence[LogLine], before: int, cells: int, height: int) -> int:
    """Return how many of the last lines `still_tail_rows` shows as a whole."""
    parts = [_line_rows(line, cells, False) for line in lines]
    first = _first_of_still(parts, before, height)
    return len(lines) - first if first < len(lines) else lines_that_fit(lines, cells, height)


def _first_of_still(parts: Sequence[Sequence[Row]], before: int, height: int) -> int:
    """Return the index of the first line shown.

    Returns the number of lines if the ones that fit whole would leave half of the height empty.
    """
    step = max(1, height // 4)
    while step:
        left = sum(map(len, parts))
        for at, part in enumerate(parts):
            if left <= height and (before + at) % step == 0:
                if at == 0 or 2 * left >= height:
                    return at
                break
            left -= len(part)
        step //= 2
    return len(parts)


def lines_that_fit(lines: Sequence[LogLine], cells: int, height: int) -> int:
    """Return how many of the last lines are in sight as a whole."""
    used = count = 0
    for line in reversed(lines):
        used += len(_line_rows(line, cells, False))
        if used > height:
            break
        count += 1
    return count


def _without_arithmetic(line: LogLine) -> LogLine:
    """Return a line without the arithmetic, for the top of a log that has no room for all of it."""
    below = tuple(evolve(text, arithmetic="") for text in line.below)
    return evolve(line, arithmetic="", below=below)


@lru_cache(maxsize=256)
def _line_rows(line: LogLine, cells: int, is_newest: bool) -> Sequence[Row]:
    head = f" R{line.round} " if line.round else " – "
    tone = "strong" if is_newest else "muted" if line.quiet else ""
    rows = line_rows(line, max(8, cells - len(head) - 1), tone, bullet=_BULLET)
    return [[(head if at == 0 else " " * len(head), "muted"), *row] for at, row in enumerate(rows)]
