"""The moment of a fight that a viewer sees while a hidden combatant has the turn.

An event that passes the turn to a hidden combatant is held back until the next visible turn. Until then the
turn stays with the combatant that the viewer saw have it last. So a hidden turn looks like no turn.
"""

from collections.abc import Iterator

from systems.commands.given_back import back_to, without_passing
from systems.commands.step_back import passes_turn_on
from systems.encounter.changes import taken_back
from systems.encounter.history import AMEND, Event, History, history
from systems.encounter.model import Encounter
from systems.frozen import frozen
from systems.visibility.rows import detail_for, row_maker
from systems.visibility.sentences import has_seen_sentence
from systems.visibility.sight import seen_encounter, sees
from systems.visibility.viewer import USUALLY_SHOWN, Shown, Viewer

START = "start"
_FEW = 50  # number of events to search first


@frozen
class Moment:
    """The encounter as the viewer sees it, and the number of events shown.

    `turn_of`: the id of the combatant with the last visible turn, if the current turn is hidden; else "".
    `held`: the numbers of shown events that are held back because they passed the turn to a hidden combatant.
    `gone`: the numbers of events shown earlier, before an undo went back to a hidden turn; they read as
    undone.
    """

    encounter: Encounter
    count: int
    turn_of: str = ""
    held: frozenset[int] = frozenset()
    gone: frozenset[int] = frozenset()


def shown_moment(
    encounter: Encounter,
    log: History,
    viewer: Viewer,
    shown: Shown = USUALLY_SHOWN,
    count: int | None = None,
) -> Moment:
    """Return the moment that the viewer sees, in which a hidden turn has not begun.

    The effects at the start of a hidden turn are left out: the end of the turn before, or of its round.
    `count`: the number of events that led to this encounter, by default all of them.
    """
    count = len(log.events) if count is None else count
    if turn_is_seen(encounter, viewer):
        return Moment(seen_encounter(encounter, viewer), count)
    newest: tuple[Encounter, int] | None = None
    state, last = encounter, count
    while not turn_is_seen(state, viewer) and last:
        event = log.events[last - 1]
        before = taken_back(state, (event,))
        hands_over = before.progress.turn != state.progress.turn
        if newest is None and not hands_over and _is_in_sight(event, before, state, log, viewer, shown):
            newest = (state, last)
        state, last = before, last - 1
    if newest is None:
        seen = _begun(seen_encounter(state, viewer))
        return Moment(seen, last, seen.progress.turn or "")
    state, count = newest
    # An undo may have gone back to an unseen turn, so search the events in force.
    before, since = back_to(state, _standing(log, count), lambda each: turn_is_seen(each, viewer))
    passed = {int(event.n) for event in since if passes_turn_on(event) or event.command == START}
    seen = _begun(seen_encounter(without_passing(state, before, since), viewer))
    return Moment(
        seen,
        count,
        before.progress.turn or "",
        frozenset(number for number in passed if number > last),
        frozenset(number for number in passed if number <= last),
    )


def _standing(log: History, count: int) -> Iterator[Event]:
    """Yield the events in force when the log had `count` events, newest first."""
    if any(_changes_the_past(event, log) for event in log.events[count:]):
        log = history(log.events[:count])
    events = log.as_amended
    above, size = count, _FEW
    while above:
        first = max(1, above - size + 1)
        for number in sorted(log.standing_since(first, count), reverse=True):
            if number <= above and number not in log.amends:
                yield events[number - 1]
        above, size = first - 1, 4 * size


def _changes_the_past(event: Event, log: History) -> bool:
    """Return whether an event amends others, or undoes or redoes an amendment."""
    if event.command == AMEND:
        return True
    return event.kind in ("undo", "redo") and any(log.event(n).command == AMEND for n in event.refs)


def turn_is_seen(encounter: Encounter, viewer: Viewer) -> bool:
    """Return whether a viewer sees whose turn it is, or that no combatant has it."""
    turn = encounter.turn
    return turn is None or sees(viewer, turn)


def _is_in_sight(
    event: Event, before: Encounter, after: Encounter, log: History, viewer: Viewer, shown: Shown
) -> bool:
    """Return whether the viewer can tell that the event happened."""
    if any(has_seen_sentence(each, after, log, viewer, shown) for each in _with_affected(event, log)):
        return True
    return _looks(before, viewer, shown) != _looks(after, viewer, shown)


def _with_affected(event: Event, log: History) -> Iterator[Event]:
    """Yield an event and the events that it undoes, redoes or amends, whose lines it changes."""
    yield event
    if event.command != AMEND:
        yield from map(log.event, event.refs)
        return
    yield from map(log.event, event.dropped)
    for replaced in event.replaced:
        if replaced.text != log.event(replaced.n).text:
            yield replaced


def _looks(encounter: Encounter, viewer: Viewer, shown: Shown) -> object:
    """Return everything that the viewer sees of the combatants, apart from the turn."""
    seen = seen_encounter(encounter, viewer).with_progress(turn=None, interrupted=None)
    maker = row_maker(seen, public=True)
    rows = [maker.row(each, detail_for(seen, each, viewer, shown)) for each in seen.in_line()]
    return rows, [each for each in seen if viewer.owns(each)], seen.offers


def _begun(seen: Encounter) -> Encounter:
    """Return the encounter without a turn if no visible turn has begun yet."""
    if seen.progress.round:
        return seen
    return seen.with_progress(round=0, turn=None, side=None, interrupted=None)
