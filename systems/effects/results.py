"""What one effect does to one combatant: a saving throw, damage, healing, conditions, and their words."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from systems.contract.action import AnyScene
from systems.contract.area import ONE_DIE, Resistance, affected_beside, ready_to_turn, resist
from systems.contract.aside import Aside
from systems.contract.damage import DamagePart, DamageRoll
from systems.contract.interruption import UsedInterruption
from systems.contract.outcome import EndedCondition, GivenCondition, Hurt, Role, Step, Term
from systems.contract.table import Table
from systems.contract.typed_damage import DamageDefence, TypedDice, read_damage, typed_parts
from systems.effects.conditions import EffectSide, applies, auras_over
from systems.effects.meaning import EffectMeaning, is_aura, lines_of
from systems.effects.words import EffectLine, is_die
from systems.frozen import evolve, frozen
from systems.schema.conversion import replace
from systems.text import listed, plain_number, spoken

_POOL = re.compile(r"(\d+)(d\d+c.*)")
HALVED = DamageDefence("share", label="saved")


@frozen
class SavingThrow:
    """A saving throw: `passed`, and the sum of its dice, which is not a number in odds.

    `used`: what others have used to raise or lower it.
    """

    by: Resistance
    passed: bool
    thrown: Any
    used: tuple[UsedInterruption, ...] = ()

    @property
    def words(self) -> str:
        """Return the roll in words, such as `wisdom save 9 against 14`."""
        return save_words(self.by, self.thrown)

    @property
    def terms(self) -> tuple[Term, ...]:
        return (*self.by.terms, Term(self.by.dice, self.thrown))


@frozen(eq=False)
class SavingThrowBeside:
    """A saving throw on which only conditions depend. `aside` passes if the save fails."""

    by: Resistance
    aside: Aside

    @property
    def words(self) -> str:
        return save_words(self.by, self.aside.sums[0])


def save_words(by: Resistance, thrown: int) -> str:
    total = plain_number(thrown + sum(term.value for term in by.terms))
    return f"{by.why} {total} against {plain_number(by.needed)}"


def _resistance(
    meaning: EffectMeaning, line: EffectLine, scene: AnyScene, side: EffectSide
) -> Resistance | None:
    """Return the saving throw against a line, or None if it has none."""
    if line.save is None:
        return None
    dc = None if line.dc is None else meaning.dc(scene.actor, scene.house, line.dc)
    if line.dc_by_damage:
        by_damage = meaning.damage_dc(scene.house, scene.options.amount)
        dc = by_damage if dc is None else max(dc, by_damage)
    if dc is None:
        return None
    return _changed_save(meaning, scene, side, meaning.save(side.sheet, scene.house, line.save, dc))


def _changed_save(meaning: EffectMeaning, scene: AnyScene, side: EffectSide, by: Resistance) -> Resistance:
    """Return a saving throw with what effects of the combatant itself, and auras, change about it."""
    edge = 0
    added: list[str] = []
    for label, change in changes_to(meaning, scene, side, "saves"):
        if isinstance(change, int):
            by = evolve(by, terms=(*by.terms, Term(label, change)))
        elif is_die(change):
            added.append(change)
        else:
            edge += 1 if change == "advantage" else -1
    die = ONE_DIE.fullmatch(by.dice)
    if edge and die:
        is_better = (edge > 0) is not by.under
        by = evolve(by, dice=f"2d{die[1]}k{'h' if is_better else 'l'}1")
    for more in added:
        by = evolve(by, dice=_with_die(by, more))
    return by


def _with_die(by: Resistance, more: str) -> str:
    """Return the dice of a saving throw with a die such as 1d4 or -1d6; a pool has one die more or less."""
    is_less = more.startswith("-")
    if pool := _POOL.fullmatch(by.dice):
        return f"{max(1, int(pool[1]) + (-1 if is_less else 1))}{pool[2]}"
    return f"{by.dice}{'-' if is_less is not by.under else '+'}{more.removeprefix('-')}"


def changes_to(
    meaning: EffectMeaning, scene: AnyScene, side: EffectSide, name: str
) -> Iterator[tuple[str, int | str]]:
    """Yield what effects of a combatant itself, and auras, change about its saves or checks.

    Each change has the name of its effect.
    """
    for line in lines_of(meaning, scene, side.role):
        is_own = line.when == "always" and not is_aura(line) and name in line.change
        if is_own and applies(meaning, line, scene, side, None):
            yield line.name, line.change[name]
    for line in auras_over(meaning, scene, side):
        if name in line.change:
            yield line.name, line.change[name]


def save_against(
    meaning: EffectMeaning,
    line: EffectLine,
    scene: AnyScene,
    side: EffectSide,
    table: Table,
    earlier: Sequence[UsedInterruption] = (),
) -> SavingThrow | None:
    """Roll the saving throw of a line, if it has one. The die is named after the effect.

    `earlier`: what others have used in this action already.
    """
    by = _resistance(meaning, line, scene, side)
    if by is None:
        return None
    spent = {each.of for each in earlier}
    ready = [each for each in ready_to_turn(scene) if (each.role or each.owner.id) not in spent]
    return SavingThrow(by, *resist(by, table, side.role, f"{by.why}, {line.name}", ready))


def save_beside(
    meaning: EffectMeaning, line: EffectLine, scene: AnyScene, side: EffectSide, table: Table
) -> SavingThrowBeside | None:
    """Roll the saving throw of a line on which nothing else depends, if it has one.

    None also if other combatants can still change its result.
    """
    by = _resistance(meaning, line, scene, side)
    if by is None or ready_to_turn(scene):
        return None
    return SavingThrowBeside(by, affected_beside(by, table, side.role, f"{by.why}, {line.name}"))


def parts_of(
    meaning: EffectMeaning,
    line: EffectLine,
    scene: AnyScene,
    side: EffectSide,
    saved: SavingThrow | None,
    *,
    is_critical: bool = False,
) -> tuple[DamagePart, ...]:
    """Return the damage of a line as a combatant takes it after its saving throw."""
    if saved and saved.passed and not line.half:
        return ()
    dice = dice_of(meaning, line, scene, is_critical=is_critical)
    defences = meaning.defences(side.sheet, scene.house)
    if saved and saved.passed:
        defences = (HALVED, *defences)
    return typed_parts(dice, defences)


def dice_of(
    meaning: EffectMeaning, line: EffectLine, scene: AnyScene, *, is_critical: bool
) -> tuple[TypedDice, ...]:
    """Return the dice of a line's damage, those of a critical hit if it is one."""
    dice = tuple(read_damage(text) for text in line.damage)
    return tuple(meaning.critical(scene.house, each) for each in dice) if is_critical else dice


