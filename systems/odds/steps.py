"""The odds of several steps of one action: states that are equal after a step are put together."""

from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import partial
from math import gcd, lcm
from typing import Any, TypeVar

from systems.contract.table import Table
from systems.odds.weights import Sums

S = TypeVar("S", bound=Hashable)
K = TypeVar("K")
TakeStep = Callable[[Table, K, S, Any], tuple[S, Any, Any]]
WalkSteps = Callable[[Callable[[Table], Any]], Iterator[tuple[int, int, Any]]]


def odds_in_steps(
    walk: WalkSteps, kinds: Sequence[K], step: TakeStep[K, S], start: S
) -> tuple[list[tuple[S, Any, tuple[Any, ...]]], list[int], int]:
    """Return each last state with its sums, the weights and their total. Raises TooManyDice."""
    states: dict[S, dict[int, int]] = {start: {0: 1}}
    for kind in kinds:
        states = _after(walk, partial(_taken, step, kind), states)
    weights = [sum(ways.values()) for ways in states.values()]
    return [(state, _sums(ways), ()) for state, ways in states.items()], weights, sum(weights)


def _taken(step: TakeStep[K, S], kind: K, state: S, sums: Any, table: Table) -> tuple[S, Any]:
    after, total, _ = step(table, kind, state, sums)
    return after, total


def _sums(ways: dict[int, int]) -> Any:
    """Return the sums of a state as an action reads them."""
    return next(iter(ways)) if len(ways) == 1 else Sums(partial(dict, ways))


def _after(
    walk: WalkSteps, step: Callable[[S, Any, Table], tuple[S, Any]], states: dict[S, dict[int, int]]
) -> dict[S, dict[int, int]]:
    """Return the states after one more step, with the weight of each sum."""
    found: list[tuple[S, Any, int, int]] = []
    for state, ways in states.items():
        before = sum(ways.values())
        for weight, of, (after, sums) in walk(partial(step, state, _sums(ways))):
            # The weight of one way to reach a sum of this branch, as a fraction.
            many, whole = weight * before, of * (sums.total if isinstance(sums, Sums) else 1)
            common = gcd(many, whole)
            found.append((after, sums, many // common, whole // common))
    whole = lcm(*(of for *_, of in found))
    together: dict[S, dict[int, int]] = {}
    for after, sums, many, of in found:
        into, factor = together.setdefault(after, {}), many * (whole // of)
        for value, each in sums.ways.items() if isinstance(sums, Sums) else ((sums, 1),):
            into[value] = into.get(value, 0) + each * factor
    common = gcd(*(weight for ways in together.values() for weight in ways.values()))
    return {
        state: {value: many // common for value, many in ways.items()} for state, ways in together.items()
    }
