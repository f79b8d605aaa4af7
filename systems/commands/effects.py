"""The effects of conditions on their combatants: on options of actions and on the sheet."""

from collections.abc import Iterable
from typing import Any

from systems.contract.action import Action, AppliedEffect
from systems.contract.condition import VALUE, Condition, Effect, is_set
from systems.contract.outcome import GivenCondition, Role
from systems.contract.ruleset import Ruleset, SaveAction
from systems.encounter.model import ActiveCondition, Combatant, Encounter
from systems.frozen import evolve
from systems.schema.conversion import replace
from systems.schema.fields import fields_of
from systems.schema.types import ListOf, Whole
from systems.text import find_word, spoken


def apply_condition_effects(
    encounter: Encounter, action: Action, options: Any, actor: Combatant, target: Combatant | None
) -> tuple[Any, tuple[AppliedEffect, ...]]:
    """Return the options of an action as changed by the conditions of both sides, and each change."""
    applied: list[AppliedEffect] = []
    for role, combatant, other in (("actor", actor, target), ("target", target, actor)):
        for name, same in (
            _by_name(combatant.conditions).items() if combatant and combatant.conditions else ()
        ):
            condition = encounter.game.condition(name)
            for effect in condition.effects if condition else ():
                if (effect.action, effect.role) != (action.name, role):
                    continue
                counting = [active for active in same if _counts_against(effect, active, other)]
                if counting and effect.when(actor.sheet, options):
                    before = getattr(options, effect.option)
                    amounts = [_amount(condition, effect, active) for active in counting]
                    options = _changed(action, options, effect, max(amounts, key=abs))
                    after = getattr(options, effect.option)
                    applied += _added(effect.option, name, before, after, effect.role)
    return options, tuple(applied)


def _by_name(conditions: Iterable[ActiveCondition]) -> dict[str, list[ActiveCondition]]:
    """Return conditions by name: several of one name count once."""
    found: dict[str, list[ActiveCondition]] = {}
    for active in conditions:
        found.setdefault(active.name, []).append(active)
    return found


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


def _added(option: str, name: str, before: Any, after: Any, of: Role) -> list[AppliedEffect]:
    """Return what one effect added to a number or to a list of numbers; [] for anything else."""
    match before, after:
        case (bool(), _) | (_, bool()):
            return []
        case ((int() | None), int()):
            return [AppliedEffect(option, name, after - (before or 0), of)]
        case tuple(), (*_, int(entry)):
            return [AppliedEffect(option, name, entry, of)]
    return []


def held_name(combatant: Combatant, name: str) -> str:
    """Return the name under which a combatant has a condition, in either spelling; else the given name."""
    return find_word(name, [held.name for held in combatant.conditions]) or name


def barred(encounter: Encounter, combatant: Combatant, held: ActiveCondition, *, forced: bool = False) -> str:
    """Return why a combatant cannot get a condition, as a sentence; "" if it can.

    `forced`: the game master gives it to an immune combatant all the same.
    """
    game, label = encounter.game, encounter.game.condition_label(held.name)
    if not forced and find_word(held.name, list(game.immune(combatant.sheet, encounter.house))):
        return f"{combatant.name} is immune to the condition {label}."
    status = encounter.status(combatant)
    if needs_acting(game.condition(held.name), held) and not status.acts:
        return f"{combatant.name} is {spoken(status.name)}, and {label} needs a combatant that can act."
    source = encounter.combatants.get(held.source or "")
    if source is None or not held.ends_with_source:
        return ""
    status = encounter.status(source)
    if "source_falls" in held.ends_when and not status.acts:
        return f"{source.name} is {spoken(status.name)}, and {label} lasts only while it can act."
    if not status.in_order:
        return f"{source.name} is {spoken(status.name)}, and {label} lasts only while it lives."
    return ""


def as_declared(game: Ruleset, held: ActiveCondition) -> ActiveCondition:
    """Return a condition with the events that end every condition of its name which a combatant gives."""
    own = game.condition(held.name)
    more = [event for event in own.ends_when if event not in held.ends_when] if own else []
    if not more or held.source is None:
        return held
    return replace(held, ends_when=(*held.ends_when, *more))


def needs_acting(condition: Condition | None, held: ActiveCondition) -> bool:
    """Return whether a condition ends as soon as its bearer cannot act."""
    return "falls" in held.ends_when or (condition is not None and condition.acting)


def own_words(game: Ruleset, held: ActiveCondition) -> str:
    """Return the condition's own words for its begin, such as `cannot regenerate`, or ""."""
    own = game.condition(held.name)
    return held.begin_words or (own.begin_words if own else "")


def words_of_begin(game: Ruleset, held: ActiveCondition) -> str:
    """Return the words for having a condition: `is prone`, `cannot regenerate`."""
    return own_words(game, held) or f"is {held.label_in(game)}"


def words_of_end(game: Ruleset, held: ActiveCondition, now: ActiveCondition | None) -> str:
    """Return the words for the end of a condition, or for its value `now`: `is no longer prone`."""
    if now is not None:
        return f"is now {now.label_in(game)}"
    own = game.condition(held.name)
    return held.end_words or (own.end_words if own else "") or f"is no longer {held.label_in(game)}"


