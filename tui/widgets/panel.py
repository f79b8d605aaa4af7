"""A page over the screen: keys, full odds, the terms of a number. Any key closes it.

A page with a search field is closed only by Escape.
"""

from collections.abc import Callable, Sequence

from textual.events import Click, Key, MouseScrollDown, MouseScrollUp
from textual.geometry import Size
from textual.reactive import Reactive
from textual.strip import Strip
from textual.widget import Widget

from tui.display.text import Row, printable
from tui.widgets.text_rows import Toned

LEAST_CELLS, BORDERS = 20, 4
_TURNS = {"up": -1, "left": -1, "down": 1, "right": 1}
EDGES = 2  # the page's own lines above and below; every pane leaves as many lines below it


def _nothing() -> None:
    """Do nothing when a page closes."""


class Panel(Toned):
    """Rows with a title, as high as its content. Up and Down scroll them if they do not fit."""

    # The page scrolls by itself, so its size never requires a new layout of the screen.
    virtual_size = Reactive(Size(0, 0), layout=False, repaint=False)

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.rows: Sequence[Row] = ()
        self.top = 0
        self._cells = 0
        self._title = ""
        # The widget that it covers; None for the lower part of the screen.
        self._over: Widget | None = None
        # The search text; None if typing closes the page.
        self._sought: str | None = None
        self._made: Callable[[int], Sequence[Row]] = lambda cells: ()
        # Opens the previous or next page; None for a single page.
        self._turned: Callable[[int], None] | None = None
        self._after_close: Callable[[], None] = _nothing

    def open(
        self,
        title: str,
        made: Callable[[int], Sequence[Row]],
        over: Widget | None = None,
        *,
        turned: Callable[[int], None] | None = None,
        closed: "Callable[[], None] | None" = None,
    ) -> None:
        """Show the rows that `made` returns for a width, now and after a resize.

        `over` is the widget that the page covers, by default as much of the lower part of the screen as it
        needs. `turned` opens the previous page (-1) or the next one (1); the arrows call it. `closed` is
        called when the page closes, or another one takes its place.
        """
        self._leave()
        self._after_close = closed or _nothing
        self._made, self._over, self._sought, self._turned = made, over, None, turned
        self._open(title)

    def open_finder(self, title: str, made: Callable[[int, str], Sequence[Row]]) -> None:
        """Show the rows that `made` returns for a width and the search text."""
        self._leave()
        self._made, self._over, self._sought = lambda cells: made(cells, self._sought or ""), None, ""
        self._turned = None
        self._open(title)

    def _open(self, title: str) -> None:
        self._title, self.top, self._cells = printable(title).replace("[", "\\["), 0, 0
        self.border_title = self._title
        self.display = True
        self._make()
        self.move(0)
        self.refresh(layout=True)

    def _find(self, typed: str) -> None:
        """Show the rows that match the search text; the page keeps its height."""
        self._sought = typed
        self.border_title = f"{self._title}: {typed.replace('[', chr(92) + '[')}" if typed else self._title
        self.rows = self._made(self._cells)
        self.move(-len(self.rows) - self.top)

    def _make(self) -> None:
        place = self._over.region if self._over is not None and self._over.display else None
        self.set_class(place is not None, "-aside")
        cells = max(LEAST_CELLS, (place.width if place else self.app.size.width) - BORDERS)
        if cells != self._cells:
            self._cells, self.rows = cells, self._made(cells)
        wanted = len(self.rows) + EDGES
        if place is not None:
            # It may extend below its pane if it has more rows.
            lowest = self.app.size.height - place.y - EDGES
            self.styles.offset, self.styles.width = (place.x, place.y), place.width
            self.styles.height = max(place.height, min(wanted, lowest))
        else:
            self.styles.offset, self.styles.width = (0, 0), "100%"
            # A search result has fewer rows than the whole; the page keeps its height.
            self.styles.height = wanted if not self._sought else self.outer_size.height

    def on_resize(self) -> None:
        if self.display:
            self._make()
            self.move(0)

    def renew(self) -> None:
        """Make the rows again after a change in their content."""
        self._cells = 0
        self._make()
        self.move(0)

    def close(self) -> None:
        self.display = False
        self._leave()

    def _leave(self) -> None:
        """Tell the owner of the page that it is no longer shown."""
        closed, self._after_close = self._after_close, _nothing
        closed()

    def move(self, by: int) -> None:
        """Scroll by a number of rows, and show how many are below the visible ones."""
        height = self.content_size.height
        self.top = max(0, min(self.top + by, len(self.rows) - height))
        below = len(self.rows) - self.top - height
        keys = "Up, Down · " if len(self.rows) > height else ""
        scrolls = ""
        if self._turned is not None:
            keys, scrolls = "Up, Down: others · ", ": Page Down"
        keys += "type to find · " if self._sought is not None else ""
        self.border_subtitle = f"{f'… {below} more{scrolls} · ' if below > 0 else ''}{keys}Esc closes"
        self.refresh()

    def take(self, event: Key) -> bool:
        """Handle a key of an open page: turn, scroll, search or close.

        Return False if the key is for the screen.
        """
        if self._turned is not None and event.key in _TURNS:
            self._turned(_TURNS[event.key])
            return True
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
        if self._sought is not None and self._take_typed(self._sought, event):
            return True
        self.close()
        return event.key in ("escape", "enter", "q", "question_mark", "f1")

    def _take_typed(self, sought: str, event: Key) -> bool:
        """Handle a key that edits the search text."""
        if event.key == "question_mark" and not sought:
            return False
        if event.key in ("backspace", "ctrl+h"):
            self._find(sought[:-1])
        elif event.character is not None and event.character.isprintable():
            self._find(sought + event.character)
        else:
            return False
        return True

    def on_mouse_scroll_down(self, event: MouseScrollDown) -> None:
        event.stop()
        self.move(2)

    def on_mouse_scroll_up(self, event: MouseScrollUp) -> None:
        event.stop()
        self.move(-2)

    def on_click(self, event: Click) -> None:
        event.stop()
        self.close()

    def render_line(self, y: int) -> Strip:
        at = y + self.top
        return self.painted(self.rows[at] if at < len(self.rows) else (), self.content_size.width)
