"""Convert an encounter to and from plain data, as opening files and events hold it.

Only the combatants and fields that a change touches are converted to plain data and read back. So the cost of
a command depends on its changes, not on the number of combatants.
"""

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from systems.contract.ruleset import PLAYERS, OrderStyle, Ruleset
from systems.encounter.model import ActiveCondition, Combatant, CombatantState, Encounter, Offer, Progress
from systems.errors import Wrong
from systems.frozen import evolve
from systems.schema.conversion import plain_defaults, plain_of, read, replace, without_defaults, write
from systems.schema.fields import fields_of, former_names, with_present_names
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


def plain_offers(encounter: Encounter) -> list[Mapping[str, Any]]:
    """Return the offers as plain data."""
    return [offer.plain for offer in encounter.offers]


def read_encounter(
    game: Ruleset,
    house: Any,
    style: OrderStyle | None,
    given: Mapping[str, Any],
    players: str = PLAYERS,
) -> Encounter:
    """Read an encounter from plain data. Raises Wrong with the field's path."""
    # Reopening a fight does not pay for this import.
    from systems.encounter.tags import read_numbers

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
        each = read_combatant(game, present, f"combatant[{at}]", players)
        if each.id in everybody:
            raise Wrong(f"combatant[{at}].id", f"{shown(each.id)} is used twice")
        everybody[each.id] = each
    progress = read(Progress, {**rest, "ids": list(everybody)})
    found = Encounter(game, house, style or game.order(house), progress, everybody, offers, players)
    return checked(read_numbers(found))


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


PlainPart = dict[str, Any]


def plain_part(encounter: Encounter, who: str) -> PlainPart | None:
    """Return a combatant, or for "" the progress, as plain data. Return None for an unknown id."""
    if who == "":
        return plain_progress(encounter)
    combatant = encounter.combatants.get(who)
    return plain_combatant(combatant) if combatant else None


