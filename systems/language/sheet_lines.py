"""A whole sheet typed as one line: `Sera melee 45 life 50, sword 15 melee`, so that a party is typed at once.

The name comes first. Behind it stand figures, each by the label of its field or by a name that a table of the
game holds, in any order; commas may stand between them, and come before and behind a weapon or another entry.
Several sheets stand on lines of their own, or with semicolons between them.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from systems.contract.ruleset import Ruleset
from systems.errors import Wrong, unknown
from systems.frozen import frozen
from systems.schema.conversion import plain_of
from systems.schema.entry_lines import EntryLine, pieces_of, unquoted
from systems.schema.fields import Entries, Field, fields_of
from systems.schema.types import Choice, FieldType, Flag, ListOf, TableOf, Text, Whole
from systems.text import clean, find_word, nearest, same_word, shown, starting_with, why_too_long

TRACKERS = ("side", "party")  # what a line may say besides the sheet
_NOT = ("not", "no")
_MOST_LABEL_WORDS = 5
_SHEETS = re.compile(r'(?:"(?:[^"\\\n]|\\.)*"|[^;\n])+')
_EQUALS = re.compile(r"([^\"=:]+)[=:](.*)")
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
_NEAR = 0.75  # how alike an unknown word has to be to a known one to be taken for a slip


@frozen
class SheetLine:
    """What a line says: the name, the sheet's fields as plain data, side and party, "" where not said."""

    name: str
    fields: Mapping[str, Any]
    side: str = ""
    party: str = ""

    @property
    def says_more(self) -> bool:
        """Return whether there is more than a name."""
        return bool(self.fields or self.side or self.party)


@frozen
class _Meant:
    """What some words mean: a field, or a name of the table that the field is; `key` is "" for the field.

    `field` is None for what the tracker keeps, which `key` names. `rest`: the words behind them.
    """

    field: Field | None
    key: str
    rest: Sequence[str]
    is_not: bool = False


def lines_of(text: str) -> list[str]:
    """Return the lines of a text that hold a sheet each; a semicolon ends one as a line's end does."""
    return [line for line, _ in lines_and_ends(text)]


def lines_and_ends(text: str) -> list[tuple[str, int]]:
    """Return the lines of a text that hold a sheet each, with the place in the text where each ends."""
    found = _SHEETS.finditer(text.replace("\r", "\n"))
    return [(line[0].strip(), line.start() + len(line[0].rstrip())) for line in found if line[0].strip()]


