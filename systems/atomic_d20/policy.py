"""What a combatant may sensibly do in its turn: one attack, with the weapon that does most."""

from systems.atomic_d20.house import House
from systems.atomic_d20.sheet import Sheet, Weapon
from systems.contract.policy import Move, Policy
from systems.text import find_word


def moves(sheet: Sheet, house: House) -> tuple[Move, ...]:
    """Return an attack with each weapon."""
    return tuple(_attack(sheet, weapon) for weapon in sheet.weapons)


def _attack(sheet: Sheet, weapon: Weapon) -> Move:
    """Return an attack. A weapon that is named like a practised manoeuvre belongs to the high concept."""
    practised = find_word(weapon.name, sheet.practiced)
    if practised is None:
        return Move("attack", {"weapon": weapon.name})
    own = {"maneuver": practised, "relevant": ("high_concept",)}
    return Move("attack", {"weapon": weapon.name, **own})


POLICY = Policy(moves)
