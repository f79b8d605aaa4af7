"""Damage dice: plain ones such as 2d6, and other notations, such as exploding dice."""

import re

from systems.contract.damage import Blow, DamagePart, DamageStep, read_dice
from systems.contract.table import Table, die_note
from systems.contract.typed_damage import DamageDefence, more_dice, steps_for
from systems.simple.house import House
from systems.simple.sheet import Sheet, Weapon

NOTES = {
    "none": "",
    "double_dice": "critical: twice the dice",
    "double_damage": "critical: the whole damage counts twice",
}
_PLAIN = re.compile(r"[0-9]+d[0-9]+(\+[0-9]+d[0-9]+)*")


def is_plain(weapon: Weapon) -> bool:
    """Return whether the damage is a plain number, or dice that are added up."""
    return weapon.damage is None or _PLAIN.fullmatch(weapon.damage) is not None


def weapon_dice(weapon: Weapon, plus: int) -> str:
    """Return the damage dice with the number added to them, in notation."""
    if weapon.damage is None:
        return str(plus)
    return f"{weapon.damage} + {plus}" if plus else weapon.damage


def plain_blow(weapon: Weapon, plus: int) -> Blow:
    """Return plain damage dice with the number added to them."""
    return Blow(read_dice(weapon.damage) if weapon.damage else (), plus, least=0)


def throw_damage(table: Table, weapon: Weapon, plus: int, house: House, *, is_critical: bool) -> int:
    """Roll the damage of a hit, doubled for a critical hit as the house rules say (R3)."""
    how = house.critical if is_critical else "none"
    with die_note(NOTES[how]):
        if is_plain(weapon):
            return table.blows(1, _doubled(plain_blow(weapon, plus), how), "damage")
        dice = f"({weapon.damage}) + ({weapon.damage})" if how == "double_dice" else str(weapon.damage)
        factor = 2 if how == "double_damage" else 1
        return max(0, factor * table.roll(f"{dice} + {plus}", "damage"))


def critical_dice(dice: str, house: House) -> str:
    """Return dice in notation for a critical hit, as the house rules say (R3)."""
    match house.critical:
        case "double_damage":
            return f"({dice}) * 2"
        case "double_dice":
            return more_dice(dice)
    return dice


def _doubled(blow: Blow, how: str) -> Blow:
    match how:
        case "double_damage":
            return Blow(blow.dice, blow.plus * 2, factor=2, least=0)
        case "double_dice":
            return Blow(tuple((number * 2, sides) for number, sides in blow.dice), blow.plus, least=0)
    return blow


def damage_part(weapon: Weapon, plus: int, target: Sheet) -> DamagePart:
    """Return the damage of an area as a target takes it: less its armour, then by its resistances."""
    type, steps = weapon.type or "", steps_against(target, weapon.type)
    if is_plain(weapon):
        return DamagePart(type, plain_blow(weapon, plus), less=target.armour, steps=steps)
    return DamagePart(type, f"({weapon.damage}) + {plus}", less=target.armour, steps=steps)


def defences(sheet: Sheet) -> tuple[DamageDefence, ...]:
    """Return the resistances, vulnerabilities and immunities of a target (R15)."""
    kinds = (
        DamageDefence("resist", sheet.resistances),
        DamageDefence("vulnerable", sheet.vulnerabilities),
        DamageDefence("immune", sheet.immunities),
    )
    return tuple(defence for defence in kinds if defence.types)


def steps_against(sheet: Sheet, type: str | None) -> tuple[DamageStep, ...]:
    """Return how a target's resistances change damage of this type."""
    return steps_for(type, defences(sheet)) if type else ()
