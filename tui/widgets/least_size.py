"""A screen that says so where the terminal is too small for it, and then shows nothing else."""

from collections.abc import Sequence

from textual.geometry import Size

from tui.display.text import Row, wrapped
from tui.terminal.screen import BareScreen
from tui.widgets.text_rows import TextRows

LEAST = Size(60, 20)


class LeastSizeScreen(BareScreen):
    """A screen with classes for the sizes of terminals. Where it is too small keys should do nothing."""

    HORIZONTAL_BREAKPOINTS = [
        (0, "-small"),
        (LEAST.width, "-narrow"),
        (110, "-wide"),
    ]
    VERTICAL_BREAKPOINTS = [
        (0, "-low"),
        (LEAST.height, "-short"),
        (34, "-tall"),
        (52, "-towering"),
    ]

    def __init__(self) -> None:
        super().__init__()
        # Mounted when it is wanted: what is not there costs nothing at the start.
        self._too_small: TextRows | None = None

    @property
    def is_too_small(self) -> bool:
        """Whether the terminal shows nothing but that it is too small."""
        return self.app.size.width < LEAST.width or self.app.size.height < LEAST.height

    def on_resize(self) -> None:
        if not self.is_too_small:
            return
        if self._too_small is None:
            self._too_small = TextRows(self._too_small_rows, id="too-small")
            self.mount(self._too_small)
        self._too_small.show()

    def _too_small_rows(self, width: int, height: int) -> Sequence[Row]:
        size = self.app.size
        wanted = f"{LEAST.width} columns and {LEAST.height} lines"
        text = f"This terminal is {size.width}x{size.height}: {wanted} are needed. Make it larger."
        return [[(line, "warning")] for line in wrapped(text, max(1, width), "")]
