"""Exact odds of any action, by running its own code over every branch of its dice.

The walker is a table. It runs the action again and again, each time along the next path through the
dice that the action asks for. Weights are whole numbers and become fractions only at the end.
"""

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property, lru_cache, partial
from itertools import combinations_with_replacement
from math import comb, factorial, lcm, prod
from typing import Any, TypeVar

from systems.contract.damage import Blow, DamagePart, DamageRoll
from systems.contract.outcome import Fact, Outcome
from systems.contract.table import Chance, Choices, Table, face_worths
from systems.dice.distribution import TooMuchWork, line_weights
from systems.dice.expression import DiceError, Expression
from systems.dice.notation import maximum, minimum, parse
from systems.errors import InputError, Wrong

T = TypeVar("T", bound=Hashable)
MOST_BRANCHES = 200_000
MOST_SPREAD = 20_000
MOST_BITS = 1_000_000  # of the number that a convolution multiplies out to: some milliseconds
MOST_WORK = 50_000  # of dice in notation (distribution.MOST_WORK): some milliseconds
_NEW = object()


class TooManyDice(InputError, ValueError):
    """The exact odds would take too long."""

    code = "dice"

    def __init__(self) -> None:
        super().__init__("too many dice for exact odds")


class Sums:
    """A fact in odds that stands for all sums of a branch, with the number of ways each can fall.

    A fact may hold it. It has no arithmetic: an action that reckons with it fails.
    """

    def __init__(self, find: Callable[[], Mapping[int, int]]) -> None:
        self._find = find

    @cached_property
    def ways(self) -> Mapping[int, int]:
        """Return sum -> number of ways it can fall; worked out when first needed."""
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


class _Fork:
    """One random decision: its values with weights, and the one this run takes.

    `of` and `before` are products: of all totals down to here, of the weights taken above it.
    """

    __slots__ = ("values", "weights", "of", "before", "at")

    def __init__(self, values: Sequence[Any], weights: Sequence[int] | None, of: int, before: int) -> None:
        self.values, self.weights, self.of, self.before, self.at = values, weights, of, before, 0

    @property
    def weight(self) -> int:
        """Return the weight of the path so far, out of `of`."""
        return self.before * self.weights[self.at] if self.weights else self.before


class _Budget:
    """The number of branches left, those inside repetitions included."""

    __slots__ = ("left",)

    def __init__(self, left: int) -> None:
        self.left = left


class Walker(Table):
    """A table that takes every branch, one run after another.

    A run is given again the values of the path that it shares with the last one (`_path`), and
    opens a new fork wherever it asks for more: by then the path's iterator is at its end for good.
    """

    def __init__(self, choices: Choices | None = None, budget: _Budget | None = None) -> None:
        super().__init__(_NoDice(), choices)
        self._budget = budget
        self._forks: list[_Fork] = []
        self._values: list[Any] = []
        self._path: Iterator[Any] = iter(())

    def walk(self, run: Callable[[Table], T], most: int = MOST_BRANCHES) -> Iterator[tuple[int, int, T]]:
        """Yield each branch of `run` as (weight, of how many, result). Raises TooManyDice past `most`."""
        forks, values = self._forks, self._values
        budget = self._budget = self._budget or _Budget(most)
        while budget.left > 0:
            budget.left -= 1
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
        """Add a decision at the end of the path, at its first value. Raises TooManyDice past the budget."""
        forks = self._forks
        assert self._budget is not None
        if len(values) - 1 > self._budget.left:
            raise TooManyDice
        of, before = (forks[-1].of, forks[-1].weight) if forks else (1, 1)
        forks.append(_Fork(values, weights, of * total, before))
        self._values.append(values[0])
        return values[0]

    def d(self, sides: int, why: str, of: str = "actor") -> int:
        face: int = next(self._path, 0)
        return face or self._fork(range(1, sides + 1), None, sides)

    def spill(self, sides: int, why: str, of: str = "actor") -> None:
        """Return any face, since nothing depends on it."""

    def chance(self, target: int, sides: int, why: str, of: str = "actor", *, over: bool = False) -> Chance:
        found: Chance | None = next(self._path, None)
        return found or self._fork(*_passing(target, sides, over))

    def pool(self, number: int, sides: int, why: str, of: str = "actor") -> tuple[int, ...]:
        found: tuple[int, ...] | None = next(self._path, None)
        return self._fork(*_multisets(number, sides)) if found is None else found

    def blows(self, number: int, blow: Blow, why: str, of: str = "actor") -> int:
        found: int | None = next(self._path, None)
        return self._fork(*spread(number, blow)) if found is None else found

    def roll(self, dice: str | Expression, why: str = "", of: str = "actor") -> int:
        found: int | None = next(self._path, None)
        return self._fork(*_totals(dice)) if found is None else found

    def count(
        self, number: int, sides: int, worth: int | tuple[int, ...], why: str, of: str = "actor"
    ) -> int:
        found: int | None = next(self._path, None)
        return self._fork(*_counts(number, face_worths(sides, worth))) if found is None else found

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
        return self._fork(*_mixtures(tuple(parts))) if found is None else found

    def graded(
        self, dice: Blow | str | Expression, grade: Callable[[int], T], why: str, of: str = "actor"
    ) -> tuple[T, int]:
        found: Any = next(self._path, None)
        return self._fork(*_grades(dice, grade)) if found is None else found

    def until(self, part: Callable[[Table], T], accept: Callable[[T], bool]) -> tuple[T, int | None]:
        found: Any = next(self._path, _NEW)
        if found is _NEW:
            assert self._budget is not None
            found = self._fork(*_accepted(part, accept, Walker(self._choices, self._budget)))
        return found, None


