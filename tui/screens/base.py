"""The frame of the four screens of a fight: header, body, dock of questions, message line, keys.

A screen derives from FightScreen, sets NAME, gives its body by `compose_body` and its present state
by `show_fight`, which must update everything in sight at once and without layout.
"""

from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, cast

from textual.app import ComposeResult
from textual.containers import Container
from textual.events import Key
from textual.geometry import Size

from tui.display.text import Row, wrapped
from tui.prompts.prompt import Prompt
from tui.screens.actions import FightActions
from tui.screens.frame import footer_row, header_row, message_rows
from tui.settings.keys import ScreenName
from tui.widgets.lines import TONE_CLASSES, Lines
from tui.widgets.panel import Panel

if TYPE_CHECKING:
    from tui.app import AffrayApp

LEAST = Size(60, 20)
# A long sentence takes up to this part of the screen's height.
MESSAGE_SHARE = 4


class FightScreen(FightActions):
    """One of the screens of a fight. `prompt` is the question that is open, if one is."""

    NAME: ClassVar[ScreenName]
    # Whether the dock is there also while no question is open, and what it is called then.
    DOCK_STAYS: ClassVar[bool] = False
    DOCK_TITLE: ClassVar[str] = ""
    AUTO_FOCUS = ""
    COMPONENT_CLASSES = TONE_CLASSES
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
        # The rules are read when the screen is mounted; Textual would read all of them a second time.
        self._css_update_count = self.app._css_update_count
        self.prompt: Prompt | None = None
        self.header = Lines(self._header_rows, id="header")
        self.dock = Lines(self._dock_rows, id="dock", classes="-open" if self.DOCK_STAYS else "")
        self.dock.border_title = self.DOCK_TITLE
        self.message = Lines(self._message_rows, id="message")
        self._message_lines = 1
        self.keys = Lines(self._footer_rows, id="keys")
        # Mounted when they are wanted: what is not there costs nothing at the start.
        self.too_small: Lines | None = None
        self._panel: Panel | None = None

    @property
    def affray(self) -> "AffrayApp":
        """The app, by its own name."""
        return cast("AffrayApp", self.app)

    def compose(self) -> ComposeResult:
        yield self.header
        with Container(id="body"):
            yield from self.compose_body()
        yield self.dock
        yield self.message
        yield self.keys

    @abstractmethod
    def compose_body(self) -> ComposeResult:
        """What stands between the header and the dock."""

    @abstractmethod
    def show_fight(self) -> None:
        """Show the fight as it is now, all at once."""

    @property
    def is_too_small(self) -> bool:
        """Whether the terminal shows nothing but that it is too small."""
        return self.app.size.width < LEAST.width or self.app.size.height < LEAST.height

    def find(self, text: str) -> None:
        """Go to what holds `text`; a screen that can does it."""

    def _compositor_refresh(self) -> None:
        # While a screen is put together Textual paints all of it and then throws that away.
        if not self.app._batch_count:
            super()._compositor_refresh()

    def on_resize(self) -> None:
        if self.is_too_small and self.too_small is None:
            self.too_small = Lines(self._too_small_rows, id="too-small")
            self.mount(self.too_small)
        self.show_message()

    @property
    def panel(self) -> Panel:
        """The page that is laid over the screen."""
        if self._panel is None:
            self._panel = Panel(id="panel")
            self.mount(self._panel)
        return self._panel

    def take_for_page(self, event: Key) -> bool:
        """A key while a page lies over the screen; False when none does, or when the key goes on."""
        return self._panel is not None and self._panel.display and self._panel.take(event)

    def on_screen_resume(self) -> None:
        if self.is_mounted:
            self.refresh_all()

    def refresh_all(self) -> None:
        """Header, body and message line as things are now."""
        self.header.show()
        self.show_fight()
        self.keys.show()
        self.show_message()

    def show_message(self) -> None:
        """What was said, on as many lines as it needs; nearly always that is one, and nothing moves."""
        lines = max(1, len(message_rows(self.affray, self.app.size.width)))
        lines = min(lines, max(1, self.app.size.height // MESSAGE_SHARE))
        if lines != self._message_lines:
            self._message_lines = lines
            self.message.styles.height = lines
        self.message.show()

    def open_prompt(self, prompt: Prompt) -> None:
        """Show a question in the dock, in place of one that is open."""
        self.prompt = prompt
        self.dock.border_title = ""
        if not self.DOCK_STAYS:
            self.dock.add_class("-open")
        self.dock.show()
        self.keys.show()
        self.show_message()
        prompt.opened()

    def close_prompt(self) -> None:
        """The question is over; the dock rests again."""
        self.prompt = None
        self.dock.border_title = self.DOCK_TITLE
        if not self.DOCK_STAYS:
            self.dock.remove_class("-open")
        self.dock.show()
        self.keys.show()
        self.show_message()

    def resting_rows(self, width: int, height: int) -> Sequence[Row]:
        """What a dock that stays shows while no question is open."""
        return ()

    def _header_rows(self, width: int, height: int) -> Sequence[Row]:
        return [header_row(self.affray, width)]

    def _dock_rows(self, width: int, height: int) -> Sequence[Row]:
        if self.prompt:
            return self.prompt.rows(width, height)
        return self.resting_rows(width, height)

    def _message_rows(self, width: int, height: int) -> Sequence[Row]:
        found = message_rows(self.affray, width)
        if len(found) > height > 0:
            found[height - 1] = [*found[height - 1], (" …", "danger")]
        return found

    def _footer_rows(self, width: int, height: int) -> Sequence[Row]:
        return [footer_row(self.affray, self.NAME, self.prompt is not None, width)]

    def _too_small_rows(self, width: int, height: int) -> Sequence[Row]:
        size = self.app.size
        wanted = f"{LEAST.width} columns and {LEAST.height} lines"
        text = f"This terminal is {size.width}x{size.height}: {wanted} are needed. Make it larger."
        return [[(line, "warning")] for line in wrapped(text, max(1, width), "")]
