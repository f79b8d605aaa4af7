"""The newest lines of the log, the last one at the bottom."""

from collections.abc import Sequence
from functools import lru_cache

import attrs

from systems.contract.ruleset import Ruleset
from systems.encounter.events import Event, lines_of, round_of
from systems.encounter.history import History
from systems.visibility.line_marks import is_quiet, line_marks
from systems.visibility.parts import LogLine, LogText
from tui.display.log_marks import arithmetic_rows, marked_rows
from tui.display.text import Row, printable

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


class NewestLines:
    """The newest lines of the table's log; the words of an event are made once while it is shown."""

    def __init__(self) -> None:
        self._told: dict[int, tuple[Event, Ruleset, LogText, tuple[LogText, ...]]] = {}
        # How many events there are before those of the lines returned last.
        self.before = 0

    def of(self, log: History, most: int, game: Ruleset) -> list[LogLine]:
        """Return the last events in at most `most` lines, the oldest first. `game`: its statuses.

        An undo after an undo, or a redo after a redo, is one line with it.
        """
        newest = _newest(log, most) if most > 0 else []
        self.before = newest[0].n - 1 if newest else 0
        standing = log.standing_since(newest[0].n) if newest else set()
        told, self._told = self._told, {}
        found = []
        for event in newest:
            number = event.n
            known = told.get(number)
            # The event for a run of undos is made for each call, so the stored event is compared.
            stored = log.as_amended[number - 1]
            if known is None or known[0] is not stored or known[1] is not game:
                known = (stored, game, *_texts_of(event, game))
            self._told[number] = known
            undone = number not in standing and event.kind not in ("undo", "redo")
            _, _, first, below = known
            found.append(
                LogLine(
                    round_of(event), first.text, undone, below, first.marks, is_quiet(event), first.arithmetic
                )
            )
        return found


def _newest(log: History, most: int) -> Sequence[Event]:
    """Return the last events that have a line, at most `most`."""
    events = log.as_amended
    newest = events[-most:]
    if not any(event.kind in ("undo", "redo") for event in newest):
        return newest
    # Only now, for the first picture rarely needs them.
    from systems.encounter.step_runs import continues, in_one_line

    first, window = len(events) - len(newest), most
    while True:
        found: list[Event] = []
        for event in in_one_line(events, first):
            if found and continues(event, found[-1]):
                found.pop()
            found.append(event)
        if len(found) >= most or not first:
            return found[-most:]
        window *= 2
        first = max(0, len(events) - window)


def _texts_of(event: Event, game: Ruleset) -> tuple[LogText, tuple[LogText, ...]]:
    """Return the first line of an event, and those below it."""
    found: list[LogText] = []
    for line in lines_of(event):
        text = line.text.changed(printable)
        found.append(LogText(str(text), line_marks(text, game), printable(line.arithmetic)))
    return found[0], tuple(found[1:])


def _without_arithmetic(line: LogLine) -> LogLine:
    """Return a line without the arithmetic, for the top of a log that has no room for all of it."""
    below = tuple(attrs.evolve(text, arithmetic="") for text in line.below)
    return attrs.evolve(line, arithmetic="", below=below)


@lru_cache(maxsize=256)
def _line_rows(line: LogLine, cells: int, is_newest: bool) -> Sequence[Row]:
    head = f" R{line.round} " if line.round else " – "
    tone = "struck muted" if line.undone else "strong" if is_newest else "muted" if line.quiet else ""
    room = max(8, cells - len(head) - 1)
    dimmed = "struck muted" if line.undone else "muted"
    rows = marked_rows(line.text, () if line.undone else line.marks, room, tone=tone)
    rows += arithmetic_rows(line.arithmetic, room, dimmed)
    for text in line.below:
        marks = () if line.undone else text.marks
        below = marked_rows(text.text, marks, room - len(_BULLET), tone=tone)
        below += arithmetic_rows(text.arithmetic, room - len(_BULLET), dimmed)
        rows += [[(" " * len(_BULLET) if at else _BULLET, tone), *row] for at, row in enumerate(below)]
    return [[(head if at == 0 else " " * len(head), "muted"), *row] for at, row in enumerate(rows)]
