"""One figure changed by its dotted path: `life`, `abilities.melee`, `weapons.sword.damage`."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

import attrs

from systems.fields import change_entry, entry_named, fields_of, replace
from systems.kinds import Entries, Kind, TableOf, Wrong
from systems.play import Play, settled
from systems.words import clean, find_word, suggestion


def set_field(play: Play, who: str, field: str, value: str) -> None:
    """Change one figure by its dotted path: `life`, `abilities.melee`, `weapons.sword.damage`.

    Raises Wrong with the path for an unknown field or a value that cannot be.
    """
    one = play.one(who)
    path = field.split(".")
    name = find_word(path[0], fields_of(type(one.sheet)))
    if name is None:
        raise Wrong(clean(field), f"unknown field{suggestion(path[0], fields_of(type(one.sheet)))}")
    old = getattr(one.sheet, name)
    new = _with_value(fields_of(type(one.sheet))[name].kind, old, path[1:], value, name)
    play.put(settled(play.encounter, attrs.evolve(one, sheet=replace(one.sheet, **{name: new}))))
    play.say(f"{one.name}'s {_moved(path, name, old, new)}.")


def _moved(path: Sequence[str], name: str, old: Any, new: Any) -> str:
    if len(path) > 1:
        label = ".".join([name, *path[1:]])
        before, after = _inner(old, path[1:]), _inner(new, path[1:])
    else:
        label, before, after = name, old, new
    return f"{clean(label)}: {clean(_as_word(before), 40)} → {clean(_as_word(after), 40)}"


def _inner(value: Any, path: Sequence[str]) -> Any:
    """What a path leads to inside a table or a list of entries."""
    if isinstance(value, Mapping):
        return value.get(path[0])
    entry = _entry(value, path[0])
    return getattr(entry, path[1], None) if entry is not None and len(path) > 1 else entry


def _as_word(value: Any) -> str:
    match value:
        case None:
            return "none"
        case bool():
            return "yes" if value else "no"
        case tuple():
            return ", ".join(_as_word(one) for one in value) or "none"
        case Mapping():
            return ", ".join(f"{name} {one}" for name, one in value.items()) or "none"
        case _:
            return str(getattr(value, "name", value))


def _with_value(kind: Kind, old: Any, path: Sequence[str], value: str, label: str) -> Any:
    """The field's new value: the whole of it, one name of a table, or one figure of one entry."""
    if not path:
        return kind.typed(value, label)
    match kind:
        case TableOf(item, names) if len(path) == 1:
            if names and path[0] not in names:
                raise Wrong(f"{label}.{clean(path[0])}", f"unknown name{suggestion(path[0], names)}")
            return {**old, path[0]: item.typed(value, f"{label}.{clean(path[0])}")}
        case Entries(of) if len(path) == 2:
            entry = _entry(old, path[0])
            if entry is None:
                known = [each.name for each in old]
                raise Wrong(f"{label}.{clean(path[0])}", f"there is none{suggestion(path[0], known)}")
            inner = find_word(path[1], fields_of(of))
            if inner is None:
                raise Wrong(
                    f"{label}.{clean(path[0])}.{clean(path[1])}",
                    f"unknown field{suggestion(path[1], fields_of(of))}",
                )
            typed = fields_of(of)[inner].kind.typed(value, f"{label}.{entry.name}.{inner}")
            return change_entry(old, entry, **{inner: typed})
    raise Wrong(clean(".".join([label, *path])), f"there is no such figure in {label}")


def _entry(items: Any, named: str) -> Any:
    """An entry by its name, or by its number from 1."""
    if not isinstance(items, tuple):
        return None
    if named.isdecimal() and len(named) < 5 and 1 <= int(named) <= len(items):
        return items[int(named) - 1]
    return entry_named(cast(Sequence[Any], items), named)
