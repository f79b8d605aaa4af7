"""The possible answers of one call to a table, with whole-number weights, and how many are too many."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import cached_property, lru_cache, partial
from itertools import combinations_with_replacement
from math import comb, factorial, lcm, prod
from typing import Any

from systems.contract.aside import Aside
from systems.contract.damage import Blow, DamagePart, DamageRoll, DamageTally, Levels
from systems.contract.share import Share
from systems.contract.table import Chance
from systems.dice.distribution import TooMuchWork, line_weights
from systems.dice.expression import DiceError, Expression
from systems.dice.notation import parse
from systems.errors import InputError, Wrong

MOST_BRANCHES = 200_000
MOST_REPEATED = 10_000  # branches in a repetition until a result is accepted: one frame
MOST_SPREAD = 20_000
MOST_BITS = 1_000_000  # of the number that a convolution multiplies out to: some milliseconds
MOST_WORK = 16_000  # of dice in notation, in microseconds (distribution.MOST_WORK): one frame


class Sums:
    """A fact in odds that represents all sums of a branch, with the number of ways to roll each.

    A fact may hold it. It has no arithmetic but `shifted`, so an action that calculates with it fails.
    The fact of `Table.beside` is one too: whether it passed, in the place of sums. `roll` is the number of
    that roll.
    """

    def __init__(self, find: Callable[[], Mapping[Any, int]], roll: int = 0) -> None:
        self._find, self.roll = find, roll
        self._shifted: dict[int, Sums] = {}

    @cached_property
    def ways(self) -> Mapping[Any, int]:
        """Return sum -> number of ways to roll it, calculated on first use."""
        return self._find()

    @property
    def total(self) -> int:
        return sum(self.ways.values())

    def shifted(self, by: int) -> "Sums":
        """Return the sums with a number added to each."""
        found = self._shifted.get(by)
        if found is None:
            found = self._shifted[by] = Sums(lambda: {total + by: many for total, many in self.ways.items()})
        return found

    def taken_from(self, number: int) -> "Sums":
        """Return what is left of a number without each of the sums."""
        return Sums(lambda: {number - total: many for total, many in self.ways.items()})


class TooManyDice(InputError, ValueError):
    """The exact odds would take too long."""

    code = "dice"

    def __init__(self, says: str = "too many dice for exact odds") -> None:
        super().__init__(says)


# Ascending values, their weights, and the total weight.
Spread = tuple[Sequence[int], Sequence[int], int]


@lru_cache(maxsize=1024)
def passing(target: int, sides: int, over: bool) -> tuple[Sequence[Chance], Sequence[int], int]:
    if over:
        failing = max(0, min(target - 1, sides))
        both = ((Chance(True, sides), sides - failing), (Chance(False, failing), failing))
    else:
        passing = max(0, min(target, sides))
        both = ((Chance(True, passing), passing), (Chance(False, sides), sides - passing))
    possible = [(face, weight) for face, weight in both if weight]
    return [face for face, _ in possible], [weight for _, weight in possible], sides


@lru_cache(maxsize=64)
def multisets(number: int, sides: int) -> tuple[Sequence[tuple[int, ...]], Sequence[int], int]:
    """Return the pools, each from high to low, with the number of rolls that give it."""
    if comb(number + sides - 1, number) > MOST_SPREAD:
        raise TooManyDice
    faces = list(combinations_with_replacement(range(sides, 0, -1), number))
    ways = [factorial(number) // prod(factorial(pool.count(face)) for face in set(pool)) for pool in faces]
    return faces, ways, sides**number


@lru_cache(maxsize=128)
def spread(number: int, blow: Blow) -> Spread:
    """Return the sums of `number` blows from low to high, their weights, and the total weight."""
    rolled: Mapping[int, int] = {0: 1}
    for many, sides in blow.dice:
        rolled = _power(dict.fromkeys(range(1, sides + 1), 1), many, rolled)
    return _ordered(_power(_worth(rolled, blow.worth), number, {0: 1}))


def _ordered(ways: Mapping[int, int]) -> Spread:
    values = sorted(value for value, many in ways.items() if many)
    return values, [ways[value] for value in values], sum(ways.values())


def _worth(ways: Mapping[int, int], worth: Callable[[int], int]) -> dict[int, int]:
    """Return value of each sum -> ways, from sum -> ways."""
    found: dict[int, int] = {}
    for total, many in ways.items():
        found[worth(total)] = found.get(worth(total), 0) + many
    return found


@lru_cache(maxsize=128)
def totals(dice: str | Expression) -> Spread:
    """Return the totals of dice in notation. Raises TooManyDice, and Wrong for invalid notation."""
    try:
        return _ordered(line_weights(parse(dice) if isinstance(dice, str) else dice, MOST_WORK))
    except TooMuchWork:
        raise TooManyDice from None
    except DiceError as error:
        raise Wrong("", str(error)) from None


@lru_cache(maxsize=128)
def counts(number: int, faces: tuple[int, ...]) -> Spread:
    """Return the sums of the values of `number` dice, each by its face."""
    return _ordered(_power(Counter(faces), number, {0: 1}))


def _of_dice(dice: Blow | str | Expression) -> Spread:
    return spread(1, dice) if isinstance(dice, Blow) else totals(dice)


@lru_cache(maxsize=256)
def mixtures(parts: tuple[DamagePart, ...]) -> tuple[Sequence[DamageRoll], Sequence[int], int]:
    """Return each total of typed damage; the mixtures of a total are calculated on demand."""
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


def added_damage(
    before: DamageTally, parts: tuple[DamagePart, ...], plus: int, levels: Levels
) -> tuple[Sequence[DamageTally], Sequence[int], int]:
    """Return the tallies after one more roll of damage: one for each level that sums reach."""
    if levels is None:
        rolls, weights, whole = mixtures(parts)
        return [before.plus(roll.total + plus) for roll in rolls], weights, whole
    if isinstance(before.sum, int):
        return _first_levels(before.least, before.sum, before.restarts, parts, plus, levels)
    return _by_level(before.least, before.sum.ways, before.restarts, _ways_of(parts, plus), levels)


@lru_cache(maxsize=256)
def _first_levels(
    least: int, sum: int, restarts: bool, parts: tuple[DamagePart, ...], plus: int, levels: tuple[int, ...]
) -> tuple[Sequence[DamageTally], Sequence[int], int]:
    return _by_level(least, {sum: 1}, restarts, _ways_of(parts, plus), levels)


@lru_cache(maxsize=256)
def _ways_of(parts: tuple[DamagePart, ...], plus: int) -> Mapping[int, int]:
    rolls, weights, _ = mixtures(parts)
    return dict(zip((roll.total + plus for roll in rolls), weights, strict=True))


def _by_level(
    least: int,
    before: Mapping[int, int],
    restarts: bool,
    amounts: Mapping[int, int],
    levels: tuple[int, ...],
) -> tuple[Sequence[DamageTally], Sequence[int], int]:
    """Return a tally for each level that sums reach above `least` with one more amount, and their weights."""
    start = 0 if restarts else least
    reached: dict[int, dict[int, int]] = {}
    for value, many in (amounts if restarts else _power(before, 1, amounts)).items():
        reached.setdefault(bisect_right(levels, value - start), {})[value] = many
    tallies = []
    for at, ways in reached.items():
        sums = Sums(partial(_power, before, 1, ways) if restarts else partial(dict, ways))
        added = ways if restarts else amounts
        last = next(iter(added)) if len(added) == 1 else _LastDamage(added, before)
        tallies.append(DamageTally(least + (levels[at - 1] if at else 0), sums, last=last))
    weights = [sum(ways.values()) for ways in reached.values()]
    return tallies, weights, sum(weights)


class _LastDamage:
    """The damage added last in a branch of odds: its amounts, and the sums before it."""

    __slots__ = ("amounts", "before")

    def __init__(self, amounts: Mapping[int, int], before: Mapping[int, int]) -> None:
        self.amounts, self.before = amounts, before


def decisions(
    tally: DamageTally, decided: Callable[[int], Sequence[tuple[int, int, Any]]]
) -> tuple[Sequence[tuple[Any, DamageTally]], Sequence[int], int]:
    """Return each decision about the damage added last, with the tally of the sums that lead to it.

    `decided`: returns the decisions about an amount, each as (weight, total weight, decision).
    """
    last, inside = tally.last, tally.sum.ways
    low, high = min(inside) - max(last.before), max(inside) - min(last.before)
    ways = [
        (amount, many, *way)
        for amount, many in last.amounts.items()
        if low <= amount <= high
        for way in decided(amount)
    ]
    whole = lcm(*{of for _, _, _, of, _ in ways})
    amounts: dict[Hashable, dict[int, int]] = {}
    for amount, many, weight, of, decision in ways:
        into = amounts.setdefault(decision, {})
        into[amount] = into.get(amount, 0) + many * weight * (whole // of)
    found, weights = [], []
    for decision, each in amounts.items():
        sums = {value: many for value, many in _power(last.before, 1, each).items() if value in inside}
        if sums:
            found.append((decision, DamageTally(tally.least, Sums(partial(dict, sums)))))
            weights.append(sum(sums.values()))
    return found, weights, sum(weights)


def _together(single: Sequence[Mapping[int, int]]) -> Mapping[int, int]:
    """Return the sums of independent amounts."""
    found: Mapping[int, int] = {0: 1}
    for ways in single:
        found = _power(ways, 1, found)
    return found


@lru_cache(maxsize=128)
def grades(
    dice: Blow | str | Expression, grade: Callable[[int], Hashable]
) -> tuple[Sequence[tuple[Any, Any]], Sequence[int], int]:
    """Return each grade of a sum, with its sums and the number of ways to roll each."""
    values, weights, of = _of_dice(dice)
    found: dict[Hashable, dict[int, int]] = {}
    for value, weight in zip(values, weights, strict=True):
        found.setdefault(grade(value), {})[value] = weight
    sums = [Sums(partial(dict, ways)) for ways in found.values()]
    return list(zip(found, sums, strict=True)), [part.total for part in sums], of


@lru_cache(maxsize=256)
def graded(
    dice: str | Expression, grade: Callable[[int, int], Any], extra: tuple[str, ...], plus: int
) -> tuple[Sequence[tuple[Any, int, int, tuple[int, ...]]], Sequence[int], int]:
    """Return each grade of dice with extra dice, with the sums of that grade, and the weights."""
    values, weights, of = totals(dice)
    more = [totals(each) for each in extra]
    rest = _together([dict(zip(sums, ways, strict=True)) for sums, ways, _ in more])
    if len(values) * len(rest) > MOST_SPREAD:
        raise TooManyDice
    naturals: dict[Any, dict[int, int]] = {}
    sums_of: dict[Any, dict[int, int]] = {}
    for natural, weight in zip(values, weights, strict=True):
        for added, many in rest.items():
            total, ways = natural + added + plus, weight * many
            found = grade(natural, total)
            alone, whole = naturals.setdefault(found, {}), sums_of.setdefault(found, {})
            alone[natural] = alone.get(natural, 0) + ways
            whole[total] = whole.get(total, 0) + ways
    # Facts may hold these; they are numbers at a table.
    results: list[tuple[Any, Any, Any, tuple[int, ...]]] = [
        (found, Sums(partial(dict, alone)), Sums(partial(dict, sums_of[found])), ())
        for found, alone in naturals.items()
    ]
    return results, [sum(alone.values()) for alone in naturals.values()], of * prod(each for *_, each in more)


@lru_cache(maxsize=256)
def aside(
    dice: str | Expression, passes: Callable[[int, int], bool], extra: tuple[str, ...], plus: int, roll: int
) -> Aside:
    """Return the result of a roll of `Table.beside`, with the shares of passing and failing."""
    results, weights, of = graded(dice, passes, extra, plus)
    ways = {bool(result[0]): many for result, many in zip(results, weights, strict=True)}
    shares = (Share(roll, True, ways.get(True, 0), of), Share(roll, False, ways.get(False, 0), of))
    return Aside(Sums(partial(dict, ways), roll), (), shares)


def _power(single: Mapping[int, int], times: int, start: Mapping[int, int]) -> Mapping[int, int]:
    """Return the distribution of `start` plus `times` independent `single`s, as value -> ways.

    The ways are packed as the digits of one huge number, so that one multiplication of whole numbers
    convolves two distributions.
    """
    if times == 1 and len(start) == 1 and start.get(0) == 1:
        return single
    if times == 1 and len(single) == 1:
        [(more, many)] = single.items()
        return {value + more: each * many for value, each in start.items()}
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
