"""The rows of the log screen: a heading for each round, an event, and its details when unfolded."""

from collections.abc import Mapping

from rich.cells import cell_len

from systems.contract.ruleset import Ruleset
from systems.encounter.events import NOTHING_CHANGED, is_one_line
from systems.frozen import evolve, frozen
from systems.visibility.log_entries import LogEntry, heading
from tui.display.details import DetailLine, details_of
from tui.display.log_marks import line_rows
from tui.display.text import Row, fitted, printable, width, wrapped
from tui.terminal.symbols import symbols

INDENT, LABEL, LEAST_VALUE, NOTE_GAP = 6, 22, 9, 3
TEXT_AT, MORE_AT = 3, 2  # the column of an event's text, and the indent of its further lines
# From this width on the time of each event is at its right end.
ROOMY = 100


@frozen
class MoreText:
    """A further line of an event whose text is longer than a line. `line`: from 1 on."""

    entry: LogEntry
    line: int


# The kinds of rows: the number of a round, an event, a further line of it, a line of its details, plain
# words.
ShownRow = int | LogEntry | MoreText | DetailLine | str


def log_row(shown: ShownRow, unfolded: bool, cells: int, game: Ruleset) -> Row:
    """Return one row. `unfolded`: the details of the event are below it."""
    match shown:
        case int() as number:
            head = f" {heading(number)} "
            return [(head, "strong"), ("─" * max(0, cells - len(head) - 1), "muted")]
        case LogEntry() as entry:
            tail = _tail(entry, cells)
            text = _text_rows(entry, cells, game)[0]
            blank = max(0, cells - TEXT_AT - width(text) - cell_len(tail) - 1)
            fold = ("▾ " if unfolded else "").rjust(TEXT_AT)
            return [(fold, "muted"), *text, (" " * blank + tail, "muted")]
        case MoreText(entry, line):
            rows = _text_rows(entry, cells, game)
            return [(" " * TEXT_AT, ""), *(rows[line] if line < len(rows) else ())]
        case DetailLine() as line:
            return _detail_row(line)
        case str() as words:
            return [(" " * INDENT + words, "muted")]


def rows_of(entry: LogEntry, cells: int) -> list[ShownRow]:
    """Return the rows of an event: itself, and one for each further line that its text takes."""
    # The rows of every event of a fight are counted, so its highlights are found only when it is painted.
    room = _room(entry, cells)
    if is_one_line(entry.event):
        count = len(wrapped(entry.text or NOTHING_CHANGED, room, " " * MORE_AT))
    else:
        count = len(_text_rows(entry, cells, None))
    return [entry, *(MoreText(entry, line) for line in range(1, count))]


def rows_behind(entry: LogEntry, names: Mapping[str, str], game: Ruleset, cells: int) -> list[ShownRow]:
    """Return the rows of an unfolded event: its details, and the line as typed.

    `names`: of the combatants, by id. `game`: names fields and conditions.
    """
    room = max(20, cells - INDENT - 2)
    rows: list[ShownRow] = []
    for line in details_of(entry.event, names, game):
        if line.value or line.head:
            rows += _detail_lines(line, cells)
        else:
            rows += wrapped(f"{line.label}: {line.note}", room)
    typed, time = f"typed: {printable(entry.event.typed)}", _time(entry)
    facts = (f"event {entry.number}", typed, time)
    return [*rows, *wrapped(" · ".join(fact for fact in facts if fact), room)]


def _room(entry: LogEntry, cells: int) -> int:
    """Return how many cells the text has next to the marks at its right end."""
    return max(10, cells - TEXT_AT - cell_len(_tail(entry, cells)) - 1)


def _text_rows(entry: LogEntry, cells: int, game: Ruleset | None) -> list[Row]:
    """Return the rows of an event's text: struck through if undone, dimmed if a turn changes.

    `game`: has the tones of the statuses; None to leave out the marks, if the rows are only counted.
    """
    tone = "muted" if entry.is_dimmed else ""
    return line_rows(entry.as_line(game), _room(entry, cells), tone, MORE_AT)


def _tail(entry: LogEntry, cells: int) -> str:
    """Return the text at the right end: the marks of an event, the seat that asked for it, its time if there
    is room.

    An undone event is struck through, so it is marked only if nothing can be struck through.
    """
    words = [mark for mark in entry.marks if mark != "undone" or symbols().letters]
    words += [f"by {entry.seat}"] if entry.seat else []
    tail = f"  ({', '.join(words)})" if words else ""
    return tail + (f"  {_time(entry)}" if cells >= ROOMY and _time(entry) else "")


def _detail_lines(line: DetailLine, cells: int) -> list[DetailLine]:
    """Return a line of the details, with the rest of its note below it if there is no room."""
    value = max(LEAST_VALUE, cell_len(line.value))
    notes = wrapped(line.note, max(10, cells - INDENT - LABEL - value - NOTE_GAP - 1), "")
    more = [evolve(line, label="", value=" " * value, note=note) for note in notes[1:]]
    return [evolve(line, note=notes[0]), *more]


def _detail_row(line: DetailLine) -> Row:
    if line.head:
        return [(" " * INDENT + line.label, "strong")]
    value = fitted(line.value, max(LEAST_VALUE, cell_len(line.value)), right=True)
    tone = {"total": "strong", "unused": "muted"}.get(line.kind, "")
    label = "muted" if line.kind == "unused" else ""
    return [
        (" " * INDENT + fitted(line.label, LABEL), label),
        (value, tone),
        (" " * NOTE_GAP + line.note, "muted"),
    ]


def _time(entry: LogEntry) -> str:
    """Return the hour and minute of an event, such as 20:14; "" if it has no time."""
    return entry.event.time[11:16]
