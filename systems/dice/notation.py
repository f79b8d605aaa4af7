"""Dice notation: parse a line, roll it, describe the result, and its odds.

`parse("4d6kh3 + 2")` gives an `Expression`, `roll` a `RollResult`, `describe` one line of text. The notation
is defined in `systems.dice.parser` and `systems.dice.modifiers`. A line rolls at most 1,000 dice, rerolls and
explosions included; every text either rolls or raises `DiceError`, which points at the character.
"""

import re
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from systems.dice.expression import (
    MOST_DICE,
    DiceError,
    Expression,
    Formula,
    Interval,
    Pool,
    bounds,
    calculate,
    evaluate,
    plain_sum,
    within,
)
from systems.dice.parser import parse
from systems.dice.sources import Dice, DiceCounts, NeedsFace, Roll, TakesTotals, Total, merged, throw_sum
from systems.frozen import frozen

if TYPE_CHECKING:
    from systems.dice.distribution import Odds

__all__ = [
    "MOST_DICE",
    "DiceError",
    "Die",
    "Expression",
    "Part",
    "Pool",
    "RollResult",
    "amount",
    "describe",
    "is_dice",
    "maximum",
    "minimum",
    "odds",
    "parse",
    "roll",
]

_LIKE_DICE = re.compile(
    # Possessive, so that a long text without dice costs one pass.
    r"[\s(+−-]*+(?:(?:adv|dis)(?:antage|advantage)?\s)?[\s0-9()+*/−-]*+d\s*+(?:[0-9]|%|f(?![a-z]))",
    re.ASCII | re.IGNORECASE,
)


@frozen
class Die:
    """One die that fell. `face` is what it shows, `value` what that counts when it is kept.

    `note` is "", "dropped", "rerolled" (what replaced it comes next), "exploded" (what it brought comes
    next), "min" or "max" (its face was raised or lowered to `value`). Dropped and rerolled are not kept.
    """

    face: int
    value: int
    kept: bool = True
    note: str = ""


@frozen
class Part:
    """The dice of one pool in rolling order, and their total.

    Without dice the total was given in place of their faces; None if it is part of a later pool's total.
    """

    pool: Pool
    dice: tuple[Die, ...]
    total: int | None


@frozen
class RollResult:
    """The result of a line: a total and the parts for each of its rolls, and whose hands held the dice."""

    line: Expression
    totals: tuple[int, ...]
    parts: tuple[tuple[Part, ...], ...]
    of: str = ""

    @property
    def total(self) -> int:
        """Return the total of the first roll."""
        return self.totals[0]

    @property
    def rolls(self) -> tuple[Roll, ...]:
        """Return every die whose face is known, in rolling order.

        The reason is the label, else the dice as written.
        """
        return tuple(
            Roll(part.pool.sides, die.face - part.pool.shift, part.pool.why, self.of)
            for parts in self.parts
            for part in parts
            for die in part.dice
        )


def roll(line: Expression | str, dice: Dice, of: str = "") -> RollResult:
    """Roll a line with these dice, die by die: a reroll or an explosion comes right after its die.

    Raises DiceError if the text is not dice notation, for a division by zero and for too many dice, and what
    the dice raise.
    """
    if isinstance(line, str):
        line = parse(line)
    kind = _HandOfTotals if isinstance(dice, TakesTotals) else _Hand
    hand = kind(dice, of, MOST_DICE - line.dice)
    totals: list[int] = []
    parts: list[tuple[Part, ...]] = []
    try:
        for formula in line.formulas:
            hand.begin(formula)
            totals.append(evaluate(formula, int, hand.throw, calculate))
            parts.append(tuple(hand.parts))
    except DiceError as error:
        raise DiceError(error.message, error.position, line.text) from None
    return RollResult(line, tuple(totals), tuple(parts), of)


