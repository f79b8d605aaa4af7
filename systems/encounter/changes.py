"""The difference between two encounters as a list of changes that can be applied and reversed.

`diff` finds changes, `patch` applies them and `reverse` reverses
them. `apply` applies one event to an encounter, `apply_all` many.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from systems.contract.ruleset import PLAYERS, OrderStyle, Ruleset
from systems.encounter.events import Change as Change
from systems.encounter.events import Event
from systems.encounter.model import Combatant, Encounter, Progress
from systems.encounter.serialize import (
    Documents,
    plain_combatant,
    plain_conditions,
    plain_offers,
    plain_part,
    read_encounter,
)
from systems.errors import Wrong
from systems.schema.conversion import plain_defaults, plain_of
from systems.schema.fields import fields_of
from systems.text import json


def reverse(changes: Iterable[Change]) -> tuple[Change, ...]:
    """Return the changes that undo these, in reverse order."""
    return tuple(
        Change(change.who, change.field, change.after, change.before) for change in reversed(tuple(changes))
    )


def diff(before: Encounter, after: Encounter) -> tuple[Change, ...]:
    """Return the changes from one encounter to the other. Parts that are the same object are not compared."""
    found: list[Change] = []
    found += differences("", (), _progress_where(before, after), _progress_where(after, before))
    same = before.progress.ids is after.progress.ids
    for who in before.progress.ids if same else dict.fromkeys((*before.progress.ids, *after.progress.ids)):
        old, new = before.combatants.get(who), after.combatants.get(who)
        if old is new:
            continue
        if old is None or new is None:
            whole_old = plain_combatant(old) if old else None
            found.append(Change(who, "", whole_old, plain_combatant(new) if new else None))
        else:
            found += differences(who, (), _plain_where(old, new), _plain_where(new, old))
    return tuple(found)


def _progress_where(encounter: Encounter, other: Encounter) -> dict[str, Any]:
    """Return progress and offers as plain data, except the parts that `other` has, too."""
    found = _fields_where(encounter.progress, other.progress, plain_defaults(Progress))
    if encounter.offers and encounter.offers != other.offers:
        found["offers"] = plain_offers(encounter)
    return found


def _plain_where(combatant: Combatant, other: Combatant) -> dict[str, Any]:
    """Return a combatant as plain data, except the fields that are the same object in `other`."""
    found = _fields_where(combatant.state, other.state, plain_defaults(type(combatant.state)))
    if combatant.conditions and combatant.conditions is not other.conditions:
        found["conditions"] = plain_conditions(combatant)
    if combatant.sheet is not other.sheet:
        found["sheet"] = _fields_where(combatant.sheet, other.sheet, {})
    return found


def _fields_where(value: Any, other: Any, defaults: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a declared value that are another object in `other`, as plain data."""
    if value is other:
        return {}
    found = {}
    for name in fields_of(type(value)):
        held = getattr(value, name)
        if held is not getattr(other, name) and held is not None:
            plain = plain_of(held)
            if name not in defaults or plain != defaults[name]:
                found[name] = plain
    return found


def differences(who: str, path: tuple[str, ...], old: Any, new: Any) -> Iterator[Change]:
    """Yield a change for each of the deepest fields that differ between two tables.

    A list counts as one value.
    """
    for name in dict.fromkeys((*old, *new)):
        before, after = old.get(name), new.get(name)
        if before == after and type(before) is type(after):
            continue
        if isinstance(before, dict) and isinstance(after, dict):
            yield from differences(who, (*path, name), before, after)
        else:
            yield Change(who, joined((*path, name)), before, after)


def joined(path: Iterable[str]) -> str:
    """Return a path as text: `sheet.abilities.melee`. Names with special characters are quoted."""
    return ".".join(
        name if name.replace("_", "a").replace("-", "a").isalnum() else json().dumps(name) for name in path
    )


@lru_cache(maxsize=4096)
def split(field: str) -> tuple[str, ...]:
    """Return the names in a path. Raises Wrong if a quoted name is not closed."""
    names: list[str] = []
    rest = field
    while rest:
        if rest.startswith('"'):
            try:
                name, end = json().JSONDecoder().raw_decode(rest)
            except ValueError:
                raise Wrong(field, "a quoted name in this path is not closed") from None
        else:
            end = rest.find(".") if "." in rest else len(rest)
            name = rest[:end]
        names.append(str(name))
        rest = rest[end + 1 :]
    return tuple(names)


def patch(encounter: Encounter, changes: Iterable[Change]) -> Encounter:
    """Return the encounter with the changes applied. Raises Wrong if they do not fit."""
    documents = Documents(encounter)
    for change in changes:
        documents.put(change.who, split(change.field), change.after)
    return documents.encounter()


def value_at(encounter: Encounter, who: str, field: str) -> Any:
    """Return the current value of a field as plain data, or None if it is absent."""
    found: Any = plain_part(encounter, who)
    for name in split(field):
        if not isinstance(found, dict):
            return None
        found = found.get(name)
    return found


def apply(encounter: Encounter, event: Event) -> Encounter:
    """Return the encounter after an event. Live play and reopening both use this.

    Raises Wrong if the event does not fit.
    """
    return patch(encounter, event.changes)


def replay(
    game: Ruleset,
    house: Any,
    style: OrderStyle | None,
    opening: Mapping[str, Any],
    events: Iterable[Event],
    players: str = PLAYERS,
) -> Encounter:
    """Return the opening with the changes of all events applied. Raises Wrong if they do not fit."""
    return apply_all(read_encounter(game, house, style, opening, players), events)


def apply_all(start: Encounter, events: Iterable[Event]) -> Encounter:
    """Return an encounter with the changes of many events applied. Plain data is read back only once.

    Raises Wrong if the result is invalid.
    """
    return patch(start, (change for event in events for change in event.changes))


def taken_back(present: Encounter, events: Iterable[Event]) -> Encounter:
    """Return an encounter before its newest events. `events`: these events, newest first."""
    documents = Documents(present)
    for event in events:
        for change in reversed(event.changes):
            documents.put(change.who, split(change.field), change.before)
    return documents.encounter()


def to_parts(encounter: Encounter) -> dict[str, dict[str, Any] | None]:
    """Return the encounter as plain data: progress under "", combatants under their ids."""
    return {who: plain_part(encounter, who) for who in ("", *encounter.progress.ids)}


def from_parts(
    game: Ruleset,
    house: Any,
    style: OrderStyle,
    parts: Mapping[str, dict[str, Any] | None],
    players: str = PLAYERS,
) -> Encounter:
    """Return the encounter made of these parts. Raises Wrong if they are invalid."""
    documents = Documents(Encounter(game, house, style, players=players))
    for who, part in parts.items():
        documents.put_whole(who, part)
    return documents.encounter()
