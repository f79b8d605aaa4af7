"""The order of turns as a list with a cursor. It costs what is visible, however many fight."""

from collections.abc import Sequence

from textual.events import Click, MouseScrollDown, MouseScrollUp
from textual.message import Message

from systems.encounter.model import Combatant, Encounter
from tui.display.order import Measures, OrderRows
from tui.display.text import Row
from tui.display.text import width as cells_of
from tui.terminal.symbols import symbols
from tui.widgets.lines import Lines

KEPT_IN_SIGHT = 1


def in_line(encounter: Encounter) -> Sequence[Combatant]:
    """The turn order, then those who wait or come later."""
    progress, people = encounter.progress, encounter.combatants
    ordered = set(progress.order)
    return [people[one] for one in (*progress.order, *(one for one in progress.ids if one not in ordered))]


class OrderList(Lines):
    """The order; `cursor` is the place of the cursor, `everybody` those listed."""

    class Moved(Message):
        """The mouse has moved the cursor."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(self._order_rows, id=id)
        self.everybody: Sequence[Combatant] = ()
        self.cursor = 0
        self.top = 0
        self._encounter: Encounter | None = None
        self._shapes = symbols()
        self._widest = Measures()
        self._rows_of: OrderRows | None = None
        self._shared: object = None
        self._made: dict[tuple[str, bool, str | None], tuple[Combatant, Row]] = {}

    @property
    def under_cursor(self) -> Combatant | None:
        """The combatant under the cursor."""
        return self.everybody[self.cursor] if self.cursor < len(self.everybody) else None

    def show_encounter(self, encounter: Encounter | None, cursor: str) -> None:
        """Show this encounter, the cursor on that combatant, or where it was when it is gone."""
        if encounter is not self._encounter:
            self._encounter = encounter
            self.everybody = in_line(encounter) if encounter else ()
            self._rows_of = None
        self.put_cursor(cursor)
        self.show()

    def put_cursor(self, who: str) -> None:
        """The cursor on that combatant, or where it was when it is gone."""
        at = next((at for at, one in enumerate(self.everybody) if one.id == who), self.cursor)
        self.cursor = max(0, min(at, len(self.everybody) - 1))

    def move(self, by: int) -> None:
        """Move the cursor by so many rows, up to the ends."""
        self.cursor = max(0, min(self.cursor + by, len(self.everybody) - 1))
        self.show()

    def _order_rows(self, width: int, height: int) -> Sequence[Row]:
        if self._encounter is None:
            return []
        if not self.everybody:
            return [[], [(" Nobody is here yet: + adds somebody from the roster.", "muted")]]
        scrolls = len(self.everybody) > height
        rows = self._maker(self._encounter, width - scrolls)
        self._keep_in_sight(height)
        seen = self.everybody[self.top : self.top + height]
        shown = [self._row(rows, one, self.top + at == self.cursor) for at, one in enumerate(seen)]
        return (
            [self._with_thumb(row, at, height, width) for at, row in enumerate(shown)] if scrolls else shown
        )

    def _maker(self, encounter: Encounter, cells: int) -> OrderRows:
        """What makes the rows; those made before stay good while nothing that all rows share has changed."""
        if self._rows_of is None or self._rows_of.cells != cells:
            self._widest.take(encounter, self.everybody)
            rows = OrderRows(encounter, self._widest, cells, self._shapes)
            if rows.shared != self._shared:
                self._made, self._shared = {}, rows.shared
            self._rows_of = rows
        return self._rows_of

    def _row(self, rows: OrderRows, one: Combatant, is_cursor: bool) -> Row:
        key = (one.id, is_cursor, rows.turns.get(one.id))
        made = self._made.get(key)
        if made is None or made[0] is not one:
            made = self._made[key] = (one, rows.row(one, is_cursor))
        return made[1]

    def _keep_in_sight(self, height: int) -> None:
        lowest = max(0, len(self.everybody) - height)
        near = min(KEPT_IN_SIGHT, (height - 1) // 2)
        self.top = max(self.top, self.cursor - height + 1 + near)
        self.top = max(0, min(self.top, self.cursor - near, lowest))

    def _with_thumb(self, row: Row, at: int, height: int, width: int) -> Row:
        """The row with its piece of the scroll bar in the last cell."""
        total = len(self.everybody)
        size = max(1, height * height // total)
        start = round((height - size) * self.top / max(1, total - height))
        mark = self._shapes.thumb if start <= at < start + size else " "
        blank = width - 1 - cells_of(row)
        return (*row, (" " * blank, ""), (mark, "muted"))

    def on_click(self, event: Click) -> None:
        self.cursor = max(0, min(self.top + event.y, len(self.everybody) - 1))
        self.show()
        self.post_message(self.Moved())

    def on_mouse_scroll_down(self, event: MouseScrollDown) -> None:
        self.move(1)
        self.post_message(self.Moved())

    def on_mouse_scroll_up(self, event: MouseScrollUp) -> None:
        self.move(-1)
        self.post_message(self.Moved())
