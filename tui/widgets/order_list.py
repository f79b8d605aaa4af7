"""The order of turns as a list with a cursor. Only visible rows are made."""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence

from textual.events import Click, MouseScrollDown, MouseScrollUp
from textual.message import Message

from systems.visibility.parts import MeterColumn, OrderRow
from tui.display.order import NO_FIGURES, WIDE_SCREEN, FallenRows, OrderPainter, Widths, folded_row, measured
from tui.display.text import Row
from tui.display.text import width as cells_of
from tui.terminal.symbols import symbols
from tui.widgets.text_rows import TextRows

KEPT_IN_SIGHT = 1
NOBODY = " No combatants yet: press Enter to add some from the roster."


class OrderList(TextRows):
    """The order of turns. `cursor` is an index into `rows`, and `keys` has the combatant of each row.

    A group that shares a turn is one row. It unfolds while it has the turn or the cursor.
    """

    class Moved(Message):
        """The mouse has moved the cursor."""

    def __init__(self, *, id: str | None = None, empty: str = NOBODY) -> None:
        super().__init__(self._order_rows, id=id)
        self.rows: Sequence[OrderRow] = ()
        self.keys: Sequence[str] = ()
        # The group of each row, "" for none; empty if there are no groups.
        self.groups: Sequence[str] = ()
        self.cursor = 0
        self.top = 0
        # While a prompt is open, the only bright row of the screen is in the prompt.
        self.is_dimmed = False
        # On the public screen, blank rows make the order readable from far away while it has the room.
        self.may_space = False
        # Shown while the order is empty.
        self.empty = empty
        # The keys of the characters whose seats are empty.
        self._away: frozenset[str] = frozenset()
        self._meters: Sequence[MeterColumn] = ()
        self._widths: Widths | None = None
        self._shapes = symbols()
        self._painter: OrderPainter | None = None
        # The number of combatants with a row of their own; the fallen come after them.
        self._standing = 0
        # The index of the row on each line; the row of each group, and of those folded now, by the index of
        # its first member.
        self._lines: Sequence[int] = ()
        self._folds: Mapping[int, OrderRow] = {}
        self._folded: Mapping[int, OrderRow] = {}
        self._fallen: FallenRows | None = None
        self._painted: dict[tuple[str, str], tuple[OrderRow, Row]] = {}

    @property
    def under_cursor(self) -> str:
        """Return the key of the row under the cursor, or "" if there is none."""
        return self.keys[self.cursor] if self.cursor < len(self.keys) else ""

    def show_rows(
        self,
        rows: Sequence[OrderRow],
        keys: Sequence[str],
        meters: Sequence[MeterColumn],
        cursor: str,
        groups: Sequence[str] = (),
    ) -> None:
        """Show these rows.

        The cursor goes to the row with this key, or stays in place if that row is gone.
        """
        if rows is not self.rows or meters is not self._meters:
            standing = len(rows) - sum(row.fallen for row in rows)
            self.groups = groups
            self._folds = {
                found[0]: folded_row([rows[at] for at in found])
                for found in (self._groups(standing) if groups else ())
            }
            # The columns of the game stay, except in another fight.
            is_same = self._widths is not None and not {*keys}.isdisjoint(self.keys)
            columns = self._widths.figures if self._widths is not None and is_same else NO_FIGURES
            widths = measured([*rows, *self._folds.values()], len(meters), columns)
            if widths != self._widths or meters != self._meters:
                self._painter = None
            self.rows, self.keys, self._meters, self._widths = rows, keys, meters, widths
            self._standing = standing
        self.put_cursor(cursor)
        self.show()

    def mark_empty(self, keys: frozenset[str]) -> None:
        """Mark the rows of players whose seats are empty."""
        if keys != self._away:
            self._away, self._painted = keys, {}
            self.show()

    def _groups(self, standing: int) -> Iterator[range]:
        """Yield the indexes of each group of two or more combatants that have not fallen."""
        at = 0
        while at < standing:
            end = at + 1
            while self.groups[at] and end < standing and self.groups[end] == self.groups[at]:
                end += 1
            if end - at > 1:
                yield range(at, end)
            at = end

    def _fold(self) -> None:
        """Set which row each line shows: a group without the turn and the cursor takes one line."""
        lines = [*range(self._standing)]
        folded: dict[int, OrderRow] = {}
        for members in self._groups(self._standing):
            if self.cursor not in members and not any(self.rows[at].turn for at in members):
                folded[members[0]] = self._folds[members[0]]
                lines = [at for at in lines if at == members[0] or at not in members]
        self._lines, self._folded = lines, folded

    def put_cursor(self, key: str) -> None:
        """Move the cursor to the row with this key; it stays in place if that row is gone."""
        at = self.keys.index(key) if key in self.keys else self.cursor
        self.cursor = max(0, min(at, len(self.keys) - 1))

    def move(self, by: int) -> None:
        """Move the cursor by a number of rows, up to the ends."""
        self.cursor = max(0, min(self.cursor + by, len(self.rows) - 1))
        self.show()

    def dim(self, is_dimmed: bool) -> None:
        """Dim the cursor while a prompt is open, or light it again."""
        if is_dimmed != self.is_dimmed:
            self.is_dimmed = is_dimmed
            self.show()

    def _order_rows(self, width: int, height: int) -> Sequence[Row]:
        if not self.rows:
            return [[], [(self.empty, "muted")]]
        self._lines, self._folded, self._fallen = range(self._standing), {}, None
        if self._folds:
            self._fold()
        fallen = self._fallen_rows(width, height) if self._standing < len(self.rows) else ()
        height -= len(fallen)
        scrolls = len(self._lines) > height
        painter = self._painter_for(width - scrolls)
        self._keep_in_sight(height)
        shown = [self._row(painter, at) for at in self._in_sight(height)]
        if scrolls:
            shown = [self._with_thumb(row, at, height, width) for at, row in enumerate(shown)]
        if self._is_spaced(height):
            shown = [line for row in shown for line in (row, [])][:height]
        return [*shown, *fallen]

    def _is_spaced(self, height: int) -> bool:
        """Return whether a blank row follows each row."""
        return self.may_space and 2 * len(self._lines) - 1 <= height

    @property
    def _tone(self) -> str:
        """Return the tone of the row under the cursor."""
        return "dimmed" if self.is_dimmed else "cursor"

    def _fallen_rows(self, width: int, height: int) -> Sequence[Row]:
        """Return the lines of the fallen: one, or more if the others leave them free."""
        room = min(height, max(1, height - len(self._lines)))
        at = self.cursor - self._standing
        self._fallen = FallenRows(self.rows[self._standing :], width, room, at)
        return self._fallen.rows(at, self._tone)

    def _in_sight(self, height: int) -> list[int]:
        """Return the indexes of the rows shown.

        The turn's row is always among them; if needed it replaces the nearest one.
        """
        seen = [*self._lines[self.top : self.top + height]]
        turn = next((at for at, row in enumerate(self.rows) if row.turn == "now"), None)
        if turn is not None and seen and turn not in seen and height > 2:
            seen[0 if turn < seen[0] else -1] = turn
        return seen

    def _painter_for(self, cells: int) -> OrderPainter:
        """Return the painter of the rows. Painted rows stay valid while the columns keep their places."""
        is_wide = self.app.size.width >= WIDE_SCREEN
        if self._painter is None or (self._painter.cells, self._painter.is_wide) != (cells, is_wide):
            assert self._widths is not None
            self._painter = OrderPainter(self._meters, self._widths, cells, self._shapes, is_wide=is_wide)
            self._painted = {}
        return self._painter

    def _row(self, painter: OrderPainter, at: int) -> Row:
        cursor = self._tone if at == self.cursor else ""
        key, row = (self.keys[at], cursor), self._folded.get(at) or self.rows[at]
        made = self._painted.get(key)
        if made is None or made[0] is not row:
            made = self._painted[key] = (row, painter.row(row, cursor, is_away=self.keys[at] in self._away))
        return made[1]

    def _keep_in_sight(self, height: int) -> None:
        lowest = max(0, len(self._lines) - height)
        near = min(KEPT_IN_SIGHT, (height - 1) // 2)
        at = bisect_right(self._lines, min(self.cursor, self._standing - 1)) - 1
        self.top = max(self.top, at - height + 1 + near)
        self.top = max(0, min(self.top, at - near, lowest))

    def _with_thumb(self, row: Row, at: int, height: int, width: int) -> Row:
        """Return the row with its part of the scroll bar in the last cell."""
        total = len(self._lines)
        size = max(1, height * height // total)
        start = round((height - size) * self.top / max(1, total - height))
        mark = "┃" if start <= at < start + size else " "
        blank = width - 1 - cells_of(row)
        return (*row, (" " * blank, ""), (mark, "muted"))

    def on_click(self, event: Click) -> None:
        # A frame around the order is not a row.
        if (inside := event.get_content_offset(self)) is None:
            return
        self.cursor = self._row_at(inside.x, inside.y)
        self.show()
        self.post_message(self.Moved())

    def _row_at(self, x: int, y: int) -> int:
        """Return the index of the row or entry at a place on the screen, or of the nearest one before it."""
        height = self.content_size.height - (len(self._fallen.lines) if self._fallen else 0)
        seen = self._in_sight(height)
        if self._is_spaced(height):
            y = y // 2 if y < 2 * len(seen) else y - len(seen)
        if y < len(seen) or self._fallen is None:
            return seen[y] if y < len(seen) else max(0, len(self.rows) - 1)
        return self._standing + self._fallen.index_at(x, y - len(seen))

    def on_mouse_scroll_down(self, event: MouseScrollDown) -> None:
        self.move(1)
        self.post_message(self.Moved())

    def on_mouse_scroll_up(self, event: MouseScrollUp) -> None:
        self.move(-1)
        self.post_message(self.Moved())
