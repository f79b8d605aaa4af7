"""Colours for terminals that have only sixteen."""

from collections.abc import Mapping

# Each tone as one of the sixteen, for dark and for light themes. A theme's own shades are so pale that the
# nearest of the sixteen is white for all of them.
DARK = {
    "text-success": "#55ff55",
    "text-warning": "#ffff55",
    "text-error": "#ff5555",
    "text-accent": "#55ffff",
    "text-condition": "#ff55ff",
}
LIGHT = {
    "text-success": "#00aa00",
    "text-warning": "#aa5500",
    "text-error": "#aa0000",
    "text-accent": "#0000aa",
    "text-condition": "#aa00aa",
}


def with_sixteen(variables: Mapping[str, str], dark: bool) -> dict[str, str]:
    """Return a theme's variables with tones that stay apart where a terminal has sixteen colours."""
    return {**variables, **(DARK if dark else LIGHT)}
