"""Scenes: the parts of an encounter that an action may read, and the combatants that its options name."""

from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache
from typing import Any, cast

from systems.commands.effects import apply_condition_effects
from systems.commands.fights import Look, shown_name
from systems.contract.action import Action, AppliedEffect, Other, Scene
from systems.contract.outcome import Outcome, refuse
from systems.contract.table import Table
from systems.encounter.lookup import single, targets
from systems.encounter.model import Combatant, Encounter
from systems.errors import Refused, Wrong
from systems.schema.fields import combatant_options, fields_of, target_options
from systems.text import spoken

NOTHING: Mapping[str, Any] = {}
# Which of several targets this one is, how many there are, the aims that go to this one at once, and those
# that went to the targets before it.
TargetPlace = tuple[int, int, int, int]
ONLY_TARGET: TargetPlace = (0, 1, 1, 0)


def outcome_of(action: Action, scene: Scene[Any, Any, Any], table: Table) -> Outcome:
    """Return the outcome of an action. Raises Wrong with the option named as it is typed.

    An actor that cannot act is refused for every game. A game names the path in the request,
    `options.weapon`. In a typed line, the option is called `weapon`.
    """
    if scene.unable:
        return refuse("status", f"{scene.actor_name} is {spoken(scene.unable)} and cannot {action.verb}.")
    try:
        return action.run(scene, table)
    except Wrong as wrong:
        raise wrong.at(wrong.field.removeprefix("options.")) from None


def unable_to(encounter: Encounter, action: Action, actor: Combatant) -> str:
    """Return the status because of which a combatant cannot take this action, or ""."""
    status = encounter.status(actor)
    if status.acts or encounter.game.allows_unable(action):
        return ""
    return status.name


def others_of(encounter: Encounter, action: Action, options: Any) -> dict[str, str]:
    """Return the id of the combatant that each option names; options without a combatant are left out.

    In a command they are ids. Text from a prompt may still be a tag or a name.
    """
    found: dict[str, str] = {}
    if not (names := combatant_options(action.options)):
        return found
    for name in names:
        if word := getattr(options, name):
            with suppress(Refused):
                found[name] = single(encounter, word).id
    return found


def scene_of(
    encounter: Encounter,
    action: Action,
    actor: str,
    target: str | None,
    options: Any,
    before: Mapping[str, Any] = NOTHING,
    aim: TargetPlace = ONLY_TARGET,
) -> Scene[Any, Any, Any]:
    """Return the scene of an action; its options include the effects of conditions."""
    combatant = encounter.combatants[actor]
    other = encounter.combatants[target] if target else None
    effects: tuple[AppliedEffect, ...] = ()
    if combatant.conditions or (other is not None and other.conditions):
        options, effects = apply_condition_effects(encounter, action, options, combatant, other)
    named = others_of(encounter, action, options)
    others = {
        name: Other(shown_name(encounter.combatants[who]), encounter.combatants[who].sheet)
        for name, who in named.items()
    }
    return Scene(
        actor=combatant.sheet,
        target=other.sheet if other else encounter.game.blank_sheet,
        options=options,
        house=encounter.house,
        actor_name=combatant.name,
        target_name=other.name if other else "nobody",
        has_target=other is not None,
        before=before,
        effects=effects,
        others=others,
        marked=_marked(encounter, action, options, target) if target_options(action.options) else frozenset(),
        unable=unable_to(encounter, action, combatant),
        look=Look(encounter),
        actor_id=actor,
        target_id=target or "",
        interrupts=encounter.game.interrupts,
        place=aim[0],
        places=aim[1],
        aimed=aim[2],
        aimed_before=aim[3],
        actor_lines=condition_lines(encounter, combatant) if combatant.conditions else (),
        target_lines=condition_lines(encounter, other) if other is not None and other.conditions else (),
    )


def says_near(encounter: Encounter) -> bool:
    """Return whether the game master has said of any combatants that they are near each other."""
    return any(combatant.state.near for combatant in encounter)


def out_of_reach(action: Action, scene: Scene[Any, Any, Any]) -> bool:
    """Return whether an action in melee is aimed at a combatant that is not near its actor.

    It counts only if either of them is near another combatant in sight: else nobody has said who is near.
    """
    fight, sides = scene.fight, (scene.actor_id, scene.target_id)
    if action.close is None or fight is None or not all(sides) or sides[0] == sides[1]:
        return False
    if any(fight.person(who) is None for who in sides) or fight.near(*sides):
        return False
    others = (fight.person(who) for who in fight.ids if who not in sides)
    known = [other.id for other in others if other is not None and other.in_sight]
    is_known = any(fight.near(side, other) for side in sides for other in known)
    return is_known and action.close(scene)


def condition_lines(encounter: Encounter, combatant: Combatant) -> tuple[Any, ...]:
    """Return the effects that a combatant has by conditions: those of the game, and their own changes."""
    if encounter.game.effects is None or not combatant.conditions:
        return ()
    found: list[Any] = []
    own: dict[str, int] = {}
    for held in combatant.conditions:
        condition = encounter.game.condition(held.name)
        if condition is not None:
            found += condition.lines()
            found += () if held.tick else condition.value_lines(1 if held.value is None else held.value)
        if held.change or held.tick:
            own[held.name] = own.get(held.name, 0) + 1
            number = f" {own[held.name]}" if own[held.name] > 1 else ""
            label = encounter.game.condition_label(held.name).capitalize() + number
            sheet = cast(Any, encounter.game.sheet)
            found += _lines_of_condition(sheet, label, held.change, held.tick, held.tick_at)
    return tuple(found)


@lru_cache(maxsize=256)
def _lines_of_condition(
    sheet: Any, label: str, change: tuple[str, ...], tick: tuple[str, ...], at: str
) -> tuple[Any, ...]:
    """Return what a condition does by itself as effects, in the words that the game's sheet understands."""
    kind: Any = fields_of(sheet)["effects"].type
    # The first line of a name is found by it, and only the damage is run by name.
    ticks = kind.check([{"name": label, "when": at, "damage": list(tick)}]) if tick else ()
    if not change:
        return tuple(ticks)
    typed = fields_of(kind.of)["change"].type.typed
    changes = {name: value for each in change for name, value in typed(each).items()}
    return (*ticks, *kind.check([{"name": label, "when": "always", "change": changes}]))


def _marked(encounter: Encounter, action: Action, options: Any, target: str | None) -> frozenset[str]:
    """Return the options that name this target; options without a combatant are left out."""
    found: list[str] = []
    for name in target_options(action.options):
        if target and (word := getattr(options, name)):
            with suppress(Refused):
                found += [name] if target in targets(encounter, word) else []
    return frozenset(found)
