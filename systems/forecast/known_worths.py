"""Worths of moves that are worked out once, and found again while all that they depend on is equal.

While a worth is worked out, the sheets of actor and target record which of their fields are read. The next
time, only these fields are compared, so a wound of the attacker matters only if its attack depends on it. The
conditions of both that change something count as well, and what the action read about the fight. If the
points that the target has left change nothing but how soon it falls, one calculation serves all of them.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Any, cast

from systems.commands.fights import NOBODY, all_ready, fight_of, known_interrupts
from systems.contract.fight import Person, Read
from systems.contract.policy import Move
from systems.encounter.model import Combatant, Encounter
from systems.forecast.branches import felt
from systems.forecast.moves import policy_of
from systems.forecast.points import MANY_POINTS, drained_field
from systems.forecast.worth import AnyPoints, Worth, any_points_and_reads, worth_and_reads
from systems.frozen import asdict, frozen
from systems.schema.conversion import hashable
from systems.schema.fields import fields_of
from systems.schema.types import Choice, Flag, Text, Whole

# With more worths or values than this, all are forgotten.
MOST_KNOWN = 200_000
MOST_LATEST = 4_000
# The two sheets that a worth depends on, as indexes.
_OWN, _OTHER = 0, 1
# Health is rounded only if each part has at least this number of points.
_MANY = 2
# Of its own health, an attack at most asks whether half is lost.
_OWN_PARTS = 2
# Values worked out about a sheet, which count apart from its fields.
_KNOWN = ("known_status", "known_interrupts")
_PLAIN = frozenset((int, str, bool, type(None)))
_PLAIN_TYPES = (Whole, Flag, Text, Choice)
# A value read about the fight, with the roles of actor and target in place of their ids, and the result.
_Seen = tuple[tuple[str, ...], Hashable]


# The worths for equal sheets, by the values read about the fight.
# First the interrupts for which nobody was ready.
_Worths = list[tuple[frozenset[str], tuple[_Seen, ...], Worth | AnyPoints | None]]


class _ReadFields:
    """Fields of a sheet that were read together, with a number for each combination of their values."""

    __slots__ = ("_get_entries", "_get_plain", "_numbers")

    def __init__(self, fields: Mapping[str, bool]) -> None:
        """Remember fields: whether the values of each are numbers, words or yes and no."""
        self._get_plain = _getter([name for name, is_plain in fields.items() if is_plain])
        self._get_entries = _tuple_getter([name for name, is_plain in fields.items() if not is_plain])
        self._numbers: dict[Hashable, int] = {}

    def number(self, sheet: Any, values: "_Values") -> int:
        """Return the number of the values in this sheet."""
        return self._numbers.setdefault(self.key(sheet, values), len(self._numbers))

    def key(self, sheet: Any, values: "_Values") -> Hashable:
        """Return a key of the values in this sheet."""
        return self._get_plain(sheet), tuple(map(values.of, self._get_entries(sheet)))


@frozen(eq=False)
class _Readings:
    """The worths for which the same fields were read, by the numbers of their values in both sheets."""

    fields: frozenset[tuple[int, str]]
    own: _ReadFields
    other: _ReadFields
    worths: dict[tuple[int, int], _Worths]


class _CountedSheet:
    """A sheet with these conditions as it is counted: with its health rounded, without what changes no worth.

    `place`, `drained_place`: keys of its status, and of the part of it that counts if the points do not.
    `drained`: see Policy. `numbers`: of its values, by the fields.
    """

    __slots__ = ("conditions", "drained", "drained_place", "numbers", "place", "sheet")

    def __init__(self, encounter: Encounter, counted: Combatant) -> None:
        self.sheet: Any = counted.sheet
        # They are kept, so that their id is not used again.
        self.conditions = counted.conditions
        status = encounter.status(counted)
        self.drained = policy_of(encounter.game).drained(self.sheet, encounter.house)
        self.place, self.drained_place = status.name, (self.drained, status.acts, status.in_order)
        self.numbers: dict[_ReadFields, int] = {}

    def number(self, fields: _ReadFields, values: "_Values") -> int:
        """Return the number of the values that these fields have."""
        known = self.numbers.get(fields)
        if known is None:
            known = self.numbers[fields] = fields.number(self.sheet, values)
        return known

    def of_now(self, combatant: Combatant) -> Combatant:
        """Return this combatant with the counted sheet."""
        if self.sheet is combatant.sheet:
            return combatant
        return Combatant(combatant.id, combatant.state, self.sheet, combatant.conditions)


def _tuple_getter(names: Sequence[str]) -> Callable[[Any], tuple[Any, ...]]:
    if len(names) > 1:
        return attrgetter(*names)
    return lambda sheet: tuple(getattr(sheet, name) for name in names)


def _getter(names: Sequence[str]) -> Callable[[Any], Hashable]:
    return attrgetter(*names) if names else lambda sheet: None


class KnownWorths:
    """Returns the worth of a move, worked out only once for equal cases. For one game and its house rules.

    `parts`: the health of the target is rounded up to a multiple of a part of it, this many parts in all,
    and that of the actor to halves. So more cases are equal. 0: both stay exact.
    """

    def __init__(self, parts: int = 0) -> None:
        self._parts = parts
        self._values, self._reading = _Values(), _WatchedSheets()
        self._readings: dict[Hashable, list[_Readings]] = {}
        self._fields: dict[Hashable, _ReadFields] = {}
        # The worths known for two counted sheets, which are kept, so that no id is used again.
        self._latest: dict[Hashable, tuple[_CountedSheet, _CountedSheet, list[_Worths]]] = {}
        self._count = 0
        # By the identity of sheet and conditions, which are kept, so that no id is used again.
        self._counted: dict[tuple[int, int, int], tuple[_CountedSheet, Any, Any]] = {}
        # By all values of the sheet: equal sheets share their worths at once.
        self._alike: dict[tuple[type, Hashable, int], _CountedSheet] = {}
        self._all_fields: dict[type, _ReadFields] = {}

    def __call__(self, encounter: Encounter, who: str, move: Move, target: str | None) -> Worth | None:
        """Return the worth of a move against one target, or None if the rules refuse it."""
        own = encounter.combatants[who]
        other = encounter.combatants[target] if target else own
        key = (
            move.action,
            hashable(move.options),
            own.conditions and _conditions(encounter, own, own, other),
            target and (other.conditions and _conditions(encounter, other, own, other)),
        )
        acting = self._as_counted(encounter, own, _OWN_PARTS)
        aimed = self._as_counted(encounter, other, self._parts) if other is not own else acting
        pair = id(acting), id(aimed), key
        latest = self._latest.get(pair)
        if latest is None:
            if len(self._latest) >= MOST_LATEST:
                self._latest.clear()
            latest = self._latest[pair] = acting, aimed, self._known(acting, aimed, key)
        ready = all_ready(encounter)
        for worths in latest[2]:
            for unready, seen, worth in worths:
                if unready.isdisjoint(ready) and (not seen or _is_same(encounter, seen, own, other)):
                    return _at_points(worth, aimed.sheet)
        del self._latest[pair]
        if self._count >= MOST_KNOWN:
            self._readings, self._count = {}, 0
            self._latest.clear()
        self._count += 1
        own, other = acting.of_now(own), aimed.of_now(other)
        return self._worked_out(encounter, own, other, move, target, _places(acting, aimed, key))

    def _as_counted(self, encounter: Encounter, combatant: Combatant, parts: int) -> _CountedSheet:
        """Return a combatant's sheet as it is counted."""
        key = id(combatant.sheet), id(combatant.conditions), parts
        known = self._counted.get(key)
        if known is None:
            if len(self._counted) >= MOST_LATEST:
                self._counted.clear()
                self._alike.clear()
            counted = _rounded(encounter, combatant, parts if self._parts else 0)
            known = self._alike_to(encounter, counted), combatant.sheet, combatant.conditions
            self._counted[key] = known
        return known[0]

    def _alike_to(self, encounter: Encounter, counted: Combatant) -> _CountedSheet:
        """Return the first counted sheet with the same values and conditions."""
        cls = type(counted.sheet)
        if cls not in self._all_fields:
            plain = {name: isinstance(each.type, _PLAIN_TYPES) for name, each in fields_of(cls).items()}
            self._all_fields[cls] = _ReadFields(plain)
        key = cls, self._all_fields[cls].key(counted.sheet, self._values), id(counted.conditions)
        known = self._alike.get(key)
        if known is None:
            known = self._alike[key] = _CountedSheet(encounter, counted)
        return known

    def _known(self, own: _CountedSheet, other: _CountedSheet, key: Hashable) -> list[_Worths]:
        """Return the worths known for sheets like these."""
        values = self._values
        readings = (each for place in _places(own, other, key) for each in self._readings.get(place, ()))
        found = (
            each.worths.get((own.number(each.own, values), other.number(each.other, values)))
            for each in readings
        )
        return [worths for worths in found if worths is not None]

    def _worked_out(
        self,
        encounter: Encounter,
        own: Combatant,
        other: Combatant,
        move: Move,
        target: str | None,
        places: tuple[Hashable, Hashable],
    ) -> Worth | None:
        """Work out a worth, and remember it under the fields that were read. `places`: see `_places`."""
        known = self._for_any_points(encounter, own, other, move, target, places[1])
        if known is not None:
            return _at_points(known, other.sheet)
        here = self._watched(encounter, own, other)
        worth, reads = worth_and_reads(here, own.id, move, target)
        self._remember(encounter, own, other, places[0], reads, worth)
        return worth

    def _for_any_points(
        self,
        encounter: Encounter,
        own: Combatant,
        other: Combatant,
        move: Move,
        target: str | None,
        place: Hashable,
    ) -> AnyPoints | None:
        """Work out the worth for all numbers of points of the target; None if they do not serve."""
        field = drained_field(encounter, other.id, own.id) if target and own is not other else ""
        if not field:
            return None
        full = other.with_sheet({field: MANY_POINTS})
        here = self._watched(encounter, own, full)
        worth, reads = any_points_and_reads(here, own.id, move, other.id, field)
        if worth is not None:
            self._reading.fields.pop((_OTHER, field), None)
            self._remember(encounter, own, full, place, reads, worth)
        return worth

    def _watched(self, encounter: Encounter, own: Combatant, other: Combatant) -> Encounter:
        """Return the encounter with sheets of actor and target that record their reading."""
        reading = self._reading
        reading.fields.clear()
        watched = {own.id: reading.watched(encounter, own, _OWN)}
        if other is not own:
            watched[other.id] = reading.watched(encounter, other, _OTHER)
        return encounter.with_combatants(*watched.values())

    def _remember(
        self,
        encounter: Encounter,
        own: Combatant,
        other: Combatant,
        place: Hashable,
        reads: Iterable[Read],
        worth: Worth | AnyPoints | None,
    ) -> None:
        """Remember a worth under the fields that were read."""
        pair = (("person", own.id), ("person", other.id))
        known = pair if encounter.game.effects is not None else ()
        roles = (_with_roles(what, own, other) for what, _ in reads if what not in known)
        seen = tuple((what, _seen(encounter, what, own, other)) for what in roles)
        readings = self._readings_of(place)
        values = self._values
        numbers = readings.own.number(own.sheet, values), readings.other.number(other.sheet, values)
        unready = frozenset(what[1] for what, value in seen if what[0] == "ready" and value == NOBODY)
        rest = tuple((what, value) for what, value in seen if what[0] != "ready" or value != NOBODY)
        readings.worths.setdefault(numbers, []).append((unready, rest, worth))

    def _readings_of(self, place: Hashable) -> _Readings:
        """Return the worths for which the fields were read that have just been recorded."""
        several, fields = self._readings.setdefault(place, []), self._reading.fields
        for readings in several:
            if readings.fields == fields.keys():
                return readings
        readings = _Readings(frozenset(fields), self._read_fields(_OWN), self._read_fields(_OTHER), {})
        several.append(readings)
        return readings

    def _read_fields(self, role: int) -> _ReadFields:
        """Return the fields that have been read from this sheet."""
        fields = {name: is_plain for (of, name), is_plain in self._reading.fields.items() if of == role}
        names = frozenset(fields)
        if names not in self._fields:
            self._fields[names] = _ReadFields(fields)
        return self._fields[names]


