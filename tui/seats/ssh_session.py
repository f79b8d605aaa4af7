"""One screen or command on an SSH connection: its requests, its input and its output."""

import asyncio
import re
from collections.abc import Callable
from typing import Any, Protocol

import asyncssh

from systems.text import clean
from tui.seats import bounds
from tui.seats.bounds import SeatPace
from tui.seats.paste import PasteGuard

_TERM = re.compile(r"[A-Za-z0-9+._-]{1,40}")


class SessionPlace(Protocol):
    """The server's side of one session of a client that has logged in."""

    def run(self, session: "SeatSession") -> None: ...

    def execute(self, session: "SeatSession", command: str) -> bool: ...

    def left(self, session: "SeatSession") -> None: ...


class SeatSession(asyncssh.SSHServerSession[bytes]):
    """One screen or one command on a connection."""

    def __init__(self, place: SessionPlace, note_sent: Callable[[int], None]) -> None:
        self.place, self._note_sent = place, note_sent
        self.term = ""
        self.size = (80, 24)
        self.has_terminal = False
        self._channel: asyncssh.SSHServerChannel[bytes] | None = None
        self._left = False
        self._told = self.size
        self._resizing: asyncio.TimerHandle | None = None
        self.on_typed: Callable[[bytes], bool] = lambda data: True
        self.on_large_paste: Callable[[int], None] = lambda size: None
        self._pastes = PasteGuard()
        self.on_resized: Callable[[int, int], None] = lambda columns, rows: None
        self.on_full: Callable[[bool], None] = lambda full: None
        # All screens of a seat share one pace, however often they are opened.
        self.pace = SeatPace(asyncio.get_running_loop().time())
        self._connection_is_full = self._window_is_full = self._is_deaf = False

    def connection_made(self, chan: Any) -> None:
        self._channel = chan

    def connection_lost(self, exc: Exception | None) -> None:
        self.lost()

    def lost(self) -> None:
        """Clean up after the client has disconnected."""
        self._channel = None
        if self._resizing is not None:
            self._resizing.cancel()
        if not self._left:
            self._left = True
            self.place.left(self)

    def pty_requested(self, term_type: str, term_size: Any, term_modes: Any) -> bool:
        self.term = term_type if _TERM.fullmatch(term_type) else "xterm"
        self.size = self._told = bounds.terminal_size(term_size[0], term_size[1])
        self.has_terminal = True
        return True

    def shell_requested(self) -> bool:
        return self.has_terminal

    def exec_requested(self, command: str) -> bool:
        return self.place.execute(self, command)

    def subsystem_requested(self, subsystem: str) -> bool:
        return False

    def session_started(self) -> None:
        self.place.run(self)

    def terminal_size_changed(self, width: int, height: int, pixwidth: int, pixheight: int) -> None:
        self.size = bounds.terminal_size(width, height)
        if self._resizing is None:
            self._resize()

    def _resize(self) -> None:
        """Report the newest size. Each size costs a full repaint, so the next one waits a moment."""
        loop = asyncio.get_running_loop()
        wait = 0.0
        if self.size != self._told:
            if self.pace.sizes.try_take(1, loop.time()):
                self._told = self.size
                self.on_resized(*self.size)
                wait = bounds.RESIZED
            else:
                wait = self.pace.sizes.wait(1, loop.time())
        self._resizing = loop.call_later(wait, self._resized) if wait else None

    def _resized(self) -> None:
        self._resizing = None
        self._resize()

    def data_received(self, data: bytes, datatype: Any) -> None:
        loop = asyncio.get_running_loop()
        data, refused = self._pastes.take(data)
        if refused:
            self.on_large_paste(refused)
        wait = self.pace.typed.take(len(data), loop.time())
        if not self.on_typed(data):
            wait = max(wait, 0.1)
        if wait > 0 and self._channel is not None:
            self._channel.pause_reading()
            loop.call_later(wait, self._read_on)

    def _read_on(self) -> None:
        if self._channel is not None:
            self._channel.resume_reading()

    def eof_received(self) -> bool:
        return True

    def break_received(self, msec: int) -> bool:
        return False

    def signal_received(self, signal: str) -> None:
        pass

    def pause_writing(self) -> None:
        self._window_is_full = True
        self._tell_full()

    def resume_writing(self) -> None:
        self._window_is_full = False
        self._tell_full()

    def set_full(self, full: bool) -> None:
        """Note whether the connection's own buffer is full."""
        self._connection_is_full = full
        self._tell_full()

    def set_deaf(self, deaf: bool) -> None:
        """Note whether too much was sent without an answer from the client."""
        self._is_deaf = deaf
        self._tell_full()

    def _tell_full(self) -> None:
        self.on_full(self._connection_is_full or self._window_is_full or self._is_deaf)

    # Output of the server

    def begin(self) -> None:
        """Limit the buffer for a client that does not read."""
        if self._channel is not None:
            self._channel.set_write_buffer_limits(high=bounds.UNSENT, low=bounds.UNSENT // 4)

    def write(self, data: bytes) -> None:
        """Send bytes to the client."""
        if self._channel is not None and not self._channel.is_closing():
            self._channel.write(data)
            self._note_sent(len(data))

    def say(self, sentence: str) -> None:
        """Send one line."""
        self.write(f"{clean(sentence, 4_000)}\r\n".encode())

    def end(self, status: int = 0) -> None:
        """End the session and its connection."""
        channel = self._channel
        if channel is not None and not channel.is_closing():
            channel.exit(status)
