"""Meters on one line: a bar with its figures, or pips."""

from typing import Any

from rich.cells import cell_len

from systems.contract.ruleset import Meter
from systems.text import plain_number
from tui.display.text import Piece, fitted
from tui.terminal.symbols import Symbols

MOST_PIPS = 10


def health_tone(now: int, full: int) -> str:
    """Good above half, a warning above a quarter, danger below."""
    if now * 2 > full:
        return "good"
    return "warning" if now * 4 > full else "danger"


def figures_text(sheet: Any, meter: Meter) -> str:
    """`39/52`, or nothing."""
    found = meter.of(sheet)
    return f"{plain_number(found[0])}/{found[1]}" if found else ""


def bar(now: int, full: int, cells: int, shapes: Symbols, tone: str) -> list[Piece]:
    """A bar of `cells` cells; what is left of something shows at least one of them, and never all."""
    filled = round(cells * min(max(now, 0), full) / full) if full > 0 else 0
    if now > 0:
        filled = max(filled, 1)
    if now < full:
        filled = min(filled, cells - 1)
    return [(shapes.full * filled, tone), (shapes.empty * (cells - filled), "muted")]


def pips(now: int, full: int, meter: Meter, shapes: Symbols, tone: str) -> list[Piece]:
    """A symbol for each point."""
    solid, hollow = (meter.letter or meter.label[:1].upper() or "o", ".") if shapes.letters else meter.symbols
    held = min(max(now, 0), full)
    return [(solid * held, tone), (hollow * (full - held), "muted")]


def is_labelled(meter: Meter) -> bool:
    """Whether the label is needed: the common dots do not say what they are."""
    return meter.symbols == Meter("", "", "").symbols


def measured(sheet: Any, meter: Meter) -> tuple[int, int]:
    """How wide the figures of a sheet are, and their maximum; 0 and 0 where it has none."""
    found = meter.of(sheet)
    return (cell_len(figures_text(sheet, meter)), found[1]) if found else (0, 0)


class Column:
    """One meter for everybody, so that the bars of all rows line up.

    `cells` and `most` are the widest figures and the highest maximum of those listed.
    """

    def __init__(self, meter: Meter, cells: int, most: int, first: bool, bar: int, shapes: Symbols) -> None:
        self.meter, self.first, self.bar, self.shapes = meter, first, bar, shapes
        self.pips = meter.style == "pips" and most <= MOST_PIPS
        self.figures = cells
        label = "" if first and meter.style == "bar" else f"{meter.label} "
        self.label = label if not self.pips or is_labelled(meter) or shapes.letters else ""
        symbol = max(cell_len(one) for one in meter.symbols) if not shapes.letters else 1
        body = most * symbol if self.pips else self.figures + (2 + bar if first else 0)
        self.cells = (cell_len(self.label) + body) if cells else 0

    def pieces(self, sheet: Any) -> list[Piece]:
        """The meter of one sheet in exactly `cells` cells."""
        found = self.meter.of(sheet)
        if found is None or not self.cells:
            return [(" " * self.cells, "")]
        tone = health_tone(*found) if self.first else "accent"
        if self.pips:
            shown = [(self.label, "muted"), *pips(*found, self.meter, self.shapes, tone)]
        else:
            figure = fitted(figures_text(sheet, self.meter), self.figures, right=True)
            shown = [(self.label, "muted"), (figure, f"{tone} strong" if self.first else "")]
            if self.first:
                shown += [("  ", ""), *bar(*found, self.bar, self.shapes, tone)]
        blank = self.cells - sum(cell_len(text) for text, _ in shown)
        return [*shown, (" " * blank, "")]
