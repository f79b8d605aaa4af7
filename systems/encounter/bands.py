"""Bands of health: what everybody may see of the health of a combatant."""

from typing import Literal

from systems.encounter.model import Combatant, Encounter

Band = Literal["fresh", "hurt", "badly hurt", "down"]


def band_of(encounter: Encounter, combatant: Combatant) -> Band:
    """Return a combatant's band of health: fresh, hurt, badly hurt (half or less is left) or down."""
    status = encounter.status(combatant)
    if not status.acts or not status.in_order:
        return "down"
    values = (meter.of(combatant.sheet) for meter in encounter.game.meters)
    now, full = next(filter(None, values), (0, 0))
    if now >= full:
        return "fresh"
    return "hurt" if now * 2 > full else "badly hurt"


def newly_seen(before: Encounter, after: Encounter, who: str) -> tuple[str, ...]:
    """Return what everybody sees of a combatant after a change and did not see before it.

    This is its band of health, and each condition that is not secret.
    """
    then, now = before.combatants.get(who), after.combatants.get(who)
    if then is None or now is None:
        return ()
    band = band_of(after, now)
    known = {(held.name, held.value) for held in then.conditions if not held.secret}
    new = [held for held in now.conditions if not held.secret and (held.name, held.value) not in known]
    labels = dict.fromkeys(held.label_in(after.game) for held in new)
    return (*((band,) if band != band_of(before, then) else ()), *labels)
