"""The log at a seat: its lines, the scroll position, and older lines fetched from the server in advance."""

from collections.abc import Callable, Sequence

from systems.visibility.parts import LogLine
from tui.display.log_tail import lines_that_fit, still_lines, still_tail_rows, tail_rows
from tui.display.text import Row
from tui.seats.seat_messages import OlderAsked
from tui.seats.wire_lists import RunTask, Wire


class SeatLog:
    """Lines of the log, oldest first.

    `back`: the number of newest lines below the visible ones. `missed`: the number of newest lines that
    arrived while the player was away. `more`: whether older lines exist.
    """

    def __init__(self) -> None:
        self.lines: tuple[LogLine, ...] = ()
        self.back = self.missed = 0
        self.more = False
        # The number of the first line. Older lines have smaller numbers.
        self._first = 0

    def follow(self, newest: Sequence[LogLine], more: bool) -> None:
        """Use the newest lines of a view. The visible lines stay in place while scrolled back."""
        newest = tuple(newest)
        if newest == self.lines[-len(newest) :]:
            self.more = more if len(newest) == len(self.lines) else self.more
            return
        came = lines_come(self.lines, newest)
        if came is None:
            self.lines, self.back, self.more = newest, 0, more
        else:
            kept = len(newest) - came
            older = self.lines[: len(self.lines) - kept]
            self.more = self.more if older else more
            self.lines = (*older, *newest)
            if self.back:
                self.back += came
            if self.missed:
                self.missed += came

    def take_older(self, older: Sequence[LogLine]) -> None:
        """Put older lines in front. An empty list means that there are no more."""
        self.lines = (*older, *self.lines)
        self._first -= len(older)
        self.more = bool(older)

    def scroll(self, pages: int, cells: int, height: int) -> bool:
        """Scroll back by pages, or forward if negative. Return whether older lines are needed."""
        shown = self.lines[: len(self.lines) - self.back]
        if self._is_still:
            fit = still_lines(self._newest(height), self._number(height), cells, height)
        else:
            fit = lines_that_fit(shown, cells, height)
        page = max(1, fit - 1)
        # Without further lines, the oldest line is the top row.
        top = lines_that_fit(self.lines[:height][::-1], cells, height)
        self.back = max(0, min(len(self.lines) - top, self.back + pages * page))
        return self.more and pages > 0 and len(self.lines) - self.back <= 2 * page

    def to_newest(self) -> None:
        """Scroll to the newest line."""
        self.back = 0

    @property
    def _is_still(self) -> bool:
        """Return whether the newest lines are visible without a rule, so that lines stay in place."""
        return not self.back and not self.missed

    def _newest(self, height: int) -> Sequence[LogLine]:
        return self.lines[-height:] if height > 0 else ()

    def _number(self, height: int) -> int:
        """Return the number of the first of the newest lines."""
        return self._first + len(self.lines) - len(self._newest(height))

    def rows(self, cells: int, height: int) -> list[Row]:
        """Return the visible rows, with a rule above the lines that arrived while the player was away."""
        if self._is_still:
            return still_tail_rows(self._newest(height), self._number(height), cells, height)
        end = len(self.lines) - self.back
        rule = len(self.lines) - self.missed if self.missed else -1
        return tail_rows(self.lines[:end], cells, height, rule)


def lines_come(before: Sequence[LogLine], after: Sequence[LogLine]) -> int | None:
    """Return the number of new lines at the end of `after`, or None if the lists don't overlap.

    A line that was undone in between counts as the same line.
    """
    old = [(line.round, line.whole) for line in before[-len(after) :]]
    new = [(line.round, line.whole) for line in after]
    for came in range(len(new) + 1):
        kept = len(new) - came
        if kept <= len(old) and old[len(old) - kept :] == new[:kept]:
            return came if kept else None
    return None


class LogReading:
    """The reading position in the log of one seat.

    `came` is called when older lines arrive, `unanswered` when the server does not answer.
    """

    def __init__(
        self, wire: Wire | None, run: RunTask, came: Callable[[], None], unanswered: Callable[[], None]
    ) -> None:
        self._wire, self._run, self._came, self._unanswered = wire, run, came, unanswered
        self.log = SeatLog()
        self._fetches = False

    def scroll(self, pages: int, width: int, height: int) -> None:
        """Scroll back by pages, or forward if negative."""
        if self.log.scroll(pages, width, height) and not self._fetches and self._wire is not None:
            self._fetches = True
            self._run(self._fetch_older(self._wire))

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """Return the visible lines."""
        return self.log.rows(width, height)

    async def _fetch_older(self, wire: Wire) -> None:
        """Fetch the lines before the oldest known one."""
        known = len(self.log.lines)
        try:
            found = await wire.ask(OlderAsked(skip=known), tuple[LogLine, ...])
        except TimeoutError:
            self._unanswered()
            return
        finally:
            self._fetches = False
        if found is None or len(self.log.lines) != known:
            return
        self.log.take_older(found)
        self._came()
