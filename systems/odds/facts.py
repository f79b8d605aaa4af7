"""What the branches of an action come to: the odds of its facts, and of anything that is seen in it."""

from collections import Counter
from collections.abc import Callable, Hashable, Mapping
from fractions import Fraction
from math import lcm
from typing import Any, TypeVar

from systems.contract.outcome import Fact, Outcome
from systems.contract.table import Choices, Table
from systems.odds.limits import MOST_BRANCHES
from systems.odds.sums import shares
from systems.odds.walker import Walker

T = TypeVar("T", bound=Hashable)
Run = Callable[[Table], Outcome]


def facts_odds(
    run: Run, choices: Choices | None = None, most: int = MOST_BRANCHES
) -> dict[str, dict[Fact, Fraction]]:
    """Return fact -> value -> probability over every branch. Raises TooManyDice.

    A fact that a branch does not have adds nothing there.
    """
    # Values of branches with equal weight and equal names are strung together first and counted
    # fact by fact at the end: counting is then one pass in C for each fact.
    strung: dict[tuple[Any, ...], list[Fact]] = {}
    for weight, of, outcome in Walker(choices).walk(run, most):
        facts = outcome.facts
        key = (weight, of, *facts)
        values = strung.get(key)
        if values is None:
            values = strung[key] = []
        values += facts.values()
    whole = lcm(*(of for _, of, *_ in strung))
    odds: dict[str, dict[Fact, int | Fraction]] = {}
    for (weight, of, *names), values in strung.items():
        share = weight * whole // of
        for at, name in enumerate(names):
            into = odds.setdefault(name, {})
            for value, times in Counter(values[at :: len(names)]).items():
                for fact, part in shares(value):
                    if fact is not None:
                        into[fact] = into.get(fact, 0) + share * times * part
    return {name: _fractions(ways, whole) for name, ways in odds.items() if ways}


def _fractions(ways: Mapping[T, int | Fraction], whole: int) -> dict[T, Fraction]:
    return {value: Fraction(many, whole) for value, many in ways.items()}


def spread_of(
    run: Run,
    see: Callable[[Outcome], T],
    choices: Choices | None = None,
    most: int = MOST_BRANCHES,
) -> dict[T, Fraction]:
    """Return the distribution of what `see` returns for each outcome. Raises TooManyDice."""
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
