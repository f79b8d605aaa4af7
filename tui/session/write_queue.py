"""Save events in the background: a thread writes them in order while play goes on.

A slow disk keeps no key waiting. If a disk refuses, the thread tries again with every new event and at
growing intervals. Until it succeeds, the events stay in memory and `Saved` says so.
"""

from collections import deque
from collections.abc import Callable
from datetime import datetime
from threading import Condition, Thread
from time import monotonic
from typing import Protocol

from systems.encounter.events import Event
from systems.frozen import frozen
from systems.text import clean
from tui.campaign.problems import NotSaved

MOST = 10_000  # events that may wait; a fight has hundreds
AT_ONCE = 256
GRACE = 0.004
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 30.0


class Writer(Protocol):
    """Writes events to the disk. `append` returns once they are on the disk, or raises NotSaved."""

    def append(self, *events: Event) -> None: ...


@frozen
class Saved:
    """The events that are not on the disk: `waiting` is their number, `since` the time of the first one.

    `why`: what the disk reported when it refused, else "".
    """

    waiting: int = 0
    since: str = ""
    why: str = ""

    @property
    def words(self) -> str:
        """Return the words for the header, or "" if everything is saved."""
        count = f"{self.waiting} event{'s' if self.waiting != 1 else ''}"
        if self.why:
            return f"unsaved since {self.since}, {self.why} ({count})"
        if self.waiting > 1:
            return f"saving {count}"
        return "saving" if self.waiting else ""

    @property
    def brief(self) -> str:
        """Return shorter words for a narrow header."""
        count = f"{self.waiting} event{'s' if self.waiting != 1 else ''}"
        return f"unsaved since {self.since} ({count})" if self.why else self.words


def clock_time() -> str:
    """Return the time of day, such as 20:14."""
    return datetime.now().astimezone().strftime("%H:%M")


class WriteQueue:
    """Saves events in its own thread. `append` returns at once, and `saved` says how far it is.

    `changed` is called from that thread when `saved` changes after `append` has returned.
    """

    def __init__(
        self,
        writer: Writer,
        changed: Callable[[], None] = lambda: None,
        *,
        now: Callable[[], str] = clock_time,
        grace: float = GRACE,
        pause: float = FIRST_PAUSE,
    ) -> None:
        self._writer, self._changed, self._now, self._grace = writer, changed, now, grace
        self._first_pause = self._pause = pause
        self._waiting: deque[Event] = deque()
        self._since = self._why = ""
        self._tries = 0
        self._hurry = self._closed = self._seen = False
        self._moved = Condition()
        self._thread: Thread | None = None

    @property
    def saved(self) -> Saved:
        """Return how many events wait, and why."""
        with self._moved:
            self._seen = bool(self._waiting)
            return Saved(len(self._waiting), self._since, self._why)

    def append(self, *events: Event) -> None:
        """Queue events. Raises NotSaved, and queues none, if too many wait or the queue is closed.

        It first waits a few milliseconds for a fast disk, so that the header is not painted twice.
        """
        if not events:
            return
        with self._moved:
            if self._closed:
                raise NotSaved("the campaign is closed")
            if len(self._waiting) + len(events) > MOST:
                why = self._why or "the disk does not answer"
                raise NotSaved(f"{len(self._waiting)} events are unsaved, and no more are accepted: {why}")
            fast = not self._waiting
            self._since = self._since or self._now()
            self._waiting.extend(events)
            self._hurry = True
            if self._thread is None:
                # A fight that is only watched needs no thread.
                self._thread = Thread(target=self._run, name="saving", daemon=True)
                self._thread.start()
            self._moved.notify_all()
            if fast:
                tries = self._tries
                self._moved.wait_for(lambda: not self._waiting or self._tries != tries, self._grace)
            self._seen = bool(self._waiting)

    def retry(self) -> None:
        """Try to save now, without waiting for the end of the pause."""
        with self._moved:
            self._hurry = True
            self._moved.notify_all()

    def drain(self, seconds: float) -> bool:
        """Wait until everything is saved, at most for that many seconds; return whether it is.

        Events that the disk refuses are tried once more, then no longer waited for.
        """
        until = monotonic() + seconds
        with self._moved:
            tries = self._tries
            self._hurry = True
            self._moved.notify_all()
            refused = False
            while self._waiting and not refused and (left := until - monotonic()) > 0:
                self._moved.wait(left)
                refused = self._tries > tries and bool(self._why)
            return not self._waiting

    def close(self, seconds: float = 0.0) -> tuple[Event, ...]:
        """Drain the queue and stop it; return the events that were not saved."""
        self.drain(seconds)
        with self._moved:
            self._closed = True
            self._moved.notify_all()
            return tuple(self._waiting)

    def _run(self) -> None:
        while batch := self._next():
            self._try(batch)

    def _next(self) -> list[Event]:
        """Wait until there is something to write, and return it; [] once this is closed."""
        with self._moved:
            if self._why:
                self._moved.wait_for(lambda: self._closed or self._hurry, self._pause)
            self._moved.wait_for(lambda: self._closed or bool(self._waiting))
            self._hurry = False
            return (
                []
                if self._closed
                else [event for event, _ in zip(self._waiting, range(AT_ONCE), strict=False)]
            )

    def _try(self, batch: list[Event]) -> None:
        why = ""
        try:
            self._writer.append(*batch)
        except NotSaved as error:
            why = error.why
            _log(error)
        except Exception as error:  # noqa: BLE001 - on any error the thread must live on and the table must know
            why = clean(f"unexpected {type(error).__name__}: {error}", 200)
            _log(error)
        with self._moved:
            self._tries += 1
            if why:
                self._pause = longer(self._pause) if self._why else self._first_pause
            else:
                for _ in batch:
                    self._waiting.popleft()
                self._pause = self._first_pause
            self._why = why
            if not self._waiting:
                self._since = ""
            tell = self._seen or bool(why)
            self._moved.notify_all()
        if tell:
            self._changed()


def _log(error: Exception) -> None:
    # A start with a disk that works does not pay for this import.
    from tui.terminal.program_log import log_error

    log_error("events are not saved yet", error)


def longer(pause: float) -> float:
    """Return the seconds to wait after another refusal."""
    return min(pause * 2, LONGEST_PAUSE)
