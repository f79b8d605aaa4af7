"""The prompts for new roster entries, and for new rows in their tables and lists."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rich.cells import cell_len

from systems.encounter.completion import Completion, matching
from systems.errors import Wrong
from systems.frozen import frozen
from systems.language.readings import SheetLine, sentences
from systems.language.sheet_words import lines_and_ends, lines_of
from systems.schema.fields import Entries
from systems.text import clean, listed
from tui.display.form import FormRow, changed
from tui.display.text import Row, cut
from tui.display.typed_lines import reading_rows, sign_of
from tui.prompts.line import LinePrompt, Reading, Suggestion, refused
from tui.services import Services

_LONG = 200  # characters; a longer text may be a stat block that has lost its line ends
_FILE_BEGINS = ("{", "[", "<")
_LONGEST_LIST = 20_000  # characters of a list of names
_MOST_ROWS = 12  # one line has a row for each part


@frozen
class _Typed:
    """One of the typed lines: the entry it becomes, and its end in the text."""

    found: SheetLine
    end: int

    @property
    def wrong(self) -> str:
        return self.found.wrong


def _line_row(line: _Typed, width: int) -> Row:
    """Return one of several lines as a row: its name and its parts."""
    sign, mark = sign_of(line.found)
    name = cut(line.found.name or clean(line.found.text), 24)
    said = " · ".join(words for kind, words in sentences(line.found.parts))
    room = width - cell_len(sign) - cell_len(name) - 3
    tone = "danger" if line.wrong else "muted"
    return [(sign, mark), (f"{name}  ", "" if line.wrong else "strong"), (cut(said, room), tone)]


def joined(before: str, after: str) -> str:
    """Return two pieces of pasted text as one: those of a file as they are, those of prose as lines."""
    between = "" if not before or before.lstrip()[:1] in _FILE_BEGINS else "\n"
    return f"{before}{between}{after}"


def _is_path(text: str) -> bool:
    """Return whether a line is the path of a file, as a terminal pastes it for a file dragged into it."""
    return text.lstrip(" '\"").startswith(("/", "~/"))


class NewEntryPrompt(LinePrompt):
    """Asks for a name, several typed lines such as `Sera melee 45 life 50`, or a pasted stat block.

    Tab or the arrows choose a template.

    `beginnings`: the name of each template, with its values in words. `read_line` reads a line for a
    template, given by index. `words_to_come` completes the last word. `make` gets the entries and the index
    of the template and returns an error, or None. `read_paste` gets all pasted text and its last piece, and
    returns whether it was a stat block or a file; other pasted lines are joined by semicolons. `read_file`
    imports the file whose path was typed.
    """

    ENTER = "create"
    TAB = "character or creature"
    MOST_PASTED = 20 * 1024 * 1024  # a file of creatures
    LONGEST_LINE = None
    label = "name"

    def __init__(
        self,
        services: Services,
        beginnings: Sequence[tuple[str, str]],
        read_line: Callable[[str, int], SheetLine],
        make: Callable[[Sequence[SheetLine], int], str | None],
        *,
        example: str,
        words_to_come: Callable[[str], Sequence[str]],
        read_paste: Callable[[str, str], bool],
        read_file: Callable[[str], None],
        first: int = 0,
    ) -> None:
        super().__init__(services)
        self._read_paste, self._read_file = read_paste, read_file
        # The pasted text, and the line that was made of it.
        self._pasted_text = self._pasted_line = ""
        self._beginnings, self._read_line, self._make = beginnings, read_line, make
        self._example, self._words_to_come = example, words_to_come
        self._typed: Sequence[_Typed] | None = None
        self.chosen = first

    def title(self) -> str:
        return f"Names, in lines or separated by semicolons: {self._example}"

    def suggest(self) -> Sequence[Suggestion]:
        return [Suggestion(name, name, figures) for name, figures in self._beginnings]

    def _changed(self) -> None:
        # The choice stays while the name is typed.
        self._typed, self._asked_about = None, ""
        self.services.say("")

    def tab(self) -> None:
        """Complete the last word if it begins a known one; else choose another template."""
        before, typed, behind = self._split
        if words := self._words_to_come(before):
            whole = f"{before.removesuffix(typed)}{words[0]} "
            self.line.set(f"{whole}{behind.lstrip()}")
            self.line.at = len(whole)
        else:
            self.choose(1)

    @property
    def _split(self) -> tuple[str, str, str]:
        """Return the line up to the cursor, the word that ends there, and the rest of the line."""
        before, behind = self.line.text[: self.line.at], self.line.text[self.line.at :]
        return before, before.rpartition(" ")[2].rpartition(",")[2], behind

    def choose(self, by: int) -> None:
        self.chosen = (self._at + by) % len(self._beginnings)
        self._typed = None

    def paste(self, text: str) -> None:
        """Read a stat block together with the line so far; join other pasted lines by semicolons."""
        plain = text.replace("\r\n", "\n").replace("\r", "\n")
        before = self._pasted_text if self.line.text == self._pasted_line else self.line.text
        whole = joined(before, plain)
        if self._is_long(whole) and self._read_paste(whole, plain):
            self._pasted_text, self._pasted_line = whole, self.line.text
            return
        if len(text) > _LONGEST_LIST:
            says = (
                f"the pasted text has {len(text):,} characters; a list of names has at most {_LONGEST_LIST:,}"
            )
            self.services.say(says, error=True)
            return
        self.line.insert("; ".join(lines_of(plain)) if "\n" in plain else plain)
        self._pasted_text, self._pasted_line = whole, self.line.text
        self.refresh()

    def _is_long(self, text: str) -> bool:
        return "\n" in text.strip() or len(text) > _LONG or text.lstrip()[:1] in _FILE_BEGINS

    @property
    def _at(self) -> int:
        return self.chosen or 0

    @property
    def _lines(self) -> Sequence[_Typed]:
        """Return the typed lines; they are read once for each text."""
        if self._typed is None:
            names: set[str] = set()
            self._typed = [self._understood(line, end, names) for line, end in lines_and_ends(self.line.text)]
        return self._typed

    def _understood(self, line: str, end: int, names: set[str]) -> _Typed:
        """Read a line. `names`: the names of the lines before it; its own is added."""
        found = self._read_line(line, self._at)
        name = found.name.casefold()
        if name and name in names:
            found = found.refused(f"{clean(found.name)} is already in an earlier line")
        names.add(name)
        return _Typed(found, end)

    def wanted_rows(self, width: int) -> int:
        """Return the rows for each line, for each part of a single line, or for each template."""
        lines = self._lines
        shown = len(reading_rows(lines[0].found, width, _MOST_ROWS)) if len(lines) == 1 else len(lines)
        return 2 + max(len(self.suggestions), shown if self._tells_lines else 0)

    def list_rows(self, width: int, height: int) -> Sequence[Row]:
        """Return the templates; if values are typed, the meaning of each line, errors first."""
        come = self._words_to_come(self._split[0])
        if come and height > 1:
            first, *others = come
            more: Row = [
                ("   Tab ", "muted"),
                (first, "strong"),
                (cut(f"  {'  '.join(others)}", width - 24), "muted"),
            ]
            return [more, *self._rows_of_lines(width, height - 1)]
        return self._rows_of_lines(width, height)

    @property
    def _tells_lines(self) -> bool:
        """Return whether the meaning of the lines is shown instead of the templates."""
        if _is_path(self.line.text):
            return False
        typed = self._lines
        return len(typed) > 1 or any(line.wrong or line.found.says_more for line in typed)

    @property
    def unseen(self) -> int:
        return 0 if self._tells_lines else super().unseen

    def _rows_of_lines(self, width: int, height: int) -> Sequence[Row]:
        if not self._tells_lines:
            return super().list_rows(width, height)
        # No row is a choice to click.
        self._places = {}
        shown = sorted(self._lines, key=lambda line: not line.wrong)
        room = height - 1 if len(shown) > height else height
        if len(shown) == 1:
            return reading_rows(shown[0].found, width, max(height, 1))
        rows = [_line_row(line, width) for line in shown[:room]]
        if len(shown) > room:
            rows.append([(f"   … {len(shown) - room} more", "muted")])
        return rows

    def read(self) -> Reading:
        if _is_path(self.line.text):
            return Reading(self.line.text, "Enter imports this file")
        typed, what = self._lines, self._beginnings[self._at][0]
        if not typed:
            return Reading(says=f"the name of {what}, or paste a stat block")
        if wrong := next((line for line in typed if line.wrong), None):
            at = f"line {typed.index(wrong) + 1}: " if len(typed) > 1 else ""
            return Reading(wrong=f"{at}{wrong.wrong}", instead=self._instead)
        names = [line.found.name for line in typed]
        says = names[0] if len(names) == 1 else f"{len(names)}: {listed(names)}"
        return Reading(self.line.text, f"{says}, {what}" if len(names) == 1 else f"{says}; each {what}")

    @property
    def _instead(self) -> str:
        """Return the lines with near misses replaced; "" if a line has another mistake."""
        if any(line.wrong and not line.found.instead for line in self._lines):
            return ""
        return "; ".join(line.found.instead or line.found.text for line in self._lines)

    def submit(self, reading: Reading) -> None:
        """Make the entries. If one can't be made, the line stays to be corrected."""
        if problem := self._make([line.found for line in self._lines], self._at):
            self._go_to_fault()
            self.services.say(problem, error=True)
            self.refresh()

    def enter(self) -> None:
        if _is_path(self.line.text):
            self._read_file(self.line.text)
            return
        if not self._lines:
            self.services.say("it needs a name", error=True)
            self.refresh()
            return
        if self.read().wrong:
            self._go_to_fault()
        self.take_line()

    def _go_to_fault(self) -> None:
        """Put the cursor after the first line with an error."""
        self.line.at = next((line.end for line in self._lines if line.wrong), self.line.at)


