"""Odds that do not depend on sums of dice, for actions whose sums have too many branches."""

from collections.abc import Callable, Collection, Hashable, Sequence
from fractions import Fraction
from typing import TypeVar

from systems.contract.damage import Blow, DamagePart, DamageRoll
from systems.contract.outcome import Outcome
from systems.contract.table import Choices, Table, face_worths
from systems.dice.expression import DiceError, Expression
from systems.dice.notation import maximum, minimum
from systems.errors import Wrong
from systems.odds.walker import Resolve, Walker, spread_seen
from systems.odds.weights import MOST_BRANCHES, TooManyDice

T = TypeVar("T", bound=Hashable)


def spread_without_sums(
    run: Resolve,
    see: Callable[[Outcome], T],
    choices: Choices | None = None,
    most: int = MOST_BRANCHES,
) -> dict[T, Fraction]:
    """Return the distribution of the values of `see`, without a branch for each sum of dice.

    A sum (blows, roll, count, damage) that makes no difference between its least and its greatest value is
    taken at its least; other sums have their branches. So the chance to hit is known even if the damage has
    too many dice. Raises TooManyDice.
    """
    exact: set[str] = set()
    while True:
        least = _EndsOfSums(choices, exact, ())
        found = spread_seen(least, run, see, most)
        whole = _EndsOfSums(choices, exact, None)
        if spread_seen(whole, run, see, most) == found:
            return found
        matters = {
            why
            for why in least.met | whole.met
            if spread_seen(_EndsOfSums(choices, exact, {why}), run, see, most) != found
        }
        if not matters:
            raise TooManyDice
        exact |= matters


class _EndsOfSums(Walker):
    """A walker that takes sums of dice at their least or greatest, without a branch for each sum.

    Sums called `why` in `exact` have their branches. Those in `most`, or all if it is None, are taken at
    their greatest, the others at their least. `met` collects the sums taken that way.
    """

    def __init__(self, choices: Choices | None, exact: Collection[str], most: Collection[str] | None) -> None:
        super().__init__(choices)
        self.exact, self.most = exact, most
        self.met: set[str] = set()

    def _end(self, why: str, ends: tuple[int, int]) -> int:
        self.met.add(why)
        return max(ends) if self.most is None or why in self.most else min(ends)

    def blows(self, number: int, blow: Blow, why: str, of: str = "actor") -> int:
        if why in self.exact:
            return super().blows(number, blow, why, of)
        low, high = _ends(blow)
        return self._end(why, (number * low, number * high))

    def roll(self, dice: str | Expression, why: str = "", of: str = "actor") -> int:
        if why in self.exact:
            return super().roll(dice, why, of)
        return self._end(why, _ends(dice))

    def count(
        self, number: int, sides: int, worth: int | tuple[int, ...], why: str, of: str = "actor"
    ) -> int:
        if why in self.exact:
            return super().count(number, sides, worth, why, of)
        faces = face_worths(sides, worth)
        return self._end(why, (number * min(faces), number * max(faces)))

    def damage(
        self,
        parts: Sequence[DamagePart],
        why: str = "damage",
        of: str = "actor",
        given: Sequence[int] | None = None,
    ) -> DamageRoll:
        if given is not None or why in self.exact:
            return super().damage(parts, why, of, given)
        return DamageRoll.of(parts, [self._end(why, _ends(part.dice)) for part in parts])

    add_damage = Table.add_damage
    in_steps = Table.in_steps


def _ends(dice: Blow | str | Expression) -> tuple[int, int]:
    """Return the least and the greatest sum of a blow or of dice in notation."""
    if isinstance(dice, Blow):
        number = sum(many for many, _ in dice.dice)
        both = dice.worth(number), dice.worth(sum(many * sides for many, sides in dice.dice))
        return min(both), max(both)
    try:
        return minimum(dice), maximum(dice)
    except DiceError as error:
        raise Wrong("", str(error)) from None
