"""The meaning of a seat's request, both when it was typed and in the current fight."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice, takewhile

from systems.commands.actions import read_action
from systems.commands.given_back import back_to
from systems.commands.step_back import passes_turn
from systems.contract.marked_text import possessive
from systems.encounter.changes import taken_back
from systems.encounter.history import Event
from systems.encounter.model import Encounter, Offer
from systems.errors import Refused, Wrong
from systems.frozen import frozen
from systems.language.intents import Act, Command
from systems.text import as_sentence, clean
from systems.visibility.acting import SeatCommand, has_turn, read_request, seat_command
from systems.visibility.moment import shown_moment, turn_is_seen
from systems.visibility.sentences import seen_sentences
from systems.visibility.viewer import Shown, Viewer
from tui.session.session import Session

MOVED_ON = "the fight has moved on, and this would mean something else now: check it, then type it again"
NOT_OPEN = "that fight is not open at the table"
_LONGEST_WAY_BACK = 400  # most events between a request and the newest event


def said_to_seat(events: Iterable[Event], session: Session, viewer: Viewer, shown: Shown) -> str:
    """Return the answer to a request that these events carried out: their lines in the seat's own log."""
    encounter, log = session.encounter, session.log
    texts = (
        sentence.text for event in events for sentence in seen_sentences(event, encounter, log, viewer, shown)
    )
    return " ".join(texts) or "Done."


def encounter_at(session: Session, n: int) -> Encounter:
    """Return the fight after event `n`. Raises Refused if that is too long ago, or in the future."""
    events: Sequence[Event] = session.log.events
    since = len(events) - n
    if not 0 <= since <= _LONGEST_WAY_BACK:
        raise Refused(MOVED_ON)
    state = session.encounter
    for at in range(since):
        state = taken_back(state, (events[len(events) - 1 - at],))
    return state


def seen_at(session: Session, n: int, viewer: Viewer, shown: Shown) -> Encounter:
    """Return the fight that a viewer saw after event `n`. Raises Refused if that is too long ago."""
    encounter = encounter_at(session, n)
    return shown_moment(encounter, session.log, viewer, shown, n).encounter


@frozen
class Meaning:
    """The meaning of a seat's command now.

    `seen`: the fight as the seat sees it. `offer`: the offer that the command accepts, or None.
    """

    asked: SeatCommand
    seen: Encounter
    offer: Offer | None


def meant_now(session: Session, n: int, viewer: Viewer, line: str, command: Command, shown: Shown) -> Meaning:
    """Return the meaning of a command in the present fight.

    `command`: the meaning of the line after event `n`. If the fight has moved on since, the line must still
    mean the same. Raises Misread, Refused, Wrong or ForgedRequest.
    """
    moment = shown_moment(session.encounter, session.log, viewer, shown)
    has_moved = n != len(session.log.events)
    if has_moved and read_request(moment.encounter, viewer, line).intent != command.intent:
        raise Refused(MOVED_ON)
    asked = seat_command(session.encounter, viewer, command, shown, moment)
    return Meaning(asked, moment.encounter, offer_taken(moment.encounter, asked.command))


def answer_words(text: str) -> str:
    """Return the answer to a seat as a sentence."""
    return as_sentence(clean(text, 400))


@frozen
class TurnSeen:
    """The turn that a seat saw when it asked to end it. `events`: the length of the log in that turn."""

    round: int
    turn: str | None
    side: str | None
    events: int


def turn_seen(session: Session, viewer: Viewer, shown: Shown) -> TurnSeen:
    """Return the turn that a viewer sees now."""
    progress = shown_moment(session.encounter, session.log, viewer, shown).encounter.progress
    recent = islice(session.log.newest(), _LONGEST_WAY_BACK)
    _, since = back_to(session.encounter, recent, lambda state: turn_is_seen(state, viewer))
    events = since[-1].n - 1 if since else len(session.log.events)
    return TurnSeen(progress.round, progress.turn, progress.side, events)


def passed_since(session: Session, viewer: Viewer, turn: TurnSeen) -> list[Event]:
    """Return the events that ended a turn since a viewer saw it, oldest first.

    Return an empty list if the viewer does not see another turn yet.
    """
    now = session.encounter
    if not turn_is_seen(now, viewer):
        return []
    sides = now.style == "sides"
    if sides and (now.progress.side, now.progress.round) == (turn.side, turn.round):
        return []
    newest = takewhile(lambda event: event.n > turn.events, session.log.newest())
    passed = [event for event in newest if passes_turn(event)][::-1]
    first = passed[0] if passed else Event()
    was_it = sides or first.turn == turn.turn
    return passed if first.round == turn.round and was_it else []


@dataclass(slots=True)
class RequestTurn:
    """The turn that a request is about: that of its actor in which it was typed, else the actor's next one.

    `round`: the round of this turn once the seat has seen it begin, or None.
    """

    actor: str
    round: int | None = None

    def why_over(self, seen: Encounter) -> str:
        """Return why this turn is over in the fight that the seat sees now, or ""."""
        progress, actor = seen.progress, seen.combatants.get(self.actor)
        if progress.over:
            return "the fight is over"
        if actor is None:
            return "its combatant has left the fight"
        acts = has_turn(seen, actor) or progress.interrupted == actor.id
        if self.round is None:
            self.round = progress.round if acts else None
            return ""
        return "" if acts and progress.round == self.round else f"{possessive(actor.name)} turn is over"


def offer_taken(encounter: Encounter, command: Command) -> Offer | None:
    """Return the offer that an action accepts, or None."""
    if not (encounter.offers and isinstance(command.intent, Act)):
        return None
    try:
        return read_action(encounter, command.intent).offer
    except (Refused, Wrong):
        return None


def concerns_hidden(encounter: Encounter, command: Command) -> bool:
    """Return whether a hidden combatant acts or is a target, according to the command."""
    if not isinstance(command.intent, Act):
        return False
    try:
        doing = read_action(encounter, command.intent)
    except (Refused, Wrong):
        return True
    return any(not encounter.combatants[who].in_sight for who in (*doing.actors, *doing.targets))