class _Hand:
    """Rolls the pools of a line; `left` is how many dice rerolls and explosions may still add."""

    __slots__ = ("dice", "left", "of", "parts")

    def __init__(self, dice: Dice, of: str, left: int) -> None:
        self.dice = dice
        self.of = of
        self.left = left
        self.parts: list[Part] = []

    def begin(self, formula: Formula) -> None:
        del formula
        self.parts = []

    def throw(self, pool: Pool) -> int:
        face, sides, why, of = self.dice.face, pool.sides, pool.why, self.of
        if pool.once or pool.until or pool.explode:
            dice = _laid(pool, [face for _ in range(pool.count) for face in self.chain(pool)])
        elif pool.counts_as_it_falls:
            shift = pool.shift
            shown = [face(sides, why, of) + shift for _ in range(pool.count)]
            if pool.keeps:
                kept = _kept(pool, shown, range(pool.count))
                dice = tuple([_die(face, face, at in kept, "") for at, face in enumerate(shown)])
            else:
                dice = tuple([_die(face, face, True, "") for face in shown])
        else:
            dice = _laid(pool, [(face(sides, why, of), "") for _ in range(pool.count)])
        total = sum([die.value for die in dice if die.kept])
        self.parts.append(Part(pool, dice, total))
        return total

    def chain(self, pool: Pool) -> list[tuple[int, str]]:
        """Roll one die, with its rerolls and explosions, and return the faces with their notes."""
        fallen: list[tuple[int, str]] = []
        more = True
        while more:
            face = self.face(pool, extra=bool(fallen))
            if within(pool.once, face):
                fallen.append((face, "rerolled"))
                face = self.face(pool, extra=True)
            while within(pool.until, face):
                fallen.append((face, "rerolled"))
                face = self.face(pool, extra=True)
            more = within(pool.explode, face)
            fallen.append((face, "exploded" if more else ""))
        return fallen

    def face(self, pool: Pool, extra: bool) -> int:
        if extra:
            self.left -= 1
            if self.left < 0:
                raise DiceError(f"these dice do not end within {MOST_DICE:,}", pool.position)
        return self.dice.face(pool.sides, pool.why, self.of)


class _HandOfTotals(_Hand):
    """Rolls pools with dice that may give a total in place of faces."""

    __slots__ = ("_formula", "_total")

    def __init__(self, dice: Dice, of: str, left: int) -> None:
        super().__init__(dice, of, left)
        # The formula that is thrown, and the total if one was given for all its pools together.
        self._formula: Formula | None = None
        self._total: int | None = None

    def begin(self, formula: Formula) -> None:
        """Begin a formula. If it simply adds up several pools, one total does for all of them."""
        super().begin(formula)
        self._formula, self._total = formula, None
        if len(formula.pools) > 1 and isinstance(self.dice, TakesTotals) and plain_sum(formula) is not None:
            self._total = self.dice.total(_counts(formula), formula.pools[0].label or "roll", self.of)

    def throw(self, pool: Pool) -> int:
        if self._total is not None and self._formula is not None:
            is_last = len(self.parts) + 1 == len(self._formula.pools)
            self.parts.append(Part(pool, (), self._total if is_last else None))
            return self._total if is_last else 0
        return self._throw_plain(pool) if pool.is_plain else super().throw(pool)

    def _throw_plain(self, pool: Pool) -> int:
        """Roll dice that are simply added up. Raises NeedsFace with the dice that a total would replace."""
        try:
            thrown = throw_sum(self.dice, ((pool.count, pool.sides),), pool.why, self.of)
        except NeedsFace as needs:
            if self._formula is not None and (adds := plain_sum(self._formula)) is not None:
                whole, begun = merged(_counts(self._formula)), needs.request.in_sum or bool(self.parts)
                raise needs.knowing(sum_of=whole, adds=adds, in_sum=begun) from None
            raise
        if isinstance(thrown, Total):
            self.parts.append(Part(pool, (), thrown.value))
            return thrown.value
        total = sum(thrown)
        self.parts.append(Part(pool, tuple([_die(face, face, True, "") for face in thrown]), total))
        return total


