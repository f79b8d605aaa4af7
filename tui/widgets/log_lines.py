"""The log on the screen: headings for rounds, a line for an event, what is behind it on request."""

from collections.abc import Mapping

from rich.cells import cell_len
from textual import events

from systems.encounter.events import word_in
from tui.display.log import Filter, LogEntry, LogLine, entries, entry, heading, names_of, reckoning
from tui.display.text import Row, cut, fitted, printable, wrapped
from tui.session.session import Session
from tui.widgets.rows import Rows

_INDENT = 6
# What a row shows: the heading of a round (its number), an event, a line of its reckoning, plain words.
Shown = int | LogEntry | LogLine | str


class LogLines(Rows):
    """The events of a session. 10,000 of them cost what is in sight, and one pass when first shown."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(chosen=self.toggle, id=id)
        self._session: Session | None = None
        self._entries: list[LogEntry] = []
        self._shown: list[Shown] = []
        self._open: set[int] = set()
        self._round = -1
        self._names: Mapping[str, str] = {}
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

    def show_log(self, session: Session) -> None:
        """Show what the log holds now; only what is new is read, unless something was undone.

        The cursor stays on its event, also where the same fight was read anew, or goes with the end.
        """
        at_end, current = self.cursor >= self._last_entry(), self.current
        log = session.log
        known = len(self._entries)
        same = session is self._session and known <= len(log.events)
        if same and known and self._entries[-1].event is not log.events[known - 1]:
            same = False
        new = log.events[known:] if same else ()
        self._session, self._names = session, names_of(session.encounter)
        if same and all(event.get("kind") not in ("undo", "redo") for event in new):
            standing = {int(event["n"]) for event in new}
            for event in new:
                self._add(entry(event, standing))
            self.show_rows(self._last_entry() if at_end else None)
            return
        self._entries = entries(log)
        self._lay_out()
        stays = current is not None and not at_end and current.number <= len(log.events)
        if current is not None and stays and log.events[current.number - 1] == current.event:
            self.show_rows(self._row_of(current))
        else:
            self.show_rows(self._last_entry())

    def narrow(self, wanted: Filter) -> None:
        """Show only what fits the filter; the cursor stays on its event where that is shown still."""
        current = self.current
        self.filter = wanted
        self._lay_out()
        self.show_rows(self._row_of(current) if current else self._last_entry())

    def toggle(self) -> None:
        """Unfold what is behind the event under the cursor, or fold it up."""
        current = self.current
        if current is None:
            return
        self._open ^= {current.number}
        self._lay_out()
        self.show_rows(self._row_of(current))
        if current.number in self._open:
            self.show_also(len(self._behind(current)))

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
        if self._open:
            # What is behind an event is wrapped, so that it takes other lines at another width.
            current = self.current
            self._lay_out()
            self.show_rows(self._row_of(current) if current else None)

    def _lay_out(self) -> None:
        self._shown, self._round = [], -1
        wanted, self._entries = self._entries, []
        for one in wanted:
            self._add(one)

    def _add(self, one: LogEntry) -> None:
        self._entries.append(one)
        if not self.filter.is_empty and not self.filter.fits(one, self._names):
            return
        if one.round != self._round:
            self._shown.append(one.round)
            self._round = one.round
        self._shown.append(one)
        if one.number in self._open:
            self._shown += self._behind(one)

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

    def _behind(self, one: LogEntry) -> list[Shown]:
        """The sentence in full where it was cut, the reckoning, and the command as typed."""
        assert self._session is not None
        cells = max(20, self.size.width - _INDENT - 2)
        found: list[Shown] = []
        if len(one.text) + _INDENT > self.size.width:
            found += wrapped(one.text, cells)
        for line in reckoning(one.event, names_of(self._session.encounter)):
            if not line.value and not line.head:
                found += wrapped(f"{line.label}: {line.note}", cells)
            else:
                found.append(line)
        time = str(one.event.get("time", ""))[11:16]
        typed = f"typed: {printable(word_in(one.event, 'typed'))}" + (f" · {time}" if time else "")
        return [*found, *wrapped(typed, cells)]

    # Painting

    def row(self, index: int, cells: int) -> Row:
        match self._shown[index]:
            case int() as number:
                head = f" {heading(number)} "
                return [(head, "strong"), ("─" * max(0, cells - len(head) - 1), "muted")]
            case LogEntry() as one:
                return self._entry(one, cells)
            case LogLine() as line:
                return self._line(line)
            case str() as words:
                return [(" " * _INDENT + words, "muted")]

    def _entry(self, one: LogEntry, cells: int) -> Row:
        """`▸ sentence`, struck through when undone; its marks stand at the right end."""
        marks = [*one.marks, *([f"by {one.asked}"] if one.asked else [])]
        tail = f"  ({', '.join(marks)})" if marks else ""
        time = str(one.event.get("time", ""))[11:16]
        tail += f"  {time}" if cells >= 100 and time else ""
        tone = "muted struck" if one.undone else "muted" if one.is_step else ""
        room = max(10, cells - 4 - len(tail))
        sentence = cut(one.text or "Nothing changed.", room)
        fold = " ▾ " if one.number in self._open else " ▸ "
        blank = fitted("", room - cell_len(sentence))
        return [(fold, "muted"), (sentence, tone), (blank, ""), (tail, "muted")]

    def _line(self, line: LogLine) -> Row:
        if line.head:
            return [(" " * _INDENT + line.label, "strong")]
        value = fitted(line.value, max(9, cell_len(line.value)), right=True)
        tone = "strong" if line.label == "total" else ""
        return [(" " * _INDENT + fitted(line.label, 22), ""), (value, tone), (f"   {line.note}", "muted")]
