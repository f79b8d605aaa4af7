"""Paint a combatant's card: everything important in a few lines, at any width."""

from collections.abc import Iterator, Sequence

from rich.cells import cell_len

from systems.frozen import frozen
from systems.text import plain_number
from systems.visibility.parts import Card, ConditionLine, Level, MeterColumn
from tui.display.meters import bar, figures_text, health_tone, pips
from tui.display.text import Piece, Row, cut_row, fitted, printable, width, wrapped
from tui.terminal.symbols import Symbols

MOST_COLUMNS, BETWEEN_COLUMNS = 3, 3
GAP = "  "
SINCE = "since the start"  # after the plot of the first meter
BAR, SHORTEST_BAR, SHORTEST_CURVE = 20, 5, 8
FIGURES = 12  # cells for the numbers before the bar
BESIDE_BAR = FIGURES + len(GAP) + SHORTEST_CURVE + len(GAP + SINCE)
# In less room the plot of the meter is below the bar.
LEAST_BESIDE = BESIDE_BAR + 12
LEAST_NOTE = 10  # cells of the note next to a number; in fewer, the note is below it
LONGEST_VALUE = 8  # longer values would separate the numbers from their names


@frozen
class Number:
    """A number or a word of the card with its name and its note."""

    label: str
    value: str
    note: str = ""


def card_rows(
    card: Card,
    meters: Sequence[MeterColumn],
    cells: int,
    shapes: Symbols,
    curve: Row = (),
    danger: Sequence[Row] = (),
) -> list[Row]:
    """Return the card of one combatant: meters, status, danger, conditions, calculated values, sheet, notes.

    `curve`: the plot of the first meter, if there is one. `danger`: the rows about its danger.
    """
    found: list[Row] = [*_meters(card, meters, cells, shapes, curve), *_state(card, cells), *danger]
    found += _flowed([[(mark.text, mark.tone)] for mark in card.marks], cells)
    for row in condition_rows(card.conditions):
        found += _wrapped_condition(row, cells)
    figures = [Number(each.label, plain_number(each.value), each.note) for each in card.figures]
    fields = [Number(label, text) for label, text in card.fields]
    turn = [Number(label, text) for label, text in card.this_turn]
    columns = NumberColumns([*figures, *fields, *turn], cells)
    found += columns.rows([*figures, *fields])
    for name, rest in card.entries:
        found += _entry(name, rest, cells)
    if card.notes:
        found += _labelled("notes", card.notes, cells, "muted")
    if turn:
        found += [[("This turn", "strong")], *columns.rows(turn)]
    return [cut_row([(printable(text), tones) for text, tones in row], cells) for row in found]


class NumberColumns:
    """Lays out numbers and their names in as many columns as need the fewest rows.

    Names are aligned left, numbers right. A long value, or one with a note, has a row of its own.
    """

    def __init__(self, numbers: Sequence[Number], cells: int) -> None:
        self.cells = cells
        self.noted = _widest([number for number in numbers if number.note])
        self.columns, self.plain = 1, 0
        fewest = 0
        for columns in range(1, MOST_COLUMNS + 1):
            most = (cells - BETWEEN_COLUMNS * (columns - 1)) // columns
            plain = _widest([number for number in numbers if not number.note and _length(number) <= most])
            rows = self._count(numbers, columns, plain)
            if plain and (not fewest or rows < fewest):
                self.columns, self.plain, fewest = columns, plain, rows

    def _count(self, numbers: Sequence[Number], columns: int, plain: int) -> int:
        """Return how many rows these numbers need in this many columns."""
        rows = beside = 0
        for number in numbers:
            is_alone = bool(number.note) or not _fits(number, plain)
            rows += is_alone or beside % columns == 0
            beside = 0 if is_alone else beside + 1
        return rows

    def rows(self, numbers: Sequence[Number]) -> list[Row]:
        """Return the numbers row by row."""
        rows: list[Row] = []
        beside = 0  # how many are in the last row
        for number in numbers:
            if number.note or not _fits(number, self.plain):
                rows += self._whole(number)
                beside = 0
            elif beside % self.columns:
                rows[-1] = [*rows[-1], (" " * BETWEEN_COLUMNS, ""), *_cell(number, self.plain)]
                beside += 1
            else:
                rows.append(_cell(number, self.plain))
                beside = 1
        return rows

    def _whole(self, number: Number) -> Iterator[Row]:
        """Yield a number with its note, below it if that leaves more room for the words."""
        row = _cell(number, self.noted)
        if not number.note or width(row) + 2 + cell_len(number.note) > self.cells:
            row = [(f"{number.label} ", "muted"), (number.value, "")]
        if width(row) > self.cells:
            yield from _labelled(number.label, number.value, self.cells, "muted")
            row = []
        room = self.cells - width(row) - 2
        if number.note and row and room < LEAST_NOTE:
            yield row
            row, room = [], self.cells - 2
        first, *more = wrapped(number.note, max(LEAST_NOTE, room), "")
        if row or first:
            yield [*row, (f"  {first}" if first else "", "muted")]
        yield from ([(f"  {line}", "muted")] for line in more)