def _counts(formula: Formula) -> DiceCounts:
    return tuple((pool.count, pool.sides) for pool in formula.pools)


def _laid(pool: Pool, fallen: list[tuple[int, str]]) -> tuple[Die, ...]:
    """Return the dice as they count in the end: which are kept, and for how much."""
    values = [pool.value(face) for face, _ in fallen]
    kept = _kept(pool, values, [at for at, (_, note) in enumerate(fallen) if note != "rerolled"])
    shift = pool.shift
    return tuple(
        [
            _die(face + shift, value, at in kept, note, pool.counts is not None)
            for at, ((face, note), value) in enumerate(zip(fallen, values, strict=True))
        ]
    )


def _kept(pool: Pool, values: list[int], places: Sequence[int]) -> Collection[int]:
    """Return which dice in these places are kept; of equal dice, those rolled first are higher."""
    if not pool.keeps:
        return places
    low, high = pool.window(len(places))
    return sorted(places, key=values.__getitem__, reverse=True)[low:high]


# Dice repeat, and a value that never changes can be shared: that is much faster than making it.
@lru_cache(maxsize=4096)
def _die(face: int, value: int, kept: bool, note: str, counted: bool = False) -> Die:
    if not kept:
        note = note if note == "rerolled" else "dropped"
    elif not note and value != face and not counted:
        note = "min" if value > face else "max"
    return Die(face, value, kept, note)


def describe(result: RollResult) -> str:
    """Return one line: `4d6kh3 (6, 5, 3, 1 dropped) + 2 = 16`; several rolls are set apart by a semicolon."""
    return "; ".join(
        f"{_told(formula, parts)} = {total}" if formula.pools or len(formula.words) > 1 else str(total)
        for formula, parts, total in zip(result.line.formulas, result.parts, result.totals, strict=True)
    )


def _told(formula: Formula, parts: tuple[Part, ...]) -> str:
    words = [word if isinstance(word, str) else _told_part(parts[word]) for word in formula.words]
    return "".join(words)


def _told_part(part: Part) -> str:
    if not part.dice:
        return part.pool.name if part.total is None else f"{part.pool.name} (total {part.total})"
    counts = part.pool.counts is not None
    return f"{part.pool.name} ({', '.join(_told_die(die, counts) for die in part.dice)})"


def _told_die(die: Die, counts: bool) -> str:
    counted = f" as {die.value}" if die.kept and die.value != die.face and not counts else ""
    note = f" {die.note}" if die.note in {"dropped", "rerolled", "exploded"} else ""
    return f"{die.face}{counted}{note}"


def odds(line: Expression | str) -> "tuple[Odds, ...]":
    """Return the exact odds of each roll of a line; see `systems.dice.distribution.Odds`.

    Raises DiceError if the text is not dice notation, may divide by zero or would take too long.
    """
    # Fractions load slowly, and most lines are only rolled.
    from systems.dice.distribution import line_odds

    return line_odds(parse(line) if isinstance(line, str) else line)


def minimum(line: Expression | str) -> int:
    """Return the least total of a line's first roll. Raises DiceError."""
    return _bounds(line)[0]


def maximum(line: Expression | str) -> int:
    """Return the greatest total of a line's first roll, with all explosions allowed. Raises DiceError."""
    return _bounds(line)[1]


def _bounds(line: Expression | str) -> Interval:
    if isinstance(line, str):
        line = parse(line)
    try:
        return bounds(line.formulas[0])
    except DiceError as error:
        raise DiceError(error.message, error.position, line.text) from None


def is_dice(text: str) -> bool:
    """Return whether a text begins like dice, so that it is worth parsing."""
    return _LIKE_DICE.match(text) is not None


def amount(text: str) -> int | Expression:
    """Return a whole number, or the parsed line of one roll. Raises DiceError."""
    line = parse(text)
    if len(line.formulas) > 1:
        raise DiceError("expected one amount", max(text.find(","), text.find(";"), 0), text)
    return line if line.dice else minimum(line)
