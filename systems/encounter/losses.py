"""Calculate the losses of combatants between two moments of a fight, in the game's points of harm."""

from collections.abc import Iterable, Mapping
from typing import Any

from systems.encounter.events import Event, tables_in, word_in
from systems.encounter.model import Encounter
from systems.frozen import frozen


@frozen
class Loss:
    """The points that a combatant lost; negative if it regained points. `felled`: it can no longer act."""

    who: str
    lost: int
    felled: bool = False

    def plain(self) -> dict[str, Any]:
        found: dict[str, Any] = {"who": self.who, "lost": self.lost}
        return {**found, "felled": True} if self.felled else found


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


def passing(acted: Encounter | None, after: Encounter) -> list[dict[str, Any]]:
    """Return the losses as turns passed after an action in the same event, as plain data.

    No combatant caused them. `acted`: the encounter right after the action, or None.
    """
    if acted is None or acted is after:
        return []
    return [loss.plain() for loss in losses(acted, after, after.progress.ids)]


def losses_in_passing(event: Event) -> Mapping[str, Loss]:
    """Return the losses as turns passed in an event, by id."""
    return {
        word_in(held, "who"): Loss(word_in(held, "who"), held["lost"], held.get("felled") is True)
        for held in tables_in(event, "passing")
        if type(held.get("lost")) is int
    }
