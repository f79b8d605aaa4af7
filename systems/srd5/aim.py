"""The reach of an attack, and the targets that cannot be attacked."""

from systems.contract.marked_text import possessive
from systems.contract.outcome import Outcome, refuse
from systems.frozen import frozen
from systems.srd5.body import Vitals, body_of, has, is_dead
from systems.srd5.current import Strike
from systems.srd5.sheet import Attack

NEAR = 5  # feet


@frozen(eq=False)
class AttackAim:
    """The place of an attack: in melee or not, within 5 feet or not, and why it cannot be made."""

    ranged: bool
    near: bool
    far: bool = False
    refusal: Outcome | None = None


def is_close(scene: Strike, entry: Attack) -> bool:
    """Return whether an attack reaches no farther than 5 feet, and no distance was given."""
    return entry.kind == "melee" and entry.reach <= NEAR and scene.options.distance is None


def aim_of(scene: Strike, entry: Attack) -> AttackAim:
    """Return the aim of an attack (SRD-14, SRD-15, SRD-18, R11, R27)."""
    options, distance = scene.options, scene.options.distance
    is_ranged = entry.kind == "ranged" or (
        entry.kind == "either" and distance is not None and distance > entry.reach
    )
    name = scene.actor_name
    if options.cover == "total":
        refusal = refuse("cover", f"{scene.target_name} has total cover.")
        return AttackAim(is_ranged, False, refusal=refusal)
    if is_ranged:
        near = distance is not None and distance <= NEAR
        end = max(entry.range, entry.long_range)
        if distance is not None and distance > end:
            says = f"{distance} feet are beyond the range of {possessive(name)} {entry.name}, {end} feet."
            return AttackAim(True, near, refusal=refuse("range", says))
        if getattr(options, "opportunity", False) or options.knock_out:
            says = f"{possessive(name)} {entry.name} is ranged, and that needs an attack in melee."
            return AttackAim(True, near, refusal=refuse("melee", says))
        return AttackAim(True, near, distance is not None and distance > entry.range)
    away = NEAR if distance is None else distance
    if away > entry.reach:
        says = f"{away} feet are beyond the reach of {possessive(name)} {entry.name}, {entry.reach} feet."
        return AttackAim(False, away <= NEAR, refusal=refuse("range", says))
    return AttackAim(False, away <= NEAR)


def bars(scene: Strike, body: Vitals) -> Outcome | None:
    """Return the refusal of a dead target, or of a charmer (SRD-49)."""
    if is_dead(body):
        return refuse("target", f"{scene.target_name} is dead.")
    if "charmed" in has(body_of(scene.actor)) and scene.options.charmer:
        return refuse("charmed", f"{scene.actor_name} is charmed by {scene.target_name}.")
    return None
