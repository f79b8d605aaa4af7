"""Effects of sheets as commands: the targets of an effect, and the action that it carries out."""

from collections.abc import Mapping
from typing import Any

from systems.commands.moments import affected_by_line
from systems.commands.relevance import refusal_of
from systems.commands.scenes import condition_lines, scene_of
from systems.contract.action import Action
from systems.contract.ruleset import HAPPENS
from systems.encounter.model import Combatant, Encounter
from systems.errors import Refused


def _lines(encounter: Encounter, owner: Combatant) -> tuple[Any, ...]:
    rules = encounter.game.effects
    return () if rules is None else (*rules.lines(owner.sheet), *condition_lines(encounter, owner))


def _line(encounter: Encounter, action: Action, owner: Combatant, options: Any) -> Any | None:
    """Return the line that an action runs, or None for other actions."""
    rules = encounter.game.effects
    if rules is None or action.name != rules.action:
        return None
    return rules.line(_lines(encounter, owner), options)


def action_of_effect(
    encounter: Encounter, action: Action, owner: Combatant, options: Any
) -> tuple[Action, Mapping[str, object]] | None:
    """Return the action that an effect of its owner carries out, with its options; None for other actions."""
    line, rules = _line(encounter, action, owner, options), encounter.game.effects
    found = rules.uses(owner.sheet, line) if rules is not None and line is not None else None
    if found is None:
        return None
    used = encounter.game.action(found[0])
    return None if used is None else (used, found[1])


def targets_of_effect(
    encounter: Encounter, action: Action, owner: Combatant, options: Any
) -> tuple[str, ...]:
    """Return the ids of the combatants that an effect affects by itself, such as all foes near its owner.

    Returns nothing if a person chooses them. Raises Refused if it affects nobody now.
    """
    line, rules = _line(encounter, action, owner, options), encounter.game.effects
    if line is None or rules is None:
        return ()
    aimed = rules.aims(_lines(encounter, owner), line)
    used = action_of_effect(encounter, action, owner, options)
    if used is not None and used[0].targets == "none":
        return (owner.id,)
    if aimed is None or not (aimed.is_for_group or aimed.affected == "self"):
        return ()
    if why := refusal_of(encounter, action, owner.id, None, options):
        raise Refused(why, code="against_the_rules")
    found = affected_by_line(encounter, owner, aimed)
    reached = tuple(
        who
        for who in found
        if rules.applies(aimed, HAPPENS, scene_of(encounter, action, owner.id, who, options))
    )
    if not reached:
        raise Refused(f"{line.name} of {owner.name} affects nobody now", code="against_the_rules")
    return reached
