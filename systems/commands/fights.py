"""The combatants of an encounter as an action may read them, and whether what it read is still the same."""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, cast

from systems.contract.fight import Fight, Held, Pair, Person, Read, swapped, swapped_ids, without_name
from systems.contract.marked_text import as_unseen
from systems.contract.ruleset import Ruleset
from systems.encounter.model import Combatant, Encounter

NOBODY: frozenset[str] = frozenset()


class _People(Mapping[str, Person]):
    """The combatants of an encounter that have arrived, each made when it is first read."""

    def __init__(self, encounter: Encounter) -> None:
        self.encounter = encounter
        self._made: dict[str, Person] = {}
        self._ready: Mapping[str, frozenset[str]] | None = None

    def __getitem__(self, who: str) -> Person:
        if who not in self._made:
            self._made[who] = _person(self.encounter, who)
        return self._made[who]

    def __iter__(self) -> Iterator[str]:
        return iter(self._ids)

    def __len__(self) -> int:
        return len(self._ids)

    @cached_property
    def _ids(self) -> tuple[str, ...]:
        return tuple(each.id for each in self.encounter if not each.state.arrives)

    def ready(self, interrupt: str) -> frozenset[str]:
        """Return the combatants that could interrupt an action and have not done so in this turn."""
        return self.all_ready.get(interrupt, NOBODY)

    @property
    def all_ready(self) -> Mapping[str, frozenset[str]]:
        """Return for each of the game's interrupts the combatants that could use it now."""
        if self._ready is None:
            self._ready = _all_ready(self.encounter)
        return self._ready


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


def _all_ready(encounter: Encounter) -> Mapping[str, frozenset[str]]:
    found: dict[str, list[str]] = {}
    for combatant in encounter.finding("known_interrupts", _interrupts_of):
        reacted = combatant.state.reacted
        if not combatant.state.arrives and encounter.status(combatant).acts:
            for name, spent in known_interrupts(encounter, combatant):
                if spent not in reacted:
                    found.setdefault(name, []).append(combatant.id)
    return {name: frozenset(ids) for name, ids in found.items()}


def known_interrupts(encounter: Encounter, combatant: Combatant) -> Sequence[tuple[str, str]]:
    """Return the interrupts that a combatant's sheet has, each with the reaction that it spends.

    They are worked out once for each sheet.
    """
    return encounter.worked_out(combatant.sheet, "known_interrupts", _interrupts_of)


def _interrupts_of(game: Ruleset, sheet: Any, house: Any) -> Sequence[tuple[str, str]]:
    names = [each.name for each in game.interrupts if each.ready(sheet, house)]
    return [(name, game.spent_by(name)) for name in names]


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


def all_ready(encounter: Encounter) -> Mapping[str, frozenset[str]]:
    """Return for each of the game's interrupts that anybody could use now the ids of these combatants."""
    return _latest.people_of(encounter).all_ready


@dataclass(eq=False, slots=True)
class Look:
    """Returns the fight of an encounter, always the same one, which notes what an action reads."""

    _encounter: Encounter
    _fight: Fight | None = field(default=None, init=False)

    def __call__(self) -> Fight:
        if self._fight is None:
            self._fight = fight_of(self._encounter)
        return self._fight


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