def given_condition(gives: GivenCondition, action: Action, actor: str) -> ActiveCondition:
    """Return the condition that an outcome gives, without its duration."""
    return ActiveCondition(
        name=gives.condition,
        value=gives.value,
        source=actor,
        through=action.name,
        sustained=gives.sustained_by or None,
        save=gives.save or None,
        difficulty=gives.difficulty,
        again=gives.again or (("end",) if gives.save else ()),
        worse=gives.worse or None,
        worse_rounds=gives.worse_rounds,
        worse_again=gives.worse_again,
        worse_ends_when=gives.worse_ends_when,
        escape=gives.escape,
        ends_when=gives.ends_when,
        brought_by=gives.brought_by or None,
        begin_words=gives.begin_words or None,
        end_words=gives.end_words or None,
        change=gives.change,
        tick=gives.tick,
        tick_at=gives.tick_at,
    )


def save_options(action: Action, save: SaveAction, ability: str | None, difficulty: int | None) -> Any:
    """Return the options of the roll that ends a condition.

    Raises Wrong if the action takes no such ability or difficulty.
    """
    fields, given = fields_of(action.options), {save.ability: ability, save.difficulty: difficulty}
    return action.options(**{name: fields[name].type.check(value, name) for name, value in given.items()})


def is_apart(condition: Condition | None, held: ActiveCondition) -> bool:
    """Return whether a condition ends alone although another source gives the same one."""
    if held.source is None or (condition and (condition.counted or condition.on is VALUE)):
        return False
    is_declared = condition is not None and condition.by_source
    is_tied = held.ends_with_source or held.brought_by is not None
    return is_declared or is_tied or bool(held.save) or held.escape is not None


def with_condition(encounter: Encounter, combatant: Combatant, held: ActiveCondition) -> Combatant:
    """Return the combatant with a condition, which replaces an older one of that name or adds to it.

    It replaces only the one from the same source if each source gives one of its own. The caller asks
    `barred` first.
    """
    condition = encounter.game.condition(held.name)
    older_name = held_name(combatant, held.name)
    if is_apart(condition, held):
        held = replace(held, apart=True)
    key = (older_name, held.key[1])
    older = next((old for old in combatant.conditions if old.key == key), None)
    if condition and condition.takes_value:
        held = _with_value(condition, held, older)
    rest = tuple(old for old in combatant.conditions if old is not older)
    found = evolve(combatant, conditions=(*rest, held))
    if condition and condition.field:
        return sync_conditions(encounter, _with_condition_field(encounter, found, condition, held))
    return found


def with_condition_value(encounter: Encounter, combatant: Combatant, held: ActiveCondition) -> Combatant:
    """Return the combatant with a condition that it has replaced by one of another value, in its place."""
    conditions = tuple(held if old.key == held.key else old for old in combatant.conditions)
    found = evolve(combatant, conditions=conditions)
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
    now = others.get(condition.field, getattr(combatant.sheet, condition.field))
    number = held.value if held else None
    return combatant.with_sheet(
        {**others, condition.field: condition.field_value(now, number, held is not None)}
    )


def with_condition_fields(encounter: Encounter, combatant: Combatant) -> Combatant:
    """Return the combatant with the fields of all its conditions set, for a new sheet."""
    for held in combatant.conditions:
        condition = encounter.game.condition(held.name)
        if condition and condition.field:
            combatant = _with_condition_field(encounter, combatant, condition, held)
    return combatant


def sync_conditions(encounter: Encounter, combatant: Combatant) -> Combatant:
    """Return the combatant without the conditions that its sheet contradicts, such as cover it has left."""
    if not combatant.conditions:
        return combatant
    kept = tuple(
        _with_field_value(encounter, combatant, held)
        for held in combatant.conditions
        if _borne_out(encounter, combatant, held)
    )
    return combatant if kept == combatant.conditions else evolve(combatant, conditions=kept)


def _borne_out(encounter: Encounter, combatant: Combatant, held: ActiveCondition) -> bool:
    condition = encounter.game.condition(held.name)
    return condition is None or not condition.field or is_set(condition, combatant.sheet)


def _with_field_value(encounter: Encounter, combatant: Combatant, held: ActiveCondition) -> ActiveCondition:
    """Return the condition with the number in its field as its value."""
    condition = encounter.game.condition(held.name)
    if condition is None or not condition.field or condition.on is not VALUE:
        return held
    return replace(held, value=getattr(combatant.sheet, condition.field))


def without_condition(
    encounter: Encounter, combatant: Combatant, name: str, gone: ActiveCondition | None = None
) -> Combatant:
    """Return the combatant without a condition, its field reset. `gone`: only this one of several sources."""
    condition = encounter.game.condition(name)
    left = tuple(
        old for old in combatant.conditions if old.name != name or (gone is not None and old.key != gone.key)
    )
    found = evolve(combatant, conditions=left)
    if condition and condition.field and not any(old.name == name for old in left):
        return _with_condition_field(encounter, found, condition, None)
    return found


def has_condition(encounter: Encounter, combatant: Combatant, name: str) -> bool:
    """Return whether a combatant has a condition, or its sheet holds the condition's field value."""
    condition = encounter.game.condition(name)
    if condition and condition.field and is_set(condition, combatant.sheet):
        return True
    return any(held.name == name for held in combatant.conditions)
