"""Several strikes in one use of an action: each finds the target as the last one left it.

`several_strikes` of strikes.py carries them out one after the other. In odds a strike is walked once for
each group of states that it can tell apart, and the damage so far is a plain distribution inside a group.
"""

from collections.abc import Hashable
from typing import Any

from systems.contract.interruption import UsedInterruption
from systems.contract.outcome import GivenCondition
from systems.frozen import frozen


@frozen
class SeriesStrike:
    """The result of one strike of a series.

    `marks`: what later strikes or the outcome need to know, such as `prone`. `gives`: conditions, also with
    the share of a roll of `Table.beside`; no later strike may depend on those. `told`: anything that only
    words need.
    """

    damage: int = 0
    hits: int = 0
    marks: frozenset[Hashable] = frozenset()
    gives: tuple[GivenCondition, ...] = ()
    interruptions: tuple[UsedInterruption, ...] = ()
    told: Any = None


@frozen
class SeriesState:
    """What the strikes of a series have come to so far."""

    damage: int = 0
    hits: int = 0
    marks: frozenset[Hashable] = frozenset()
    interruptions: tuple[UsedInterruption, ...] = ()

    def and_then(self, more: "SeriesState | SeriesStrike") -> "SeriesState":
        """Return the sums with more strikes added."""
        return SeriesState(
            self.damage + more.damage,
            self.hits + more.hits,
            self.marks | more.marks,
            (*self.interruptions, *more.interruptions),
        )


@frozen(eq=False)
class Series:
    """What all strikes came to: their sums, the conditions that they give, and each strike, for words.

    In odds there are no single strikes, and a condition has the share of the branch in which it is given.
    """

    whole: SeriesState = SeriesState()
    gives: tuple[GivenCondition, ...] = ()
    strikes: tuple[SeriesStrike, ...] = ()

    def and_then(self, strike: SeriesStrike) -> "Series":
        """Return the series with one more strike."""
        return Series(self.whole.and_then(strike), (*self.gives, *strike.gives), (*self.strikes, strike))
