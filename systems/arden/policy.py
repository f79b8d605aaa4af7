"""What a combatant may sensibly do in its turn: strike with each weapon, while action points last."""

from systems.arden.house import House
from systems.arden.sheet import Sheet, Weapon
from systems.contract.policy import Move, Policy


def moves(sheet: Sheet, house: House) -> tuple[Move, ...]:
    """Return a blow with each weapon, or unarmed."""
    return tuple(_attack(weapon) for weapon in sheet.weapons) or (Move("attack"),)


def _attack(weapon: Weapon) -> Move:
    """Return an attack next to the target; a weapon that does nothing there is used at its best distance."""
    near, *far = weapon.bands
    if near > 0 or max(far) <= 0:
        return Move("attack", {"weapon": weapon.name})
    return Move("attack", {"weapon": weapon.name, "distance": 2 + far.index(max(far))})


def times(sheet: Sheet, house: House) -> int:
    """Return the action points: each blow costs one, and a miss ends the turn (APD-01)."""
    return sheet.ap


POLICY = Policy(moves, times)
