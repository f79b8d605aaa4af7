"""New roster entries: names, figures behind them where some are known, and what they begin with."""

from collections.abc import Callable, Sequence

from rich.cells import cell_len

from systems.errors import Wrong
from systems.frozen import frozen
from systems.language.sheet_lines import SheetLine, lines_and_ends, lines_of
from systems.text import as_sentence, clean, listed
from tui.display.text import Row, cut, wrapped
from tui.prompts.line import LinePrompt, Reading, Suggestion
from tui.services import Services


@frozen
class _Typed:
    """One line of those that were typed and where it ends: what it says, or why it cannot be understood."""

    line: str
    end: int
    found: SheetLine | None
    wrong: str = ""


def _line_rows(line: _Typed, says: str, width: int, most: int) -> Sequence[Row]:
    """Return a line that was typed with what is said of it, in at most so many rows."""
    sign, mark, tone = ("   ", "", "muted") if line.found else (" ! ", "danger strong", "danger")
    name = cut(line.found.name, 24) if line.found else cut(clean(line.line), 20)
    before = cell_len(sign) + cell_len(name) + 2
    room = width - before - 1
    parts = wrapped(says, room, "")
    told = [*parts[: most - 1], cut(" ".join(parts[most - 1 :]), room)] if len(parts) > most else parts
    first: Row = [(sign, mark), (f"{name}  ", "strong" if line.found else ""), (told[0], tone)]
    return [first, *([(" " * before + part, tone)] for part in told[1:])]


class NewEntryPrompt(LinePrompt):
    """A name is typed, or a line for each: `Sera melee 45 life 50`. Tab or the arrows choose the beginning.

    `beginnings`: of each choice its name and its figures in words. `read_line` raises Wrong. `words` tells
    figures. `words_to_come` completes the last word, which Tab takes. `make` is called with what the lines
    say and the number of the choice, and says in a sentence why something was not made, or None. Lines that
    are pasted stand in the line with semicolons between.
    """

    ENTER = "make it"
    TAB = "character or creature"
    MOST_PASTED = 20_000  # a longer list is for `affray import`
    label = "name"

    def __init__(
        self,
        services: Services,
        beginnings: Sequence[tuple[str, str]],
        read_line: Callable[[str], SheetLine],
        words: Callable[[SheetLine], str],
        make: Callable[[Sequence[SheetLine], int], str | None],
        *,
        example: str,
        words_to_come: Callable[[str], Sequence[str]],
        first: int = 0,
    ) -> None:
        super().__init__(services)
        self._beginnings, self._read_line, self._words, self._make = beginnings, read_line, words, make
        self._example, self._words_to_come = example, words_to_come
        self._typed: Sequence[_Typed] | None = None
        self.chosen = first

    def title(self) -> str:
        return f"A name, or a line each (or ; between): {self._example}"

    def suggest(self) -> Sequence[Suggestion]:
        return [Suggestion(name, name, figures) for name, figures in self._beginnings]

    def _changed(self) -> None:
        # What was chosen stays while the name is typed.
        self._typed = None
        self.services.say("")

    def tab(self) -> None:
        """Complete the word that is typed, where one begins so; else choose another beginning."""
        before, typed, behind = self._split
        if words := self._words_to_come(before):
            whole = f"{before.removesuffix(typed)}{words[0]} "
            self.line.set(f"{whole}{behind.lstrip()}")
            self.line.at = len(whole)
        else:
            self.choose(1)

    @property
    def _split(self) -> tuple[str, str, str]:
        """The line up to the cursor, the word that ends there, and the line behind it."""
        before, behind = self.line.text[: self.line.at], self.line.text[self.line.at :]
        return before, before.rpartition(" ")[2].rpartition(",")[2], behind

    def choose(self, by: int) -> None:
        self.chosen = (self._at + by) % len(self._beginnings)

    def paste(self, text: str) -> None:
        """Pasted lines are read together: a line's end becomes a semicolon."""
        self.line.insert("; ".join(lines_of(text)) if "\n" in text.replace("\r", "\n") else text)
        self.refresh()

    @property
    def _at(self) -> int:
        return self.chosen or 0

    @property
    def _lines(self) -> Sequence[_Typed]:
        """What the lines say; read once for each text."""
        if self._typed is None:
            names: set[str] = set()
            self._typed = [self._understood(line, end, names) for line, end in lines_and_ends(self.line.text)]
        return self._typed

    def _understood(self, line: str, end: int, names: set[str]) -> _Typed:
        """Read a line. `names`: those of the lines before it, to which its own is added."""
        try:
            found = self._read_line(line)
        except Wrong as wrong:
            return _Typed(line, end, None, str(wrong))
        name = found.name.casefold()
        if name in names:
            return _Typed(line, end, None, f"{clean(found.name)} stands in a line before it already")
        names.add(name)
        return _Typed(line, end, found)

    def wanted_rows(self, width: int) -> int:
        """A row for each line, or for each choice."""
        return 2 + max(len(self.suggestions), len(self._lines))

    def list_rows(self, width: int, height: int) -> Sequence[Row]:
        """Return what they may begin with; where there are figures, what each line says, errors first."""
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
        """Whether what the lines say stands in place of the choices."""
        typed = self._lines
        return len(typed) > 1 or any(line.wrong or (line.found and line.found.says_more) for line in typed)

    @property
    def unseen(self) -> int:
        return 0 if self._tells_lines else super().unseen

    def _rows_of_lines(self, width: int, height: int) -> Sequence[Row]:
        if not self._tells_lines:
            return super().list_rows(width, height)
        # No row is a choice that could be clicked.
        self._places = {}
        shown = sorted(self._lines, key=lambda line: not line.wrong)
        room = height - 1 if len(shown) > height else height
        if len(shown) == 1:
            return _line_rows(shown[0], self._says(shown[0]), width, max(height, 1))
        rows = [row for line in shown[:room] for row in _line_rows(line, self._says(line), width, 1)]
        if len(shown) > room:
            rows.append([(f"   … {len(shown) - room} more", "muted")])
        return rows

    def _says(self, line: _Typed) -> str:
        """Return the figures of a line in words, or why it cannot be understood."""
        return self._words(line.found) if line.found else as_sentence(line.wrong)

    def read(self) -> Reading:
        typed, what = self._lines, self._beginnings[self._at][0]
        if not typed:
            return Reading(says=f"the name of {what}")
        if wrong := next((line for line in typed if line.wrong), None):
            at = f"line {typed.index(wrong) + 1}: " if len(typed) > 1 else ""
            return Reading(wrong=f"{at}{wrong.wrong}")
        names = [line.found.name for line in typed if line.found]
        says = names[0] if len(names) == 1 else f"{len(names)}: {listed(names)}"
        return Reading(self.line.text, f"{says}, {what}" if len(names) == 1 else f"{says}; each {what}")

    def enter(self) -> None:
        reading = self.read()
        if not reading.command:
            problem: str | None = reading.wrong or "it needs a name"
        else:
            problem = self._make([line.found for line in self._lines if line.found], self._at)
        if problem:
            self._go_to_fault()
            self.services.say(problem, error=True)
            self.refresh()

    def _go_to_fault(self) -> None:
        """Put the cursor behind the first line that cannot be, there to be corrected."""
        self.line.at = next((line.end for line in self._lines if line.wrong), self.line.at)
