"""What a combatant may sensibly do in its turn: shoot, strike, or throw a grenade."""

from systems.contract.policy import Move, Policy
from systems.xcom.house import House
from systems.xcom.sheet import Sheet


def moves(sheet: Sheet, house: House) -> tuple[Move, ...]:
    """Return an attack with each weapon that is aimed, and a throw of each grenade that is left."""
    left = [weapon for weapon in sheet.weapons if weapon.count != 0]
    aimed = [Move("attack", {"weapon": weapon.name}) for weapon in left if weapon.area == "none"]
    thrown = [Move(weapon.area, {"weapon": weapon.name}, "foes") for weapon in left if weapon.area != "none"]
    return (*aimed, *thrown)


def times(sheet: Sheet, house: House) -> int:
    """Return the actions of a turn (XCM-36)."""
    return sheet.actions_per_turn


def drained(sheet: Sheet, house: House) -> str:
    """Return the health."""
    return "health" if sheet.health > 0 else ""


POLICY = Policy(moves, times, drained=drained)
