"""Compare an imported roster entry with an existing entry, field by field."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from systems.frozen import frozen
from systems.schema.conversion import plain_of
from systems.schema.entry_lines import entry_line
from systems.schema.fields import Entry, fields_of
from systems.schema.values import as_typed
from systems.text import clean, same_word
from tui.campaign.entries import RosterEntry

_LONGEST = 60  # characters of one value
_CONTEXT = 20  # characters before the first difference of two texts
_NOT_ON_SHEET = ("side", "party")


@frozen
class Difference:
    """A field with two values: its label, the existing value, and the imported one, as words."""

    label: str
    here: str
    new: str

    def __str__(self) -> str:
        return f"{self.label}: {self.here} here, {self.new} in the import"


def differences(here: RosterEntry, new: RosterEntry) -> tuple[Difference, ...]:
    """Return the fields in which two entries differ, except the name."""
    return tuple(_differences(here, new))


def _differences(here: RosterEntry, new: RosterEntry) -> Iterator[Difference]:
    for name in _NOT_ON_SHEET:
        if (mine := getattr(here, name)) != (theirs := getattr(new, name)):
            yield Difference(name, mine or "none", theirs or "none")
    for name, field in fields_of(type(here.sheet)).items():
        mine, theirs = getattr(here.sheet, name), getattr(new.sheet, name)
        if name != "name" and plain_of(mine) != plain_of(theirs):
            yield Difference(field.label, *_two(mine, theirs))


def _two(mine: Any, theirs: Any) -> tuple[str, str]:
    """Return two different values as words; of tables and lists only the parts that differ."""
    if isinstance(mine, Mapping) and isinstance(theirs, Mapping):
        changed = [key for key in {**mine, **theirs} if mine.get(key) != theirs.get(key)]
        return _parts(mine, changed), _parts(theirs, changed)
    if _is_entries(mine) and _is_entries(theirs):
        return _changed_entries(mine, theirs), _changed_entries(theirs, mine)
    if isinstance(mine, str) and isinstance(theirs, str) and max(len(mine), len(theirs)) > _LONGEST:
        pairs = enumerate(zip(mine, theirs, strict=False))
        same = next((at for at, (one, other) in pairs if one != other), min(len(mine), len(theirs)))
        start = max(0, same - _CONTEXT)
        before = "…" if start else ""
        return _words(before + mine[start:]), _words(before + theirs[start:])
    return _words(mine), _words(theirs)


def _is_entries(value: Any) -> bool:
    return isinstance(value, tuple) and all(isinstance(each, Entry) for each in value)


def _parts(table: Mapping[str, Any], keys: Sequence[str]) -> str:
    return _words({key: table[key] for key in keys if key in table}) if any(map(table.get, keys)) else "none"


def _changed_entries(entries: Sequence[Any], others: Sequence[Any]) -> str:
    plain = [plain_of(other) for other in others]
    lines = [entry_line(each) for each in entries if plain_of(each) not in plain]
    return clean("; ".join(lines) or "none", _LONGEST)


def _words(value: Any) -> str:
    return clean(as_typed(plain_of(value)), _LONGEST) or "none"


def is_called(entry: RosterEntry, name: str) -> bool:
    """Return whether an entry has that name or id."""
    return same_word(entry.name, name) or same_word(entry.id, name)
