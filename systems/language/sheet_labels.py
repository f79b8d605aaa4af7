"""The labels of a game's sheet: the fields, bars and names in tables that words of a typed line may mean."""

from collections.abc import Iterable, Mapping
from typing import Any

from systems.contract.ruleset import Ruleset
from systems.frozen import frozen
from systems.language.readings import singular
from systems.schema.entry_lines import BEGINNING
from systems.schema.fields import Entries, Field, fields_of, visible_fields
from systems.schema.types import TableOf, Whole
from systems.text import NEAR, find_word, nearest, plain_word, spoken, starting_with

TRACKERS = ("side", "party")  # fields of the roster that a line may give as well


@frozen
class LabelMeaning:
    """The meaning of some words: a field, or a name in the table that the field is.

    `key`: the name in the table, "" for the field itself. `field` is None for a field of the roster, which
    `key` names. `length`: the number of words in the label. `several`: the labels that an ambiguous beginning
    may mean.
    """

    field: Field | None
    key: str
    length: int
    is_not: bool = False
    several: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        return self.key or (self.field.label if self.field else "")


def known_names(game: Ruleset, sheets: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Return the names in tables of a sheet, each with its field: declared, suggested, and from `sheets`."""
    found: dict[str, str] = {}
    for name, field in fields_of(game.sheet).items():
        if isinstance(field.type, TableOf):
            held = (key for sheet in sheets for key in sheet.get(name, ()))
            for key in (*field.type.names, *field.suggested, *held):
                found.setdefault(key, name)
    return found


class SheetLabels:
    """All labels of a game's sheet, each with its meaning.

    `known`: the names in tables, each with its field; see `known_names`.
    """

    def __init__(self, game: Ruleset, known: Mapping[str, str]) -> None:
        self.known = known
        fields = visible_fields(game.sheet).items()
        self.fields = {name: field for name, field in fields if name != "name" and not field.is_of_the_turn}
        # A bar may have another label than its field.
        self.bars = {meter.label: meter.now for meter in game.meters if meter.now in self.fields}
        self.lists = [field for field in self.fields.values() if isinstance(field.type, Entries)]
        self.tables = [
            field
            for field in self.fields.values()
            if isinstance(field.type, TableOf) and not field.type.names
        ]
        self.meanings = self._all_meanings()

    def _all_meanings(self) -> dict[str, LabelMeaning]:
        """Return the meaning of each label: a field, a bar, a name in a table, a list or a roster field."""
        found: dict[str, LabelMeaning] = {}
        for field in self.fields.values():
            words = [field.label, spoken(field.name)]
            if isinstance(field.type, Entries | TableOf):
                words.append(singular(field))
            for label in words:
                found.setdefault(label, LabelMeaning(field, "", len(label.split())))
        for bar, name in self.bars.items():
            found.setdefault(bar, LabelMeaning(self.fields[name], "", len(bar.split())))
        for key, table in self.known.items():
            found.setdefault(key, LabelMeaning(self.fields[table], key, len(key.split())))
        for tracker in TRACKERS:
            found.setdefault(tracker, LabelMeaning(None, tracker, 1))
        return found

    def is_number(self, label: str) -> bool:
        """Return whether this is the whole label of a number, or a name in a table of numbers."""
        found = find_word(label, self.meanings)
        field = self.meanings[found].field if found else None
        type = (
            field.type.item if field is not None and isinstance(field.type, TableOf) else field and field.type
        )
        return isinstance(type, Whole)

    def begun_by(self, word: str) -> list[str]:
        """Return the labels that an unquoted lower-case word of three letters or more begins."""
        if len(word) < BEGINNING or not word.islower() or not word.isalpha():
            return []
        plain = plain_word(word)
        return [label for label in starting_with(word, self.meanings) if plain_word(label) != plain]

    def followed_by(self, field: Field) -> str:
        """Return the last field in the chain that this one follows, across others such as a capacity."""
        found = field.same_as
        while found in self.fields and self.fields[found].same_as:
            found = self.fields[found].same_as
        return found


def near_label(game: Ruleset, text: str, known: Mapping[str, str]) -> str:
    """Return the label that was probably meant by a mistyped one, or ""."""
    return nearest(text, SheetLabels(game, known).meanings, NEAR)


def words_to_come(game: Ruleset, text: str, known: Mapping[str, str]) -> tuple[str, ...]:
    """Return the possible completions of the last word of a text: labels and names in tables.

    The first word of a line is part of the name, and so is a word that begins with a capital letter.
    """
    lines = text.replace("\n", ";").rpartition(";")[2].split(" ")
    last = lines[-1].rpartition(",")[2]
    if not any(lines[:-1]) or not last[:1].islower():
        return ()
    found = SheetLabels(game, known)
    labels = (field.label for field in found.fields.values())
    words = dict.fromkeys((*known, *found.bars, *labels, *TRACKERS))
    return tuple(word for word in starting_with(last, words) if word != last)
