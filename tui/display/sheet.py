"""The rows of a whole sheet: meters, worked-out numbers, conditions, every declared field, notes."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

import attrs
from rich.cells import cell_len

from systems.contract.ruleset import Figure
from systems.encounter.model import Combatant, Encounter
from systems.frozen import frozen
from systems.language.paths import entry_called, typed_path
from systems.schema.entry_lines import EntryLine, entry_figures
from systems.schema.fields import Entries, Field, fields_of
from systems.schema.types import FieldType, TableOf
from systems.schema.values import as_words
from systems.text import clean, plain_number
from systems.visibility.card import condition_lines
from systems.visibility.parts import meter_columns
from systems.visibility.rows import level_of
from tui.display.card import condition_rows, label_of, meter_row, titled
from tui.display.text import Piece, Row, cut, fitted, printable, wrapped
from tui.terminal.symbols import Symbols

LABEL = 22
WIDEST_COLUMN = 28


@frozen
class SheetRow:
    """One row: its pieces, and what the cursor finds there.

    `role`: the cursor stops on a "line", not on a "head". `field`: the path that `set` changes, "" for
    none. `figure`: the worked-out number whose terms can be shown.
    """

    row: Row
    role: Literal["head", "line"] = "line"
    field: str = ""
    help: str = ""
    figure: Figure | None = None


def sheet_rows(
    encounter: Encounter, combatant: Combatant, curve: str, cells: int, shapes: Symbols
) -> list[SheetRow]:
    """Return all rows of a combatant's sheet for a width in cells.

    `curve`: the plot of the first meter through the fight, "" for none.
    """
    return [
        *_state(encounter, combatant),
        *_meters(encounter, combatant, curve, cells, shapes),
        *_marks(encounter, combatant),
        *_figures(encounter, combatant),
        *_conditions(encounter, combatant),
        *_fields(combatant, cells),
        *_notes(combatant, cells),
    ]


def _head(text: str) -> SheetRow:
    return SheetRow([(f" {text}", "strong")], "head")


def _state(encounter: Encounter, combatant: Combatant) -> Iterator[SheetRow]:
    status, state = encounter.status(combatant), combatant.state
    words = [clean(combatant.side, 40)]
    words += ["(hidden)"] if state.hidden else []
    words += [f"initiative {state.initiative}"] if state.initiative is not None else []
    words += [f"arrives in round {state.arrives}"] if state.arrives else []
    words += ["waits with the turn"] if state.waits else []
    row: Row = [(f" {titled(status.name)}", f"{status.tone} strong"), (" · " + " · ".join(words), "muted")]
    yield SheetRow(row, "head")


def _meters(
    encounter: Encounter, combatant: Combatant, curve: str, cells: int, shapes: Symbols
) -> Iterator[SheetRow]:
    meters = encounter.game.meters
    for at, (meter, column) in enumerate(zip(meters, meter_columns(meters), strict=True)):
        level = level_of(combatant, meter)
        if level is None:
            continue
        bar = meter_row(column, level, 30 if cells > 70 else 20, shapes, main=at == 0)
        yield SheetRow([(" ", ""), *bar], "line", meter.now)
        if at == 0 and curve:
            yield SheetRow([(f" {curve}", "accent"), ("  since the fight began", "muted")], "head")


def _marks(encounter: Encounter, combatant: Combatant) -> Iterator[SheetRow]:
    if marks := encounter.game.glance(combatant.sheet, encounter.house):
        row: list[Piece] = [(" ", "")]
        for mark in marks:
            row += [(mark.text, mark.tone), ("  ", "")]
        yield SheetRow(row, "head")


def _figures(encounter: Encounter, combatant: Combatant) -> Iterator[SheetRow]:
    figures = encounter.game.figures(combatant.sheet, encounter.house)
    if figures:
        yield _head("Worked out")
    for figure in figures:
        counted = [
            f"{clean(term.label, 40)} {plain_number(term.value)}" for term in figure.terms if term.value
        ]
        terms = ", ".join(counted) if len(counted) > 1 else ""
        about = "   " + " · ".join(part for part in (clean(figure.note, 100), terms) if part)
        label = fitted(f"   {clean(figure.label, 40)}", LABEL)
        number = fitted(plain_number(figure.value), 5, right=True)
        row = [(label, "muted"), (number, "strong"), (about, "muted")]
        yield SheetRow(row, figure=figure, help="y explains this number")


def _conditions(encounter: Encounter, combatant: Combatant) -> Iterator[SheetRow]:
    yield _head("Conditions")
    rows = list(condition_rows(tuple(condition_lines(encounter, combatant))))
    for row in rows:
        yield SheetRow([("   ", ""), *row])
    if not rows:
        yield SheetRow([("   none", "muted")], "head")


def _fields(combatant: Combatant, cells: int) -> Iterator[SheetRow]:
    """Plain fields under one heading, the state of the turn under another, each table and list apart."""
    plain: list[SheetRow] = []
    turn: list[SheetRow] = []
    rest: list[SheetRow] = []
    for name, field in fields_of(type(combatant.sheet)).items():
        value = getattr(combatant.sheet, name)
        match field.type:
            case TableOf(item):
                rest += _table(name, field, item, value)
            case Entries():
                rest += _entries(name, field, value, cells)
            case _ if name not in ("name", "notes"):
                row = _line(name, label_of(name), value, field)
                (turn if field.is_of_the_turn else plain).append(row)
    if turn:
        yield _head("This turn")
        yield from turn
    yield from rest
    if plain:
        yield _head("Sheet")
        yield from plain


def _line(path: str, label: str, value: Any, field: Field) -> SheetRow:
    word = as_words(value)
    shown = fitted(word, 5, right=True) if type(value) is int else fitted(word, max(5, cell_len(word)))
    row = [(fitted(f"   {clean(label, 40)}", LABEL), "muted"), (shown, ""), (f"   {field.help}", "muted")]
    help = " · ".join(part for part in (field.type.expected, field.help) if part)
    return SheetRow(row, field=path, help=help)


def _table(name: str, field: Field, item: FieldType, value: Mapping[str, Any]) -> Iterator[SheetRow]:
    if not value:
        return
    yield SheetRow([(f" {titled(label_of(name))}", "strong"), (f"  {field.help}", "muted")], "head")
    about = attrs.evolve(field, type=item, help="")
    for key, number in value.items():
        yield _line(typed_path((name, key)), key, number, about)


def _entries(name: str, field: Field, value: Sequence[Any], cells: int) -> Iterator[SheetRow]:
    """One row an entry: its name, and the rest of its line, told whole when the cursor is on it."""
    if not value:
        return
    yield SheetRow([(f" {titled(label_of(name))}", "strong"), (f"  {field.help}", "muted")], "head")
    names = [clean(str(entry.name), 60) for entry in value]
    first = min(WIDEST_COLUMN, max(8, *map(cell_len, names)))
    for at, entry in enumerate(value):
        part = names[at] if entry_called(value, str(entry.name)) is entry else str(at + 1)
        figures = printable(entry_figures(entry))
        room = max(8, cells - first - 6)
        row = [(f"   {fitted(names[at], first)}", ""), (f"  {cut(figures, room)}", "")]
        help = figures if cell_len(figures) > room else f"{EntryLine(type(entry)).expected} · {field.help}"
        yield SheetRow(row, field=typed_path((name, part)), help=help)


def _notes(combatant: Combatant, cells: int) -> Iterator[SheetRow]:
    if combatant.sheet.notes:
        yield _head("Notes")
        for line in wrapped(clean(combatant.sheet.notes, 2_000), max(10, cells - 6), ""):
            yield SheetRow([(f"   {line}", "")], field="notes")
