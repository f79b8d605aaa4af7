"""The prompts of an amendment: the typed line to edit, later events that do not fit, and the changes."""

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from textual.events import Key

from systems.commands.table import COMMANDS
from systems.dice.sources import Given
from systems.encounter.events import Event, given_in
from systems.encounter.model import Encounter
from systems.errors import Misread
from systems.schema.fields import fields_of
from systems.text import matches
from tui.display.amendment import conflict_words
from tui.display.text import Row, printable, wrapped
from tui.prompts.command import CommandPrompt
from tui.prompts.line import LinePrompt, Reading
from tui.prompts.prompt import Prompt
from tui.prompts.table_lists import TableCommands
from tui.services import Services

if TYPE_CHECKING:
    from systems.commands.replay import ConflictingEvent

_NUMBERS = re.compile(r"[+-]?\d+(?:,\d+)*")
_DICE = re.compile(r"\s*(?<!\S)dice=(\S*)")
# An answer in the line, with the spaces before it: `cover=half`, `name="two words"`, `by okado`.
_ANSWER = re.compile(r'\s+(?:([A-Za-z][\w-]*)=(?:"[^"]*"?|\S)*|(by)\s+(?![^\s=]+=)(?:"[^"]*"?|\S)*)')


class AmendPrompt(CommandPrompt):
    """Prompt of `e` in the log: the command of a line and its dice. Enter shows what would change."""

    def __init__(self, services: Services, event: Event) -> None:
        self._fell = [str(given) for given in given_in(event)]
        typed = event.typed
        line = f"{_DICE.sub('', typed).strip()} dice={','.join(self._fell)}" if self._fell else typed
        super().__init__(services, TableCommands(services), line)
        self.number = int(event.n)
        self.label = f"{self.number}"
        # The program's dice for each line that was previewed, with its fight. A second preview rolls no dice.
        self.rolled: dict[str, tuple[Encounter, list[Given]]] = {}

    @property
    def enter_does(self) -> str:
        return "preview the changes"

    def title(self) -> str:
        return f"Correct event {self.number} · option, die, target or the whole line"

    def read(self) -> Reading:
        line = _DICE.sub(self._changed_dice, self.line.text).strip()
        return Reading(f"amend {self.number} {line}" if line else "", says="type the command")

    def _changed_dice(self, given: re.Match[str]) -> str:
        """Return the dice up to the last changed one. The others keep their faces if they are needed."""
        faces = given[1].split(",")
        while faces and faces[-1] == "".join(self._fell[len(faces) - 1 : len(faces)]):
            faces.pop()
        return f" dice={','.join(faces)}" if faces else ""

    @property
    def names_dice(self) -> bool:
        """Return whether the line holds dice."""
        return _DICE.search(self.line.text) is not None

    def key(self, event: Key) -> None:
        LinePrompt.key(self, event)
        self._last_counts()

    def paste(self, text: str) -> None:
        super().paste(text)
        self._last_counts()

    def _last_counts(self) -> None:
        """Remove an earlier answer to the same option. The answer under the cursor counts."""
        text, at = self.line.text, self.line.at
        verb = text.split(" ", 1)[0].casefold()
        declared = COMMANDS.get(verb)
        if declared and declared.read_text and "TEXT" in declared.usage:
            return
        action = self.source.game.action(verb)
        known = ("by", "dice", *(fields_of(action.options) if action else ()))
        answers = list(_ANSWER.finditer(text))
        here = next((found for found in answers if found.start() < at <= found.end()), None)
        if here is None:
            return
        meant = matches(_name(here), known) or (_name(here),)
        for found in reversed(answers):
            if found is not here and (matches(_name(found), known) or (_name(found),)) == meant:
                text = text[: found.start()] + text[found.end() :]
                at -= len(found[0]) if found.end() <= at else 0
        if text != self.line.text:
            self.line.set(text)
            self.line.at = at
            self.refresh()

    def enter(self) -> None:
        command = self.read().command
        if not command:
            self.services.say("type the command", error=True)
            return
        if _NUMBERS.fullmatch(text := self.line.text.strip()):
            number = text.lstrip("+-")
            says = f"{text} alone is ambiguous: type dice={number} for a die, or an option with its name"
            self.show_misread(says, 0, len(text))
            return
        try:
            read = self.commands.read(command)
        except Misread as error:
            before = len(f"amend {self.number} ")
            self.show_misread(str(error), max(0, error.start - before), max(1, error.end - before))
            return
        self.carry_out(command, read)


