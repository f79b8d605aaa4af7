"""Help with a line that a player types: the next words, and the chances of the action.

Everything is calculated from what the viewer sees. Combatants have their tags from the seat's screen, and
nothing of other combatants' sheets is offered.
"""

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from systems.commands.actions import ActionCommand, read_action
from systems.commands.preview import Preview, preview
from systems.commands.relevance import relevant_options
from systems.commands.scenes import outcome_of, scene_of
from systems.commands.table import COMMANDS, completions, read_command
from systems.contract.action import Action
from systems.contract.outcome import Term
from systems.contract.table import Suggested, Table, WrongChoice
from systems.encounter.completion import Completion
from systems.encounter.model import Combatant, CombatantState, Encounter
from systems.errors import Misread, Refused, Wrong
from systems.frozen import evolve, frozen
from systems.language.intents import Act
from systems.language.tokens import quote
from systems.odds import TooManyDice
from systems.schema.conversion import replace
from systems.sheets import changed
from systems.visibility.acting import SEAT_COMMANDS, actor_of_action, named_targets, own_actor
from systems.visibility.rows import tag_text
from systems.visibility.sight import seen_encounter
from systems.visibility.viewer import Viewer

MOST_WORDS = 40
MOST_TARGETS = 8  # odds of more targets would keep other seats waiting
_BLANK = "blank target"


@frozen
class OwnNumbers:
    """The numbers that a combatant brings to an action, whatever the target is.

    `terms`: the terms that no die changes. `least`, `most`: the range of a success's amount, None if the
    action has no amount. `refused`: why the rules refuse it.
    """

    terms: tuple[Term, ...] = ()
    least: int | None = None
    most: int | None = None
    refused: str = ""


def next_words(encounter: Encounter, viewer: Viewer, line: str) -> Sequence[Completion]:
    """Return completions of the last word of a player's line, best first."""
    seen = _tagged(seen_encounter(encounter, viewer), viewer)
    found = completions(seen, {}, line)
    words = line.split()
    if not words or (len(words) == 1 and not line.endswith(" ")):
        actions = {action.name for action in seen.game.actions}
        found = [each for each in found if each.text in actions or each.text in SEAT_COMMANDS]
    elif words[0].casefold() in SEAT_COMMANDS or "by" in words[-2:]:
        kind = COMMANDS.get(words[0].casefold())
        may_help = kind is not None and kind.helps and "by" not in words[-2:]
        allowed = {each.id for each in seen if viewer.owns(each) or (may_help and seen.is_player(each))}
        others = {*seen.combatants, "all", *(quote(each.side) for each in seen)} - allowed
        found = [each for each in found if each.text not in others]
    if any(each.text.endswith("=") for each in found):
        relevant = _relevant(encounter, viewer, line)
        found = sorted(found, key=lambda each: each.text.endswith("=") and each.text[:-1] not in relevant)
    return found[:MOST_WORDS]


def _relevant(encounter: Encounter, viewer: Viewer, line: str) -> Collection[str]:
    """Return the options that can matter to a line's action against an unknown target."""
    found = typed_action(encounter, viewer, line) or typed_action(encounter, viewer, line.rpartition(" ")[0])
    if found is None:
        return ()
    alone = _against_stranger(seen_encounter(encounter, viewer), found[1])
    try:
        command = _command(alone, found[0], found[1], _BLANK)
    except (Refused, Wrong):
        return ()
    target = command.targets[0] if command.targets else None
    return relevant_options(alone, command.action, found[1].id, target, command.options)


def _against_stranger(seen: Encounter, actor: Combatant) -> Encounter:
    """Return the encounter with only the actor and an unknown combatant."""
    combatants = {actor.id: actor, _BLANK: _stranger(seen, actor)}
    progress = replace(seen.progress, ids=tuple(combatants), order=tuple(combatants))
    return evolve(seen, combatants=combatants, progress=progress, offers=())


def _tagged(seen: Encounter, viewer: Viewer) -> Encounter:
    """Return the encounter with tags or names in place of ids, and only the viewer's own sheets."""
    blank = seen.game.sheet()
    named = {each.id: tag_text(each) or each.name for each in seen}
    combatants: dict[str, Combatant] = {}
    for each in seen.in_line():
        own = viewer.owns(each)
        # The roster entry identifies the owner when the id is gone.
        state = replace(each.state, near=tuple(named[who] for who in each.state.near))
        state = replace(state, kind=each.state.kind or each.id) if own else state
        combatants[named[each.id]] = Combatant(
            named[each.id], state, each.sheet if own else blank, each.conditions
        )
    progress = seen.progress
    turn = progress.turn if progress.turn and viewer.owns(seen.combatants[progress.turn]) else None
    turn = turn or next((each.id for each in seen.in_line() if viewer.owns(each)), None)
    return evolve(
        seen,
        combatants=combatants,
        offers=(),
        progress=replace(
            progress,
            ids=tuple(named[who] for who in progress.ids),
            order=tuple(named[who] for who in progress.order),
            turn=named[turn] if turn else None,
            interrupted=None,
        ),
    )


