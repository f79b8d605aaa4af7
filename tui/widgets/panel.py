"""A page laid over the screen: keys, odds in full, the sum behind a number. Any key closes it."""

from collections.abc import Callable, Sequence

from textual.events import Key, MouseScrollDown, MouseScrollUp
from textual.geometry import Size
from textual.reactive import Reactive
from textual.strip import Strip

from tui.display.text import Row, printable
from tui.widgets.text_rows import Toned

LEAST_CELLS, BORDERS = 20, 4


class Panel(Toned):
    """Rows with a title, as high as they are; Up and Down move them when they do not fit."""

    # It scrolls by itself: another size of it is no reason to lay the screen out a second time.
    virtual_size = Reactive(Size(0, 0), layout=False, repaint=False)

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.rows: Sequence[Row] = ()
        self.top = 0
        self._cells = 0
        self._made: Callable[[int], Sequence[Row]] = lambda cells: ()

    def open(self, title: str, made: Callable[[int], Sequence[Row]]) -> None:
        """Show the rows that `made` makes for a width, also after that has become another."""
        self._made, self.top, self._cells = made, 0, 0
        self.border_title = printable(title).replace("[", "\\[")
        self.border_subtitle = "Up, Down · Esc closes"
        self.display = True
        self._make()
        self.refresh(layout=True)

    def _make(self) -> None:
        cells = max(LEAST_CELLS, self.app.size.width - BORDERS)
        if cells != self._cells:
            self._cells, self.rows = cells, self._made(cells)
            self.styles.height = len(self.rows) + 2

    def on_resize(self) -> None:
        if self.display:
            self._make()
            if self.top > max(0, len(self.rows) - self.content_size.height):
                self.move(0)

    def close(self) -> None:
        self.display = False

    def move(self, by: int) -> None:
        """Scroll by a number of rows."""
        self.top = max(0, min(self.top + by, len(self.rows) - self.content_size.height))
        self.refresh()

    def take(self, event: Key) -> bool:
        """Take a key while the page is open: it scrolls or closes. Any other closes it and returns False."""
        page = max(1, self.content_size.height - 1)
        by = {
            "up": -1,
            "down": 1,
            "pageup": -page,
            "pagedown": page,
            "home": -len(self.rows),
            "end": len(self.rows),
        }
        if event.key in by:
            self.move(by[event.key])
            return True
        self.close()
        return event.key in ("escape", "enter", "q")

    def on_mouse_scroll_down(self, event: MouseScrollDown) -> None:
        self.move(2)

    def on_mouse_scroll_up(self, event: MouseScrollUp) -> None:
        self.move(-2)

    def on_click(self) -> None:
        self.close()

    def render_line(self, y: int) -> Strip:
        at = y + self.top
        return self.painted(self.rows[at] if at < len(self.rows) else (), self.content_size.width)
