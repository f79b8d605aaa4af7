"""The palette: every key of every screen, every action of the game, and the colours, by name."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from systems.frozen import frozen
from tui.display.card import titled
from tui.prompts.line import LinePrompt, Reading, Suggestion
from tui.prompts.prepare import prepare
from tui.services import Services
from tui.settings.keys import FIGHT, KEYS, SCREEN_TITLES, keys_of


@frozen
class PaletteEntry:
    """One row of the palette.

    `run` carries it out. For a key, it only notes the action, which the app then awaits. `theme`: colours to
    preview while the row is marked, "" for the current colours.
    """

    label: str
    help: str
    run: Callable[[], None]
    key: str = ""
    theme: str = ""

    @property
    def shown(self) -> str:
        return f"{self.label} ({self.key})" if self.key else self.label

    def rank(self, typed: str) -> int | None:
        """Return how well the entry fits the typed text, 0 for best; None if it does not fit."""
        label = self.label.casefold()
        if label.startswith(typed):
            return 0
        if any(word.startswith(typed) for word in label.split()):
            return 1
        return 2 if typed in label else 3 if typed in self.help.casefold() else None


def palette_entries(services: Services) -> Iterator[PaletteEntry]:
    """Yield the entries of the palette on the current screen."""
    for key in keys_of(services.screen):
        if key.id not in ("palette", "offer"):
            run = partial(setattr, services, "chosen_action", key.action)
            yield PaletteEntry(key.label.capitalize(), key.help, run, services.key_names[key.id])
    yield from entries_of_other_screens(services)
    if services.source:
        keys = services.action_key_names
        for action in services.source.game.actions:
            if action.group != "hook":
                run = partial(prepare, services, action)
                yield PaletteEntry(titled(action.title), action.help, run, keys.get(action.name, ""))
        ask = partial(setattr, services, "chosen_action", "ask('initiative')")
        yield PaletteEntry("Initiative", "Set the initiative of the combatant under the cursor.", ask)
        yield PaletteEntry(
            "End the fight", "End the encounter and its effects.", partial(services.command, "end")
        )
    program = services.program
    for theme in program.available_themes.values():
        light = "light" if not theme.dark else "dark"
        choose = partial(program.choose_colours, theme.name)
        yield PaletteEntry(f"Colours: {theme.name}", f"A {light} theme.", choose, theme=theme.name)


def entries_of_other_screens(services: Services) -> Iterator[PaletteEntry]:
    """Yield the keys of other screens.

    Keys of the order are carried out there, because the cursor is the same. Other screens have their own
    cursor, so the palette only goes to the screen and names the key.
    """
    for key in KEYS:
        if services.screen in key.screens or key.id in ("offer", "other_next", "other_back"):
            continue
        screen = key.screens[0]
        name = services.key_names[key.id]
        said = f"{name} {key.label}: {key.help}"
        action = (
            f"app.go({screen!r}, {key.action!r}, '')"
            if key.screens == FIGHT
            else f"app.go({screen!r}, '', {said!r})"
        )
        run = partial(setattr, services, "chosen_action", action)
        yield PaletteEntry(key.label.capitalize(), key.help, run, f"{name} on {SCREEN_TITLES[screen]}")


class PalettePrompt(LinePrompt):
    """Prompt of `Ctrl+P`, the palette: part of the name of a key, an action or a theme."""

    ENTER = "run"
    label = "run"

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self.entries = list(palette_entries(services))

    def title(self) -> str:
        return "Keys, actions and colours: type part of a name"

    @property
    def found(self) -> Sequence[PaletteEntry]:
        """Return the entries that fit the line, the best first."""
        typed = self.line.text.strip().casefold()
        ranked = [
            (rank, at) for at, entry in enumerate(self.entries) if (rank := entry.rank(typed)) is not None
        ]
        return [self.entries[at] for _, at in sorted(ranked)]

    def suggest(self) -> Sequence[Suggestion]:
        return [Suggestion(entry.label, entry.shown, entry.help) for entry in self.found]

    def complete(self, suggestion: Suggestion) -> None:
        self.line.set(suggestion.text)

    def read(self) -> Reading:
        if not self.suggestions:
            return Reading(wrong="nothing has that name")
        return Reading(says=self.suggestions[self.chosen or 0].shown if self.line.text.strip() else "")

    def refresh(self) -> None:
        """Paint again, with the marked colours as a preview."""
        marked = (
            self.found[self.chosen] if self.chosen is not None and self.chosen < len(self.found) else None
        )
        self.services.program.preview_colours(marked.theme if marked else "")
        super().refresh()

    def close(self) -> None:
        self.services.program.preview_colours("")
        super().close()

    def enter(self) -> None:
        """Run the marked entry, or else the best one."""
        found = self.found
        if not found:
            self.services.say(self.read().wrong, error=True)
            self.refresh()
            return
        entry = found[self.chosen or 0]
        self.close()
        self.services.say("")
        entry.run()
