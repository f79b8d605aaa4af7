"""What a combatant may sensibly do in its turn: fire, strike, cast, heal, and get a gun ready again."""

from collections.abc import Iterator

from systems.contract.policy import Move, Policy
from systems.waygate.house import House
from systems.waygate.sheet import Sheet, Weapon


def moves(sheet: Sheet, house: House) -> tuple[Move, ...]:
    """Return attacks with weapons that can be used and spells, healing, and reloading if nothing is left."""
    ready = [weapon for weapon in sheet.weapons if not weapon.jammed and _is_loaded(weapon)]
    attacks = [move for weapon in ready for move in _attacks(weapon)]
    attacks += [Move("attack", {"spell": spell.name}) for spell in sheet.spells if spell.damage]
    heals = [
        Move("healing_spell", {"spell": spell.name}, "fallen ally") for spell in sheet.spells if spell.healing
    ]
    repairs = [] if attacks else [*_repairs(sheet)]
    return (*attacks, *heals, *repairs) or (Move("attack"),)


def _is_loaded(weapon: Weapon) -> bool:
    return not weapon.clip or weapon.loaded > 0


def _attacks(weapon: Weapon) -> Iterator[Move]:
    """Yield an attack, in each firing mode if there are several (WAY-22).

    Auto empties the whole clip, so it costs the turn in which that is filled again (WAY-28).
    """
    if len(weapon.modes) < 2:
        yield Move("attack", {"weapon": weapon.name})
        return
    for mode in weapon.modes:
        turns = 2 if mode == "auto" else 1
        yield Move("attack", {"weapon": weapon.name, "mode": mode}, turns=turns)


def _repairs(sheet: Sheet) -> Iterator[Move]:
    """Yield what makes a gun ready again: clearing a jam (WAY-16), then a full clip (WAY-25)."""
    for weapon in sheet.weapons:
        action = "unjam" if weapon.jammed else "reload"
        yield Move(action, {"weapon": weapon.name}, "itself", first=True)


def drained(sheet: Sheet, house: House) -> str:
    """Return the hit points."""
    return "hp" if sheet.hp > 0 else ""


POLICY = Policy(moves, drained=drained)
