"""Conversion of declared values: from plain data (`read`), to plain data (`write`), and small changes.

Plain data is what TOML and JSON hold: tables, lists, texts, whole numbers and flags.
"""

from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from typing import Any, TypeVar, cast

from systems.errors import Wrong, unknown
from systems.frozen import evolve, has, once_a_class
from systems.schema.fields import Entries, Entry, Field, Lifetime, Record, fields_of
from systems.schema.types import Choice, FieldType, ListOf, NestedType, Whole
from systems.text import same_word, shown

T = TypeVar("T")


# Plain data to values.


def read(cls: type[T], given: object, path: str = "") -> T:
    """Read a value of the declared class `cls` from plain data.

    Raises Wrong with the path of the first field that is unknown, missing, of the wrong type or out of range.
    """
    return cast(T, Record(cls).check(given, path))


def every_error(type: FieldType, given: object, path: str = "") -> Iterator[Wrong]:
    """Yield every error in plain data; `read` stops at the first."""
    if not isinstance(type, NestedType):
        try:
            type.check(given, path)
        except Wrong as wrong:
            yield wrong
        return
    found = [*type.shape_errors(given, path)]
    if isinstance(type, Record):
        found += type.missing(given, path)
    for inner, part, place in type.parts(given, path):
        found += every_error(inner, part, place)
    yield from found
    if not found:  # each value is valid; together they may not be
        try:
            type.check(given, path)
        except Wrong as wrong:
            yield wrong


def type_at(type: FieldType, path: Sequence[str | int]) -> FieldType | None:
    """Return the field type at a path such as `("weapons", 0, "damage")`, or None if the path is invalid."""
    found: FieldType | None = type
    for step in path:
        found = found.inside(step) if isinstance(found, NestedType) else None
    return found


# Values to plain data.


def write(value: Any) -> dict[str, Any]:
    """Write a declared value as plain data; absent fields are left out."""
    names: Collection[str] = fields_of(type(value))
    if isinstance(value, Entry):
        names = [name for name in names if name in value.given]
    return {name: plain_of(held) for name in names if (held := getattr(value, name)) is not None}


def without_defaults(value: Any) -> dict[str, Any]:
    """Return a declared value as plain data, without fields that hold their default."""
    usual = plain_defaults(type(value))
    return {name: held for name, held in write(value).items() if name not in usual or held != usual[name]}


@once_a_class
def plain_defaults(cls: type) -> Mapping[str, Any]:
    """Return the defaults of a declared class as plain data, by field name."""
    fields = fields_of(cls).values()
    return {field.name: plain_of(field.default) for field in fields if not field.needed}


def plain_of(value: Any) -> Any:
    """Write any value of a field as plain data: lists, tables and scalars."""
    if value is None or isinstance(value, str | int):  # the usual case, and there may be thousands
        return value
    if isinstance(value, tuple):
        return [plain_of(part) for part in value]
    if isinstance(value, Mapping):
        return {name: plain_of(part) for name, part in value.items()}
    return write(value) if has(type(value)) else value


# Changes


def replace(value: T, /, **changes: object) -> T:
    """Return the declared value with some fields changed; an entry records the changed ones as given.

    A field of an entry that was not given and copies a changed field keeps its value, and counts as given
    from now on.
    """
    if isinstance(value, Entry):
        new = {name for name, part in changes.items() if getattr(value, name) != part}
        new |= {name for name, field in fields_of(type(value)).items() if field.same_as in new}
        return evolve(value, given=value.given | new, **changes)
    return evolve(value, **changes)


def within(type: FieldType, value: object) -> object:
    """Return a value that the field can hold: a number stops at the end of its range."""
    return type.nearest(value) if isinstance(type, Whole) and isinstance(value, int) else value


def with_defaults(value: T, lifetimes: Collection[Lifetime]) -> T:
    """Return the declared value with every field of these lifetimes at its default, in entries too."""
    changes: dict[str, object] = {}
    for name, field in fields_of(type(value)).items():
        now = getattr(value, name)
        if field.lasts in lifetimes and not field.needed:
            copied = field.same_as
            new: Any = changes.get(copied, getattr(value, copied)) if copied else field.default
        elif isinstance(field.type, Entries):
            new = tuple(with_defaults(entry, lifetimes) for entry in now)
        else:
            continue
        if new != now:
            changes[name] = new
    return replace(value, **changes) if changes else value


def entry_named(items: Sequence[T], name: str) -> T | None:
    """Return the first entry with this name, in either spelling, or None."""
    for entry in items:
        if cast(Any, entry).name == name:
            return entry
    for entry in items:
        if same_word(cast(Any, entry).name, name):
            return entry
    return None


def entry_meant(items: Sequence[T], name: str, what: str, path: str = "") -> T:
    """Return the first entry with this name. Raises Wrong, with the nearest names, if there is none.

    `what`: the word for an entry, such as `weapon`. `path`: of the name, else the option called `what`.
    """
    found = entry_named(items, name)
    if found is None:
        known = [cast(Any, entry).name for entry in items]
        raise unknown(path or f"options.{what}", f"no {what} {shown(name)}", name, known)
    return found


def entry_or_first(items: Sequence[T], name: str | None, what: str, *unlisted: T) -> T:
    """Return the entry with this name, or without a name the first. `unlisted`: known after all entries.

    Raises Wrong, with the option called `what`, if there is no such entry or none at all.
    """
    known = (*items, *unlisted)
    if name is not None and known:
        return entry_meant(known, name, what)
    if not known:
        raise Wrong(f"options.{what}", f"there is no {what} on the sheet")
    return known[0]


def hashable(fields: Mapping[str, object]) -> Hashable:
    """Return a key that is equal for equal fields, also if one of them is a table."""
    key = tuple(fields.items())
    try:
        hash(key)
    except TypeError:
        return repr(key)
    return key


def change_entry(items: Sequence[T], entry: T, **changes: object) -> tuple[T, ...]:
    """Return `items` with this entry changed and all others unchanged."""
    return tuple(replace(item, **changes) if item is entry else item for item in items)


# Declarations of a class.


def vocabulary(cls: type) -> dict[str, dict[str, Any]]:
    """Return field name -> type, default, help, label, and optional details: `unit`, `lasts`, `choices`.

    For a list of entries also their `fields`, and the fields that start their `line`.
    """
    return {name: _described(field) for name, field in fields_of(cls).items()}


def _described(field: Field) -> dict[str, Any]:
    about: dict[str, Any] = {
        "type": field.type.expected,
        "default": field.default_text,
        "help": field.help,
        "needed": field.needed,
        "label": field.label,
    }
    if field.unit:
        about["unit"] = field.unit
    if field.lasts != "lasting":
        about["lasts"] = field.lasts
    match field.type:
        case Choice(values) | ListOf(Choice(values)):
            about["choices"] = list(values)
        case Entries(of):
            about["fields"] = vocabulary(of)
            about["line"] = list(of.LINE) if issubclass(of, Entry) else []
    return about
