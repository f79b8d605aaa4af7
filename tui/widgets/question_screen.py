"""Screens with questions: the rows and keys of the one that is open, the mouse, and the least size."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.events import Click, Key, MouseEvent, MouseScrollDown, MouseScrollUp
from textual.geometry import Size

from tui.display.frame import key_at, question_keys_row
from tui.display.text import Row, wrapped
from tui.services import Question, Services
from tui.settings.key_names import pressed_key
from tui.terminal.screen import BareScreen
from tui.widgets.text_rows import TextRows

if TYPE_CHECKING:
    from tui.widgets.panel import Panel

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


class QuestionScreen(LeastSizeScreen):
    """A screen that asks: `dock` shows the question of its services, `keys` what can be pressed.

    `resting_rows` and `resting_keys` are shown while no question is open.
    """

    services: Services
    dock: TextRows
    keys: TextRows
    # How many rows of the dock stand above the question.
    above_question = 0

    def __init__(self) -> None:
        super().__init__()
        # Mounted when it is wanted: what is not there costs nothing at the start.
        self._panel: Panel | None = None
        # The question that was asked last, and the most rows that it has had use for.
        self._asked: tuple[Question | None, int] = (None, 0)

    @property
    def panel(self) -> "Panel":
        """The page that is laid over the screen."""
        if self._panel is None:
            from tui.widgets.panel import Panel

            self._panel = Panel(id="panel")
            self.mount(self._panel)
        return self._panel

    @property
    def has_page(self) -> bool:
        """Whether a page lies over the screen."""
        return self._panel is not None and self._panel.display

    @property
    def shows_newest_line(self) -> bool:
        """Whether the newest line of the log is in sight, beside the message line."""
        return False

    def take_for_page(self, event: Key) -> bool:
        """Take a key while a page lies over the screen. Returns False when the key is for the screen."""
        return self.has_page and self.panel.take(event)

    def resting_rows(self, width: int, height: int) -> Sequence[Row]:
        """Return what a dock that stays shows while no question is open."""
        del width, height
        return ()

    def rows_wanted(self, prompt: Question, width: int) -> int:
        """Return the most rows that the open question had use for so far: what is typed does not move it."""
        before = self._asked[1] if self._asked[0] is prompt else 0
        wanted = max(before, prompt.wanted_rows(width))
        self._asked = (prompt, wanted)
        return wanted

    def rows_above(self, prompt: Question, width: int, height: int) -> tuple[Sequence[Row], int]:
        """Return what stands above a question that does not fill the dock, and how many rows it gets."""
        del prompt, width
        return (), height

    def resting_keys(self, width: int) -> Row:
        """Return the keys of the screen while no question is open."""
        raise NotImplementedError

    def dock_rows(self, width: int, height: int) -> Sequence[Row]:
        """Return the rows of the question, else what rests."""
        prompt = self.services.prompts.current
        if prompt is None or not prompt.IN_DOCK:
            return self.resting_rows(width, height)
        above, rows = self.rows_above(prompt, width, height)
        self.above_question = len(above)
        return [*above, *prompt.rows(width, rows)]

    def footer_rows(self, width: int, height: int) -> Sequence[Row]:
        """Return the keys of the question, else those of the screen."""
        del height
        prompt = self.services.prompts.current
        if prompt is not None:
            return [question_keys_row(prompt.enter_does, prompt.TAB, prompt.MORE_KEYS, width)]
        return [self.resting_keys(width)]

    # The mouse: nothing needs it

    def on_click(self, event: Click) -> None:
        """Press the key of the footer that is clicked; take a click on a row of the question."""
        column, row = event.screen_x, event.screen_y
        if self.keys.region.contains(column, row):
            [shown] = self.footer_rows(self.keys.size.width, 1)
            if name := key_at(shown, column - self.keys.region.x):
                self.press_key(*pressed_key(name))
        elif (prompt := self._question_at(event)) is not None:
            prompt.click(row - self.dock.content_region.y - self.above_question)

    def on_mouse_scroll_down(self, event: MouseScrollDown) -> None:
        """Move the mark of the question down."""
        self._wheel(event, "down")

    def on_mouse_scroll_up(self, event: MouseScrollUp) -> None:
        """Move the mark of the question up."""
        self._wheel(event, "up")

    def _wheel(self, event: MouseEvent, key: str) -> None:
        """Turn the wheel over a question: its mark moves."""
        if self._question_at(event) is not None:
            self.press_key(key, None)

    def _question_at(self, event: MouseEvent) -> Question | None:
        """The question whose rows the mouse is over."""
        is_over = self.dock.region.contains(event.screen_x, event.screen_y)
        return self.services.prompts.current if is_over else None

    def press_key(self, key: str, character: str | None) -> None:
        """Have a key pressed, as by the keyboard."""
        self.app.post_message(Key(key, character))
