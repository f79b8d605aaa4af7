"""The recap so far, below the order of a wide screen, and the likely next actions."""

from collections.abc import Callable, Sequence

from systems.encounter.so_far import SoFar
from tui.display.so_far import so_far_rows
from tui.display.text import Row
from tui.session.session import Session
from tui.terminal.symbols import symbols
from tui.widgets.text_rows import TextRows

# Events that are read before each paint, and the seconds until the next part of a long fight.
READ_AT_ONCE, NEXT_PART = 100, 0.02


class SoFarPane(TextRows):
    """The points that each combatant dealt and lost.

    `session`: returns the open fight, or None. `coming`: returns rows for a number of cells, which are shown
    below if there is room for all of them.
    """

    def __init__(
        self, session: Callable[[], Session | None], coming: Callable[[int], Sequence[Row]] = lambda cells: ()
    ) -> None:
        super().__init__(self._so_far_rows, id="so-far")
        self.border_title = "So far"
        self._session, self._coming = session, coming
        self._followed: tuple[Session, SoFar] | None = None

    def _so_far_rows(self, width: int, height: int) -> Sequence[Row]:
        session = self._session()
        if session is None:
            return []
        if self._followed is None or self._followed[0] is not session:
            self._followed = (session, SoFar(session.game.harm_fields))
        so_far = self._followed[1]
        if not so_far.follow(session.log, READ_AT_ONCE):
            self.set_timer(NEXT_PART, self.show)
        found = so_far_rows(so_far.totals, session.encounter, width, height, symbols())
        coming = self._coming(width)
        room = height - len(found) - len(coming)
        return [*found, *([()] * room), *coming] if coming and room >= 0 else found
