"""The effect of a die's faces and its bonus, limited by the table's odds setting for seats."""

from copy import copy

from systems.commands.actions import read_action
from systems.dice.sources import DieRequest
from systems.errors import Refused, Wrong
from systems.language.intents import Act
from systems.visibility.line_help import own_numbers_of
from systems.visibility.sight import seen_encounter
from systems.visibility.viewer import Shown, Viewer
from tui.display.seat_odds import own_terms
from tui.session.attempt import Attempt
from tui.session.die_meaning import Added, added_to_a_defence, meaning_of


def die_for_seat(attempt: Attempt, needs: DieRequest, viewer: Viewer, shown: Shown) -> tuple[str, Added]:
    """Return the effect of the faces and the bonus, as far as the viewer may know them.

    With exact odds, this includes the number to beat, from the fight as the viewer sees it. Otherwise it is
    only the viewer's own bonus, for the first die of its own action and for a defence.
    """
    owner = attempt.session.encounter.combatants.get(needs.of)
    if owner is None or not viewer.owns(owner) or needs.again is not None:
        return "", Added()  # history is not replayed from the viewer's side
    if shown.odds == "exact":
        meaning = meaning_of(_as_seen(attempt, viewer), needs)
        return meaning.does, meaning.added
    if shown.odds == "own":
        part = Added() if attempt.faces else _own_part(attempt, needs, viewer)
        return "", part if part.words else added_to_a_defence(_as_seen(attempt, viewer), needs)
    return "", Added()


def _as_seen(attempt: Attempt, viewer: Viewer) -> Attempt:
    """Return the same attempt in the fight as the viewer sees it."""
    seen = copy(attempt.session)
    seen.encounter = seen_encounter(seen.encounter, viewer)
    again = Attempt(seen, attempt.command, asks=True)
    again.faces, again.answers = list(attempt.faces), list(attempt.answers)
    return again


def _own_part(attempt: Attempt, needs: DieRequest, viewer: Viewer) -> Added:
    """Return the terms of the die that come from its owner's own action."""
    encounter, intent = attempt.session.encounter, attempt.command.intent
    if not isinstance(intent, Act):
        return Added()
    try:
        command = read_action(encounter, intent)
    except (Refused, Wrong):
        return Added()
    if command.actors[:1] != (needs.of,):
        return Added()
    seen = seen_encounter(encounter, viewer)
    figures = own_numbers_of(seen, command.action, encounter.combatants[needs.of], command.options)
    if figures is None:
        return Added()
    return Added(own_terms(figures), sum(term.value for term in figures.terms))
