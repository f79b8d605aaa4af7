"""Show the progress of long work on one line of a terminal; show nothing if standard error is no terminal."""

import sys
from threading import Timer
from time import monotonic

_OFTEN = 0.1  # seconds between two updates
_SOON = 0.5  # seconds; shorter work shows no line


class ProgressLine:
    """A progress line on standard error: how many of how many items are done."""

    def __init__(self, what: str) -> None:
        self._what, self._next = what, monotonic() + _SOON
        self._told = False

    def __call__(self, done: int, of: int) -> None:
        """Show how many items are done, at most a few times a second."""
        now = monotonic()
        if now >= self._next and sys.stderr.isatty():
            self._next, self._told = now + _OFTEN, True
            sys.stderr.write(f"\r{self._what} {done:,} of {of:,} …")
            sys.stderr.flush()

    def end(self) -> None:
        """Erase the line."""
        if self._told:
            sys.stderr.write(f"\r{' ' * (len(self._what) + 30)}\r")
            sys.stderr.flush()

    def __enter__(self) -> "ProgressLine":
        return self

    def __exit__(self, *raised: object) -> None:
        self.end()


class Waiting:
    """A line that names the work in progress when it takes long and has no items to count."""

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
