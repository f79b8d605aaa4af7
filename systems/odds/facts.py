"""The odds of an action's facts, and of anything else read from its outcomes, over all branches."""

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction
from itertools import cycle
from math import lcm
from typing import Any, TypeVar

from systems.contract.outcome import Fact, Outcome
from systems.contract.table import Choices, Table
from systems.odds.limits import MOST_BRANCHES
from systems.odds.sums import Sums, shares
from systems.odds.walker import Walker

T = TypeVar("T", bound=Hashable)
Run = Callable[[Table], Outcome]
# Up to this many branches of one weight are counted one by one; more are counted together.
FEW = 8
_Ways = dict[Fact, int | Fraction]


def facts_odds(
    run: Run, choices: Choices | None = None, most: int = MOST_BRANCHES
) -> dict[str, dict[Fact, Fraction]]:
    """Return fact -> value -> probability over every branch. Raises TooManyDice.

    A branch without a fact adds nothing to that fact.
    """
    # Collect the values of branches with equal weights and names first, and count fact by fact at the end:
    # counting is then one pass in C for each fact.
    strung: dict[tuple[Any, ...], list[Fact]] = {}
    for weight, of, outcome in Walker(choices).walk(run, most):
        facts = outcome.facts
        key = (weight, of, *facts)
        values = strung.get(key)
        if values is None:
            values = strung[key] = []
        values += facts.values()
    whole = lcm(*{of for _, of, *_ in strung})
    odds: dict[str, _Ways] = {}
    columns: dict[tuple[str, ...], list[_Ways]] = {}
    for (weight, of, *facts_told), values in strung.items():
        names, share = tuple(facts_told), weight * whole // of
        into = columns.get(names)
        if into is None:
            into = columns[names] = [odds.setdefault(name, {}) for name in names]
        _count(into, values, share)
    return {name: _fractions(ways, whole) for name, ways in odds.items() if ways}


def _count(into: Sequence[_Ways], values: Sequence[Fact], share: int) -> None:
    """Count the values of branches one by one, each with this share."""
    if len(values) <= FEW * len(into):
        for ways, value in zip(cycle(into), values):
            _add(ways, value, share)
        return
    for at, ways in enumerate(into):
        for value, times in Counter(values[at :: len(into)]).items():
            _add(ways, value, share * times)


def _add(ways: _Ways, value: Fact, share: int) -> None:
    """Add a share to a fact's value, or to each of its sums; add nothing for None."""
    if type(value) is Sums:
        for total, part in shares(value):
            ways[total] = ways.get(total, 0) + share * part
    elif value is not None:
        ways[value] = ways.get(value, 0) + share


def _fractions(ways: Mapping[T, int | Fraction], whole: int) -> dict[T, Fraction]:
    return {value: Fraction(many, whole) for value, many in ways.items()}


def spread_of(
    run: Run,
    see: Callable[[Outcome], T],
    choices: Choices | None = None,
    most: int = MOST_BRANCHES,
) -> dict[T, Fraction]:
    """Return the distribution of the values that `see` returns for each outcome. Raises TooManyDice."""
    return spread_seen(Walker(choices), run, see, most)


def spread_seen(walker: Walker, run: Run, see: Callable[[Outcome], T], most: int) -> dict[T, Fraction]:
    found: dict[T, dict[int, int]] = {}
    for weight, of, outcome in walker.walk(run, most):
        ways = found.setdefault(see(outcome), {})
        ways[of] = ways.get(of, 0) + weight
    return {
        value: sum((Fraction(weight, of) for of, weight in ways.items()), Fraction(0))
        for value, ways in found.items()
    }
