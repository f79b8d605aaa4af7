"""The rest of a fight as an action may read it: the other combatants, and which of them are near each other.

`Scene.fight` is a `Fight`, or None if an action runs without a fight. It keeps what was read, so that a
result may be used again as long as everything that was read is the same.
"""

from collections.abc import Callable, Container, Mapping
from typing import Any, TypeVar

from systems.frozen import evolve, frozen

T = TypeVar("T")
Pair = tuple[str, str]
# A fact that was read (`turn`, `person` with an id, `near` with two ids, `ready` with the name of an
# interrupt), and the value that was found.
Read = tuple[tuple[str, ...], object]


@frozen
class Held:
    """A condition that a combatant has. `source`: the id of the combatant that gave it, or None."""

    name: str
    value: int | None = None
    source: str | None = None


@frozen
class Person:
    """A combatant in the fight.

    `name`: viewers who cannot see it read "something unseen" in its place. `acts`: can take actions.
    `in_order`: its turn still comes up. `in_sight`: all players see it.
    """

    id: str
    name: str
    side: str
    sheet: Any
    conditions: tuple[Held, ...] = ()
    acts: bool = True
    in_order: bool = True
    in_sight: bool = True

    def has(self, condition: str, source: str | None = None) -> bool:
        """Return whether it has a condition, given by `source` if that is not None."""
        return any(held.name == condition and source in (None, held.source) for held in self.conditions)


def _nobody(interrupt: str) -> frozenset[str]:
    return frozenset()


class Fight:
    """The combatants of a fight that have arrived, by id, and the pairs that are near each other.

    Each pair is in alphabetical order. `reads`: all values read so far.
    """

    def __init__(
        self,
        people: Mapping[str, Person],
        pairs: Container[Pair] = (),
        turn: str | None = None,
        round: int = 0,
        ready: Callable[[str], frozenset[str]] = _nobody,
    ) -> None:
        self._people, self._pairs, self._ready = people, pairs, ready
        self._turn, self._round = turn, round
        self.reads: dict[tuple[str, ...], object] = {}
        self._ids: tuple[str, ...] | None = None

    @property
    def ids(self) -> tuple[str, ...]:
        """Return the ids of all combatants that have arrived, in the order in which they joined."""
        if self._ids is None:
            self._ids = tuple(self._people)
        return self._ids

    @property
    def turn(self) -> str | None:
        """Return the id of the combatant whose turn it is."""
        return self._read(("turn",), self._turn)

    @property
    def round(self) -> int:
        """Return the number of the round; 0 before the fight begins."""
        return self._read(("round",), self._round)

    def person(self, who: str) -> Person | None:
        """Return the combatant of that id, or None."""
        return self._read(("person", who), self._people.get(who))

    def near(self, one: str, other: str) -> bool:
        """Return whether two combatants are near each other, because the game master has said so."""
        first, second = sorted((one, other))
        return self._read(("near", first, second), (first, second) in self._pairs)

    def ready(self, interrupt: str) -> frozenset[str]:
        """Return the ids of the combatants that could interrupt an action now, each by itself."""
        return self._read(("ready", interrupt), self._ready(interrupt))

    def allies(self, who: str) -> tuple[Person, ...]:
        """Return the others on the side of a combatant."""
        own = self.person(who)
        return tuple(each for each in self._others(who) if own is not None and each.side == own.side)

    def foes(self, who: str) -> tuple[Person, ...]:
        """Return the combatants on other sides."""
        own = self.person(who)
        return tuple(each for each in self._others(who) if own is not None and each.side != own.side)

    def ally_near(self, who: str, other: str) -> Person | None:
        """Return the first ally of a combatant that can act and is near the other, or None."""
        return next((ally for ally in self.allies(who) if ally.acts and self.near(ally.id, other)), None)

    def _others(self, who: str) -> list[Person]:
        found = [self.person(each) for each in self._people if each != who]
        return [each for each in found if each is not None]

    def _read(self, what: tuple[str, ...], value: T) -> T:
        self.reads[what] = value
        return value


def swapped_ids(what: tuple[str, ...], one: str, other: str) -> tuple[str, ...]:
    """Return what was read, with two combatants exchanged."""
    name, *ids = what
    if name == "ready":
        return what
    return (name, *sorted(_other(who, one, other) for who in ids))


def swapped(value: object, one: str, other: str) -> object:
    """Return a value that was read, with two combatants exchanged and without names."""
    if isinstance(value, Person):
        conditions = tuple(
            Held(held.name, held.value, _other(held.source, one, other)) for held in value.conditions
        )
        return evolve(without_name(value), id=_other(value.id, one, other), conditions=conditions)
    if isinstance(value, frozenset):
        return frozenset(_other(who, one, other) for who in value)
    return _other(value, one, other)


def without_name(value: object) -> object:
    """Return a person without its name, since two wolves may differ in nothing else; else the value."""
    return evolve(value, name="") if isinstance(value, Person) else value


def _other(who: Any, one: str, other: str) -> Any:
    return other if who == one else one if who == other else who
