"""Exact odds of dice notation: whole-number weights, and fractions only at the end.

A pool is not walked die by die. Its dice are alike, so the weights of their sum are a polynomial. A
polynomial with whole coefficients fits into one large integer with a fixed number of bytes for each
coefficient, and multiplying such integers multiplies the polynomials. To keep or drop dice, the code goes
through the faces from the highest down and counts how many dice show each. Exploding dice form two groups:
those that added another die, and the `count` dice that did not. The size of the first group is a waiting
time.
"""

from fractions import Fraction
from math import comb, gcd

from systems.dice.expression import (
    DiceError,
    Expression,
    Formula,
    Operator,
    Pool,
    calculate,
    evaluate,
    other_faces,
    within,
)
from systems.frozen import frozen

MOST_FACES = 100_000
MOST_EXPLOSIONS = 1_000
# About the microseconds that a line may take on a modest machine; longer ones are refused.
MOST_WORK = 1_500_000
# An explosion has no end; its odds are listed until less than one part in this many is left.
PRECISION = 10**12

Weights = dict[int, int]


class Odds(dict[int, Fraction]):
    """Total -> probability, ascending. With `tail`, which is not in the table, they add up to 1.

    The tail is zero unless dice explode. Then it is the probability of all longer explosions together, less
    than 1 / `PRECISION` for each pool that explodes.
    """

    def __init__(self, weights: Weights, total: int) -> None:
        super().__init__((value, Fraction(weights[value], total)) for value in sorted(weights))
        self.tail = Fraction(total - sum(weights.values()), total)

    @property
    def exact(self) -> bool:
        """Return whether these are all totals that can be rolled."""
        return not self.tail


@frozen
class _Spread:
    """Value -> weight, out of `total`."""

    weights: Weights
    total: int


def line_odds(line: Expression) -> tuple[Odds, ...]:
    """Return the odds of each roll of a line. Raises DiceError if it may divide by zero or take too long."""
    reckoner = _Reckoner()
    try:
        return tuple([reckoner.odds(formula) for formula in line.formulas])
    except DiceError as error:
        raise DiceError(error.message, error.position, line.text) from None


def line_weights(line: Expression, most_work: float = MOST_WORK) -> Weights:
    """Return the totals of a line's first roll with weights, without the tail of an explosion.

    Raises TooMuchWork above about `most_work` microseconds, and DiceError if it may divide by zero.
    """
    try:
        return _Reckoner(most_work).spread(line.formulas[0]).weights
    except TooMuchWork as error:
        raise TooMuchWork(error.message, error.position, line.text) from None
    except DiceError as error:
        raise DiceError(error.message, error.position, line.text) from None


class TooMuchWork(DiceError):
    """Exact odds of these dice would take too long."""


class _Reckoner:
    """Evaluates the formulas of one line as distributions, and stops before it takes too long."""

    def __init__(self, most_work: float = MOST_WORK) -> None:
        self.left = most_work

    def spend(self, work: float, position: int) -> None:
        self.left -= work
        if self.left < 0:
            raise TooMuchWork("too many dice for exact odds", position)

    def odds(self, formula: Formula) -> Odds:
        spread = self.spread(formula)
        return Odds(spread.weights, spread.total)

    def spread(self, formula: Formula) -> _Spread:
        return evaluate(formula, lambda number: _Spread({number: 1}, 1), self.pool, self.combined)

    def combined(self, operator: Operator, left: _Spread, right: _Spread) -> _Spread:
        self.spend(len(left.weights) * len(right.weights) * 0.5, operator.position)
        weights: Weights = {}
        for value, weight in left.weights.items():
            for other, times in right.weights.items():
                result = calculate(operator, value, other)
                weights[result] = weights.get(result, 0) + weight * times
        return _Spread(weights, left.total * right.total)

    def pool(self, pool: Pool) -> _Spread:
        self.spend(pool.sides * 3 if pool.sides <= MOST_FACES else MOST_WORK + 1, pool.position)
        throw = _throw(pool)
        if pool.count == 1 and not pool.keeps and not pool.explode:
            return _Spread(_valued(pool, throw.weights, pool.shift), throw.total)
        last = {face: weight for face, weight in throw.weights.items() if not within(pool.explode, face)}
        more = {face: weight for face, weight in throw.weights.items() if within(pool.explode, face)}
        most = self.explosions(pool, sum(last.values()), sum(more.values()))
        heaps = _Heaps(_valued(pool, last), _valued(pool, more), throw.total, most)
        self.spend(heaps.work(pool), pool.position)
        return heaps.ranked(pool) if pool.keeps else heaps.summed(pool)

    def explosions(self, pool: Pool, last: int, more: int) -> int:
        """Return the number of explosions of the pool after which less than 1 / `PRECISION` is left."""
        if not more:
            return 0
        throw = last + more
        total = throw**pool.count
        seen = path = last**pool.count
        number = 0
        while (total - seen) * PRECISION >= total:
            number += 1
            self.spend(10 if number <= MOST_EXPLOSIONS else MOST_WORK + 1, pool.position)
            path *= more
            total *= throw
            seen = seen * throw + path * comb(pool.count + number - 1, number)
        return number


