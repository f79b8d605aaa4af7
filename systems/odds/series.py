"""The odds of several strikes in one use of an action, walked once for each group of states."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from math import gcd, lcm, prod
from operator import mul
from typing import Any

from systems.contract.outcome import GivenCondition
from systems.contract.series import Series, SeriesState, SeriesStrike
from systems.contract.share import Share, never_of
from systems.contract.table import Table
from systems.frozen import evolve, frozen

_SHARED = 1_000_000  # added to the number of a condition, so that no roll of the branch has the same one
WalkStrikes = Callable[[Callable[[Table], SeriesStrike]], Iterator[tuple[int, int, SeriesStrike]]]


# The weight of a state, then for each condition that of the part in which it has not been given.
_Weights = list[int]
# Damage so far -> weights, for states that differ in nothing else.
_ByDamage = dict[int, _Weights]


@frozen(eq=False)
class _Walked:
    """The results of one strike in one group of states, weighted out of `whole`.

    `ways`: what a result adds except for damage -> damage, weight, and for some conditions the weight of the
    part in which the condition is not given.
    """

    ways: Mapping[SeriesState, Sequence[tuple[int, int, Mapping[GivenCondition, int]]]]
    whole: int


def series_odds(
    walk: WalkStrikes,
    kinds: Sequence[Hashable],
    strike: Callable[[Table, Any, Any], SeriesStrike],
    seen: Callable[[SeriesState], Hashable],
) -> tuple[list[Series], list[int], int]:
    """Return each result of a series, with the weights and their total. Raises TooManyDice."""
    known: dict[tuple[Hashable, Hashable], _Walked] = {}
    states: dict[SeriesState, _ByDamage] = {SeriesState(): {0: [1]}}
    conditions: list[GivenCondition] = []
    total = 1
    for kind in kinds:
        grouped = {rest: _grouped(rest, by_damage, seen) for rest, by_damage in states.items()}
        groups = {group for members in grouped.values() for group in members}
        for group in groups:
            if group is not None and (kind, group) not in known:
                known[kind, group] = _walked(walk, partial(_struck, strike, kind, group))
        walked = {group: known.get((kind, group)) for group in groups}
        _add_conditions(conditions, walked.values(), states)
        whole = lcm(*(each.whole for each in walked.values() if each is not None))
        states = _after(grouped, walked, whole, conditions)
        total *= whole
    found = [
        (SeriesState(damage, rest.hits, rest.marks, rest.interruptions), weights)
        for rest, by_damage in states.items()
        for damage, weights in by_damage.items()
    ]
    common = gcd(*(weights[0] for _, weights in found))
    results = [Series(state, _shared(conditions, weights)) for state, weights in found]
    return results, [weights[0] // common for _, weights in found], total // common


def _grouped(
    rest: SeriesState, by_damage: _ByDamage, seen: Callable[[SeriesState], Hashable]
) -> dict[Hashable, list[tuple[int, _Weights]]]:
    """Return states that differ only in damage, by the group that a strike can tell apart."""
    groups: dict[Hashable, list[tuple[int, _Weights]]] = {}
    for damage, weights in by_damage.items():
        state = SeriesState(damage, rest.hits, rest.marks, rest.interruptions)
        groups.setdefault(seen(state), []).append((damage, weights))
    return groups


def _struck(
    strike: Callable[[Table, Any, Any], SeriesStrike], kind: Hashable, group: Hashable, table: Table
) -> SeriesStrike:
    return strike(table, kind, group)


def _walked(walk: WalkStrikes, run: Callable[[Table], SeriesStrike]) -> _Walked:
    """Return the results of a strike; equal ones are put together."""
    found: dict[tuple[SeriesState, int, tuple[GivenCondition, ...]], dict[int, int]] = {}
    for weight, of, strike in walk(run):
        adds = SeriesState(0, strike.hits, strike.marks, strike.interruptions)
        ways = found.setdefault((adds, strike.damage, strike.gives), {})
        ways[of] = ways.get(of, 0) + weight
    shares = lcm(*(prod(_denominators(gives)) for *_, gives in found))
    whole = lcm(*(of for ways in found.values() for of in ways)) * shares
    results: dict[SeriesState, list[tuple[int, int, Mapping[GivenCondition, int]]]] = {}
    for (adds, damage, gives), ways in found.items():
        weight = sum(many * (whole // of) for of, many in ways.items())
        results.setdefault(adds, []).append((damage, weight, _without(gives, weight)))
    return _Walked(results, whole)


def _denominators(gives: Sequence[GivenCondition]) -> list[int]:
    """Return the whole of each roll that decides about a condition, each roll once."""
    return list({given.share.roll: given.share.of for given in gives if given.share is not None}.values())


def _without(gives: Sequence[GivenCondition], weight: int) -> Mapping[GivenCondition, int]:
    """Return the weight of the part of a result in which each condition is not given."""
    shares: dict[GivenCondition, list[Share]] = {}
    certain: set[GivenCondition] = set()
    for given in gives:
        plain = evolve(given, share=None)
        if given.share is None:
            certain.add(plain)
        else:
            shares.setdefault(plain, []).append(given.share)
    parts = {}
    for plain, causes in shares.items():
        never, of = never_of(causes)
        parts[plain] = weight * never // of
    return {**parts, **dict.fromkeys(certain, 0)}


def _add_conditions(
    conditions: list[GivenCondition],
    walked: Iterable[_Walked | None],
    states: Mapping[SeriesState, _ByDamage],
) -> None:
    """Add the conditions that a strike may give for the first time; no state has them yet."""
    ways = (way for each in walked if each for some in each.ways.values() for way in some)
    new = dict.fromkeys(given for *_, parts in ways for given in parts if given not in conditions)
    conditions += new
    for by_damage in states.values() if new else ():
        for weights in by_damage.values():
            weights.extend([weights[0]] * len(new))


def _after(
    grouped: Mapping[SeriesState, Mapping[Hashable, Sequence[tuple[int, _Weights]]]],
    walked: Mapping[Hashable, _Walked | None],
    whole: int,
    conditions: Sequence[GivenCondition],
) -> dict[SeriesState, _ByDamage]:
    """Return the states after one more strike, weighted out of `whole` times the total before."""
    after: dict[SeriesState, _ByDamage] = {}
    no_strike = {SeriesState(): [(0, [whole] * (1 + len(conditions)))]}
    scaled = {
        group: no_strike if each is None else _scaled(each, whole // each.whole, conditions)
        for group, each in walked.items()
    }
    for rest, members_by_group in grouped.items():
        for group, members in members_by_group.items():
            for adds, ways in scaled[group].items():
                into = after.setdefault(rest.and_then(adds), {})
                for before, weights in members:
                    for damage, times in ways:
                        known = into.get(before + damage)
                        if known is None:
                            into[before + damage] = list(map(mul, weights, times))
                        else:
                            for at, weight in enumerate(map(mul, weights, times)):
                                known[at] += weight
    return after


def _scaled(
    walked: _Walked, factor: int, conditions: Sequence[GivenCondition]
) -> Mapping[SeriesState, Sequence[tuple[int, _Weights]]]:
    """Return the results of a strike with a weight for each condition, all of them times `factor`."""
    return {
        adds: [
            (damage, [weight * factor, *(parts.get(given, weight) * factor for given in conditions)])
            for damage, weight, parts in ways
        ]
        for adds, ways in walked.ways.items()
    }


def _shared(conditions: Sequence[GivenCondition], weights: _Weights) -> tuple[GivenCondition, ...]:
    """Return the conditions of a state, each with the share of it in which it has been given."""
    whole, *without = weights
    return tuple(
        evolve(given, share=Share(_SHARED + at, True, whole - never, whole))
        for at, (given, never) in enumerate(zip(conditions, without, strict=True))
        if never < whole
    )