class _NoDice:
    """A dice source that is never asked."""

    def face(self, sides: int, why: str = "", of: str = "") -> int:
        raise AssertionError("a walked table asked for a real die")


@lru_cache(maxsize=1024)
def _passing(target: int, sides: int, over: bool) -> tuple[Sequence[Chance], Sequence[int], int]:
    if over:
        failing = max(0, min(target - 1, sides))
        both = ((Chance(True, sides), sides - failing), (Chance(False, failing), failing))
    else:
        passing = max(0, min(target, sides))
        both = ((Chance(True, passing), passing), (Chance(False, sides), sides - passing))
    possible = [(face, weight) for face, weight in both if weight]
    return [face for face, _ in possible], [weight for _, weight in possible], sides


@lru_cache(maxsize=64)
def _multisets(number: int, sides: int) -> tuple[Sequence[tuple[int, ...]], Sequence[int], int]:
    """Return the pools, each from high to low, with the number of throws that give it."""
    if comb(number + sides - 1, number) > MOST_SPREAD:
        raise TooManyDice
    faces = list(combinations_with_replacement(range(sides, 0, -1), number))
    ways = [factorial(number) // prod(factorial(pool.count(face)) for face in set(pool)) for pool in faces]
    return faces, ways, sides**number


def _accepted(
    part: Callable[[Table], T], accept: Callable[[T], bool], walker: Walker
) -> tuple[Sequence[T], Sequence[int], int]:
    """Return the accepted results of `part`, with weights among those alone."""
    found: dict[T, Fraction] = {}
    for weight, of, value in walker.walk(part):
        if accept(value):
            found[value] = found.get(value, Fraction(0)) + Fraction(weight, of)
    if not found:
        raise TooManyDice  # no throw ends it
    scale = lcm(*(chance.denominator for chance in found.values()))
    weights = [int(chance * scale) for chance in found.values()]
    return list(found), weights, sum(weights)


Spread = tuple[Sequence[int], Sequence[int], int]  # values from low to high, their weights, and the whole


@lru_cache(maxsize=128)
def spread(number: int, blow: Blow) -> Spread:
    """Return the sums of `number` blows from low to high, their weights, and the sum of the weights."""
    rolled: Mapping[int, int] = {0: 1}
    for many, sides in blow.dice:
        rolled = _power(dict.fromkeys(range(1, sides + 1), 1), many, rolled)
    return _ordered(_power(_worth(rolled, blow.worth), number, {0: 1}))


def _ordered(ways: Mapping[int, int]) -> Spread:
    values = sorted(value for value, many in ways.items() if many)
    return values, [ways[value] for value in values], sum(ways.values())


def _worth(ways: Mapping[int, int], worth: Callable[[int], int]) -> dict[int, int]:
    """Return what each sum is worth -> ways, from sum -> ways."""
    found: dict[int, int] = {}
    for total, many in ways.items():
        found[worth(total)] = found.get(worth(total), 0) + many
    return found


@lru_cache(maxsize=128)
def _totals(dice: str | Expression) -> Spread:
    """Return the totals of dice in notation. Raises TooManyDice, and Wrong for invalid notation."""
    try:
        return _ordered(line_weights(parse(dice) if isinstance(dice, str) else dice, MOST_WORK))
    except TooMuchWork:
        raise TooManyDice from None
    except DiceError as error:
        raise Wrong("", str(error)) from None


@lru_cache(maxsize=128)
def _counts(number: int, faces: tuple[int, ...]) -> Spread:
    """Return the sums of what `number` dice count, each by its face."""
    return _ordered(_power(Counter(faces), number, {0: 1}))


def _of_dice(dice: Blow | str | Expression) -> Spread:
    return spread(1, dice) if isinstance(dice, Blow) else _totals(dice)


@lru_cache(maxsize=64)
def _mixtures(parts: tuple[DamagePart, ...]) -> tuple[Sequence[DamageRoll], Sequence[int], int]:
    """Return each total of typed damage; the mixtures behind a total are worked out on demand."""
    single = []
    for part in parts:
        values, weights, _ = _of_dice(part.dice)
        single.append(_worth(dict(zip(values, weights, strict=True)), part.worth))

    def others(at: int) -> Mapping[int, int]:
        return _together(single[:at] + single[at + 1 :])

    rest = [lru_cache(maxsize=1)(partial(others, at)) for at in range(len(parts))]

    def part_of(total: int, at: int) -> Mapping[int, int]:
        ways = {value: many * rest[at]().get(total - value, 0) for value, many in single[at].items()}
        return {value: many for value, many in ways.items() if many}

    def amounts(total: int) -> tuple[tuple[str, Any], ...]:
        return tuple((part.type, Sums(partial(part_of, total, at))) for at, part in enumerate(parts))

    values, weights, whole = _ordered(_together(single))
    return [DamageRoll(total, amounts(total), None) for total in values], weights, whole


def _together(single: Sequence[Mapping[int, int]]) -> Mapping[int, int]:
    """Return the sums of independent amounts."""
    found: Mapping[int, int] = {0: 1}
    for ways in single:
        found = _power(ways, 1, found)
    return found


@lru_cache(maxsize=128)
def _grades(
    dice: Blow | str | Expression, grade: Callable[[int], Hashable]
) -> tuple[Sequence[tuple[Any, Any]], Sequence[int], int]:
    """Return each grade of a sum, with its sums and the number of ways each can fall."""
    values, weights, of = _of_dice(dice)
    found: dict[Hashable, dict[int, int]] = {}
    for value, weight in zip(values, weights, strict=True):
        found.setdefault(grade(value), {})[value] = weight
    sums = [Sums(partial(dict, ways)) for ways in found.values()]
    return list(zip(found, sums, strict=True)), [part.total for part in sums], of


def _power(single: Mapping[int, int], times: int, start: Mapping[int, int]) -> Mapping[int, int]:
    """Return the distribution of `start` plus `times` independent `single`s, as value -> ways.

    The ways are packed as the digits of one huge number each, so that one multiplication of whole
    numbers convolves two distributions.
    """
    if times == 1 and len(start) == 1 and start.get(0) == 1:
        return single
    low, low_start = min(single), min(start)
    width = max(single) - low
    values = width * times + max(start) - low_start
    total = sum(single.values()) ** times * sum(start.values())
    size = total.bit_length() // 8 + 1
    if values > MOST_SPREAD or values * size * 8 > MOST_BITS:
        raise TooManyDice
    product = _packed(single, low, size) ** times * _packed(start, low_start, size)
    raw = product.to_bytes((product.bit_length() + 7) // 8 + size, "little")
    first = low * times + low_start
    ways = (int.from_bytes(raw[at : at + size], "little") for at in range(0, len(raw), size))
    return {first + at: many for at, many in enumerate(ways) if many}


def _packed(ways: Mapping[int, int], low: int, size: int) -> int:
    """Return the ways of the values from `low` up as one number, `size` bytes for each."""
    packed = bytearray(size * (max(ways) - low + 1))
    for value, many in ways.items():
        at = (value - low) * size
        packed[at : at + size] = many.to_bytes(size, "little")
    return int.from_bytes(packed, "little")


class _EndsOfSums(Walker):
    """A walker that takes sums of dice at their least or greatest, without a branch for each sum.

    Sums called `why` in `exact` have their branches; those in `most`, or all where it is None, are taken
    at their most, the others at their least. `met` are the sums that were taken so.
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
    return _spread_seen(Walker(choices), run, see, most)


def spread_without_sums(
    run: Run,
    see: Callable[[Outcome], T],
    choices: Choices | None = None,
    most: int = MOST_BRANCHES,
) -> dict[T, Fraction]:
    """Return the distribution of what `see` returns, without a branch for each sum of dice.

    A sum (blows, roll, count, damage) that changes nothing of it from its least to its most is taken at its
    least; one that does has its branches. So the chance to hit is known where damage has too many dice.
    Raises TooManyDice.
    """
    exact: set[str] = set()
    while True:
        least = _EndsOfSums(choices, exact, ())
        found = _spread_seen(least, run, see, most)
        whole = _EndsOfSums(choices, exact, None)
        if _spread_seen(whole, run, see, most) == found:
            return found
        matters = {
            why
            for why in least.met | whole.met
            if _spread_seen(_EndsOfSums(choices, exact, {why}), run, see, most) != found
        }
        if not matters:
            raise TooManyDice
        exact |= matters


def _spread_seen(walker: Walker, run: Run, see: Callable[[Outcome], T], most: int) -> dict[T, Fraction]:
    found: dict[T, dict[int, int]] = {}
    for weight, of, outcome in walker.walk(run, most):
        ways = found.setdefault(see(outcome), {})
        ways[of] = ways.get(of, 0) + weight
    return {
        value: sum((Fraction(weight, of) for of, weight in ways.items()), Fraction(0))
        for value, ways in found.items()
    }
