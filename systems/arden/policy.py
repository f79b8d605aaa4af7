"""What a combatant may sensibly do in its turn: strike or pierce, while action points last."""

from collections.abc import Iterator

from systems.arden.house import House
from systems.arden.sheet import Sheet, Weapon
from systems.contract.policy import Move, Policy


def moves(sheet: Sheet, house: House) -> tuple[Move, ...]:
    """Return a blow and a piercing attack with each weapon, or a blow unarmed (APD-46, APD-48)."""
    return tuple(move for weapon in sheet.weapons for move in _attacks(weapon)) or (Move("attack"),)


def _attacks(weapon: Weapon) -> Iterator[Move]:
    """Yield attacks next to the target; a weapon that does nothing there is used at its best distance."""
    near, *far = weapon.bands
    options: dict[str, object] = {"weapon": weapon.name}
    if near <= 0 < max(far):
        options["distance"] = 2 + far.index(max(far))
    yield Move("attack", options)
    yield Move("attack", {**options, "style": "piercing"})


def times(sheet: Sheet, house: House) -> int:
    """Return the action points: each blow costs one, and a miss ends the turn (APD-01)."""
    return sheet.ap


def drained(sheet: Sheet, house: House) -> str:
    """Return the health points."""
    return "hp" if sheet.hp > 0 else ""


POLICY = Policy(moves, times, drained=drained)
