"""The options of an action that is being prepared: choosing and typing their values, and their rows."""

from collections.abc import Sequence

from rich.cells import cell_len
from textual.events import Key

from systems.text import as_sentence, matches, spoken
from tui.display.text import Piece, Row, fitted, printable, under_cursor, width, wrapped
from tui.lists.target_list import OptionShown
from tui.widgets.input_line import InputLine

_SHORT = 16
_OTHERS: Piece = ("… · ", "muted")
_OTHERS_WIDE = 4
_ENOUGH = 1_000  # cells for any row
_NOTHING = ("", "[]", "{}")
# Usual values that say no more than that nothing is special.
_PLAIN = ("none", "no", "0")


class OptionEditor:
    """The values chosen for options, and the option being edited.

    `field`: the name of that option, "" for none. The options come from the newest answer; see
    tui.lists.target_list.
    """

    def __init__(self) -> None:
        self.chosen: dict[str, str] = {}
        self.field = ""
        self.line = InputLine()
        # The chosen values at the time when editing began.
        self._before: dict[str, str] = {}

    def go(self, by: int, options: Sequence[OptionShown]) -> None:
        """Edit the next or the previous option; past the ends, go back to the line of targets."""
        names = [option.name for option in options]
        if not names:
            return
        start = -1 if by > 0 else len(names)
        at = (names.index(self.field) if self.field in names else start) + by
        self.go_to(options[at] if 0 <= at < len(names) else None)

    def go_to(self, option: OptionShown | None) -> None:
        """Edit that option, or none. A number is continued, a word is replaced."""
        self.field = option.name if option else ""
        self._before = dict(self.chosen)
        self.line = InputLine("" if option is None or option.choices else option.value)

    def take(self, option: OptionShown) -> None:
        """Take the current value of the option being edited, which may have been set elsewhere."""
        self.chosen[option.name] = self._before[option.name] = option.value

    def leave(self) -> None:
        """Stop editing and restore the earlier value."""
        self.chosen = dict(self._before)
        self.field = ""

    def key(self, event: Key, option: OptionShown) -> bool:
        """Take a key that changes an option; return whether it was taken.

        Left and Right go through the choices, letters and digits type.
        """
        words = option.choices
        if words and event.key in ("left", "right", "space"):
            all_words = words if option.needed else ("", *words)
            at = all_words.index(option.value) if option.value in all_words else 0
            step = -1 if event.key == "left" else 1
            self._give(option, all_words[(at + step) % len(all_words)])
            self.line = InputLine()
            return True
        if words and event.character and event.character.isprintable():
            # Letters choose a word; the rest of it is filled in.
            before, comma, last = self.line.text.rpartition(",")
            typed = last + event.character
            if found := matches(typed, words):
                self.line.set(before + comma + typed)
                self._give(option, before + comma + found[0])
                return True
            if event.character == "," and option.is_list and option.value:
                self.line.set(f"{option.value},")
                return True
        if not self.line.key(event):
            return False
        self._give(option, self.line.text)
        return True

    def _give(self, option: OptionShown, word: str) -> None:
        if word or option.is_remembered:
            self.chosen[option.name] = word
        else:
            self.chosen.pop(option.name, None)

    # Rows

    def choices(self, options: Sequence[OptionShown], cells: int, height: int) -> list[Row]:
        """Return a row for each choice of the option being edited, with the game's note on it.

        () unless there are several notes, such as what is left of each spell.
        """
        option = self.listed(options)
        if option is None:
            return []
        notes, words, at = dict(option.notes), option.choices, _place(option)
        widest = max(cell_len(_read(word)) for word in words)
        top = max(0, min(at - height // 2, len(words) - height))
        rows: list[Row] = []
        for place, word in enumerate(words[top : top + height], top):
            name = f"   {fitted(_read(word), widest)}"
            row: Row = [(name, ""), (f"  {printable(notes.get(word, ''))}", "muted")]
            rows.append(under_cursor(row, cells) if place == at else row)
        return rows

    def choose(self, by: int, options: Sequence[OptionShown]) -> bool:
        """Go down or up in the rows of `choices`; return whether there are any."""
        option = self.listed(options)
        if option is not None:
            at = max(0, min(_place(option) + by, len(option.choices) - 1))
            self._give(option, option.choices[at])
            self.line = InputLine()
        return option is not None

    def listed(self, options: Sequence[OptionShown]) -> OptionShown | None:
        """Return the option being edited if its choices have rows of their own, else None."""
        option = next((option for option in options if option.name == self.field), None)
        return option if option is not None and len(option.notes) > 1 else None

    def pieces(self, options: Sequence[OptionShown], cells: int, wrong: str = "") -> Row:
        """Return the options in one row: unusual values as bright chips, usual ones dimmed after them.

        ` distance 40   weapon sword · + cover, size`: an option whose usual value says nothing is only named.
        The option being edited shows its choices or its error, in its place among the chips. If the row is
        too long, usual options are left out, last first, and so is a long meaning of the edited one.
        """
        return self._row_and_rest(options, cells, wrong)[0]

    def left_out(self, options: Sequence[OptionShown], cells: int) -> Sequence[str]:
        """Return the options that `pieces` leaves out of its row while none is edited."""
        return () if self.field else self._row_and_rest(options, cells, "")[1]

    def meaning(self, options: Sequence[OptionShown], cells: int) -> str:
        """Return what the row of `pieces` has no room for: the edited option's meaning or choices, or ""."""
        option = next((option for option in options if option.name == self.field), None)
        if option is None:
            return ""
        if not option.choices:
            fits = width([*self._typed(option), _meaning(option)]) <= cells - _OTHERS_WIDE
            return "" if fits else _meaning(option)[0].strip()
        whole = self._edited(option, _ENOUGH, _ENOUGH, "")
        if width(whole) <= cells - _OTHERS_WIDE:
            return printable(option.help)
        return f"left, right: {', '.join(map(_read, option.choices))}"

    def _row_and_rest(
        self, options: Sequence[OptionShown], cells: int, wrong: str
    ) -> tuple[Row, Sequence[str]]:
        """Return the row of `pieces`, and the options that it leaves out."""
        bright: list[Row] = []
        usual: list[str] = []
        named: list[str] = []
        room = cells // 2 if len(options) > 1 else cells
        alone: list[Piece] = []
        for option in options:
            if option.name == self.field:
                bright.append(self._edited(option, room, cells, wrong))
                left = cells - _OTHERS_WIDE
                alone = [_OTHERS, *self._edited(option, left, left, wrong)]
            elif _is_unusual(option):
                word = option.value or option.now
                bright.append([(f" {option.label} {_named(option, word)} ", "chip")])
                if note := _note_on(option, word):
                    bright.append([(note.strip(), "muted")])
            elif _says_something(option):
                word = option.value or option.now
                usual.append(f"{option.label} {_named(option, word)}{_note_on(option, word)}")
            else:
                named.append(option.label)
        row, rest = _within(bright, usual, named, cells)
        # There may be room for little more than the edited option; `…` replaces the others.
        return (alone, ()) if len(options) > 1 and alone and width(row) > cells else (row, rest)

    def _edited(self, option: OptionShown, cells: int, most: int, wrong: str) -> list[Piece]:
        """Return the option being edited: its name, the typed text, and its choices or its error.

        Choices get `cells`; the meaning of a typed option is left out if it needs more than `most`.
        """
        name, words = _edited_name(option), option.choices
        if wrong:
            return [*self._typed(option), (f"  {as_sentence(printable(wrong))}", "warning")]
        if not words:
            typed, meaning = self._typed(option), _meaning(option)
            return [*typed, meaning] if width([*typed, meaning]) <= most else typed
        # A long default is shown after the choices.
        now = option.value
        default = option.now if not now and option.now not in _NOTHING else option.default
        short, rest = (default, "") if len(default) <= _SHORT else ("default", f"  default: {default}")
        shown = ["", *words, *([now] if now and now not in words else [])]
        choices: list[Piece] = [
            (
                f" {_read(value or f'({short})')} ",
                "accent cursor" if value == now else "" if value else "muted",
            )
            for value in shown
        ]
        said: list[Piece] = [
            (f"  {_read(word)}: {printable(note)}", "warning") for word, note in option.notes
        ]
        at = shown.index(now)
        while at and width([name, *choices[: at + 1]]) > cells:
            del choices[0]
            at -= 1
        if len(choices) < len(shown):
            choices.insert(0, (" …", "muted"))
        return [name, *choices, *said, (f"  left, right{rest}", "muted")]

    def _typed(self, option: OptionShown) -> list[Piece]:
        """Return the name of the option being edited and the typed text."""
        return [_edited_name(option), *self.line.row(20)]

    def rows(self, options: Sequence[OptionShown], cells: int, height: int) -> list[Row]:
        """Return a row for each option with its value and meaning, and all notes of the edited one.

        The meanings are aligned. A given value moves only the meaning in its own row.
        """
        rows: list[Row] = []
        last = 0
        named = (cell_len(f"{option.label} {_read(f'({option.default})')}") for option in options)
        column = max((wide for wide in named if wide <= cells // 3), default=0)
        for option in options:
            edited = option.name == self.field
            word = _named(option, option.value or f"({option.default})")
            label = f"{option.label} "
            name = max(column, cell_len(label + word))
            help, *more = wrapped(printable(option.help), max(20, cells - name - 7), "")
            about = f"{' ' * (name - cell_len(label + word))}  {help}{' …' if more and not edited else ''}"
            tone = "accent strong" if _is_unusual(option) else "muted"
            row: Row = [("   ", ""), (label, ""), (word, tone), (about, "muted")]
            rows.append(under_cursor(row, cells) if edited else row)
            if edited:
                indent = " " * (name + 5)
                rows += [[(f"{indent}{line}", "muted")] for line in more]
                last = len(rows)
        start = max(0, min(last, len(rows)) - height)
        return rows[start : start + height]


def _edited_name(option: OptionShown) -> Piece:
    return f"{option.label} ", "accent strong"


def _meaning(option: OptionShown) -> Piece:
    """Return the usual value of a typed option and its meaning."""
    return f"  ({option.default}) {printable(option.help) or option.expected}", "muted"


def _named(option: OptionShown, word: str) -> str:
    """Return a given value in words, with a combatant by name."""
    return printable(option.said) or _read(word)


def _place(option: OptionShown) -> int:
    """Return the index of the current value among the choices, or 0."""
    word = option.value or option.now
    return option.choices.index(word) if word in option.choices else 0


def _note_on(option: OptionShown, word: str) -> str:
    """Return the game's note on a value in brackets: ` (level 1: 4 of 4 slots left)`."""
    note = dict(option.notes).get(word, "")
    return f" ({printable(note)})" if note else ""


def _read(word: str) -> str:
    """Return a value in words."""
    return spoken(printable(word))


def _is_unusual(option: OptionShown) -> bool:
    """Return whether the value of an option differs from its usual one.

    A default may be a rule, such as "the target's". Then only a chosen value is unusual.
    """
    word = option.value or option.now
    if not word or word in _NOTHING:
        return False
    is_number = option.default.lstrip("+-−").isdecimal()
    is_rule = not is_number and option.default not in map(spoken, option.choices)
    is_default = _read(word) == option.default
    return bool(option.value) and not is_default if is_rule or option.value else not is_default


def _says_something(option: OptionShown) -> bool:
    """Return whether the usual value is worth reading: a rule has found it, and it is not none."""
    word = _read(option.value or option.now)
    return word not in (*_NOTHING, *_PLAIN) and word != option.default


def _within(
    bright: Sequence[Row], usual: Sequence[str], named: Sequence[str], cells: int
) -> tuple[Row, Sequence[str]]:
    """Return the parts of a row: the bright ones, then as many others as fit, with `…` if any is missing.

    The second value has those that are missing.
    """
    row: list[Piece] = []
    for part in bright:
        row += [(" ", ""), *part] if row else part
    gap = "  " if row else ""
    for missing in range(len(usual) + len(named) + 1):
        names = named[: max(0, len(named) - missing)]
        values = usual[: len(usual) - max(0, missing - len(named))]
        parts = (" · ".join(values), f"+ {', '.join(names)}" if names else "", "…" if missing else "")
        text = gap + "  ".join(filter(None, parts))
        if width(row) + cell_len(text) <= cells:
            rest = (*usual[len(values) :], *named[len(names) :])
            return ([*row, (text, "muted")] if text else row), rest
    return row, (*usual, *named)
