"""The terminal's driver of a seat: a player's line that does not read gets the newest picture afterwards.

What cannot be written at once is not queued: whole frames are dropped, and once the terminal takes more
the screen is painted anew.
"""

import asyncio
import os
import select
from collections.abc import Callable
from contextlib import suppress
from typing import IO

from tui.terminal.driver import QuickDriver

_SHORT = 128  # characters of a sequence that is no frame, such as the window's title
_MOST = 1024 * 1024  # bytes of a frame on its way, and of the short sequences behind it
_FRAME_BEGINS, _FRAME_ENDS = "\x1b[?2026h", "\x1b[?2026l"
_SOON = 0.002  # seconds that a short sequence waits for the frame that it belongs to
_LAST_WORDS = 0.5  # seconds that a terminal has to take what restores it


class DroppingWriter:
    """Stands where Textual has a thread that writes. `drained` is called when dropped frames are missed.

    A frame goes out whole, with what ends it and the short sequences before it: each write costs the seat,
    the server and the client.
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
        """Write from now on, from the running event loop."""
        self._event_loop = asyncio.get_running_loop()
        os.set_blocking(self.fileno(), False)

    def write(self, text: str) -> None:
        """Write a text with the frame that it belongs to, or drop it while an earlier one is not out."""
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
        """Send what was gathered. Behind what is still on its way only short sequences go."""
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
        """Write what is left, as far as the terminal accepts it soon."""
        self._leaving = True
        self._send()
        if self._event_loop is not None:
            with suppress(ValueError, OSError):
                self._event_loop.remove_writer(self.fileno())
        with suppress(OSError):
            while self._left and select.select([], [self.fileno()], [], _LAST_WORDS)[1]:
                self._push()
        os.set_blocking(self.fileno(), True)

    # What Textual asks of a file

    def isatty(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._file.fileno()

    def flush(self) -> None:
        """Do nothing: nothing waits to be flushed."""


class SeatDriver(QuickDriver):
    """The driver of a seat's screen."""

    WRITER = DroppingWriter

    def start_application_mode(self) -> None:
        super().start_application_mode()
        writer: object = self._writer_thread
        if isinstance(writer, DroppingWriter):
            writer.drained = lambda: self._app.refresh(layout=True)
