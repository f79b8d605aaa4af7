"""How far long work has come, on one line of a terminal; nothing where nobody looks on."""

import sys
from threading import Timer
from time import monotonic

_OFTEN = 0.1  # seconds between two lines
_SOON = 0.5  # work that is done before that needs no line


class Progress:
    """Tells on standard error how many of how many are done."""

    def __init__(self, what: str) -> None:
        self._what, self._next = what, monotonic() + _SOON
        self._told = False

    def __call__(self, done: int, of: int) -> None:
        """Tell how many of how many are done, not too often."""
        now = monotonic()
        if now >= self._next and sys.stderr.isatty():
            self._next, self._told = now + _OFTEN, True
            sys.stderr.write(f"\r{self._what} {done:,} of {of:,} …")
            sys.stderr.flush()

    def end(self) -> None:
        """Take the line away."""
        if self._told:
            sys.stderr.write(f"\r{' ' * (len(self._what) + 30)}\r")
            sys.stderr.flush()

    def __enter__(self) -> "Progress":
        return self

    def __exit__(self, *raised: object) -> None:
        self.end()


class Waiting:
    """Says what is waited for while a block of work that counts nothing takes long."""

    def __init__(self, what: str) -> None:
        self._line = f"{what} …"
        self._told = False
        self._timer = Timer(_SOON, self._tell)
        self._timer.daemon = True

    def __enter__(self) -> None:
        if sys.stderr.isatty():
            self._timer.start()

    def __exit__(self, *raised: object) -> None:
        self._timer.cancel()
        if self._told:
            sys.stderr.write(f"\r{' ' * len(self._line)}\r")
            sys.stderr.flush()

    def _tell(self) -> None:
        self._told = True
        sys.stderr.write(f"\r{self._line}")
        sys.stderr.flush()
