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
from systems.forecast.branches import felt, hashable
from systems.forecast.moves import policy_of
from systems.forecast.points import MANY_POINTS, drained_field
from systems.forecast.worth import AnyPoints, Worth, any_points_and_reads, worth_and_reads
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
_PLAIN = frozenset((int, str, bool, type(None)))
_PLAIN_TYPES = (Whole, Flag, Text, Choice)
# A value read about the fight, with the roles of actor and target in place of their ids, and the result.
_Seen = tuple[tuple[str, ...], Hashable]


# The worths for equal sheets, by the values read about the fight.
_Worths = list[tuple[tuple[_Seen, ...], Worth | AnyPoints | None]]


class _Readings:
    """The worths for which the same fields were read, by the values of these fields."""

    __slots__ = ("_entries", "_known", "_own", "_other", "fields", "worths")

    def __init__(self, fields: Mapping[tuple[int, str], bool]) -> None:
        self.fields = frozenset(fields)
        self._own, self._other = (
            _getter([name for (of, name), is_plain in fields.items() if of == role and is_plain])
            for role in (_OWN, _OTHER)
        )
        self._entries = [
            _tuple_getter([name for (of, name), is_plain in fields.items() if of == role and not is_plain])
            for role in (_OWN, _OTHER)
        ]
        # The keys of entries by their identity. The entries are kept, so that no id is used again.
        self._known: dict[tuple[int, ...], tuple[tuple[Any, ...], Hashable]] = {}
        self.worths: dict[Hashable, _Worths] = {}

    def key(self, own: Any, other: Any, values: "_Values") -> Hashable:
        """Return the values of the fields in these two sheets."""
        first, second = self._entries
        held = (*first(own), *second(other))
        ids = tuple(map(id, held))
        known = self._known.get(ids)
        if known is None:
            if len(self._known) >= MOST_LATEST:
                self._known.clear()
            known = self._known[ids] = held, tuple(map(values.of, held))
        return self._own(own), self._other(other), known[1]


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
        # The worths known for two sheets, by their identity. They are kept, so that no id is used again.
        self._latest: dict[Hashable, tuple[Any, Any, list[_Worths]]] = {}
        self._count = 0
        # Actors and targets as they are counted, by identity.
        self._counted: dict[tuple[int, int], tuple[Combatant, Combatant]] = {}

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
        pair = id(own.sheet), id(other.sheet), key
        latest = self._latest.get(pair)
        if latest is None:
            if len(self._latest) >= MOST_LATEST:
                self._latest.clear()
            latest = own.sheet, other.sheet, self._known(encounter, own, other, key)
            self._latest[pair] = latest
        for worths in latest[2]:
            for seen, worth in worths:
                if not seen or _is_same(encounter, seen, own, other):
                    return self._at_points(encounter, worth, other)
        del self._latest[pair]
        return self._worked_out(encounter, own, other, move, target, key)

    def _as_counted(
        self, encounter: Encounter, own: Combatant, other: Combatant
    ) -> tuple[Combatant, Combatant]:
        """Return actor and target as they are counted."""
        counted = self._one_as_counted(encounter, own, _OWN_PARTS if self._parts else 0)
        return counted, self._one_as_counted(encounter, other, self._parts) if other is not own else counted

    def _one_as_counted(self, encounter: Encounter, combatant: Combatant, parts: int) -> Combatant:
        """Return a combatant with its health rounded, and without what changes no worth."""
        key = id(combatant), parts
        known = self._counted.get(key)
        if known is None:
            if len(self._counted) >= MOST_LATEST:
                self._counted.clear()
            known = self._counted[key] = combatant, _rounded(encounter, combatant, parts)
        return known[1]

    def _at_points(
        self, encounter: Encounter, worth: Worth | AnyPoints | None, other: Combatant
    ) -> Worth | None:
        """Return a worth for the points that the target has left."""
        if not isinstance(worth, AnyPoints):
            return worth
        counted = self._one_as_counted(encounter, other, self._parts)
        return worth.at(getattr(counted.sheet, worth.field))

    def _known(self, encounter: Encounter, own: Combatant, other: Combatant, key: Hashable) -> list[_Worths]:
        """Return the worths known for sheets like these."""
        own, other = self._as_counted(encounter, own, other)
        places = [_place(encounter, own, other, key)]
        if field := _drained(encounter, other) if other is not own else "":
            places.append(_place(encounter, own, other, key, field))
        readings = (each for place in places for each in self._readings.get(place, ()))
        found = (each.worths.get(each.key(own.sheet, other.sheet, self._values)) for each in readings)
        return [worths for worths in found if worths is not None]

    def _worked_out(
        self,
        encounter: Encounter,
        own: Combatant,
        other: Combatant,
        move: Move,
        target: str | None,
        key: Hashable,
    ) -> Worth | None:
        """Work out a worth, and remember it under the fields that were read."""
        if self._count >= MOST_KNOWN:
            self._readings, self._count = {}, 0
            self._latest.clear()
        self._count += 1
        own, other = self._as_counted(encounter, own, other)
        known = self._for_any_points(encounter, own, other, move, target, key)
        if known is not None:
            return known.at(getattr(other.sheet, known.field))
        here = self._watched(encounter, own, other)
        worth, reads = worth_and_reads(here, own.id, move, target)
        self._remember(encounter, own, other, _place(encounter, own, other, key), reads, worth)
        return worth

    def _for_any_points(
        self,
        encounter: Encounter,
        own: Combatant,
        other: Combatant,
        move: Move,
        target: str | None,
        key: Hashable,
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
            place = _place(encounter, own, other, key, field)
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
        several, fields = self._readings.setdefault(place, []), self._reading.fields
        same = next((each for each in several if each.fields == fields.keys()), None)
        if same is None:
            same = _Readings(fields)
            several.append(same)
        values = same.key(own.sheet, other.sheet, self._values)
        same.worths.setdefault(values, []).append((seen, worth))


def _drained(encounter: Encounter, combatant: Combatant) -> str:
    """Return the field that the game's policy says harm only lowers, or ""."""
    return policy_of(encounter.game).drained(combatant.sheet, encounter.house)


def _place(
    encounter: Encounter, own: Combatant, other: Combatant, key: Hashable, field: str = ""
) -> Hashable:
    """Return a key of what counts that is no field of a sheet. `field`: its value does not count."""
    status = encounter.status(other)
    return (
        key,
        encounter.status(own).name,
        (field, status.acts, status.in_order) if field else status.name,
    )


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
        sheet: Any = object.__new__(self._classes[cls, role])
        sheet.__dict__.update(combatant.sheet.__dict__)
        found = Combatant(combatant.id, combatant.state, sheet, combatant.conditions)
        found.__dict__["known_status"] = combatant.__dict__["known_status"]
        return found

    def _watching(self, cls: Any, role: int) -> type:
        fields = fields_of(cls).items()
        watched = {
            name: self._recorded((role, name), isinstance(field.type, _PLAIN_TYPES)) for name, field in fields
        }
        return type(cls.__name__, (cls,), watched)

    def _recorded(self, key: tuple[int, str], is_plain: bool) -> property:
        """Return a field that records when it is read."""
        read, (_, name) = self.fields, key

        def recorded(sheet: Any) -> Any:
            read[key] = is_plain
            return sheet.__dict__[name]

        return property(recorded)


def _is_same(encounter: Encounter, seen: Sequence[_Seen], own: Combatant, other: Combatant) -> bool:
    """Return whether an action would read the same about the fight now."""
    ready = all_ready(encounter)
    for what, value in seen:
        if what[0] == "ready" and what[1] not in ready and value == NOBODY:
            continue
        if _seen(encounter, what, own, other) != value:
            return False
    return True


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
