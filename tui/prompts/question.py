"""A question with one line for an answer."""

from collections.abc import Callable, Sequence

from textual.events import Key

from tui.display.text import Row, printable, wrapped
from tui.prompts.prompt import Prompt
from tui.services import Services
from tui.widgets.input_line import InputLine


class Question(Prompt):
    """A question in the dock. `answer` gets the line, and returns a sentence when it cannot be.

    `preview` says what the line as it stands would come to. The question stays open, and shows why it
    cannot be, until the answer can be or Escape is pressed.
    """

    ENTER = "answers"

    def __init__(
        self,
        services: Services,
        question: str,
        answer: Callable[[str], str | None],
        *,
        text: str = "",
        hints: Sequence[str] = (),
        preview: Callable[[str], str] | None = None,
    ) -> None:
        super().__init__(services)
        self.question, self.hints, self.wrong = question, hints, ""
        self._preview = preview
        self.line = InputLine(text, self._changed)
        self._answer = answer

    def rows(self, width: int, height: int) -> Sequence[Row]:
        found: list[Row] = [
            [(f" {line}", "strong accent")] for line in wrapped(printable(self.question), width - 2)
        ]
        preview = self._preview(self.line.text.strip()) if self._preview else ""
        last = wrapped(printable(preview), max(10, width - 4), "")[: max(1, height - 4)] if preview else []
        hints = [line for hint in self.hints for line in wrapped(printable(hint), max(10, width - 4), "")]
        found += [[(f"   {line}", "muted")] for line in hints]
        if self.wrong:
            last = wrapped(printable(self.wrong), max(10, width - 4), "")[: max(1, height - 2)]
        room = max(0, height - 1 - max(1, len(last)))
        found = found[:room]
        found += [[]] * (room - len(found))
        tone = "danger" if self.wrong else "accent"
        marks = [" ! " if self.wrong and not at else "   " for at in range(len(last))]
        found += [[(mark, "danger strong"), (line, tone)] for mark, line in zip(marks, last, strict=True)]
        found += [[]] * (not last)
        return [*found, [(" > ", "accent strong"), *self.line.row(width - 4)]]

    def key(self, event: Key) -> None:
        if event.key == "escape":
            self.close()
        elif event.key == "enter":
            self._give()
        else:
            self.line.key(event)
            self.refresh()

    def paste(self, text: str) -> None:
        self.line.insert(text.strip("\n"))
        self.refresh()

    def _give(self) -> None:
        # Closed first: the answer may open the next question.
        self.close()
        self.wrong = self._answer(self.line.text.strip()) or ""
        if self.wrong:
            self.services.prompts.open(self)

    def _changed(self) -> None:
        self.wrong = ""
