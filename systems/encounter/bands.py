"""Bands of health: what everybody may see of the health of a combatant."""

from typing import Literal

from systems.contract.ruleset import Meter
from systems.encounter.model import Combatant, Encounter

Band = Literal["fresh", "hurt", "badly hurt", "down"]


def band_of(encounter: Encounter, combatant: Combatant) -> Band:
    """Return a combatant's band of health: fresh, hurt, badly hurt (half or less is left) or down."""
    status = encounter.status(combatant)
    if not status.acts or not status.in_order:
        return "down"
    level = next((found for meter in encounter.game.meters if (found := value_of(combatant, meter))), None)
    if level is None or level[0] >= level[1]:
        return "fresh"
    return "hurt" if level[0] * 2 > level[1] else "badly hurt"


def value_of(combatant: Combatant, meter: Meter) -> tuple[int, int] | None:
    """Return the value of a meter and its maximum, or None if the sheet has none."""
    found = meter.of(combatant.sheet)
    return (found[0], found[1]) if found else None


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
