"""The commands `set` and `count`: change a field by its dotted path, such as `weapons.sword.damage`."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from systems.commands.effects import sync_conditions
from systems.commands.membership import check_name
from systems.commands.transaction import Transaction
from systems.contract.marked_text import as_health, possessive
from systems.contract.ruleset import EffectRules, Ruleset
from systems.encounter.tags import renamed
from systems.errors import Wrong
from systems.frozen import evolve
from systems.language.paths import (
    NamePath,
    at_path,
    entry_at,
    entry_called,
    path_meant,
    path_words,
    type_meant,
    value_words,
)
from systems.language.set_lines import parts_set
from systems.schema.conversion import replace
from systems.schema.entries import with_known_names
from systems.schema.entry_lines import EntryLine
from systems.schema.fields import Entries, Field, fields_of
from systems.schema.types import FieldType, TableOf, Text, Whole
from systems.text import LONGEST_NAME, before_and_after, clean

if TYPE_CHECKING:
    from systems.language.readings import LinePart

_NONE = ("none", "-")


def set_field(transaction: Transaction, who: str, field: str, value: str, *, quoted: bool = False) -> None:
    """Set a field by its path (see `systems.language.paths`); an optional field can be set to `none`.

    FIELD and VALUE may also be words of a typed line, such as `weapon axe 20`; see set_lines.py. `+TEXT` is
    appended to the text of a field, on a line of its own if the field has several. A whole entry is set by
    its line; a new one is added, and `none` removes it. Raises Wrong with the path for an unknown field or an
    invalid value.
    """
    game = transaction.encounter.game
    if parts := parts_set(game, transaction.combatant(who).sheet, field, value, quoted=quoted):
        for part in parts:
            _set_part(transaction, who, part)
        return
    path = path_meant(transaction.combatant(who).sheet, field, quoted=quoted)

    def read(found: Field | FieldType, label: str) -> Any:
        sheet = transaction.combatant(who).sheet
        if isinstance(found, EntryLine):
            if value.casefold() in _NONE:
                return None
            return with_known_names(found.typed(value, label), lambda name: getattr(sheet, name), label)
        if not isinstance(found, Field):
            return found.typed(value, label)
        typed = _typed(found, _added(found, at_path(sheet, path), value), label)
        if found.naming is None or typed is None:
            return typed
        return found.naming.check(typed, [getattr(sheet, found.naming.field)], label)

    _change(transaction, who, path, read)


def _set_part(transaction: Transaction, who: str, part: "LinePart") -> None:
    """Set the value of one part of a typed line."""
    fields = fields_of(type(transaction.combatant(who).sheet))
    if isinstance(part.value, Mapping) and not isinstance(fields[part.path[0]].type, TableOf | Entries):
        values: Mapping[NamePath, Any] = {(name,): value for name, value in part.value.items()}
    else:
        values = {part.path: part.value}
    for path, value in values.items():

        def read(found: Field | FieldType, label: str, value: Any = value) -> Any:
            return (found.type if isinstance(found, Field) else found).check(value, label)

        _change(transaction, who, path, read)


def _added(field: Field, now: object, value: str) -> str:
    """Return the field's text with `+TEXT` appended; any other value unchanged."""
    more = value.removeprefix("+").strip()
    if not isinstance(field.type, Text) or field.name == "name" or not value.startswith("+") or not more:
        return value
    if not isinstance(now, str):
        return more
    return now + ("\n" if "\n" in now else "; ") + more


def count_field(transaction: Transaction, who: str, field: str, by: int) -> None:
    """Add a number to a whole-number field, within its range. Raises Wrong for any other field."""
    path = path_meant(transaction.combatant(who).sheet, field)
    now = at_path(transaction.combatant(who).sheet, path)

    def add(found: Field | FieldType, label: str) -> Any:
        field_type = found.type if isinstance(found, Field) else found
        if not isinstance(field_type, Whole):
            raise Wrong(label, f"is {field_type.expected}; only a whole number can be counted")
        return max(field_type.low, min(field_type.high, (now or 0) + by))

    _change(transaction, who, path, add)


