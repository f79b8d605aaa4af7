"""Dice expressions as frozen values, and their evaluation."""

from collections.abc import Callable
from typing import TypeVar

from systems.errors import InputError
from systems.frozen import frozen

V = TypeVar("V")
# Without slots are those of which one is made for each line that is read: it takes half the time.

MOST_DICE = 1_000
MOST_SIDES = 1_000_000
MOST_RESULT = 10**15
SHOWN = 60

Faces = tuple[tuple[int, int], ...]  # closed ranges of faces, ascending and apart from one another
Interval = tuple[int, int]


class DiceError(InputError):
    """An invalid dice text, or dice that cannot be rolled.

    `message` says what is wrong, `position` is the character of `text` that it is about, counted from 0.
    The sentence counts from 1, stays under 300 characters and holds no control character.
    """

    code = "dice"

    def __init__(self, message: str, position: int, text: str = "") -> None:
        super().__init__(message, path=str(position))
        self.args = (message, position, text)
        self.message = message
        self.position = position
        self.text = text

    def __str__(self) -> str:
        return f'"{_around(self.text, self.position)}": {self.message}, at character {self.position + 1}'


def _around(text: str, position: int) -> str:
    """Return a short printable cutting of the text around the position."""
    start = max(0, min(position - SHOWN // 2, len(text) - SHOWN))
    cut = text[start : start + SHOWN]
    shown = "".join(letter if letter.isprintable() else "?" for letter in cut)
    before = "…" if start else ""
    after = "…" if start + SHOWN < len(text) else ""
    return before + shown + after


@frozen
class Pool:
    """Dice with the same number of sides rolled together, and their modifiers.

    `once`, `until` and `explode` are faces. A face below `lowest` or above `highest` counts as that limit.
    `shift` is added to each face (fate dice: -2). With `counts`, a die with one of these faces counts 1 and
    any other 0. `position` is its place in the text.
    """

    count: int
    sides: int
    name: str
    position: int
    label: str = ""
    keeps: tuple[tuple[str, int], ...] = ()
    once: Faces = ()
    until: Faces = ()
    explode: Faces = ()
    lowest: int = 1
    highest: int = MOST_SIDES
    shift: int = 0
    counts: Faces | None = None

    @property
    def why(self) -> str:
        """Return the reason given for its dice: its label, or itself."""
        return self.label or self.name

    @property
    def is_plain(self) -> bool:
        """Return whether its dice are simply added up, without any modifier."""
        changes = self.keeps or self.once or self.until or self.explode or self.shift
        return not changes and self.counts_as_it_falls

    @property
    def counts_as_it_falls(self) -> bool:
        """Return whether every die that is kept counts what it shows."""
        return self.lowest == 1 and self.highest == MOST_SIDES and self.counts is None

    def value(self, face: int) -> int:
        """Return what a natural face counts."""
        if self.counts is not None:
            return int(within(self.counts, face))
        return min(max(face, self.lowest), self.highest) + self.shift

    def window(self, size: int) -> Interval:
        """Return which of `size` dice count: a half-open range of ranks, from the highest die down."""
        low, high = 0, size
        for keep, number in self.keeps:
            if keep == "kh":
                high = min(high, low + number)
            elif keep == "kl":
                low = max(low, high - number)
            elif keep == "dh":
                low = min(high, low + number)
            else:
                high = max(low, high - number)
        return low, high


@frozen
class Operator:
    """An operator between the two values before it: `+`, `-`, `*` or `//`."""

    sign: str
    position: int


RollStep = int | Pool | Operator


@frozen
class Formula:
    """One roll of a line: `steps` in reverse Polish order; `words` as written, a number is the n-th pool."""

    steps: tuple[RollStep, ...]
    words: tuple[str | int, ...]
    pools: tuple[Pool, ...]


@frozen
class Expression:
    """A parsed line: one formula or several. `dice`: the least number of dice it rolls."""

    text: str
    formulas: tuple[Formula, ...]
    dice: int


def within(ranges: Faces, face: int) -> bool:
    """Return whether the face is in one of the ranges."""
    return any(low <= face <= high for low, high in ranges)


def union(ranges: list[Interval], sides: int) -> Faces:
    """Return the ranges cut to the faces of the die, sorted and joined where they touch."""
    joined: list[Interval] = []
    for low, high in sorted((max(low, 1), min(high, sides)) for low, high in ranges):
        if low > high:
            continue
        if joined and low <= joined[-1][1] + 1:
            joined[-1] = joined[-1][0], max(joined[-1][1], high)
        else:
            joined.append((low, high))
    return tuple(joined)


def other_faces(ranges: Faces, sides: int) -> Faces:
    """Return the faces of the die that are in none of the ranges."""
    edges = [0, *(edge for low, high in ranges for edge in (low, high)), sides + 1]
    gaps = zip(edges[::2], edges[1::2], strict=True)
    return tuple((low + 1, high - 1) for low, high in gaps if low + 1 < high)


def evaluate(
    formula: Formula,
    number: Callable[[int], V],
    throw: Callable[[Pool], V],
    combine: Callable[[Operator, V, V], V],
) -> V:
    """Evaluate a formula with the given arithmetic: whole numbers, intervals or distributions."""
    stack: list[V] = []
    for step in formula.steps:
        if isinstance(step, Pool):
            stack.append(throw(step))
        elif isinstance(step, Operator):
            right = stack.pop()
            stack[-1] = combine(step, stack[-1], right)
        else:
            stack.append(number(step))
    return stack[0]


def plain_sum(formula: Formula) -> int | None:
    """Return what a formula adds to dice that are simply added up; None for any other formula.

    Dice with different labels, such as damage of two types, are different sums.
    """
    if not formula.pools or len({pool.label for pool in formula.pools}) > 1:
        return None
    found = evaluate(formula, lambda number: (False, number), _plain_pool, _plain_combined)
    return found[1] if found is not None else None


# Whether a part of a formula has dice, and its constant; None for a part that is not a plain sum.
_Summand = tuple[bool, int] | None


def _plain_pool(pool: Pool) -> _Summand:
    return (True, 0) if pool.is_plain else None


def _plain_combined(operator: Operator, left: _Summand, right: _Summand) -> _Summand:
    if left is None or right is None:
        return None
    if operator.sign == "+" or not right[0]:
        is_sum = operator.sign in "+-" or not left[0]
        return (left[0] or right[0], calculate(operator, left[1], right[1])) if is_sum else None
    return None


def calculate(operator: Operator, left: int, right: int) -> int:
    """Apply an operator to whole numbers. Raises DiceError for a division by zero or past `MOST_RESULT`."""
    sign = operator.sign
    if sign == "+":
        result = left + right
    elif sign == "-":
        result = left - right
    elif sign == "*":
        result = left * right
    elif right == 0:
        raise DiceError("cannot divide by zero", operator.position)
    else:
        result = left // right
    if not -MOST_RESULT <= result <= MOST_RESULT:
        raise DiceError("the result is too large", operator.position)
    return result


def bounds(formula: Formula) -> Interval:
    """Return the least and greatest total of a formula. Raises DiceError as `calculate` does.

    A pool that explodes is assumed to continue until no more dice are allowed, so its maximum is rarely seen.
    """
    return evaluate(formula, lambda number: (number, number), _pool_bounds, _combined_bounds)


def _pool_bounds(pool: Pool) -> Interval:
    faces = other_faces(pool.until, pool.sides)
    if pool.counts is None:
        low, high = pool.value(faces[0][0]), pool.value(faces[-1][1])
    else:
        low = int(not other_faces(union([*pool.until, *pool.counts], pool.sides), pool.sides))
        high = int(
            bool(
                other_faces(
                    union([*pool.until, *other_faces(pool.counts, pool.sides)], pool.sides), pool.sides
                )
            )
        )
    least, most = pool.window(pool.count), pool.window(MOST_DICE if pool.explode else pool.count)
    return (least[1] - least[0]) * low, (most[1] - most[0]) * high


def _combined_bounds(operator: Operator, left: Interval, right: Interval) -> Interval:
    if operator.sign == "//":
        # Next to zero a divisor does most; zero itself is refused when it is rolled.
        divisors = {edge for edge in (*right, -1, 1) if edge and right[0] <= edge <= right[1]} or {0}
    else:
        divisors = set(right)
    corners = [calculate(operator, edge, other) for edge in left for other in divisors]
    return min(corners), max(corners)
