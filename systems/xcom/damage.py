"""Calculate damage: from a weapon's base and range to the health lost."""

from systems.contract.marked_text import as_change, as_health, as_status
from systems.contract.outcome import Step
from systems.contract.table import Table
from systems.text import plain_number
from systems.xcom.sheet import LOWEST_HEALTH, Sheet, Weapon, health_status

_DICE = {3: (12, 4), 4: (12, 3), 5: (10, 2), 6: (12, 2)}
_DICE_OF_TWO = {"d12": (12, 6), "d10": (10, 5)}


def damage_die(weapon: Weapon) -> tuple[int, int] | None:
    """Return the sides of the damage die and its divisor, or None for a range of 0 or 1 (XCM-05, R1, R2)."""
    if weapon.damage_range == 2:
        return _DICE_OF_TWO[weapon.die]
    return _DICE.get(weapon.damage_range)


def roll_range(weapon: Weapon, table: Table) -> int:
    """Roll the damage that the range adds; the quotient is rounded up (XCM-05, XCM-06, R2)."""
    die = damage_die(weapon)
    if die is None:
        return weapon.damage_range
    sides, divisor = die
    return -(-table.d(sides, "damage") // divisor)


def raw_damage(weapon: Weapon, rolled: int, result: str) -> int:
    """Return damage before armor: a graze is half, rounded up; a critical adds the range (XCM-61 to 64)."""
    total = weapon.damage_base + rolled
    match result:
        case "miss":
            return 0
        case "graze":
            return (total + 1) // 2
        case "critical":
            return total + weapon.damage_range
        case _:
            return total


def raw_note(weapon: Weapon, rolled: int, result: str) -> str:
    """Return the calculation of the damage in words."""
    total = f"{weapon.damage_base} + {rolled} rolled"
    if result == "graze":
        return f"half of {total}, rounded up"
    return f"{total} + {weapon.damage_range} critical" if result == "critical" else total


def through_armor(armor: int, damage: int) -> int:
    """Return the damage after armor, at least 1 (XCM-65, R17)."""
    return max(1, damage - armor)


def health_after(before: Sheet, damage: int) -> int:
    """Return the health after damage, limited to the lowest value of a sheet (XCM-66)."""
    return max(LOWEST_HEALTH, before.health - damage)


def falls(before: Sheet, damage: int) -> bool:
    """Return whether this damage takes the combatant down (R20)."""
    return health_status(before) == "up" and before.health <= damage


def harm_words(before: Sheet, damage: int) -> str:
    """Return `4 (health 8 → 4), down`: what the target takes, and what follows from it."""
    words = f"{damage}{as_change('health', before.health, health_after(before, damage))}"
    return f"{words}, {as_status('down')}" if falls(before, damage) else words


def damage_numbers(raw: int, damage: int) -> str:
    """Return `6 damage, armor 2`: the damage before armor, and what the armor took."""
    armor = f", armor {raw - damage}" if raw > damage else ""
    return f"{max(raw, damage)} damage{armor}"


def health_moved(before: Sheet, damage: int) -> str:
    """Return `health 8 → 4`."""
    return f"health {_moved(before, damage)}"


def armor_step(before: Sheet, raw: int, damage: int) -> Step:
    """Return the explanation line for armor."""
    return Step("armor", plain_number(damage - raw), f"armor {before.armor}; at least 1 stays")


def health_step(before: Sheet, damage: int) -> Step:
    """Return the explanation line for health."""
    return Step("health", _moved(before, damage), "down" if falls(before, damage) else "")


def _moved(before: Sheet, damage: int) -> str:
    return as_health(before.health, health_after(before, damage))
