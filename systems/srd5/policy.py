"""What a combatant may sensibly do in its turn: get up, then its multiattack, an attack, a power, or healing.

One action a turn counts. Bonus actions are used only to heal, and reactions never.
"""

from collections.abc import Mapping
from functools import lru_cache

from systems.contract.policy import Aim, Move, Policy
from systems.effects.moves import moves_by_effects
from systems.schema.conversion import entry_named, replace
from systems.srd5.body import body_of, concentrates, walking_speed
from systems.srd5.house import House
from systems.srd5.sheet import ITSELF, Attack, Power, Sheet, SpellSlots
from systems.srd5.spells import rays_of
from systems.srd5.uses import LEGENDARY

_ACTIONS = ("action", "bonus_action")


def moves(sheet: Sheet, house: House) -> tuple[Move, ...]:
    """Return getting up if that is needed, and everything that costs the action of a turn."""
    found = [Move("stand", {}, "itself", first=True)] if _must_stand(sheet) else []
    if sheet.multiattack:
        found.append(Move("multiattack"))
    found += [_attack(attack) for attack in sheet.attacks]
    for power in sheet.powers:
        if power.concentration and concentrates(body_of(sheet)):
            # It would end the effect of the power that it keeps up.
            continue
        if power.kind == "action" and _harms_others(power):
            found.append(_power(sheet, power, "foes" if power.area else "foe"))
        if power.kind in _ACTIONS and _heals_others(power):
            found.append(_power(sheet, power, "fallen ally"))
    found += moves_by_effects(sheet.effects)
    # A creature whose stat block has no attack, such as a fungus, makes none.
    unarmed = () if sheet.cr != "none" else (Move("attack", {"weapon": "unarmed"}),)
    return tuple(found) or unarmed


def _attack(attack: Attack) -> Move:
    """Return an attack; a spell of several rays makes all of them."""
    if rays_of(attack) > 1:
        return Move("multiattack", {"weapon": attack.name})
    return Move("attack", {"weapon": attack.name})


def _power(sheet: Sheet, power: Power, aim: Aim) -> Move:
    """Return the use of a power, or of the effect that pays for it, such as one of several spells."""
    for line in sheet.effects:
        if line.when == "asked" and line.spends and line.use == power.name:
            return Move("effect", {"effect": line.name}, aim)
    return Move("power", {"power": power.name}, aim)


def _harms_others(power: Power) -> bool:
    harms = power.damage or (power.conditions and not power.healing)
    return bool(harms) and power.area != ITSELF


def _heals_others(power: Power) -> bool:
    return bool(power.healing) and not power.damage and power.area != ITSELF


def _must_stand(sheet: Sheet) -> bool:
    """Return whether it lies prone and has the speed to get up (SRD-91)."""
    return "prone" in sheet.conditions and walking_speed(body_of(sheet)) > 0


def times(sheet: Sheet, house: House) -> int:
    """Return one action; getting up costs half the speed instead of an action."""
    return 1 + _must_stand(sheet)


def is_area(sheet: Sheet, options: Mapping[str, object]) -> bool:
    """Return whether the power that these options name strikes an area."""
    power = entry_named(sheet.powers, str(options.get("power", "")))
    return power is not None and power.area not in (None, ITSELF)


def drained(sheet: Sheet, house: House) -> str:
    """Return the hit points; "" for a target that may stay up at 0 (SRD-87)."""
    return "hp" if sheet.hp > 0 and not sheet.undead_fortitude else ""


def alike(sheet: Sheet, house: House) -> Mapping[str, object]:
    """Return one spell slot of each level, and no more legendary actions than one use costs.

    Everything else that is left of them pays for later actions.
    """
    changes: dict[str, object] = {}
    slots = sheet.spell_slots
    if any(each.left > 1 for each in slots):
        changes["spell_slots"] = _one_of_each(slots)
    if sheet.legendary_actions_left > 1:
        costs = [power.cost for power in sheet.powers if power.kind == "legendary"]
        costs += [line.cost for line in sheet.effects if line.spends == LEGENDARY]
        changes["legendary_actions_left"] = min(sheet.legendary_actions_left, max(costs, default=1))
    return changes


@lru_cache(maxsize=1_000)
def _one_of_each(slots: tuple[SpellSlots, ...]) -> tuple[SpellSlots, ...]:
    return tuple(replace(each, left=min(1, each.left)) for each in slots)


POLICY = Policy(
    moves,
    times,
    is_area,
    free=frozenset({"stand"}),
    spares=frozenset({"charmed"}),
    drained=drained,
    alike=alike,
)