def _change(
    transaction: Transaction, who: str, path: NamePath, read: Callable[[Field | FieldType, str], Any]
) -> None:
    """Replace the field at a path by the value that `read` returns, and report it."""
    combatant = transaction.combatant(who)
    name = path[0]
    field = fields_of(type(combatant.sheet))[name]
    value = _with_value(field, getattr(combatant.sheet, name), path, read)
    after = evolve(combatant, sheet=replace(combatant.sheet, **{name: value}))
    if effects := transaction.encounter.game.effects:
        _check_names(effects, combatant.sheet, after.sheet, path)
    if name == "name" and value:
        check_name(transaction.encounter, clean(value, LONGEST_NAME), excluding=who)
        after = renamed(after, clean(value, LONGEST_NAME) or combatant.name)
    transaction.put(sync_conditions(transaction.encounter, after))
    label = _stable(combatant.sheet, path)
    moved = _moved(
        transaction.encounter.game,
        label,
        type_meant(type(combatant.sheet), label),
        *(at_path(state.sheet, label) for state in (combatant, after)),
    )
    transaction.say(
        f"{possessive(combatant.name)} {clean(path_words(type(combatant.sheet), label))}: {moved}.",
        [who],
        exact=True,
        seen="gm" if name == "habits" else None,
    )


def _check_names(effects: EffectRules, before: Any, after: Any, path: NamePath) -> None:
    """Refuse an effect that names an attack or effect that the sheet lacks. Raises Wrong."""
    known = {str(wrong) for wrong in effects.loose_names(before)}
    for wrong in effects.loose_names(after):
        if wrong.field.startswith(f"{path[0]}[") and str(wrong) not in known:
            raise wrong.at(".".join(path))


def _moved(game: Ruleset, path: NamePath, kind: FieldType, old: object, new: object) -> str:
    """Return a value before and after in words."""
    is_health = path in [(meter.now,) for meter in game.meters[:1]]
    if is_health and type(old) is int and type(new) is int:
        return as_health(old, new)
    return before_and_after(value_words(kind, old), value_words(kind, new))


def _with_value(field: Field, old: Any, path: NamePath, read: Callable[[Field | FieldType, str], Any]) -> Any:
    """Return the new value of the whole field that contains the path."""
    label = ".".join(path)
    match field.type:
        case _ if len(path) == 1:
            return read(field, label)
        case TableOf(item):
            return {**old, path[1]: read(item, label)}
        case Entries(of) if len(path) == 2:
            entry = entry_called(old, path[1])
            made = read(EntryLine(of, path[1] if entry is None else entry.name), label)
            if entry is None and made is None:
                raise Wrong(label, "there is no such entry to remove")
            if entry is None:
                return (*old, made)
            return tuple(made if item is entry else item for item in old if made or item is not entry)
        case Entries(of):
            entry = entry_at(old, path[1])
            made = replace(entry, **{path[2]: read(fields_of(of)[path[2]], label)})
            for name, says in made.mistakes():
                raise Wrong(f"{path[0]}.{entry.name}.{name}", says)
            return tuple(made if item is entry else item for item in old)
    raise AssertionError(label)


def _stable(sheet: Any, path: NamePath) -> NamePath:
    """Return the path with the entry's number if the entry's name is being changed."""
    if len(path) < 3 or path[2] != "name":
        return path
    items = getattr(sheet, path[0])
    return (path[0], str(items.index(entry_at(items, path[1])) + 1), path[2])


def _typed(field: Field, value: str, label: str) -> Any:
    """Return the typed value; `none` for an optional field is None. Raises Wrong."""
    optional = field.default is None and not field.same_as and not field.derive
    if optional and value.casefold() in _NONE:
        return None
    if isinstance(field.type, Text) and not value.strip():
        raise Wrong(label, "expected a text, got nothing")
    return field.type.typed(value, label)
