"""One figure changed by its dotted path: `life`, `abilities.melee`, `weapons.sword.damage`."""

from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from systems.commands.effects import settled
from systems.commands.membership import LONGEST_NAME
from systems.commands.transaction import Transaction
from systems.errors import Wrong
from systems.schema.conversion import change_entry, entry_named, replace
from systems.schema.fields import Entries, Field, fields_of
from systems.schema.types import FieldType, TableOf, Text
from systems.schema.values import as_words
from systems.text import clean, find_word, suggestion

_NONE = ("none", "-")


def set_field(play: Transaction, who: str, field: str, value: str) -> None:
    """Change one figure by its dotted path; a name may hold dots. What may be absent can be set to none.

    Raises Wrong with the path for an unknown field or a value that cannot be.
    """
    one = play.one(who)
    known = fields_of(type(one.sheet))
    path = field.split(".")
    name = find_word(path[0], known)
    if name is None:
        raise Wrong(path[0], _unknown(path[0], known))
    label, new = _with_value(known[name], getattr(one.sheet, name), path[1:], value)
    before = attrs.evolve(one, sheet=replace(one.sheet, **{name: new}))
    if name == "name" and new:
        before = before.with_state(name=clean(new, LONGEST_NAME) or one.name)
    play.put(settled(play.encounter, before))
    old, now = (as_words(_at(each.sheet, label), 60) for each in (one, before))
    play.say(f"{one.name}'s {clean('.'.join(label))}: {old} → {now}.")


def _unknown(word: str, known: Mapping[str, Field]) -> str:
    if word == "status":
        return "follows from the other figures and cannot be set"
    return f"unknown field{suggestion(word, known)}"


def _with_value(field: Field, old: Any, path: Sequence[str], value: str) -> tuple[list[str], Any]:
    """The path as the sheet spells it, and the field's new value as a whole."""
    match field.type:
        case _ if not path:
            return [field.name], _typed(field, value, field.name)
        case TableOf(item, names):
            name = ".".join(path)
            known = find_word(name, names or old) or name
            label = f"{field.name}.{known}"
            if not known or (names and known not in names):
                raise Wrong(label, f"unknown name{suggestion(known, names or old)}")
            return [field.name, known], {**old, known: item.typed(value, label)}
        case Entries(of) if len(path) > 1:
            *named, last = path
            entry = _entry(old, ".".join(named))
            label = f"{field.name}.{'.'.join(named)}"
            if entry is None:
                raise Wrong(label, f"there is none{suggestion('.'.join(named), [one.name for one in old])}")
            inner = find_word(last, fields_of(of))
            if inner is None:
                raise Wrong(f"{label}.{last}", _unknown(last, fields_of(of)))
            new = _typed(fields_of(of)[inner], value, f"{label}.{inner}")
            place = str(old.index(entry) + 1)
            return [field.name, place if inner == "name" else entry.name, inner], change_entry(
                old, entry, **{inner: new}
            )
        case Entries():
            raise Wrong(f"{field.name}.{path[0]}", "which figure of it? such as weapons.sword.damage")
    raise Wrong(".".join([field.name, *path]), f"{field.name} is one figure and has none inside")


def _typed(field: Field, value: str, label: str) -> Any:
    """The value that was typed; where there may be none, `none` is that."""
    kind: FieldType = field.type
    optional = field.default is None and not field.same_as
    if optional and value.casefold() in _NONE:
        return None
    if isinstance(kind, Text) and not value.strip():
        raise Wrong(label, "expected a text, got nothing")
    return kind.typed(value, label)


def _entry(items: Sequence[Any], named: str) -> Any:
    """An entry by its name, or by its number from 1."""
    if found := entry_named(items, named):
        return found
    if named.isascii() and named.isdecimal() and len(named) < 5 and 1 <= int(named) <= len(items):
        return items[int(named) - 1]
    return None


def _at(sheet: Any, path: Sequence[str]) -> Any:
    """What a path as `_with_value` gives it leads to."""
    found = getattr(sheet, path[0])
    if len(path) == 1:
        return found
    if isinstance(found, Mapping):
        return found.get(path[1])
    return getattr(_entry(found, path[1]), path[2], None)
