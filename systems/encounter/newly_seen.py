"""What everybody sees of a combatant after a change and did not see before it."""

from systems.encounter.model import Encounter


def newly_seen(before: Encounter, after: Encounter, who: str) -> tuple[str, ...]:
    """Return what everybody sees of a combatant after a change and did not see before it.

    This is its band of health, and each condition that is not secret.
    """
    then, now = before.combatants.get(who), after.combatants.get(who)
    if then is None or now is None:
        return ()
    band = after.band(now)
    known = {(held.name, held.value) for held in then.conditions if not held.secret}
    new = [held for held in now.conditions if not held.secret and (held.name, held.value) not in known]
    labels = dict.fromkeys(held.label_in(after.game) for held in new)
    return (*((band,) if band != before.band(then) else ()), *labels)
