"""The figures of a player's own character in a result whose other figures the player may not see.

The player reads the terms and steps that the game names as their character's own (`Term.of`), those of
options that they have typed, and with exact odds the number that the total was compared with.
"""

from collections.abc import Collection, Sequence

from systems.contract.outcome import Term, Whose
from systems.encounter.events import Event, Result
from systems.encounter.model import Encounter
from systems.text import as_sentence, clean, plain_number, signed
from systems.visibility.viewer import Shown, Viewer

_GAME_MASTER = ("", "gm")


def own_figures(event: Event, result: Result, encounter: Encounter, viewer: Viewer, shown: Shown) -> str:
    """Return what a player may read of the arithmetic of a result, or "" if nothing of it is their own."""
    roles = {"actor": result.actor, "target": result.target or ""}
    people = encounter.combatants
    own: set[Whose] = set()
    for role, who in roles.items():
        if who in people and viewer.owns(people[who]):
            own.add("actor" if role == "actor" else "target")
    if not own:
        return ""
    is_exact = "actor" in own and shown.odds == "exact"
    if "actor" in own and event.who not in _GAME_MASTER:
        own.add("options")
    if is_exact:
        own.add("both")
    total = _sum(result.terms, own)
    # Further sums, such as that of a defender.
    others = [other for step in result.steps if not step.of and (other := _sum(step.terms, own))]
    mine = (step for step in result.steps if step.of in own)
    steps = [f"{clean(step.label, 40)} {clean(step.value, 40)}" for step in mine]
    against = _compared_with(result, encounter) if is_exact and total else ""
    against = f" against {against}" if against else ""
    if total and result.steps and result.steps[0].of == "actor" and "actor" in own:
        # The die is compared with a number, and the terms are the player's part of that number.
        parts = [f"{steps[0]}{against}", *steps[1:], f"own number {total}", *others]
    else:
        parts = [*([f"{total}{against}"] if total else []), *others, *steps]
    return as_sentence(", ".join(parts)) if parts else ""


def _sum(terms: Sequence[Term], own: Collection[Whose]) -> str:
    """Return the sum of the player's own terms, `70 (melee 53, d20 +17)`; "" if there are none."""
    some = [term for term in terms if term.of in own and term.value]
    if not any(term.of in ("actor", "target") for term in some):
        return ""
    first, *others = some
    if not others:
        return f"{clean(first.public_label, 40)} {plain_number(first.value)}"
    total = plain_number(sum(term.value for term in some))
    added = (f"{clean(term.public_label, 40)} {signed(term.value)}" for term in others)
    return f"{total} ({clean(first.public_label, 40)} {plain_number(first.value)}, {', '.join(added)})"


def _compared_with(result: Result, encounter: Encounter) -> str:
    """Return the number that the total or the die was compared with, or "" if the game names none."""
    action = encounter.game.action(result.action)
    number = result.facts.get(action.against) if action is not None and action.against else None
    return plain_number(number) if type(number) is int else ""
