"""A question with one line for an answer."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from textual.events import Key

from tui.prompts.prompt import Line, Prompt
from tui.widgets.text import Row, printable, wrapped

if TYPE_CHECKING:
    from tui.app import AffrayApp


class Question(Prompt):
    """A question in the dock. `answer` gets the line, and returns a sentence when it cannot be.

    The question stays open, and shows that sentence, until the answer can be or Escape is pressed.
    """

    def __init__(
        self,
        app: "AffrayApp",
        question: str,
        answer: Callable[[str], str | None],
        *,
        text: str = "",
        hints: Sequence[str] = (),
    ) -> None:
        super().__init__(app)
        self.question, self.hints, self.wrong = question, hints, ""
        self.line = Line(text, self._changed)
        self._answer = answer

    def rows(self, width: int, height: int) -> Sequence[Row]:
        found: list[Row] = [
            [(f" {line}", "strong accent")] for line in wrapped(printable(self.question), width - 2)
        ]
        hints = [line for hint in self.hints for line in wrapped(printable(hint), max(10, width - 4), "")]
        found += [[(f"   {line}", "muted")] for line in hints]
        found = found[: max(0, height - 2)]
        found += [[]] * (height - 2 - len(found))
        found.append([(" ! ", "danger strong"), (printable(self.wrong), "danger")] if self.wrong else [])
        return [*found, [(" > ", "accent strong"), *self.line.row(width - 4)]]

    def key(self, event: Key) -> None:
        if event.key == "escape":
            self.close()
            self.app.say("Nothing has happened.")
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
            self.app.open_prompt(self)

    def _changed(self) -> None:
        self.wrong = ""
