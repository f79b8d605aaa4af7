"""What the words of effects mean here: saves, damage types, hit points and states (R15)."""

from typing import Any

from systems.contract.area import Resistance
from systems.contract.outcome import Term
from systems.contract.typed_damage import TypedDice
from systems.effects.library import Effects, effect_action
from systems.effects.meaning import EffectMeaning
from systems.schema.conversion import entry_named
from systems.simple.counters import spend_changes
from systems.simple.damage import critical_dice, defences
from systems.simple.health import (
    down_question,
    healing_changes,
    hp_loss_changes,
    hp_words,
    temporary_changes,
)
from systems.simple.house import House
from systems.simple.rolls import resistance
from systems.simple.sheet import (
    USUAL_DEFENCE,
    Sheet,
    counter_named,
    difficulty_set,
    life_status,
    save_of,
    weapon_of,
)


def save(sheet: Sheet, house: House, name: str, dc: int) -> Resistance:
    """Return a saving throw in the table's way of rolling."""
    return resistance(house, f"{name} save", (Term(name, save_of(sheet, house, name)),), dc)


def damage_dc(house: House, amount: int) -> int:
    """Return the number of a save after damage: half of it over a number, at least the usual one (R16)."""
    return max(USUAL_DEFENCE[house.roll], amount // 2 if house.roll == "over" else 0)


def states(sheet: Sheet, house: House) -> tuple[str, ...]:
    """Return the status, and hurt, bloodied and zero as far as they are true."""
    found = [life_status(sheet)]
    if sheet.hp < sheet.max_hp:
        found.append("hurt")
    if sheet.hp * 2 <= sheet.max_hp:
        found.append("bloodied")
    if sheet.hp <= 0:
        found.append("zero")
    return tuple(found)


def critical(house: House, dice: TypedDice) -> TypedDice:
    """Return the damage of an effect on a critical hit, as the house rules say (R3)."""
    return TypedDice(critical_dice(dice.dice, house), dice.type)


def counter_left(sheet: Sheet, name: str) -> int | None:
    """Return what is left of a counter, such as legendary; None without such a counter."""
    counter = entry_named(sheet.counters, name)
    return None if counter is None else counter.now


def spend(sheet: Sheet, name: str, amount: int) -> dict[str, object]:
    """Return the sheet's changes when an effect spends from a counter."""
    return spend_changes(sheet, counter_named(sheet, name, "actor.effects.spends"), amount)


def use(sheet: Sheet, name: str) -> tuple[str, dict[str, object]] | None:
    """Return the action that uses a weapon of this name: against an area if targets can resist it."""
    weapon = entry_named(sheet.weapons, name)
    if weapon is None:
        return None
    return ("area" if weapon.resist else "attack"), {"weapon": weapon.name}


def used(scene: Any) -> tuple[str, ...]:
    """Return the name of the weapon or effect that an action uses."""
    options = scene.options
    if (effect := getattr(options, "effect", None)) is not None:
        return (effect,)
    return (weapon_of(scene.actor, options.weapon).name,) if hasattr(options, "weapon") else ()


EFFECTS = Effects(
    EffectMeaning(
        defences=lambda sheet, house: defences(sheet),
        hurt=lambda sheet, house, amount: hp_loss_changes(sheet, amount, house),
        heal=lambda sheet, house, amount: healing_changes(sheet, amount),
        temporary=lambda sheet, house, amount: temporary_changes(sheet, amount),
        save=save,
        dc=difficulty_set,
        damage_dc=damage_dc,
        states=states,
        moved=hp_words,
        asks=down_question,
        types=lambda sheet: sheet.creature_types,
        size=lambda sheet: sheet.size,
        names=lambda sheet: ("attack", "area", "unarmed", *(weapon.name for weapon in sheet.weapons)),
        critical=critical,
        left=counter_left,
        spend=spend,
        counters=lambda sheet: [counter.name for counter in sheet.counters],
        use=use,
        used=used,
    )
)
EFFECT = effect_action(EFFECTS)
