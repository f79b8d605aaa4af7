"""The cards of a viewer's own characters, one below the other."""

from collections.abc import Sequence

from systems.visibility.view import View
from tui.display.card import card_rows
from tui.display.text import Row
from tui.terminal.symbols import Symbols

_WIDTHS = 4  # cached cards: one for the order's column, and one for the side column


class OwnCards:
    """Makes the rows of the cards, and makes them again when a character has changed."""

    def __init__(self) -> None:
        self._of: tuple[object, object] = ((), ())
        self._made: dict[int, Sequence[Row]] = {}
        self._needed: tuple[object, int] = ((), 0)

    def height(self, view: View, cells: int, shapes: Symbols) -> int:
        """Return the greatest number of rows that the cards have needed at this width."""
        shown = (cells, tuple(card.name for card in view.own))
        before = self._needed[1] if self._needed[0] == shown else 0
        self._needed = (shown, max(before, len(self.rows(view, cells, shapes))))
        return self._needed[1]

    def rows(self, view: View, cells: int, shapes: Symbols) -> Sequence[Row]:
        """Return all rows of the cards for a width."""
        shown = (view.own, view.meters)
        if shown != self._of:
            self._of, self._made = shown, {}
        if cells not in self._made:
            if len(self._made) > _WIDTHS:
                self._made.clear()
            self._made[cells] = [
                row
                for card in view.own
                for row in ([(card.name, "strong accent")], *card_rows(card, view.meters, cells, shapes))
            ]
        return self._made[cells]
