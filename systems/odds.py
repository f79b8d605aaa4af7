"""Exact odds of any action, by running its own code over every branch of its dice.

The walker is a table. It runs the action again and again, each time along the next path through the
dice that the action asks for. Weights are whole numbers and become fractions only at the end.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations_with_replacement
from math import comb, factorial, lcm, prod
from typing import Any, TypeVar

from systems.contract.outcome import Fact, Outcome
from systems.contract.table import Blow, Chance, Choices, Table
from systems.errors import InputError
from systems.frozen import frozen

T = TypeVar("T", bound=Hashable)
MOST_BRANCHES = 200_000
MOST_SPREAD = 20_000
MOST_BITS = 8_000_000  # of the number that a convolution multiplies out to: under a second
_NEW = object()


class TooManyDice(InputError, ValueError):
    """The exact odds would take longer than anybody waits."""

    code = "dice"

    def __init__(self) -> None:
        super().__init__("too many dice for exact odds")


@frozen(eq=False)
class Sums:
    """What stands for the sum of a graded blow: all sums of that grade, and in how many ways each falls.

    A fact may hold it. It has no arithmetic: an action that looks at the sum and not at the grade fails.
    """

    ways: Mapping[int, int]
    total: int


def shares(value: Fact) -> Iterator[tuple[Fact, int | Fraction]]:
    """What a fact's value in one branch comes to: itself, or each of the sums with its share."""
    if type(value) is Sums:
        for total, many in value.ways.items():
            yield total, Fraction(many, value.total)
    else:
        yield value, 1


class _Fork:
    """One asking for chance: its values with weights, and which of them this run takes.

    `of` and `before` are products: of all totals down to here, of the weights taken above it.
    """

    __slots__ = ("values", "weights", "of", "before", "at")

    def __init__(self, values: Sequence[Any], weights: Sequence[int] | None, of: int, before: int) -> None:
        self.values, self.weights, self.of, self.before, self.at = values, weights, of, before, 0

    @property
    def weight(self) -> int:
        """How much the path down to here weighs, of `of`."""
        return self.before * self.weights[self.at] if self.weights else self.before


class Walker(Table):
    """A table where every branch is taken, one run after another.

    A run is given again the values of the path that it shares with the last one (`_path`), and
    opens a new fork wherever it asks for more: by then the path's iterator is at its end for good.
    """

    def __init__(self, choices: Choices | None = None) -> None:
        super().__init__(_NoDice(), choices)
        self._forks: list[_Fork] = []
        self._values: list[Any] = []
        self._path: Iterator[Any] = iter(())

    def walk(self, run: Callable[[Table], T], most: int = MOST_BRANCHES) -> Iterator[tuple[int, int, T]]:
        """Each branch of `run` as (weight, of how many, result). Raises TooManyDice past `most`."""
        forks, values = self._forks, self._values
        for _ in range(most):
            self._path = iter(values)
            result = run(self)
            if not forks:
                yield 1, 1, result
                return
            yield forks[-1].weight, forks[-1].of, result
            while forks[-1].at + 1 == len(forks[-1].values):
                forks.pop()
                values.pop()
                if not forks:
                    return
            last = forks[-1]
            last.at += 1
            values[-1] = last.values[last.at]
        raise TooManyDice

    def _fork(self, values: Sequence[T], weights: Sequence[int] | None, total: int) -> T:
        """A new fork at the end of the path, at its first value."""
        forks = self._forks
        of, before = (forks[-1].of, forks[-1].weight) if forks else (1, 1)
        forks.append(_Fork(values, weights, of * total, before))
        self._values.append(values[0])
        return values[0]

    def d(self, sides: int, why: str, of: str = "actor") -> int:
        face: int = next(self._path, 0)
        return face or self._fork(range(1, sides + 1), None, sides)

    def spill(self, sides: int, why: str, of: str = "actor") -> None:
        """Whatever it shows, nothing depends on it."""

    def chance(self, target: int, sides: int, why: str, of: str = "actor") -> Chance:
        found: Chance | None = next(self._path, None)
        return found or self._fork(*_passing(target, sides))

    def pool(self, number: int, sides: int, why: str, of: str = "actor") -> tuple[int, ...]:
        found: tuple[int, ...] | None = next(self._path, None)
        return self._fork(*_multisets(number, sides)) if found is None else found

    def blows(self, number: int, blow: Blow, why: str, of: str = "actor") -> int:
        found: int | None = next(self._path, None)
        return self._fork(*spread(number, blow)) if found is None else found

    def graded(self, blow: Blow, grade: Callable[[int], T], why: str, of: str = "actor") -> tuple[T, int]:
        found: Any = next(self._path, None)
        return self._fork(*_grades(blow, grade)) if found is None else found

    def until(self, part: Callable[[Table], T], accept: Callable[[T], bool]) -> tuple[T, int | None]:
        found: Any = next(self._path, _NEW)
        return (self._fork(*_accepted(part, accept, self._choices)) if found is _NEW else found), None


