"""What a combatant may sensibly do in its turn: one attack, with the weapon that does most."""

from systems.atomic_d20.house import House
from systems.atomic_d20.sheet import Sheet
from systems.contract.policy import Move, Policy


def moves(sheet: Sheet, house: House) -> tuple[Move, ...]:
    """Return an attack with each weapon."""
    return tuple(Move("attack", {"weapon": each.name}) for each in sheet.weapons)


POLICY = Policy(moves)
