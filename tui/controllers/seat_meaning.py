"""What a seat's request means: in the fight as it was when it was typed, and as it is now."""

from collections.abc import Sequence

from systems.commands.actions import read_action
from systems.encounter.changes import taken_back
from systems.encounter.history import Event
from systems.encounter.model import Encounter, Offer
from systems.errors import Refused, Wrong
from systems.language.intents import Act, Command
from systems.visibility.acting import SeatCommand, seat_command
from systems.visibility.moment import shown_moment
from systems.visibility.sentences import seen_sentences
from systems.visibility.viewer import Shown, Viewer
from tui.session.session import Session

MOVED_ON = "the fight has moved on, and this would mean something else now: look, and type it again"
_LONGEST_WAY_BACK = 400  # events since a request was typed


def said_to_seat(event: Event, encounter: Encounter, viewer: Viewer, shown: Shown) -> str:
    """Return what a seat is told of its own request: what stands in its log of it."""
    return " ".join(text for text, _ in seen_sentences(event, encounter, viewer, shown)) or "Done."


def encounter_at(session: Session, n: int) -> Encounter:
    """Return the fight after event `n`. Raises Refused for what is too long ago, or still to come."""
    events: Sequence[Event] = session.log.events
    since = len(events) - n
    if not 0 <= since <= _LONGEST_WAY_BACK:
        raise Refused(MOVED_ON)
    state = session.encounter
    for at in range(since):
        state = taken_back(state, (events[len(events) - 1 - at],))
    return state


def meant_after(session: Session, n: int, viewer: Viewer, line: str, shown: Shown) -> SeatCommand:
    """Return what a line means as the viewer is shown the fight after event `n`.

    Raises Misread, Refused or Wrong.
    """
    encounter = encounter_at(session, n)
    seen = shown_moment(encounter, session.log, viewer, shown, n).encounter
    return seat_command(encounter, viewer, line, shown.acting, seen)


def offer_taken(encounter: Encounter, command: Command) -> Offer | None:
    """Return what the rules offer that an action takes up, if any."""
    if not isinstance(command.intent, Act):
        return None
    try:
        return read_action(encounter, command.intent).offer
    except (Refused, Wrong):
        return None


def concerns_hidden(encounter: Encounter, command: Command) -> bool:
    """Return whether a hidden combatant acts or is a target, as far as the command says."""
    if not isinstance(command.intent, Act):
        return False
    try:
        doing = read_action(encounter, command.intent)
    except (Refused, Wrong):
        return True
    return any(not encounter.combatants[who].in_sight for who in (*doing.actors, *doing.targets))
