"""A game's own tables, such as its spells or its gear: entries of a declared class, read from a file.

A game declares `SPELLS = GameTable("spells", Spell)`, lists it in `Ruleset.tables`, and ships `spells.toml`
in its package. A function of the game finds an entry in `SPELLS.entries`, and an option or a field that names
one is declared by `from_table`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Generic, TypeVar, Unpack

from systems.frozen import frozen
from systems.schema.fields import NEEDED, FieldDetails, declare_field
from systems.schema.types import Choice
from systems.text import find_word

E = TypeVar("E")


class GameTable(Sequence[str], Generic[E]):
    """A table of a game, and the sequence of its ids. `name`: that of its file, without `.toml`.

    `of`: the class of its entries. The program reads the file when an entry is first needed; see `supply`.
    """

    def __init__(self, name: str, of: type[E], help: str = "") -> None:
        self.name, self.of, self.help = name, of, help
        self._read: Callable[[], Mapping[str, E]] = dict
        self._read_names: Callable[[], Mapping[str, str]] = dict
        self._entries: Mapping[str, E] | None = None
        self._names: Mapping[str, str] | None = None

    def supply(
        self, read: Callable[[], Mapping[str, E]], read_names: Callable[[], Mapping[str, str]] | None = None
    ) -> None:
        """Set the functions that read the entries by id, and the names by id; a test may give its own."""
        self._read, self._entries, self._names = read, None, None
        self._read_names = read_names or (lambda: {id: id for id in self.entries})

    @property
    def entries(self) -> Mapping[str, E]:
        """Return the entries by id."""
        if self._entries is None:
            self._entries = self._read()
        return self._entries

    @property
    def names(self) -> Mapping[str, str]:
        """Return the names of the entries by id, without reading the entries if there is an index."""
        if self._names is None:
            self._names = self._read_names()
        return self._names

    def find(self, word: str) -> E | None:
        """Return the entry with this id or name in either spelling, or None."""
        id = find_word(word, self.names) or next(
            (known for known, name in self.names.items() if name.casefold() == word.casefold()), ""
        )
        return self.entries.get(id)

    def __getitem__(self, at: Any) -> Any:
        return tuple(self.names)[at]

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)

    def __contains__(self, id: object) -> bool:
        return id in self.names

    def __repr__(self) -> str:
        return f"GameTable({self.name!r})"


@frozen
class TableChoice(Choice):
    """One of the entries of a game's table, by id."""

    values: "GameTable[Any]"

    @property
    def expected(self) -> str:
        """Return `one of the 116 spells`."""
        return f"one of the {len(self.values)} {self.values.name.replace('_', ' ')}"


def from_table(
    table: "GameTable[Any]", default: object = NEEDED, help: str = "", **details: Unpack[FieldDetails]
) -> Any:
    """Declare the id of an entry of a game's table, such as the spell that is cast."""
    return declare_field(TableChoice(table), default, help, **details)
