"""A page laid over the screen: help, odds in full, the reckoning behind a number. Any key goes on."""

from collections.abc import Sequence

from textual.strip import Strip

from tui.widgets.lines import Toned
from tui.widgets.text import Row, printable


class Panel(Toned):
    """Rows with a title, as high as they are; Up and Down move them when they do not fit."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.rows: Sequence[Row] = ()
        self.top = 0

    def open(self, title: str, rows: Sequence[Row]) -> None:
        self.rows, self.top = rows, 0
        self.border_title = printable(title).replace("[", "\\[")
        self.border_subtitle = "Esc closes"
        self.styles.height = len(rows) + 2
        self.display = True
        self.refresh(layout=True)

    def close(self) -> None:
        self.display = False

    def move(self, by: int) -> None:
        """Scroll by so many rows."""
        self.top = max(0, min(self.top + by, len(self.rows) - self.content_size.height))
        self.refresh()

    def render_line(self, y: int) -> Strip:
        at = y + self.top
        return self.painted(self.rows[at] if at < len(self.rows) else (), self.content_size.width)
