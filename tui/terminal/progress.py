"""How far long work has come, on one line of a terminal; nothing where nobody looks on."""

import sys
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
