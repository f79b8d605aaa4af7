"""The states in which a combatant can still act while its foes act, each with its exact chance.

States that differ only in the points that the combatant has left are one group. Chances are whole numbers out
of one total, so no fraction is reduced before the end.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping
from fractions import Fraction
from math import gcd
from typing import TypeAlias

from systems.encounter.model import Combatant
from systems.frozen import frozen


@frozen(eq=False)
class State:
    """A combatant at one moment; equal keys mean that nothing that counts differs."""

    combatant: Combatant
    key: Hashable


# The states of a combatant and of one of its foes.
StatePair = tuple[State, State]
# For each number of points that the combatant has left, the weight.
Ways: TypeAlias = Mapping[int, int]
# The losses of points with their weights, the smallest loss first.
Losses = tuple[tuple[int, int], ...]


@frozen(eq=False)
class Situation:
    """The states of the combatant and of several foes at one moment, except for the combatant's points.

    `spent`: what the foe that acts at the end of a turn has spent.
    """

    states: tuple[State, ...]
    spent: frozenset[str] = frozenset()

    @property
    def key(self) -> Hashable:
        """Return a key that is equal if nothing that counts differs."""
        return tuple([state.key for state in self.states]), self.spent

    def pair(self, place: int) -> StatePair:
        """Return the states of the combatant and of the foe in this place."""
        return self.states[0], self.states[place]

    def with_foe(self, place: int, foe: State) -> "Situation":
        """Return the situation with another state of a foe, in a place that may be the next one."""
        return Situation((*self.states[:place], foe, *self.states[place + 1 :]), self.spent)

    def after(self, place: int, pair: StatePair, spends: str) -> "Situation":
        """Return the situation with other states of the combatant and of the foe that acts."""
        own, foe = pair
        states = (own, *self.states[1:place], foe, *self.states[place + 1 :])
        return Situation(states, self.spent | {spends} if spends else self.spent)


class Situations:
    """Groups of states that differ only in the points left, each with its weights out of `whole`."""

    def __init__(self, whole: int) -> None:
        self.whole = whole
        self._groups: dict[Hashable, tuple[Situation, dict[int, int]]] = {}

    def __iter__(self) -> Iterator[tuple[Situation, Ways]]:
        return iter(self._groups.values())

    def chance(self) -> Fraction:
        """Return the chance of all these states together."""
        return Fraction(sum(sum(ways.values()) for _, ways in self), self.whole)

    def add(self, situation: Situation, ways: Ways, factor: int = 1) -> None:
        """Add states with their weights times a factor; equal states are one."""
        into = self._of(situation)
        for points, weight in ways.items():
            into[points] = into.get(points, 0) + weight * factor

    def add_after(self, situation: Situation, ways: Ways, losses: Losses, factor: int) -> None:
        """Add states after each of these losses, as long as points are left."""
        if not any(losses[0][0] < points for points in ways):
            return
        into = self._of(situation)
        for points, before in ways.items():
            scaled = before * factor
            for loss, weight in losses:
                if loss >= points:
                    break
                left = points - loss
                into[left] = into.get(left, 0) + scaled * weight

    def changed(self, change: Callable[[Situation], Situation]) -> "Situations":
        """Return the same states with each situation changed."""
        found = Situations(self.whole)
        for situation, ways in self:
            found.add(change(situation), ways)
        return found

    def scale(self, factor: int) -> None:
        """Multiply all weights and their total by a factor."""
        self.whole *= factor
        for _, ways in self._groups.values():
            for points in ways:
                ways[points] *= factor

    def reduce(self) -> None:
        """Divide all weights and their total by their greatest common divisor."""
        common = gcd(self.whole, *(weight for _, ways in self for weight in ways.values()))
        if common == 1:
            return
        self.whole //= common
        for _, ways in self._groups.values():
            for points in ways:
                ways[points] //= common

    def _of(self, situation: Situation) -> dict[int, int]:
        """Return the weights of a group."""
        return self._groups.setdefault(situation.key, (situation, {}))[1]
