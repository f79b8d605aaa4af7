"""The line that repeats the last action, as `.` does in linear mode and in `affray run`."""

from systems.commands.offers import action_line
from systems.encounter.remembered import done_before
from systems.encounter.schedule import is_spent, taking_turns_with
from systems.errors import Refused
from tui.session.session import Session


def repeated_line(session: Session) -> str:
    """Return the line that repeats the last action of the combatant with the turn.

    In a side's turn, the next one of its kind repeats it if the combatant itself has no action left.

    Raises Refused if there is none. If none of its targets is still possible, the error has the line
    that a new target completes.
    """
    encounter = session.encounter
    actor = encounter.turn
    if actor is None:
        raise Refused("nobody has the turn")
    together = taking_turns_with(encounter, actor.id)
    if is_spent(encounter, actor.id) and len(together) > 1:
        actor = encounter.combatants[together[(together.index(actor.id) + 1) % len(together)]]
    again = done_before(session.log.newest(), encounter, actor, together)
    if again is None:
        raise Refused(f"{actor.name} has done nothing yet")
    targets = ("TARGET",) if again.is_open else again.targets
    line = action_line(again.name, targets, again.options, actor.id)
    if again.is_open:
        raise Refused(f'the last target is no longer possible; name another: "{line}"')
    return line
