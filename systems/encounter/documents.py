"""An encounter's parts as plain data while changes are applied.

Only the combatants and fields that a change touches are turned into plain data, and only these are read
back: a command costs what it changes, however many are in the fight.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from systems.encounter.model import ActiveCondition, Combatant, CombatantState, Encounter, Offer, Progress
from systems.encounter.serialize import (
    checked,
    plain_combatant,
    plain_conditions,
    plain_defaults,
    plain_progress,
    read_combatant,
    read_offers,
    with_present_sheet,
)
from systems.errors import Wrong
from systems.schema.conversion import plain_of, read, replace
from systems.schema.fields import fields_of, former_names

Plain = dict[str, Any]


def plain_part(encounter: Encounter, who: str) -> Plain | None:
    """Return a combatant, or for "" the progress, as plain data; None for an id that is not there."""
    if who == "":
        return plain_progress(encounter)
    combatant = encounter.combatants.get(who)
    return plain_combatant(combatant) if combatant else None


class Documents:
    """The touched parts of an encounter as plain data. `put` applies a change, `encounter` reads it back.

    A part is whole (in `_whole`, None for somebody who is not there), or known by its touched fields:
    `_fields` holds those of a combatant's state and its conditions, `_sheets` those of its sheet, `_course`
    those of the progress and the offers. A field that is touched and absent is held as None there.
    """

    def __init__(self, start: Encounter) -> None:
        self._start = start
        self._whole: dict[str, Plain | None] = {}
        self._fields: dict[str, Plain] = {}
        self._sheets: dict[str, Plain] = {}
        self._course: Plain = {}

    def put(self, who: str, path: Sequence[str], after: Any) -> None:
        """Set a field, None for absent; the empty path replaces the whole part. Raises Wrong."""
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
            raise Wrong(f"{who}.{'.'.join(path)}", "a change of what is not there") from None

    def put_whole(self, who: str, part: Plain | None) -> None:
        """Replace a whole part, None for nobody. Later changes of its fields change this very table."""
        self._whole[who] = with_present_sheet(self._start.game, part)
        self._fields.pop(who, None)
        self._sheets.pop(who, None)
        if who == "":
            self._course = {}

    def _present_names(self, path: Sequence[str]) -> Sequence[str]:
        """Return the path with the present name of a sheet field that was renamed."""
        former = former_names(self._start.game.sheet)
        if former and len(path) > 1 and path[0] == "sheet" and path[1] in former:
            return (path[0], former[path[1]], *path[2:])
        return path

    def _table(self, who: str, path: Sequence[str]) -> tuple[Any, Sequence[str]]:
        """Return the table that contains a path's end, and the rest of the path."""
        combatant, top = self._start.combatants.get(who), path[0]
        in_course = who == "" and len(path) == 1 and (top == "offers" or top in fields_of(Progress))
        if in_course and who not in self._whole:
            return self._course, path
        if who not in self._whole and combatant is not None:
            if top == "sheet" and len(path) > 1 and path[1] in fields_of(type(combatant.sheet)):
                figures = self._sheets.setdefault(who, {})
                if len(path) > 2 and path[1] not in figures:
                    figures[path[1]] = plain_of(getattr(combatant.sheet, path[1]))
                return figures, path[1:]
            if top == "conditions" or top in fields_of(CombatantState):
                fields = self._fields.setdefault(who, {})
                if len(path) > 1 and top not in fields:
                    fields[top] = _plain_field(combatant, top)
                return fields, path
        if who not in self._whole:
            self._whole[who] = self._overlaid(who)
        return self._whole[who], path

    def _overlaid(self, who: str) -> Plain | None:
        """Return a whole part with its touched fields."""
        found = plain_part(self._start, who)
        if found is not None:
            _overlay(found, self._fields.pop(who, {}))
            _overlay(found.get("sheet", {}), self._sheets.pop(who, {}))
        if found is not None and who == "":
            _overlay(found, self._course)
            self._course = {}
        return found

    def encounter(self) -> Encounter:
        """Return the encounter with all changes. Raises Wrong when the parts do not fit together."""
        start = self._start
        found = dict(start.combatants)
        progress, offers = self._touched_course()
        for who in dict.fromkeys((*self._fields, *self._sheets)):
            combatant = self._with_touched(found[who])
            if combatant is None:  # a default that hangs on other fields: the whole has to be read
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
        return checked(attrs.evolve(start, progress=progress, offers=offers, combatants=found))

    def _touched_course(self) -> tuple[Progress, tuple[Offer, ...]]:
        """Return the progress and the offers with their touched fields read."""
        progress, offers, fields = self._start.progress, self._start.offers, dict(self._course)
        if "offers" in fields:
            offers = read_offers(fields.pop("offers") or [])
        return replace(progress, **_checked(Progress, fields, "")) if fields else progress, offers

    def _with_touched(self, combatant: Combatant) -> Combatant | None:
        """Return a combatant with its touched fields read; None if it has to be read as a whole."""
        who = combatant.id
        figures, fields = self._sheets.get(who, {}), dict(self._fields.get(who, {}))
        if None in figures.values() or fields.get("name", "") is None:
            return None
        known = fields_of(type(combatant.sheet))
        sheet = {
            name: known[name].type.check(value, f"{who}.sheet.{name}") for name, value in figures.items()
        }
        conditions = combatant.conditions
        if "conditions" in fields:
            conditions = _read_conditions(fields.pop("conditions"), f"{who}.conditions")
        state = _checked(CombatantState, fields, f"{who}.")
        return Combatant(
            who,
            replace(combatant.state, **state) if state else combatant.state,
            attrs.evolve(combatant.sheet, **sheet) if sheet else combatant.sheet,
            conditions,
        )


def _checked(cls: type, fields: Mapping[str, Any], place: str) -> Plain:
    """Return touched fields of a declared class as values: what is absent is its default. Raises Wrong."""
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
    """Return a combatant's conditions or one state field as plain data; None where it is the default."""
    if name == "conditions":
        return plain_conditions(combatant) or None
    value = plain_of(getattr(combatant.state, name))
    return None if value == plain_defaults(CombatantState).get(name) else value


def _read_conditions(given: Any, path: str) -> tuple[ActiveCondition, ...]:
    return tuple(read(ActiveCondition, held, f"{path}[{at}]") for at, held in enumerate(given or ()))


def _overlay(document: Plain, touched: Mapping[str, Any]) -> None:
    """Copy touched fields into a document; None removes a field."""
    for name, value in touched.items():
        if value is None:
            document.pop(name, None)
        else:
            document[name] = value
