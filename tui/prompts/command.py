"""The command line: the whole language, with completion, history, and a mark under a wrong word."""

from collections.abc import Sequence

from rich.cells import cell_len
from textual.events import Key

from systems.errors import Misread
from systems.text import as_sentence, clean
from tui.display.text import Row, printable, wrapped
from tui.lists.command_help import CommandHelp, CommandSource
from tui.prompts.line import LinePrompt, Reading, Suggestion
from tui.services import Services

REMEMBERED = 100


class CommandPrompt(LinePrompt):
    """Prompt of `:`, the command line. Up and Down recall lines. Tab completes and moves in the list."""

    label = ":"

    def __init__(self, services: Services, commands: CommandSource, text: str = "") -> None:
        super().__init__(services, text)
        self.commands = commands
        commands.changed = self._more_is_known
        # Why the line can't be read, and the start and end of the faulty part.
        self.misread: tuple[str, int, int] | None = None
        self._before = [*services.typed_lines, ""]
        self._at = len(self._before) - 1

    @property
    def enter_does(self) -> str:
        return self.commands.does

    @property
    def _help(self) -> CommandHelp:
        return self.commands.show(self.line.text, self.line.at)

    def title(self) -> str:
        return self._help.title

    def suggest(self) -> Sequence[Suggestion]:
        return [Suggestion(word, help=help) for word, help in self._help.words]

    def complete(self, suggestion: Suggestion) -> None:
        before = self.line.text[: self.line.at].rpartition(" ")[0]
        end = "" if suggestion.text.endswith("=") else " "
        self.line.set(f"{before}{' ' if before else ''}{suggestion.text}{end}")

    def _changed(self) -> None:
        super()._changed()
        self.misread = None

    def read(self) -> Reading:
        return Reading(self.line.text.strip())

    def takes(self, event: Key) -> bool:
        """Return whether the key can be taken now: Enter and Tab wait for help with the current line."""
        return event.key not in ("enter", "tab") or self.commands.is_known(self.line.text, self.line.at)

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
        if line.casefold() == "help":
            # A question about keys, not a command: the help page lists them.
            self.close()
            self.services.chosen_action = "help"
            return
        self.line.set(line)
        try:
            read = self.commands.read(line)
        except Misread as error:
            self.show_misread(str(error), error.start, error.end)
            return
        typed = self.services.typed_lines
        typed[:] = [*(before for before in typed if before != line), line][-REMEMBERED:]
        self.carry_out(line, read)

    def show_misread(self, wrong: str, start: int, end: int) -> None:
        """Show why the line can't be read, below its faulty part."""
        self.misread = (wrong, start, end)
        self.refresh()

    def wanted_rows(self, width: int) -> int:
        return super().wanted_rows(width) + bool(self._help.says)

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """Return the rows: the line, and below it completions or the error."""
        self.list_at = 2
        if self.misread:
            return [
                [(" ", ""), (printable(self.title()), "muted")],
                self.line_row(width),
                *self._wrong_rows(*self.misread, width),
            ]
        says = self._help.says
        told: list[Row] = [[("   ", ""), (printable(says), "accent")]] if says else []
        self.list_at += len(told)
        below = self.list_rows(width, height - 2 - len(told))
        return [self.head_row((self.title(), "muted"), width), self.line_row(width), *told, *below]

    def line_row(self, width: int) -> Row:
        return [(f" {self.label} ", "accent strong"), *self.line.row(width - 4)]

    def _wrong_rows(self, wrong: str, start: int, end: int, width: int) -> Sequence[Row]:
        """Return a caret under the faulty part, and the error."""
        end = max(end, start + 1)
        indent = min(cell_len(self.line.text[:start]) + len(self.label) + 2, width - 2)
        carets = "^" * max(1, min(cell_len(self.line.text[start:end]), width - indent))
        return [
            [(" " * indent, ""), (carets, "danger strong")],
            *([(f" {line}", "danger")] for line in wrapped(as_sentence(clean(wrong, 300)), width - 2, "")),
        ]
