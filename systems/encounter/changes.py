"""What changed: the difference of two encounters, as a list that can be applied and taken back.

A change is `{who, field, before, after}`. `diff` finds them, `patch` applies them, `reverse` turns
them round, `fold` brings an opening and its events to the present.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from functools import lru_cache
from typing import Any

import attrs

from systems.contract.ruleset import OrderStyle, Ruleset
from systems.encounter.model import (
    Combatant,
    Encounter,
    Offer,
    Progress,
    checked,
    plain_combatant,
    plain_progress,
    read_combatant,
    read_encounter,
)
from systems.errors import Wrong
from systems.frozen import frozen
from systems.schema.conversion import plain_of, read
from systems.schema.fields import fields_of


@frozen
class Change:
    """One field that changed: `who` is an id, or "" for the encounter; None stands for absent."""

    who: str
    field: str
    before: Any = None
    after: Any = None

    def plain(self) -> dict[str, Any]:
        found = {"who": self.who, "field": self.field, "before": self.before, "after": self.after}
        return {name: value for name, value in found.items() if value is not None}


def read_change(given: Mapping[str, Any]) -> Change:
    """A change from plain data."""
    return Change(given.get("who", ""), given.get("field", ""), given.get("before"), given.get("after"))


def reverse(changes: Iterable[Change]) -> tuple[Change, ...]:
    """What takes the changes back."""
    return tuple(Change(one.who, one.field, one.after, one.before) for one in reversed(tuple(changes)))


def diff(before: Encounter, after: Encounter) -> tuple[Change, ...]:
    """What has to change to come from one encounter to the other; what is the same object costs nothing."""
    found: list[Change] = []
    if before.progress != after.progress or before.offers != after.offers:
        found += _differences("", (), plain_progress(before), plain_progress(after))
    same = before.progress.ids is after.progress.ids
    for one in before.progress.ids if same else dict.fromkeys((*before.progress.ids, *after.progress.ids)):
        old, new = before.combatants.get(one), after.combatants.get(one)
        if old is new:
            continue
        if old is None or new is None:
            whole_old = plain_combatant(old) if old else None
            found.append(Change(one, "", whole_old, plain_combatant(new) if new else None))
        else:
            found += _differences(one, (), *_plain_both(old, new))
    return tuple(found)


def _plain_both(old: Combatant, new: Combatant) -> tuple[dict[str, Any], dict[str, Any]]:
    """Two states of a combatant as plain data, without the fields of its sheet that are the same object."""
    names = fields_of(type(old.sheet))
    pairs = [(name, getattr(old.sheet, name), getattr(new.sheet, name)) for name in names]
    apart = [(name, before, after) for name, before, after in pairs if before is not after]
    return (
        plain_combatant(old, {name: plain_of(before) for name, before, _ in apart if before is not None}),
        plain_combatant(new, {name: plain_of(after) for name, _, after in apart if after is not None}),
    )


def _differences(who: str, path: tuple[str, ...], old: Any, new: Any) -> Iterator[Change]:
    """The deepest fields of two tables that are not equal; lists are one value."""
    for name in dict.fromkeys((*old, *new)):
        one, other = old.get(name), new.get(name)
        if one == other and type(one) is type(other):
            continue
        if isinstance(one, dict) and isinstance(other, dict):
            yield from _differences(who, (*path, name), one, other)
        else:
            yield Change(who, joined((*path, name)), one, other)


def joined(path: Iterable[str]) -> str:
    """A path as text: `sheet.abilities.melee`; names that are not plain words are quoted."""
    return ".".join(
        name if name.replace("_", "a").replace("-", "a").isalnum() else json.dumps(name) for name in path
    )


@lru_cache(maxsize=4096)
def split(field: str) -> tuple[str, ...]:
    """The names of a path. Raises Wrong when a quoted name is not closed."""
    names: list[str] = []
    rest = field
    while rest:
        if rest.startswith('"'):
            try:
                name, end = json.JSONDecoder().raw_decode(rest)
            except ValueError:
                raise Wrong(field, "a quoted name in this path is not closed") from None
        else:
            end = rest.find(".") if "." in rest else len(rest)
            name = rest[:end]
        names.append(str(name))
        rest = rest[end + 1 :]
    return tuple(names)


def patch(encounter: Encounter, changes: Iterable[Change]) -> Encounter:
    """The encounter with the changes applied. Raises Wrong when they do not fit."""
    documents: dict[str, dict[str, Any] | None] = {}
    for change in changes:
        _apply(encounter, documents, change.who, change.field, change.after)
    return _with_documents(encounter, documents)


def _apply(
    encounter: Encounter, documents: dict[str, dict[str, Any] | None], who: str, field: str, after: Any
) -> None:
    """One change applied to the document of whom it is about, which is made when it is wanted."""
    if who not in documents:
        documents[who] = _plain_part(encounter, who)
    if isinstance(after, (dict, list)):
        after = deepcopy(after)
    if field == "":
        documents[who] = after
        return
    *path, last = split(field)
    inner: Any = documents[who]
    try:
        for name in path:
            inner = inner.setdefault(name, {})
        if after is None:
            inner.pop(last, None)
        else:
            inner[last] = after
    except (AttributeError, TypeError):
        raise Wrong(f"{who}.{field}", "a change of what is not there") from None


def _with_documents(encounter: Encounter, documents: Mapping[str, dict[str, Any] | None]) -> Encounter:
    """The encounter with some of its parts read anew. Raises Wrong when they do not fit together."""
    found = dict(encounter.combatants)
    progress, offers = encounter.progress, encounter.offers
    for who, document in documents.items():
        if who == "":
            progress, offers = _read_progress(document)
        elif document is None:
            found.pop(who, None)
        else:
            found[who] = read_combatant(encounter.game, document, who)
    return checked(attrs.evolve(encounter, progress=progress, offers=offers, combatants=found))


def _plain_part(encounter: Encounter, who: str) -> dict[str, Any] | None:
    if who == "":
        return plain_progress(encounter)
    one = encounter.combatants.get(who)
    return plain_combatant(one) if one else None


def value_at(encounter: Encounter, who: str, field: str) -> Any:
    """What stands in a field now, as plain data; None where nothing does."""
    found: Any = _plain_part(encounter, who)
    for name in split(field):
        if not isinstance(found, dict):
            return None
        found = found.get(name)
    return found


def fold(
    game: Ruleset,
    house: Any,
    style: OrderStyle | None,
    opening: Mapping[str, Any],
    events: Iterable[Mapping[str, Any]],
) -> Encounter:
    """The present: the opening with the changes of all events. Raises Wrong when it cannot be."""
    return folded(read_encounter(game, house, style, opening), events)


def folded(start: Encounter, events: Iterable[Mapping[str, Any]]) -> Encounter:
    """An encounter with the changes of all events since, folded as plain data and read once.

    Raises Wrong when what comes of it cannot be.
    """
    documents: dict[str, dict[str, Any] | None] = {}
    for event in events:
        try:
            for given in event.get("changes", ()):
                who, field = given.get("who", ""), given.get("field", "")
                _apply(start, documents, who, field, given.get("after"))
        except (AttributeError, TypeError):
            raise Wrong("changes", f"those of event {event.get('n')} are not understood") from None
    return _with_documents(start, documents)


def parts_of(encounter: Encounter) -> dict[str, dict[str, Any] | None]:
    """The whole encounter as plain data: where it stands, under "", and everybody under their ids."""
    return {who: _plain_part(encounter, who) for who in ("", *encounter.progress.ids)}


def of_parts(
    game: Ruleset, house: Any, style: OrderStyle, parts: Mapping[str, dict[str, Any] | None]
) -> Encounter:
    """The encounter of which these are the parts. Raises Wrong when they cannot be."""
    return _with_documents(Encounter(game, house, style), parts)


def _read_progress(document: Mapping[str, Any] | None) -> tuple[Progress, tuple[Offer, ...]]:
    rest = dict(document or {})
    offers = tuple(read(Offer, each, f"offers[{at}]") for at, each in enumerate(rest.pop("offers", [])))
    return read(Progress, rest), offers
