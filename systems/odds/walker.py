"""The walker: a table that runs an action repeatedly, each time along the next path through its dice.

Weights are whole numbers and become fractions only at the end.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import cycle
from math import gcd, lcm
from typing import Any, TypeVar

from systems.contract.aside import Aside
from systems.contract.damage import Blow, DamagePart, DamageRoll, DamageTally, Levels
from systems.contract.outcome import Fact, Outcome
from systems.contract.series import Series, SeriesState, SeriesStrike
from systems.contract.table import Chance, Choices, ExtraDice, Table, face_worths
from systems.dice.expression import Expression
from systems.odds.series import series_odds
from systems.odds.steps import odds_in_steps
from systems.odds.weights import (
    MOST_BRANCHES,
    MOST_REPEATED,
    Sums,
    TooManyDice,
    added_damage,
    aside,
    counts,
    decisions,
    graded,
    grades,
    mixtures,
    multisets,
    passing,
    spread,
    totals,
)

T = TypeVar("T", bound=Hashable)
K = TypeVar("K")
Resolve = Callable[[Table], Outcome]
# Up to this many branches of one weight are counted one by one; more are counted together.
FEW = 8
_NEW = object()


class _Fork:
    """One random decision: its values with weights, and the one that this run takes.

    `of` and `before` are products: of all totals up to here, and of the weights taken before it. `weight` is
    that of the path so far, out of `of`.
    """

    __slots__ = ("values", "weights", "of", "before", "at", "weight")

    def __init__(self, values: Sequence[Any], weights: Sequence[int] | None, of: int, before: int) -> None:
        self.values, self.weights, self.of, self.before, self.at = values, weights, of, before, 0
        self.weight = before * weights[0] if weights else before

    def take_next(self) -> None:
        """Take the value after the current one."""
        self.at += 1
        if self.weights:
            self.weight = self.before * self.weights[self.at]


class _Shared:
    """What a walker shares with the walkers of its parts.

    `left`: the number of branches left, including those in repetitions. `decided`: the results of `by_damage`
    for each amount.
    """

    __slots__ = ("left", "decided")

    def __init__(self, left: int) -> None:
        self.left = left
        self.decided: dict[Hashable, dict[int, Sequence[tuple[int, int, Any]]]] = {}


class Walker(Table):
    """A table that takes every branch, one run after another.

    A run first gets the values of the path that it shares with the last one (`_path`), and opens a new fork
    when it asks for more; the path's iterator is then exhausted.
    """

    def __init__(self, choices: Choices | None = None, shared: _Shared | None = None) -> None:
        super().__init__(_NoDice(), choices)
        self._shared = shared
        self._forks: list[_Fork] = []
        self._values: list[Any] = []
        self._path: Iterator[Any] = iter(())
        self._asides = 0  # the number of rolls of `beside` in this run

    def walk(self, run: Callable[[Table], T], most: int = MOST_BRANCHES) -> Iterator[tuple[int, int, T]]:
        """Yield each branch of `run` as (weight, total weight, result). Raises TooManyDice above `most`."""
        forks, values = self._forks, self._values
        shared = self._shared = self._shared or _Shared(most)
        while shared.left > 0:
            shared.left -= 1
            self._path, self._asides = iter(values), 0
            result = run(self)
            if not forks:
                yield 1, 1, result
                return
            last = forks[-1]
            yield last.weight, last.of, result
            while last.at + 1 == len(last.values):
                forks.pop()
                values.pop()
                if not forks:
                    return
                last = forks[-1]
            last.take_next()
            values[-1] = last.values[last.at]
        raise TooManyDice

    def _fork(self, values: Sequence[T], weights: Sequence[int] | None, total: int) -> T:
        """Add a decision at the end of the path, at its first value. Raises TooManyDice above the budget."""
        forks = self._forks
        assert self._shared is not None
        if len(values) - 1 > self._shared.left:
            raise TooManyDice
        of, before = (forks[-1].of, forks[-1].weight) if forks else (1, 1)
        forks.append(_Fork(values, weights, of * total, before))
        self._values.append(values[0])
        return values[0]

    def d(self, sides: int, why: str, of: str = "actor") -> int:
        face: int = next(self._path, 0)
        return face or self._fork(range(1, sides + 1), None, sides)

    def unused_die(self, sides: int, why: str, of: str = "actor") -> None:
        """Accept a die that nothing depends on."""

    def chance(self, target: int, sides: int, why: str, of: str = "actor", *, over: bool = False) -> Chance:
        found: Chance | None = next(self._path, None)
        return found or self._fork(*passing(target, sides, over))

    def pool(self, number: int, sides: int, why: str, of: str = "actor") -> tuple[int, ...]:
        found: tuple[int, ...] | None = next(self._path, None)
        return self._fork(*multisets(number, sides)) if found is None else found

    def blows(self, number: int, blow: Blow, why: str, of: str = "actor") -> int:
        found: int | None = next(self._path, None)
        return self._fork(*spread(number, blow)) if found is None else found

    def roll(self, dice: str | Expression, why: str = "", of: str = "actor") -> int:
        found: int | None = next(self._path, None)
        return self._fork(*totals(dice)) if found is None else found

    def count(
        self, number: int, sides: int, worth: int | tuple[int, ...], why: str, of: str = "actor"
    ) -> int:
        found: int | None = next(self._path, None)
        return self._fork(*counts(number, face_worths(sides, worth))) if found is None else found

    def damage(
        self,
        parts: Sequence[DamagePart],
        why: str = "damage",
        of: str = "actor",
        given: Sequence[int] | None = None,
    ) -> DamageRoll:
        if given is not None:
            return DamageRoll.of(parts, given)
        found: Any = next(self._path, None)
        return self._fork(*mixtures(tuple(parts))) if found is None else found

    def add_damage(
        self,
        before: DamageTally,
        parts: Sequence[DamagePart],
        plus: int = 0,
        levels: Levels = None,
        why: str = "damage",
        of: str = "actor",
    ) -> DamageTally:
        found: DamageTally | None = next(self._path, None)
        return self._fork(*added_damage(before, tuple(parts), plus, levels)) if found is None else found

    def by_damage(self, tally: DamageTally, decide: Callable[[Table, int], T]) -> tuple[T, DamageTally]:
        if isinstance(tally.last, int):
            return super().by_damage(tally, decide)
        found: tuple[T, DamageTally] | None = next(self._path, None)
        if found is None:
            assert self._shared is not None
            known = self._shared.decided.setdefault(decide, {})
            found = self._fork(*decisions(tally, partial(self._decided, decide, known)))
        return found

    def _decided(
        self, decide: Callable[[Table, int], T], known: dict[int, Sequence[tuple[int, int, T]]], damage: int
    ) -> Sequence[tuple[int, int, T]]:
        """Return the decisions about an amount of damage, with their weights."""
        found = known.get(damage)
        if found is None:
            found = known[damage] = list(self._inner().walk(lambda table: decide(table, damage)))
        return found

    def one_of(self, sum: Any) -> int:
        if isinstance(sum, int):
            return sum
        found: int | None = next(self._path, None)
        if found is None:
            ways = sum.ways
            found = self._fork(list(ways), list(ways.values()), sum.total)
        return found

    def in_steps(
        self,
        kinds: Sequence[K],
        step: Callable[[Table, K, T, Any], tuple[T, Any, Any]],
        start: T,
    ) -> tuple[T, Any, tuple[Any, ...]]:
        found: tuple[T, Any, tuple[Any, ...]] | None = next(self._path, None)
        if found is None:
            found = self._fork(*odds_in_steps(lambda run: self._inner().walk(run), kinds, step, start))
        return found

    def grouped(
        self, dice: Blow | str | Expression, grade: Callable[[int], T], why: str, of: str = "actor"
    ) -> tuple[T, int]:
        found: Any = next(self._path, None)
        return self._fork(*grades(dice, grade)) if found is None else found

    def graded(
        self,
        dice: str | Expression,
        grade: Callable[[int, int], T],
        why: str,
        of: str = "actor",
        *,
        extra: Sequence[ExtraDice] = (),
        plus: int = 0,
    ) -> tuple[T, int, int, tuple[int, ...]]:
        found: Any = next(self._path, None)
        return found or self._fork(*graded(dice, grade, tuple(more for more, _ in extra), plus))

    def beside(
        self,
        dice: str | Expression,
        passes: Callable[[int, int], bool],
        why: str,
        of: str = "actor",
        *,
        extra: Sequence[ExtraDice] = (),
        plus: int = 0,
    ) -> Aside:
        self._asides += 1
        return aside(dice, passes, tuple(more for more, _ in extra), plus, self._asides)

    def series(
        self,
        kinds: Sequence[Hashable],
        strike: Callable[[Table, Any, Any], SeriesStrike],
        seen: Callable[[SeriesState], Hashable],
        start: Series,
    ) -> Series:
        found: Series | None = next(self._path, None)
        if found is None:
            found = self._fork(*series_odds(lambda run: self._inner().walk(run), kinds, strike, seen))
        return found

    def until(self, part: Callable[[Table], T], accept: Callable[[T], bool]) -> tuple[T, int | None]:
        found: Any = next(self._path, _NEW)
        if found is _NEW:
            found = self._fork(*_accepted(part, accept, self._inner()))
        return found, None

    def _inner(self) -> "Walker":
        """Return a walker for a part of this action, with the same budget."""
        assert self._shared is not None
        inner = Walker(self._choices, self._shared)
        inner.brief, inner.only_changes = self.brief, self.only_changes
        return inner


class _NoDice:
    """A dice source that is never used."""

    def face(self, sides: int, why: str = "", of: str = "") -> int:
        raise AssertionError("a walked table asked for a real die")


def _accepted(
    part: Callable[[Table], T], accept: Callable[[T], bool], walker: Walker
) -> tuple[Sequence[T], Sequence[int], int]:
    """Return the accepted results of `part`, with weights among those alone."""
    found: dict[T, dict[int, int]] = {}  # value -> total weight -> weight
    for count, (weight, of, value) in enumerate(walker.walk(part)):
        if count >= MOST_REPEATED:
            raise TooManyDice
        if accept(value):
            ways = found.setdefault(value, {})
            ways[of] = ways.get(of, 0) + weight
    if not found:
        raise TooManyDice  # no roll ends it
    whole = lcm(*(of for ways in found.values() for of in ways))
    weights = [sum(weight * (whole // of) for of, weight in ways.items()) for ways in found.values()]
    common = gcd(*weights)
    weights = [weight // common for weight in weights]
    return list(found), weights, sum(weights)


def facts_odds(
    run: Resolve, choices: Choices | None = None, most: int = MOST_BRANCHES
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
    odds: dict[str, dict[Fact, int]] = {}
    columns: dict[tuple[str, ...], list[dict[Fact, int]]] = {}
    for (weight, of, *facts_told), values in strung.items():
        names, share = tuple(facts_told), weight * whole // of
        into = columns.get(names)
        if into is None:
            into = columns[names] = [odds.setdefault(name, {}) for name in names]
        _count(into, values, share)
    spread = {name: _fractions(*spread_sums(ways, whole)) for name, ways in odds.items()}
    return {name: ways for name, ways in spread.items() if ways}


def _count(into: Sequence[dict[Fact, int]], values: Sequence[Fact], share: int) -> None:
    """Count the values of branches one by one, each with this share."""
    if len(values) <= FEW * len(into):
        for ways, value in zip(cycle(into), values):
            ways[value] = ways.get(value, 0) + share
        return
    for at, ways in enumerate(into):
        for value, times in Counter(values[at :: len(into)]).items():
            ways[value] = ways.get(value, 0) + share * times


def spread_sums(ways: Mapping[Fact, int], whole: int) -> tuple[dict[Fact, int], int]:
    """Return the ways with those of each Sums spread over its values, and their total; leave out None."""
    factor = lcm(*{value.total for value in ways if type(value) is Sums})
    found: dict[Fact, int] = {}
    for value, many in ways.items():
        if type(value) is Sums:
            part = many * factor // value.total
            for total, each in value.ways.items():
                found[total] = found.get(total, 0) + part * each
        elif value is not None:
            found[value] = found.get(value, 0) + many * factor
    return found, whole * factor


def _fractions(ways: Mapping[T, int], whole: int) -> dict[T, Fraction]:
    return {value: Fraction(many, whole) for value, many in ways.items()}


def spread_of(
    run: Resolve,
    see: Callable[[Outcome], T],
    choices: Choices | None = None,
    most: int = MOST_BRANCHES,
) -> dict[T, Fraction]:
    """Return the distribution of the values that `see` returns for each outcome. Raises TooManyDice."""
    return spread_seen(Walker(choices), run, see, most)


def spread_seen(walker: Walker, run: Resolve, see: Callable[[Outcome], T], most: int) -> dict[T, Fraction]:
    return _fractions(*ways_seen(walker, run, see, most))


def ways_of(
    run: Resolve,
    see: Callable[[Outcome], T],
    choices: Choices | None = None,
    most: int = MOST_BRANCHES,
) -> tuple[dict[T, int], int]:
    """Return `spread_of` in whole numbers, and their total, for callers that count on."""
    return ways_seen(Walker(choices), run, see, most)


def ways_seen(
    walker: Walker, run: Resolve, see: Callable[[Outcome], T], most: int
) -> tuple[dict[T, int], int]:
    found: dict[tuple[T, int], int] = {}
    for weight, of, outcome in walker.walk(run, most):
        key = see(outcome), of
        found[key] = found.get(key, 0) + weight
    whole = lcm(*{of for _, of in found})
    ways: dict[T, int] = {}
    for (value, of), weight in found.items():
        ways[value] = ways.get(value, 0) + weight * (whole // of)
    return ways, whole
