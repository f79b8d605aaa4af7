"""What a combatant may sensibly do in its turn: strike with each weapon, while action points last."""

from systems.arden.house import House
from systems.arden.sheet import Sheet
from systems.contract.policy import Move, Policy


def moves(sheet: Sheet, house: House) -> tuple[Move, ...]:
    """Return a blow with each weapon, or unarmed."""
    return tuple(Move("attack", {"weapon": each.name}) for each in sheet.weapons) or (Move("attack"),)


POLICY = Policy(moves)
