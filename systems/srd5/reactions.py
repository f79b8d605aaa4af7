"""Legendary actions at the end of another's turn, and opportunity attacks on a combatant that leaves."""

from typing import Any

from systems.contract.action import Scene
from systems.contract.outcome import Ask
from systems.contract.reaction import LEAVING, TURN_END, Reaction
from systems.effects.field import running
from systems.srd5.costs import no_reaction
from systems.srd5.house import House
from systems.srd5.sheet import Attack, Power, Sheet
from systems.srd5.turns import legendary_back
from systems.srd5.uses import LEGENDARY
from systems.srd5.words import EFFECTS, once_more


def _choices(sheet: Sheet) -> tuple[Power, ...]:
    """Return the legendary powers that a creature can pay for now."""
    left = sheet.legendary_actions_left
    return tuple(
        power
        for power in sheet.powers
        if power.kind == "legendary"
        and power.cost <= left
        and not power.spent
        and (not power.uses_per_day or power.used < power.uses_per_day)
    )


def _ready(sheet: Sheet, house: House) -> bool:
    return sheet.legendary_actions_left > 0 and bool(_choices(sheet) or _lines(sheet))


def _lines(sheet: Sheet) -> list[Any]:
    """Return the effects that are legendary actions."""
    return [line for line in sheet.effects if line.offered and line.spends == LEGENDARY]


def _offers(scene: Scene[Sheet, Any, House]) -> tuple[Ask, ...]:
    """Return an offer for each legendary power and each effect that is a legendary action (SRD-75)."""
    powers = tuple(
        Ask(f"{scene.actor_name}: {power.name}?", "power", "actor", options={"power": power.name})
        for power in _choices(scene.actor)
        if once_more(scene, power.name)
    )
    if not (lines := _lines(scene.actor)):
        return powers
    effects: tuple[Ask, ...] = running().offers(EFFECTS.meaning, scene, lines, TURN_END)
    return (*powers, *effects)


def _menu(sheet: Sheet, house: House) -> str:
    left = sheet.legendary_actions_left
    return f"{left} legendary {'action' if left == 1 else 'actions'}"


def _late(sheet: Sheet, house: House) -> dict[str, object]:
    """Return the legendary actions of a turn that has begun: one taken before it cost nothing of them."""
    return {"legendary_actions_left": legendary_back(sheet)}


LEGENDARY_ACTIONS = Reaction(
    "legendary_actions",
    "Take a legendary action at the end of another creature's turn.",
    TURN_END,
    _offers,
    whose="others",
    ready=_ready,
    rules=("SRD-75",),
    quiet=True,
    menu=_menu,
    late=_late,
)


def _blow(sheet: Sheet) -> Attack | None:
    """Return the first attack that can be made in melee now, or None."""
    ready = (attack for attack in sheet.attacks if attack.kind != "ranged" and not attack.spent)
    return next(ready, None)


def _may_strike(sheet: Sheet, house: House) -> bool:
    return not sheet.reaction_used and _blow(sheet) is not None


def _strikes(scene: Scene[Sheet, Any, House]) -> tuple[Ask, ...]:
    """Return the offer of an opportunity attack on a combatant that leaves (SRD-19, SRD-65)."""
    attack = _blow(scene.actor)
    if attack is None or scene.target.disengaged or no_reaction(scene):
        return ()
    says = f"{scene.actor_name}: an opportunity attack on {scene.target_name}?"
    return (Ask(says, "attack", "actor", "target", {"weapon": attack.name, "opportunity": True}),)


OPPORTUNITY_ATTACKS = Reaction(
    "opportunity_attacks",
    "Strike at an enemy that leaves.",
    LEAVING,
    _strikes,
    ready=_may_strike,
    rules=("SRD-19",),
    quiet=True,
)
