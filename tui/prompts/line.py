"""Questions answered by a typed line. The line is read at every key, and its meaning is shown.

The smallest of them are here as well: finding, a note, and a roll of any dice.
"""

from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.cells import cell_len
from textual.events import Key

from systems.dice.notation import maximum, minimum, parse
from systems.encounter.history import Event
from systems.encounter.lookup import names_in_lines, single
from systems.errors import InputError, Misread, Refused
from systems.frozen import frozen
from systems.language.corrections import corrected
from systems.text import as_sentence, clean, shown
from tui.display.refusals import asks_again, misread_words
from tui.display.text import Piece, Row, fitted, printable, tinted, under_cursor, wrapped
from tui.prompts.prompt import Prompt
from tui.services import Services
from tui.widgets.input_line import InputLine

if TYPE_CHECKING:
    from systems.language.intents import Command

FOR_ALL = " for all"


@frozen
class Suggestion:
    """A row of the list. `text`: the completion. `shown` and `help`: the text of the row."""

    text: str
    shown: str = ""
    help: str = ""
    tone: str = ""


@frozen
class Reading:
    """The meaning of a line: the command that Enter carries out, or why there is none yet.

    `says`: the meaning in words. `wrong`: the error. `instead`: for a near miss, the line that was probably
    meant; a second Enter takes it.
    """

    command: str = ""
    says: str = ""
    wrong: str = ""
    instead: str = ""


def refused(line: str, error: InputError) -> Reading:
    """Return the reading for an error, with the line that was probably meant."""
    return Reading(wrong=str(error), instead=corrected(line, error))


