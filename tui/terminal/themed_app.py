"""An app with Affray's own themes: dark or light like the terminal, until the user chooses one."""

from collections.abc import Sequence
from typing import Any

from textual.app import App
from textual.filter import LineFilter, NoColor
from textual.message import Message
from textual.reactive import Reactive
from textual.theme import Theme

from systems.text import clean
from tui.terminal.error_handling import ErrorHandlingApp
from tui.terminal.private import has
from tui.terminal.themes import DARK, LIGHT, OWN

_WITHOUT_COLOURS = (NoColor(),)
_LONGEST_TITLE = 80


class GroundTold(Message):
    """The terminal has reported its background colour."""

    def __init__(self, is_light: bool) -> None:
        super().__init__()
        self.is_light = is_light


class ThemedApp(ErrorHandlingApp):
    """An app with Affray's own themes next to Textual's. It starts with the dark one."""

    theme: Reactive[str] = Reactive(DARK)
    # Whether the user has chosen a theme; the terminal's background then has no effect.
    has_chosen_theme = False

    @property
    def available_themes(self) -> dict[str, Theme]:
        """Return all themes by name, Affray's own first."""
        return {**OWN, **super().available_themes}

    def get_css_variables(self) -> dict[str, str]:
        """Return the theme's colours, reduced to those that the terminal has and can tell apart.

        Textual's own themes have no tone for conditions, so they use their second colour. The names of the
        players' side get their first one.
        """
        variables = super().get_css_variables()
        variables = {
            "text-condition": variables["text-secondary"],
            "text-ours": variables["text-primary"],
            "text-others": variables["foreground"],
            "cursor-ground": f"{variables['primary']} 28%",
            **variables,
        }
        if self.console.color_system not in ("standard", "256"):
            return variables
        # Only a terminal with few colours pays for this import.
        from tui.terminal.colours import with_few

        return with_few(variables, self.current_theme, self.console.color_system)

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Return the filters for everything painted. Greys are colours too."""
        return _WITHOUT_COLOURS if self.no_color else super().get_line_filters()

    def on_ground_told(self, message: GroundTold) -> None:
        """Use the theme that fits the terminal's background."""
        if not self.has_chosen_theme and self.theme in (DARK, LIGHT):
            self.theme = LIGHT if message.is_light else DARK


def write_title(app: App[Any], text: str) -> None:
    """Set the window's title with a sequence that every terminal knows or ignores."""
    title = clean(text, _LONGEST_TITLE)
    if title == app.title:
        return
    # Set it without a refresh: no widget shows it, and an ordinary change would repaint the whole screen.
    app.set_reactive(App.title, title)
    if not has("the title of the window"):
        return
    if (driver := app._driver) is not None and not app.is_headless:
        driver.write(f"\x1b]2;{title}\x07")
