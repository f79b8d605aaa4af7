"""The line that repeats the last action, as `.` does in linear mode and in `affray run`."""

from systems.commands.offers import action_line
from systems.encounter.remembered import done_before
from systems.encounter.schedule import sharing_turn
from systems.errors import Refused
from tui.session.session import Session


def repeated_line(session: Session) -> str:
    """Return the line that repeats the last action of the combatant with the turn.

    Raises Refused if there is none. If none of its targets is still possible, the error has the line
    that a new target completes.
    """
    encounter = session.encounter
    actor = encounter.turn
    if actor is None:
        raise Refused("nobody has the turn")
    again = done_before(session.log.newest(), encounter, actor, sharing_turn(encounter, actor.id))
    if again is None:
        raise Refused(f"{actor.name} has done nothing yet")
    targets = ("TARGET",) if again.is_open else again.targets
    line = action_line(again.name, targets, again.options, actor.id)
    if again.is_open:
        raise Refused(f'the last target is no longer possible; name another: "{line}"')
    return line
