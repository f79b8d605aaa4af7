"""What a condition does to the one who bears it: to the options of actions and to the sheet."""

from typing import Any

import attrs

from systems.contract.ruleset import Action, AppliedEffect, Condition, Effect
from systems.encounter.model import ActiveCondition, Combatant, Encounter
from systems.schema.conversion import replace
from systems.schema.fields import fields_of
from systems.schema.types import ListOf, Whole
from systems.text import find_word


def under_conditions(
    encounter: Encounter, action: Action, options: Any, actor: Combatant, target: Combatant | None
) -> tuple[Any, tuple[AppliedEffect, ...]]:
    """Return the options of an action as the conditions of both sides change them, and what was added."""
    applied: list[AppliedEffect] = []
    for role, combatant in (("actor", actor), ("target", target)):
        for active in combatant.conditions if combatant else ():
            condition = encounter.game.condition(active.name)
            for effect in condition.effects if condition else ():
                if (effect.action, effect.role) == (action.name, role) and effect.when(actor.sheet, options):
                    before = getattr(options, effect.option)
                    options = _changed(action, options, effect, active)
                    after = getattr(options, effect.option)
                    applied += _added(effect.option, active.name, before, after)
    return options, tuple(applied)


def _changed(action: Action, options: Any, effect: Effect, active: ActiveCondition) -> Any:
    """The options with one effect: one more entry, a number added, or a value set."""
    amount = effect.amount if effect.amount is not None else (1 if active.value is None else active.value)
    now = getattr(options, effect.option)
    match fields_of(action.options)[effect.option].type:
        case ListOf():
            entry = amount if effect.value is None else effect.value
            return replace(options, **{effect.option: (*now, entry)})
        case Whole(low, high):
            return replace(options, **{effect.option: max(low, min(high, (now or 0) + amount))})
    return replace(options, **{effect.option: effect.value})


def _added(option: str, name: str, before: Any, after: Any) -> list[AppliedEffect]:
    """What one effect added to a number, or to a list of numbers."""
    match before, after:
        case (bool(), _) | (_, bool()):
            return []
        case ((int() | None), int()):
            return [AppliedEffect(option, name, after - (before or 0))]
        case tuple(), (*_, int(entry)):
            return [AppliedEffect(option, name, entry)]
    return []


def borne_name(one: Combatant, name: str) -> str:
    """The name of a condition as the combatant bears it already, in either spelling; else as given."""
    return find_word(name, [held.name for held in one.conditions]) or name


def with_condition(encounter: Encounter, one: Combatant, held: ActiveCondition) -> Combatant:
    """The combatant with a condition, in place of an older one of that name."""
    condition = encounter.game.condition(held.name)
    older = borne_name(one, held.name)
    rest = tuple(old for old in one.conditions if old.name != older)
    found = attrs.evolve(one, conditions=(*rest, held))
    if condition and condition.field:
        return settled(encounter, _stood_for(encounter, found, condition, borne=True))
    return found


def _stood_for(encounter: Encounter, one: Combatant, condition: Condition, *, borne: bool) -> Combatant:
    """The combatant with the field that a condition stands for set or set back, and what goes along."""
    along = condition.along(one.sheet, encounter.house, borne)
    return one.with_sheet({**along, condition.field: condition.on if borne else condition.off})


def settled(encounter: Encounter, one: Combatant) -> Combatant:
    """The combatant without conditions that its sheet no longer bears out (cover that was left)."""
    kept = tuple(held for held in one.conditions if _borne_out(encounter, one, held))
    return one if kept == one.conditions else attrs.evolve(one, conditions=kept)


def _borne_out(encounter: Encounter, one: Combatant, held: ActiveCondition) -> bool:
    condition = encounter.game.condition(held.name)
    if condition is None or not condition.field:
        return True
    return bool(getattr(one.sheet, condition.field) == condition.on)


def without_condition(encounter: Encounter, one: Combatant, name: str) -> Combatant:
    """The combatant without the condition; the field that it stands for goes back."""
    condition = encounter.game.condition(name)
    found = attrs.evolve(one, conditions=tuple(old for old in one.conditions if old.name != name))
    if condition and condition.field:
        return _stood_for(encounter, found, condition, borne=False)
    return found


def has_condition(encounter: Encounter, one: Combatant, name: str) -> bool:
    """Whether it bears the condition, or its sheet holds what the condition stands for."""
    condition = encounter.game.condition(name)
    if condition and condition.field and getattr(one.sheet, condition.field) == condition.on:
        return True
    return any(held.name == name for held in one.conditions)
