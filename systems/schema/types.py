"""What one field may hold: whole numbers, flags, texts, choices, dice, lists, tables, entries.

Each kind checks plain data (`check`), understands what is typed (`typed`), and says in a few words
what would be right (`expected`).
"""

import re
from typing import Any

from systems.errors import Wrong
from systems.frozen import frozen
from systems.text import find_word, listed, shown

_DICE = re.compile(r"[1-9][0-9]?d([1-9][0-9]{0,3})(\+[1-9][0-9]?d([1-9][0-9]{0,3}))*")
COMMON_DICE = (4, 6, 8, 10, 12, 20)
_YES = ("true", "yes", "y", "on")
_NO = ("false", "no", "n", "off")


@frozen
class Whole:
    """A whole number from `low` to `high`."""

    low: int
    high: int

    @property
    def expected(self) -> str:
        return f"a whole number from {self.low} to {self.high}"

    def check(self, value: object, path: str) -> int:
        if type(value) is not int or not self.low <= value <= self.high:
            raise Wrong(path, f"expected {self.expected}, got {shown(value)}")
        return value

    def typed(self, word: str, path: str) -> int:
        if not re.fullmatch(r"[+-]?[0-9]{1,9}", word.replace("\N{MINUS SIGN}", "-")):
            raise Wrong(path, f"expected {self.expected}, got {shown(word)}")
        return self.check(int(word.replace("\N{MINUS SIGN}", "-")), path)


@frozen
class Flag:
    """True or false."""

    expected = "true or false"

    def check(self, value: object, path: str) -> bool:
        if type(value) is not bool:
            raise Wrong(path, f"expected true or false, got {shown(value)}")
        return value

    def typed(self, word: str, path: str) -> bool:
        if word.casefold() in _YES:
            return True
        if word.casefold() in _NO:
            return False
        raise Wrong(path, f"expected yes or no, got {shown(word)}")


@frozen
class Text:
    """A text that is not empty."""

    expected = "a text"

    def check(self, value: object, path: str) -> str:
        if not isinstance(value, str) or not value:
            raise Wrong(path, f"expected a text, got {shown(value)}")
        return value

    def typed(self, word: str, path: str) -> str:
        return self.check(word, path)


@frozen
class Choice:
    """One of some words."""

    values: tuple[str, ...]

    @property
    def expected(self) -> str:
        return "one of " + ", ".join(self.values)

    def check(self, value: object, path: str) -> str:
        if not isinstance(value, str) or value not in self.values:
            raise Wrong(path, f"expected {self.expected}, got {shown(value)}")
        return value

    def typed(self, word: str, path: str) -> str:
        return self.check(find_word(word, self.values) or word, path)


@frozen
class DiceText:
    """Dice such as 2d6 or 2d8+1d4, each with one of these numbers of sides."""

    sides: tuple[int, ...] = COMMON_DICE

    @property
    def expected(self) -> str:
        return f"dice such as 2d6 or 2d8+1d4 ({listed([f'd{one}' for one in self.sides], 'or')})"

    def check(self, value: object, path: str) -> str:
        if not isinstance(value, str) or not _DICE.fullmatch(value) or not self._known(value):
            raise Wrong(path, f"expected {self.expected}, got {shown(value)}")
        return value

    def _known(self, dice: str) -> bool:
        return all(int(one.partition("d")[2]) in self.sides for one in dice.split("+"))

    def typed(self, word: str, path: str) -> str:
        return self.check(word, path)


@frozen
class ListOf:
    """A list of one kind; `lengths` limits how many."""

    item: Any
    lengths: tuple[int, ...] = ()

    @property
    def expected(self) -> str:
        many = f"a list of {' or '.join(map(str, self.lengths))}" if self.lengths else "a list"
        return f"{many}: {self.item.expected}"

    def typed(self, word: str, path: str) -> tuple[object, ...]:
        # Texts may hold spaces, so only commas part them; all else is parted by either.
        between = r"," if isinstance(self.item, Text) else r"[,\s]+"
        words = [one for one in re.split(between, word.strip("[] ")) if one]
        if len(words) == 1 and isinstance(self.item, Choice) and {*map(len, self.item.values)} == {1}:
            # Letters need no commas: `ood` is `o,o,d`.
            words = list(words[0])
        if self.lengths and len(words) not in self.lengths:
            raise Wrong(path, f"expected {self.expected}, got {len(words)} entries")
        return tuple(self.item.typed(one.strip(), f"{path}[{at}]") for at, one in enumerate(words))


@frozen
class TableOf:
    """A table of name -> one kind; `names` limits the names."""

    item: Any
    names: tuple[str, ...] = ()

    @property
    def expected(self) -> str:
        names = f" ({', '.join(self.names)})" if self.names else ""
        return f"a table of name{names} -> {self.item.expected}"

    def typed(self, word: str, path: str) -> dict[str, object]:
        found: dict[str, object] = {}
        for one in word.strip("{}").split(","):
            name, _, number = one.partition(":" if ":" in one else "=")
            name = name.strip()
            if not name or (self.names and name not in self.names):
                raise Wrong(path, f"expected {self.expected}, such as name:5")
            found[name] = self.item.typed(number.strip(), f"{path}.{name}")
        return found


@frozen
class Entries:
    """A list of entries of a declared class."""

    of: type

    @property
    def expected(self) -> str:
        return "a list of entries"

    def typed(self, word: str, path: str) -> object:
        raise Wrong(
            path, "is a list of entries: change one figure of one entry, such as weapons.sword.damage"
        )


FieldType = Whole | Flag | Text | Choice | DiceText | ListOf | TableOf | Entries
