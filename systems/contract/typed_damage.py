"""Damage of several types against a target's defences, in ordered steps, and dice that a critical doubles."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

from systems.contract.damage import DamagePart, DamageStep
from systems.dice.expression import DiceError, Formula
from systems.dice.notation import maximum, minimum, parse
from systems.errors import Wrong
from systems.frozen import evolve, frozen
from systems.text import shown

DefenceKind = Literal["add", "reduce", "share", "resist", "vulnerable", "immune"]
# Additions and reductions come first, then a saved half, resistance, vulnerability and immunity.
ORDER: tuple[DefenceKind, ...] = ("add", "reduce", "share", "resist", "vulnerable", "immune")
ONCE = ("resist", "vulnerable", "immune")  # several of the same kind count once
EXPECTED = "dice and a type, such as 2d6+6 fire"


@frozen
class DamageDefence:
    """One way in which damage of some types changes before a target takes it.

    `kind`: `add` and `reduce` change it by `amount`; `share` divides it by `amount`, such as 2 after a save;
    `resist` halves it, `vulnerable` doubles it, `immune` makes it 0. Several resistances to a type count
    once, and so do several vulnerabilities. `types`: the types that it applies to; () for every type.
    `least`: what a reduction leaves at least. `label` names it in explanations.
    """

    kind: DefenceKind
    types: tuple[str, ...] = ()
    amount: int = 2
    rounded: Literal["down", "up"] = "down"
    least: int = 0
    label: str = ""

    def applies_to(self, type: str) -> bool:
        """Return whether damage of this type is changed."""
        return not self.types or type in self.types

    @property
    def step(self) -> DamageStep:
        """Return its step in the calculation."""
        match self.kind:
            case "add":
                return DamageStep(self.label, plus=self.amount)
            case "reduce":
                return DamageStep(self.label, plus=-self.amount, least=self.least)
            case "share":
                return DamageStep(self.label, divided=self.amount, rounded=self.rounded)
            case "resist":
                return DamageStep(self.label or "resistance", divided=2, rounded=self.rounded)
            case "vulnerable":
                return DamageStep(self.label or "vulnerability", times=2)
        return DamageStep(self.label or "immunity", times=0)


@lru_cache(maxsize=1024)
def steps_for(
    type: str, defences: tuple[DamageDefence, ...], order: tuple[DefenceKind, ...] = ORDER
) -> tuple[DamageStep, ...]:
    """Return the steps for damage of this type, in the order of the rules."""
    found: list[DamageStep] = []
    for kind in order:
        steps = [defence.step for defence in defences if defence.kind == kind and defence.applies_to(type)]
        found += steps[:1] if kind in ONCE else steps
    return tuple(found)


@frozen
class TypedDice:
    """Dice of damage in any notation, and their type: `2d6 + 6`, `fire`."""

    dice: str
    type: str = ""

    def critical(self, times: int = 2) -> "TypedDice":
        """Return the damage of a critical hit: `times` as many dice, the same numbers."""
        return evolve(self, dice=more_dice(self.dice, times))


def typed_parts(
    damage: Sequence[TypedDice],
    defences: tuple[DamageDefence, ...] = (),
    order: tuple[DefenceKind, ...] = ORDER,
) -> tuple[DamagePart, ...]:
    """Return the parts of a roll of damage, for `Table.damage`.

    Dice of one type are one part, because a reduction or a resistance counts once against their sum.
    """
    by_type: dict[str, list[str]] = {}
    for each in damage:
        by_type.setdefault(each.type, []).append(each.dice)
    return tuple(
        DamagePart(type, " + ".join(dice), steps=steps_for(type, defences, order))
        for type, dice in by_type.items()
    )


@lru_cache(maxsize=512)
def more_dice(dice: str, times: int = 2) -> str:
    """Return the notation with `times` as many dice and the same numbers: `1d8+2d6+3` as `2d8 + 4d6 + 3`.

    Dice that are kept, rerolled or exploded are rolled `times` over: `4d6kh3` becomes `(4d6kh3 + 4d6kh3)`.
    Raises Wrong for a text that is not dice.
    """
    formula = _one_roll(dice)
    words: list[str] = []
    for word in formula.words:
        if isinstance(word, str):
            words.append(word)
            continue
        pool = formula.pools[word]
        if pool.is_plain:
            words.append(f"{pool.count * times}d{pool.sides}")
        else:
            words.append(f"({' + '.join([pool.name] * times)})")
    return "".join(words)


def _one_roll(dice: str) -> Formula:
    try:
        formulas = parse(dice).formulas
    except DiceError as error:
        raise Wrong("", str(error)) from None
    if len(formulas) != 1:
        raise Wrong("", f"expected one roll, got {shown(dice)}")
    return formulas[0]


@lru_cache(maxsize=512)
def read_damage(text: str) -> TypedDice:
    """Return `2d6 + 6 fire` as dice and type. The type may have several words or be left out.

    Raises Wrong for a text that doesn't begin with dice or a number.
    """
    words = text.split()
    for number in range(len(words), 0, -1):
        dice = " ".join(words[:number])
        try:
            if len(parse(dice).formulas) == 1:
                return TypedDice(dice, " ".join(words[number:]))
        except DiceError:
            continue
    raise Wrong("", f"expected {EXPECTED}, got {shown(text)}")


@frozen
class DamageText:
    """The type of a field that holds damage as text, such as `2d6+6 fire`."""

    expected = EXPECTED
    examples = ("2d6 fire", "1d4+1 cold", "3 acid", "1d8")
    holds_spaces = True

    def check(self, value: object, path: str = "") -> str:
        if not isinstance(value, str):
            raise Wrong(path, f"expected {EXPECTED}, got {shown(value)}", code="wrong_type")
        try:
            minimum(read_damage(value).dice), maximum(read_damage(value).dice)  # finds a division by 0
        except (Wrong, DiceError):
            raise Wrong(path, f"expected {EXPECTED}, got {shown(value)}", code="wrong_type") from None
        return value

    def typed(self, word: str, path: str = "") -> str:
        return self.check(word, path)
