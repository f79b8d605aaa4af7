"""A list of any length with a cursor. Only visible lines are drawn."""

from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any

from textual import events
from textual.binding import Binding
from textual.geometry import Size
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from tui.display.text import Row, printable, under_cursor, wrapped
from tui.widgets.text_rows import NOT_SHOWN, Toned


class CursorList(Toned, ScrollView, can_focus=True):
    """Paints `row(index, cells)` for each of `count` rows. The cursor skips rows for which `stops` is false.

    `moved` is called as soon as the cursor moves, so that whatever depends on it is painted in the same
    frame. `chosen` is called by Enter and by a click on the row under the cursor. A message would arrive only
    after keys typed ahead.
    """

    DEFAULT_CSS = """
    CursorList {
        height: 1fr;
        scrollbar-size-vertical: 1;
        overflow-x: hidden;
        border-subtitle-color: $text-muted;
    }
    """
    BINDINGS = [
        Binding("up,k", "move(-1)", "up", show=False, tooltip="One line up.", id="rows.up"),
        Binding("down,j", "move(1)", "down", show=False, tooltip="One line down.", id="rows.down"),
        Binding("pageup", "page(-1)", "page up", show=False, tooltip="A page up.", id="rows.pageup"),
        Binding("pagedown", "page(1)", "page down", show=False, tooltip="A page down.", id="rows.pagedown"),
        Binding("home,g", "end(-1)", "first", show=False, tooltip="The first line.", id="rows.home"),
        Binding("end,G", "end(1)", "last", show=False, tooltip="The last line.", id="rows.end"),
        Binding("enter", "choose", "choose", show=False, tooltip="Take the line.", id="rows.choose"),
    ]

    cursor: reactive[int] = reactive(0, repaint=False)

    def __init__(
        self,
        *,
        moved: Callable[[int], None] | None = None,
        chosen: Callable[[], None] | None = None,
        id: str | None = None,
    ) -> None:
        super().__init__(id=id)
        self.moved, self.chosen = moved, chosen
        self._shown: Sequence[Any] = ()
        # Shown in a list without rows.
        self.empty = ""
        self._strips: dict[tuple[int, int, int], Strip] = {}
        self._showing = False

    @property
    def count(self) -> int:
        """Return the number of rows."""
        return len(self._shown)

    # What a subclass defines.

    def row(self, index: int, cells: int) -> Row:
        """Return one row; text that does not fit is cut."""
        raise NotImplementedError

    def stops(self, index: int) -> bool:
        """Return whether the cursor may be on this row."""
        return True

    def extent(self, index: int) -> int:
        """Return how many rows the item in this row occupies; the cursor covers all of them."""
        return 1

    # What a list does.

    def show_rows(self, cursor: int | None = None) -> None:
        """Redraw the visible rows after a change; the cursor moves to a row that allows it."""
        self._strips.clear()
        if self.virtual_size.height != self.count:
            self.virtual_size = Size(0, self.count)
        wanted = self.cursor if cursor is None else cursor
        found = self._nearest(max(0, min(wanted, self.count - 1)))
        moves = found != self.cursor
        # The rows have moved under an unmoved cursor: the caller shows whatever depends on it.
        self._showing = True
        self.cursor = found
        self._showing = False
        if not moves:
            self._keep_in_sight()
        self._tell_more()
        self.refresh()

    def _tell_more(self) -> None:
        """Show below the list how many rows are further down."""
        below = self.count - round(self.scroll_y) - self.size.height
        more = f"… {below} more" if below > 0 and self.size.height else ""
        if more != self.border_subtitle:
            self.border_subtitle = more

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        self._tell_more()

    def validate_cursor(self, cursor: int) -> int:
        return max(0, min(cursor, self.count - 1))

    def watch_cursor(self, old: int, new: int) -> None:
        if old < self.count:
            self.refresh_lines(old, self.extent(old))
        self.refresh_lines(new, self.extent(new))
        self._keep_in_sight()
        if self.moved is not None and not self._showing:
            self.moved(new)

    def _nearest(self, index: int) -> int:
        """Return this row or the nearest one that allows the cursor, looking down first."""
        index = max(0, index)
        for at in chain(range(index, min(self.count, index + 1_000)), range(index - 1, -1, -1)):
            if self._may_stop(at):
                return at
        return 0

    def _may_stop(self, index: int) -> bool:
        """Call `stops` for any index, even if the list has become shorter."""
        return 0 <= index < self.count and self.stops(index)

    def _keep_in_sight(self) -> None:
        height = self.size.height
        if not height:
            return
        top = self.scroll_offset.y
        # Keep a heading just above the cursor visible too.
        above = 1 if self.cursor and not self._may_stop(self.cursor - 1) and height > 2 else 0
        if self.cursor - above < top:
            self.scroll_to(y=self.cursor - above, animate=False, force=True)
        elif (last := min(self.cursor + self.extent(self.cursor), self.count)) > top + height:
            self.scroll_to(y=min(last - height, self.cursor), animate=False, force=True)

    def show_also(self, after: int) -> None:
        """Scroll so that `after` rows below the cursor are visible, as long as the cursor stays visible."""
        height, top = self.size.height, self.scroll_offset.y
        last = min(self.cursor + after, self.count - 1)
        if height and last >= top + height:
            self.scroll_to(y=min(last - height + 1, self.cursor), animate=False, force=True)

    def on_resize(self, event: events.Resize) -> None:
        self._strips.clear()
        self._keep_in_sight()
        self._tell_more()

    def action_move(self, by: int) -> None:
        at = self.cursor + by
        while 0 <= at < self.count and not self.stops(at):
            at += by
        if 0 <= at < self.count:
            self.cursor = at

    def action_page(self, by: int) -> None:
        step = max(1, self.size.height - 1)
        wanted = max(0, min(self.cursor + by * step, self.count - 1))
        found = self._nearest(wanted)
        if found == self.cursor:
            self.action_move(by)
        else:
            self.cursor = found

    def action_end(self, by: int) -> None:
        self.cursor = self._nearest(self.count - 1 if by > 0 else 0)

    # Whether Enter works in an empty list too, to fill it.
    FILLED_BY_ENTER = False

    def action_choose(self) -> None:
        if (self.count or self.FILLED_BY_ENTER) and self.chosen is not None:
            self.chosen()

    def on_click(self, event: events.Click) -> None:
        # A frame around the list is not a row.
        if (inside := event.get_content_offset(self)) is None:
            return
        index = inside.y + self.scroll_offset.y
        start = index
        while start > 0 and not self._may_stop(start):
            start -= 1
        if self._may_stop(start) and index < start + self.extent(start):
            index = start
        if not self._may_stop(index):
            return
        if index == self.cursor:
            self.action_choose()
        self.cursor = index

    def render_line(self, y: int) -> Strip:
        width = self.scrollable_content_region.width
        index = y + self.scroll_offset.y
        if index >= self.count:
            lines = wrapped(self.empty, max(10, width - 2), "") if not self.count else []
            says = lines[y] if y < len(lines) else ""
            return (
                self.painted([(f" {says}", "muted")], width) if says else Strip.blank(width, self.rich_style)
            )
        is_marked = self.cursor <= index < self.cursor + self.extent(self.cursor)
        state = 0 if not is_marked else 2 if self.has_focus else 1
        key = (index, width, state)
        if key not in self._strips:
            if len(self._strips) > 1_000:
                self._strips.clear()
            self._strips[key] = self._strip(index, width, ("", "dimmed", "cursor")[state])
        return self._strips[key]

    def _strip(self, index: int, cells: int, cursor: str) -> Strip:
        # These texts may come from files and seats, so remove control characters.
        row = [(printable(text), tones) for text, tones in self._safe_row(index, cells)]
        if not cursor:
            return self.painted(row, cells)
        return self.painted(under_cursor(row, cells, cursor), cells)

    def _safe_row(self, index: int, cells: int) -> Row:
        try:
            return self.row(index, cells)
        except Exception as error:  # noqa: BLE001 - the other rows are painted all the same
            self.report_painting_error(error)
            return [(NOT_SHOWN, "danger")]

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._strips.clear()
