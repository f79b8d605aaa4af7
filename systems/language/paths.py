"""Dotted paths into a sheet: list them, and find the path that a typed one means.

Examples: `life`, `abilities.melee`, `weapons.sword.damage`, `weapons.2.name`, and `weapons.sword` for the
whole entry as one line. Each part may be a unique beginning. A single word may also be the last part of a
longer path.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from systems.errors import Wrong, unknown
from systems.frozen import frozen
from systems.language.tokens import quote
from systems.schema.conversion import entry_named
from systems.schema.entry_lines import EntryLine, entry_values
from systems.schema.fields import Entries, Entry, fields_of, visible_fields
from systems.schema.types import FieldType, TableOf, words_of
from systems.text import (
    NEAR,
    clean,
    find_word,
    listed,
    matches,
    nearest,
    same_word,
    shown,
    spelled,
    spoken,
    starting_with,
)

NamePath = tuple[str, ...]
# The most words, after the first, in a field's label.
_MORE_WORDS = 4


@frozen
class PathOfSheet:
    """A value of a sheet that can be set: its path, type, current value and help."""

    path: NamePath
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

    @property
    def line(self) -> str:
        """Return a whole entry as it is typed after its path, or "" for any other value."""
        return entry_values(self.value) if isinstance(self.value, Entry) else ""

    @property
    def words(self) -> str:
        """Return the current value in words."""
        return value_words(self.type, self.value)


def value_words(kind: FieldType, value: Any, most: int = 60) -> str:
    """Return a value at a path in words: an entry by its values, or by its name if it has none."""
    if isinstance(value, Entry):
        return clean(entry_values(value) or str(getattr(value, "name", "")), 2 * most)
    return words_of(kind, value, most)


def paths_of(sheet: Any) -> Iterator[PathOfSheet]:
    """Yield every value of a sheet that can be set, including those in tables and entries."""
    for name, field in visible_fields(type(sheet)).items():
        value = getattr(sheet, name)
        match field.type:
            case TableOf(item, names):
                for key in dict.fromkeys((*names, *value)):
                    yield PathOfSheet((name, key), item, value.get(key), field.help)
            case Entries(of):
                for at, entry in enumerate(value):
                    part = _part(value, at)
                    yield PathOfSheet((name, part), EntryLine(of, str(entry.name)), entry, field.help)
                    for inner, about in fields_of(of).items():
                        if inner != "name":
                            path = (name, part, inner)
                            yield PathOfSheet(path, about.type, getattr(entry, inner), about.help)
            case kind:
                yield PathOfSheet((name,), kind, value, field.help)


def typed_path(path: NamePath, *, quoted: bool = False) -> str:
    """Return a path as typed, with quotes around parts with spaces.

    `quoted`: quote all parts but the first.
    """
    first, *rest = path
    return ".".join([first, *(quote(part, always=quoted) for part in rest)])


def type_meant(cls: type, path: NamePath) -> FieldType:
    """Return the type of the value at a path of `path_meant`, whether or not it exists yet."""
    type = fields_of(cls)[path[0]].type
    match type:
        case TableOf(item) if len(path) > 1:
            found: FieldType = item
            return found
        case Entries(of) if len(path) > 2:
            return fields_of(of)[path[2]].type
        case Entries(of) if len(path) > 1:
            return EntryLine(of, path[1])
    return type


def path_words(cls: type, path: NamePath) -> str:
    """Return the label of the value at a path: `max life`, `melee`, `sword`, `sword damage`."""
    field = fields_of(cls).get(path[0])
    if field is None or len(path) == 1:
        return field.label if field else spoken(".".join(path))
    if isinstance(field.type, TableOf):
        return ".".join(path[1:])
    words = [f"{field.label} {path[1]}" if path[1].isdecimal() else path[1]]
    if isinstance(field.type, Entries) and (inner := fields_of(field.type.of).get(path[-1])) and path[2:]:
        words.append(inner.label)
    return " ".join(words)


def paths_by_words(sheet: Any) -> Mapping[str, str]:
    """Return the paths of a sheet by their lower-case labels. Of equal labels the first counts."""
    called: dict[str, str] = {}
    for place in paths_of(sheet):
        called.setdefault(path_words(type(sheet), place.path).casefold(), place.text)
    return called


def field_and_value(sheet: Any, field: str, value: str) -> tuple[str, str]:
    """Return the path of a field and its value. Words of the value may belong to the field.

    So `max` and `life 55` give `max_life` and `55`.
    """
    called, words = paths_by_words(sheet), value.split()
    for count in range(min(len(words), _MORE_WORDS), 0, -1):
        if path := called.get(" ".join([field, *words[:count]]).casefold()):
            return path, "".join(value.split(maxsplit=count)[count:])
    is_path = spelled(field, fields_of(type(sheet)))
    return field if is_path else called.get(field.casefold(), field), value


def path_meant(sheet: Any, typed: str, *, quoted: bool = False) -> NamePath:
    """Return the path that is meant. An entry, or a name in a table with free names, may be new.

    Raises Wrong with the path for an unknown or ambiguous part, and for a new name that looks like a
    misspelling of a known one unless it is `quoted`.
    """
    first, *rest = typed.split(".")
    fields = fields_of(type(sheet))
    if not spelled(first, fields) and not rest and not starting_with(first, fields):
        places = {place.text: place for place in paths_of(sheet)}
        for whole_entries in (False, True):
            leaves = {
                text: place.path[-1]
                for text, place in places.items()
                if isinstance(place.type, EntryLine) == whole_entries
            }
            if found := matches(first, leaves, leaves):
                return places[_only(first, found)].path
    name = _known(first, fields, first)
    if not rest:
        return (name,)
    match fields[name].type:
        case TableOf(_, names):
            now = getattr(sheet, name)
            suggested = () if quoted else (*fields[name].suggested, *now)
            return (name, _table_name(name, ".".join(rest), names, now, suggested))
        case Entries(of):
            if len(rest) == 1:
                items = getattr(sheet, name)
                part = _entry_part(name, items, rest[0])
                return (name, part or _new_name(name, rest[0], () if quoted else _parts(items)))
            return _entry_path(name, of, getattr(sheet, name), rest)
    raise Wrong(".".join([name, *rest]), f"{name} is a single value without parts")


def _new_name(field: str, typed: str, known: Iterable[str]) -> str:
    """Return a new name for the sheet. Raises Wrong if it looks like a misspelling of a known one."""
    known = [name for name in known if not same_word(name, typed)]
    near = nearest(typed, known, NEAR)
    if not near:
        return typed
    says = f"not found; did you mean {near}? Use quotes for a new one"
    raise Wrong(f"{field}.{typed}", says, code="unknown_name", suggestion=near, word=typed)


def _table_name(
    field: str, typed: str, names: Sequence[str], now: Mapping[str, Any], suggested: Sequence[str]
) -> str:
    """Return the name in a table, or the typed one if names are free. Raises Wrong.

    `suggested`: further names of which a new one may be a misspelling.
    """
    label = f"{field}.{typed}"
    known = dict.fromkeys((*names, *now))
    if found := matches(typed, known):
        return _only(label, found)
    if not typed.strip() or names:
        raise unknown(label, "unknown name", typed, known)
    return typed if find_word(typed, suggested) else _new_name(field, typed, suggested)


def _entry_path(field: str, of: type, items: Sequence[Any], rest: Sequence[str]) -> NamePath:
    """Return the path of an entry's field. The entry is given by name, number from 1, or beginning.

    Raises Wrong.
    """
    *named, last = rest
    typed = ".".join(named)
    label = f"{field}.{typed}"
    part = _entry_part(field, items, typed)
    if not part:
        raise unknown(label, "not found", typed, _parts(items))
    return (field, part, _known(last, fields_of(of), f"{label}.{last}"))


def _entry_part(field: str, items: Sequence[Any], typed: str) -> str:
    """Return the part of a path that names an entry, or "". Raises Wrong if it is ambiguous."""
    label, parts = f"{field}.{typed}", _parts(items)
    found = spelled(typed, parts) or _numbered(typed, parts) or starting_with(typed, parts)
    if not found and (not typed.strip() or typed.isdecimal()):
        raise unknown(label, "not found", typed, parts)
    return _only(label, found) if found else ""


def _parts(items: Sequence[Any]) -> list[str]:
    return [_part(items, at) for at in range(len(items))]


def _numbered(typed: str, parts: Sequence[str]) -> tuple[str, ...]:
    """Return the entry with that number, counted from 1, or ()."""
    decimal = typed.isascii() and typed.isdecimal() and len(typed) < 5
    return (parts[int(typed) - 1],) if decimal and 1 <= int(typed) <= len(parts) else ()


def _part(items: Sequence[Any], at: int) -> str:
    """Return an entry's name in paths: its own, or its number if an earlier entry has the same name."""
    name = str(items[at].name)
    return name if entry_named(items, name) is items[at] else str(at + 1)


