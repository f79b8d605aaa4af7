"""The rows of a whole sheet: meters, calculated numbers, conditions, every declared field, notes."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from rich.cells import cell_len

from systems.contract.display import Figure
from systems.contract.sheet import Section, in_sections
from systems.encounter.model import Combatant, Encounter
from systems.frozen import evolve, frozen
from systems.language.paths import entry_called, typed_path
from systems.schema.entry_lines import EntryLine, entry_values
from systems.schema.fields import Entries, Field, visible_fields
from systems.schema.types import FieldType, TableOf
from systems.text import clean, listed, plain_number
from systems.visibility.card import condition_lines
from systems.visibility.parts import meter_columns
from systems.visibility.rows import level_of, mark_tone
from tui.display.card import SINCE, condition_rows, meter_row, titled
from tui.display.text import Piece, Row, cut, fitted, printable, wrapped
from tui.terminal.symbols import Symbols

LABEL = 27
VALUE = 8
WIDEST_COLUMN = 28


@frozen
class SheetRow:
    """One row: its pieces, and the item under the cursor.

    `role`: the cursor stops on a "line", not on a "head". `field`: the path that `set` changes, or "".
    `figure`: the calculated number whose terms can be shown. `condition`: the condition it shows.
    """

    row: Row
    role: Literal["head", "line"] = "line"
    field: str = ""
    help: str = ""
    figure: Figure | None = None
    condition: str = ""


def sheet_rows(
    encounter: Encounter, combatant: Combatant, curve: Row, cells: int, shapes: Symbols
) -> list[SheetRow]:
    """Return all rows of a combatant's sheet for a width in cells.

    `curve`: the plot of the first meter through the fight, or nothing.
    """
    rows = [
        *_state(encounter, combatant),
        *_meters(encounter, combatant, curve, cells, shapes),
        *_marks(encounter, combatant),
        *_figures(encounter, combatant),
        *_conditions(encounter, combatant, cells),
        *_fields(encounter, combatant, cells),
        *_habits(combatant),
        *_notes(combatant, cells),
        *_this_turn(combatant),
    ]
    return [part for row in rows for part in ((SheetRow([], "head"), row) if _is_heading(row) else (row,))]


def _is_heading(row: SheetRow) -> bool:
    """Return whether a row is the heading of a group, which follows a blank line."""
    return row.role == "head" and bool(row.row) and row.row[0][1] == "strong"


def _head(text: str, help: str = "") -> SheetRow:
    return SheetRow([(f" {text}", "strong"), *([(f"  {help}", "muted")] if help else [])], "head")


def _state(encounter: Encounter, combatant: Combatant) -> Iterator[SheetRow]:
    status, state = encounter.status(combatant), combatant.state
    words = [clean(combatant.side, 40)]
    words += ["(hidden)"] if state.hidden else []
    words += [f"initiative {state.initiative}"] if state.initiative is not None else []
    words += [combatant.arrival] if state.arrives else []
    words += ["delays its turn"] if state.waits else []
    near = listed(clean(other.name, 40) for other in encounter.neighbours(combatant))
    words += [f"near {near}"] if near else []
    row: Row = [(f" {titled(status.name)}", f"{status.tone} strong"), (" · " + " · ".join(words), "muted")]
    yield SheetRow(row, "head")


def _meters(
    encounter: Encounter, combatant: Combatant, curve: Row, cells: int, shapes: Symbols
) -> Iterator[SheetRow]:
    meters = encounter.game.meters
    for at, (meter, column) in enumerate(zip(meters, meter_columns(meters), strict=True)):
        level = level_of(combatant, meter)
        if level is None:
            continue
        bar = meter_row(column, level, 30 if cells > 70 else 20, shapes, main=at == 0)
        yield SheetRow([(" ", ""), *bar], "line", meter.now)
        if at == 0 and curve:
            yield SheetRow([(" ", ""), *curve, (f"  {SINCE}", "muted")], "head")


def _marks(encounter: Encounter, combatant: Combatant) -> Iterator[SheetRow]:
    glance = encounter.game.glance(combatant.sheet, encounter.house)
    # Details of a field or a figure are below it.
    if marks := [mark for mark in glance if not mark.of_turn and not mark.tells]:
        row: list[Piece] = [(" ", "")]
        for mark in marks:
            row += [(mark.text, mark_tone(mark)), ("  ", "")]
        yield SheetRow(row, "head")


def _figures(encounter: Encounter, combatant: Combatant) -> Iterator[SheetRow]:
    figures = encounter.game.figures(combatant.sheet, encounter.house)
    if figures:
        yield _head("Calculated")
    for figure in figures:
        counted = [
            f"{clean(term.label, 40)} {plain_number(term.value)}" for term in figure.terms if term.value
        ]
        terms = ", ".join(counted) if len(counted) > 1 else ""
        about = "   " + " · ".join(part for part in (clean(figure.note, 100), terms) if part)
        label = fitted(f"   {clean(figure.label, 40)}", LABEL)
        number = fitted(plain_number(figure.value), 5, right=True)
        row = [(label, "muted"), (number, "strong"), (about, "muted")]
        yield SheetRow(row, figure=figure)


def _conditions(encounter: Encounter, combatant: Combatant, cells: int) -> Iterator[SheetRow]:
    yield _head("Conditions")
    rows = list(condition_rows(tuple(condition_lines(encounter, combatant.conditions))))
    for row, held in zip(rows, combatant.conditions, strict=True):
        # Text that does not fit is shown in full when the cursor is on it.
        whole = "".join(text for text, _ in row)
        help = whole if cell_len(whole) + 4 > cells else ""
        yield SheetRow([("   ", ""), *row], help=help, condition=held.name)
    if not rows:
        yield SheetRow([("   none", "muted")], "head")


def _fields(encounter: Encounter, combatant: Combatant, cells: int) -> Iterator[SheetRow]:
    """Yield the fields of the sheet in the game's sections; without sections plain fields come last."""
    sheet, fields = combatant.sheet, visible_fields(type(combatant.sheet))
    apart = ("name", "notes", "habits")
    shown = [name for name in fields if name not in apart and not fields[name].is_of_the_turn]
    sections = encounter.game.sections
    if not sections:
        plain = [name for name in shown if not isinstance(fields[name].type, TableOf | Entries)]
        rest = [Section("", (name,)) for name in shown if name not in plain]
        sections = (*rest, Section("Sheet", tuple(plain)))
    for title, names in in_sections(sections, shown):
        rows = [_field(fields[name], getattr(sheet, name), cells) for name in names]
        begins = rows[0][0].role if rows and rows[0] else "line"
        own_head = begins == "head" and titled(fields[names[0]].label) == title
        if len(rows) == 1 and rows[0] and rows[0][0].role == "head":
            yield from ([_head(title, fields[names[0]].help), *rows[0][1:]] if title else rows[0])
        elif any(rows):
            # A table with the same name as its section has one heading for both.
            yield from () if own_head else (_head(title),)
            for found in rows:
                yield from found