def _throw(pool: Pool) -> _Spread:
    """Return face -> weight of one die, after its rerolls."""
    sides = pool.sides
    allowed = other_faces(pool.until, sides)
    left = sum(high - low + 1 for low, high in allowed)
    again = sum(high - low + 1 for low, high in pool.once)
    first = {face: (0 if within(pool.once, face) else sides) + again for face in range(1, sides + 1)}
    stuck = sum(weight for face, weight in first.items() if within(pool.until, face))
    weights = {face: first[face] * left + stuck for low, high in allowed for face in range(low, high + 1)}
    common = gcd(*weights.values())
    weights = {face: weight // common for face, weight in weights.items()}
    return _Spread(weights, sum(weights.values()))


def _valued(pool: Pool, faces: Weights, shift: int = 0) -> Weights:
    """Return value -> weight from faces -> weight, without the shift: exponents must be 1 or more."""
    weights: Weights = {}
    for face, weight in faces.items():
        value = pool.value(face) - pool.shift + shift
        weights[value] = weights.get(value, 0) + weight
    return weights


@frozen
class _Heaps:
    """The dice of an exploding pool: `last` are the values of dice that add no other, `more` of those that
    do.

    `total` is the weight of one die, `most` the number of explosions considered.
    """

    last: Weights
    more: Weights
    total: int
    most: int

    def width(self, pool: Pool) -> int:
        """Return how many bytes hold any weight."""
        return int(self.total ** (pool.count + self.most)).bit_length() // 8 + 1

    def work(self, pool: Pool) -> float:
        """Return about how many microseconds the odds of the pool take."""
        highest, width = max(self.last | self.more), self.width(pool)
        if not pool.keeps:
            return highest * (pool.count + self.most) * width * (1 + self.most / 50)
        low, high = pool.window(pool.count + self.most)
        steps = sum(self._steps(pool, number) for number in range(self.most + 1))
        return steps * (1 + (high - low) * highest * width / 1000) / 5

    def _steps(self, pool: Pool, explosions: int) -> int:
        """Return about how many steps `ranks` takes: it stops where the ranks that count are full."""
        high = pool.window(pool.count + explosions)[1]
        states = min((pool.count + 1) * (explosions + 1), high * (high + 1))
        return states * ((pool.count + 2) * len(self.last) + (explosions + 2) * len(self.more))

    def times(self, pool: Pool, explosions: int) -> int:
        """Return the number of orders of this many explosions, scaled to all rolls together."""
        orders = comb(pool.count + explosions - 1, explosions)
        return orders * int(self.total ** (self.most - explosions))

    def summed(self, pool: Pool) -> _Spread:
        """Return the distribution if all dice count."""
        width = self.width(pool)
        last, more = _packed(self.last, width), _packed(self.more, width)
        explosions = 0
        for number in range(self.most, -1, -1):
            explosions = explosions * more + self.times(pool, number)
        return self.spread(pool, last**pool.count * explosions, pool.count)

    def ranked(self, pool: Pool) -> _Spread:
        """Return the distribution if only some ranks count."""
        width, weights = 8 * self.width(pool), 0
        for number in range(self.most + 1):
            window = pool.window(pool.count + number)
            weights += self.times(pool, number) * self.ranks(pool.count, number, window, width)
        # Dice with shifted faces don't explode, so the number that counts is known.
        low, high = pool.window(pool.count)
        return self.spread(pool, weights, high - low)

    def spread(self, pool: Pool, weights: int, kept: int) -> _Spread:
        shift = kept * pool.shift
        found = {value + shift: weight for value, weight in _unpacked(weights, self.width(pool)).items()}
        return _Spread(found, int(self.total ** (pool.count + self.most)))

    def ranks(self, last: int, more: int, window: tuple[int, int], width: int) -> int:
        """Return the packed weights of the dice in the window, for groups of `last` and `more` dice."""
        low, high = window
        below, above = sum(self.last.values()), sum(self.more.values())
        states = {(last, more): 1}
        done = 0
        for value, weight, heap in self.falling():
            below, above = (below - weight, above) if heap == 0 else (below, above - weight)
            after: dict[tuple[int, int], int] = {}
            for left, packed in states.items():
                rank = last + more - sum(left)
                for number in range(left[heap] + 1):
                    kept = max(0, min(rank + number, high) - max(rank, low))
                    ways = packed * (comb(left[heap], number) * weight**number) << kept * value * width
                    still = (left[0] - number, left[1]) if heap == 0 else (left[0], left[1] - number)
                    if rank + number >= high:
                        done += ways * below ** still[0] * above ** still[1]
                    else:
                        after[still] = after.get(still, 0) + ways
            states = after
        return done

    def falling(self) -> list[tuple[int, int, int]]:
        """Return value, weight and group, from the highest value down."""
        last = [(value, weight, 0) for value, weight in self.last.items()]
        more = [(value, weight, 1) for value, weight in self.more.items()]
        return sorted(last + more, reverse=True)


def _packed(weights: Weights, width: int) -> int:
    """Return the polynomial as one integer, `width` bytes for each coefficient."""
    packed = bytearray(width * (max(weights, default=0) + 1))
    for value, weight in weights.items():
        packed[value * width : (value + 1) * width] = weight.to_bytes(width, "little")
    return int.from_bytes(packed, "little")


def _unpacked(packed: int, width: int) -> Weights:
    whole = packed.to_bytes(packed.bit_length() // 8 + 1, "little")
    weights = {
        at // width: int.from_bytes(whole[at : at + width], "little") for at in range(0, len(whole), width)
    }
    return {value: weight for value, weight in weights.items() if weight}
