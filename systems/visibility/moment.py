"""Which moment of a fight a viewer sees while somebody out of sight has the turn.

An event that hands the turn to somebody out of sight is held back until the next event in sight, and the
turn stays with the last one whom the viewer saw have it. So a hidden turn cannot be told from none.
"""

from collections.abc import Iterator

from systems.encounter.changes import taken_back
from systems.encounter.events import tables_in
from systems.encounter.history import AMEND, Event, History
from systems.encounter.model import Encounter
from systems.frozen import frozen
from systems.visibility.rows import detail_for, row_maker
from systems.visibility.sentences import has_seen_sentence
from systems.visibility.sight import seen_encounter, sees
from systems.visibility.viewer import USUALLY_SHOWN, Shown, Viewer


@frozen
class Moment:
    """What the viewer sees: the encounter with what may be seen, and how many events have been shown."""

    encounter: Encounter
    count: int


def shown_moment(
    encounter: Encounter,
    log: History,
    viewer: Viewer,
    shown: Shown = USUALLY_SHOWN,
    count: int | None = None,
) -> Moment:
    """The moment that the viewer sees. The turn, its round and its side are those it saw last.

    `count`: how many events of the log made this encounter; all of them unless it is an earlier one.
    """
    count, state = len(log.events) if count is None else count, encounter
    moment: tuple[Encounter, int] | None = None
    while not _turn_is_seen(state, viewer) and count:
        event = log.events[count - 1]
        before = taken_back(state, (event,))
        hands_over = before.progress.turn != state.progress.turn
        if moment is None and not hands_over and _is_in_sight(event, before, state, log, viewer, shown):
            moment = (state, count)
        state, count = before, count - 1
    if moment is None:
        moment = (state, count)
    return Moment(_with_turn_of(seen_encounter(moment[0], viewer), state, viewer), moment[1])


def standing_numbers(log: History, first: int, count: int) -> set[int]:
    """The numbers from `first` on of the events that stood when the log had `count` events."""
    standing = log.standing_since(first)
    for event in reversed(log.events[count:]):
        refs = [number for number in event.get("refs", ()) if first <= number <= count]
        match event.get("kind"):
            case "undo":
                standing.update(refs)
            case "redo":
                standing.difference_update(refs)
            case _:
                standing.discard(event["n"])
    return standing


def _turn_is_seen(encounter: Encounter, viewer: Viewer) -> bool:
    turn = encounter.turn
    return turn is None or sees(viewer, turn)


def _is_in_sight(
    event: Event, before: Encounter, after: Encounter, log: History, viewer: Viewer, shown: Shown
) -> bool:
    """Whether the viewer can tell that the event happened."""
    if any(has_seen_sentence(each, after, viewer, shown) for each in _told_of(event, log)):
        return True
    return _looks(before, viewer, shown) != _looks(after, viewer, shown)


def _told_of(event: Event, log: History) -> Iterator[Event]:
    """Yield an event and those of which it changes what is read: what it undoes, does again or amends."""
    yield event
    if event.get("command") != AMEND:
        yield from map(log.event, event.get("refs", ()))
        return
    yield from map(log.event, event.get("dropped", ()))
    for replaced in tables_in(event, "replaced"):
        if replaced.get("text") != log.event(replaced["n"]).get("text"):
            yield replaced


def _looks(encounter: Encounter, viewer: Viewer, shown: Shown) -> object:
    """All that the viewer sees of everybody, whose turn it is apart."""
    seen = seen_encounter(encounter, viewer).with_progress(turn=None, interrupted=None)
    maker = row_maker(seen)
    rows = [maker.row(each, detail_for(seen, each, viewer, shown)) for each in seen.in_line()]
    return rows, [each for each in seen if viewer.owns(each)], seen.offers


def _with_turn_of(seen: Encounter, state: Encounter, viewer: Viewer) -> Encounter:
    """What is seen, with the turn, the round and the side of an earlier moment."""
    progress = seen_encounter(state, viewer).progress
    if not progress.round:
        return seen.with_progress(round=0, turn=None, side=None, interrupted=None)
    turn = progress.turn if progress.turn in seen.combatants else None
    interrupted = progress.interrupted if progress.interrupted in seen.combatants else None
    return seen.with_progress(round=progress.round, turn=turn, side=progress.side, interrupted=interrupted)
