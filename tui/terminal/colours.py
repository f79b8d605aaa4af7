"""Colour tables for terminals with 16 or 256 colours."""

from collections.abc import Mapping

from textual.theme import Theme

from tui.terminal import themes

# Map each tone to one of the sixteen colours, for dark and light themes. The shades of a theme are so pale
# that the nearest of the sixteen is white for all of them.
DARK = {
    "text-success": "#55ff55",
    "text-warning": "#ffff55",
    "text-error": "#ff5555",
    "text-accent": "#55ffff",
    "text-condition": "#ff55ff",
    "text-ours": "#55ffff",
    "text-others": "#ffffff",
    "cursor-ground": "#0000aa",
}
LIGHT = {
    "text-success": "#00aa00",
    "text-warning": "#aa5500",
    "text-error": "#aa0000",
    "text-accent": "#0000aa",
    "text-condition": "#aa00aa",
    "text-ours": "#0000aa",
    "text-others": "#000000",
}

# Danger under the cursor: many terminals show red on blue, and red on grey, with too little contrast.
DANGER_UNDER_CURSOR = "#ffffff", "#aa0000"


# Our own themes in 256 colours. The nearest matches of a dark shade are navy and teal, which make text hard
# to read.
OF_256 = {
    themes.DARK: {
        "background": "#121212",
        "surface": "#1c1c1c",
        "panel": "#262626",
        "boost": "#262626",
        "cursor-ground": "#00005f",
        "foreground": "#d7d7d7",
        "text-muted": "#b2b2b2",
        "text-warning": "#ffd75f",
    },
    themes.LIGHT: {
        "cursor-ground": "#d7d7ff",
        "foreground": "#262626",
        "text-condition": "#5f00af",
    },
}


def with_few(variables: Mapping[str, str], theme: Theme, system: str) -> dict[str, str]:
    """Return a theme's variables for a terminal with few colours. `system` is `256` or `standard`."""
    few = OF_256.get(theme.name, {}) if system == "256" else DARK if theme.dark else LIGHT
    return {**variables, **few}
