"""Save events in the background: a thread writes them in order while play goes on.

A disk that is slow keeps no key waiting. A disk that refuses is tried again, at longer and longer
intervals and with every new event, and until it takes them the events are in memory and `Saved` says so.
"""

from collections import deque
from collections.abc import Callable, Mapping
from datetime import datetime
from threading import Condition, Thread
from time import monotonic
from typing import Any, Protocol

from systems.frozen import frozen
from systems.text import clean
from tui.campaign.problems import NotSaved

MOST = 10_000  # events that wait; a fight has hundreds
AT_ONCE = 256
GRACE = 0.004
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 30.0


class Writer(Protocol):
    """Writes events to the disk. `append` returns once they are on the disk, or raises NotSaved."""

    def append(self, *events: Mapping[str, Any]) -> None: ...


@frozen
class Saved:
    """How much of a fight is not on the disk: `waiting` events, the first of them `since` that time.

    `why`: what the disk said when it refused, empty while it has not.
    """

    waiting: int = 0
    since: str = ""
    why: str = ""

    @property
    def words(self) -> str:
        """What a header says of it: nothing when everything is saved."""
        count = f"{self.waiting} event{'s' if self.waiting != 1 else ''}"
        if self.why:
            return f"unsaved since {self.since}, {self.why} ({count})"
        if self.waiting > 1:
            return f"saving {count}"
        return "saving" if self.waiting else ""

    @property
    def brief(self) -> str:
        """The same where there is little room."""
        count = f"{self.waiting} event{'s' if self.waiting != 1 else ''}"
        return f"unsaved since {self.since} ({count})" if self.why else self.words


def clock_time() -> str:
    """Return the time of day as a table's clock shows it."""
    return datetime.now().astimezone().strftime("%H:%M")


class WriteQueue:
    """Keeps events by a thread of its own; `append` returns at once, and `saved` tells how far it is.

    `changed` is called, from that thread, when `saved` became another after `append` had returned.
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
        self._waiting: deque[Mapping[str, Any]] = deque()
        self._since = self._why = ""
        self._tries = 0
        self._hurry = self._closed = self._seen = False
        self._moved = Condition()
        self._thread: Thread | None = None

    @property
    def saved(self) -> Saved:
        """How it stands now."""
        with self._moved:
            self._seen = bool(self._waiting)
            return Saved(len(self._waiting), self._since, self._why)

    def append(self, *events: Mapping[str, Any]) -> None:
        """Take events. Raises NotSaved, having taken nothing, when too many wait or this is closed.

        A disk that has them within a blink has them when this returns, so that nothing is painted twice.
        """
        if not events:
            return
        with self._moved:
            if self._closed:
                raise NotSaved("the campaign is closed")
            if len(self._waiting) + len(events) > MOST:
                why = self._why or "the disk does not answer"
                raise NotSaved(f"{len(self._waiting)} events are unsaved and no more is taken: {why}")
            fast = not self._waiting
            self._since = self._since or self._now()
            self._waiting.extend(events)
            self._hurry = True
            self._start()
            self._moved.notify_all()
            if fast:
                tries = self._tries
                self._moved.wait_for(lambda: not self._waiting or self._tries != tries, self._grace)
            self._seen = bool(self._waiting)

    def retry(self) -> None:
        """Try now, however long the pause would still be."""
        with self._moved:
            self._hurry = True
            self._moved.notify_all()

    def drain(self, seconds: float) -> bool:
        """Wait until everything is saved, for that long at most; whether it is.

        What the disk refuses is tried once more, and then no longer waited for.
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

    def close(self, seconds: float = 0.0) -> tuple[Mapping[str, Any], ...]:
        """Take no more and try no more; the events that are not saved, after `drain`."""
        self.drain(seconds)
        with self._moved:
            self._closed = True
            self._moved.notify_all()
            return tuple(self._waiting)

    def _start(self) -> None:
        # A fight that is only looked at needs no thread.
        if self._thread is None:
            self._thread = Thread(target=self._run, name="saving", daemon=True)
            self._thread.start()

    def _run(self) -> None:
        while batch := self._next():
            self._try(batch)

    def _next(self) -> list[Mapping[str, Any]]:
        """What to write next, once it is time; nothing when this is closed."""
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

    def _try(self, batch: list[Mapping[str, Any]]) -> None:
        why = ""
        try:
            self._writer.append(*batch)
        except NotSaved as error:
            why = error.why
        except Exception as error:  # noqa: BLE001 - whatever it is, the thread must live and the table must know
            why = clean(f"unexpected {type(error).__name__}: {error}", 200)
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


def longer(pause: float) -> float:
    """Return how long to wait after one more refusal, in seconds."""
    return min(pause * 2, LONGEST_PAUSE)
