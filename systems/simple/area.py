"""An attack on an area: its damage is rolled once, and each target may resist it with a skill."""

from collections.abc import Mapping

from systems.contract.action import Refusal, Scene
from systems.contract.area import Area, AreaEffect, Resistance, Resisted, area_action
from systems.contract.damage import DamagePart
from systems.contract.interrupt import Interrupted
from systems.contract.marked_text import as_status
from systems.contract.outcome import Ask, Outcome, Term, refuse
from systems.contract.table import Table
from systems.schema.conversion import replace
from systems.schema.fields import choice, declare, text, whole
from systems.schema.naming import Naming
from systems.simple.counters import spend_changes
from systems.simple.damage import damage_part
from systems.simple.health import down_question, hp_loss_changes, hp_moved
from systems.simple.house import House
from systems.simple.rolls import resistance
from systems.simple.sheet import (
    USUAL_DEFENCE,
    Sheet,
    Weapon,
    counter_of,
    difficulty_set,
    life_status,
    offered_weapons,
    own_weapons,
    skill_of,
    weapon_of,
)
from systems.simple.words import EFFECTS


@declare
class AreaOptions:
    weapon: str | None = text(
        None,
        "a weapon of the sheet, such as a breath or a fireball",
        when_absent="the first that targets can resist, else the first",
        naming=Naming("weapons", also=("unarmed",), free=False, kept=offered_weapons),
    )
    skill: str | None = text(
        None,
        "the skill that resists it",
        when_absent="the weapon's",
        naming=Naming("skills", of="target"),
    )
    difficulty: int | None = whole(-99, 200, None, "the difficulty to resist it", when_absent="the weapon's")
    left: str | None = choice(
        ("half", "nothing", "all"),
        None,
        "what a resisting target takes",
        when_absent="the weapon's",
    )
    modifier: int = whole(-99, 99, 0, "added to the roll that resists")
    damage_modifier: int = whole(-99, 99, 0, "added to the damage")


AreaScene = Scene[Sheet, AreaOptions, House]


def _weapon(scene: AreaScene) -> Weapon:
    actor, name = scene.actor, scene.options.weapon
    resisted = next((weapon for weapon in own_weapons(actor) if weapon.resist), None)
    return resisted if resisted and name is None else weapon_of(actor, name)


def _damage(scene: AreaScene) -> tuple[DamagePart, ...]:
    weapon = _weapon(scene)
    plus = weapon.damage_bonus + scene.options.damage_modifier
    return (damage_part(weapon, plus, scene.target),)


def _resists(scene: AreaScene) -> Resistance | None:
    """Return the target's roll: its skill against the difficulty, in the table's way of rolling (R13)."""
    weapon, house = _weapon(scene), scene.house
    skill = scene.options.skill or weapon.resist
    if skill is None:
        return None
    terms = (Term(skill, skill_of(scene.target, house, skill)), *scene.option_terms("modifier"))
    return resistance(house, skill, terms, _difficulty(scene, weapon))


def _difficulty(scene: AreaScene, weapon: Weapon) -> int:
    """Return the difficulty of resisting: as typed, else the weapon's, else the usual one."""
    if scene.options.difficulty is not None:
        return scene.options.difficulty
    if weapon.difficulty is None:
        return USUAL_DEFENCE[scene.house.roll]
    return difficulty_set(scene.actor, scene.house, weapon.difficulty)


def _resisted(scene: AreaScene) -> Resisted:
    left = scene.options.left or _weapon(scene).resisted
    return "nothing" if left == "nothing" else "all" if left == "all" else "half"


def _hurt(scene: AreaScene, damage: int) -> tuple[Mapping[str, object], str]:
    changes = hp_loss_changes(scene.target, damage, scene.house)
    after = replace(scene.target, **changes)
    return changes, hp_moved(scene.target, after)


def _becomes(scene: AreaScene, damage: int) -> str:
    """Return the status after the damage, or "" if it is unchanged."""
    after = replace(scene.target, **hp_loss_changes(scene.target, damage, scene.house))
    now = life_status(after)
    return as_status(now) if now != life_status(scene.target) else ""


def _asks(scene: AreaScene, damage: int) -> tuple[Ask, ...]:
    after = replace(scene.target, **hp_loss_changes(scene.target, damage, scene.house))
    return down_question(scene.target, after, scene.target_name, "target")


def _follows(scene: AreaScene, table: Table, failed: bool, damage: int) -> AreaEffect:
    """Return the conditions of effects that name this attack (R15)."""
    gives, reminders = EFFECTS.after_save(scene, _weapon(scene).name, failed=failed)
    return AreaEffect(gives=gives, words=reminders)


def _stops(scene: AreaScene, table: Table) -> Interrupted:
    """Ask each combatant that can stop the attack (R15)."""
    return EFFECTS.stopped(scene, table)


def _pays(scene: AreaScene) -> Mapping[str, object] | Outcome:
    """Spend the weapon's counter, once for all targets (R10)."""
    actor, weapon = scene.actor, _weapon(scene)
    counter = counter_of(actor, weapon)
    if (able := life_status(actor)) != "up":
        return refuse("status", f"{scene.actor_name} is {able} and cannot attack.")
    if counter and not counter.now:
        return refuse("counter", f"{scene.actor_name} has no {counter.name} left.")
    return spend_changes(actor, counter, 1) if counter else {}


AREA = area_action(
    "area",
    "A breath, a fireball, an explosion: damage for everybody in it, less for targets that resist.",
    Area(
        _damage,
        _hurt,
        resists=_resists,
        resisted=_resisted,
        pays=_pays,
        asks=_asks,
        called=lambda scene: _weapon(scene).name,
        becomes=_becomes,
        follows=_follows,
        stops=_stops,
    ),
    AreaOptions,
    refusals=(
        Refusal("status", "the actor is stunned, down or dead"),
        Refusal("counter", "the counter that the attack spends is empty"),
    ),
    rules=("R6", "R7", "R13"),
    title="area attack",
    letter="m",
    verb="make an area attack",
)
