"""The combatants of an encounter as an action may read them, and whether what it read is still the same."""

from collections.abc import Container, Iterable, Iterator, Mapping
from typing import cast

from systems.contract.fight import Fight, Held, Pair, Person, Read, swapped, swapped_ids, without_name
from systems.contract.marked_text import as_unseen
from systems.encounter.model import Combatant, Encounter


class _People(Mapping[str, Person]):
    """The combatants of an encounter that have arrived, each made when it is first read."""

    def __init__(self, encounter: Encounter) -> None:
        self.encounter = encounter
        self._made: dict[str, Person] = {}
        self._ready: dict[str, frozenset[str]] = {}

    def __getitem__(self, who: str) -> Person:
        if who not in self._made:
            self._made[who] = _person(self.encounter, who)
        return self._made[who]

    def __iter__(self) -> Iterator[str]:
        here = self.encounter
        return (who for who in here.progress.ids if not here.combatants[who].state.arrives)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def ready(self, interrupt: str) -> frozenset[str]:
        """Return the combatants that could interrupt an action and have not done so in this turn."""
        if interrupt not in self._ready:
            self._ready[interrupt] = frozenset(_ready_for(self.encounter, interrupt))
        return self._ready[interrupt]


def shown_name(combatant: Combatant) -> str:
    """Return a combatant's name for a sentence. Players read other words if they cannot see it."""
    return combatant.name if combatant.in_sight else as_unseen(combatant.id, combatant.name)


def _person(encounter: Encounter, who: str) -> Person:
    """Return a combatant as an action may read it. Raises KeyError if it is not there."""
    combatant = encounter.combatants[who]
    if combatant.state.arrives:
        raise KeyError(who)
    status = encounter.status(combatant)
    return Person(
        id=who,
        name=shown_name(combatant),
        side=combatant.side,
        sheet=combatant.sheet,
        conditions=tuple(Held(held.name, held.value, held.source) for held in combatant.conditions),
        acts=status.acts,
        in_order=status.in_order,
        in_sight=combatant.in_sight,
    )


def _ready_for(encounter: Encounter, interrupt: str) -> Iterator[str]:
    declared = next((each for each in encounter.game.interrupts if each.name == interrupt), None)
    if declared is None:
        return  # a seat's view leaves out the interruptions of others
    spent = encounter.game.spent_by(interrupt)
    for combatant in encounter:
        if combatant.state.arrives or spent in combatant.state.reacted:
            continue
        if declared.ready(combatant.sheet, encounter.house) and encounter.status(combatant).acts:
            yield combatant.id


class _Pairs(Container[Pair]):
    """The pairs of combatants that are near each other."""

    def __init__(self, encounter: Encounter) -> None:
        self._combatants = encounter.combatants

    def __contains__(self, pair: object) -> bool:
        first, second = cast(Pair, pair)
        return first in self._combatants and second in self._combatants[first].state.near


class _Latest:
    """The people of the encounter that was read last; many scenes in a row are made of one encounter."""

    def __init__(self) -> None:
        self._people: _People | None = None

    def people_of(self, encounter: Encounter) -> _People:
        if self._people is None or self._people.encounter is not encounter:
            self._people = _People(encounter)
        return self._people


_latest = _Latest()


def fight_of(encounter: Encounter) -> Fight:
    """Return the fight as an action may read it."""
    progress = encounter.progress
    people = _latest.people_of(encounter)
    return Fight(people, _Pairs(encounter), progress.turn, progress.round, people.ready)


def still_reads(encounter: Encounter, reads: Iterable[Read]) -> bool:
    """Return whether everything that an action read about a fight is the same in this encounter."""
    fight = fight_of(encounter)
    return all(_value_of(fight, what) == value for what, value in reads)


def reads_alike(encounter: Encounter, reads: Iterable[Read], one: str, other: str) -> bool:
    """Return whether an action on `other` finds what it read about the fight when it was aimed at `one`."""
    fight = fight_of(encounter)
    for what, value in reads:
        now = _value_of(fight, swapped_ids(what, one, other))
        if without_name(now) != swapped(value, one, other):
            return False
    return True


def _value_of(fight: Fight, what: tuple[str, ...]) -> object:
    match what:
        case ("person", who):
            return fight.person(who)
        case ("near", one, other):
            return fight.near(one, other)
        case ("ready", interrupt):
            return fight.ready(interrupt)
        case ("turn",):
            return fight.turn
        case ("round",):
            return fight.round
    raise AssertionError(what)
