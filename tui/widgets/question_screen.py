"""Screens with prompts: the rows and keys of the open prompt, the mouse, and the minimum size."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.events import Click, Key, MouseEvent, MouseScrollDown, MouseScrollUp
from textual.geometry import Size

from tui.display.frame import footer_row, key_at
from tui.display.order import WIDE_SCREEN
from tui.display.text import Row, printable, wrapped
from tui.services import OpenPrompt, Services
from tui.settings.key_names import pressed_key
from tui.terminal.screen import BareScreen
from tui.widgets.text_rows import TextRows

if TYPE_CHECKING:
    from tui.widgets.panel import Panel

LEAST = Size(60, 20)


class LeastSizeScreen(BareScreen):
    """A screen with CSS classes for terminal sizes. If the terminal is too small, keys should do nothing."""

    HORIZONTAL_BREAKPOINTS = [
        (0, "-small"),
        (LEAST.width, "-narrow"),
        (WIDE_SCREEN, "-wide"),
    ]
    VERTICAL_BREAKPOINTS = [
        (0, "-low"),
        (LEAST.height, "-short"),
        (34, "-tall"),
        (52, "-towering"),
    ]

    def __init__(self) -> None:
        super().__init__()
        # Mounted on demand, so that it costs nothing at the start.
        self._too_small: TextRows | None = None

    @property
    def least(self) -> Size:
        """Return the smallest size of a terminal that this screen can use."""
        return LEAST

    @property
    def is_too_small(self) -> bool:
        """Return whether the terminal is too small to show anything else."""
        size, least = self.app.size, self.least
        return size.width < least.width or size.height < least.height

    def on_resize(self) -> None:
        if not self.is_too_small:
            return
        if self._too_small is None:
            self._too_small = TextRows(self._too_small_rows, id="too-small")
            self.mount(self._too_small)
        self._too_small.show()

    def _too_small_rows(self, width: int, height: int) -> Sequence[Row]:
        size = self.app.size
        wanted = f"{self.least.width} columns and {self.least.height} lines"
        text = f"This terminal is {size.width}x{size.height}: {wanted} are needed. Make it larger."
        return [[(line, "warning")] for line in wrapped(text, max(1, width), "")]


class QuestionScreen(LeastSizeScreen):
    """A screen with prompts. `dock` shows the services' open prompt, `keys` the keys that can be pressed.

    `resting_rows` and `resting_keys` are shown while no prompt is open.
    """

    services: Services
    dock: TextRows
    keys: TextRows
    # How many rows of the dock are above the prompt.
    above_question = 0

    def __init__(self) -> None:
        super().__init__()
        # Mounted on demand, so that it costs nothing at the start.
        self._panel: Panel | None = None
        # The last prompt, and the highest number of rows that it has needed.
        self._asked: tuple[OpenPrompt | None, int] = (None, 0)

    @property
    def panel(self) -> "Panel":
        """Return the page over the screen."""
        if self._panel is None:
            from tui.widgets.panel import Panel

            self._panel = Panel(id="panel")
            self.mount(self._panel)
        return self._panel

    @property
    def has_page(self) -> bool:
        """Return whether a page covers the screen."""
        return self._panel is not None and self._panel.display

    @property
    def shows_newest_line(self) -> bool:
        """Return whether the newest line of the log is visible in addition to the message line."""
        return False

    def take_for_page(self, event: Key) -> bool:
        """Handle a key while a page covers the screen. Return False if the key is for the screen."""
        return self.has_page and self.panel.take(event)

    def resting_rows(self, width: int, height: int) -> Sequence[Row]:
        """Return the rows of the dock while no prompt is open."""
        del width, height
        return ()

    def rows_wanted(self, prompt: OpenPrompt, width: int) -> int:
        """Return the most rows that the open prompt has needed so far, so that typing does not move it."""
        before = self._asked[1] if self._asked[0] is prompt else 0
        wanted = max(before, prompt.wanted_rows(width))
        self._asked = (prompt, wanted)
        return wanted

    def rows_above(self, prompt: OpenPrompt, width: int, height: int) -> tuple[Sequence[Row], int]:
        """Return the rows above a prompt that does not fill the dock, and how many rows the prompt gets."""
        del prompt, width
        return (), height

    def resting_keys(self, width: int) -> Row:
        """Return the keys of the screen while no prompt is open."""
        raise NotImplementedError

    def dock_rows(self, width: int, height: int) -> Sequence[Row]:
        """Return the rows of the prompt, or else the resting rows."""
        prompt = self.services.prompts.current
        if prompt is None or not prompt.IN_DOCK:
            return self.resting_rows(width, height)
        above, rows = self.rows_above(prompt, width, height)
        self.above_question = len(above)
        return [*above, *prompt.rows(width, rows)]

    def footer_rows(self, width: int, height: int) -> Sequence[Row]:
        """Return the keys of the prompt, or else those of the screen."""
        del height
        prompt = self.services.prompts.current
        if prompt is not None:
            keys = [("Enter", printable(prompt.enter_does)), ("Tab", prompt.TAB), *prompt.MORE_KEYS]
            return [footer_row([*(key for key in keys if key[1]), ("Esc", prompt.escape_does)], width)]
        return [self.resting_keys(width)]

    # The mouse. No feature depends on it.

    def on_click(self, event: Click) -> None:
        """Press the footer key that was clicked, or click a row of the prompt."""
        column, row = event.screen_x, event.screen_y
        if self.keys.region.contains(column, row):
            [shown] = self.footer_rows(self.keys.size.width, 1)
            if name := key_at(shown, column - self.keys.region.x):
                self.press_key(*pressed_key(name))
        elif (prompt := self._question_at(event)) is not None:
            prompt.click(row - self.dock.content_region.y - self.above_question)

    def on_mouse_scroll_down(self, event: MouseScrollDown) -> None:
        """Move the prompt's mark down."""
        self._wheel(event, "down")

    def on_mouse_scroll_up(self, event: MouseScrollUp) -> None:
        """Move the prompt's mark up."""
        self._wheel(event, "up")

    def _wheel(self, event: MouseEvent, key: str) -> None:
        """Move the prompt's mark with the wheel."""
        if self._question_at(event) is not None:
            self.press_key(key, None)

    def _question_at(self, event: MouseEvent) -> OpenPrompt | None:
        """Return the prompt whose rows are under the mouse."""
        is_over = self.dock.region.contains(event.screen_x, event.screen_y)
        return self.services.prompts.current if is_over else None

    def press_key(self, key: str, character: str | None) -> None:
        """Press a key as if on the keyboard."""
        self.app.post_message(Key(key, character))
