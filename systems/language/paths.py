"""Dotted paths into a sheet: which exist, and which a typed path means.

`life`, `abilities.melee`, `weapons.sword.damage`, `weapons.2.name`. Each part is spelled, in either spelling,
or is a unique beginning; a single word may also be the last part of a longer path.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from systems.errors import Wrong, unknown
from systems.frozen import frozen
from systems.schema.conversion import entry_named
from systems.schema.fields import Entries, fields_of
from systems.schema.types import FieldType, TableOf
from systems.text import begun, listed, matches, spelled

Path = tuple[str, ...]


@frozen
class PathOfSheet:
    """A settable value of a sheet: its path, type, present value and help."""

    path: Path
    type: FieldType
    value: Any
    help: str

    @property
    def text(self) -> str:
        return ".".join(self.path)

    @property
    def typed(self) -> str:
        """Return the path as it is typed in a command."""
        return typed_path(self.path)


def paths_of(sheet: Any) -> Iterator[PathOfSheet]:
    """Return every settable value of a sheet, those in tables and entries included."""
    for name, field in fields_of(type(sheet)).items():
        value = getattr(sheet, name)
        match field.type:
            case TableOf(item, names):
                for key in dict.fromkeys((*names, *value)):
                    yield PathOfSheet((name, key), item, value.get(key), field.help)
            case Entries(of):
                for at, entry in enumerate(value):
                    for inner, about in fields_of(of).items():
                        if inner != "name":
                            path = (name, _part(value, at), inner)
                            yield PathOfSheet(path, about.type, getattr(entry, inner), about.help)
            case kind:
                yield PathOfSheet((name,), kind, value, field.help)


def typed_path(path: Path) -> str:
    """Return a path as it is typed: a part with spaces stands in quotes."""
    return ".".join(f'"{part}"' if " " in part else part for part in path)


def path_meant(sheet: Any, typed: str) -> Path:
    """Return the path that is meant. In a table with free names the last part may be new.

    Raises Wrong with the path for what is not there, and where two are meant.
    """
    first, *rest = typed.split(".")
    fields = fields_of(type(sheet))
    if not spelled(first, fields) and not rest and not begun(first, fields):
        leaves = {place.text: place.path[-1] for place in paths_of(sheet)}
        if found := matches(first, leaves, leaves):
            text = _only(first, found)
            return next(place.path for place in paths_of(sheet) if place.text == text)
    name = _known(first, fields, first)
    if not rest:
        return (name,)
    match fields[name].type:
        case TableOf(_, names):
            return (name, _table_name(name, ".".join(rest), names, getattr(sheet, name)))
        case Entries(of):
            if len(rest) == 1:
                raise Wrong(f"{name}.{rest[0]}", "which figure of it? such as weapons.sword.damage")
            return _entry_path(name, of, getattr(sheet, name), rest)
    raise Wrong(".".join([name, *rest]), f"{name} is one figure and has none inside")


def _table_name(field: str, typed: str, names: Sequence[str], now: Mapping[str, Any]) -> str:
    """Return the name in a table; where names are free, a new one as typed. Raises Wrong."""
    label = f"{field}.{typed}"
    known = dict.fromkeys((*names, *now))
    if found := matches(typed, known):
        return _only(label, found)
    if not typed.strip() or names:
        raise unknown(label, "unknown name", typed, known)
    return typed


def _entry_path(field: str, of: type, items: Sequence[Any], rest: Sequence[str]) -> Path:
    """Return the path of an entry's field, the entry by name, number from 1, or beginning. Raises Wrong."""
    *named, last = rest
    typed = ".".join(named)
    label = f"{field}.{typed}"
    parts = [_part(items, at) for at in range(len(items))]
    found = spelled(typed, parts) or _numbered(typed, parts) or begun(typed, parts)
    if not found:
        raise unknown(label, "there is none", typed, parts)
    part = _only(label, found)
    return (field, part, _known(last, fields_of(of), f"{label}.{last}"))


def _numbered(typed: str, parts: Sequence[str]) -> tuple[str, ...]:
    """Return the entry with that number, from 1; or None."""
    decimal = typed.isascii() and typed.isdecimal() and len(typed) < 5
    return (parts[int(typed) - 1],) if decimal and 1 <= int(typed) <= len(parts) else ()


def _part(items: Sequence[Any], at: int) -> str:
    """Return an entry's name in paths: its own, or its number where an earlier entry has that name."""
    name = str(items[at].name)
    return name if entry_named(items, name) is items[at] else str(at + 1)


def entry_at(items: Sequence[Any], part: str) -> Any:
    """Return the entry of that name or number."""
    parts = [_part(items, at) for at in range(len(items))]
    return items[parts.index(part) if part in parts else int(part) - 1]


def _known(typed: str, known: Iterable[str], label: str) -> str:
    if found := matches(typed, known):
        return _only(label, found)
    if typed == "status":
        raise Wrong(label, "follows from the other figures and cannot be set")
    raise unknown(label, "unknown field", typed, known, "unknown_field")


def _only(label: str, found: Sequence[str]) -> str:
    if len(found) > 1:
        raise Wrong(
            label, f"could be {listed(found[:5], 'or')}{' …' if len(found) > 5 else ''}", code="ambiguous"
        )
    return found[0]


def at_path(sheet: Any, path: Path) -> Any:
    """Return the value at a path of `path_meant`; None where there is none yet."""
    found = getattr(sheet, path[0])
    if len(path) == 1:
        return found
    if isinstance(found, Mapping):
        return found.get(path[1])
    return getattr(entry_at(found, path[1]), path[2])
