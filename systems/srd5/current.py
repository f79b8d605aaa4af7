"""The scene of an attack in the middle of an action, with its target as earlier attacks have left it."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from systems.contract.action import Scene
from systems.contract.outcome import EndedCondition, Role
from systems.effects.meaning import belongs_to
from systems.frozen import evolve
from systems.schema.conversion import replace
from systems.srd5.body import Vitals
from systems.srd5.house import House
from systems.srd5.marks import USED_UP
from systems.srd5.sheet import Sheet

Strike = Scene[Sheet, Any, House]


@lru_cache(maxsize=512)
def scene_now(scene: Strike, attack: str, body: Vitals, first: bool) -> Strike:
    """Return the scene in which the effects of an attack see this body.

    `first`: it is the first attack of the action.
    """
    if scene.fight is None:
        return scene
    if not first:
        scene = _after_first(scene)
    changes = body.changes()
    if not changes or not _looks(scene, attack):
        return scene
    return evolve(scene, target=replace(scene.target, **changes))


@lru_cache(maxsize=64)
def _after_first(scene: Strike) -> Strike:
    """Return the scene after the first attack, which uses up a charge and what counts for a single attack."""
    if used_up(scene):
        scene = evolve(
            scene,
            actor_lines=tuple(line for line in scene.actor_lines if line.name not in USED_UP["actor"]),
            target_lines=tuple(line for line in scene.target_lines if line.name not in USED_UP["target"]),
        )
    if _counts_charges(scene) and getattr(scene.options, "charge", False):
        scene = evolve(scene, options=replace(scene.options, charge=False))
    return scene


def used_up(scene: Strike) -> tuple[EndedCondition, ...]:
    """Return the conditions that end with an attack, such as one that makes the next attack easier."""
    lines: Mapping[Role, Sequence[Any]] = {"actor": scene.actor_lines, "target": scene.target_lines}
    return tuple(
        EndedCondition(role, names[line.name])
        for role, names in USED_UP.items()
        for line in lines[role]
        if line.name in names
    )


def _counts_charges(scene: Strike) -> bool:
    return any(line.said for line in (*scene.actor.effects, *scene.actor_lines))


def _looks(scene: Strike, attack: str) -> bool:
    """Return whether an effect of either side on this attack depends on the state of the target."""
    own = (*scene.actor.effects, *scene.actor_lines)
    if any((line.target_is or line.target_is_not) and belongs_to(line, attack) for line in own):
        return True
    return any(line.self_is or line.self_is_not for line in (*scene.target.effects, *scene.target_lines))