def typed_action(encounter: Encounter, viewer: Viewer, line: str) -> tuple[Act, Combatant] | None:
    """Return the action of a line and its actor, or None if the line is not an action."""
    try:
        seen = seen_encounter(encounter, viewer)
        intent = read_command(seen, line, lambda act: actor_of_action(seen, viewer, act)).intent
        if isinstance(intent, Act):
            return intent, own_actor(seen, viewer, intent.by)
    except (Misread, Refused):
        pass
    return None


def own_numbers(encounter: Encounter, viewer: Viewer, line: str) -> OwnNumbers | None:
    """Return the numbers that the viewer's character brings to a line's action, or None if unknown.

    They are calculated against an unknown target, so they reveal nothing about any other combatant.
    """
    found = typed_action(encounter, viewer, line)
    if found is None:
        return None
    intent, actor = found
    alone = _against_stranger(seen_encounter(encounter, viewer), actor)
    try:
        command = _command(alone, intent, actor, _BLANK)
    except (Refused, Wrong):
        return None
    target = command.targets[0] if command.targets else None
    return _figures(alone, command.action, actor.id, target, command.options)


def own_numbers_of(seen: Encounter, action: Action, actor: Combatant, options: Any) -> OwnNumbers | None:
    """Return the numbers that a combatant brings to an action with these options, or None if unknown.

    They are calculated against an unknown target, so they reveal nothing about any other combatant.
    """
    alone = _against_stranger(seen, actor)
    return _figures(alone, action, actor.id, None if action.targets == "none" else _BLANK, options)


def _figures(
    alone: Encounter, action: Action, actor: str, target: str | None, options: Any
) -> OwnNumbers | None:
    try:
        chances = preview(alone, action, actor, target, options)
        terms = _steady_terms(alone, action, actor, target, options)
    except (Refused, Wrong, WrongChoice, TooManyDice):
        return None
    if chances.refused:
        return OwnNumbers(refused=chances.refused)
    amounts = [amount for amount in chances.amounts if amount > 0]
    if not amounts:
        return OwnNumbers(terms)
    return OwnNumbers(terms, min(amounts), max(amounts))


def _stranger(seen: Encounter, actor: Combatant) -> Combatant:
    """Return an unhurt combatant with an empty sheet."""
    sheet = seen.game.sheet()
    levels: dict[str, int] = {}
    for meter in seen.game.meters:
        full = getattr(actor.sheet, meter.full)
        levels |= {meter.full: full, meter.now: full}
    return Combatant(_BLANK, CombatantState(name="the target"), changed(sheet, levels))


def exact_odds(encounter: Encounter, viewer: Viewer, line: str) -> Iterator[tuple[str, Preview]]:
    """Yield the odds of a line's action by the tag of each visible target ("" for an action without one).

    Uses the targets in the line, or the first few if it names none, foes first.
    """
    found = typed_action(encounter, viewer, line)
    if found is None:
        return
    intent, actor = found
    seen = seen_encounter(encounter, viewer)
    action = seen.game.action(intent.action)
    if action is None:
        return
    try:
        aims = named_targets(seen, intent.targets) if intent.targets else _possible(seen, actor)
    except Refused:
        return
    if action.targets == "none":
        aims = (actor.id,)
    for who in aims[:MOST_TARGETS]:
        try:
            command = _command(seen, intent, actor, who if action.targets != "none" else "")
            yield tag_text(seen.combatants[who]) if command.targets else "", _odds(seen, command)
        except (Refused, Wrong, WrongChoice, TooManyDice):
            continue


def _possible(seen: Encounter, actor: Combatant) -> tuple[str, ...]:
    """Return the visible targets that still fight, foes first."""
    there = [each for each in seen.in_line() if each.id != actor.id and seen.status(each).in_order]
    return tuple(each.id for each in sorted(there, key=lambda each: each.side == actor.side))


def _command(encounter: Encounter, intent: Act, actor: Combatant, target: str) -> ActionCommand:
    """Return the action as the rules understand it. Raises Refused and Wrong."""
    return read_action(encounter, evolve(intent, targets=target, by=actor.id))


def _odds(encounter: Encounter, command: ActionCommand) -> Preview:
    target = command.targets[0] if command.targets else None
    return preview(encounter, command.action, command.actors[0], target, command.options, interrupts=False)


class _Ends:
    """Dice that always show their lowest or their highest face."""

    def __init__(self, highest: bool) -> None:
        self._highest = highest

    def face(self, sides: int, why: str = "", of: str = "") -> int:
        return sides if self._highest else 1


def _steady_terms(
    encounter: Encounter, action: Action, actor: str, target: str | None, options: Any
) -> tuple[Term, ...]:
    """Return the terms of the action's total that no die changes."""
    scene = scene_of(encounter, action, actor, target, options)
    low, high = (outcome_of(action, scene, Table(_Ends(highest), Suggested())) for highest in (False, True))
    others = low.tell().terms
    return tuple(term for term in high.tell().terms if term.value and term in others)
