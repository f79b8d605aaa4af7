"""The effects of conditions on their combatants: on options of actions and on the sheet."""

from typing import Any

import attrs

from systems.contract.ruleset import VALUE, Action, AppliedEffect, Condition, Effect, is_set
from systems.encounter.model import ActiveCondition, Combatant, Encounter
from systems.schema.conversion import replace
from systems.schema.fields import fields_of
from systems.schema.types import ListOf, Whole
from systems.text import find_word


def apply_condition_effects(
    encounter: Encounter, action: Action, options: Any, actor: Combatant, target: Combatant | None
) -> tuple[Any, tuple[AppliedEffect, ...]]:
    """Return the options of an action as changed by the conditions of both sides, and each change."""
    applied: list[AppliedEffect] = []
    for role, combatant, other in (("actor", actor, target), ("target", target, actor)):
        for active in combatant.conditions if combatant else ():
            condition = encounter.game.condition(active.name)
            for effect in condition.effects if condition else ():
                if (effect.action, effect.role) != (action.name, role):
                    continue
                if _counts_against(effect, active, other) and effect.when(actor.sheet, options):
                    before = getattr(options, effect.option)
                    options = _changed(action, options, effect, _amount(condition, effect, active))
                    after = getattr(options, effect.option)
                    applied += _added(effect.option, active.name, before, after)
    return options, tuple(applied)


def _counts_against(effect: Effect, active: ActiveCondition, other: Combatant | None) -> bool:
    """Return whether an effect applies against the other side of an action."""
    match effect.against:
        case "source":
            return other is not None and other.id == active.source
        case "others":
            return other is None or other.id != active.source
    return True


def _amount(condition: Condition | None, effect: Effect, active: ActiveCondition) -> int:
    """Return what an effect adds: its amount (times the value of a counted condition), else the value."""
    value = 1 if active.value is None else active.value
    if effect.amount is None:
        return value
    return effect.amount * value if condition and condition.counted and not effect.sets else effect.amount


def _changed(action: Action, options: Any, effect: Effect, amount: int) -> Any:
    """Return the options with one effect applied: an entry appended, a number added, or a value set."""
    now = getattr(options, effect.option)
    match fields_of(action.options)[effect.option].type:
        case ListOf():
            entry = amount if effect.value is None else effect.value
            return replace(options, **{effect.option: (*now, entry)})
        case Whole(low, high):
            start = 0 if effect.sets else now or 0
            return replace(options, **{effect.option: max(low, min(high, start + amount))})
    return replace(options, **{effect.option: effect.value})


def _added(option: str, name: str, before: Any, after: Any) -> list[AppliedEffect]:
    """Return what one effect added to a number or to a list of numbers; [] for anything else."""
    match before, after:
        case (bool(), _) | (_, bool()):
            return []
        case ((int() | None), int()):
            return [AppliedEffect(option, name, after - (before or 0))]
        case tuple(), (*_, int(entry)):
            return [AppliedEffect(option, name, entry)]
    return []


def held_name(combatant: Combatant, name: str) -> str:
    """Return the name under which a combatant has a condition, in either spelling; else the given name."""
    return find_word(name, [held.name for held in combatant.conditions]) or name


def with_condition(encounter: Encounter, combatant: Combatant, held: ActiveCondition) -> Combatant:
    """Return the combatant with a condition, which replaces an older one of that name or adds to it."""
    condition = encounter.game.condition(held.name)
    older = held_name(combatant, held.name)
    if condition and condition.takes_value:
        held = _with_value(condition, held, next((h for h in combatant.conditions if h.name == older), None))
    rest = tuple(old for old in combatant.conditions if old.name != older)
    found = attrs.evolve(combatant, conditions=(*rest, held))
    if condition and condition.field:
        return sync_conditions(encounter, _with_condition_field(encounter, found, condition, held))
    return found


def with_condition_value(encounter: Encounter, combatant: Combatant, held: ActiveCondition) -> Combatant:
    """Return the combatant with a condition that it has replaced by one of another value, in its place."""
    conditions = tuple(held if old.name == held.name else old for old in combatant.conditions)
    found = attrs.evolve(combatant, conditions=conditions)
    condition = encounter.game.condition(held.name)
    if condition and condition.field and condition.on is VALUE:
        found = sync_conditions(encounter, found.with_sheet({condition.field: held.value}))
    return found


def _with_value(
    condition: Condition, held: ActiveCondition, older: ActiveCondition | None
) -> ActiveCondition:
    """Return the condition with its current value: counted on from the older one, or 1 at first."""
    begins = condition.counted or condition.fades or condition.on is VALUE
    value = held.value if held.value is not None or not begins else 1
    if condition.counted and older is not None and value is not None:
        value += older.value or 0
    return held if value is None else replace(held, value=min(condition.most, value))


def _with_condition_field(
    encounter: Encounter, combatant: Combatant, condition: Condition, held: ActiveCondition | None
) -> Combatant:
    """Return the combatant with a condition's field set or reset, and the changes that go with it."""
    others = condition.also_changes(combatant.sheet, encounter.house, held is not None)
    on = held.value if held and condition.on is VALUE else condition.on
    return combatant.with_sheet({**others, condition.field: on if held else condition.off})


def sync_conditions(encounter: Encounter, combatant: Combatant) -> Combatant:
    """Return the combatant without the conditions that its sheet contradicts, such as cover it has left."""
    if not combatant.conditions:
        return combatant
    kept = tuple(
        _with_field_value(encounter, combatant, held)
        for held in combatant.conditions
        if _borne_out(encounter, combatant, held)
    )
    return combatant if kept == combatant.conditions else attrs.evolve(combatant, conditions=kept)


def _borne_out(encounter: Encounter, combatant: Combatant, held: ActiveCondition) -> bool:
    condition = encounter.game.condition(held.name)
    return condition is None or not condition.field or is_set(condition, combatant.sheet)


def _with_field_value(encounter: Encounter, combatant: Combatant, held: ActiveCondition) -> ActiveCondition:
    """Return the condition with the number in its field as its value."""
    condition = encounter.game.condition(held.name)
    if condition is None or not condition.field or condition.on is not VALUE:
        return held
    return replace(held, value=getattr(combatant.sheet, condition.field))


def without_condition(encounter: Encounter, combatant: Combatant, name: str) -> Combatant:
    """Return the combatant without a condition, its field reset."""
    condition = encounter.game.condition(name)
    found = attrs.evolve(combatant, conditions=tuple(old for old in combatant.conditions if old.name != name))
    if condition and condition.field:
        return _with_condition_field(encounter, found, condition, None)
    return found


def has_condition(encounter: Encounter, combatant: Combatant, name: str) -> bool:
    """Return whether a combatant has a condition, or its sheet holds the condition's field value."""
    condition = encounter.game.condition(name)
    if condition and condition.field and is_set(condition, combatant.sheet):
        return True
    return any(held.name == name for held in combatant.conditions)
