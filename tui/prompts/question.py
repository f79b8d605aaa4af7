"""A question with one line for an answer."""

from collections.abc import Callable, Sequence

from textual.events import Key

from systems.text import as_sentence
from tui.display.text import Row, printable, under_cursor, wrapped
from tui.prompts.prompt import Prompt
from tui.services import Services
from tui.widgets.input_line import InputLine


class TextPrompt(Prompt):
    """A question with one line for the answer.

    `answer` gets the line and returns an error, or None. The question stays open until an answer is valid or
    you press Escape. `does`: the label for Enter. `preview` returns the effect of the current line.
    `choices`: listed answers, each with its text; other answers can be typed too. `meant` returns the listed
    answer that a typed line means, or "".
    """

    def __init__(
        self,
        services: Services,
        question: str,
        answer: Callable[[str], str | None],
        *,
        does: str,
        text: str = "",
        hints: Sequence[str] = (),
        choices: Sequence[tuple[str, str]] = (),
        preview: Callable[[str], str] | None = None,
        meant: Callable[[str], str] | None = None,
    ) -> None:
        super().__init__(services)
        self.question, self.hints, self.wrong = question, hints, ""
        self.choices = choices
        self._preview, self._does, self._meant = preview, does, meant
        # The row of the first choice.
        self._choices_at = 0
        self.line = InputLine(text, self._changed)
        self._answer = answer

    @property
    def enter_does(self) -> str:
        return self._does

    def wanted_rows(self, width: int) -> int:
        """Return the rows for the question, the hints, the preview or error, and the line."""
        return len(self._head(width)) + max(1, len(self._last(width))) + 1

    def rows(self, width: int, height: int) -> Sequence[Row]:
        last = self._last(width)[: max(1, height - 2)]
        room = max(0, height - 1 - max(1, len(last)))
        found = self._head(width)[:room]
        found += [[]] * (room - len(found))
        tone = "danger" if self.wrong else "accent"
        marks = [" ! " if self.wrong and not at else "   " for at in range(len(last))]
        found += [[(mark, "danger strong"), (line, tone)] for mark, line in zip(marks, last, strict=True)]
        found += [[]] * (not last)
        return [*found, [(" > ", "accent strong"), *self.line.row(width - 4)]]

    def _head(self, width: int) -> list[Row]:
        """Return the rows for the question, the choices and the hints."""
        rows: list[Row] = [
            [(f" {line}", "strong accent")] for line in wrapped(printable(self.question), width - 2)
        ]
        self._choices_at, marked = len(rows), self._marked
        for at, (_, shown) in enumerate(self.choices):
            row: Row = [(f"   {printable(shown)}", "")]
            rows.append(under_cursor(row, width) if at == marked else row)
        hints = [line for hint in self.hints for line in wrapped(printable(hint), max(10, width - 4), "")]
        return [*rows, *([(f"   {line}", "muted")] for line in hints)]

    def _last(self, width: int) -> Sequence[str]:
        """Return the error of the line, or else its preview."""
        preview = self._preview(self.line.text.strip()) if self._preview and not self.wrong else ""
        said = printable(self.wrong or preview)
        return wrapped(said, max(10, width - 4), "") if said else []

    @property
    def _marked(self) -> int | None:
        """Return the index of the choice in the line, or None."""
        answers, typed = [answer for answer, _ in self.choices], self.line.text
        if self._meant is not None and typed.strip() and typed not in answers:
            typed = self._meant(typed.strip())
        return answers.index(typed) if typed in answers else None

    def key(self, event: Key) -> None:
        if event.key == "escape":
            self.close()
        elif event.key == "enter":
            self._give()
        else:
            if self.choices and event.key in ("up", "down", "tab", "shift+tab"):
                self._mark_next(1 if event.key in ("down", "tab") else -1)
            else:
                self.line.key(event)
            self.refresh()

    def _mark_next(self, by: int) -> None:
        at = (-1 if by > 0 else 0) if self._marked is None else self._marked
        self.line.set(self.choices[(at + by) % len(self.choices)][0])

    def click(self, row: int) -> None:
        at = row - self._choices_at
        if not 0 <= at < len(self.choices):
            return
        is_marked = at == self._marked
        self.line.set(self.choices[at][0])
        if is_marked:
            self._give()
        else:
            self.refresh()

    def paste(self, text: str) -> None:
        self.line.insert(text.strip("\n"))
        self.refresh()

    def _give(self) -> None:
        # Closed first: the answer may open the next question.
        self.close()
        self.wrong = as_sentence(self._answer(self.line.text.strip()) or "")
        if self.wrong:
            self.services.prompts.open(self)

    def _changed(self) -> None:
        self.wrong = ""


def ask_yes_or_no(services: Services, question: str, do: Callable[[], str | None], left: str) -> None:
    """Ask whether to do something. `do` returns an error, or None; `left` is the message after "no"."""
    services.prompts.open(yes_or_no(services, question, do, left))


def yes_or_no(services: Services, question: str, do: Callable[[], str | None], left: str) -> TextPrompt:
    """Return a question to open; `do` and `left` as for `ask_yes_or_no`."""

    def answered(word: str) -> str | None:
        if word.casefold() in ("y", "yes"):
            return do()
        if word.casefold() in ("n", "no"):
            services.say(left)
            return None
        return "type yes or no"

    choices = (("yes", "yes"), ("no", "no"))
    return TextPrompt(services, question, answered, does="answer", choices=choices)
