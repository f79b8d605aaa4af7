"""Put combatants near each other, and part them. Both combatants of a pair keep the other's id."""

from collections.abc import Iterable

from systems.encounter.model import Combatant, Encounter


def with_near(encounter: Encounter, who: str, others: Iterable[str]) -> Encounter:
    """Return the encounter with these combatants near the first."""
    return _changed(encounter, who, others, together=True)


def without_near(encounter: Encounter, who: str, others: Iterable[str]) -> Encounter:
    """Return the encounter with these combatants no longer near the first."""
    return _changed(encounter, who, others, together=False)


def _changed(encounter: Encounter, who: str, others: Iterable[str], *, together: bool) -> Encounter:
    for other in others:
        first, second = encounter.combatants[who], encounter.combatants[other]
        changed = _with(first, other, together), _with(second, who, together)
        encounter = encounter.with_combatants(*changed)
    return encounter


def _with(combatant: Combatant, other: str, together: bool) -> Combatant:
    ids = {*combatant.state.near, other} if together else {*combatant.state.near} - {other}
    return combatant.with_state(near=tuple(sorted(ids)))
