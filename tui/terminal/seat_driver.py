"""The terminal driver of a seat. If a player's line is slow, it gets the newest picture instead of a backlog.

Output that cannot be written at once is not queued. Whole frames are dropped, and the screen is repainted
when the terminal accepts more.
"""

import asyncio
import os
import select
from collections.abc import Callable
from contextlib import suppress
from typing import IO

from tui.terminal.driver import QuickDriver

_SHORT = 128  # characters of a sequence that is not a frame, such as the window's title
_MOST = 1024 * 1024  # bytes of a frame being sent, and of the short sequences after it
_FRAME_BEGINS, _FRAME_ENDS = "\x1b[?2026h", "\x1b[?2026l"
_SOON = 0.002  # seconds that a short sequence waits for its frame
_LAST_WORDS = 0.5  # seconds that a terminal has to accept the sequences that restore it


class DroppingWriter:
    """Replaces Textual's writer thread. Calls `drained` when dropped frames have to be repainted.

    A frame is written whole, with its end and the short sequences before it: each write costs the seat, the
    server and the client.
    """

    def __init__(self, file: IO[str]) -> None:
        self._file = file
        self._gathered: list[str] = []
        self._in_frame = False
        self._soon: asyncio.TimerHandle | None = None
        self._left = b""
        self._dropped = False
        self._leaving = False
        self._event_loop: asyncio.AbstractEventLoop | None = None
        self.drained: Callable[[], object] = lambda: None

    def start(self) -> None:
        """Start writing, from the running event loop."""
        self._event_loop = asyncio.get_running_loop()
        os.set_blocking(self.fileno(), False)

    def write(self, text: str) -> None:
        """Write a text with its frame, or drop it while an earlier frame is still being sent."""
        self._gathered.append(text)
        if text in (_FRAME_BEGINS, _FRAME_ENDS):
            self._in_frame = text == _FRAME_BEGINS
        elif len(text) <= _SHORT and not self._in_frame:
            if self._soon is None and self._event_loop is not None:
                self._soon = self._event_loop.call_later(_SOON, self._send)
            return
        if not self._in_frame:
            self._send()

    def _send(self) -> None:
        """Send what was gathered. Only short sequences may follow output that is still being sent."""
        if self._soon is not None:
            self._soon.cancel()
            self._soon = None
        texts, self._gathered = self._gathered, []
        if self._left:
            kept = [text for text in texts if len(text) <= _SHORT]
            self._dropped = self._dropped or len(kept) < len(texts) or len(self._left) >= _MOST
            texts = kept if len(self._left) < _MOST else []
        is_first = not self._left
        self._left += "".join(texts).encode("utf-8", "replace")
        if is_first:
            self._push()
            if self._left and self._event_loop is not None:
                self._event_loop.add_writer(self.fileno(), self._go_on)

    def _push(self) -> None:
        with suppress(BlockingIOError):
            while self._left:
                self._left = self._left[os.write(self.fileno(), self._left) :]

    def _go_on(self) -> None:
        try:
            self._push()
        except OSError:
            # The terminal is gone.
            self._left = b""
        if self._left or self._event_loop is None:
            return
        self._event_loop.remove_writer(self.fileno())
        if self._dropped and not self._leaving:
            self._dropped = False
            self.drained()

    def stop(self) -> None:
        """Write the rest, as far as the terminal accepts it soon."""
        self._leaving = True
        self._send()
        if self._event_loop is not None:
            with suppress(ValueError, OSError):
                self._event_loop.remove_writer(self.fileno())
        with suppress(OSError):
            while self._left and select.select([], [self.fileno()], [], _LAST_WORDS)[1]:
                self._push()
        os.set_blocking(self.fileno(), True)

    # Methods that Textual requires of a file.

    def isatty(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._file.fileno()

    def flush(self) -> None:
        """Do nothing; this writer has no buffer to flush."""


class SeatDriver(QuickDriver):
    """The driver of a seat's screen."""

    WRITER = DroppingWriter

    def start_application_mode(self) -> None:
        super().start_application_mode()
        writer: object = self._writer_thread
        if isinstance(writer, DroppingWriter):
            writer.drained = lambda: self._app.refresh(layout=True)
