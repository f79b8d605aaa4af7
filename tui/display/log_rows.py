"""The rows of the log screen: a heading for each round, an event, and what is behind it when unfolded."""

from collections.abc import Mapping

from rich.cells import cell_len

from systems.encounter.events import word_in
from systems.schema.fields import Field
from tui.display.details import DetailLine, details_of
from tui.display.log import LogEntry, heading
from tui.display.text import Row, cut, fitted, printable, wrapped

INDENT, LABEL = 6, 22
# From this width on the time of each event stands at its right end.
ROOMY = 100
# What a row is: the number of a round, an event, a line behind an event, plain words.
ShownRow = int | LogEntry | DetailLine | str


def log_row(shown: ShownRow, unfolded: bool, cells: int) -> Row:
    """Return one row. `unfolded`: what is behind the event stands below it."""
    match shown:
        case int() as number:
            head = f" {heading(number)} "
            return [(head, "strong"), ("─" * max(0, cells - len(head) - 1), "muted")]
        case LogEntry() as entry:
            return _entry_row(entry, unfolded, cells)
        case DetailLine() as line:
            return _detail_row(line)
        case str() as words:
            return [(" " * INDENT + words, "muted")]


def rows_behind(
    entry: LogEntry, names: Mapping[str, str], fields: Mapping[str, Field], cells: int
) -> list[ShownRow]:
    """Return what stands below an unfolded event: its text where it was cut, its details, the line as typed.

    `names`: of the combatants, by id. `fields`: of the game's sheets.
    """
    room = max(20, cells - INDENT - 2)
    rows: list[ShownRow] = []
    if len(entry.text) + INDENT > cells:
        rows += wrapped(entry.text, room)
    for line in details_of(entry.event, names, fields):
        if line.value or line.head:
            rows.append(line)
        else:
            rows += wrapped(f"{line.label}: {line.note}", room)
    time = _time(entry)
    typed = f"typed: {printable(word_in(entry.event, 'typed'))}" + (f" · {time}" if time else "")
    return [*rows, *wrapped(typed, room)]


def _entry_row(entry: LogEntry, unfolded: bool, cells: int) -> Row:
    """`▸ text`, struck through when undone; its marks stand at the right end."""
    marks = [*entry.marks, *([f"by {entry.seat}"] if entry.seat else [])]
    tail = f"  ({', '.join(marks)})" if marks else ""
    tail += f"  {_time(entry)}" if cells >= ROOMY and _time(entry) else ""
    tone = "muted struck" if entry.undone else "muted" if entry.is_step else ""
    room = max(10, cells - 4 - len(tail))
    text = cut(entry.text or "Nothing changed.", room)
    fold = " ▾ " if unfolded else " ▸ "
    blank = fitted("", room - cell_len(text))
    return [(fold, "muted"), (text, tone), (blank, ""), (tail, "muted")]


def _detail_row(line: DetailLine) -> Row:
    if line.head:
        return [(" " * INDENT + line.label, "strong")]
    value = fitted(line.value, max(9, cell_len(line.value)), right=True)
    tone = {"total": "strong", "unused": "muted"}.get(line.kind, "")
    label = "muted" if line.kind == "unused" else ""
    return [(" " * INDENT + fitted(line.label, LABEL), label), (value, tone), (f"   {line.note}", "muted")]


def _time(entry: LogEntry) -> str:
    """The hour and minute of an event, such as 20:14; "" where it has no time."""
    return word_in(entry.event, "time")[11:16]
