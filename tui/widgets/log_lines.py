"""The log as a list with a cursor: rounds, events, and the details of an unfolded event."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache

from textual import events

from systems.contract.ruleset import Ruleset
from systems.encounter.amendment import names_ever, names_of
from systems.encounter.history import Event, History
from systems.encounter.model import Encounter
from systems.frozen import frozen
from systems.visibility.log_entries import LogEntry, entries_of, entry_of, new_entries
from tui.campaign.progress import Tell, counted
from tui.display.log_filter import Filter, why_nothing_fits
from tui.display.log_rows import MoreText, ShownRow, log_row, rows_behind, rows_of
from tui.display.text import Row
from tui.widgets.cursor_list import CursorList

USUAL_WIDTH = 80  # until the list has a size


@frozen
class ReadAhead:
    """A long log laid out for a width: its entries, and the rows of each."""

    cells: int
    entries: Sequence[LogEntry]
    rows: Sequence[Sequence[ShownRow]]


class LogLines(CursorList):
    """The events of a fight. 10,000 of them cost one pass when first shown, and then only their visible part.

    Enter calls `fill` if there is no event.
    """

    FILLED_BY_ENTER = True

    def __init__(self, *, fill: Callable[[], None], id: str | None = None) -> None:
        super().__init__(chosen=lambda: self.toggle() if self.count else fill(), id=id)
        self._entries: list[LogEntry] = []
        self._shown: list[ShownRow] = []
        self._open: set[int] = set()
        self._history = History()
        self._round = -1
        self._fitting = 0
        self._names: Mapping[str, str] = {}
        self._names_ever: Callable[[], Mapping[str, str]] = dict
        self._game: Ruleset | None = None
        self._laid_out_for = 0
        self.filter = Filter()

    @property
    def found(self) -> tuple[int, int]:
        """Return how many events are shown, and how many there are."""
        return self._fitting, len(self._entries)

    @property
    def current(self) -> LogEntry | None:
        """Return the event under the cursor, even if the cursor is on its details."""
        for at in range(min(self.cursor, self.count - 1), -1, -1):
            row = self._shown[at]
            if isinstance(row, LogEntry):
                return row
        return None

    def stops(self, index: int) -> bool:
        return isinstance(self._shown[index], LogEntry)

    def unread(self, log: History) -> int:
        """Return how many events of a log are not yet read here."""
        return len(log.events) - len(self._entries)

    def reader(self, log: History) -> Callable[[Tell], ReadAhead]:
        """Return a function that reads a long log for `show_log`. It may run in a thread."""
        cells, count = self._cells, len(log.events)

        def read(tell: Tell) -> ReadAhead:
            entries, rows = list[LogEntry](), list[Sequence[ShownRow]]()
            for entry in counted(new_entries(log, 0, set(log.standing)), count, tell):
                entries.append(entry)
                rows.append(rows_of(entry, cells))
            return ReadAhead(cells, entries, rows)

        return read

    def show_log(self, log: History, encounter: Encounter, ahead: ReadAhead | None = None) -> None:
        """Show the current log; only events that are new or changed are read. `ahead` is the log already
        read.

        The cursor stays on its event, even if the same fight was read again, or follows the end.
        """
        at_end, current = self.cursor >= self._last_entry(), self.current
        older, self._history = self._history, log
        self._names, self._game = names_of(encounter), encounter.game
        # Combatants that have left are looked up only when an event about them is unfolded.
        self._names_ever = cache(lambda: names_ever(encounter, log))
        known = len(self._entries)
        if ahead is not None and len(ahead.entries) == len(log.events):
            self._entries = list(ahead.entries)
            self._lay_out(ahead.rows if ahead.cells == self._cells else None)
        elif known <= len(log.events) and _goes_on(older, log, known) and self._tell_anew(older, log):
            for entry in new_entries(log, known, log.standing_since(known + 1)):
                self._add(entry)
        else:
            self._entries = entries_of(log)
            self._lay_out()
        stays = current is not None and not at_end and current.number <= len(log.events)
        if current is not None and stays and _is_same(log.event(current.number), current.event):
            self.show_rows(self._row_of(current))
        else:
            self.show_rows(self._last_entry())

    def _tell_anew(self, older: History, log: History) -> bool:
        """Show events that have changed since; return False if the whole log has to be laid out again."""
        numbers = _others_now(older, log, len(self._entries))
        if not numbers:
            return True
        standing, events = log.standing_since(min(numbers)), log.as_amended
        entries = {n: entry_of(events[n - 1], standing, log.amended) for n in numbers}
        for n, entry in entries.items():
            was = self._entries[n - 1]
            if entry.round != was.round or self._fits(entry) != self._fits(was):
                return False
        for n, entry in entries.items():
            self._entries[n - 1] = entry
        left = {n for n, entry in entries.items() if self._fits(entry)}
        at = end = len(self._shown)
        while left:  # The newest are the last rows, and usually the ones meant.
            at -= 1
            row = self._shown[at]
            if isinstance(row, LogEntry) and row.number in left:
                left.remove(row.number)
                self._shown[at:end] = self._rows(entries[row.number])
            if isinstance(row, LogEntry | int):
                end = at
        return True

    def narrow(self, wanted: Filter) -> None:
        """Show only events that match the filter; the cursor stays on its event if that is still shown."""
        current = self.current
        self.filter = wanted
        self._lay_out()
        self.show_rows(self._row_of(current) if current else self._last_entry())

    @property
    def why_empty(self) -> str:
        """Return which part of the filter matches no event; "" if that is unknown."""
        return why_nothing_fits(self.filter, self._entries, self._names)

    def toggle(self) -> None:
        """Unfold the event under the cursor, or fold it up."""
        current = self.current
        if current is None:
            return
        self._open ^= {current.number}
        self._lay_out()
        self.show_rows(self._row_of(current))
        if current.number in self._open:
            self.show_also(self.extent(self.cursor) + len(self._behind(current)) - 1)

    def fold_all(self, folded: bool) -> None:
        """Fold or unfold all events shown."""
        current = self.current
        self._open = self._open - self._numbers if folded else self._open | self._numbers
        self._lay_out()
        self.show_rows(self._row_of(current) if current else None)

    @property
    def any_open(self) -> bool:
        """Return whether any event shown is unfolded."""
        return bool(self._open & self._numbers)

    @property
    def _numbers(self) -> set[int]:
        """Return the numbers of the events shown."""
        return {row.number for row in self._shown if isinstance(row, LogEntry)}

    def on_resize(self, event: events.Resize) -> None:
        # Every text is wrapped, so it has other lines at another width.
        if self._cells != self._laid_out_for:
            at_end, current = self.cursor >= self._last_entry(), self.current
            self._lay_out()
            self.show_rows(self._row_of(current) if current and not at_end else self._last_entry())

    @property
    def _cells(self) -> int:
        """Return the width of a row, with one cell left for the scroll bar."""
        return (self.size.width or USUAL_WIDTH) - 1

    def extent(self, index: int) -> int:
        """Return the height of an event: the number of lines of its text."""
        end = index + 1
        while end < self.count and isinstance(self._shown[end], MoreText):
            end += 1
        return end - index

    def _lay_out(self, rows: Sequence[Sequence[ShownRow]] | None = None) -> None:
        """Lay out all entries again. `rows` are the rows of each, if they are known for this width."""
        self._shown, self._round, self._laid_out_for, self._fitting = [], -1, self._cells, 0
        wanted, self._entries = self._entries, []
        for at, entry in enumerate(wanted):
            self._add(entry, rows[at] if rows is not None else None)

    def _add(self, entry: LogEntry, rows: Sequence[ShownRow] | None = None) -> None:
        self._entries.append(entry)
        if not self._fits(entry):
            return
        self._fitting += 1
        if entry.continues:
            self._take_out(entry.number - 1)
        if entry.round != self._round:
            self._shown.append(entry.round)
            self._round = entry.round
        self._shown += self._rows(entry, rows)

    def _take_out(self, number: int) -> None:
        """Remove the last event shown if it has that number: the next one tells of it, too."""
        at = self._last_entry()
        row = self._shown[at] if self._shown else None
        if not isinstance(row, LogEntry) or row.number != number:
            return
        del self._shown[at:]
        if self._shown and isinstance(self._shown[-1], int):
            del self._shown[-1]
            last = self._last_entry()
            before = self._shown[last] if self._shown else None
            self._round = before.round if isinstance(before, LogEntry) else -1

    def _fits(self, entry: LogEntry) -> bool:
        return self.filter.is_empty or self.filter.fits(entry, self._names)

    def _rows(self, entry: LogEntry, rows: Sequence[ShownRow] | None = None) -> list[ShownRow]:
        """Return the rows of an event, with its details if it is unfolded. `rows`: see `_lay_out`."""
        found = rows_of(entry, self._cells) if rows is None else list(rows)
        return [*found, *self._behind(entry)] if entry.number in self._open else found

    def _last_entry(self) -> int:
        for at in range(self.count - 1, -1, -1):
            if isinstance(self._shown[at], LogEntry):
                return at
        return 0

    def _row_of(self, wanted: LogEntry) -> int:
        """Return the row of an event, or of the last event before it that is shown."""
        for at in range(self.count - 1, -1, -1):
            row = self._shown[at]
            if isinstance(row, LogEntry) and row.number <= wanted.number:
                return at
        return 0

    def _behind(self, entry: LogEntry) -> list[ShownRow]:
        return rows_behind(entry, self._names_ever(), self._game, self._cells) if self._game else []

    def row(self, index: int, cells: int) -> Row:
        shown = self._shown[index]
        unfolded = isinstance(shown, LogEntry) and shown.number in self._open
        return log_row(shown, unfolded, self._cells, self._game) if self._game else []


def _goes_on(older: History, log: History, known: int) -> bool:
    """Return whether a log continues the older one, of which `known` events have been read."""
    return not known or older.events[known - 1] is log.events[known - 1]


def _others_now(older: History, log: History, known: int) -> set[int]:
    """Return the numbers of known events that have since been undone, redone or amended."""
    new = log.events[known:]
    found = {n for event in new if event.kind in ("undo", "redo") for n in event.refs}
    if older.amends != log.amends:
        was, now = older.amended, log.amended
        found |= {n for n in {*was, *now} if was.get(n, n) is not now.get(n, n)}
    return {n for n in found if n <= known}


def _is_same(event: Event, other: Event) -> bool:
    """Return whether two events are the same, possibly in different versions."""
    return (event.n, event.time) == (other.n, other.time)
