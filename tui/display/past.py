"""Paint the table after an earlier event: the order with values and conditions, in rows for a page."""

from systems.encounter.history import History
from systems.encounter.model import Encounter
from systems.visibility.parts import meter_columns
from systems.visibility.rows import row_maker
from tui.display.order import OrderPainter, measured
from tui.display.text import Row, printable, wrapped
from tui.terminal.symbols import symbols


def past_title(encounter: Encounter, number: int) -> str:
    """Return the title of the page: `After event 12, round 2, Okado's turn`."""
    turn = f", {encounter.turn.name}'s turn" if encounter.turn else ""
    when = f"round {encounter.progress.round}{turn}" if encounter.progress.round else "before the fight"
    return printable(f"After event {number}, {when}")


def past_rows(before: Encounter, log: History, number: int, cells: int) -> list[Row]:
    """Return the event's own line, and all combatants at that moment, in the order of turns."""
    maker = row_maker(before)
    rows = [maker.row(combatant) for combatant in before.in_line()]
    meters = meter_columns(before.game.meters)
    painter = OrderPainter(meters, measured(rows, len(meters)), cells, symbols())
    told = wrapped(printable(log.as_amended[number - 1].text), cells)
    return [*([(line, "muted")] for line in told), [], *(painter.row(row) for row in rows)]