def entry_called(items: Sequence[Any], part: str) -> Any | None:
    """Return the entry that a part of a path names, or None if it does not exist yet."""
    return next((entry for at, entry in enumerate(items) if _part(items, at) == part), None)


def entry_at(items: Sequence[Any], part: str) -> Any:
    """Return the entry of that name or number."""
    parts = _parts(items)
    return items[parts.index(part) if part in parts else int(part) - 1]


def _known(typed: str, known: Iterable[str], label: str) -> str:
    if found := matches(typed, known):
        return _only(label, found)
    if typed == "status":
        raise Wrong(label, "is calculated from other values and cannot be set")
    sentence = f"there is no field {shown(label)}" if label else "the name of a field is missing"
    raise unknown("", sentence, typed, map(spoken, known), "unknown_field", alike=NEAR)


def _only(label: str, found: Sequence[str]) -> str:
    if len(found) > 1:
        more = " …" if len(found) > 5 else ""
        known = listed(map(spoken, found[:5]), "or")
        raise Wrong("", f"{shown(label)} could be {known}{more}", code="ambiguous")
    return found[0]


def at_path(sheet: Any, path: NamePath) -> Any:
    """Return the value at a path of `path_meant`, or None if it does not exist yet."""
    found = getattr(sheet, path[0])
    if len(path) == 1:
        return found
    if isinstance(found, Mapping):
        return found.get(path[1])
    if len(path) == 2:
        return entry_called(found, path[1])
    return getattr(entry_at(found, path[1]), path[2])
