"""What a seat is told of a real die: what its faces do and what is added, by the table's odds setting."""

from copy import copy

from systems.commands.actions import read_action
from systems.dice.sources import NeedsFace
from systems.errors import Refused, Wrong
from systems.language.intents import Act
from systems.visibility.line_help import figures_of
from systems.visibility.sight import seen_encounter
from systems.visibility.viewer import Shown, Viewer
from tui.display.seat_odds import own_terms
from tui.session.die_meaning import meaning_of
from tui.session.session import Attempt


def die_for_seat(attempt: Attempt, needs: NeedsFace, viewer: Viewer, shown: Shown) -> tuple[str, str]:
    """Return what the faces do and what is added to them, as far as the viewer may know; "" for nothing.

    What has to be beaten is told where the table shows exact odds, from what the viewer sees of the fight;
    else one's own part of the sum alone, and that for the first die of one's own action.
    """
    owner = attempt.session.encounter.combatants.get(needs.of)
    if owner is None or not viewer.owns(owner) or needs.again is not None:
        return "", ""  # the past is not played again as the viewer saw it
    if shown.odds == "exact":
        seen = copy(attempt.session)
        seen.encounter = seen_encounter(seen.encounter, viewer)
        again = Attempt(seen, attempt.command, asks=True)
        again.faces, again.answers = list(attempt.faces), list(attempt.answers)
        meaning = meaning_of(again, needs)
        return meaning.does, meaning.adds
    if shown.odds == "own" and not attempt.faces:
        return "", _own_part(attempt, needs, viewer)
    return "", ""


def _own_part(attempt: Attempt, needs: NeedsFace, viewer: Viewer) -> str:
    """The summands that the one whose die it is brings to its own action."""
    encounter, intent = attempt.session.encounter, attempt.command.intent
    if not isinstance(intent, Act):
        return ""
    try:
        command = read_action(encounter, intent)
    except (Refused, Wrong):
        return ""
    if command.actors[:1] != (needs.of,):
        return ""
    seen = seen_encounter(encounter, viewer)
    figures = figures_of(seen, command.action, encounter.combatants[needs.of], command.options)
    return own_terms(figures) if figures is not None else ""