def _this_turn(combatant: Combatant) -> Iterator[SheetRow]:
    """Yield the values that count only for this turn or round."""
    fields = visible_fields(type(combatant.sheet))
    turn = [field for field in fields.values() if field.is_of_the_turn]
    if turn:
        yield _head("This turn")
        for field in turn:
            yield _line(field.name, field.label, getattr(combatant.sheet, field.name), field)


def _field(field: Field, value: Any, cells: int) -> list[SheetRow]:
    """Return the rows of a field; none for an empty table or list."""
    match field.type:
        case TableOf(item):
            return list(_table(field, item, value))
        case Entries():
            return list(_entries(field, value, cells))
    return [_line(field.name, field.label, value, field)]


def _line(path: str, label: str, value: Any, field: Field) -> SheetRow:
    # Numbers are aligned, and their notes begin in one column.
    is_number = type(value) is int
    word, unit = (plain_number(value), field.unit) if is_number else (field.words(value), "")
    shown = fitted(word, max(5, cell_len(word)), right=True) if is_number else word
    shown = fitted(shown, max(VALUE, cell_len(shown) + 1))
    about = " · ".join(part for part in (unit, field.help) if part)
    row = [(fitted(f"   {clean(label, 40)}", LABEL), "muted"), (shown, ""), (about, "muted")]
    help = " · ".join(part for part in (field.type.expected, field.help) if part)
    return SheetRow(row, field=path, help=help)


def _table(field: Field, item: FieldType, value: Mapping[str, Any]) -> Iterator[SheetRow]:
    if not value:
        return
    yield SheetRow([(f" {titled(field.label)}", "strong"), (f"  {field.help}", "muted")], "head")
    about = evolve(field, type=item, help="")
    for key, number in value.items():
        yield _line(typed_path((field.name, key)), key, number, about)


def _entries(field: Field, value: Sequence[Any], cells: int) -> Iterator[SheetRow]:
    """Yield one row for each entry: its name and the rest of its line, in full when the cursor is on it."""
    if not value:
        return
    yield SheetRow([(f" {titled(field.label)}", "strong"), (f"  {field.help}", "muted")], "head")
    names = [clean(str(entry.name), 60) for entry in value]
    first = min(WIDEST_COLUMN, max(8, *map(cell_len, names)))
    for at, entry in enumerate(value):
        part = names[at] if entry_called(value, str(entry.name)) is entry else str(at + 1)
        figures = printable(entry_values(entry))
        room = max(8, cells - first - 6)
        row = [(f"   {fitted(names[at], first)}", ""), (f"  {cut(figures, room)}", "")]
        help = figures if cell_len(figures) > room else f"{EntryLine(type(entry)).expected} · {field.help}"
        yield SheetRow(row, field=typed_path((field.name, part)), help=help)


def _habits(combatant: Combatant) -> Iterator[SheetRow]:
    if combatant.sheet.habits:
        yield _head("Habits", "how it chooses in a plan")
        for habit in combatant.sheet.habits:
            yield SheetRow([(f"   {habit}", "")], field="habits")


def _notes(combatant: Combatant, cells: int) -> Iterator[SheetRow]:
    if combatant.sheet.notes:
        yield _head("Notes")
        for line in wrapped(clean(combatant.sheet.notes, 2_000), max(10, cells - 6), ""):
            yield SheetRow([(f"   {line}", "")], field="notes")
