"""Encode the difference between two views of one viewer as plain data, so that only that is sent.

It is made from these two views alone, so it can't reveal more than they do.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar, cast, get_args, get_origin, get_type_hints

from systems.codec.plain import BadPlainData, from_plain, plain_value
from systems.frozen import evolve, has, once_a_class

T = TypeVar("T")


def to_changes(before: T, after: T) -> dict[str, Any]:
    """Return the changed fields by name, as plain data.

    A tuple of frozen values is a list: ranges `[first, end]` of unchanged earlier values, and each new value
    as a table.
    """
    found: dict[str, Any] = {}
    for name, (_, item) in _kinds(type(after)).items():
        old, new = getattr(before, name), getattr(after, name)
        if new != old:
            found[name] = list(_to_items(old, new)) if item else plain_value(new)
    return found


def with_changes(before: T, given: object) -> T:
    """Return the value with these changes, reusing unchanged parts. Raises BadPlainData."""
    if not isinstance(given, Mapping):
        raise BadPlainData("should be a table of changes")
    kinds = _kinds(type(before))
    if any(name not in kinds for name in given):
        raise BadPlainData("has an unknown field")
    changes = {
        name: _from_items(item, getattr(before, name), held) if item else from_plain(kind, held)
        for name, held in given.items()
        for kind, item in [kinds[name]]
    }
    return cast(T, evolve(cast(Any, before), **changes))


@once_a_class
def _kinds(cls: Any) -> dict[str, tuple[Any, Any]]:
    """Return the type of each field, and of its items if it is a tuple of frozen values."""
    found = {}
    for name, kind in get_type_hints(cls).items():
        item = get_args(kind)[0] if get_origin(kind) is tuple else kind
        found[name] = (kind, item if item is not kind and has(item) else None)
    return found


def _to_items(before: Sequence[Any], after: Sequence[Any]) -> Iterator[Any]:
    """Yield ranges of unchanged values, and tables of new ones. Most items keep their place."""
    places: dict[Any, int] = {}
    first = end = 0
    for value in after:
        if end < len(before) and before[end] == value:
            end += 1
            continue
        if first < end:
            yield [first, end]
        if end + 1 < len(before) and before[end + 1] == value:
            first, end = end + 1, end + 2
            continue
        places = places or {each: at for at, each in reversed(list(enumerate(before)))}
        if value in places:
            first, end = places[value], places[value] + 1
        else:
            yield plain_value(value)
            # Skip the value that it replaces.
            first = end = min(end + 1, len(before))
    if first < end:
        yield [first, end]


def _from_items(item: Any, before: Sequence[Any], given: object) -> tuple[Any, ...]:
    if not isinstance(given, list):
        raise BadPlainData("should be a list")
    found: list[Any] = []
    for part in given:
        match part:
            case [int(first), int(end)] if 0 <= first < end <= len(before):
                found += before[first:end]
            case Mapping():
                found.append(from_plain(item, part))
            case _:
                raise BadPlainData("should have ranges to keep, or new values")
    return tuple(found)
