"""Damage dice: one blow, and damage of several types in one roll."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Literal

from systems.frozen import evolve, frozen
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
class DamageStep:
    """One step from rolled damage to damage taken, such as armour or resistance.

    `plus` is added (below 0: subtracted), then the sum is multiplied by `times`, divided by `divided` and
    rounded. The result is never below `least`. `label` names the reason in explanations.
    """

    label: str = ""
    plus: int = 0
    times: int = 1
    divided: int = 1
    rounded: Literal["down", "up"] = "down"
    least: int = 0

    def worth(self, damage: int) -> int:
        """Return the damage after this step."""
        amount = (damage + self.plus) * self.times
        shared = -(-amount // self.divided) if self.rounded == "up" else amount // self.divided
        return max(self.least, shared)

    def reckoning(self, damage: int) -> str:
        """Return the calculation and the damage after this step, such as `/ 2 resistance = 11`."""
        words = [f"{_sign(self.plus)} {abs(self.plus)}"] if self.plus else []
        words += [f"× {self.times}"] if self.times != 1 else []
        words += [f"/ {self.divided}"] if self.divided != 1 else []
        words += [self.label] if self.label else []
        return f"{' '.join(words)} = {plain_number(self.worth(damage))}"


def _sign(number: int) -> str:
    return "+" if number > 0 else "\N{MINUS SIGN}"


@frozen
class DamagePart:
    """Damage of one type: its dice, and how the target changes their sum.

    `dice`: a Blow, or dice in any notation (`2d6 + 3`). What counts is the sum times `times`, divided by
    `divided` and rounded down, minus `less`, never below `least`: `divided=2` is resistance or a save,
    `times=2` vulnerability, `times=0` immunity, `less` armour against this type. The `steps` follow, each
    rounded by itself, in the order given; `typed_damage.py` makes them from a target's defences.
    """

    type: str
    dice: Blow | str
    times: int = 1
    divided: int = 1
    less: int = 0
    least: int = 0
    steps: tuple[DamageStep, ...] = ()

    def worth(self, total: int) -> int:
        """Return the damage for a sum of the dice."""
        damage = max(self.least, total * self.times // self.divided - self.less)
        for step in self.steps:
            damage = step.worth(damage)
        return damage

    def reckoning(self, total: int) -> str:
        """Return the calculation from a sum of the dice to the damage, `6 / 2 − 1`, or ""."""
        words = [self._first_reckoning(total)]
        damage = evolve(self, steps=()).worth(total)
        for step in self.steps:
            words.append(step.reckoning(damage))
            damage = step.worth(damage)
        said = ", ".join(words)
        return said if said != plain_number(total) else ""

    def _first_reckoning(self, total: int) -> str:
        words = plain_number(total)
        words += f" × {self.times}" if self.times != 1 else ""
        words += f" / {self.divided}" if self.divided != 1 else ""
        sign = "\N{MINUS SIGN}" if self.less > 0 else "+"
        words += f" {sign} {abs(self.less)}" if self.less else ""
        if total * self.times // self.divided - self.less < self.least:
            words += f", at least {self.least}"
        return words


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


@frozen(eq=False)
class DamageTally:
    """Damage added up so far, by rolls of `Table.add_damage`.

    `least` is a number that rules may read: at the table the sum itself, in odds the level that all sums of
    this branch have reached. `sum` is for facts: in odds it represents every sum of the branch (odds.Sums).
    `roll`: the last roll; None in odds. `last`: the damage added last, which `Table.by_damage` reads; in odds
    it may represent several amounts. `restarts`: in odds, levels count the damage from here on alone, such
    as for a target that was just set to 1 hit point, whatever the sum is.
    """

    least: int = 0
    sum: Any = 0
    roll: DamageRoll | None = None
    last: Any = 0
    restarts: bool = False

    def plus(self, amount: int) -> "DamageTally":
        """Return the tally with a fixed amount added."""
        total = self.sum + amount if isinstance(self.sum, int) else self.sum.shifted(amount)
        return DamageTally(self.least + amount, total, last=amount)

    def left_of(self, points: int) -> Any:
        """Return the points left after all of it, if `points` are left after `least`.

        In odds to which only changes matter (`Table.only_changes`) this represents the points after each sum.
        """
        if isinstance(self.sum, int):
            return points - (self.sum - self.least)
        return self.sum.taken_from(points + self.least)


NO_DAMAGE = DamageTally()
# Totals at which the result changes, from low to high; None: every total has a result of its own.
Levels = tuple[int, ...] | None
