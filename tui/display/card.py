"""A combatant on a card: all that matters of it in a few lines, for whatever width there is."""

from collections.abc import Iterator, Sequence

from rich.cells import cell_len

from systems.text import plain_number
from systems.visibility.parts import Card, ConditionLine, Level, MeterColumn
from tui.display.meters import bar, figures_text, health_tone, pips
from tui.display.text import Piece, Row, cut_row, printable, width, wrapped
from tui.terminal.symbols import Symbols

BAR = 20
WIDE = 48


def card_rows(
    card: Card, meters: Sequence[MeterColumn], cells: int, shapes: Symbols, curve: str = ""
) -> list[Row]:
    """Return the card of one combatant: meters, status, worked-out figures, sheet, conditions, notes.

    `curve`: the plot of the first meter, where there is one.
    """
    found: list[Row] = [*_meters(card, meters, cells, shapes, curve), _state(card)]
    found += flowed([[(mark.text, mark.tone)] for mark in card.marks], cells)
    found += flowed(_figures(card), cells)
    found += flowed([[(f"{label} ", "muted"), (text, "")] for label, text in card.fields], cells)
    if card.this_turn:
        turn = [[(f"{label} ", "muted"), (text, "")] for label, text in card.this_turn]
        found += flowed([[("This turn", "strong")], *turn], cells)
    found += [[(name, "strong"), (f"  {rest}" if rest else "", "")] for name, rest in card.entries]
    for row in condition_rows(card.conditions):
        found += _wrapped_help(row, cells)
    if card.notes:
        found += [[(line, "muted")] for line in wrapped(card.notes, max(8, cells - 2))]
    return [cut_row([(printable(text), tones) for text, tones in row], cells) for row in found]


def meter_row(meter: MeterColumn, level: Level, cells: int, shapes: Symbols, *, main: bool = True) -> Row:
    """Return a meter as `Life 39/52  ━━━━━━╸──`; the tone of the `main` meter tells how much is left."""
    label = titled(meter.label) if len(meter.label) > 3 else meter.label
    tone = health_tone(level) if main else ""
    figures: list[Piece] = [(f"{label} ", "strong"), (f"{figures_text(level)}  ", "")]
    if meter.style == "pips" and level.full <= cells:
        return [*figures, *pips(level, meter, shapes, tone)]
    return [*figures, *bar(level, cells, shapes, tone)]


def condition_rows(conditions: Sequence[ConditionLine]) -> Iterator[Row]:
    """Return each condition with its value and when it ends; a game's own with what it means."""
    for held in conditions:
        row: list[Piece] = [(held.label, held.tone), (f", {held.ends}", "muted")]
        yield [*row, (f"  {held.help}", "muted")] if held.help else row


def _meters(
    card: Card, meters: Sequence[MeterColumn], cells: int, shapes: Symbols, curve: str
) -> Iterator[Row]:
    for at, (meter, level) in enumerate(zip(meters, card.levels, strict=True)):
        if level is None:
            continue
        yield meter_row(meter, level, max(5, min(BAR, cells - 18)), shapes, main=at == 0)
        if at == 0 and curve:
            yield [(curve, "muted"), ("  since the fight began", "muted")]


def _wrapped_help(row: Row, cells: int) -> list[Row]:
    """A row whose last piece goes on below where it does not fit."""
    *head, (help, tone) = row
    used = width(head)
    if used + cell_len(help) <= cells or not help.startswith("  ") or cells - 2 < 10:
        return [row]
    return [head, *([("  ", ""), (line, tone)] for line in wrapped(help.strip(), cells - 2, ""))]


def _state(card: Card) -> Row:
    rest = (card.side, *card.state)
    return [(titled(card.status.text), card.status.tone), (" · " + " · ".join(rest), "muted")]


def _figures(card: Card) -> list[Row]:
    """The worked-out numbers, each with its note."""
    return [
        [
            (f"{figure.label} ", "muted"),
            (plain_number(figure.value), ""),
            (f" ({figure.note})" if figure.note else "", "muted"),
        ]
        for figure in card.figures
    ]


def titled(word: str) -> str:
    """With a capital at the beginning, the rest as it is."""
    return word[:1].upper() + word[1:]


def flowed(parts: Sequence[Row], cells: int) -> list[Row]:
    """Parts side by side at two or three stops, as many to a row as there is room for."""
    stop = max(1, cells // (3 if cells >= WIDE else 2))
    rows: list[Row] = []
    for part in parts:
        used = width(rows[-1]) if rows else cells
        begin = -(-(used + 2) // stop) * stop
        if begin + width(part) <= cells:
            rows[-1] = [*rows[-1], (" " * (begin - used), ""), *part]
        else:
            rows.append(list(part))
    return rows
