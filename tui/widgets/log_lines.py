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
    """The events of a fight. 10,000 of them cost what is in sight, and one pass when first shown."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(chosen=self.toggle, id=id)
        self._entries: list[LogEntry] = []
        self._shown: list[ShownRow] = []
        self._open: set[int] = set()
        self._amends: tuple[int, ...] = ()
        self._round = -1
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
        return sum(isinstance(row, LogEntry) for row in self._shown), len(self._entries)

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
        """Show what the log holds now; only what is new is read, unless something was undone.

        `ahead`: the log as it was read before. The cursor stays on its event, also where the same fight was
        read anew, or goes with the end.
        """
        at_end, current = self.cursor >= self._last_entry(), self.current
        known, events = len(self._entries), log.as_amended
        longer = known <= len(events) and self._amends == log.amends
        if longer and known and self._entries[-1].event is not events[known - 1]:
            longer = False
        self._amends = log.amends
        new = events[known:] if longer else ()
        self._names, self._game = names_of(encounter), encounter.game
        # Those who have left are looked up only once something about them is unfolded.
        self._names_ever = cache(lambda: names_ever(encounter, log))
        if longer and all(event.get("kind") not in ("undo", "redo") for event in new):
            standing = {int(event["n"]) for event in new}
            for event in new:
                self._add(entry_of(event, standing))
            self.show_rows(self._last_entry() if at_end else None)
            return
        if ahead is not None and len(ahead.entries) == len(log.events):
            self._entries = list(ahead.entries)
            self._lay_out(ahead.rows if ahead.cells == self._cells else None)
        else:
            self._entries = entries_of(log)
            self._lay_out()
        stays = current is not None and not at_end and current.number <= len(events)
        if current is not None and stays and _is_same(log.event(current.number), current.event):
            self.show_rows(self._row_of(current))
        else:
            self.show_rows(self._last_entry())

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
        self._shown, self._round, self._laid_out_for = [], -1, self._cells
        wanted, self._entries = self._entries, []
        for at, entry in enumerate(wanted):
            self._add(entry, rows[at] if rows is not None else None)

    def _add(self, entry: LogEntry, rows: Sequence[ShownRow] | None = None) -> None:
        self._entries.append(entry)
        if not self.filter.is_empty and not self.filter.fits(entry, self._names):
            return
        if entry.round != self._round:
            self._shown.append(entry.round)
            self._round = entry.round
        self._shown += rows_of(entry, self._cells) if rows is None else rows
        if entry.number in self._open:
            self._shown += self._behind(entry)

    def _last_entry(self) -> int:
        for at in range(self.count - 1, -1, -1):
            if isinstance(self._shown[at], LogEntry):
                return at
        return 0

    def _row_of(self, wanted: LogEntry) -> int:
        """The row of an event, or of the last one before it that is shown."""
        found = 0
        for at, row in enumerate(self._shown):
            if isinstance(row, LogEntry):
                if row.number > wanted.number:
                    break
                found = at
        return found

    def _behind(self, entry: LogEntry) -> list[ShownRow]:
        return rows_behind(entry, self._names_ever(), self._game, self._cells) if self._game else []

    def row(self, index: int, cells: int) -> Row:
        shown = self._shown[index]
        unfolded = isinstance(shown, LogEntry) and shown.number in self._open
        return log_row(shown, unfolded, self._cells, self._game) if self._game else []


def _is_same(event: Event, other: Event) -> bool:
    """Return whether two events are the same one, maybe in another version."""
    return (event.get("n"), event.get("time")) == (other.get("n"), other.get("time"))
