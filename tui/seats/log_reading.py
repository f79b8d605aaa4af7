"""Scrolling in the log of a seat's screen. Older lines are fetched from the server in advance."""

from collections.abc import Callable, Sequence

from systems.codec.plain import BadPlainData, from_plain
from systems.visibility.parts import LogLine
from tui.display.seat_log import SeatLog
from tui.display.text import Row
from tui.seats.wire_lists import Run, Wire


class LogReading:
    """The reading position in the log of one seat.

    `came` is called when older lines arrive, `unanswered` when the server does not answer.
    """

    def __init__(
        self, wire: Wire | None, run: Run, came: Callable[[], None], unanswered: Callable[[], None]
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
            found = await wire.ask("older", skip=known)
        except TimeoutError:
            self._unanswered()
            return
        finally:
            self._fetches = False
        if not isinstance(found, list) or len(self.log.lines) != known:
            return
        try:
            self.log.take_older([from_plain(LogLine, line) for line in found])
        except BadPlainData:
            return
        self._came()
