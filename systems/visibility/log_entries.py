"""The log as the game master's log screen and exports have it: one entry for each event."""

from collections.abc import Container, Iterable, Iterator

from systems.contract.ruleset import Ruleset
from systems.encounter.events import STEPS, Event, continues, is_secret, round_of
from systems.encounter.history import AMEND, History
from systems.encounter.step_runs import in_one_line
from systems.frozen import frozen
from systems.text import clean
from systems.visibility.log_view import is_quiet, is_undone, line_of, whole_text
from systems.visibility.parts import LogLine


@frozen(eq=False)
class LogEntry:
    """One event of the log and the round it belongs to. `undone`: it no longer counts.

    `amended`: its text is that of an amendment, or it did not happen. `continues`: it is an undo after an
    undo, or a redo after a redo. Its text covers the whole run, so the entry before it is not shown.
    """

    event: Event
    round: int
    undone: bool
    amended: bool = False
    continues: bool = False

    @property
    def number(self) -> int:
        return int(self.event.n)

    @property
    def text(self) -> str:
        """Return the whole text of the event, on one line and without control characters."""
        return whole_text(self.event)

    def as_line(self, game: Ruleset | None) -> LogLine:
        """Return the event as a line. `game`: has the tones of the statuses; None leaves out highlights."""
        return line_of(self.event, game, self.undone)

    @property
    def marks(self) -> tuple[str, ...]:
        """Return the words that mark it: undone, amended, secret, note."""
        event = self.event
        found = ["amended"] if self.amended else ["undone"] if self.undone else []
        found += ["secret"] if is_secret(event) else []
        found += ["note"] if event.command == "note" else []
        return tuple(found)

    @property
    def seat(self) -> str:
        """Return the seat that asked for it; "" for the game master."""
        who = self.event.who or "gm"
        return "" if who == "gm" else clean(who, 60)

    @property
    def is_dimmed(self) -> bool:
        """Return whether it is a change of turn, or only about other events: undo, step back, amendment."""
        return is_quiet(self.event) or self.event.kind in STEPS or self.event.command == AMEND


def entries_of(log: History) -> list[LogEntry]:
    """Return all entries of a log, the oldest first."""
    return list(new_entries(log, 0, set(log.standing)))


def new_entries(log: History, known: int, standing: Container[int]) -> Iterator[LogEntry]:
    """Yield the entries of a log after the first `known` events. `standing`: see entry_of."""
    events = log.as_amended
    before = events[known - 1] if known else None
    for event in in_one_line(events, known):
        yield entry_of(event, standing, log.amended, continues(event, before))
        before = event


def entry_of(
    event: Event, standing: Container[int], amended: Container[int] = (), goes_on: bool = False
) -> LogEntry:
    """Return one event as an entry.

    `standing`: the numbers of the events in force. `amended`: see History. `goes_on`: see LogEntry.
    """
    return LogEntry(event, round_of(event), is_undone(event, standing), event.n in amended, goes_on)


def last_of_runs(entries: Iterable[LogEntry]) -> Iterator[LogEntry]:
    """Yield the entries, of a run of undos or redos only the last one, which covers the run."""
    before: LogEntry | None = None
    for entry in entries:
        if before is not None and not entry.continues:
            yield before
        before = entry
    if before is not None:
        yield before


def heading(number: int) -> str:
    """Return the heading above the entries of a round."""
    return f"Round {number}" if number else "Before the fight"
