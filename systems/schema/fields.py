"""Declared fields: one way to say what a sheet, an option or a house rule may hold.

A game writes its sheet, the options of its actions and its house rules as classes whose attributes
are made by the functions below. From that one declaration come reading and checking (`read`),
writing (`write`), the words of errors, forms, completion and the printed vocabulary.
"""

from collections.abc import Hashable, Mapping, Sequence
from functools import cache
from typing import Any, TypeVar, cast, dataclass_transform

import attrs

from systems.frozen import frozen
from systems.schema.types import (
    COMMON_DICE,
    Choice,
    DiceText,
    Entries,
    FieldType,
    Flag,
    ListOf,
    TableOf,
    Text,
    Whole,
)
from systems.text import shown

T = TypeVar("T")
NEEDED = object()
_KEY = "affray"


@frozen
class Field:
    """One declared field: its name, what it may hold and what stands when nothing is given.

    `default` is None for "absent"; `same_as` names the field that is copied; `when_absent` says in
    words what an absent option means when a rule works it out.
    """

    name: str
    type: FieldType
    default: object
    same_as: str
    help: str
    when_absent: str

    @property
    def needed(self) -> bool:
        return self.default is NEEDED

    @property
    def default_text(self) -> str:
        """The default as a person reads it: `needed`, `same as max_life`, `absent` or the value."""
        if self.needed:
            return "needed"
        if self.same_as:
            return f"same as {self.same_as}"
        if self.when_absent:
            return self.when_absent
        if self.default is None:
            return "absent"
        return shown(self.default) if self.default not in ({}, ()) else "empty"


def _declared(kind: FieldType, default: object, help: str, same_as: str = "", when_absent: str = "") -> Any:
    """An attribute of a declared class, with its Field kept beside it."""
    about = {_KEY: Field("", kind, default, same_as, help, when_absent)}
    if same_as:
        copied = attrs.Factory(lambda self: getattr(self, same_as), takes_self=True)
        return attrs.field(default=copied, metadata=about)
    if default is NEEDED:
        return attrs.field(metadata=about)
    return attrs.field(default=default, metadata=about)


def whole(
    low: int,
    high: int,
    default: object = NEEDED,
    help: str = "",
    *,
    same_as: str = "",
    when_absent: str = "",
) -> Any:
    """A whole number from `low` to `high`, both included."""
    return _declared(Whole(low, high), None if same_as else default, help, same_as, when_absent)


def flag(default: object = False, help: str = "", *, when_absent: str = "") -> Any:
    """True or false."""
    return _declared(Flag(), default, help, when_absent=when_absent)


def text(default: object = NEEDED, help: str = "", *, when_absent: str = "") -> Any:
    """A text that is not empty."""
    return _declared(Text(), default, help, when_absent=when_absent)


def choice(values: Sequence[str], default: object = NEEDED, help: str = "", *, when_absent: str = "") -> Any:
    """One of the words in `values`."""
    return _declared(Choice(tuple(values)), default, help, when_absent=when_absent)


def dice(
    default: object = NEEDED, help: str = "", *, sides: Sequence[int] = COMMON_DICE, when_absent: str = ""
) -> Any:
    """Dice such as `2d6` or `2d8+1d4`: 1 to 99 dice of one of these numbers of `sides`, joined by +."""
    return _declared(DiceText(tuple(sides)), default, help, when_absent=when_absent)


def table(item: FieldType, help: str = "", *, names: Sequence[str] = ()) -> Any:
    """A table of name -> `item`; `names` limits the names. Empty by default."""
    return _declared(TableOf(item, tuple(names)), {}, help)


def listing(
    item: FieldType, default: Sequence[object] = (), help: str = "", *, lengths: Sequence[int] = ()
) -> Any:
    """A list of `item`; `lengths` limits how many there may be."""
    return _declared(ListOf(item, tuple(lengths)), tuple(default), help)


def entries(of: type, help: str = "") -> Any:
    """A list of entries of a declared class. Of several entries of one name the first counts."""
    return _declared(Entries(of), (), help)


@dataclass_transform(kw_only_default=True, frozen_default=True)
def declare(cls: type[T]) -> type[T]:
    """Make a class of declared fields: frozen, keyword-only, compared by value."""
    return frozen(kw_only=True)(cls)


@declare
class NoOptions:
    """The options of an action that has none."""


@declare
class Entry:
    """Base of list entries; remembers which fields were given, so that an answer keeps just those."""

    given: frozenset[str] = attrs.field(default=frozenset(), eq=False, repr=False)


def fields_of(cls: type[Any]) -> Mapping[str, Field]:
    """The declared fields of `cls` by name, in the order of declaration."""
    return _fields_of(cast(Hashable, cls))


@cache
def _fields_of(cls: Any) -> Mapping[str, Field]:
    found: dict[str, Field] = {}
    for attribute in attrs.fields(cls):
        if declared := attribute.metadata.get(_KEY):
            found[attribute.name] = attrs.evolve(declared, name=attribute.name)
    return found
