"""From a weapon's base and range to what reaches the body."""

from systems.contract.marked_text import as_health, as_status
from systems.contract.outcome import Step
from systems.contract.table import Table
from systems.text import plain_number
from systems.xcom.sheet import LOWEST_HEALTH, Sheet, Weapon, health_status

_DICE = {3: (12, 4), 4: (12, 3), 5: (10, 2), 6: (12, 2)}
_DICE_OF_TWO = {"d12": (12, 6), "d10": (10, 5)}


def damage_die(weapon: Weapon) -> tuple[int, int] | None:
    """The sides of the damage die and what it is divided by; None for a range of 0 or 1 (XCM-05, R1, R2)."""
    if weapon.damage_range == 2:
        return _DICE_OF_TWO[weapon.die]
    return _DICE.get(weapon.damage_range)


def roll_range(weapon: Weapon, table: Table) -> int:
    """What the damage range adds, the quotient rounded up (XCM-05, XCM-06, R2)."""
    die = damage_die(weapon)
    if die is None:
        return weapon.damage_range
    sides, divisor = die
    return -(-table.d(sides, "damage") // divisor)


def raw_damage(weapon: Weapon, rolled: int, result: str) -> int:
    """Damage before armor: a graze is half rounded up, a critical adds the range (XCM-61 to XCM-64)."""
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
    """How that came about."""
    total = f"{weapon.damage_base} + {rolled} rolled"
    if result == "graze":
        return f"half of {total}, rounded up"
    return f"{total} + {weapon.damage_range} critical" if result == "critical" else total


def through_armor(armor: int, damage: int) -> int:
    """Armor is subtracted, and at least 1 stays (XCM-65, R17)."""
    return max(1, damage - armor)


def health_after(before: Sheet, damage: int) -> int:
    """Health once the damage is applied, no lower than a sheet can hold (XCM-66)."""
    return max(LOWEST_HEALTH, before.health - damage)


def falls(before: Sheet, damage: int) -> bool:
    """Whether this damage is what takes it down (R20)."""
    return health_status(before) == "up" and before.health <= damage


def damage_words(before: Sheet, raw: int, damage: int) -> str:
    """`6 damage, armor takes 2, health 8 → 4`."""
    armor = f", armor takes {raw - damage}" if raw > damage else ""
    return f"{max(raw, damage)} damage{armor}, {health_words(before, damage)}"


def health_words(before: Sheet, damage: int) -> str:
    """`health 8 → 4`, and that it is down."""
    words = f"health {_moved(before, damage)}"
    return f"{words}, {as_status('down')}" if falls(before, damage) else words


def armor_step(before: Sheet, raw: int, damage: int) -> Step:
    """What the armor took."""
    return Step("armor", plain_number(damage - raw), f"armor {before.armor}; at least 1 stays")


def health_step(before: Sheet, damage: int) -> Step:
    """Health before and after."""
    return Step("health", _moved(before, damage), "down" if falls(before, damage) else "")


def _moved(before: Sheet, damage: int) -> str:
    return as_health(before.health, health_after(before, damage))