def given_by(
    meaning: EffectMeaning, line: EffectLine, scene: AnyScene, side: EffectSide
) -> tuple[GivenCondition, ...]:
    """Return the condition that a line gives after a failed save, and the conditions that it brings."""
    if line.condition is None:
        return ()
    until: Any = None
    of: Role = side.role
    if line.until is not None:
        whose, _, until = line.until.partition("_")
        of = "actor" if whose == "source" else side.role
    has_save = bool(line.again and line.save)
    brought = tuple(GivenCondition(side.role, name, brought_by=line.condition) for name in line.brings)
    return (
        GivenCondition(
            side.role,
            line.condition,
            line.value,
            rounds=line.rounds,
            until=until,
            of=of,
            sustained_by="concentrating" if line.concentration else "",
            save=str(line.save) if has_save else "",
            difficulty=meaning.dc(scene.actor, scene.house, line.dc)
            if has_save and line.dc is not None
            else None,
            again=cast(Any, line.again),
            worse=line.worse or "",
            worse_rounds=line.worse_rounds,
            worse_again=cast(Any, line.worse_again),
            worse_ends_when=cast(Any, line.worse_ends_when),
            escape=line.escape,
            ends_when=cast(Any, line.ends_when),
            change=line.carried,
            tick=line.tick,
            tick_at=cast(Any, line.tick_at),
        ),
        *brought,
    )


def left_of(line: EffectLine) -> EffectLine:
    """Return what is left of a line after a successful save, apart from its damage and its condition."""
    if not line.avoids_all:
        return line
    return evolve(line, heal=None, temp_hp=None, bring=None, remind=None, drain=False)


def ended_by(line: EffectLine, side: EffectSide) -> tuple[EndedCondition, ...]:
    """Return the conditions that a line ends."""
    ends = (EndedCondition(side.role, line.ends),) if line.ends else ()
    if not line.releases:
        return ends
    return (*ends, EndedCondition("everybody", line.releases, given_by=side.role))


def healed_by(
    meaning: EffectMeaning, line: EffectLine, scene: AnyScene, sheet: Any, table: Table
) -> tuple[int | None, int | None, Mapping[str, object]]:
    """Roll the healing of a line; return hit points, temporary ones, and the changes of the sheet."""
    healed = temporary = None
    changes: dict[str, object] = {}
    if line.heal is not None:
        healed = max(0, table.roll(line.heal, f"healing, {line.name}", "actor"))
        changes |= meaning.heal(sheet, scene.house, healed)
    if line.temp_hp is not None:
        temporary = max(0, table.roll(line.temp_hp, f"temporary hit points, {line.name}", "actor"))
        changes |= meaning.temporary(replace(sheet, **changes), scene.house, temporary)
    return healed, temporary, changes


def damage_words(roll: DamageRoll) -> str:
    """Return the amounts by type, such as `5 fire and 3 cold damage`."""
    amounts = [f"{amount} {type}".strip() for type, amount in roll.amounts if amount]
    return f"{listed(amounts) or '0'} damage"


def damage_steps(parts: Sequence[DamagePart], roll: DamageRoll) -> tuple[Step, ...]:
    """Return the steps from the rolled dice to the damage of each type."""
    if roll.rolled is None:
        return ()
    thrown = zip(parts, roll.amounts, roll.rolled, strict=True)
    return tuple(
        Step(f"{type} damage" if type else "damage", str(amount), part.reckoning(total))
        for part, (type, amount), total in thrown
    )


def hurt_by(roll: DamageRoll, role: Role) -> tuple[Hurt, ...]:
    """Return the damage as other effects see it."""
    return (Hurt(role, roll.total, roll.amounts),) if roll.amounts else ()


def condition_words(gives: Sequence[GivenCondition]) -> list[str]:
    """Return the given conditions in words."""
    return [spoken(given.condition) for given in gives]
