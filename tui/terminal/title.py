"""The title of the terminal's window."""

from typing import TYPE_CHECKING, Any

from systems.text import clean

if TYPE_CHECKING:
    from textual.app import App

LONGEST = 80


def write_title(app: "App[Any]", text: str) -> None:
    """Name the window, by a sequence that every terminal knows or ignores."""
    app.title = title = clean(text, LONGEST)
    if (driver := app._driver) is not None and not app.is_headless:
        driver.write(f"\x1b]2;{title}\x07")
