"""The log as a list with a cursor: rounds, events, and what is behind an event when it is unfolded."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache

from textual import events

from systems.contract.ruleset import Ruleset
from systems.encounter.amendment import names_ever
from systems.encounter.history import Event, History
from systems.encounter.model import Encounter
from systems.frozen import frozen
from tui.campaign.progress import Tell, counted
from tui.display.log import Filter, LogEntry, entries_of, entry_of, names_of, why_nothing_fits
from tui.display.log_rows import MoreText, ShownRow, log_row, rows_behind, rows_of
from tui.display.text import Row
from tui.widgets.cursor_list import CursorList

USUAL_WIDTH = 80  # until the list has a place


@frozen
class ReadAhead:
    """A long log as it is shown for a width: its entries, and the rows of each."""

    cells: int
    entries: Sequence[LogEntry]
    rows: Sequence[Sequence[ShownRow]]


class LogLines(CursorList):
    """The events of a fight. 10,000 of them cost what is in sight, and one pass when first shown.

    `fill` is called by Enter where there is none.
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
    def count(self) -> int:
        return len(self._shown)

    @property
    def found(self) -> tuple[int, int]:
        """How many events are shown, and how many there are."""
        return self._fitting, len(self._entries)

    @property
    def current(self) -> LogEntry | None:
        """The event under the cursor, also when it stands on what is behind it."""
        for at in range(min(self.cursor, self.count - 1), -1, -1):
            row = self._shown[at]
            if isinstance(row, LogEntry):
                return row
        return None

    def stops(self, index: int) -> bool:
        return isinstance(self._shown[index], LogEntry)

    def unread(self, log: History) -> int:
        """Return how many events of a log are not known here."""
        return len(log.events) - len(self._entries)

    def reader(self, log: History) -> Callable[[Tell], ReadAhead]:
        """Return what reads a long log for `show_log`, maybe in a thread."""
        cells, count = self._cells, len(log.events)

        def read(tell: Tell) -> ReadAhead:
            standing, entries, rows = set(log.standing), list[LogEntry](), list[Sequence[ShownRow]]()
            for event in counted(log.as_amended, count, tell):
                entries.append(entry_of(event, standing, log.amended))
                rows.append(rows_of(entries[-1], cells))
            return ReadAhead(cells, entries, rows)

        return read

    def show_log(self, log: History, encounter: Encounter, ahead: ReadAhead | None = None) -> None:
        """Show what the log holds now; only what is new or counts differently is read.

        `ahead`: the log as it was read before. The cursor stays on its event, also where the same fight was
        read anew, or goes with the end.
        """
        at_end, current = self.cursor >= self._last_entry(), self.current
        older, self._history = self._history, log
        self._names, self._game = names_of(encounter), encounter.game
        # Those who have left are looked up only once something about them is unfolded.
        self._names_ever = cache(lambda: names_ever(encounter, log))
        known = len(self._entries)
        if ahead is not None and len(ahead.entries) == len(log.events):
            self._entries = list(ahead.entries)
            self._lay_out(ahead.rows if ahead.cells == self._cells else None)
        elif known <= len(log.events) and _goes_on(older, log, known) and self._tell_anew(older, log):
            standing = log.standing_since(known + 1)
            for event in log.as_amended[known:]:
                self._add(entry_of(event, standing, log.amended))
        else:
            self._entries = entries_of(log)
            self._lay_out()
        stays = current is not None and not at_end and current.number <= len(log.events)
        if current is not None and stays and _is_same(log.event(current.number), current.event):
            self.show_rows(self._row_of(current))
        else:
            self.show_rows(self._last_entry())

    def _tell_anew(self, older: History, log: History) -> bool:
        """Show those events known here that are others now; return False where all has to be laid out."""
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
        while left:  # the newest are the last rows, and mostly they are meant
            at -= 1
            row = self._shown[at]
            if isinstance(row, LogEntry) and row.number in left:
                left.remove(row.number)
                self._shown[at:end] = self._rows(entries[row.number])
            if isinstance(row, LogEntry | int):
                end = at
        return True

    def narrow(self, wanted: Filter) -> None:
        """Show only what fits the filter; the cursor stays on its event where that is shown still."""
        current = self.current
        self.filter = wanted
        self._lay_out()
        self.show_rows(self._row_of(current) if current else self._last_entry())

    @property
    def why_empty(self) -> str:
        """Which part of the filter fits no event; "" where that is not known."""
        return why_nothing_fits(self.filter, self._entries, self._names)

    def toggle(self) -> None:
        """Unfold what is behind the event under the cursor, or fold it up."""
        current = self.current
        if current is None:
            return
        self._open ^= {current.number}
        self._lay_out()
        self.show_rows(self._row_of(current))
        if current.number in self._open:
            self.show_also(self.extent(self.cursor) + len(self._behind(current)) - 1)

    def fold_all(self, folded: bool) -> None:
        """Fold up, or unfold, all events that are shown."""
        current = self.current
        self._open = self._open - self._numbers if folded else self._open | self._numbers
        self._lay_out()
        self.show_rows(self._row_of(current) if current else None)

    @property
    def any_open(self) -> bool:
        """Whether any of those shown is unfolded."""
        return bool(self._open & self._numbers)

    @property
    def _numbers(self) -> set[int]:
        """The events that are shown."""
        return {row.number for row in self._shown if isinstance(row, LogEntry)}

    def on_resize(self, event: events.Resize) -> None:
        # Every text is wrapped, so that it takes other lines at another width.
        if self._cells != self._laid_out_for:
            at_end, current = self.cursor >= self._last_entry(), self.current
            self._lay_out()
            self.show_rows(self._row_of(current) if current and not at_end else self._last_entry())

    @property
    def _cells(self) -> int:
        """How wide rows are, with a cell left for the scroll bar."""
        return (self.size.width or USUAL_WIDTH) - 1

    def extent(self, index: int) -> int:
        """An event is as many rows as its text takes lines."""
        end = index + 1
        while end < self.count and isinstance(self._shown[end], MoreText):
            end += 1
        return end - index

    def _lay_out(self, rows: Sequence[Sequence[ShownRow]] | None = None) -> None:
        """Lay all entries out anew. `rows`: those of each, where they are known for this width."""
        self._shown, self._round, self._laid_out_for, self._fitting = [], -1, self._cells, 0
        wanted, self._entries = self._entries, []
        for at, entry in enumerate(wanted):
            self._add(entry, rows[at] if rows is not None else None)

    def _add(self, entry: LogEntry, rows: Sequence[ShownRow] | None = None) -> None:
        self._entries.append(entry)
        if not self._fits(entry):
            return
        self._fitting += 1
        if entry.round != self._round:
            self._shown.append(entry.round)
            self._round = entry.round
        self._shown += self._rows(entry, rows)

    def _fits(self, entry: LogEntry) -> bool:
        return self.filter.is_empty or self.filter.fits(entry, self._names)

    def _rows(self, entry: LogEntry, rows: Sequence[ShownRow] | None = None) -> list[ShownRow]:
        """The rows of an event, with what is behind it where it is unfolded. `rows`: see `_lay_out`."""
        found = rows_of(entry, self._cells) if rows is None else list(rows)
        return [*found, *self._behind(entry)] if entry.number in self._open else found

    def _last_entry(self) -> int:
        for at in range(self.count - 1, -1, -1):
            if isinstance(self._shown[at], LogEntry):
                return at
        return 0

    def _row_of(self, wanted: LogEntry) -> int:
        """The row of an event, or of the last one before it that is shown."""
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
    """Return whether a log is the older one and maybe more, of which so many events are known."""
    return not known or older.events[known - 1] is log.events[known - 1]


def _others_now(older: History, log: History, known: int) -> set[int]:
    """Return the numbers of those known events that are undone, redone or amended now, and were not."""
    new = log.events[known:]
    found = {n for event in new if event.get("kind") in ("undo", "redo") for n in event.get("refs", ())}
    if older.amends != log.amends:
        was, now = older.amended, log.amended
        found |= {n for n in {*was, *now} if was.get(n, n) is not now.get(n, n)}
    return {n for n in found if n <= known}


def _is_same(event: Event, other: Event) -> bool:
    """Return whether two events are the same one, maybe in another version."""
    return (event.get("n"), event.get("time")) == (other.get("n"), other.get("time"))