class _NoDice:
    """The walker never throws a die."""

    def face(self, sides: int, why: str = "", of: str = "") -> int:
        raise AssertionError("a walked table asked for a real die")


@lru_cache(maxsize=1024)
def _passing(target: int, sides: int) -> tuple[Sequence[Chance], Sequence[int], int]:
    passing = max(0, min(target, sides))
    both = ((Chance(True, passing), passing), (Chance(False, sides), sides - passing))
    possible = [(face, weight) for face, weight in both if weight]
    return [face for face, _ in possible], [weight for _, weight in possible], sides


@lru_cache(maxsize=64)
def _multisets(number: int, sides: int) -> tuple[Sequence[tuple[int, ...]], Sequence[int], int]:
    """Pools from high to low with the number of throws that give each."""
    if comb(number + sides - 1, number) > MOST_SPREAD:
        raise TooManyDice
    faces = list(combinations_with_replacement(range(sides, 0, -1), number))
    ways = [factorial(number) // prod(factorial(pool.count(face)) for face in set(pool)) for pool in faces]
    return faces, ways, sides**number


def _accepted(
    part: Callable[[Table], T], accept: Callable[[T], bool], choices: Choices
) -> tuple[Sequence[T], Sequence[int], int]:
    """The results of `part` that end the repetition, with weights over those alone."""
    found: dict[T, Fraction] = {}
    for weight, of, value in Walker(choices).walk(part):
        if accept(value):
            found[value] = found.get(value, Fraction(0)) + Fraction(weight, of)
    if not found:
        raise TooManyDice  # no throw ends it
    scale = lcm(*(chance.denominator for chance in found.values()))
    weights = [int(chance * scale) for chance in found.values()]
    return list(found), weights, sum(weights)


@lru_cache(maxsize=128)
def spread(number: int, blow: Blow) -> tuple[Sequence[int], Sequence[int], int]:
    """The sums of `number` blows from low to high, their weights, and the sum of the weights."""
    rolled: dict[int, int] = {0: 1}
    for many, sides in blow.dice:
        rolled = _power(dict.fromkeys(range(1, sides + 1), 1), many, rolled)
    single: dict[int, int] = {}
    for total, ways in rolled.items():
        worth = blow.worth(total)
        single[worth] = single.get(worth, 0) + ways
    sums = _power(single, number, {0: 1})
    values = sorted(value for value, ways in sums.items() if ways)
    return values, [sums[value] for value in values], sum(sums.values())


@lru_cache(maxsize=128)
def _grades(
    blow: Blow, grade: Callable[[int], Hashable]
) -> tuple[Sequence[tuple[Any, Any]], Sequence[int], int]:
    """Each grade of a blow, with the sums that have it and in how many ways it falls."""
    values, weights, of = spread(1, blow)
    found: dict[Hashable, dict[int, int]] = {}
    for value, weight in zip(values, weights, strict=True):
        found.setdefault(grade(value), {})[value] = weight
    sums = [Sums(ways, sum(ways.values())) for ways in found.values()]
    return list(zip(found, sums, strict=True)), [part.total for part in sums], of


def _power(single: Mapping[int, int], times: int, start: Mapping[int, int]) -> dict[int, int]:
    """`start` plus `times` independent `single`s, as value -> ways.

    The ways are packed as the digits of one huge number each, so that one multiplication of whole
    numbers convolves two distributions.
    """
    low, low_start = min(single), min(start)
    width = max(single) - low
    values = width * times + max(start) - low_start
    total = sum(single.values()) ** times * sum(start.values())
    bits = (total.bit_length() + 8) // 8 * 8
    if values > MOST_SPREAD or values * bits > MOST_BITS:
        raise TooManyDice
    packed = sum(ways << (bits * (value - low)) for value, ways in single.items())
    packed_start = sum(ways << (bits * (value - low_start)) for value, ways in start.items())
    product = packed**times * packed_start
    size = bits // 8
    raw = product.to_bytes((product.bit_length() + 7) // 8 + size, "little")
    first = low * times + low_start
    ways = (int.from_bytes(raw[at : at + size], "little") for at in range(0, len(raw), size))
    return {first + at: many for at, many in enumerate(ways) if many}


Run = Callable[[Table], Outcome]


def facts_odds(
    run: Run, choices: Choices | None = None, most: int = MOST_BRANCHES
) -> dict[str, dict[Fact, Fraction]]:
    """Fact -> value -> probability, over every branch. Raises TooManyDice.

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
    """The distribution of whatever `see` makes of each outcome. Raises TooManyDice."""
    found: dict[T, dict[int, int]] = {}
    for weight, of, outcome in Walker(choices).walk(run, most):
        ways = found.setdefault(see(outcome), {})
        ways[of] = ways.get(of, 0) + weight
    return {
        value: sum((Fraction(weight, of) for of, weight in ways.items()), Fraction(0))
        for value, ways in found.items()
    }
