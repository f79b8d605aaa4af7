"""What combatants lost between two moments of a fight, in points of what the game counts as harm."""

from collections.abc import Iterable, Mapping
from typing import Any

from systems.encounter.events import Event, tables_in, word_in
from systems.encounter.model import Encounter
from systems.frozen import frozen


@frozen
class Loss:
    """What somebody lost, below zero what it regained. `felled`: it could act before and not after."""

    who: str
    lost: int
    felled: bool = False

    def plain(self) -> dict[str, Any]:
        found: dict[str, Any] = {"who": self.who, "lost": self.lost}
        return {**found, "felled": True} if self.felled else found


def losses(before: Encounter, after: Encounter, among: Iterable[str]) -> list[Loss]:
    """Return what these combatants lost, and which of them were felled."""
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


def passing(deed: Encounter | None, after: Encounter) -> list[dict[str, Any]]:
    """Return as plain data what was lost as turns passed in the event of a deed, which is nobody's doing."""
    if deed is None or deed is after:
        return []
    return [loss.plain() for loss in losses(deed, after, after.progress.ids)]


def losses_in_passing(event: Event) -> Mapping[str, Loss]:
    """Return what was lost in an event as turns passed, by id."""
    return {
        word_in(held, "who"): Loss(word_in(held, "who"), held["lost"], held.get("felled") is True)
        for held in tables_in(event, "passing")
        if type(held.get("lost")) is int
    }
