"""A page laid over the screen: keys, odds in full, the sum behind a number. Any key closes it."""

from collections.abc import Callable, Sequence

from textual.events import Key, MouseScrollDown, MouseScrollUp
from textual.geometry import Size
from textual.reactive import Reactive
from textual.strip import Strip
from textual.widget import Widget

from tui.display.text import Row, printable
from tui.widgets.text_rows import Toned

LEAST_CELLS, BORDERS = 20, 4
EDGES = 2  # its own lines above and below; as many lines stand under every pane


class Panel(Toned):
    """Rows with a title, as high as they are; Up and Down move them when they do not fit."""

    # It scrolls by itself: another size of it is no reason to lay the screen out a second time.
    virtual_size = Reactive(Size(0, 0), layout=False, repaint=False)

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.rows: Sequence[Row] = ()
        self.top = 0
        self._cells = 0
        self._over: Widget | None = None
        self._made: Callable[[int], Sequence[Row]] = lambda cells: ()

    def open(self, title: str, made: Callable[[int], Sequence[Row]], over: Widget | None = None) -> None:
        """Show the rows that `made` makes for a width, also after that has become another.

        `over`: the widget that the page covers, by default the lower part of the screen as far as need be.
        """
        self._made, self._over, self.top, self._cells = made, over, 0, 0
        self.border_title = printable(title).replace("[", "\\[")
        self.display = True
        self._make()
        self.refresh(layout=True)

    def _make(self) -> None:
        place = self._over.region if self._over is not None and self._over.display else None
        self.set_class(place is not None, "-aside")
        cells = max(LEAST_CELLS, (place.width if place else self.app.size.width) - BORDERS)
        if cells != self._cells:
            self._cells, self.rows = cells, self._made(cells)
        wanted = len(self.rows) + EDGES
        if place is None:
            self.styles.offset, self.styles.width, self.styles.height = (0, 0), "100%", wanted
        else:
            # It goes on below its pane as far as it has rows.
            lowest = self.app.size.height - place.y - EDGES
            self.styles.offset, self.styles.width = (place.x, place.y), place.width
            self.styles.height = max(place.height, min(wanted, lowest))

    def on_resize(self) -> None:
        if self.display:
            self._make()
            self.move(0)

    def close(self) -> None:
        self.display = False

    def move(self, by: int) -> None:
        """Scroll by a number of rows, and say how many are below those in sight."""
        height = self.content_size.height
        self.top = max(0, min(self.top + by, len(self.rows) - height))
        below = len(self.rows) - self.top - height
        keys = "Up, Down · " if len(self.rows) > height else ""
        self.border_subtitle = f"{f'… {below} more · ' if below > 0 else ''}{keys}Esc closes"
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
