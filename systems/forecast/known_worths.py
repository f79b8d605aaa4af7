"""Worths of moves that are worked out once, and found again while all that they depend on is equal.

While a worth is worked out, the sheets of actor and target record which of their fields are read. The next
time, only these fields are compared, so a wound of the attacker matters only if its attack depends on it. The
conditions of both that change something count as well, and what the action read about the fight.
"""

from collections.abc import Hashable, Sequence
from typing import Any, cast

from systems.commands.fights import NOBODY, all_ready, fight_of, known_interrupts
from systems.contract.fight import Person
from systems.contract.policy import Move
from systems.encounter.model import Combatant, Encounter
from systems.forecast.branches import felt, hashable
from systems.forecast.worth import Worth, worth_and_reads
from systems.schema.fields import fields_of

# With more worths or values than this, all are forgotten.
MOST_KNOWN = 200_000
MOST_LATEST = 4_000
# The two sheets that a worth depends on, as indexes.
_OWN, _OTHER = 0, 1
# Of its own health, an attack at most asks whether half is lost.
_OWN_PARTS = 2
_PLAIN = frozenset((int, str, bool, type(None)))
# A value read about the fight, with the roles of actor and target in place of their ids, and the result.
_Seen = tuple[tuple[str, ...], Hashable]


class _Step:
    """The next field that decides, and for each of its values what follows."""

    __slots__ = ("role", "name", "then")

    def __init__(self, role: int, name: str) -> None:
        self.role, self.name = role, name
        self.then: dict[Hashable, _Step | _Found] = {}


class _Found:
    """The worths for sheets with equal fields as far as they decide, by the values read about the fight."""

    __slots__ = ("worths",)

    def __init__(self) -> None:
        self.worths: list[tuple[tuple[_Seen, ...], Worth | None]] = []


class KnownWorths:
    """Returns the worth of a move, worked out only once for equal cases. For one game and its house rules.

    `parts`: the health of the target is rounded up to one of so many equal parts, and that of the actor to
    halves, so that more cases are equal; 0: both stay exact.
    """

    def __init__(self, parts: int = 0) -> None:
        self._parts = parts
        self._values, self._reading = _Values(), _WatchedSheets()
        self._first: dict[Hashable, _Step | _Found] = {}
        # What was found for two sheets, by their identity. They are kept, so that no id is used again.
        self._latest: dict[Hashable, tuple[Any, Any, _Found]] = {}
        self._count = 0

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
        found = latest[2] if latest is not None else self._known(encounter, own, other, key)
        if found is not None:
            if latest is None:
                self._keep(pair, own, other, found)
            for seen, worth in found.worths:
                if not seen or _is_same(encounter, seen, own, other):
                    return worth
        return self._worked_out(encounter, own, other, move, target, key)

    def _keep(self, pair: Hashable, own: Combatant, other: Combatant, found: "_Found") -> None:
        if len(self._latest) >= MOST_LATEST:
            self._latest.clear()
        self._latest[pair] = own.sheet, other.sheet, found

    def _as_counted(
        self, encounter: Encounter, own: Combatant, other: Combatant
    ) -> tuple[Combatant, Combatant]:
        """Return actor and target with their health rounded."""
        if not self._parts:
            return own, other
        rounded = _rounded(encounter, own, _OWN_PARTS)
        return rounded, _rounded(encounter, other, self._parts) if other is not own else rounded

    def _known(
        self, encounter: Encounter, own: Combatant, other: Combatant, key: Hashable
    ) -> "_Found | None":
        """Return the worths known for sheets like these, or None."""
        own, other = self._as_counted(encounter, own, other)
        found = self._first.get((key, encounter.status(own).name, encounter.status(other).name))
        sheets, of = (own.sheet.__dict__, other.sheet.__dict__), self._values.of
        while type(found) is _Step:
            value = sheets[found.role][found.name]
            found = found.then.get(value if type(value) in _PLAIN else of(value))
        return cast("_Found | None", found)

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
            self._first, self._count = {}, 0
            self._latest.clear()
        self._count += 1
        own, other = self._as_counted(encounter, own, other)
        reading = self._reading
        reading.fields.clear()
        watched = {own.id: reading.watched(encounter, own, _OWN)}
        if other is not own:
            watched[other.id] = reading.watched(encounter, other, _OTHER)
        here = encounter.with_combatants(*watched.values())
        worth, reads = worth_and_reads(here, own.id, move, target)
        pair = (("person", own.id), ("person", other.id))
        known = pair if encounter.game.effects is not None else ()
        roles = (_with_roles(what, own, other) for what, _ in reads if what not in known)
        seen = tuple((what, _seen(encounter, what, own, other)) for what in roles)
        sheets = own.sheet, other.sheet
        place = self._first
        at: Hashable = (key, encounter.status(own).name, encounter.status(other).name)
        for role, name in reading.fields:
            step = place.setdefault(at, _Step(role, name))
            if not isinstance(step, _Step) or (step.role, step.name) != (role, name):
                # The same values led to other fields before, so nothing can be remembered here.
                return worth
            place, at = step.then, self._values.of(getattr(sheets[role], name))
        last = place.setdefault(at, _Found())
        if isinstance(last, _Found):
            last.worths.append((seen, worth))
        return worth


def _conditions(encounter: Encounter, combatant: Combatant, own: Combatant, other: Combatant) -> Hashable:
    """Return a key of the conditions of a combatant that change something by the game's rules.

    Effects as data may ask for any condition, so in a game with effects all count.
    """
    counting = combatant.conditions if encounter.game.effects is not None else felt(encounter, combatant)
    return tuple(
        (held.name, held.value, _role_of(held.source or "", own, other), held.ends_when, held.sustained)
        for held in counting
    )


def _rounded(encounter: Encounter, combatant: Combatant, parts: int) -> Combatant:
    """Return a combatant with its health rounded up to one of so many equal parts."""
    sheet, game = combatant.sheet, encounter.game
    changes: dict[str, object] = {}
    for meter in game.meters:
        full = getattr(sheet, meter.full) if meter.now in game.harm_fields else 0
        now = getattr(sheet, meter.now)
        if 0 < now < full:
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
        # In the order of the first reading: which sheet, and the field.
        self.fields: dict[tuple[int, str], None] = {}
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
        names, read = frozenset(fields_of(cls)), self.fields

        def recorded(sheet: Any, name: str) -> Any:
            if name in names:
                read[role, name] = None
            return object.__getattribute__(sheet, name)

        return type(cls.__name__, (cls,), {"__getattribute__": recorded})


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