def _places(own: _CountedSheet, other: _CountedSheet, key: Hashable) -> tuple[Hashable, Hashable]:
    """Return keys of what counts that is no field of a sheet: exact, and if the target's points do not."""
    return (key, own.place, other.place), (key, own.place, other.drained_place)


def _at_points(worth: Worth | AnyPoints | None, sheet: Any) -> Worth | None:
    """Return a worth for the points that the target has left."""
    return worth.at(getattr(sheet, worth.field)) if isinstance(worth, AnyPoints) else worth


def _conditions(encounter: Encounter, combatant: Combatant, own: Combatant, other: Combatant) -> Hashable:
    """Return a key of the conditions of a combatant that change something by the game's rules.

    Effects as data may ask for any condition, so in a game with effects all count.
    """
    counting = combatant.conditions if encounter.game.effects is not None else felt(encounter, combatant)
    return tuple(
        (
            *(held.name, held.value, _role_of(held.source or "", own, other)),
            *(held.ends_when, held.brought_by, held.sustained),
        )
        for held in counting
    )


def _rounded(encounter: Encounter, combatant: Combatant, parts: int) -> Combatant:
    """Return a combatant with its health rounded up, with this number of equal parts; 0: not rounded.

    What its game's policy calls alike is equal as well.
    """
    sheet, game = combatant.sheet, encounter.game
    changes: dict[str, object] = {**policy_of(game).alike(sheet, encounter.house)}
    for meter in game.meters if parts else ():
        full = getattr(sheet, meter.full) if meter.now in game.harm_fields else 0
        now = getattr(sheet, meter.now)
        # A small number stays exact: then a point may decide whether a blow is enough.
        if 0 < now < full and full >= _MANY * parts:
            # The number of parts that are left, a part of one counts as one.
            left = -(-now * parts // full)
            changes[meter.now] = -(-left * full // parts)
    return combatant.with_sheet(changes) if changes else combatant


class _Values:
    """Hashable keys that are equal for equal values. Lists and tables are found by identity first."""

    def __init__(self) -> None:
        self._by_id: dict[int, tuple[object, tuple[int]]] = {}
        self._numbers: dict[Hashable, tuple[int]] = {}

    def of(self, value: Any) -> Hashable:
        if type(value) in _PLAIN:
            return cast(Hashable, value)
        known = self._by_id.get(id(value))
        if known is not None and known[0] is value:
            return known[1]
        if len(self._by_id) >= MOST_KNOWN:
            self._by_id.clear()
        # In a tuple, a number differs from all values of fields that are plain numbers.
        number = self._numbers.setdefault(hashable({"": value}), (len(self._numbers),))
        self._by_id[id(value)] = value, number
        return number


class _WatchedSheets:
    """Copies of sheets that record which fields are read, from them or from changed copies of them."""

    def __init__(self) -> None:
        # Which sheet, and the field: whether its values are numbers, words or yes and no.
        self.fields: dict[tuple[int, str], bool] = {}
        self._classes: dict[tuple[type, int], type] = {}

    def watched(self, encounter: Encounter, combatant: Combatant, role: int) -> Combatant:
        """Return a combatant whose sheet records its reading."""
        # Who could interrupt is read about the fight, so the fields that decide it do not count here.
        known_interrupts(encounter, combatant)
        # The status is in the key, so the fields that it depends on do not count by themselves.
        encounter.status(combatant)
        cls = type(combatant.sheet)
        if (cls, role) not in self._classes:
            self._classes[cls, role] = self._watching(cls, role)
        sheet: Any = self._classes[cls, role](**asdict(combatant.sheet))
        held = vars(combatant.sheet)
        vars(sheet).update((name, held[name]) for name in _KNOWN if name in held)
        found = Combatant(combatant.id, combatant.state, sheet, combatant.conditions)
        found.__dict__["known_status"] = combatant.__dict__["known_status"]
        return found

    def _watching(self, cls: Any, role: int) -> type:
        fields = fields_of(cls).items()
        watched = {
            name: self._recorded(getattr(cls, name), (role, name), isinstance(field.type, _PLAIN_TYPES))
            for name, field in fields
        }
        return type(cls.__name__, (cls,), {**watched, **self._compared(cls, role)})

    def _compared(self, cls: Any, role: int) -> dict[str, Callable[..., Any]]:
        """Return methods that record that all fields are read when a sheet is hashed or compared."""
        read = self.fields
        every = {(role, name): isinstance(field.type, _PLAIN_TYPES) for name, field in fields_of(cls).items()}

        def hashed(sheet: Any) -> int:
            read.update(every)
            return hash(cls.__hash__(sheet))

        def equal(sheet: Any, other: object) -> Any:
            read.update(every)
            return cls.__eq__(sheet, other)

        return {"__hash__": hashed, "__eq__": equal}

    def _recorded(self, field: Any, key: tuple[int, str], is_plain: bool) -> property:
        """Return a field that records when it is read."""
        read, value_in = self.fields, field.__get__

        def recorded(sheet: Any) -> Any:
            read[key] = is_plain
            return value_in(sheet)

        return property(recorded)


def _is_same(encounter: Encounter, seen: Sequence[_Seen], own: Combatant, other: Combatant) -> bool:
    """Return whether an action would read the same about the fight now."""
    return all(_seen(encounter, what, own, other) == value for what, value in seen)


def _seen(encounter: Encounter, what: tuple[str, ...], own: Combatant, other: Combatant) -> Hashable:
    """Return what an action would read about the fight now, as `_digest` returns it."""
    ids = [own.id if who == "actor" else other.id if who == "target" else who for who in what[1:]]
    fight = fight_of(encounter)
    match what[0]:
        case "person":
            return _digest(fight.person(ids[0]), own, other)
        case "near":
            return fight.near(ids[0], ids[1])
        case "ready":
            return _digest(fight.ready(what[1]), own, other)
        case "turn":
            return _digest(fight.turn, own, other)
    return fight.round


def _with_roles(what: tuple[str, ...], own: Combatant, other: Combatant) -> tuple[str, ...]:
    name, *ids = what
    return what if name == "ready" else (name, *(_role_of(who, own, other) for who in ids))


def _role_of(who: str, own: Combatant, other: Combatant) -> str:
    return "actor" if who == own.id else "target" if who == other.id else who


def _digest(value: Any, own: Combatant, other: Combatant) -> Hashable:
    """Return what counts of a value that was read about the fight, with roles in place of ids.

    Actor and target count anyway. Of the others' sheets only the status counts.
    """
    if isinstance(value, Person):
        held = tuple(
            (each.name, each.value, _role_of(each.source or "", own, other)) for each in value.conditions
        )
        return value.side, value.acts, value.in_order, held
    if isinstance(value, frozenset):
        return frozenset(_role_of(who, own, other) for who in value)
    return _role_of(value, own, other) if isinstance(value, str) else value
