"""An app in the program's own colours: dark or light as the terminal's ground is, until a theme is chosen."""

from collections.abc import Sequence

from textual.filter import LineFilter, NoColor
from textual.message import Message
from textual.reactive import Reactive
from textual.theme import Theme

from tui.terminal.error_handling import ErrorHandlingApp
from tui.terminal.themes import DARK, LIGHT, OWN

_WITHOUT_COLOURS = (NoColor(),)


class GroundTold(Message):
    """The terminal has told the colour of its ground."""

    def __init__(self, is_light: bool) -> None:
        super().__init__()
        self.is_light = is_light


class ThemedApp(ErrorHandlingApp):
    """Has the program's own themes beside Textual's, and begins with the dark one."""

    theme: Reactive[str] = Reactive(DARK)
    # Whether somebody has chosen the theme; the terminal's ground decides nothing then.
    has_chosen_theme = False

    @property
    def available_themes(self) -> dict[str, Theme]:
        """All themes by name, the program's own first."""
        return {**OWN, **super().available_themes}

    def get_css_variables(self) -> dict[str, str]:
        """Return the theme's colours; a terminal with few gets those that it has and can tell apart.

        Textual's own themes have no tone for conditions; theirs is the second colour.
        """
        variables = super().get_css_variables()
        variables = {
            "text-condition": variables["text-secondary"],
            "cursor-ground": f"{variables['primary']} 28%",
            **variables,
        }
        if self.console.color_system not in ("standard", "256"):
            return variables
        # Only a terminal with few colours pays for this import.
        from tui.terminal.colours import with_few

        return with_few(variables, self.current_theme, self.console.color_system)

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Return what all that is painted goes through. Greys are colours, too."""
        return _WITHOUT_COLOURS if self.no_color else super().get_line_filters()

    def on_ground_told(self, message: GroundTold) -> None:
        """Use the theme that fits the terminal's ground."""
        if not self.has_chosen_theme and self.theme in (DARK, LIGHT):
            self.theme = LIGHT if message.is_light else DARK
