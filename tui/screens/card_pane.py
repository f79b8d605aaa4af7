"""The rows of the card next to the order of a wide screen."""

from collections.abc import Sequence

from systems.encounter.model import Combatant
from systems.visibility.card import CardCache
from systems.visibility.parts import meter_columns
from tui.display.card import card_rows, curve_cells
from tui.display.meters import meter_curve
from tui.display.text import Row
from tui.session.session import Session
from tui.terminal.symbols import symbols


class CardPane:
    """Makes the rows of a card, and keeps them until something on it changes."""

    def __init__(self) -> None:
        self._cards, self._shapes = CardCache(), symbols()
        # The last card, with everything it was made from.
        self._card: tuple[object, Sequence[Row]] | None = None

    def rows(
        self, session: Session, combatant: Combatant, width: int, danger: Sequence[Row] = ()
    ) -> Sequence[Row]:
        """Return all rows of a combatant's card. `danger`: those about its danger."""
        game = session.game
        curve: Row = ()
        if game.meters:
            meter, cells = game.meters[0], curve_cells(width)
            curve = meter_curve(session.curves, session.log, combatant, meter, cells, self._shapes)
        shown = self._cards.card(session.encounter, combatant)
        key = (shown, game.meters, width, curve, danger)
        if self._card is None or self._card[0] != key:
            rows = card_rows(shown, meter_columns(game.meters), width, self._shapes, curve, danger)
            self._card = (key, rows)
        return self._card[1]
