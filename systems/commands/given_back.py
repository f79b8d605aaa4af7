"""Carry out a seat's command in the turn that the seat still sees.

Players do not see the turn of a hidden combatant: at a seat, the turn stays with the combatant that had it
before. A seat's command is carried out as if that turn had not passed on, and its changes are then made in
the current encounter. So the command has the same effect and the same words, no matter which combatants are
hidden.
"""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from itertools import islice

from systems.commands.effects import sync_conditions
from systems.commands.step_back import TURN_FIELDS, passes_turn_on, undone
from systems.commands.transaction import Transaction
from systems.encounter.changes import Change, diff, patch, taken_back, value_at
from systems.encounter.events import Event
from systems.encounter.history import History
from systems.encounter.model import Encounter, Offer
from systems.encounter.schedule import may_act
from systems.errors import Wrong
from systems.frozen import evolve

AFTER_ITS_TURN = "After its turn."
_LOOKED_BACK = 400  # events


def back_to(
    encounter: Encounter, events: Iterable[Event], is_there: Callable[[Encounter], bool]
) -> tuple[Encounter, list[Event]]:
    """Return the newest state that satisfies `is_there`, and the events since then, the newest first.

    `events`: the events that are not undone, the newest first. If no state fits, return the oldest.
    """
    since: list[Event] = []
    state = encounter
    for event in events:
        if is_there(state):
            break
        since.append(event)
        state = taken_back(state, (event,))
    return state, since


def without_passing(encounter: Encounter, before: Encounter, since: Sequence[Event]) -> Encounter:
    """Return the encounter with everything these events did except passing the turn on.

    `before`: the state before these events. `since`: the newest events, the newest first.
    """
    if not any(map(passes_turn_on, since)):
        progress = before.progress
        return encounter.with_progress(
            round=progress.round, turn=progress.turn, side=progress.side, interrupted=progress.interrupted
        )
    found = before
    for event in reversed(since):
        if not passes_turn_on(event):
            found = _with_event(found, event, before)
    return _with_offers(found, encounter, before, since)


def _with_offers(
    found: Encounter, encounter: Encounter, before: Encounter, since: Sequence[Event]
) -> Encounter:
    """Return the encounter with the offers that were not made by passing the turn on."""
    left = [offer for offer in found.offers if not _was_taken(offer, since)]
    passing = [change for event in since if passes_turn_on(event) for change in event.changes]
    by_passing = [offer for change in passing if change.field == "offers" for offer in change.after or ()]
    here = zip(encounter.offers, value_at(encounter, "", "offers") or (), strict=True)
    known = (*before.offers, *left)
    fresh = [offer for offer, plain in here if offer not in known and plain not in by_passing]
    there = {None, *found.combatants}
    offers = tuple(offer for offer in (*left, *fresh) if {offer.by, offer.target} <= there)
    return evolve(found, offers=offers)


def _with_event(encounter: Encounter, event: Event, before: Encounter) -> Encounter:
    """Return the encounter after the changes of an event that happened in another state of the fight."""
    if event.turn_of == before.progress.turn:
        with suppress(Wrong):
            return patch(encounter, event.seen_changes or event.changes)
    return merged(encounter, event.changes)


def merged(encounter: Encounter, changes: Iterable[Change]) -> Encounter:
    """Return the encounter after changes that were made in another state of the fight.

    The turn and the offers stay.
    """
    found, touched = encounter, dict[str, None]()
    for change in sorted(changes, key=lambda change: bool(change.field)):
        if change.who and not change.field:
            with suppress(Wrong):
                found = patch(found, (change,))
        elif change.who or change.field not in TURN_FIELDS:
            found = undone(found, change)
            touched[change.who] = None
    changed = [found.combatants[who] for who in touched if who in found.combatants]
    return found.with_combatants(*(sync_conditions(found, combatant) for combatant in changed))


def _was_taken(offer: Offer, since: Iterable[Event]) -> bool:
    """Return whether the game master took up an offer; commands of seats have removed theirs already."""
    return any(
        offer.action
        and not event.turn_of
        and (event.actor, event.action) == (offer.by, offer.action)
        and offer.target in (None, *event.targets)
        for event in since
    )


def in_turn_of(encounter: Encounter, log: History, who: str) -> Encounter:
    """Return the encounter with the turn given back to a combatant, or unchanged if that is impossible."""
    recent = islice(log.newest(), _LOOKED_BACK)
    before, since = back_to(encounter, recent, lambda state: state.progress.turn == who)
    return without_passing(encounter, before, since) if before.progress.turn == who else encounter


def apply_again(transaction: Transaction, given: Encounter, encounter: Encounter) -> None:
    """Apply the changes of a transaction that began in `given` to the current encounter.

    A sentence tells the game master that the changes came after the actor's turn.
    """
    if transaction.actor in given.combatants and may_act(given, transaction.actor):
        transaction.say(AFTER_ITS_TURN, [transaction.actor], seen="gm")
    after = transaction.encounter
    changes = diff(given, after)
    kept = [offer for offer in encounter.offers if offer in after.offers or offer not in given.offers]
    fresh = [offer for offer in after.offers if offer not in given.offers and offer not in kept]
    found = evolve(merged(encounter, changes), offers=(*kept, *fresh))
    if changes != diff(encounter, found):
        transaction.seen_changes = changes
    transaction.before, transaction.encounter = encounter, found
    if transaction.after_action is not None:
        transaction.after_action = found
