"""Calculate the losses of combatants between two moments of a fight, in the game's points of harm."""

from collections.abc import Iterable, Mapping
from typing import Any

from systems.encounter.events import Event, Loss
from systems.encounter.model import Encounter


def losses(before: Encounter, after: Encounter, among: Iterable[str]) -> list[Loss]:
    """Return what these combatants lost, and which of them can no longer act."""
    fields = after.game.harm_fields
    found: list[Loss] = []
    for who in dict.fromkeys(among):
        old, new = before.combatants.get(who), after.combatants.get(who)
        if old is new or old is None or new is None:
            continue
        lost = sum(_lost(old.sheet, new.sheet, field) for field in fields)
        felled = before.status(old).acts and not after.status(new).acts
        if lost or felled:
            found.append(Loss(who, lost, felled))
    return found


def _lost(before: Any, after: Any, field: str) -> int:
    was, now = getattr(before, field), getattr(after, field)
    return was - now if isinstance(was, int) and isinstance(now, int) else 0


def losses_in_passing(event: Event) -> Mapping[str, Loss]:
    """Return the losses as turns passed in an event, by id."""
    return {loss.who: loss for loss in event.passing}
