"""Declared fields: one way to say what a sheet, an option or a house rule may hold.

A game writes its sheet, the options of its actions and its house rules as classes whose attributes
are made by the functions below. From that one declaration come reading and checking (`read`),
writing (`write`), the words of errors, forms, completion and the printed vocabulary.
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, TypeVar, cast, dataclass_transform

import attrs

from systems.errors import Wrong
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
from systems.text import same_word, shown, suggestion

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


def read(cls: type[T], given: object, path: str = "") -> T:
    """A value of the declared class `cls` from plain data.

    Raises Wrong with the path of the first field that is unknown, missing, of the wrong type or
    out of range.
    """
    if not isinstance(given, Mapping):
        raise Wrong(path, f"expected a table of fields, got {shown(given)}")
    known = fields_of(cls)
    for name in given:
        if name not in known:
            raise Wrong(_join(path, name), f"unknown field{suggestion(str(name), known)}")
    values: dict[str, Any] = {}
    for name, field in known.items():
        if name in given:
            values[name] = _read_kind(field.type, given[name], _join(path, name))
        elif field.needed:
            raise Wrong(_join(path, name), f"is needed: {field.type.expected}")
    if issubclass(cls, Entry):
        values["given"] = frozenset(given)
    return cls(**values)


def _read_kind(kind: FieldType, value: object, path: str) -> object:
    """Check one value against its kind. Raises Wrong."""
    match kind:
        case Entries(of):
            if not isinstance(value, (list, tuple)):
                raise Wrong(path, f"expected a list, got {shown(value)}")
            return tuple(read(of, one, f"{path}[{at}]") for at, one in enumerate(value))
        case ListOf(item, lengths):
            if not isinstance(value, (list, tuple)):
                raise Wrong(path, f"expected {kind.expected}, got {shown(value)}")
            if lengths and len(value) not in lengths:
                raise Wrong(path, f"expected {kind.expected}, got {len(value)} entries")
            return tuple(_read_kind(item, one, f"{path}[{at}]") for at, one in enumerate(value))
        case TableOf(item, names):
            if not isinstance(value, Mapping):
                raise Wrong(path, f"expected {kind.expected}, got {shown(value)}")
            for name in value:
                if name == "" or not isinstance(name, str) or (names and name not in names):
                    known = f" ({', '.join(names)})" if names else ""
                    raise Wrong(path, f"{shown(name)} is no name that can stand here{known}")
            return {name: _read_kind(item, one, _join(path, name)) for name, one in value.items()}
        case _:
            return kind.check(value, path)


def _join(path: str, name: object) -> str:
    return f"{path}.{name}" if path else str(name)


def write(value: Any) -> dict[str, Any]:
    """Plain data of a declared value, as TOML and JSON hold it; absent fields are left out."""
    plain: dict[str, Any] = {}
    for name in fields_of(type(value)):
        if isinstance(value, Entry) and name not in value.given:
            continue
        one = getattr(value, name)
        if one is not None:
            plain[name] = plain_of(one)
    return plain


def plain_of(value: Any) -> Any:
    """Lists, tables and scalars of one field's value."""
    if value is None or isinstance(value, str | int):  # most are, and there may be thousands of them
        return value
    if isinstance(value, tuple):
        return [plain_of(one) for one in value]
    if isinstance(value, Mapping):
        return dict(value)
    return write(value) if attrs.has(type(value)) else value


def replace(value: T, **changes: object) -> T:
    """The same declared value with some fields changed; an entry counts what really changed as given."""
    if isinstance(value, Entry):
        new = {name for name, one in changes.items() if getattr(value, name) != one}
        return cast(T, attrs.evolve(cast(Any, value), given=value.given | new, **changes))
    return cast(T, attrs.evolve(cast(Any, value), **changes))


def entry_named(items: Sequence[T], name: str) -> T | None:
    """The first entry of that name, spelled either side of the Atlantic; None when there is none."""
    for one in items:
        if cast(Any, one).name == name:
            return one
    for one in items:
        if same_word(cast(Any, one).name, name):
            return one
    return None


def change_entry(items: Sequence[T], entry: T, **changes: object) -> tuple[T, ...]:
    """`items` with that very entry changed and all others as they were."""
    return tuple(replace(one, **changes) if one is entry else one for one in items)


def vocabulary(cls: type) -> dict[str, dict[str, Any]]:
    """Field name -> type, default, help, and `choices` or `fields` where there are some."""
    return {name: _described(field) for name, field in fields_of(cls).items()}


def _described(field: Field) -> dict[str, Any]:
    about: dict[str, Any] = {
        "type": field.type.expected,
        "default": field.default_text,
        "help": field.help,
        "needed": field.needed,
    }
    match field.type:
        case Choice(values):
            about["choices"] = list(values)
        case ListOf(Choice(values)):
            about["choices"] = list(values)
        case Entries(of):
            about["fields"] = vocabulary(of)
    return about


def walk(cls: type, start: str = "") -> Iterator[tuple[str, Field]]:
    """Every declared field of `cls` with its path, entries left closed."""
    for name, field in fields_of(cls).items():
        yield _join(start, name), field
