"""Convert an encounter to and from plain data, as opening files and events hold it."""

from collections.abc import Hashable, Mapping
from functools import cache
from typing import Any, TypeVar, cast

from systems.contract.ruleset import PLAYERS, OrderStyle, Ruleset
from systems.encounter.model import ActiveCondition, Combatant, CombatantState, Encounter, Offer, Progress
from systems.errors import Wrong
from systems.schema.conversion import plain_of, read, write
from systems.schema.fields import fields_of, with_present_names
from systems.sheets import VERSION, changed, check_version, converted, read_sheet, version_mark
from systems.text import shown

T = TypeVar("T")


def plain_combatant(combatant: Combatant) -> dict[str, Any]:
    """Return a combatant as plain data, without state fields that hold their default."""
    found: dict[str, Any] = {"id": combatant.id, **without_defaults(combatant.state)}
    if combatant.conditions:
        found["conditions"] = plain_conditions(combatant)
    found["sheet"] = write(combatant.sheet)
    return found


def plain_conditions(combatant: Combatant) -> list[dict[str, Any]]:
    """Return the conditions of a combatant as plain data."""
    return [without_defaults(held) for held in combatant.conditions]


def without_defaults(value: Any) -> dict[str, Any]:
    """Return a declared value as plain data, without fields that hold their default."""
    usual = plain_defaults(type(value))
    return {name: held for name, held in write(value).items() if name not in usual or held != usual[name]}


def plain_defaults(cls: type) -> Mapping[str, Any]:
    """Return the defaults of a declared class as plain data, by field name."""
    return _plain_defaults(cast(Hashable, cls))


@cache
def _plain_defaults(cls: Any) -> Mapping[str, Any]:
    fields = fields_of(cls).values()
    return {field.name: plain_of(field.default) for field in fields if not field.needed}


def read_combatant(
    game: Ruleset, given: Mapping[str, Any], path: str = "", players: str = PLAYERS
) -> Combatant:
    """Read a combatant from plain data. `players`: the players' side. Raises Wrong with the field's path."""
    start = f"{path}." if path else ""
    rest = dict(given)
    name = rest.pop("id", None)
    if not isinstance(name, str) or not name or not name.isprintable():
        raise Wrong(f"{start}id", f"expected a word, got {shown(name)}")
    conditions = read_conditions(rest.pop("conditions", []), f"{start}conditions")
    values = rest.pop("sheet", {})
    sheet = read_sheet(game, values, f"{start}sheet")
    place = read(CombatantState, {"name": name, **rest}, path)
    # A file written by hand may leave out fields that follow from the side.
    known = game.join(sheet, place.side == players)
    absent = {field: value for field, value in known.items() if field not in values}
    return Combatant(name, place, changed(sheet, absent), conditions)


def with_present_sheet(game: Ruleset, document: Any) -> Any:
    """Return a combatant's plain data with the current names of its sheet's fields."""
    if not isinstance(document, dict) or not isinstance(document.get("sheet"), dict):
        return document
    return {**document, "sheet": dict(with_present_names(game.sheet, document["sheet"]))}


def plain(encounter: Encounter) -> dict[str, Any]:
    """Return the whole encounter as plain data, as an opening file holds it."""
    found = plain_progress(encounter)
    found.pop("ids", None)
    found |= version_mark(encounter.game)
    found["combatant"] = [plain_combatant(combatant) for combatant in encounter]
    return found


def plain_progress(encounter: Encounter) -> dict[str, Any]:
    """Return progress and offers as plain data."""
    found = without_defaults(encounter.progress)
    if encounter.offers:
        found["offers"] = plain_offers(encounter)
    return found


def plain_offers(encounter: Encounter) -> list[dict[str, Any]]:
    """Return the offers as plain data."""
    return [without_defaults(offer) for offer in encounter.offers]


def read_encounter(
    game: Ruleset,
    house: Any,
    style: OrderStyle | None,
    given: Mapping[str, Any],
    players: str = PLAYERS,
) -> Encounter:
    """Read an encounter from plain data. Raises Wrong with the field's path."""
    # Reopening a fight does not pay for this import.
    from systems.encounter.tags import tagged

    rest = {name: value for name, value in given.items() if name not in ("format", VERSION)}
    version = check_version(game, given.get(VERSION, 1))
    listed = rest.pop("combatant", [])
    offers = read_offers(rest.pop("offers", []))
    if not isinstance(listed, list):
        raise Wrong("combatant", f"expected a list of combatants, got {shown(listed)}")
    everybody: dict[str, Combatant] = {}
    for at, document in enumerate(listed):
        if not isinstance(document, Mapping):
            raise Wrong(f"combatant[{at}]", f"expected a table of fields, got {shown(document)}")
        present = document
        if version != game.version:
            present = {**document, "sheet": converted(game, version, document.get("sheet", {}))}
        found = read_combatant(game, present, f"combatant[{at}]", players)
        if found.id in everybody:
            raise Wrong(f"combatant[{at}].id", f"{shown(found.id)} is used twice")
        everybody[found.id] = tagged(found, everybody.values())
    progress = read(Progress, {**rest, "ids": list(everybody)})
    return checked(Encounter(game, house, style or game.order(house), progress, everybody, offers, players))


def read_offers(given: Any) -> tuple[Offer, ...]:
    """Read offers from plain data. Raises Wrong with the field's path."""
    return _read_list(Offer, given, "offers")


def read_conditions(given: Any, path: str) -> tuple[ActiveCondition, ...]:
    """Read conditions from plain data. Raises Wrong with the field's path."""
    return _read_list(ActiveCondition, given, path)


def _read_list(cls: type[T], given: Any, path: str) -> tuple[T, ...]:
    if not isinstance(given, list | tuple):
        raise Wrong(path, f"expected a list, got {shown(given)}")
    return tuple(read(cls, part, f"{path}[{at}]") for at, part in enumerate(given))


def checked(encounter: Encounter) -> Encounter:
    """Return the encounter unchanged. Raises Wrong if it names an unknown id, or names one twice."""
    progress, combatants = encounter.progress, encounter.combatants
    if len(progress.ids) != len(combatants) or not combatants.keys() >= {*progress.ids}:
        raise Wrong("ids", "the ids are not those of the combatants")
    if len({*progress.order}) != len(progress.order):
        raise Wrong("order", "a combatant is listed twice")
    named = {"order": progress.order, "turn": (progress.turn,), "interrupted": (progress.interrupted,)}
    for field, ids in named.items():
        for who in ids:
            if who is not None and who not in combatants:
                raise Wrong(field, f"no combatant has the id {shown(who)}")
    return encounter
