"""A whole sheet in sections: figures that explain themselves, every declared field, conditions, notes."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Literal

import attrs
from rich.cells import cell_len
from textual import events
from textual.binding import Binding

from systems.contract.ruleset import Figure
from systems.encounter.model import Combatant
from systems.schema.fields import Entries, Field, fields_of
from systems.schema.types import FieldType, TableOf
from systems.schema.values import as_words
from systems.text import clean, plain_number, plain_word
from systems.visibility.card import condition_lines
from systems.visibility.rows import level_of
from systems.visibility.view import meter_columns
from tui.display.card import condition_rows, label_of, meter_row, titled
from tui.display.history import history_of
from tui.display.text import Row, fitted, wrapped
from tui.session.session import Session
from tui.terminal.symbols import symbols
from tui.widgets.rows import Rows

_LABEL = 22


@attrs.frozen
class SheetRow:
    """One row. `field`: the path that `set` changes, "" for none. `figure`: what explains itself."""

    row: Row
    role: Literal["head", "line"] = "line"
    field: str = ""
    help: str = ""
    figure: Figure | None = None


def sheet_rows(session: Session, one: Combatant, cells: int) -> list[SheetRow]:
    """All rows of a combatant's sheet."""
    return [
        *_state(session, one, cells),
        *_figures(session, one),
        *_conditions(session, one),
        *_fields(one, cells),
        *_notes(one, cells),
    ]


def _head(text: str) -> SheetRow:
    return SheetRow([(f" {text}", "strong")], "head")


def _state(session: Session, one: Combatant, cells: int) -> Iterator[SheetRow]:
    status = session.encounter.status(one)
    words = [clean(one.side, 40)]
    words += ["(hidden)"] if one.state.hidden else []
    words += [f"initiative {one.state.initiative}"] if one.state.initiative is not None else []
    words += [f"arrives in round {one.state.arrives}"] if one.state.arrives else []
    words += ["waits with the turn"] if one.state.waits else []
    state: Row = [(f" {titled(status.name)}", f"{status.tone} strong"), (" · " + " · ".join(words), "muted")]
    yield SheetRow(state, "head")
    columns = meter_columns(session.game.meters)
    for at, meter in enumerate(session.game.meters):
        level = level_of(one, meter)
        if level is None:
            continue
        bar = meter_row(columns[at], level, 30 if cells > 70 else 20, symbols(), main=at == 0)
        yield SheetRow([(" ", ""), *bar], "line", meter.now)
        if at == 0 and (blocks := history_of(session, one, meter, max(10, cells - 26))):
            yield SheetRow([(f" {blocks}", "accent"), ("  since the fight began", "muted")], "head")
    marks = session.game.glance(one.sheet, session.house)
    if marks:
        row: list[tuple[str, str]] = [(" ", "")]
        for mark in marks:
            row += [(mark.text, mark.tone), ("  ", "")]
        yield SheetRow(row, "head")


def _figures(session: Session, one: Combatant) -> Iterator[SheetRow]:
    figures = session.game.figures(one.sheet, session.house)
    if figures:
        yield _head("Worked out")
    for figure in figures:
        counted = [
            f"{clean(term.label, 40)} {plain_number(term.value)}" for term in figure.terms if term.value
        ]
        terms = ", ".join(counted) if len(counted) > 1 else ""
        about = "   " + " · ".join(part for part in (clean(figure.note, 100), terms) if part)
        label = fitted(f"   {clean(figure.label, 40)}", _LABEL)
        row = [(label, "muted"), _number(figure.value), (about, "muted")]
        yield SheetRow(row, figure=figure, help="y explains this number")


def _number(value: int) -> tuple[str, str]:
    return (fitted(plain_number(value), 5, right=True), "strong")


def _conditions(session: Session, one: Combatant) -> Iterator[SheetRow]:
    yield _head("Conditions")
    rows = list(condition_rows(tuple(condition_lines(session.encounter, one))))
    for row in rows:
        yield SheetRow([("   ", ""), *row])
    if not rows:
        yield SheetRow([("   none", "muted")], "head")


def _fields(one: Combatant, cells: int) -> Iterator[SheetRow]:
    """Plain fields under one heading, the state of the turn under another, each table and list apart."""
    plain: list[SheetRow] = []
    turn: list[SheetRow] = []
    rest: list[SheetRow] = []
    for name, field in fields_of(type(one.sheet)).items():
        value = getattr(one.sheet, name)
        match field.type:
            case TableOf(item):
                rest += _table(name, field, item, value)
            case Entries(of):
                rest += _entries(name, field, of, value, cells)
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
    row = [(fitted(f"   {clean(label, 40)}", _LABEL), "muted"), (shown, ""), (f"   {field.help}", "muted")]
    return SheetRow(row, field=path, help=" · ".join(one for one in (field.type.expected, field.help) if one))


