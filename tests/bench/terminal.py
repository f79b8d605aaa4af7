"""Run a program on its own pseudo-terminal, and time its output."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
from collections.abc import Mapping, Sequence
from time import perf_counter

from systems.frozen import frozen

SIZE = (40, 120)
# Longer than any frame that follows a key, but shorter than a user's patience.
QUIET = 0.09
PATIENCE = 60.0
FRAME = b"\x1b[?2026h"
_QUESTION, _ANSWER = b"\x1b[?2026$p", b"\x1b[?2026;2$y"
_ESCAPES = re.compile(rb"\x1b(\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(\x07|\x1b\\)|[@-Z\\-_])")


@frozen
class Painted:
    """The output after a key: milliseconds to the first and the last byte, number of bytes and of frames."""

    first: float
    last: float
    size: int
    frames: int


class Terminal:
    """A started program. `begun`: the time of its start."""

    def __init__(self, words: Sequence[str], environment: Mapping[str, str]) -> None:
        self.begun = perf_counter()
        self.pid, self.end = pty.fork()
        if self.pid == 0:
            os.execve(words[0], list(words), dict(environment))
        fcntl.ioctl(self.end, termios.TIOCSWINSZ, struct.pack("HHHH", *SIZE, 0, 0))
        self.output = bytearray()
        self.over = False

    def read(self, patience: float) -> bytes:
        """Return the output that arrives within that time; empty if none does or the program has ended."""
        if self.over or not select.select([self.end], [], [], patience)[0]:
            return b""
        try:
            data = os.read(self.end, 1 << 16)
        except OSError:
            data = b""
        self.over = not data
        if _QUESTION in data:
            os.write(self.end, _ANSWER)
        self.output += data
        return data

    def until(self, *texts: str) -> float:
        """Return the milliseconds from the start until all the texts have been painted."""
        wanted = [text.encode() for text in texts]
        while True:
            if not self.read(PATIENCE):
                raise RuntimeError(f"{texts} never came: {bytes(self.output[-400:])!r}")
            seen = _ESCAPES.sub(b"", bytes(self.output))
            if all(text in seen for text in wanted):
                return 1000 * (perf_counter() - self.begun)

    def settle(self) -> None:
        """Wait until nothing more is painted."""
        while self.read(4 * QUIET):
            pass

    def press(self, keys: str) -> Painted:
        """Write keys and watch until the screen has settled."""
        begin = perf_counter()
        os.write(self.end, keys.encode())
        first = last = 0.0
        painted = bytearray()
        while data := self.read(PATIENCE if not painted else QUIET):
            last = 1000 * (perf_counter() - begin)
            first = first or last
            painted += data
        return Painted(first, last, len(painted), painted.count(FRAME))

    def leave(self) -> float:
        """Return the milliseconds from Ctrl+Q until the process has ended."""
        begin = perf_counter()
        os.write(self.end, b"\x11")
        while not self.over:
            self.read(PATIENCE)
        os.waitpid(self.pid, 0)
        took = 1000 * (perf_counter() - begin)
        os.close(self.end)
        return took

    def kill(self) -> None:
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.end)