class LinePrompt(Prompt):
    """A question with a line, a list of suggestions, and the meaning of the line."""

    TAB = "complete"
    label = ""

    def __init__(self, services: Services, text: str = "") -> None:
        super().__init__(services)
        self.line = InputLine(text, self._changed)
        self.chosen: int | None = None
        # The row in which the list begins, and the index of the suggestion in each of its rows.
        self.list_at = 1
        self._places: dict[int, int] = {}
        self._suggestions: Sequence[Suggestion] | None = None
        # Pasted lines that wait until the line before them has been carried out.
        self._pasted = ""
        # The near miss that Enter has asked about; "" once the line has changed.
        self._asked_about = ""

    @abstractmethod
    def title(self) -> str:
        """Return the title of the question."""

    @abstractmethod
    def read(self) -> Reading:
        """Return the meaning of the current line."""

    def suggest(self) -> Sequence[Suggestion]:
        """Return the suggestions at the cursor."""
        return ()

    def complete(self, suggestion: Suggestion) -> None:
        """Put a suggestion into the line, replacing the word that it completes."""
        before = self.line.text[: self.line.at]
        start = before.rpartition(" ")[0]
        self.line.set(f"{start}{' ' if start else ''}{suggestion.text} ")

    def submit(self, reading: Reading) -> None:
        """Carry out a reading. If the command is refused, the question opens again with the line."""
        self.carry_out(reading.command)

    def carry_out(self, line: str, read: "Command | None" = None) -> None:
        """Close, carry out a line, and go on with pasted lines after it. `read`: its command, if known."""
        self.close()
        self.services.command(line, self._go_on, asked_by=self, read=read)

    def _go_on(self, event: Event) -> None:
        text, self._pasted = self._pasted, ""
        if text:
            self.line.set("")
            self.services.prompts.open(self)
            self.paste(text)

    @property
    def suggestions(self) -> Sequence[Suggestion]:
        """Return the suggestions for the current line. They are worked out once per line."""
        if self._suggestions is None:
            self._suggestions = self.suggest()
        return self._suggestions

    def _more_is_known(self) -> None:
        """Show suggestions that have arrived for the current line."""
        self._suggestions = None
        if self.services.prompts.current is self:
            self.refresh()

    def _changed(self) -> None:
        self.services.say("")
        self._suggestions, self.chosen, self._asked_about = None, None, ""

    def key(self, event: Key) -> None:
        match event.key:
            case "escape":
                self.close()
                return
            case "enter":
                self.enter()
                return
            case "tab":
                self.tab()
            case "up" | "down" | "shift+tab":
                self.choose(1 if event.key == "down" else -1)
            case _:
                if not self.line.key(event):
                    return
        self.refresh()

    def paste(self, text: str) -> None:
        """Insert pasted text. Several lines are carried out one after another, as with Enter."""
        plain = text.replace("\r\n", "\n").replace("\r", "\n").lstrip("\n")
        first, end, self._pasted = plain.partition("\n")
        self._pasted = self._pasted.lstrip("\n")
        self.line.insert(first)
        if end:
            self.enter()
        else:
            self.refresh()

    def enter(self) -> None:
        """Carry out the line, or say why not. A near miss is asked about once."""
        if self.chosen is not None and self.chosen < len(self.suggestions):
            self.complete(self.suggestions[self.chosen])
        self.take_line()

    def take_line(self) -> None:
        """Carry out the line unchanged; see `enter`."""
        reading = self.read()
        if reading.instead and self._asked_about == self.line.text:
            self.line.set(reading.instead)
            reading = self.read()
        if reading.command:
            self.submit(reading)
            return
        if reading.instead:
            self._asked_about = self.line.text
        says = asks_again(reading.wrong) if reading.instead else reading.wrong or reading.says
        self.services.say(says, error=True)
        self.refresh()

    def click(self, row: int) -> None:
        at = self._places.get(row - self.list_at) if self.suggestions else None
        if at is None:
            return
        if at == self.chosen:
            self.enter()
            return
        self.chosen = at
        self.refresh()

    def tab(self) -> None:
        """Complete the word with the chosen suggestion, or the first."""
        if self.suggestions:
            self.complete(self.suggestions[min(self.chosen or 0, len(self.suggestions) - 1)])

    def choose(self, by: int) -> None:
        """Move in the list."""
        if self.suggestions:
            at = -1 if self.chosen is None and by > 0 else (self.chosen or 0)
            self.chosen = (at + by) % len(self.suggestions)

    def wanted_rows(self, width: int) -> int:
        """Return the rows for the title, the line and each suggestion."""
        return 2 + len(self.suggestions)

    def rows(self, width: int, height: int) -> Sequence[Row]:
        room = max(0, height - 2)
        middle = list(self.list_rows(width, room))[:room]
        self.list_at = 1
        head = self.head_row((self.title(), "strong"), width)
        return [head, *middle, *([[]] * (room - len(middle))), self.line_row(width)]

    @property
    def unseen(self) -> int:
        """Return the number of suggestions that do not fit."""
        return len(self.suggestions) - len(set(self._places.values()))

    def head_row(self, title: Piece, width: int) -> Row:
        """Return the title row, with the number of suggestions that do not fit."""
        more = f"{self.unseen} more " if self.unseen and self.suggestions else ""
        said = printable(title[0])
        if more and cell_len(said) + cell_len(more) + 4 <= width:
            # If the title is cut, its ellipsis is before the number.
            more = f"… {more}"
        room = width - cell_len(more) - 2
        return [(" ", ""), (fitted(said, room), title[1]), (" ", ""), (more, "muted")]

    def list_rows(self, width: int, height: int) -> Sequence[Row]:
        """Return the rows of the suggestions that fit, including the chosen one."""
        found = self.suggestions
        self._places = {}
        if not found or height < 1:
            return ()
        top = max(0, min((self.chosen or 0) - height + 1, len(found) - height))
        widest = max(
            cell_len(printable(suggestion.shown or suggestion.text))
            for suggestion in found[top : top + height]
        )
        column = min(widest, width // 2)
        rows = [
            self._suggestion_row(suggestion, column, width, top + at == self.chosen)
            for at, suggestion in enumerate(found[top : top + height])
        ]
        places = list(range(top, top + len(rows)))
        if self.chosen is not None and self.chosen - top < height:
            # The chosen suggestion shows its whole help; the suggestions below it move down.
            blank = " " * (column + 5)
            lines = wrapped(printable(found[self.chosen].help), max(10, width - len(blank)), "")
            at = min(self.chosen - top + 1, height)
            rows[at:at] = [tinted([(f"{blank}{line}", "")], width, "cursor") for line in lines[1:]]
            places[at:at] = [self.chosen] * len(lines[1:])
            over = max(0, min(at + len(lines) - 1 - height, at - 1))
            rows, places = rows[over:], places[over:]
        self._places = dict(enumerate(places[:height]))
        return rows[:height]

    def _suggestion_row(self, suggestion: Suggestion, column: int, width: int, chosen: bool) -> Row:
        shown = fitted(printable(suggestion.shown or suggestion.text), column)
        if chosen:
            help = wrapped(printable(suggestion.help), max(10, width - column - 5), "")[0]
            row: Row = [("   ", ""), (shown, suggestion.tone), (f"  {help}", "")]
            return under_cursor(row, width)
        return [("   ", ""), (shown, suggestion.tone), ("  ", ""), (printable(suggestion.help), "muted")]

    def line_row(self, width: int) -> Row:
        """Return the row with the line and its meaning."""
        reading = self.read()
        label: Piece = (f" {self.label} " if self.label else " ", "accent strong")
        room = max(8, width - cell_len(label[0]) - 2)
        behind: Piece = (as_sentence(reading.wrong), "warning") if reading.wrong else (reading.says, "muted")
        if self.services.messages.sentence in (reading.wrong or reading.says, asks_again(reading.wrong)):
            # The message after Enter is shown in full on the line below.
            behind = ("", "")
        typed = self.line.row(room)
        return [label, *typed, ("  ", ""), (printable(behind[0]), behind[1])]


class FindPrompt(LinePrompt):
    """Prompt of `/`: part of a name or text to find."""

    ENTER = "find"
    TAB = ""
    label = "find"

    def title(self) -> str:
        return "Find: part of a name or text"

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self._is_found = True
        self._go_back = services.way_back()

    def key(self, event: Key) -> None:
        if event.key == "escape":
            self._go_back()
        super().key(event)

    def read(self) -> Reading:
        if not self._is_found:
            return Reading(wrong=f"nothing here matches {shown(self.line.text)}")
        return Reading(says="Enter stays here")

    def _changed(self) -> None:
        super()._changed()
        self._is_found = self.services.find(clean(self.line.text))

    def enter(self) -> None:
        if self._is_found:
            self.close()
        else:
            super().enter()


class NotePrompt(LinePrompt):
    """Prompt of `T`: the text of the note."""

    ENTER = "save"
    TAB = ""
    label = "note"

    def title(self) -> str:
        return 'Note for the log · end it with "for all" to show the players'

    def read(self) -> Reading:
        text = self.line.text.strip()
        if not text:
            return Reading(says="type a note")
        seen = "the players see it" if f" {text}".casefold().endswith(FOR_ALL) else "only you see it"
        return Reading(f"note {text}", seen)


class RollPrompt(LinePrompt):
    """Prompt of `r`: dice to roll, in dice notation."""

    ENTER = "roll"
    TAB = ""
    label = "roll"

    def title(self) -> str:
        return "Roll: 2d6+3 · 4d6kh3 · adv d20+5 · d% · for 3 · secret"

    def read(self) -> Reading:
        text = self.line.text.strip()
        if not text:
            return Reading(says="which dice?")
        # Most players roll by an action. Only a typed roll pays for the table of commands.
        from systems.commands.table import parse_roll

        line = f"roll {text}"
        # A seat has no encounter. The server checks the names.
        here = self.services.source.encounter if self.services.source else None
        try:
            intent = parse_roll(line, names_in_lines(here) if here else ())
            whose = single(here, intent.who).name if here and intent.who else intent.who
        except Misread as error:
            return Reading(wrong=misread_words(line, error))
        except Refused as error:
            return Reading(wrong=str(error))
        dice = parse(intent.dice)
        says = f"{minimum(dice)} to {maximum(dice)}"
        says += f", for {printable(whose)}" if whose else ""
        return Reading(line, f"{says}, secret" if intent.secret else says)
