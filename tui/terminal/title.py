"""Set the title of the terminal's window."""

from typing import Any

from textual.app import App

from systems.text import clean
from tui.terminal.private import has

LONGEST = 80


def write_title(app: App[Any], text: str) -> None:
    """Set the window's title with a sequence that every terminal knows or ignores."""
    title = clean(text, LONGEST)
    if title == app.title:
        return
    # Set it without a refresh: no widget shows it, and an ordinary change would repaint the whole screen.
    app.set_reactive(App.title, title)
    if not has("the title of the window"):
        return
    if (driver := app._driver) is not None and not app.is_headless:
        driver.write(f"\x1b]2;{title}\x07")
