"""What a combatant may sensibly do in its turn: strike one foe or an area, or use an effect."""

from systems.contract.policy import Move, Policy
from systems.effects.moves import moves_by_effects
from systems.simple.house import House
from systems.simple.sheet import Sheet, own_weapons


def moves(sheet: Sheet, house: House) -> tuple[Move, ...]:
    """Return an attack with each weapon, and effects; weapons that a skill resists strike an area (R13)."""
    own = own_weapons(sheet)
    attacks = [Move("attack", {"weapon": each.name}) for each in own if not each.resist]
    areas = [Move("area", {"weapon": each.name}, "foes") for each in own if each.resist]
    return (*attacks, *areas, *moves_by_effects(sheet.effects)) or (Move("attack"),)


def drained(sheet: Sheet, house: House) -> str:
    """Return the hit points."""
    return "hp" if sheet.hp > 0 else ""


POLICY = Policy(moves, drained=drained)