def known_names(game: Ruleset, sheets: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Return names that tables of a sheet hold, each with its field: declared, suggested, of `sheets`."""
    found: dict[str, str] = {}
    for name, field in fields_of(game.sheet).items():
        if isinstance(field.type, TableOf):
            held = (key for sheet in sheets for key in sheet.get(name, ()))
            for key in (*field.type.names, *field.suggested, *held):
                found.setdefault(key, name)
    return found


def words_to_come(game: Ruleset, text: str, known: Mapping[str, str]) -> tuple[str, ...]:
    """Return what the word at the end of a text of lines may become: a label, or a name of a table.

    The first word of a line is part of the name, and so is a word that begins with a capital letter.
    """
    lines = text.replace("\n", ";").rpartition(";")[2].split(" ")
    last = lines[-1].rpartition(",")[2]
    if not any(lines[:-1]) or not last[:1].islower():
        return ()
    reader = _Reader(game, known)
    labels = (field.label for field in reader.of.values())
    words = dict.fromkeys((*known, *reader.bars, *labels, *TRACKERS))
    return tuple(word for word in starting_with(last, words) if word != last)


def meant_path(game: Ruleset, text: str, known: Mapping[str, str]) -> tuple[str, ...]:
    """Return the path of fields that words of a line mean, such as ("abilities", "melee"); () for none."""
    found = _Reader(game, known).meant(text.split())
    if found is None or found.field is None or found.rest:
        return ()
    return (found.field.name, found.key) if found.key else (found.field.name,)


def with_figures(template: Mapping[str, Any], fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return a template with the fields of a line: a table's names one by one, all else as a whole."""
    found = {**template}
    for name, value in fields.items():
        both = isinstance(value, Mapping) and isinstance(found.get(name), Mapping)
        found[name] = {**found[name], **value} if both else value
    return found


def read_sheet_line(game: Ruleset, line: str, known: Mapping[str, str]) -> SheetLine:
    """Read a sheet from its line. `known`: see `known_names`. Raises Wrong with one sentence."""
    pieces = pieces_of(line)
    if not pieces or not pieces[0]:
        raise Wrong("", "a line begins with a name, such as Sera")
    reader = _Reader(game, known)
    split = [list(reader.split(piece)) for piece in pieces]
    length = reader.name_length(split[0])
    name = " ".join(unquoted(word) for word in split[0][:length])
    if why := why_too_long(name):
        raise Wrong("", why)
    name = clean(name)
    reader.read([split[0][length:], *split[1:]])
    fields = dict(reader.fields)
    side, party = (clean(str(fields.pop(word, "")), 40) for word in TRACKERS)
    return SheetLine(name, reader.followed(fields), side, party)


def _without_quotes(type: FieldType, word: str) -> str:
    """Return a word without its quotes, or those of each part of a list: `"Shield Bash",Cleave`."""
    if isinstance(type, ListOf):
        return _QUOTED.sub(lambda quoted: unquoted(quoted[0]), word)
    return unquoted(word)


class _Reader:
    """Reads the figures behind a name into `fields`, as plain data."""

    def __init__(self, game: Ruleset, known: Mapping[str, str]) -> None:
        self.known = known
        fields = fields_of(game.sheet).items()
        self.of = {name: field for name, field in fields if name != "name" and not field.is_of_the_turn}
        # What a bar shows may be called otherwise than its field.
        self.bars = {meter.label: meter.now for meter in game.meters if meter.now in self.of}
        self.fields: dict[str, Any] = {}
        open_tables = [
            field
            for field in self.of.values()
            if isinstance(field.type, TableOf) and not field.type.names and isinstance(field.type.item, Whole)
        ]
        # Where there is one such table, an unknown word with a number is a new name of it.
        self.open_table = open_tables[0] if len(open_tables) == 1 else None

    # Words

    def split(self, words: Sequence[str]) -> Iterator[str]:
        """Yield the words, with `melee=45` and `melee: 45` as two."""
        for word in words:
            found = _EQUALS.fullmatch(word)
            if found and (not found[2] or self.meant([found[1]])):
                yield from filter(None, found.groups())
            else:
                yield word

    def name_length(self, words: Sequence[str]) -> int:
        """Return how many words are the name: up to the first that means something else."""
        if words[0].startswith('"'):
            return 1
        for at in range(1, len(words)):
            if self.meant(words[at:]) or (words[at][0].islower() and self._is_new(words[at:])):
                return at
        return len(words)

    def _is_new(self, words: Sequence[str]) -> bool:
        """Return whether words begin with an unknown name and a number, which the open table takes."""
        return (
            self.open_table is not None
            and len(words) > 1
            and words[0][:1].isalpha()
            and re.fullmatch(r"[+\N{MINUS SIGN}-]?[0-9]+", words[1]) is not None
        )

    def meant(self, words: Sequence[str]) -> _Meant | None:
        """Return what the words begin with; None for an unknown word."""
        if not words:
            return None
        if words[0].casefold() in _NOT and (found := self.meant(words[1:])):
            is_flag = found.field is not None and isinstance(found.field.type, Flag)
            return _Meant(found.field, found.key, found.rest, True) if is_flag else None
        for length in range(min(len(words), _MOST_LABEL_WORDS), 0, -1):
            typed, rest = " ".join(words[:length]), words[length:]
            for field in self.of.values():
                if same_word(typed, field.label) or same_word(typed, field.name):
                    return _Meant(field, "", rest)
            if bar := find_word(typed, self.bars):
                return _Meant(self.of[self.bars[bar]], "", rest)
            if key := find_word(typed.strip('"'), self.known):
                return _Meant(self.of[self.known[key]], key, rest)
            if tracker := find_word(typed, TRACKERS):
                return _Meant(None, tracker, rest)
        return None

    # Figures

    def read(self, pieces: Sequence[Sequence[str]]) -> None:
        """Read the words between the commas. Raises Wrong for a word that cannot be understood."""
        first, *left = pieces
        left = left[self._figures(first, left) :]
        while left:
            piece, *left = left
            is_entry = (
                self.meant(piece) is None and self._lists and (self._fits(piece) or not self._all_new(piece))
            )
            taken = self._entry(self._lists, [piece, *left]) if is_entry else self._figures(piece, left)
            left = left[taken:]

    def _figures(self, piece: Sequence[str], behind: Sequence[Sequence[str]]) -> int:
        """Read the figures of a piece; return how many of the pieces behind it belong to its last."""
        while piece:
            meant = self.meant(piece)
            if meant is None:
                piece = self._new(piece)
            elif meant.field is not None and isinstance(meant.field.type, Entries):
                return self._entry([meant.field], [meant.rest, *behind])
            else:
                piece = self._take(meant)
        return 0

    @property
    def _lists(self) -> list[Field]:
        return [field for field in self.of.values() if isinstance(field.type, Entries)]

    def _fits(self, piece: Sequence[str]) -> bool:
        """Return whether a list takes a piece as it stands: `axe 20` behind a comma is a weapon."""
        for field in self._lists:
            assert isinstance(field.type, Entries)
            with suppress(Wrong):
                EntryLine(field.type.of).typed(" ".join(piece))
                return True
        return False

    def _all_new(self, piece: Sequence[str]) -> bool:
        """Return whether a piece is nothing but unknown names, each with a number."""
        return len(piece) % 2 == 0 and all(self._is_new(piece[at:]) for at in range(0, len(piece), 2))

    def _new(self, words: Sequence[str]) -> Sequence[str]:
        """Take a new name of the open table and its number; return the words behind them."""
        labels = [field.label for field in self.of.values()]
        known = [*labels, *self.bars, *self.known, *TRACKERS]
        near = nearest(words[0], known, _NEAR)
        if near or not self._is_new(words):
            wrong = unknown("", f"{shown(words[0])} is not known here", words[0], known, "unknown_field")
            raise wrong
        assert self.open_table is not None
        return self._take(_Meant(self.open_table, words[0], words[1:]))

    def _entry(self, lists: Sequence[Field], pieces: Sequence[Sequence[str]]) -> int:
        """Read an entry, such as a weapon, of the first list that it fits.

        Returns how many pieces behind the first belong to it.
        """
        for count in range(len(pieces), 0, -1):
            line = ", ".join(" ".join(piece) for piece in pieces[:count])
            for field in lists:
                assert isinstance(field.type, Entries)
                try:
                    entry = EntryLine(field.type.of).typed(line)
                except Wrong as wrong:
                    if count == 1 and len(lists) == 1:
                        raise Wrong("", f"{field.label}: {wrong}", code=wrong.code) from None
                else:
                    self.fields.setdefault(field.name, []).append(plain_of(entry))
                    return count - 1
        says = f"{shown(' '.join(pieces[0]))} is not understood"
        if found := self._with_comma(pieces[0]):
            says += f"; with a comma it is: {shown(found)}"
        raise Wrong("", says, code="unknown_field")

    def _with_comma(self, words: Sequence[str]) -> str:
        """Return the words with the comma with which a list takes them; "" where none does."""
        pairs = ((words[:at], words[at:]) for at in range(len(words) - 1, 0, -1))
        lines = (f"{' '.join(before)}, {' '.join(behind)}" for before, behind in pairs)
        return next((line for line in lines if self._fits([line])), "")

    def _take(self, meant: _Meant) -> Sequence[str]:
        """Take what stands behind a label; return the words behind that. Raises Wrong."""
        field, label = meant.field, meant.key or (meant.field.label if meant.field else "")
        if field is not None and isinstance(field.type, TableOf) and not meant.key:
            if len(meant.rest) < 2:
                raise Wrong("", f"{label}: expected a name and {field.type.item.expected}", code="needed")
            key = find_word(unquoted(meant.rest[0]), field.type.names) or unquoted(meant.rest[0])
            return self._take(_Meant(field, key, meant.rest[1:]))
        type = field.type if field is not None else Text()
        if isinstance(type, Flag):
            return self._take_flag(label, meant)
        inner = type.item if isinstance(type, TableOf) else type
        if not meant.rest:
            raise Wrong("", f"{label}: expected {inner.expected}", code="needed")
        length = 1 if not isinstance(inner, Text | Choice) else self._text_length(meant.rest)
        word = " ".join(_without_quotes(inner, word) for word in meant.rest[:length])
        try:
            if field is None:
                self.fields[label] = word
            elif isinstance(type, TableOf):
                type.check({meant.key: type.item.typed(word)})
                self.fields.setdefault(field.name, {})[meant.key] = plain_of(type.item.typed(word))
            else:
                self._put(field, word)
        except Wrong as wrong:
            raise Wrong("", f"{label}: {wrong.message}", code=wrong.code) from None
        rest = meant.rest[length:]
        return rest[1:] if field is not None and field.unit and rest and rest[0] == field.unit else rest

    def _put(self, field: Field, word: str) -> None:
        """Put what was typed into a field; `39/50` is a number and the one that it goes up to."""
        now, slash, full = word.partition("/")
        if slash and field.same_as:
            most = self._followed_by(field)
            self.fields[most] = self.of[most].type.typed(full)
            self.fields[field.name] = field.type.typed(now)
        else:
            self.fields[field.name] = plain_of(field.type.typed(word))

    def _take_flag(self, label: str, meant: _Meant) -> Sequence[str]:
        assert meant.field is not None
        try:
            value, rest = meant.field.type.typed(meant.rest[0]), meant.rest[1:]
        except (Wrong, IndexError):
            value, rest = True, meant.rest
        self.fields[meant.field.name] = value is not meant.is_not
        return rest

    def _text_length(self, words: Sequence[str]) -> int:
        """Return how many words a text has: up to the next that means something else."""
        return next((at for at in range(1, len(words)) if self.meant(words[at:])), len(words))

    def followed(self, fields: Mapping[str, Any]) -> dict[str, Any]:
        """Return the fields of a new sheet: a number that follows another is given to that one, `life 50`."""
        found = dict(fields)
        for name in fields:
            full = self._followed_by(self.of[name])
            if full and full not in fields:
                found[full] = found.pop(name)
        return found

    def _followed_by(self, field: Field) -> str:
        """Return the field that this one follows in the end, over others such as a capacity."""
        found = field.same_as
        while found in self.of and self.of[found].same_as:
            found = self.of[found].same_as
        return found
