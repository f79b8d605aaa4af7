"""Damage dice: one blow, and damage of several types in one roll."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from systems.frozen import frozen
from systems.text import plain_number


@frozen
class Blow:
    """Damage dice: `factor` times the sum of `dice` plus `plus`, at least `least`.

    `dice` holds (number, sides) in the order written. Their sum may be `divided` first, rounded up.
    """

    dice: tuple[tuple[int, int], ...]
    plus: int = 0
    factor: int = 1
    least: int | None = None
    divided: int = 1

    @property
    def adds_up(self) -> bool:
        """Return whether the damage of several such blows depends on the sum of all their dice alone."""
        lowest = self.factor * sum(number for number, _ in self.dice) + self.plus
        return self.divided == 1 and (self.least is None or lowest >= self.least)

    def worth(self, total: int) -> int:
        """Return the damage for a sum of the dice."""
        amount = self.factor * -(-total // self.divided) + self.plus
        return amount if self.least is None or amount > self.least else self.least


@lru_cache(maxsize=512)
def read_dice(text: str) -> tuple[tuple[int, int], ...]:
    """Return `2d8+1d4` as ((2, 8), (1, 4))."""
    return tuple((int(part.split("d")[0]), int(part.split("d")[1])) for part in text.split("+"))


@frozen
class DamagePart:
    """Damage of one type: its dice, and how the target changes their sum.

    `dice`: a Blow, or dice in any notation (`2d6 + 3`). What counts is the sum times `times`, divided by
    `divided` and rounded down, minus `less`, never below `least`: `divided=2` is resistance or a save,
    `times=2` vulnerability, `times=0` immunity, `less` armour against this type.
    """

    type: str
    dice: Blow | str
    times: int = 1
    divided: int = 1
    less: int = 0
    least: int = 0

    def worth(self, total: int) -> int:
        """Return the damage for a sum of the dice."""
        return max(self.least, total * self.times // self.divided - self.less)

    def reckoning(self, total: int) -> str:
        """Return the calculation from a sum of the dice to the damage, `6 / 2 − 1`, or ""."""
        words = plain_number(total)
        words += f" × {self.times}" if self.times != 1 else ""
        words += f" / {self.divided}" if self.divided != 1 else ""
        sign = "\N{MINUS SIGN}" if self.less > 0 else "+"
        words += f" {sign} {abs(self.less)}" if self.less else ""
        if total * self.times // self.divided - self.less < self.least:
            words += f", at least {self.least}"
        return words if words != plain_number(total) else ""


@frozen(eq=False)
class DamageRoll:
    """Rolled damage: the `total` that counts, and for each part its type and the amount that counts.

    `rolled`: the sum rolled for each part, before it was changed; None in odds. In odds only `total` is a
    number, and `amounts` are for facts and words.
    """

    total: int
    amounts: tuple[tuple[str, Any], ...]
    rolled: tuple[int, ...] | None

    @classmethod
    def of(cls, parts: Sequence[DamagePart], sums: Sequence[int]) -> "DamageRoll":
        """Return the damage for given sums, one for each part."""
        amounts = [(part.type, part.worth(total)) for part, total in zip(parts, sums, strict=True)]
        return cls(sum(amount for _, amount in amounts), tuple(amounts), tuple(sums))

    def amount(self, type: str) -> Any:
        """Return the amount of one type, 0 if there is none. In odds this is not a number."""
        return next((amount for name, amount in self.amounts if name == type), 0)
