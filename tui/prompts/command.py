"""The command line: the whole language, with completion, history, and a mark under the wrong word."""

from collections.abc import Sequence

from rich.cells import cell_len
from textual.events import Key

from systems.commands.conditions import counted
from systems.encounter.lookup import condition_named
from systems.errors import Misread, Refused
from systems.language.commands import COMMANDS
from systems.language.intents import SetCondition
from systems.language.parser import parse
from systems.text import clean, plain_number
from tui.display.card import titled
from tui.display.text import Row, printable, wrapped
from tui.prompts.completion import suggestions
from tui.prompts.line import LinePrompt, Reading, Suggestion
from tui.services import Services

REMEMBERED = 100


class CommandPrompt(LinePrompt):
    """`:`. Up and Down go through what was typed before; Tab completes and moves in the list."""

    ENTER = "carry it out"
    label = ":"

    def __init__(self, services: Services, text: str = "") -> None:
        super().__init__(services, text)
        self.misread: Misread | None = None
        self._before = [*services.typed_lines, ""]
        self._at = len(self._before) - 1

    def title(self) -> str:
        verb = self.line.text.split(" ", 1)[0]
        if (declared := COMMANDS.get(verb.casefold())) and " " in self.line.text:
            if declared.name == "condition" and (number := self._number_of_condition()):
                return f"{number} · {declared.usage}"
            return f"{declared.usage}: {declared.help}"
        action = self.source.game.action(verb)
        return (
            f"{titled(action.title)}: {action.help}" if action else "Command · Tab completes, Up brings back"
        )

    def _number_of_condition(self) -> str:
        """Return what the number behind a condition means: `prone for 2 rounds`, `burning, value 2`."""
        try:
            intent = parse(self.line.text, self.source.game).intent
            if not isinstance(intent, SetCondition) or intent.value is None:
                return ""
            name = condition_named(self.source.encounter, intent.name, quoted=intent.quoted)
            value, rounds = counted(self.source.encounter, name, intent)
        except (Misread, Refused):
            return ""
        words = clean(name.replace("_", " "), 40)
        if value is not None:
            return f"{words}, value {plain_number(value)}"
        return f"{words} for {rounds} round{'' if rounds == 1 else 's'}"

    def suggest(self) -> Sequence[Suggestion]:
        return suggestions(self.source, self.line.text[: self.line.at])

    def complete(self, suggestion: Suggestion) -> None:
        before = self.line.text[: self.line.at].rpartition(" ")[0]
        end = "" if suggestion.text.endswith("=") else " "
        self.line.set(f"{before}{' ' if before else ''}{suggestion.text}{end}")

    def _changed(self) -> None:
        super()._changed()
        self.misread = None

    def read(self) -> Reading:
        return Reading(self.line.text.strip())

    def key(self, event: Key) -> None:
        if event.key in ("up", "down"):
            if event.key == "up" and self._at == len(self._before) - 1:
                self._before[-1] = self.line.text
            self._at = max(0, min(self._at + (1 if event.key == "down" else -1), len(self._before) - 1))
            self.line.set(self._before[self._at])
            self.refresh()
            return
        super().key(event)

    def enter(self) -> None:
        line = self.line.text.strip()
        if not line:
            self.close()
            return
        self.line.set(line)
        try:
            parse(line, self.source.game)
        except Misread as error:
            self.misread = error
            self.refresh()
            return
        typed = self.services.typed_lines
        typed[:] = [*(before for before in typed if before != line), line][-REMEMBERED:]
        self.carry_out(line)

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """Return the line, and below it what completes it or what is wrong with it."""
        self.list_at = 2
        if self.misread:
            return [
                [(" ", ""), (printable(self.title()), "muted")],
                self.line_row(width),
                *self._wrong_rows(width),
            ]
        below = self.list_rows(width, height - 2)
        return [self.head_row((self.title(), "muted"), width), self.line_row(width), *below]

    def line_row(self, width: int) -> Row:
        return [(f" {self.label} ", "accent strong"), *self.line.row(width - 4)]

    def _wrong_rows(self, width: int) -> Sequence[Row]:
        """A caret under the word, and the sentence."""
        assert self.misread is not None
        start, end = self.misread.start, max(self.misread.end, self.misread.start + 1)
        indent = min(cell_len(self.line.text[:start]) + len(self.label) + 2, width - 2)
        carets = "^" * max(1, min(cell_len(self.line.text[start:end]), width - indent))
        sentence = clean(str(self.misread), 300)
        return [
            [(" " * indent, ""), (carets, "danger strong")],
            *([(f" {line}", "danger")] for line in wrapped(sentence, width - 2, "")),
        ]
