"""The form of a sheet: one row for each declared field, edited in place."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from rich.cells import cell_len
from textual.binding import Binding
from textual.events import Key, Resize

from systems.contract.sheet import Section
from systems.errors import Wrong
from systems.language.corrections import corrected
from systems.schema.fields import Field
from systems.schema.types import Choice, Flag
from systems.text import as_sentence
from tui.display.card import titled
from tui.display.form import (
    FormRow,
    ValuePath,
    changed,
    cycled,
    in_sentences,
    row_at,
    row_of_error,
    rows_of,
    without,
)
from tui.display.refusals import asks_again
from tui.display.text import Piece, Row, fitted, printable, shortened
from tui.display.text import width as width_of
from tui.terminal.symbols import symbols
from tui.widgets.cursor_list import CursorList
from tui.widgets.input_line import InputLine

_LABEL = 22
_VALUE = 30
_LEAST_FRAME = 12
_ROOMY = 80  # from this width each field shows its help next to it
# The column of values before the sentences of rules, in a roomy form and in a narrow one.
_SWITCH, _SHORT_SWITCH = 22, 16
_LEAST_BESIDE = 44  # in a narrower form the sentences are below their values
_BELOW = 3


class LineEdit(NamedTuple):
    """A line being edited in place. See tui.prompts.inline_edit for when each part is called."""

    line: InputLine
    show: Callable[[], None]
    take: Callable[[], bool]
    leave: Callable[[], None]
    other: Callable[[Key], bool]


class SheetForm(CursorList):
    """The declared fields of one sheet. Typing or Enter edits a field, and an error appears next to it.

    `read` makes a sheet of plain data and raises Wrong. `keep` takes both and returns a sentence if they were
    not saved, or None; neither is called with invalid data. `begin` sends every key to a line being edited
    until `end` or one of the line's own keys finishes it. `pick` opens the list of a choice. `add` asks for a
    new entry of a row: it gets the text typed so far and a function that takes the answer and returns a
    sentence if it is invalid, or None. `say` shows an error.
    """

    BINDINGS = [
        Binding("right", "cycle(1)", "more", show=False, tooltip="The next value.", id="form.more"),
        Binding("left", "cycle(-1)", "less", show=False, tooltip="The value before.", id="form.less"),
        Binding("delete", "leave_out", "leave out", show=False, tooltip="Leave it out.", id="form.out"),
    ]

    def __init__(
        self,
        read: Callable[[Mapping[str, Any]], Any],
        keep: Callable[[Mapping[str, Any], Any], str | None],
        *,
        begin: Callable[[LineEdit], None],
        pick: Callable[[FormRow, Sequence[str], Callable[[str], None]], None],
        add: Callable[[FormRow, Mapping[str, Any], str, Callable[[str], str | None]], None],
        end: Callable[[], None],
        say: Callable[[str], None],
        moved: Callable[[int], None] | None = None,
        id: str | None = None,
    ) -> None:
        super().__init__(moved=moved, id=id)
        self._read, self._keep = read, keep
        self._begin, self._pick, self._add, self._end, self._say = begin, pick, add, end, say
        self._fields: Mapping[str, Field] = {}
        self._plain: Mapping[str, Any] = {}
        self._sections: Sequence[Section] = ()
        self._rows: list[FormRow] = []
        self._editing: InputLine | None = None
        self.wrong: tuple[ValuePath, str] | None = None
        # The typed text with a near miss replaced; "" if there is none. Enter asks once before it takes it.
        self._instead = self._asked_about = ""
        # How often rows were laid out.
        self._laid_out = 0
        # Whether each field is a sentence after its value, and the width of the sentences.
        self._in_sentences, self._cells = False, 0

    @property
    def count(self) -> int:
        return len(self._rows)

    @property
    def current(self) -> FormRow | None:
        return self._rows[self.cursor] if self.cursor < len(self._rows) else None

    def stops(self, index: int) -> bool:
        return self._rows[index].role in ("field", "add")

    def extent(self, index: int) -> int:
        end = index + 1
        while end < self.count and self._rows[end].role == "rest":
            end += 1
        return end - index

    def open(
        self,
        fields: Mapping[str, Field],
        plain: Mapping[str, Any],
        sheet: Any,
        *,
        anew: bool,
        sections: Sequence[Section] = (),
        in_sentences: bool = False,
    ) -> None:
        """Show a sheet. `anew`: it is a different one, and the cursor goes to its first row.

        `in_sentences`: show what each value means as a sentence in place of its name.
        """
        self._sections, self._in_sentences = sections, in_sentences
        current = None if anew else self.current
        self._fields, self._plain, self.wrong = fields, plain, None
        self._laid_out += 1
        self._take_rows(rows_of(fields, plain, sheet, sections))
        at = row_at(self._rows, current.path) if current else None
        if at is None:
            # Text being typed belongs to its field.
            self._editing = None
        self.show_rows(0 if anew else at)

    def _take_rows(self, rows: Sequence[FormRow]) -> None:
        self._cells = self.scrollable_content_region.width
        room = max(10, self._cells - _switch(self._cells) - 2)
        is_below = self._cells < _LEAST_BESIDE
        self._rows = [*in_sentences(rows, room, is_below=is_below)] if self._in_sentences else [*rows]

    def on_resize(self, event: Resize) -> None:
        if self._in_sentences and self._cells != self.scrollable_content_region.width:
            current = self.current
            self._take_rows([row for row in self._rows if not row.is_layout])
            self.show_rows(row_at(self._rows, current.path) if current else None)
        super().on_resize(event)

    def clear(self) -> None:
        """Show nothing."""
        self._rows, self.wrong = [], None
        self.show_rows(0)

    # Changing

    def action_choose(self) -> None:
        row = self.current
        if row is None:
            return
        if isinstance(row.type, Choice) and row.role == "field":
            self._pick(row, row.type.values, lambda word: self._picked(row, word))
        elif isinstance(row.type, Flag) and row.role == "field":
            self.action_cycle(1)
        elif row.role == "add":
            self._ask_new(row, "")
        elif row.edited:
            self._edit(row.typed)
        elif self.cursor + 1 < self.count:
            self.action_move(1)

    def _picked(self, row: FormRow, word: str) -> None:
        self._put(row, word)
        if self.moved is not None and self.wrong is None:
            self.moved(self.cursor)

    def type(self, character: str) -> None:
        """Type a new value into the row under the cursor.

        A space selects the next value of a choice. Any other value it opens, as Enter does.
        """
        row = self.current
        if row is None:
            return
        if not row.edited:
            self._say(f"{row.label}: Delete takes it out, Enter goes on to what it holds.")
        elif character == " " and isinstance(row.type, Flag | Choice) and row.role == "field":
            self.action_cycle(1)
        elif row.role == "add":
            self._ask_new(row, character.strip())
        else:
            self._edit(row.typed if character == " " else character)

    def action_cycle(self, by: int) -> None:
        row = self.current
        if row is not None and row.role == "field" and (word := cycled(row, by)) is not None:
            self._put(row, word)

    def action_leave_out(self) -> None:
        """Reset a field to its default, or remove an entry from its table or list."""
        row = self.current
        if row is not None and row.role == "field" and row.given:
            self._settle(row, without(self._plain, row.path))

    def _ask_new(self, row: FormRow, text: str) -> None:
        self.wrong = None
        self._add(row, self._plain, text, lambda word: self._added(row, word))

    def _added(self, row: FormRow, word: str) -> str | None:
        """Save a new entry, with the cursor still on the row for the next one.

        Return a sentence if it is invalid.
        """
        if not self._put(row, word):
            wrong, self.wrong = self.wrong, None
            self._redraw()
            return wrong[1] if wrong else ""
        if (at := row_at(self._rows, row.path)) is not None:
            self.show_rows(at)
        return None

    def _edit(self, text: str) -> None:
        self._editing = InputLine(printable(text))
        self.wrong, self._asked_about = None, ""
        self._begin(LineEdit(self._editing, self._redraw, self._take, self._stop, self._also))
        if self.moved is not None:
            self.moved(self.cursor)

    def _take(self) -> bool:
        """Validate and store the typed text; return whether it was valid.

        A near miss is asked about once. The second time its correction is stored.
        """
        row = self.current
        if row is None or self._editing is None:
            return True
        word = self._editing.text.strip()
        if self._instead and self._asked_about == word:
            self._editing.set(word := self._instead)
        if not self._put(row, word):
            self._asked_about = word
            return False
        self._editing = None
        self._redraw()
        return True

    def _stop(self) -> None:
        self._editing, self.wrong = None, None
        self._redraw()
        if self.moved is not None:
            self.moved(self.cursor)

    def _also(self, event: Key) -> bool:
        """Let Up, Down and Tab store the typed text and go to the next field."""
        step = {"up": -1, "down": 1, "tab": 1, "shift+tab": -1}.get(event.key)
        if step is None:
            return False
        if self._take():
            self._end()
            self.action_move(step)
        return True

    def _put(self, row: FormRow, word: str) -> bool:
        self._instead = ""
        try:
            plain = changed(self._plain, row, word)
        except Wrong as wrong:
            self._refuse(row.path, str(wrong), corrected(word, wrong))
            return False
        return self._settle(row, plain, word)

    def _settle(self, row: FormRow, plain: Mapping[str, Any], word: str = "") -> bool:
        """Validate and save the whole sheet, then show the saved version. `word`: the typed text."""
        try:
            sheet = self._read(plain)
        except Wrong as wrong:
            at = row_of_error(self._rows, wrong.field)
            self._refuse(
                row.path if at is None else self._rows[at].path, wrong.message, corrected(word, wrong)
            )
            return False
        shown = self._laid_out
        problem = self._keep(plain, sheet)
        if self._laid_out != shown:
            # Saving already showed the sheet again, in its saved form.
            return True
        if problem is not None:
            self._tell(row.path, problem)
            return False
        before = self.cursor
        self._plain, self.wrong = plain, None
        self._take_rows(rows_of(self._fields, plain, sheet, self._sections))
        self.show_rows(before)
        return True

    def _refuse(self, path: ValuePath, sentence: str, instead: str) -> None:
        """Show an error of the typed text. `instead`: the text that was probably meant, or ""."""
        self._instead = instead if self._editing is not None else ""
        self._tell(path, asks_again(sentence) if self._instead else sentence)

    def _tell(self, path: ValuePath, sentence: str) -> None:
        """Show an error once: next to its field if there is room, else below, with a mark at the field."""
        sentence = as_sentence(sentence)
        self.wrong = (path, sentence)
        at = row_at(self._rows, path)
        cells = self.scrollable_content_region.width
        told_here = at is not None and any(sentence in text for text, _ in self.row(at, cells))
        self._say("" if told_here else sentence)
        self._redraw()

    def _redraw(self) -> None:
        self._strips.clear()
        self.refresh()

    # Painting

    def row(self, index: int, cells: int) -> Row:
        row = self._rows[index]
        if self._in_sentences and row.role in ("field", "rest"):
            return self._sentence(row, index, cells)
        indent = " " + "  " * row.depth
        # Often only the ends of two names differ.
        named = shortened(row.label, _label(cells) - 1 - len(indent))
        label = fitted(f"{indent}{named}", _label(cells) - 1) + " "
        if row.role == "section":
            return [(f" {row.label}", "strong")]
        if row.role == "head":
            return [(f" {titled(row.label)}", "strong"), (f"  {row.field.help}", "muted")]
        if self._editing is not None and index == self.cursor:
            typed = [(label, "strong"), *self._frame(self._editing, cells - width_of([(label, "")]))]
            return [*typed, *self._error(row, cells - width_of(typed))]
        if row.role == "add":
            add: Row = [(fitted(f" {'  ' * row.depth}+ add", _label(cells)), "muted")]
            return [*add, *self._error(row, cells - width_of(add))]
        value = row.words
        tone = "" if row.given else "muted"
        found: list[Piece] = [(label, "muted"), (value, tone)]
        if row.field.same_as and not row.given:
            found.append((f"  same as {self._fields[row.field.same_as].label}", "muted"))
        if error := self._error(row, cells - width_of(found)):
            return [*found, *error]
        room = _LABEL + _VALUE - width_of(found)
        if cells < _ROOMY or row.depth == 1 or room < 2:
            return found
        return [*found, (" " * room + row.field.help, "muted")]

    def _sentence(self, row: FormRow, index: int, cells: int) -> Row:
        """Return a value and the sentence that says what it means; an error takes the sentence's place."""
        column = _switch(cells)
        found: list[Piece] = [(" ", "")]
        if self._editing is not None and index == self.cursor:
            found += self._frame(self._editing, cells - 1)
        elif row.role == "field":
            found += _value(row, column - 1 if row.label else cells - 2)
        found.append((" " * (column + 1 - width_of(found)), ""))
        error = self._error(row, cells - width_of(found)) if row.role == "field" else []
        return [*found, *error] if len(error) > 1 else [*found, *error, (row.label, "")]

    def _frame(self, line: InputLine, room: int) -> Row:
        """Return the typed text in a frame with its own background."""
        inner = max(5, min(max(_LEAST_FRAME, cell_len(line.text) + 3), room - 2))
        typed = [(text, f"{tones} field") for text, tones in line.row(inner)]
        blank = " " * (inner - width_of(typed))
        return [("[", "accent field"), *typed, (blank, "field"), ("]", "accent field")]

    def _error(self, row: FormRow, room: int) -> Row:
        """Return the error of this row, shortened to a mark if there is no room for all of it."""
        if self.wrong is None or self.wrong[0] != row.path:
            return []
        mark, sentence = "  ! ", self.wrong[1]
        fits = len(mark) + cell_len(sentence) <= room
        return [(mark, "danger strong"), *([(sentence, "danger")] if fits else [])]


def _label(cells: int) -> int:
    """Return the width of the names; in a narrow form the values get the rest."""
    return min(_LABEL, cells * 2 // 3)


def _switch(cells: int) -> int:
    """Return the width of the values before the sentences of rules, or the indent of those below."""
    return _SWITCH if cells >= _ROOMY else _SHORT_SWITCH if cells >= _LEAST_BESIDE else _BELOW


def _value(row: FormRow, cells: int) -> list[Piece]:
    """Return the value of a rule, as a switch if it is on or off. A value of the table's own is bright."""
    if isinstance(row.type, Flag):
        tone = "accent strong" if row.given else "" if row.value else "muted"
        return [(symbols().on if row.value else symbols().off, tone)]
    chip = [(f" {shortened(row.words, cells - 2)} ", "chip")]
    return chip if row.given else [(shortened(row.words, cells), "")]
