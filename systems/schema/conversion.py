"""Conversion of declared values: from plain data (`read`), to plain data (`write`), and small changes.

Plain data is what TOML and JSON hold: tables, lists, texts, whole numbers and flags.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar, cast

import attrs

from systems.errors import Wrong
from systems.schema.fields import Entry, Field, fields_of
from systems.schema.types import Choice, Entries, FieldType, ListOf, TableOf
from systems.text import same_word, shown, suggestion

T = TypeVar("T")


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
            values[name] = read_value(field.type, given[name], _join(path, name))
        elif field.needed:
            raise Wrong(_join(path, name), f"is needed: {field.type.expected}")
    if issubclass(cls, Entry):
        values["given"] = frozenset(given)
    return cls(**values)


def read_value(kind: FieldType, value: object, path: str) -> object:
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
            return tuple(read_value(item, one, f"{path}[{at}]") for at, one in enumerate(value))
        case TableOf(item, names):
            if not isinstance(value, Mapping):
                raise Wrong(path, f"expected {kind.expected}, got {shown(value)}")
            for name in value:
                if name == "" or not isinstance(name, str) or (names and name not in names):
                    known = f" ({', '.join(names)})" if names else ""
                    raise Wrong(path, f"{shown(name)} is no name that can stand here{known}")
            return {name: read_value(item, one, _join(path, name)) for name, one in value.items()}
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
