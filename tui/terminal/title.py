"""The title of the terminal's window."""

from typing import Any

from textual.app import App

from systems.text import clean

LONGEST = 80


def write_title(app: App[Any], text: str) -> None:
    """Name the window, by a sequence that every terminal knows or ignores."""
    title = clean(text, LONGEST)
    if title == app.title:
        return
    # Nothing on the screen shows it: an ordinary change of it would paint the whole screen again.
    app.set_reactive(App.title, title)
    if (driver := app._driver) is not None and not app.is_headless:
        driver.write(f"\x1b]2;{title}\x07")
