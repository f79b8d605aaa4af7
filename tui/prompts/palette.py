"""The palette: every key of the table by its name, every action of the game, and the colours."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

import attrs

from tui.prompts.line import LinePrompt, Reading, Suggestion
from tui.screens.base import FightScreen
from tui.settings.keys import keys_of

if TYPE_CHECKING:
    from tui.app import AffrayApp


@attrs.frozen
class Doing:
    """One line of the palette. `run` does it; a key's own is left for the app, which waits for it."""

    label: str
    help: str
    run: Callable[[], None]
    key: str = ""

    @property
    def shown(self) -> str:
        return f"{self.label} ({self.key})" if self.key else self.label

    def rank(self, typed: str) -> int | None:
        """How well it fits what was typed, 0 best; None when it does not."""
        label = self.label.casefold()
        if label.startswith(typed):
            return 0
        if any(word.startswith(typed) for word in label.split()):
            return 1
        return 2 if typed in label else 3 if typed in self.help.casefold() else None


def doings(app: "AffrayApp") -> Iterator[Doing]:
    """What the palette lists on the screen in sight."""
    screen = app.screen
    name = screen.NAME if isinstance(screen, FightScreen) else ""
    for one in keys_of(name):
        if one.id not in ("palette", "offer"):
            run = partial(setattr, app, "chosen_action", one.action)
            yield Doing(one.label.capitalize(), one.help, run, app.key_names[one.id])
    if app.session:
        for action in app.session.game.actions:
            if action.group != "hook":
                label = action.name.replace("_", " ").capitalize()
                yield Doing(label, action.help, partial(app.prepare, action))
        yield Doing("End the fight", "What ends with the encounter ends.", partial(app.command, "end"))
    for theme in app.available_themes.values():
        light = "light" if not theme.dark else "dark"
        yield Doing(f"Colours: {theme.name}", f"A {light} theme.", partial(app.choose_colours, theme.name))


class PalettePrompt(LinePrompt):
    """`Ctrl+P`: a part of the name, Enter."""

    label = "do"

    def __init__(self, app: "AffrayApp") -> None:
        super().__init__(app)
        self.doings = list(doings(app))

    def title(self) -> str:
        return "Everything by name: type a part of it, Enter"

    @property
    def found(self) -> Sequence[Doing]:
        """What fits the line, best first."""
        typed = self.line.text.strip().casefold()
        ranked = [(rank, at) for at, one in enumerate(self.doings) if (rank := one.rank(typed)) is not None]
        return [self.doings[at] for _, at in sorted(ranked)]

    def suggest(self) -> Sequence[Suggestion]:
        return [Suggestion(one.label, one.shown, one.help) for one in self.found]

    def complete(self, one: Suggestion) -> None:
        self.line.set(one.text)

    def read(self) -> Reading:
        if not self.suggestions:
            return Reading(wrong="nothing is called that")
        return Reading(says=self.suggestions[self.chosen or 0].shown if self.line.text.strip() else "")

    def enter(self) -> None:
        """Do the one that is marked, or the best."""
        found = self.found
        if not found:
            self.app.say(f"nothing is called {self.line.text.strip()!r}", error=True)
            self.refresh()
            return
        one = found[self.chosen or 0]
        self.close()
        self.app.say("")
        one.run()
