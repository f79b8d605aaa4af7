"""The meaning of words in a typed sheet line: the label that they spell or begin, and its value."""

import re
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from systems.errors import Wrong
from systems.frozen import evolve
from systems.language.sheet_labels import LabelMeaning
from systems.language.sheet_words import SheetWords
from systems.schema.conversion import plain_of
from systems.schema.entry_lines import EntryLine, unquoted
from systems.schema.fields import Entries, Field
from systems.schema.types import Choice, FieldType, Flag, ListOf, TableOf, Text
from systems.text import NEAR, find_word, nearest, plain_word, same_word, shown

_NOT = ("not", "no")
MOST_LABEL_WORDS = 5
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')


class SheetValues(SheetWords):
    """The words of a line, with the labels that they are and the values that follow."""

    def meant(self, at: int) -> LabelMeaning | None:
        """Return the meaning of the next words, or None for an unknown word."""
        return self.exactly(at) or self.begun(at)

    def exactly(self, at: int) -> LabelMeaning | None:
        """Return the label that these words spell in full."""
        if at >= len(self.words):
            return None
        end = self._end_of_piece(at)
        if self.words[at].text.casefold() in _NOT and at + 1 < end and (found := self.exactly(at + 1)):
            is_flag = found.field is not None and isinstance(found.field.type, Flag)
            return evolve(found, length=found.length + 1, is_not=True) if is_flag else None
        for length in range(min(end - at, MOST_LABEL_WORDS), 0, -1):
            typed = " ".join(self._texts(at, at + length))
            plain = typed.strip('"') if find_word(typed.strip('"'), self.labels.known) else typed
            if label := find_word(plain, self.labels.meanings):
                return evolve(self.labels.meanings[label], length=length)
        return None

    def begun(self, at: int, *, followed: bool = True) -> LabelMeaning | None:
        """Return the only label that a word begins and that accepts the following words.

        `several` lists the labels if more than one fits. `followed=False`: accept it without following words.
        """
        if at >= len(self.words):
            return None
        found: dict[tuple[str, str], tuple[str, LabelMeaning]] = {}
        for label in self.labels.begun_by(self.words[at].text):
            meant = evolve(self.labels.meanings[label], length=1)
            if not followed or self._takes(meant, at + 1):
                key = (meant.field.name if meant.field else "", meant.key)
                found.setdefault(key, (label, meant))
        if not found:
            return None
        labels = [label for label, _ in found.values()]
        whole = min(labels, key=len)
        if len(found) > 1 and not all(
            plain_word(label).startswith(f"{plain_word(whole)}_") for label in labels if label != whole
        ):
            return evolve(next(iter(found.values()))[1], several=tuple(labels))
        return next(meant for label, meant in found.values() if label == whole)

    def _takes(self, meant: LabelMeaning, at: int) -> bool:
        """Return whether a label accepts the words from an index on."""
        try:
            self._value(meant, at)
        except Wrong:
            return False
        return True

    def _value(self, meant: LabelMeaning, at: int) -> tuple[tuple[str, ...], Any, int]:
        """Return the path and plain value that the words after a label give, and the index after them."""
        field = meant.field
        end = self._end_of_piece(at - 1) if at else len(self.words)
        texts = self._texts(at, end)
        if field is None:
            length = self._text_length(at, end)
            return (
                (meant.key,),
                " ".join(map(unquoted, self._needed(meant, Text(), texts)[:length])),
                at + length,
            )
        if isinstance(field.type, Flag):
            return self._flag(meant, texts, at)
        if isinstance(field.type, Entries):
            self._one_entry(field, at)
            return (field.name,), None, end
        if isinstance(field.type, TableOf) and not meant.key:
            return self._table_value(meant, texts, at)
        inner = field.type.item if isinstance(field.type, TableOf) else field.type
        words = self._needed(meant, inner, texts)
        length = self._length_of_value(inner, at, end)
        word = (" " if isinstance(inner, Text | Choice) else ",").join(
            _without_quotes(inner, text) for text in words[:length]
        )
        try:
            value = self._typed(field, inner, meant.key, word)
        except Wrong as wrong:
            raise wrong.saying(f"{meant.label}: {wrong.message}") from None
        at += length
        if field.unit and at < end and same_word(self.words[at].text, field.unit):
            at += 1
        return (field.name, meant.key) if meant.key else (field.name,), value, at

    def _needed(self, meant: LabelMeaning, type: FieldType, texts: Sequence[str]) -> Sequence[str]:
        if not texts:
            raise Wrong("", f"{meant.label}: expected {type.expected}", code="needed")
        return texts

    def _typed(self, field: Field, type: FieldType, key: str, word: str) -> Any:
        """Return the plain value of a typed word. `39/50` is a number and its maximum."""
        now, slash, full = word.partition("/")
        if slash and field.same_as and not key:
            most = self.labels.followed_by(field)
            return {most: self.labels.fields[most].type.typed(full), field.name: type.typed(now)}
        value = plain_of(type.typed(word))
        if key:
            field.type.check({key: value})
        return value

    def _table_value(
        self, meant: LabelMeaning, texts: Sequence[str], at: int
    ) -> tuple[tuple[str, ...], Any, int]:
        """Read `ability stealth 4`: a name in the table, which may be new, and its value."""
        field = meant.field
        assert field is not None
        assert isinstance(field.type, TableOf)
        number = next(
            (place for place, text in enumerate(texts) if place and is_value(field.type.item, text)), 0
        )
        if not number:
            raise Wrong("", f"{meant.label}: expected a name and {field.type.item.expected}", code="needed")
        typed = " ".join(unquoted(text) for text in texts[:number])
        is_quoted = texts[0].startswith('"')
        names = [*field.type.names, *(key for key, table in self.labels.known.items() if table == field.name)]
        key = find_word(typed, names)
        if key is None and not is_quoted and (near := nearest(typed, names, NEAR)):
            says = f"{field.label}: there is no {shown(typed)} here; did you mean {near}?"
            raise Wrong("", says, code="unknown_name", suggestion=near, word=typed)
        return self._value(LabelMeaning(field, key or typed, 0), at + number)

    def _one_entry(self, field: Field, at: int) -> Any:
        """Return the entry that the words up to the next comma describe. Raises Wrong."""
        assert isinstance(field.type, Entries)
        end = self._end_of_piece(at) if at < len(self.words) else at
        return EntryLine(field.type.of).typed(self._text(at, end))

    def _flag(self, meant: LabelMeaning, texts: Sequence[str], at: int) -> tuple[tuple[str, ...], Any, int]:
        assert meant.field is not None
        value, length = True, 0
        with suppress(Wrong, IndexError):
            value, length = meant.field.type.typed(texts[0]), 1
        return (meant.field.name,), value is not meant.is_not, at + length

    def _length_of_value(self, type: FieldType, at: int, end: int) -> int:
        """Return the number of words in a value. A text, a choice and a list may have several."""
        if isinstance(type, Text | Choice):
            return self._text_length(at, end)
        if not isinstance(type, ListOf) or isinstance(type.item, Text):
            return 1
        most = max(type.lengths, default=end - at)
        length = 1
        while at + length < end and length < most and is_value(type.item, self.words[at + length].text):
            length += 1
        return length

    def _text_length(self, at: int, end: int) -> int:
        """Return the number of words in a text, which ends before the next word with another meaning."""
        return next((place - at for place in range(at + 1, end) if self.exactly(place)), end - at)


def is_value(type: FieldType, word: str) -> bool:
    try:
        type.typed(word)
    except Wrong:
        return False
    return True


def _without_quotes(type: FieldType, word: str) -> str:
    """Return a word without its quotes, also those around items of a list: `"Shield Bash",Cleave`."""
    if isinstance(type, ListOf):
        return _QUOTED.sub(lambda quoted: unquoted(quoted[0]), word)
    return unquoted(word)
