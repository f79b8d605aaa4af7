"""The page of a guest who has knocked. The server paints it, so that no program runs for a guest."""

import textwrap
from collections.abc import Callable

from tui.campaign.seats import Seat
from tui.seats.joining import Knock
from tui.seats.ssh_session import SeatSession
from tui.terminal.restore import GIVES_BACK, TAKES

WAITING = "You have knocked. Wait for the game master to let you in, or press Ctrl+Q to leave."
YOUR_KEY = "Your key, as the game master sees it:"
_CLEAR = b"\x1b[2J\x1b[H"
_LEAVES = b"\x11\x03"  # Ctrl+Q, and Ctrl+C as almost everywhere


class WaitingPage:
    """Waits on a session until the guest is admitted, is turned away, or leaves.

    `sit` is called with the seat that the game master chose, `left` once when the guest no longer waits.
    """

    def __init__(
        self, session: SeatSession, sit: Callable[[Seat], None], left: Callable[[Knock], None]
    ) -> None:
        self._session, self._sit, self._left = session, sit, left
        self._knock: Knock | None = None

    def open(self, knock: Knock) -> None:
        """Show the page, and repaint it after each resize."""
        self._knock = knock
        self._session.on_typed = self._typed
        self._session.on_resized = lambda columns, rows: self._paint(columns)
        self._session.write(TAKES)
        self._paint(self._session.size[0])

    def let_in(self, seat: Seat) -> None:
        """Restore the terminal and open the seat."""
        self._give_back()
        self._sit(seat)

    def goodbye(self, sentence: str) -> None:
        """Restore the terminal and end the session with a sentence."""
        self._give_back()
        if sentence:
            self._session.say(sentence)
        self._session.end()

    def close(self) -> None:
        """Remove the guest's knock."""
        if self._knock is not None:
            knock, self._knock = self._knock, None
            self._left(knock)

    def _typed(self, data: bytes) -> bool:
        if any(key in data for key in _LEAVES):
            self.goodbye("")
        return True

    def _paint(self, columns: int) -> None:
        mark = self._knock.fingerprint if self._knock is not None else ""
        texts = (WAITING, "", YOUR_KEY, mark) if mark else (WAITING,)
        lines = [line for text in texts for line in textwrap.wrap(text, columns) or [""]]
        self._session.write(_CLEAR + "\r\n".join(lines).encode())

    def _give_back(self) -> None:
        self.close()
        self._session.on_typed = lambda data: True
        self._session.on_resized = lambda columns, rows: None
        self._session.write(GIVES_BACK)
