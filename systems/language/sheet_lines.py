"""Read a whole sheet typed as one line: `Sera melee 45 life 50, sword 15 melee`.

The name comes first. Fields follow in any order, with or without commas, each with its label or with a name
from a table of the game. Weapons and other entries are written in full (`axe 1d8`, `mana 3/3`), in quotes, or
after the name of their list (`weapon axe 20`, `ability stealth 4`). Several sheets are typed on separate
lines or with semicolons between them. Each part of a line becomes a `Part`: see readings.py.
"""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import pairwise
from typing import Any

from systems.contract.ruleset import Ruleset
from systems.errors import Wrong
from systems.frozen import evolve
from systems.language.corrections import corrected
from systems.language.readings import LinePart, ReadingKind, SheetLine, entry_words, part_of_value, singular
from systems.language.sheet_labels import TRACKERS, LabelMeaning, SheetLabels
from systems.language.sheet_values import MOST_LABEL_WORDS, SheetValues
from systems.schema.conversion import plain_of
from systems.schema.entries import with_known_names
from systems.schema.entry_lines import BEGINNING, EntryLine, is_called_before, pieces_of, unquoted
from systems.schema.fields import Entries, Field, fields_of
from systems.schema.types import Flag, TableOf, Text, Whole
from systems.text import (
    NEAR,
    clean,
    find_word,
    listed,
    nearest,
    plain_word,
    same_word,
    shown,
    why_too_long,
)

_LONGEST_ENTRY = 200
_LONE_NUMBER = re.compile(r"[+\N{MINUS SIGN}-]?[0-9]+")
_FIGURE = re.compile(r"[+\N{MINUS SIGN}-].*|.*/.*|[0-9]+d[0-9]+.*")  # words that are never part of a name


def meant_path(game: Ruleset, text: str, known: Mapping[str, str]) -> tuple[str, ...]:
    """Return the path of the field that a label means, such as ("abilities", "melee"), or ()."""
    reader = _SheetLineReader(game, known, text)
    found = reader.exactly(0) or (reader.begun(0, followed=False) if len(reader.words) == 1 else None)
    if found is None or found.field is None or found.several or found.length < len(reader.words):
        return ()
    return (found.field.name, found.key) if found.key else (found.field.name,)


def read_sheet_line(game: Ruleset, line: str, known: Mapping[str, str]) -> SheetLine:
    """Read a new sheet from its line, including mistakes. `known`: see `known_names`."""
    try:
        pieces_of(line)
    except Wrong as wrong:
        return SheetLine(line, "", {}, parts=(LinePart(line, (), None, "error", str(wrong)),))
    reader = _SheetLineReader(game, known, line)
    if not reader.words or reader.words[0].piece or reader.begins_with_number():
        says = "a line begins with a name, such as Sera"
        return SheetLine(line, "", {}, parts=(LinePart(line, (), None, "error", says),))
    length = reader.name_length()
    name = " ".join(unquoted(word.text) for word in reader.words[:length])
    if why := why_too_long(name):
        return SheetLine(line, clean(name), {}, parts=(LinePart(name, ("name",), name, "error", why),))
    reader.read(length)
    fields = dict(reader.fields)
    side, party = (clean(str(fields.pop(word, "")), 40) for word in TRACKERS)
    followed = reader.followed(fields)
    parts = [reader.as_followed(part, followed) for part in reader.parts]
    whole = game.line_whole(followed)
    parts += [
        evolve(part_of_value(reader.labels.fields[added], (added,), value, ""), kind="default")
        for added, value in whole.items()
        if added not in followed
    ]
    return SheetLine(line, clean(name), whole, side, party, tuple(parts))


def read_sheet_parts(game: Ruleset, text: str, known: Mapping[str, str]) -> SheetLine:
    """Read parts of a line without a name, such as `att 5` or `weapon axe 20`, for an existing sheet."""
    try:
        pieces_of(text)
    except Wrong as wrong:
        return SheetLine(text, "", {}, parts=(LinePart(text, (), None, "error", str(wrong)),))
    reader = _SheetLineReader(game, known, text, is_new=False)
    reader.read(0)
    return SheetLine(text, "", dict(reader.fields), parts=tuple(reader.parts))


