"""Field types: whole numbers, flags, texts, choices, dice, and lists and tables of these.

A field type checks plain data (`check`), reads typed text (`typed`), and says in a few words what it expects
(`expected`). A nested type also says what is inside it (`inside`, `parts`), so that one function can walk
through any value. Lists of entries are in fields.py.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from systems.errors import Wrong, unknown
from systems.frozen import frozen
from systems.schema.values import LONGEST, as_words
from systems.text import find_word, listed, matches, nearest, shown, spoken

_DICE = r"[1-9][0-9]?d([1-9][0-9]{0,3})(\+[1-9][0-9]?d([1-9][0-9]{0,3}))*"  # not every game has dice
_NUMBER = re.compile(r"[+-]?[0-9]{1,9}")
_MOST_COUNTED = 999
_MOST_CALLED = 6  # words for numbers that a message lists
_MINUS = "\N{MINUS SIGN}"
COMMON_DICE = (4, 6, 8, 10, 12, 20)
_YES = ("true", "yes", "y", "on")
_NO = ("false", "no", "n", "off")


class FieldType(Protocol):
    """The type of a field: the values it may hold."""

    @property
    def expected(self) -> str:
        """Return the expected values in a few words."""
        ...

    def check(self, value: object, path: str = "") -> Any:
        """Return the value of plain data. Raises Wrong with the path of the invalid part."""
        ...

    def typed(self, word: str, path: str = "") -> Any:
        """Return the value of typed text. Raises Wrong."""
        ...


@runtime_checkable
class NestedType(FieldType, Protocol):
    """A field type whose values contain values of other types."""

    def inside(self, step: str | int) -> FieldType | None:
        """Return the type under a name or at an index (from 0); None if nothing is allowed there."""
        ...

    def parts(self, value: object, path: str) -> Iterator[tuple[FieldType, object, str]]:
        """Return type, plain data and path of each inner value; nothing for data of the wrong shape."""
        ...

    def shape_errors(self, value: object, path: str) -> Iterator[Wrong]:
        """Return the errors of the data itself, apart from those of its inner values, such as an unknown
        name.
        """
        ...


def step_into(path: str, step: object) -> str:
    """Return the path of an inner value: `weapons[0]` for an index, `weapons.sword` for a name."""
    if isinstance(step, int):
        return f"{path}[{step}]"
    return f"{path}.{step}" if path else str(step)


@frozen
class Whole:
    """A whole number from `low` to `high`. `called`: words for some of the numbers, such as ("small", 1)."""

    low: int
    high: int
    called: tuple[tuple[str, int], ...] = ()

    @property
    def expected(self) -> str:
        all_fit = len(self.called) <= _MOST_CALLED
        some = self.called if all_fit else self.called[:1]
        words = "".join(f", {word} for {number}" for word, number in some) + ("" if all_fit else " and so on")
        return f"a whole number from {self.low} to {self.high}{words}"

    def check(self, value: object, path: str = "") -> int:
        if type(value) is not int:
            raise Wrong(path, f"expected {self.expected}, got {shown(value)}", code="wrong_type")
        if not self.low <= value <= self.high:
            raise Wrong(path, f"expected {self.expected}, got {shown(value)}", code="out_of_range")
        return value

    def typed(self, word: str, path: str = "") -> int:
        plain = word.replace(_MINUS, "-")
        if not _NUMBER.fullmatch(plain):
            return self._called(word, path)
        return self.check(int(plain), path)

    def _called(self, word: str, path: str) -> int:
        """Return the number that a word means. Raises Wrong."""
        known = dict(self.called)
        if len(found := matches(word, known)) == 1:
            return known[found[0]]
        near = nearest(word, known) if known else ""
        says = f"expected {self.expected}, got {shown(word)}{f'; did you mean {near}?' if near else ''}"
        raise Wrong(path, says, code="wrong_type", suggestion=near, word=word if near else "")

    def nearest(self, number: int) -> int:
        """Return the number in the range nearest to `number`."""
        return max(self.low, min(number, self.high))


@frozen
class Flag:
    """True or false."""

    expected = "true or false"

    def check(self, value: object, path: str = "") -> bool:
        if type(value) is not bool:
            raise Wrong(path, f"expected true or false, got {shown(value)}", code="wrong_type")
        return value

    def typed(self, word: str, path: str = "") -> bool:
        if word.casefold() in _YES:
            return True
        if word.casefold() in _NO:
            return False
        raise Wrong(path, f"expected yes or no, got {shown(word)}", code="wrong_type")


@frozen
class Text:
    """A text that is not empty."""

    expected = "a text"

    def check(self, value: object, path: str = "") -> str:
        if not isinstance(value, str) or not value:
            raise Wrong(path, f"expected a text, got {shown(value)}", code="wrong_type")
        return value

    def typed(self, word: str, path: str = "") -> str:
        return self.check(word, path)


@frozen
class SingleWord:
    """One word, such as a type of damage; a list of them may be typed with spaces."""

    expected = "a word"

    def check(self, value: object, path: str = "") -> str:
        if not isinstance(value, str) or not value or value != "".join(value.split()):
            raise Wrong(path, f"expected a word, got {shown(value)}", code="wrong_type")
        return value

    def typed(self, word: str, path: str = "") -> str:
        return self.check(word, path)


@frozen
class CombatantName(Text):
    """A combatant of the fight, by tag or name; in an event by id."""

    expected = "a combatant"


@frozen
class TargetNames(Text):
    """Some of the targets of an action, by tags, ranges or names; in an event by ids."""

    expected = "some of the targets"


@frozen
class Choice:
    """One of some words."""

    values: Sequence[str]

    @property
    def expected(self) -> str:
        return "one of " + ", ".join(self.values)

    @property
    def holds_spaces(self) -> bool:
        """Return whether a choice has spaces, so that commas separate several of them."""
        return any(" " in value for value in self.values)

    def check(self, value: object, path: str = "") -> str:
        if isinstance(value, str) and value in self.values:
            return value
        near = nearest(value, self.values) if isinstance(value, str) else ""
        says = f"expected {self.expected}, got {shown(value)}" + (f"; did you mean {near}?" if near else "")
        raise Wrong(path, says, code="not_a_choice", suggestion=near)

    def typed(self, word: str, path: str = "") -> str:
        found = matches(word, self.values)
        if len(found) > 1:
            known = [spoken(name) for name in found]
            raise Wrong(path, f"{shown(word)} could be {listed(known, 'or')}", code="ambiguous")
        if found:
            return found[0]
        # People may separate the words of a choice by spaces.
        says = f"expected {spoken(self.expected)}, got {shown(word)}"
        near = nearest(word, self.values)
        says += f"; did you mean {spoken(near)}?" if near else ""
        raise Wrong(path, says, code="not_a_choice", suggestion=near, word=word)


def words_of(kind: FieldType, value: Any, most: int = LONGEST) -> str:
    """Return a value of a type in words: a choice without underscores."""
    words = as_words(value, most)
    inner = kind.item if isinstance(kind, ListOf) else kind
    return spoken(words) if isinstance(inner, Choice) else words


@frozen
class DiceText:
    """Dice such as 2d6 or 2d8+1d4, each with one of these numbers of sides."""

    sides: tuple[int, ...] = COMMON_DICE

    @property
    def expected(self) -> str:
        return f"dice such as 2d6 or 2d8+1d4 ({listed([f'd{sides}' for sides in self.sides], 'or')})"

    def check(self, value: object, path: str = "") -> str:
        if not isinstance(value, str) or not re.fullmatch(_DICE, value) or not self._known(value):
            raise Wrong(path, f"expected {self.expected}, got {shown(value)}", code="wrong_type")
        return value

    def _known(self, dice: str) -> bool:
        return all(int(part.partition("d")[2]) in self.sides for part in dice.split("+"))

    def typed(self, word: str, path: str = "") -> str:
        return self.check(word, path)


@frozen
class ListOf:
    """A list of one type; `lengths` limits the number of items.

    `counted`: the item that a typed number repeats: `7` is a list of seven of them.
    """

    item: Any
    lengths: tuple[int, ...] = ()
    counted: Any = None

    @property
    def expected(self) -> str:
        many = f"a list of {' or '.join(map(str, self.lengths))}" if self.lengths else "a list"
        return f"{many}: {self.item.expected}"

    @property
    def holds_spaces(self) -> bool:
        """Return whether its values may have spaces."""
        return isinstance(self.item, Text) or getattr(self.item, "holds_spaces", False)

    def inside(self, step: str | int) -> FieldType | None:
        item: FieldType = self.item
        return item if isinstance(step, int) else None

    def parts(self, value: object, path: str) -> Iterator[tuple[FieldType, object, str]]:
        if isinstance(value, list | tuple):
            for at, entry in enumerate(value):
                yield self.item, entry, f"{path}[{at}]"

    def shape_errors(self, value: object, path: str) -> Iterator[Wrong]:
        if not isinstance(value, list | tuple):
            says = f"expected {self.expected}, got {shown(value)}"
            if isinstance(value, str) and value.isprintable():
                says += f"; in brackets: [{shown(value)}]"
            yield Wrong(path, says, code="wrong_type")
        elif self.lengths and len(value) not in self.lengths:
            yield self._wrong_length(len(value), path)

    def _wrong_length(self, length: int, path: str) -> Wrong:
        got = f"{length} {'entry' if length == 1 else 'entries'}"
        return Wrong(path, f"expected {self.expected}, got {got}", code="wrong_length")

    def check(self, value: object, path: str = "") -> tuple[Any, ...]:
        for error in self.shape_errors(value, path):
            raise error
        return tuple(item.check(entry, place) for item, entry, place in self.parts(value, path))

    def typed(self, word: str, path: str = "") -> tuple[Any, ...]:
        # Texts may hold spaces, so only commas separate them; other items are separated by either. With a bar
        # in the line, bars separate texts, and a text may hold a comma.
        between = r"," if self.holds_spaces else r"[,\s]+"
        if isinstance(self.item, Text) and "|" in word:
            between = r"\|"
        words = [part for part in re.split(between, word.strip("[] ")) if part.strip()]
        if self.counted is not None and len(words) == 1 and words[0].isdecimal():
            number = Whole(0, _MOST_COUNTED).typed(words[0], path)
            return self.check((self.counted,) * number, path)
        if len(words) == 1 and isinstance(self.item, Choice) and {*map(len, self.item.values)} == {1}:
            # Single letters need no commas: `ood` is `o,o,d`.
            words = list(words[0])
        # Name the typed text in the error, which is easier to find than an index in the list.
        found = tuple(self.item.typed(part.strip(), path) for part in words)
        if self.lengths and len(found) not in self.lengths:
            raise self._wrong_length(len(found), path)
        return found


@frozen
class SpacedList(ListOf):
    """A list whose items are several words each, such as `2d6 fire`. In a line they follow one another."""

    def words_taken(self, words: Sequence[str]) -> int:
        """Return how many words, from the first on, are items of the list; 1 if none is."""
        raise NotImplementedError

    def typed(self, word: str, path: str = "") -> tuple[Any, ...]:
        raise NotImplementedError


def _as_toml(word: str) -> str:
    """Return a word as a value in a file: a number as it is, else in quotes."""
    return word if word.lstrip("-").isdecimal() else shown(word)


@frozen
class TableOf:
    """A table of name -> one type; `names` limits the names."""

    item: Any
    names: tuple[str, ...] = ()

    @property
    def expected(self) -> str:
        names = f" ({', '.join(self.names)})" if self.names else ""
        return f"a table of name{names} -> {self.item.expected}"

    def inside(self, step: str | int) -> FieldType | None:
        item: FieldType = self.item
        return item if isinstance(step, str) and step and (not self.names or step in self.names) else None

    def parts(self, value: object, path: str) -> Iterator[tuple[FieldType, object, str]]:
        if isinstance(value, Mapping):
            for name, entry in value.items():
                if self.inside(name) is not None:
                    yield self.item, entry, step_into(path, name)

    def shape_errors(self, value: object, path: str) -> Iterator[Wrong]:
        if not isinstance(value, Mapping):
            says = f"expected {self.expected}, got {shown(value)}"
            words = value.replace("=", " ").replace(":", " ").split() if isinstance(value, str) else []
            if len(words) == 2:
                says += f"; in braces: {{ {words[0]} = {_as_toml(words[1])} }}"
            yield Wrong(path, says, code="wrong_type")
            return
        for name in value:
            if self.inside(name) is None:
                known = f" ({', '.join(self.names)})" if self.names else ""
                near = nearest(str(name), self.names)
                says = f"{shown(name)} is not a name that fits here{known}"
                yield Wrong(path, says, code="unknown_name", suggestion=near)

    def check(self, value: object, path: str = "") -> dict[str, Any]:
        for error in self.shape_errors(value, path):
            raise error
        assert isinstance(value, Mapping)
        return {name: self.item.check(entry, step_into(path, name)) for name, entry in value.items()}

    def typed(self, word: str, path: str = "") -> dict[str, Any]:
        found: dict[str, Any] = {}
        for part in (part for part in word.strip("{} ").split(",") if part.strip()):
            name, _, value = part.partition(":" if ":" in part else "=")
            name = find_word(name.strip(), self.names) or name.strip()
            if not name or not value.strip():
                raise Wrong(path, f"expected {self.expected}, such as name:5", code="wrong_type")
            if self.inside(name) is None:
                raise unknown(path, f"expected {self.expected}", name, self.names)
            found[name] = self.item.typed(value.strip(), f"{path}.{name}")
        return found
