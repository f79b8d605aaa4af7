"""The sums in one branch that represents several of them."""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import cached_property

from systems.contract.outcome import Fact


class Sums:
    """A fact in odds that represents all sums of a branch, with the number of ways to roll each.

    A fact may hold it. It has no arithmetic, so an action that calculates with it fails.
    """

    def __init__(self, find: Callable[[], Mapping[int, int]]) -> None:
        self._find = find

    @cached_property
    def ways(self) -> Mapping[int, int]:
        """Return sum -> number of ways to roll it, calculated on first use."""
        return self._find()

    @property
    def total(self) -> int:
        return sum(self.ways.values())


def shares(value: Fact) -> Iterator[tuple[Fact, int | Fraction]]:
    """Return a fact's values in one branch with their shares: itself, or each of its sums."""
    if type(value) is Sums:
        whole = value.total
        for total, many in value.ways.items():
            yield total, Fraction(many, whole)
    else:
        yield value, 1
