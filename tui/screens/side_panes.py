"""The rows of the panes next to and below the order of a wide screen: the card, and the recap so far."""

from collections.abc import Sequence

from systems.encounter.model import Combatant
from systems.encounter.so_far import SoFar
from systems.visibility.card import CardCache
from systems.visibility.parts import meter_columns
from tui.display.card import card_rows, curve_cells
from tui.display.meters import meter_curve
from tui.display.so_far import so_far_rows
from tui.display.text import Row
from tui.session.session import Session
from tui.terminal.symbols import symbols

# Events that the recap reads before each paint.
READ_AT_ONCE = 100


class SidePanes:
    """Makes the rows, and keeps what was made until something on it changes."""

    def __init__(self) -> None:
        self._cards = CardCache()
        # The last card, with everything it was made from.
        self._card: tuple[object, Sequence[Row]] | None = None
        self._so_far: tuple[Session, SoFar] | None = None

    def card(self, session: Session, combatant: Combatant, width: int) -> Sequence[Row]:
        """Return all rows of a combatant's card."""
        game, curve = session.game, ""
        if game.meters:
            meter, cells = game.meters[0], curve_cells(width)
            curve = meter_curve(session.curves, session.log, combatant, meter, cells)
        shown = self._cards.card(session.encounter, combatant)
        key = (shown, game.meters, width, curve)
        if self._card is None or self._card[0] != key:
            rows = card_rows(shown, meter_columns(game.meters), width, symbols(), curve)
            self._card = (key, rows)
        return self._card[1]

    def recap(self, session: Session, width: int, height: int) -> tuple[Sequence[Row], bool]:
        """Return the rows of the recap so far, and whether it has read the whole fight."""
        if self._so_far is None or self._so_far[0] is not session:
            self._so_far = (session, SoFar(session.game.harm_fields))
        so_far = self._so_far[1]
        is_read = so_far.follow(session.log, READ_AT_ONCE)
        return so_far_rows(so_far.totals, session.encounter, width, height, symbols()), is_read
