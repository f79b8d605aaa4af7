"""Calculate the losses of combatants between two moments of a fight, in the game's points of harm."""

from collections.abc import Iterable, Mapping
from typing import Any

from systems.contract.outcome import Outcome
from systems.encounter.events import Event, Loss
from systems.encounter.model import Encounter
from systems.frozen import frozen

# Commands whose actor causes the loss. At the end of a turn no combatant does.
_DOING = ("action", "damage", "heal")


@frozen
class PointsTaken:
    """The points that one event took from a combatant.

    `by`: the combatant that caused the loss, or "". `felled`: the target can no longer act.
    """

    n: int
    round: int
    by: str
    target: str
    lost: int
    felled: bool = False

    @property
    def to_itself(self) -> bool:
        """Return whether the combatant harmed itself, for example by paying for a spell."""
        return self.by == self.target


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


def harmed_and_healed(
    before: Encounter, after: Encounter, outcome: Outcome, people: Mapping[str, str | None]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return which combatants an outcome damaged, and which it healed, by id. `people`: role -> id.

    If the outcome does not say who is hurt, a loss of the game's points of harm counts as damage.
    """
    points = {loss.who: loss.lost for loss in losses(before, after, [who for who in people.values() if who])}
    healed = tuple(who for who, lost in points.items() if lost < 0)
    if outcome.hurt:
        named = (people.get(hurt.role) for hurt in outcome.hurt if hurt.amount)
        return tuple(dict.fromkeys(who for who in named if who)), healed
    return tuple(who for who, lost in points.items() if lost > 0), healed


def _lost(before: Any, after: Any, field: str) -> int:
    was, now = getattr(before, field), getattr(after, field)
    return was - now if isinstance(was, int) and isinstance(now, int) else 0


def losses_in_passing(event: Event) -> Mapping[str, Loss]:
    """Return the losses as turns passed in an event, by id."""
    return {loss.who: loss for loss in event.passing}


def actor_of(event: Event, target: str) -> str:
    """Return the cause of a loss: the actor of the result for the target, else the actor of the event."""
    own = (result.actor for result in event.results if result.target == target)
    actor = event.actor if event.command in _DOING else ""
    return next((who for who in own if who), actor)