def _name(answer: re.Match[str]) -> str:
    return (answer[1] or answer[2]).casefold()


class StrandedPrompt(Prompt):
    """Lists later events that the amendment makes impossible. Enter drops them, Escape goes back to the line.

    Space keeps a reaction that has only lost its cause. `go_on` gets the numbers to drop and to keep.
    """

    ESCAPE = "back to the line"

    def __init__(
        self,
        services: Services,
        events: "Sequence[ConflictingEvent]",
        go_on: Callable[[Sequence[int], Sequence[int]], None],
    ) -> None:
        super().__init__(services)
        self._events, self._go_on = events, go_on
        self._kept: set[int] = set()
        self._at = self._top = 0
        self._name_keys()

    @property
    def enter_does(self) -> str:
        return "keep and go on" if len(self._kept) == len(self._events) else "drop these too"

    def _name_keys(self) -> None:
        """Name the keys that apply to the marked event."""
        marked = self._events[self._at]
        keeps = [] if marked.why else [("Space", "drop" if marked.number in self._kept else "keep")]
        self.MORE_KEYS = [*keeps, ("↓ ↑", "mark")] if len(self._events) > 1 else keeps

    def wanted_rows(self, width: int) -> int:
        return sum(len(self._row(at, width)) for at in range(len(self._events))) + 1

    def rows(self, width: int, height: int) -> Sequence[Row]:
        room = max(1, height - 1)
        made = [self._row(at, width) for at in range(len(self._events))]
        first = sum(len(rows) for rows in made[: self._at])
        last = first + len(made[self._at])
        self._top = max(0, min(self._top, first), last - room)
        shown = [row for rows in made for row in rows][self._top : self._top + room]
        head: Row = [(" These later events no longer fit. Drop them too?", "strong accent")]
        return [head, *shown, *([[]] * (room - len(shown)))]

    def _row(self, at: int, width: int) -> list[Row]:
        """Return the rows of one event: its number, why it does not fit, and whether it stays."""
        event, is_marked = self._events[at], at == self._at and len(self._events) > 1
        kept = event.number in self._kept
        says = f"{conflict_words(event.title, event.why)} → {'kept' if kept else 'dropped'}"
        lines = wrapped(printable(says), max(10, width - 9), "")
        head = f"{'▸' if is_marked else ' '} {event.number:>4}  "
        tone = "" if kept else "warning"
        return [
            [(head if not number else " " * len(head), "muted"), (text, tone)]
            for number, text in enumerate(lines)
        ]

    def key(self, event: Key) -> None:
        match event.key:
            case "escape":
                self.close()
                return
            case "enter":
                dropped = [each.number for each in self._events if each.number not in self._kept]
                self._go_on(dropped, sorted(self._kept))
                return
            case "space" if not self._events[self._at].why:
                self._kept ^= {self._events[self._at].number}
            case "down" | "j":
                self._at = min(self._at + 1, len(self._events) - 1)
            case "up" | "k":
                self._at = max(0, self._at - 1)
        self._name_keys()
        self.refresh()


class AmendmentPrompt(Prompt):
    """Shows what an amendment would change. Enter accepts it, Escape goes back to the line."""

    MORE_KEYS: Sequence[tuple[str, str]] = (("↓ ↑", "more"),)
    ESCAPE = "back to the line"

    def __init__(
        self,
        services: Services,
        changes: Callable[[int], Sequence[Row]],
        accept: Callable[[], None],
    ) -> None:
        super().__init__(services)
        self._changes, self._accept = changes, accept
        self._top = 0

    @property
    def enter_does(self) -> str:
        return "accept the changes"

    def wanted_rows(self, width: int) -> int:
        return len(self._changes(width)) + 1

    def rows(self, width: int, height: int) -> Sequence[Row]:
        found = self._changes(width)
        room = max(1, height - 1)
        self._top = max(0, min(self._top, len(found) - room))
        shown = list(found[self._top : self._top + room])
        left = len(found) - self._top - len(shown)
        more = f" · … {left} more below" if left > 0 else " · the end" if self._top else ""
        head: Row = [(" What would change", "strong accent"), (more, "muted")]
        return [head, *shown, *([[]] * (room - len(shown)))]

    def key(self, event: Key) -> None:
        match event.key:
            case "escape":
                self.close()
                return
            case "enter":
                self._accept()
                return
            case "down" | "j":
                self._top += 1
            case "up" | "k":
                self._top = max(0, self._top - 1)
            case "pagedown" | "space":
                self._top += 10
            case "pageup":
                self._top = max(0, self._top - 10)
        self.refresh()
