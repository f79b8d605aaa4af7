"""Offers of effects: after an action, or after the turn of another combatant."""

from collections.abc import Sequence
from typing import Any

from systems.contract.action import AnyScene
from systems.contract.outcome import Ask, Role
from systems.contract.reaction import TURN_END
from systems.effects.conditions import EffectSide, applies, is_ready
from systems.effects.meaning import ACTION, EffectMeaning, is_among, lines_of
from systems.schema.conversion import entry_named


def offers(meaning: EffectMeaning, scene: AnyScene, lines: Sequence[Any], after: str) -> tuple[Ask, ...]:
    """Return the offers of these effects to the actor, after an action or the turn of the target."""
    owner, other = EffectSide.actor_of(scene), EffectSide.target_of(scene)
    found: list[Ask] = []
    for line in lines:
        if (line.of and after != TURN_END and not is_among((after,), line.of)) or not _is_other(scene, line):
            continue
        aimed = aiming_line(lines_of(meaning, scene, "actor"), line)
        target: Role | None = None
        if aimed is not None and not aimed.is_for_group:
            target = "actor" if aimed.affected == "self" else "target"
        # Without a target, the combatants that it affects are known only when it is used.
        is_possible = (
            applies(meaning, line, scene, owner, other if target == "target" else None)
            if target
            else is_ready(meaning, line, scene, owner)
        )
        if not is_possible:
            continue
        text = f"{scene.actor_name} may use {line.name} now{_price(meaning, scene, line)}."
        options = {"effect": line.name}
        aims_itself = aimed is not None and aimed.is_for_group
        found.append(Ask(text, ACTION, options=options, target=target, aims_itself=aims_itself))
    return tuple(found)


def aiming_line(lines: Sequence[Any], line: Any) -> Any | None:
    """Return the line that says whom an effect affects, itself or the effect that it uses.

    None if a person chooses, as for an attack that it uses.
    """
    if line.use is None or line.who is not None:
        return line
    return entry_named(lines, line.use)


def _price(meaning: EffectMeaning, scene: AnyScene, line: Any) -> str:
    """Return what an effect costs: ` (legendary, 3 left)` or ` (2 legendary, 3 left)`."""
    if line.spends is None:
        return ""
    cost = f"{line.cost} " if line.cost > 1 else ""
    return f" ({cost}{line.spends}, {meaning.left(scene.actor, line.spends)} left)"


def menu_of(meaning: EffectMeaning, sheet: Any, lines: Sequence[Any]) -> str:
    """Return what several offered effects are called together: the counter that all spend, else `effects`."""
    counters = {line.spends for line in lines if line.spends is None or meaning.left(sheet, line.spends)}
    if len(counters) != 1 or None in counters:
        return "effects"
    [counter] = counters
    return f"{counter}, {meaning.left(sheet, counter)} left"


def _is_other(scene: AnyScene, line: Any) -> bool:
    """Return whether the target of the scene is one of those whose moments set off the line."""
    if scene.fight is None or line.whose in ("others", "any"):
        return True
    owner, other = scene.fight.person(scene.actor_id), scene.fight.person(scene.target_id)
    if owner is None or other is None:
        return False
    return bool((owner.side == other.side) == (line.whose == "allies"))
