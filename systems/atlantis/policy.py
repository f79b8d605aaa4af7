"""What a combatant may sensibly do in its turn: attack with each weapon, as often as it may in a round."""

from systems.atlantis.house import House
from systems.atlantis.sheet import Sheet
from systems.contract.policy import Move, Policy


def moves(sheet: Sheet, house: House) -> tuple[Move, ...]:
    """Return an attack with each weapon, or a punch."""
    return tuple(Move("attack", {"weapon": each.name}) for each in sheet.weapons) or (Move("attack"),)


def times(sheet: Sheet, house: House) -> int:
    """Return the attacks of a round (ATL-25)."""
    return sheet.attacks_per_round


POLICY = Policy(moves, times)