class _SheetLineReader(SheetValues):
    """Reader of the parts after the name, which become plain data in `fields` and items of `parts`."""

    def __init__(self, game: Ruleset, known: Mapping[str, str], line: str, *, is_new: bool = True) -> None:
        """Prepare to read a line.

        `is_new`: the sheet is new, so a number that follows another needs no value.
        """
        super().__init__(SheetLabels(game, known), line)
        self._is_new, self._line_part = is_new, game.line_part
        self.fields: dict[str, Any] = {}
        self.parts: list[LinePart] = []

    # Words

    def begins_with_number(self) -> bool:
        """Return whether the line begins with a field and its number, and not with a name."""
        meant = self.exactly(0) if self.words[0].text.islower() else None
        if meant is None or meant.field is None or not isinstance(meant.field.type, Whole | TableOf):
            return False
        return self._takes(meant, meant.length)

    def name_length(self) -> int:
        """Return the number of words in the name, which ends before the first word with another meaning."""
        if self.words[0].text.startswith('"'):
            return 1
        end = self._end_of_piece(0)
        return next((at for at in range(1, end) if self._ends_name(at, end)), end)

    def _ends_name(self, at: int, end: int) -> bool:
        """Return whether the name ends before a word: a label, an entry, or a word followed by a number."""
        word = self.words[at].text
        if word.startswith('"') or _FIGURE.fullmatch(word):
            return True
        if (meant := self.exactly(at)) is not None:
            return word[:1].islower() or self._takes(meant, at + meant.length)
        if self._emptied(at) or self._is_numbered_word_of_the_game(at, end):
            return True
        if not word[:1].islower():
            return False
        if self._begins_field_of_entry(at, end):
            return True
        begun = self.begun(at)
        if begun is not None and (begun.field is None or not isinstance(begun.field.type, Flag | Text)):
            return True
        for later in range(at + 1, end):
            if self.exactly(later):
                return False
            if any(letter.isdecimal() for letter in self.words[later].text):
                return True
        return False

    def _is_numbered_word_of_the_game(self, at: int, end: int) -> bool:
        """Return whether the game understands a word and its number, such as `Fighter 5`."""
        if at + 1 == end or not self.words[at + 1].text[0].isdecimal():
            return False
        with suppress(Wrong):
            return any(self._line_part(self._text(at, later)) for later in range(at + 2, end + 1))
        return False

    def _begins_field_of_entry(self, at: int, end: int) -> bool:
        """Return whether the words are a field of some list's entries with a value: `modes single burst`."""
        return any(
            is_called_before(field, self.words[at].text, self._texts(at + 1, end))
            for field in self._inner_fields()
        )

    def _inner_fields(self) -> list[Field]:
        """Return the fields of all lists' entries, except flags, which need no value."""
        inner = (
            fields_of(found.type.of).values()
            for found in self.labels.lists
            if isinstance(found.type, Entries)
        )
        return [field for fields in inner for field in fields if not isinstance(field.type, Flag | Text)]

    # The meaning of words

    # Parts

    def read(self, at: int) -> None:
        """Read every part from an index on."""
        while at < len(self.words):
            at = self._part(at)
        self._check_names()

    def _part(self, at: int) -> int:
        """Read the part that begins at an index. Return the index after it."""
        if (end := self._nothing(at)) or (end := self._quoted_entry(at)) or (end := self._of_the_game(at)):
            return end
        meant = self.meant(at)
        if meant is not None and meant.several:
            known = listed((shown(label) for label in meant.several[:5]), "or")
            return self._wrong(at, f"{shown(self.words[at].text)} could be {known}")
        if meant is not None:
            return self._entry_called_like(meant, at) or self._field(meant, at)
        if end := self._entry(self.labels.lists, at, is_labelled=False):
            return end
        return self._unknown(at)

    def _of_the_game(self, at: int) -> int:
        """Read words that the game itself understands, such as `fighter 5`. Return the index after, or 0."""
        for end in range(self._end_of_piece(at), at, -1):
            text = self._text(at, end)
            try:
                given = self._line_part(text)
            except Wrong as wrong:
                return self._wrong(at, str(wrong), end, wrong.suggestion)
            for name, value in (given or {}).items():
                if isinstance(value, list):
                    self.fields.setdefault(name, []).extend(value)
                elif isinstance(value, dict):
                    self.fields.setdefault(name, {}).update(value)
                else:
                    self.fields[name] = value
                self.parts.append(part_of_value(self.labels.fields[name], (name,), value, text))
            if given:
                return end
        return 0

    def _entry_called_like(self, meant: LabelMeaning, at: int) -> int:
        """Read a full entry whose name begins with a label, such as `Magic missile 2d6`.

        Return the index after it, or 0 if the words are the field itself.
        """
        field = meant.field
        is_single = field is not None and (meant.key or not isinstance(field.type, Entries | TableOf))
        if not is_single or meant.is_not or self._takes(meant, at + meant.length):
            return 0
        return self._entry(self.labels.lists, at, is_labelled=False)

    def _field(self, meant: LabelMeaning, at: int) -> int:
        """Read a field by its label. Return the index after it."""
        start = at + meant.length
        if meant.field is not None and isinstance(meant.field.type, Entries):
            if start == self._end_of_piece(at) and start < len(self.words):
                start = self._end_of_piece(at)
            end = self._entry([meant.field], start, is_labelled=True) if start < len(self.words) else 0
            return end or self._wrong_entry(meant.field, at, start)
        try:
            path, value, end = self._value(meant, start)
        except Wrong as wrong:
            return self._wrong_value(meant, at, wrong)
        if any(part.path == path and part.text for part in self.parts):
            return self._wrong(at, f"{meant.label} is given twice", end)
        self._put(path, value)
        text = self._text(at, end)
        self.parts.append(part_of_value(meant.field, path, value, text))
        return end

    def _put(self, path: tuple[str, ...], value: Any) -> None:
        if len(path) > 1:
            self.fields.setdefault(path[0], {})[path[1]] = value
        elif (
            path[0] in self.labels.fields and self.labels.fields[path[0]].same_as and isinstance(value, dict)
        ):
            self.fields |= value
        else:
            self.fields[path[0]] = value

    # Entries

    def _entry(self, lists: Sequence[Field], at: int, *, is_labelled: bool) -> int:
        """Read an entry of the first list that it fits. Return the index after it, 0 if it fits none.

        Parts after commas belong to the entry as long as they fit. Without a label it has to be written in
        full.
        """
        ends = [self._end_of_piece(at)]
        while ends[-1] < len(self.words) and not self._begins_another(ends[-1]):
            ends.append(self._end_of_piece(ends[-1]))
        for end in reversed(ends):
            text = self._text(at, end)
            for field in lists:
                assert isinstance(field.type, Entries)
                try:
                    entry = EntryLine(field.type.of).typed(text)
                except Wrong:
                    continue
                if is_labelled or self._is_in_full(entry, at, ends, end):
                    start = at
                    if is_labelled and at:
                        start = next(back for back in range(at - 1, -1, -1) if not back or self.exactly(back))
                    self._take_entry(field, entry, self._text(start, end))
                    return end
        return 0

    def _take_entry(self, field: Field, entry: Any, text: str) -> None:
        plain = plain_of(entry)
        self.fields.setdefault(field.name, []).append(plain)
        says = entry_words(field, entry)
        self.parts.append(LinePart(text, (field.name, str(entry.name)), plain, "given", says))

    def _begins_another(self, at: int) -> bool:
        """Return whether a part that begins with a list or a table continues with an entry of it."""
        found = self.exactly(at)
        return (
            found is not None
            and not found.key
            and found.field is not None
            and isinstance(found.field.type, Entries | TableOf)
            and self._end_of_piece(at) - at > found.length + 1
        )

    def _is_in_full(self, entry: Any, at: int, ends: Sequence[int], end: int) -> bool:
        """Return whether an entry has more than a name, or a name and a lone number."""
        texts = self._texts(at, ends[0])
        if texts[0].startswith('"'):
            return True
        values = texts[len(str(entry.name).split()) :]
        if len(values) > 1 or (values and not _LONE_NUMBER.fullmatch(values[0])):
            return True
        return any(self.meant(place) is None for place in ends[: ends.index(end)])

    def _quoted_entry(self, at: int) -> int:
        """Read an entry with a quoted name, of a list or else of a table. Return the index after it, or 0."""
        word = self.words[at].text
        if not word.startswith('"') or find_word(word.strip('"'), self.labels.known):
            return 0
        if end := self._entry(self.labels.lists, at, is_labelled=False):
            return end
        for field in self.labels.tables:
            with suppress(Wrong):
                path, value, end = self._value(LabelMeaning(field, unquoted(word), 1), at + 1)
                self._put(path, value)
                self.parts.append(part_of_value(field, path, value, self._text(at, end)))
                return end
        return 0

    def _nothing(self, at: int) -> int:
        """Read `no weapon` or `no armour`. Return the index after it, 0 if it is neither."""
        fields = self._emptied(at)
        for field in fields:
            if isinstance(field.type, Whole) and field.same_as:
                empty = field.type.nearest(0)
            else:
                empty = plain_of(field.default)
            self.fields[field.name] = empty
            self.parts.append(part_of_value(field, (field.name,), empty, self._text(at, at + 2)))
        return at + 2 if fields else 0

    def _emptied(self, at: int) -> list[Field]:
        """Return the fields that `no` and the next word empty: lists and tables, else numbers."""
        if not same_word(self.words[at].text, "no") or at + 1 >= self._end_of_piece(at):
            return []
        found = self.exactly(at + 1)
        if found is not None and found.field is not None and isinstance(found.field.type, Flag):
            return []
        word = plain_word(self.words[at + 1].text)
        called = [
            field
            for field in self.labels.fields.values()
            if word in (*plain_word(field.label).split("_"), plain_word(singular(field)))
            and not field.needed
            and not (self._is_new and field.same_as)
        ]
        lists = [field for field in called if isinstance(field.type, Entries | TableOf)]
        return lists or [field for field in called if isinstance(field.type, Whole)]

    # Mistakes

    def _wrong(self, at: int, says: str, end: int = 0, suggestion: str = "") -> int:
        """Record the words up to the next known one as a mistake. Return the index after them."""
        last = self._end_of_piece(at)
        end = end or next((place for place in range(at + 1, last) if self.meant(place)), last)
        kind: ReadingKind = "near" if suggestion else "error"
        self.parts.append(LinePart(self._text(at, end), (), None, kind, says, suggestion))
        return end

    def _wrong_value(self, meant: LabelMeaning, at: int, wrong: Wrong) -> int:
        start = at + meant.length
        last = self._end_of_piece(at)
        end = next((place for place in range(start + 1, last) if self.meant(place)), last)
        return self._wrong(at, str(wrong), end, corrected(self._text(at, end), wrong))

    def _wrong_entry(self, field: Field, at: int, start: int) -> int:
        """Record words after a list's name that are not one of its entries as a mistake."""
        end = self._end_of_piece(start) if start < len(self.words) else len(self.words)
        wrong = self._mistake_in(field, start, end)
        # Each part is right by itself, such as an effect without its damage: look on after the comma.
        while wrong.code == "invalid" and end < len(self.words) and not self._begins_another(end):
            further = self._end_of_piece(end)
            found = self._mistake_in(field, start, further)
            if found.code == "unknown_field" and not found.suggestion:
                break
            wrong, end = found, further
        says = f"{singular(field)}: {wrong}"
        return self._wrong(at, says, end, corrected(self._text(at, end), wrong))

    def _mistake_in(self, field: Field, start: int, end: int) -> Wrong:
        """Return what is wrong with words that are not an entry of this list."""
        assert isinstance(field.type, Entries)
        try:
            EntryLine(field.type.of).typed(self._text(start, end))
        except Wrong as wrong:
            return wrong
        raise AssertionError(self.line)

    def _unknown(self, at: int) -> int:
        """Record words that fit nothing as a mistake, or as a misspelling of a label."""
        last = self._end_of_piece(at)
        for length in range(min(last - at, MOST_LABEL_WORDS), 0, -1):
            typed = " ".join(self._texts(at, at + length))
            label = nearest(typed, self.labels.meanings, NEAR) or self._containing(typed)
            if not label:
                continue
            meant = evolve(self.labels.meanings[label], length=length)
            says = f"{shown(typed)} is not known here; did you mean {label}?"
            if self._takes(meant, at + length):
                is_entry = meant.field is not None and isinstance(meant.field.type, Entries)
                end = last if is_entry else self._value(meant, at + length)[2]
                rest = self._text(at + length, end)
                return self._wrong(at, says, end, " ".join(filter(None, (label, rest))))
            return self._wrong(at, says)
        text = self._text(at, last)
        if forms := self._as_entries(at, last):
            return self._wrong(
                at, f"{shown(text)} fits nothing here; for a new entry type {listed(forms, 'or')}", last
            )
        if found := self._with_commas(at, last):
            says = f"{shown(text)} is not understood; did you mean {clean(found, _LONGEST_ENTRY)}?"
            return self._wrong(at, says, last, found)
        return self._wrong(
            at, f"{shown(text)} fits nothing here{self._why(at, last)}", last if self.labels.lists else 0
        )

    def _containing(self, typed: str) -> str:
        """Return the only label that contains these words, such as `armour per attack` for `per attack`."""
        plain = plain_word(typed)
        if len(plain) < 2 * BEGINNING:
            return ""
        found = [label for label in self.labels.meanings if f"_{plain}_" in f"_{plain_word(label)}_"]
        return found[0] if len({self.labels.meanings[label].field for label in found}) == 1 else ""

    def _as_entries(self, at: int, end: int) -> list[str]:
        """Return the text of a new entry for each list and table that accepts the words."""
        text, found = self._text(at, end), []
        for field in self.labels.lists:
            with suppress(Wrong):
                self._one_entry(field, at)
                found.append(f"{singular(field)} {text}")
        for field in self.labels.tables:
            with suppress(Wrong):
                if self._table_value(LabelMeaning(field, "", 0), self._texts(at, end), at)[2] == end:
                    found.append(f"{singular(field)} {text}")
        return found

    def _why(self, at: int, end: int) -> str:
        """Return why the words are not an entry of the sheet's only list, or "" if it has several."""
        if len(self.labels.lists) == 1 and end - at > 1:
            try:
                self._one_entry(self.labels.lists[0], at)
            except Wrong as wrong:
                return f"; as a {singular(self.labels.lists[0])}, {wrong}"
        return ""

    def _with_commas(self, at: int, end: int) -> str:
        """Return the words with the commas that make a list accept them, or "" if no places fit."""
        before_fields = [place for place in range(at + 1, end) if self._begins_field_of_entry(place, end)]
        for places in ([before_fields] if before_fields else []) + [
            [place] for place in range(end - 1, at, -1)
        ]:
            cuts = [at, *places, end]
            text = ", ".join(self._text(start, stop) for start, stop in pairwise(cuts))
            for field in self.labels.lists:
                assert isinstance(field.type, Entries)
                with suppress(Wrong):
                    EntryLine(field.type.of).typed(text)
                    return text
        return ""

    def _check_names(self) -> None:
        """Spell the names in entries as the sheet does, and find misspellings of them."""
        for number, part in enumerate(self.parts):
            field = self.labels.fields.get(part.path[0]) if len(part.path) > 1 else None
            if part.kind != "given" or field is None or not isinstance(field.type, Entries):
                continue
            entries = self.fields[field.name]
            at = next(place for place, entry in enumerate(entries) if entry is part.value)
            entry = EntryLine(field.type.of, part.path[1]).check(part.value)
            try:
                found = with_known_names(entry, self._inside)
            except Wrong as wrong:
                fixed = corrected(part.text, wrong)
                self.parts[number] = LinePart(
                    part.text, (), None, "near" if fixed else "error", str(wrong), fixed
                )
                del entries[at]
            else:
                entries[at] = plain_of(found)
                self.parts[number] = evolve(part, value=entries[at], says=entry_words(field, found))

    def _inside(self, name: str) -> Any:
        """Return the names in a table or list of the sheet: given in the line, or known."""
        if name not in self.labels.fields or isinstance(self.labels.fields[name].type, TableOf):
            return [
                *self.fields.get(name, ()),
                *(key for key, table in self.labels.known.items() if table == name),
            ]
        return self.fields.get(name, [])

    # Numbers that follow other numbers

    def followed(self, fields: Mapping[str, Any]) -> dict[str, Any]:
        """Return the fields of a new sheet. A number that follows another is given to that one: `life 50`."""
        found = dict(fields)
        for name in fields:
            full = self.labels.followed_by(self.labels.fields[name])
            if full and full not in fields:
                found[full] = found.pop(name)
        return found

    def as_followed(self, part: LinePart, fields: Mapping[str, Any]) -> LinePart:
        """Return the part with the field that received its number; see `followed`."""
        if len(part.path) != 1 or part.path[0] in fields or part.path[0] not in self.labels.fields:
            return part
        full = self.labels.fields[self.labels.followed_by(self.labels.fields[part.path[0]])]
        return part_of_value(full, (full.name,), part.value, part.text)