class NewRowPrompt(LinePrompt):
    """Prompt of `+ add` on the roster: a name and its number, or one line for a weapon. Tab completes.

    `plain`: the current sheet. `suggested`: the suggestions. `give` stores a line and returns an error, or
    None.
    """

    ENTER = "add"
    label = "add"

    def __init__(
        self,
        services: Services,
        row: FormRow,
        plain: Mapping[str, Any],
        suggested: Sequence[str],
        give: Callable[[str], str | None],
        text: str = "",
    ) -> None:
        super().__init__(services, text)
        self._row, self._plain, self._give = row, plain, give
        self._is_line = isinstance(row.field.type, Entries)
        self._known = [Completion(text) for text in suggested]

    def title(self) -> str:
        return f"{self._row.field.label}: {self._row.help}"

    def suggest(self) -> Sequence[Suggestion]:
        return [Suggestion(found.text) for found in matching(self.line.text.strip(), self._known)]

    def complete(self, suggestion: Suggestion) -> None:
        self.line.set(suggestion.text if self._is_line else f"{suggestion.text} ")

    def read(self) -> Reading:
        typed = self.line.text.strip()
        if not typed:
            return Reading(says="Tab chooses one of these" if self._known else "")
        try:
            changed(self._plain, self._row, typed)
        except Wrong as wrong:
            # The beginning of a name is not a mistake yet.
            return Reading(says=str(wrong)) if self.suggestions else refused(self.line.text, wrong)
        return Reading(typed)

    def submit(self, reading: Reading) -> None:
        # Closed first: storing it may ask about a change from outside.
        self.close()
        if problem := self._give(reading.command):
            self.services.prompts.open(self)
            self.services.say(problem, error=True)
