"""The options of an action while it is prepared: which were given, and what each can be."""

from collections.abc import Mapping
from typing import Any

from rich.cells import cell_len
from textual.events import Key

from systems.commands.actions import typed_options
from systems.contract.ruleset import Action
from systems.encounter.completion import option_words
from systems.errors import Wrong
from systems.schema.fields import Field, fields_of
from systems.schema.types import ListOf
from systems.text import begun
from tui.display.text import Piece, Row, printable, width, wrapped
from tui.prompts.completion import joined
from tui.widgets.input_line import InputLine

_SHORT = 16


def _default(field: Field) -> str:
    """The default of an option in words."""
    known = {"true": "yes", "false": "no", "absent": "none", "empty": "none"}
    return known.get(field.default_text, field.default_text)


class Options:
    """The values given for the options of an action; `at` is the index of the edited one, or None."""

    def __init__(self, action: Action, sheet: Any, given: Mapping[str, str] | None = None) -> None:
        self.action, self.sheet = action, sheet
        self.fields: list[Field] = list(fields_of(action.options).values())
        self.given: dict[str, str] = dict(given or {})
        self.at: int | None = None
        self.line = InputLine()
        # What had been given when the option that is edited was opened.
        self._before = dict(self.given)

    @property
    def field(self) -> Field | None:
        """The option that is edited."""
        return None if self.at is None else self.fields[self.at]

    def missing(self) -> Field | None:
        """Return the first option that the action needs and that is not given."""
        return next((field for field in self.fields if field.needed and not self.given.get(field.name)), None)

    def typed(self) -> Any:
        """Return the options as the action takes them. Raises Wrong for an invalid value."""
        return typed_options(self.action, self.given)

    def shown(self, field: Field) -> str:
        """Return what was given for an option, else its default in brackets."""
        return self.given.get(field.name, f"({_default(field)})")

    def needed_word(self, field: Field) -> str:
        """Return what has to be given for an option, in a sentence: `ability, one of melee, dodge`."""
        words = option_words(self.sheet, field)
        said = f"one of {', '.join(words)}" if words else field.type.expected
        return f"{field.name.replace('_', ' ')}, {said}"

    def words(self) -> str:
        """Return the options as the command language writes them."""
        return " ".join(f"{name}={joined([word])}" for name, word in self.given.items())

    def go(self, by: int) -> None:
        """Edit the next option or the one before; past the ends, go back to the line of targets."""
        if not self.fields:
            return
        at = (-1 if by > 0 else len(self.fields)) if self.at is None else self.at
        self.at = at + by if 0 <= at + by < len(self.fields) else None
        self._open()

    def go_to(self, field: Field) -> None:
        """Edit that option."""
        self.at = self.fields.index(field)
        self._open()

    def leave(self) -> None:
        """Leave the option that is edited as it was before."""
        self.given = dict(self._before)
        self.at = None

    def _open(self) -> None:
        """The line of the option: typing goes on behind a number and replaces a word."""
        field = self.field
        self._before = dict(self.given)
        given = self.given.get(field.name, "") if field else ""
        self.line = InputLine("" if field and option_words(self.sheet, field) else given)

    def key(self, event: Key) -> bool:
        """Take a key that changes the option: left and right cycle, letters and digits type."""
        field = self.field
        if field is None:
            return False
        words = option_words(self.sheet, field)
        if words and event.key in ("left", "right", "space"):
            all_words = words if field.needed else ("", *words)
            self._cycle(field, all_words, -1 if event.key == "left" else 1)
            return True
        if words and event.character and event.character.isprintable():
            # Letters spell one of the words; the rest of the word is filled in.
            before, comma, last = self.line.text.rpartition(",")
            typed = last + event.character
            found = begun(typed, words)
            if found:
                self.line.set(before + comma + typed)
                self._give(field, before + comma + found[0], keep=True)
                return True
            if event.character == "," and isinstance(field.type, ListOf) and field.name in self.given:
                self.line.set(f"{self.given[field.name]},")
                return True
        if not self.line.key(event):
            return False
        self._give(field, self.line.text, keep=True)
        return True

    def _cycle(self, field: Field, words: tuple[str, ...], by: int) -> None:
        now = self.given.get(field.name, "")
        at = words.index(now) if now in words else 0
        self._give(field, words[(at + by) % len(words)])

    def _give(self, field: Field, word: str, keep: bool = False) -> None:
        if word:
            self.given[field.name] = word
        else:
            self.given.pop(field.name, None)
        if not keep:
            self.line = InputLine()

    def wrong(self) -> str:
        """Return what is invalid in the option that is edited; "" where nothing is."""
        field = self.field
        if field is None or field.name not in self.given:
            return ""
        try:
            field.type.typed(self.given[field.name], field.name)
        except Wrong as error:
            return str(error)
        return ""

    def row(self, cells: int, wrong: str = "", notes: Mapping[str, str] | None = None) -> Row:
        """Return the option that is edited: its name, what was typed, what it can be or why it cannot.

        `notes`: what the game says about values, by "option=value".
        """
        field = self.field
        assert field is not None
        assert self.at is not None
        words = option_words(self.sheet, field)
        now = self.given.get(field.name, "")
        row: list[Piece] = [
            (f" {self.at + 1}/{len(self.fields)} ", "muted"),
            (f"{field.name.replace('_', ' ')} ", "accent strong"),
        ]
        if wrong:
            return [*row, *self.line.row(20), (f"  {printable(wrong)}", "warning")]
        if not words:
            return [*row, *self.line.row(20), (f"  ({_default(field)}) {field.type.expected}", "muted")]
        # A default that takes a sentence stands behind what can be chosen.
        default = _default(field)
        short, rest = (default, "") if len(default) <= _SHORT else ("default", f"  default: {default}")
        shown = ["", *words, *([now] if now and now not in words else [])]
        choices: list[Piece] = [
            (
                f" {printable(value or f'({short})')} ",
                "strong reverse" if value == now else "" if value else "muted",
            )
            for value in shown
        ]
        at = shown.index(now)
        told = [(word, (notes or {}).get(f"{field.name}={word}", "")) for word in words]
        said: Row = [(f"  {word}: {printable(note)}", "warning") for word, note in told if note]
        while at and width([*row, *choices[: at + 1]]) > cells:
            del choices[0]
            at -= 1
        return [*row, *choices, *said, (f"  left, right{rest}", "muted")]

    def rows(self, cells: int, height: int) -> list[Row]:
        """Return a row for each option with its value and meaning, and all notes of the edited one."""
        rows: list[Row] = []
        last = 0
        for at, field in enumerate(self.fields):
            edited = at == self.at
            name = f"{field.name.replace('_', ' ')} {printable(self.shown(field))}"
            help, *more = wrapped(printable(field.help), max(20, cells - cell_len(name) - 7), "")
            about = f"  {help}{' …' if more and not edited else ''}"
            rows.append([("   ", ""), (name, "strong reverse" if edited else ""), (about, "muted")])
            if edited:
                indent = " " * (cell_len(name) + 5)
                rows += [[(f"{indent}{line}", "muted")] for line in more]
                last = len(rows)
        start = max(0, min(last, len(rows)) - height)
        return rows[start : start + height]

    def summary(self) -> str:
        """Return the options in a few words, those that were given first."""
        given = [f"{name.replace('_', ' ')} {word}" for name, word in self.given.items()]
        rest = [
            f"{field.name.replace('_', ' ')} {_default(field)}".replace('"', "")
            for field in self.fields
            if field.name not in self.given
            and len(field.default_text) < 12
            and field.default_text not in ("absent", "empty")
        ]
        return ", ".join([*given, *rest])
