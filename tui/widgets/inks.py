"""The few colours that texts inside a widget may have, taken from the theme."""

from collections.abc import Mapping

import attrs
from rich.style import Style
from textual.app import App
from textual.color import Color, ColorParseError

from systems.contract import Tone

_PLAIN, _DIM, _BOLD = Style(), Style(dim=True), Style(bold=True)
_VARIABLES: Mapping[Tone, str] = {
    "good": "text-success",
    "warning": "text-warning",
    "danger": "text-error",
    "accent": "text-primary",
}


@attrs.frozen
class Inks:
    """A style for each tone that a game declares; every one of them reads without its colour too."""

    plain: Style = _PLAIN
    muted: Style = _DIM
    good: Style = _PLAIN
    warning: Style = _PLAIN
    danger: Style = _BOLD
    accent: Style = _BOLD

    def of(self, tone: Tone) -> Style:
        """The style of a tone."""
        return {
            "muted": self.muted,
            "good": self.good,
            "warning": self.warning,
            "danger": self.danger,
            "accent": self.accent,
        }.get(tone, self.plain)


NO_COLOURS = Inks()
_made: dict[tuple[str, bool], Inks] = {}


def inks_of(app: App[object]) -> Inks:
    """The inks of the theme that is on; made once for each theme."""
    key = (app.theme, app.ansi_color or False)
    if key not in _made:
        known = app.theme_variables
        found = {tone: _style(known.get(name, "")) for tone, name in _VARIABLES.items()}
        _made[key] = Inks(
            good=found["good"],
            warning=found["warning"],
            danger=found["danger"] + _BOLD,
            accent=found["accent"] + _BOLD,
        )
    return _made[key]


def _style(colour: str) -> Style:
    try:
        return Style(color=Color.parse(colour).rich_color)
    except ColorParseError:
        return Style()