class Documents:
    """The touched parts of an encounter as plain data. `put` applies a change, `encounter` reads all of them.

    A part is held whole or by its touched fields. `_whole` holds whole parts, with None for an absent
    combatant. `_fields` holds touched fields of a combatant's state and its conditions, `_sheets` those of
    its sheet, `_progress` those of the progress and the offers. There, None marks a field that was removed.
    """

    def __init__(self, start: Encounter) -> None:
        self._start = start
        self._whole: dict[str, PlainPart | None] = {}
        self._fields: dict[str, PlainPart] = {}
        self._sheets: dict[str, PlainPart] = {}
        self._progress: PlainPart = {}

    def put(self, who: str, path: Sequence[str], after: Any) -> None:
        """Set a field, or remove it if `after` is None.

        An empty path replaces the whole part. Raises Wrong.
        """
        if isinstance(after, dict | list):
            after = _copied(after)
        if not path:
            self.put_whole(who, after)
            return
        table, names = self._table(who, self._present_names(path))
        *inner, last = names
        try:
            for name in inner:
                if table.get(name) is None:
                    table[name] = {}
                table = table[name]
            if after is None and (inner or who in self._whole):
                table.pop(last, None)
            else:
                table[last] = after
        except (AttributeError, TypeError):
            raise Wrong(f"{who}.{'.'.join(path)}", "cannot be changed: no such field") from None

    def put_whole(self, who: str, part: PlainPart | None) -> None:
        """Replace a whole part, or remove it if `part` is None.

        Later changes of its fields modify this table.
        """
        self._whole[who] = with_present_sheet(self._start.game, part)
        self._fields.pop(who, None)
        self._sheets.pop(who, None)
        if who == "":
            self._progress = {}

    def _present_names(self, path: Sequence[str]) -> Sequence[str]:
        """Return the path with the current name of a renamed sheet field."""
        former = former_names(self._start.game.sheet)
        if former and len(path) > 1 and path[0] == "sheet" and path[1] in former:
            return (path[0], former[path[1]], *path[2:])
        return path

    def _table(self, who: str, path: Sequence[str]) -> tuple[Any, Sequence[str]]:
        """Return the table that contains a path's end, and the rest of the path."""
        combatant, top = self._start.combatants.get(who), path[0]
        in_progress = who == "" and len(path) == 1 and (top == "offers" or top in fields_of(Progress))
        if in_progress and who not in self._whole:
            return self._progress, path
        if who not in self._whole and combatant is not None:
            if top == "sheet" and len(path) > 1 and path[1] in fields_of(type(combatant.sheet)):
                values = self._sheets.setdefault(who, {})
                if len(path) > 2 and path[1] not in values:
                    values[path[1]] = plain_of(getattr(combatant.sheet, path[1]))
                return values, path[1:]
            if top == "conditions" or top in fields_of(CombatantState):
                fields = self._fields.setdefault(who, {})
                if len(path) > 1 and top not in fields:
                    fields[top] = _plain_field(combatant, top)
                return fields, path
        if who not in self._whole:
            self._whole[who] = self._overlaid(who)
        return self._whole[who], path

    def _overlaid(self, who: str) -> PlainPart | None:
        """Return a whole part with its touched fields applied."""
        found = plain_part(self._start, who)
        if found is not None:
            _overlay(found, self._fields.pop(who, {}))
            _overlay(found.get("sheet", {}), self._sheets.pop(who, {}))
        if found is not None and who == "":
            _overlay(found, self._progress)
            self._progress = {}
        return found

    def encounter(self) -> Encounter:
        """Return the encounter with all changes applied. Raises Wrong if the parts do not fit together."""
        start = self._start
        found = dict(start.combatants)
        progress, offers = self._touched_progress()
        for who in dict.fromkeys((*self._fields, *self._sheets)):
            combatant = self._with_touched(found[who])
            if combatant is None:  # a default depends on other fields: the combatant has to be read whole
                self._whole[who] = self._overlaid(who)
            else:
                found[who] = combatant
        for who, document in self._whole.items():
            if who == "":
                rest = dict(document or {})
                offers = read_offers(rest.pop("offers", []))
                progress = read(Progress, rest)
            elif document is None:
                found.pop(who, None)
            else:
                found[who] = read_combatant(start.game, document, who, start.players)
        return checked(evolve(start, progress=progress, offers=offers, combatants=found))

    def _touched_progress(self) -> tuple[Progress, tuple[Offer, ...]]:
        """Return the progress and the offers with their touched fields applied."""
        progress, offers, fields = self._start.progress, self._start.offers, dict(self._progress)
        if "offers" in fields:
            offers = read_offers(fields.pop("offers") or [])
        return replace(progress, **_checked(Progress, fields, "")) if fields else progress, offers

    def _with_touched(self, combatant: Combatant) -> Combatant | None:
        """Return a combatant with its touched fields applied, or None if it has to be read whole."""
        who = combatant.id
        values, fields = self._sheets.get(who, {}), dict(self._fields.get(who, {}))
        if None in values.values() or fields.get("name", "") is None:
            return None
        known = fields_of(type(combatant.sheet))
        sheet = {name: known[name].type.check(value, f"{who}.sheet.{name}") for name, value in values.items()}
        conditions = combatant.conditions
        if "conditions" in fields:
            conditions = read_conditions(fields.pop("conditions") or [], f"{who}.conditions")
        state = _checked(CombatantState, fields, f"{who}.")
        return Combatant(
            who,
            replace(combatant.state, **state) if state else combatant.state,
            evolve(combatant.sheet, **sheet) if sheet else combatant.sheet,
            conditions,
        )


def _checked(cls: type, fields: Mapping[str, Any], place: str) -> PlainPart:
    """Return touched fields of a declared class as checked values, with the default for None.

    Raises Wrong.
    """
    declared = fields_of(cls)
    return {
        name: declared[name].default if value is None else declared[name].type.check(value, f"{place}{name}")
        for name, value in fields.items()
    }


def _copied(part: Any) -> Any:
    """Return a copy of plain data; `deepcopy` takes five times as long."""
    if isinstance(part, dict):
        return {name: _copied(inner) for name, inner in part.items()}
    return [_copied(inner) for inner in part] if isinstance(part, list) else part


def _plain_field(combatant: Combatant, name: str) -> Any:
    """Return a combatant's conditions or one state field as plain data, or None for the default."""
    if name == "conditions":
        return plain_conditions(combatant) or None
    value = plain_of(getattr(combatant.state, name))
    return None if value == plain_defaults(CombatantState).get(name) else value


def _overlay(document: PlainPart, touched: Mapping[str, Any]) -> None:
    """Copy touched fields into a document. None removes a field."""
    for name, value in touched.items():
        if value is None:
            document.pop(name, None)
        else:
            document[name] = value
