"""Paint meters on one line: a bar with its numbers, or pips, or the values through the fight."""

from collections.abc import Sequence

from rich.cells import cell_len

from systems.contract.display import Meter
from systems.encounter.history import History
from systems.encounter.model import Combatant
from systems.encounter.timeline import Timeline
from systems.text import plain_number
from systems.visibility.parts import Level, MeterColumn
from systems.visibility.rows import level_of
from tui.display.text import Piece
from tui.terminal.symbols import Symbols

MOST_PIPS = 10
# Fewer values than this say nothing that the meter itself does not.
LEAST_VALUES = 3


def health_tone(level: Level) -> str:
    """Return the tone: good above half, a warning above a quarter, danger below."""
    if level.now * 2 > level.full:
        return "good"
    return "warning" if level.now * 4 > level.full else "danger"


def figures_text(level: Level) -> str:
    """Return the numbers of a meter, such as `39/52`."""
    return f"{plain_number(level.now)}/{level.full}"


def bar(level: Level, cells: int, shapes: Symbols, tone: str) -> list[Piece]:
    """Return a thin bar of `cells` cells, in half steps.

    Anything above nothing shows at least one step, and anything below the maximum is never full.
    """
    steps = 2 * cells
    filled = round(steps * min(max(level.now, 0), level.full) / level.full) if level.full > 0 else 0
    if level.now > 0 and level.full > 0:
        filled = max(filled, 1)
    if level.now < level.full:
        filled = min(filled, steps - 1)
    whole, half = divmod(filled, 2)
    track = shapes.empty * (cells - whole - half)
    return [("━" * whole + "╸" * half, tone), (track, "track")]


def pips(level: Level, meter: MeterColumn, shapes: Symbols, tone: str) -> list[Piece]:
    """Return one symbol for each point of a meter."""
    solid, hollow = (meter.letter or meter.label[:1].upper() or "o", ".") if shapes.letters else meter.symbols
    held = min(max(level.now, 0), level.full)
    return [(solid * held, tone), (hollow * (level.full - held), "muted")]


def is_labelled(meter: MeterColumn) -> bool:
    """Return whether the label is needed: plain dots don't say what they are."""
    return meter.symbols == MeterColumn("").symbols


class Column:
    """One meter for all rows, so that their bars line up.

    `figures` and `most` are the widest numbers and the highest maximum of all rows; `bar` is the width of the
    first meter's bar. `cells` is the width of the whole column, 0 if no row has the meter.
    """

    def __init__(
        self, meter: MeterColumn, figures: int, most: int, first: bool, bar: int, shapes: Symbols
    ) -> None:
        self.meter, self.first, self.bar, self.shapes = meter, first, bar, shapes
        self.pips = meter.style == "pips" and most <= MOST_PIPS
        self.figures = figures
        label = "" if first and meter.style == "bar" else f"{meter.label} "
        self.label = label if not self.pips or is_labelled(meter) or shapes.letters else ""
        symbol = max(cell_len(symbol) for symbol in meter.symbols) if not shapes.letters else 1
        body = most * symbol if self.pips else self.figures + (1 + bar if first else 0)
        self.cells = (cell_len(self.label) + body) if figures else 0

    def pieces(self, level: Level | None) -> list[Piece]:
        """Return the meter of one combatant in `cells` cells, with one more in front if a sign needs it."""
        if level is None or not self.cells:
            return [(" " * self.cells, "")]
        tone = health_tone(level) if self.first else ""
        if self.pips:
            shown = [(self.label, "muted"), *pips(level, self.meter, self.shapes, tone)]
        else:
            figure = figures_text(level).rjust(self.figures)
            shown = [(self.label, "muted"), (figure, f"{tone} strong" if self.first else "")]
            if self.first:
                shown += [(" ", ""), *bar(level, self.bar, self.shapes, tone)]
        blank = self.cells - sum(cell_len(text) for text, _ in shown)
        return [*shown, (" " * blank, "")]


_HEIGHTS = ("track", "danger", "warning", "good")


def plot(values: Sequence[int], full: int, shapes: Symbols) -> tuple[Piece, ...]:
    """Return a thin upright bar for each value, as high as its tone is good."""
    pieces: list[Piece] = []
    for value in values:
        tone = health_tone(Level(value, full)) if value > 0 else "track"
        bar = shapes.heights[_HEIGHTS.index(tone)]
        if pieces and pieces[-1][1] == tone:
            bar = pieces.pop()[0] + bar
        pieces.append((bar, tone))
    return tuple(pieces)


def meter_curve(
    timeline: Timeline, log: History, combatant: Combatant, meter: Meter, cells: int, shapes: Symbols
) -> tuple[Piece, ...]:
    """Return the plot of a meter from the opening to now in at most `cells` cells.

    Returns nothing for too few values, and if nothing changed. `timeline`: the values of the log that were
    already read.
    """
    level = level_of(combatant, meter)
    if level is None:
        return ()
    values = timeline.sampled(log, combatant.id, meter.now, level.now, cells)
    is_plotted = len(values) >= LEAST_VALUES and len(set(values)) > 1
    return plot(values, level.full, shapes) if is_plotted else ()