def _length(number: Number) -> int:
    return cell_len(number.label) + 1 + cell_len(number.value)


def _fits(number: Number, cells: int) -> bool:
    return _length(number) <= cells


def _widest(numbers: Sequence[Number]) -> int:
    """Return the width of the longest number with its name; values that are too long don't count."""
    return max((_length(number) for number in numbers if cell_len(number.value) <= LONGEST_VALUE), default=0)


def _cell(number: Number, cells: int) -> list[Piece]:
    """Return a name, and its value at the end of the column, which has this many cells."""
    room = max(cell_len(number.value), cells - 1 - cell_len(number.label))
    return [(f"{number.label} ", "muted"), (fitted(number.value, room, right=True), "")]


def meter_row(meter: MeterColumn, level: Level, cells: int, shapes: Symbols, *, main: bool = True) -> Row:
    """Return a meter as `Life 39/52 ━━━━━━╸──`; the tone of the `main` meter shows how much is left."""
    label = titled(meter.label) if len(meter.label) > 3 else meter.label
    tone = health_tone(level) if main else ""
    figures: list[Piece] = [(f"{label} ", "strong"), (f"{figures_text(level)}  ", "")]
    if meter.style == "pips" and level.full <= cells:
        return [*figures, *pips(level, meter, shapes, tone)]
    return [*figures, *bar(level, cells, shapes, tone)]


def condition_rows(conditions: Sequence[ConditionLine]) -> Iterator[Row]:
    """Yield each condition with its value and end; a condition of the game also with its meaning."""
    for held in conditions:
        row: list[Piece] = [(held.label, held.tone), (f", {held.ends}", "muted")]
        yield [*row, (f"  {held.help}", "muted")] if held.help else row


def curve_cells(cells: int) -> int:
    """Return how many cells the plot of the first meter may have on a card."""
    return max(SHORTEST_CURVE, cells - BESIDE_BAR + SHORTEST_CURVE - BAR)


def _meters(
    card: Card, meters: Sequence[MeterColumn], cells: int, shapes: Symbols, curve: Row
) -> Iterator[Row]:
    """Yield a row for each meter; the plot of the first is next to it."""
    beside = BESIDE_BAR if cells >= LEAST_BESIDE else FIGURES
    long = max(SHORTEST_BAR, min(BAR, cells - beside))
    way: Row = [*curve, (GAP + SINCE, "muted")]
    for at, (meter, level) in enumerate(zip(meters, card.levels, strict=True)):
        if level is None:
            continue
        row = meter_row(meter, level, long, shapes, main=at == 0)
        if (over := width(row) - cells) > 0 and meter.style != "pips":
            row = meter_row(meter, level, max(SHORTEST_BAR, long - over), shapes, main=at == 0)
        if at or not curve:
            yield row
        elif width(row) + len(GAP) + width(way) <= cells:
            yield [*row, (GAP, ""), *way]
        else:
            yield from (row, way)


def _entry(name: str, rest: str, cells: int) -> Iterator[Row]:
    """Yield an entry such as a weapon; long text continues below."""
    yield from _labelled(name, f" {rest}" if rest else "", max(10, cells), "strong")


def _labelled(label: str, words: str, cells: int, tone: str) -> Iterator[Row]:
    """Yield words after their toned label; long text continues below."""
    first, *more = wrapped(f"{label} {words}".rstrip(), cells)
    yield [(first[: len(label)], tone), (first[len(label) :], "")]
    yield from ([(line, "")] for line in more)


def _wrapped_condition(row: Row, cells: int) -> list[Row]:
    """Return a condition on one row if it fits; otherwise its end and meaning continue below."""
    (label, tone), (ends, muted), *help = row
    if width(row) <= cells or cells - 2 < 10:
        return [row]
    first, *more = wrapped(f"{label}{ends}", cells)
    found: list[Row] = [[(first[: len(label)], tone), (first[len(label) :], muted)]]
    more += [f"  {line}" for text, _ in help for line in wrapped(text.strip(), cells - 2, "")]
    return [*found, *([(line, muted)] for line in more)]


def _state(card: Card, cells: int) -> list[Row]:
    """Return the status and other states, broken between words if they are too long for a row."""
    status = titled(card.status.text)
    first, *more = wrapped(" · ".join((status, card.side, *card.state)), cells)
    found: list[Row] = [[(first[: len(status)], card.status.tone), (first[len(status) :], "muted")]]
    return [*found, *([(line, "muted")] for line in more)]


def titled(word: str) -> str:
    """Return a text with a capital first letter and the rest unchanged."""
    return word[:1].upper() + word[1:]


def _flowed(parts: Sequence[Row], cells: int) -> list[Row]:
    """Return parts next to each other, as many to a row as fit."""
    rows: list[Row] = []
    for part in parts:
        if rows and width(rows[-1]) + 2 + width(part) <= cells:
            rows[-1] = [*rows[-1], ("  ", ""), *part]
        else:
            rows.append(list(part))
    return rows
