"""A step back: the last turn that passed on is taken back, and what was done since then stays."""

import attrs

from systems.commands.effects import settled
from systems.commands.merge import restored
from systems.encounter.changes import Change, patch, reverse, value_at
from systems.encounter.events import Event, Sentence
from systems.encounter.history import History, changes_of
from systems.encounter.model import Encounter
from systems.errors import Refused, Wrong

# Where the fight stands goes back as it was, whatever passed the turn on since.
_COURSE = ("turn", "round", "side", "interrupted", "offers")


def back(encounter: Encounter, log: History) -> tuple[Encounter, list[int], list[Sentence]]:
    """The encounter with all that the last `next` did restored; what was done since then stays.

    A `delay` that passed the turn on counts like a `next`. Raises Refused when there is no turn to go
    back to, or the one whose it was has left.
    """
    if encounter.progress.over:
        raise Refused("the fight is over; undo brings it back")
    event = _last_passed(log)
    if event is None:
        raise Refused("this is the first turn; there is none to go back to")
    turn = event.get("turn") or None
    if turn is not None and turn not in encounter.combatants:
        raise Refused(f"the turn before was that of {turn}, who has left the fight; undo brings both back")
    changes = reverse(changes_of(event))
    found = encounter
    for change in changes:
        found = _restored(found, change)
    for who in dict.fromkeys(change.who for change in changes):
        if who in found.combatants:
            found = found.with_combatants(settled(found, found.combatants[who]))
    found = _at_that_turn(found, event, changes)
    named = f"it is {found.turn.name}'s turn again" if found.turn else "it is nobody's turn"
    about = (found.turn.id,) if found.turn else ()
    return found, [event["n"]], [Sentence(f"Back: {named}, round {found.progress.round}.", about)]


def _last_passed(log: History) -> Event | None:
    """The newest event that passed the turn on, stands, and was not stepped back over."""
    stepped: set[int] = set()
    for event in log.newest():
        if event.get("kind") == "back":
            stepped.update(event.get("refs", ()))
        elif event["n"] not in stepped and _passes(event):
            return event
    return None


def _passes(event: Event) -> bool:
    if event.get("command") == "next":
        return True
    moved = any(not change.who and change.field in ("turn", "round") for change in changes_of(event))
    return event.get("command") == "delay" and moved


def _restored(encounter: Encounter, change: Change) -> Encounter:
    """One change of the step taken back, minding what happened to the field since."""
    if change.who == "" and change.field in _COURSE:
        return encounter
    if change.who and change.who not in encounter.combatants:
        return encounter
    now = value_at(encounter, change.who, change.field)
    # Marks of the tracker itself are no sums: only figures of the sheet keep what moved them.
    own = bool(change.who) and not change.field.startswith("sheet.") and isinstance(now, int)
    after = change.after if own else restored(now, change.before, change.after)
    if change.who == "" and change.field == "order":
        after = [who for who in after or () if who in encounter.combatants]
    try:
        return patch(encounter, [attrs.evolve(change, before=now, after=after)])
    except Wrong:
        return encounter  # beyond what the field may hold: it stays as it is


def _at_that_turn(encounter: Encounter, event: Event, changes: tuple[Change, ...]) -> Encounter:
    """Turn, round, side, extra turn and offers as the event found them."""
    found = {change.field: change for change in changes if change.who == "" and change.field in _COURSE}
    before = {name: change.after for name, change in found.items()}
    turn = event.get("turn") or None
    left = found["turn"].before if "turn" in found else turn
    if "side" not in before and left != encounter.progress.turn:
        # The turn has passed on since by other means, and the side with it.
        side = encounter.combatants[turn].side if turn else None
    else:
        side = before.get("side", encounter.progress.side)
    interrupted = before.get("interrupted")
    if interrupted and interrupted not in encounter.combatants:
        interrupted = turn  # it has left since: the extra turn stays one, and nobody's goes on after it
    encounter = encounter.with_progress(turn=turn, round=event["round"], side=side, interrupted=interrupted)
    if "offers" not in before:
        return encounter
    here = {None, *encounter.combatants}
    offers = [offer for offer in before["offers"] or () if {offer.get("by"), offer.get("target")} <= here]
    return patch(encounter, [Change("", "offers", None, offers or None)])