def _table(name: str, field: Field, item: FieldType, value: Mapping[str, Any]) -> Iterator[SheetRow]:
    if not value:
        return
    yield SheetRow([(f" {titled(label_of(name))}", "strong"), (f"  {field.help}", "muted")], "head")
    about = attrs.evolve(field, type=item, help="")
    for key, number in value.items():
        yield _line(f"{name}.{key}", key, number, about)


def _entries(name: str, field: Field, of: type, value: Sequence[Any], cells: int) -> Iterator[SheetRow]:
    """A small table: one row an entry, one column a field that any of them has."""
    if not value:
        return
    inner = [one for one in fields_of(of) if one != "name" and any(one in entry.given for entry in value)]
    texts = {one: [label_of(one), *(as_words(getattr(entry, one)) for entry in value)] for one in inner}
    wide = {one: min(28, max(cell_len(text) for text in column)) for one, column in texts.items()}
    first = min(28, max(8, *(cell_len(clean(str(entry.name), 60)) for entry in value)))
    shown: list[str] = []
    left = cells - first - 6
    for one in inner:
        if wide[one] + 2 <= left:
            shown.append(one)
            left -= wide[one] + 2
    header = "".join(f"  {fitted(label_of(one), wide[one])}" for one in shown)
    yield SheetRow([(fitted(f" {titled(label_of(name))}", first + 3), "strong"), (header, "muted")], "head")
    for entry in value:
        row = [(f"   {fitted(clean(str(entry.name), 60), first)}", "")]
        row += [(f"  {fitted(as_words(getattr(entry, one)), wide[one])}", "") for one in shown]
        path = f"{name}.{plain_word(str(entry.name))}.{shown[0]}" if shown else ""
        rest = [one for one in inner if one not in shown]
        more = ", ".join(f"{label_of(one)} {as_words(getattr(entry, one))}" for one in rest)
        yield SheetRow(row, field=path, help=more or field.help)


def _notes(one: Combatant, cells: int) -> Iterator[SheetRow]:
    if one.sheet.notes:
        yield _head("Notes")
        for line in wrapped(clean(one.sheet.notes, 2_000), max(10, cells - 6), ""):
            yield SheetRow([(f"   {line}", "")], field="notes")


class SheetRows(Rows, inherit_bindings=False):
    """The rows of one combatant's sheet. Sideways keys are the screen's: they go to the next combatant."""

    BINDINGS = [
        Binding("up", "move(-1)", "up", show=False, tooltip="One figure up.", id="sheet.up"),
        Binding("down", "move(1)", "down", show=False, tooltip="One figure down.", id="sheet.down"),
        Binding("pageup", "page(-1)", "page up", show=False, tooltip="A page up.", id="sheet.pageup"),
        Binding("pagedown", "page(1)", "page down", show=False, tooltip="A page down.", id="sheet.pagedown"),
        Binding("home", "end(-1)", "first", show=False, tooltip="The first figure.", id="sheet.home"),
        Binding("end", "end(1)", "last", show=False, tooltip="The last figure.", id="sheet.end"),
        Binding("enter", "choose", "explain", show=False, tooltip="Explain it.", id="sheet.choose"),
    ]

    def __init__(
        self,
        *,
        moved: Callable[[int], None],
        chosen: Callable[[], None],
        resized: Callable[[], None],
        id: str,
    ) -> None:
        super().__init__(moved=moved, chosen=chosen, id=id)
        self._resized = resized
        self._shown: list[SheetRow] = []

    def on_resize(self, event: events.Resize) -> None:
        # What stands in a row depends on how wide it is.
        self._resized()

    @property
    def count(self) -> int:
        return len(self._shown)

    @property
    def current(self) -> SheetRow | None:
        return self._shown[self.cursor] if self.cursor < self.count else None

    def stops(self, index: int) -> bool:
        return self._shown[index].role == "line"

    def show_sheet(self, rows: list[SheetRow]) -> None:
        """Show these rows; the cursor stays on the same field where there is one."""
        current = self.current
        self._shown = rows
        self.show_rows(self._same(current))

    def index_of(self, text: str) -> int | None:
        """The first row that holds the text, in small letters."""
        for at, one in enumerate(self._shown):
            if one.role == "line" and text in "".join(part for part, _ in one.row).casefold():
                return at
        return None

    def _same(self, wanted: SheetRow | None) -> int | None:
        if wanted is None:
            # The first figure that has something to explain, so that the bars show their colours.
            return next((at for at, one in enumerate(self._shown) if one.figure is not None), 0)
        label = wanted.figure.label if wanted.figure else ""
        for at, one in enumerate(self._shown):
            same_figure = one.figure is not None and one.figure.label == label
            if one.role == "line" and (same_figure or (wanted.field and one.field == wanted.field)):
                return at
        return None

    def row(self, index: int, cells: int) -> Row:
        return self._shown[index].row
