"""The palette: every key of the table by its name, and every action of the game."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from textual.app import SystemCommand

from tui.keys import KEYS
from tui.screens.base import FightScreen

if TYPE_CHECKING:
    from systems.contract import Action
    from tui.app import AffrayApp


def system_commands(app: "AffrayApp") -> Iterator[SystemCommand]:
    """What the palette lists on the screen in sight."""
    screen = app.screen_stack[0]
    name = screen.NAME if isinstance(screen, FightScreen) else ""
    for one in KEYS:
        if name in one.screens and one.id not in ("palette", "offer"):
            title = f"{one.label.capitalize()} ({app.key_names[one.id]})"
            yield SystemCommand(title, one.help, _runs(app, screen, one.action))
    if app.session:
        for action in app.session.game.actions:
            if action.kind != "hook":
                title = action.name.replace("_", " ").capitalize()
                yield SystemCommand(title, action.help, partial(_prepare, app, action))
        yield SystemCommand(
            "End the fight", "What ends with the encounter ends.", partial(app.command, "end")
        )
    yield SystemCommand("Theme", "Choose the colours.", app.action_change_theme)


def _prepare(app: "AffrayApp", action: "Action") -> None:
    app.call_later(app.prepare, action)


def _runs(app: "AffrayApp", screen: object, action: str) -> Callable[[], None]:
    def run() -> None:
        app.call_later(app.run_action, action, screen)

    return run
