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
from systems.text import starting_with
from tui.display.text import Piece, Row, printable, under_cursor, width, wrapped
from tui.prompts.completion import joined
from tui.widgets.input_line import InputLine

_SHORT = 16
_BETWEEN: Piece = (" · ", "muted")
_NOTHING = ("", "[]", "{}")


def _default(field: Field) -> str:
    """The default of an option in words."""
    known = {"true": "yes", "false": "no", "absent": "none", "empty": "none"}
    return known.get(field.default_text, field.default_text)


class Options:
    """The values given for the options of an action, and the one that is edited.

    Of the same option what is typed in the line counts before what was chosen here, and that before what is
    remembered of the target. `relevant`: the options that can matter, with the word for what each is now;
    None while that is not known. `other`: the sheet of the target.
    """

    def __init__(self, action: Action, sheet: Any, given: Mapping[str, str] | None = None) -> None:
        self.action, self.sheet = action, sheet
        self.fields: list[Field] = list(fields_of(action.options).values())
        # An empty word stands for the default, where something else is remembered.
        self.chosen: dict[str, str] = dict(given or {})
        self.remembered: Mapping[str, str] = {}
        self.in_line: Mapping[str, str] = {}
        self.relevant: Mapping[str, str] | None = None
        self.other: Any = None
        self.field: Field | None = None
        self.line = InputLine()
        # What had been chosen when the option that is edited was opened.
        self._before = dict(self.chosen)

    @property
    def given(self) -> dict[str, str]:
        """The options that the command writes."""
        return self.given_with(self.remembered)

    def given_with(self, remembered: Mapping[str, str]) -> dict[str, str]:
        """Return the options that the command writes for a target of which these are remembered."""
        found = {**remembered, **self.chosen, **self.in_line}
        names = dict.fromkeys((*(field.name for field in self.fields), *found))
        return {name: found[name] for name in names if found.get(name)}

    def listed(self) -> list[Field]:
        """Return the options that are asked: those that can matter, the remembered ones first."""
        given = self.given
        shown = [
            field
            for field in self.fields
            if self.relevant is None
            or field.needed
            or field is self.field
            or field.name in self.relevant
            or field.name in given
        ]
        return sorted(shown, key=lambda field: not (field.remembered or field.needed))

    def only_word(self) -> str:
        """Return the name that the first remembered option has without a choice, such as the only weapon."""
        for field in self.fields:
            if field.remembered and field not in self.listed():
                words = option_words(self.sheet, field, self.other)
                return words[0] if len(words) == 1 else ""
        return ""

    def missing(self) -> Field | None:
        """Return the first option that the action needs and that is not given."""
        given = self.given
        return next((field for field in self.fields if field.needed and not given.get(field.name)), None)

    def typed(self) -> Any:
        """Return the options as the action takes them. Raises Wrong for an invalid value."""
        return typed_options(self.action, self.given)

    def shown(self, field: Field) -> str:
        """Return what was given for an option, else its default in brackets."""
        return self.given.get(field.name, f"({_default(field)})")

    def needed_word(self, field: Field) -> str:
        """Return what has to be given for an option, in a sentence: `ability, one of melee, dodge`."""
        words = option_words(self.sheet, field, self.other)
        said = f"one of {', '.join(words)}" if words else field.type.expected
        return f"{field.label}, {said}"

    def words(self, given: Mapping[str, str] | None = None) -> str:
        """Return the options as the command language writes them."""
        found = self.given if given is None else given
        return " ".join(f"{name}={joined([word])}" for name, word in found.items())

    def go(self, by: int) -> None:
        """Edit the next option or the one before; past the ends, go back to the line of targets."""
        fields = self.listed()
        if not fields:
            return
        start = -1 if by > 0 else len(fields)
        at = (start if self.field is None else fields.index(self.field)) + by
        self.field = fields[at] if 0 <= at < len(fields) else None
        self._open()

    def go_to(self, field: Field) -> None:
        """Edit that option."""
        self.field = field
        self._open()

    def leave(self) -> None:
        """Leave the option that is edited as it was before."""
        self.chosen = dict(self._before)
        self.field = None

    def _open(self) -> None:
        """The line of the option: typing goes on behind a number and replaces a word."""
        field = self.field
        self._before = dict(self.chosen)
        given = self.given.get(field.name, "") if field else ""
        self.line = InputLine("" if field and option_words(self.sheet, field, self.other) else given)

    def key(self, event: Key) -> bool:
        """Take a key that changes the option: left and right cycle, letters and digits type."""
        field = self.field
        if field is None:
            return False
        words = option_words(self.sheet, field, self.other)
        if words and event.key in ("left", "right", "space"):
            all_words = words if field.needed else ("", *words)
            self._cycle(field, all_words, -1 if event.key == "left" else 1)
            return True
        if words and event.character and event.character.isprintable():
            # Letters spell one of the words; the rest of the word is filled in.
            before, comma, last = self.line.text.rpartition(",")
            typed = last + event.character
            found = starting_with(typed, words)
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
        if word or field.name in self.remembered:
            self.chosen[field.name] = word
        else:
            self.chosen.pop(field.name, None)
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

    # Rows

    def pieces(self, cells: int, wrong: str = "", notes: Mapping[str, str] | None = None) -> Row:
        """Return the options in a row: `weapon sword · distance 40 · cover none`, the given ones in accent.

        The one that is edited stands with what it can be, or with why it cannot. Where there is no room for
        all, those at their defaults go first. `notes`: what the game says about values, by "option=value".
        """
        given = self.given
        parts: list[tuple[bool, list[Piece]]] = []
        listed = self.listed()
        room = cells // 2 if len(listed) > 1 else cells
        for field in listed:
            word = given.get(field.name, (self.relevant or {}).get(field.name, ""))
            if field is self.field:
                parts.append((True, self._edited(field, room, wrong, notes or {})))
            elif field.name in given or word not in _NOTHING:
                tone = "accent strong" if field.name in given else "muted"
                parts.append((field.name in given, [(f"{field.label} {printable(word)}", tone)]))
        row = _within(parts, cells)
        if self.field is None or width(row) <= cells:
            return row
        # There is room for little more than the one that is edited.
        return self._edited(self.field, cells, wrong, notes or {})

    def _edited(self, field: Field, cells: int, wrong: str, notes: Mapping[str, str]) -> list[Piece]:
        """The option that is edited: its name, what was typed, what it can be or why it cannot."""
        name: Piece = (f"{field.label} ", "accent strong")
        words = option_words(self.sheet, field, self.other)
        if wrong:
            return [name, *self.line.row(20), (f"  {printable(wrong)}", "warning")]
        if not words:
            says = printable(field.help) or field.type.expected
            return [name, *self.line.row(20), (f"  ({_default(field)}) {says}", "muted")]
        # A default that takes a sentence stands behind what can be chosen.
        now = self.given.get(field.name, "")
        default = (not now and (self.relevant or {}).get(field.name)) or _default(field)
        short, rest = (default, "") if len(default) <= _SHORT else ("default", f"  default: {default}")
        shown = ["", *words, *([now] if now and now not in words else [])]
        choices: list[Piece] = [
            (
                f" {printable(value or f'({short})')} ",
                "accent cursor" if value == now else "" if value else "muted",
            )
            for value in shown
        ]
        told = [(word, notes.get(f"{field.name}={word}", "")) for word in words]
        said: list[Piece] = [(f"  {word}: {printable(note)}", "warning") for word, note in told if note]
        at = shown.index(now)
        while at and width([name, *choices[: at + 1]]) > cells:
            del choices[0]
            at -= 1
        if len(choices) < len(shown):
            choices.insert(0, (" …", "muted"))
        return [name, *choices, *said, (f"  left, right{rest}", "muted")]

    def rows(self, cells: int, height: int) -> list[Row]:
        """Return a row for each option with its value and meaning, and all notes of the edited one."""
        rows: list[Row] = []
        last = 0
        for field in self.listed():
            edited = field is self.field
            name = f"{field.label} {printable(self.shown(field))}"
            help, *more = wrapped(printable(field.help), max(20, cells - cell_len(name) - 7), "")
            about = f"  {help}{' …' if more and not edited else ''}"
            row: Row = [("   ", ""), (name, ""), (about, "muted")]
            rows.append(under_cursor(row, cells) if edited else row)
            if edited:
                indent = " " * (cell_len(name) + 5)
                rows += [[(f"{indent}{line}", "muted")] for line in more]
                last = len(rows)
        start = max(0, min(last, len(rows)) - height)
        return rows[start : start + height]


def _within(parts: list[tuple[bool, list[Piece]]], cells: int) -> Row:
    """The parts of a row with points between them; what was not given goes first, the last of it first."""
    kept = list(parts)
    cut = False
    while sum(width(part) + 3 for _, part in kept) + cut > cells:
        spare = next((at for at in range(len(kept) - 1, -1, -1) if not kept[at][0]), None)
        if spare is None:
            break
        del kept[spare]
        cut = True
    row: list[Piece] = []
    for at, (_, part) in enumerate(kept):
        row += [_BETWEEN] * bool(at) + part
    return [*row, (" …", "muted")] if cut else row
