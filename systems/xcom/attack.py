"""Resolve one attack: Aim against the target's defense, then Dodge and Crit, then damage."""

from collections.abc import Iterator, Mapping

from systems.contract.action import Action, Refusal, SideEffect
from systems.contract.outcome import Ask, Explanation, Outcome, Step, refuse
from systems.contract.table import Chance, Table
from systems.errors import Wrong
from systems.frozen import frozen
from systems.text import plain_number, signed
from systems.xcom.aim import (
    DASHING_DODGE,
    FLANKED_CRIT,
    Aimed,
    Attack,
    AttackOptions,
    aimed,
    dash_dodge,
    is_flanked,
    weapon_of,
)
from systems.xcom.damage import (
    armor_step,
    damage_numbers,
    harm_words,
    health_after,
    health_step,
    raw_damage,
    raw_note,
    roll_range,
    through_armor,
)
from systems.xcom.health import fallen
from systems.xcom.sheet import Sheet, Weapon, spent
from systems.xcom.turns import cannot, nothing_left

_VERBS = {"miss": "misses", "graze": "grazes", "hit": "hits", "critical": "critically hits"}


@frozen
class Struck:
    """The results of the dice. `dodge` and `crit` are None if they were not rolled."""

    aim: Chance
    dodge: Chance | None
    crit: Chance | None
    result: str
    rolled: int
    raw: int
    damage: int


def attack(scene: Attack, table: Table) -> Outcome:
    """Resolve one attack of the actor on the target: a final action, or a reaction (XCM-41 to XCM-66)."""
    shot = aimed(scene)
    needed = 0 if scene.options.reaction else 1
    if refused := _refused(scene, shot.weapon, needed):
        return refused
    struck = _strike(shot, scene.target, table)
    facts = {
        "defense": shot.defense,
        "target_value": shot.target_value,
        "dodge_value": shot.dodge_value,
        "crit_value": shot.crit_value,
        "hit": struck.result != "miss",
        "result": struck.result,
        "rolled": struck.rolled,
        "raw": struck.raw,
        "damage": struck.damage,
    }
    paid = spent(scene.actor, shot.weapon)
    if not scene.options.reaction:
        paid["actions_left"] = 0
    elif scene.actor.overwatch:
        paid["overwatch"] = False
    lost = {"health": health_after(scene.target, struck.damage)} if struck.damage else {}
    return Outcome(
        facts,
        {"actor": paid, "target": lost},
        lambda: _explanation(scene, shot, struck),
        asks=_left_open(scene, struck),
        degree=struck.result,
    )


def _refused(scene: Attack, weapon: Weapon, needed: int) -> Outcome | None:
    """Return the first reason that forbids the attack, or None (R30, R33, R37)."""
    if refused := cannot(scene.actor, scene.actor_name, needed, "attack"):
        return refused
    if weapon.area != "none":
        return refuse("area", f"{weapon.name} is thrown and not aimed: use {weapon.area}.")
    return nothing_left(weapon, scene.actor_name)


def thrown_instead(actor: Sheet, options: AttackOptions) -> tuple[str, Mapping[str, object]] | None:
    """Return the action for a grenade chosen for an attack, an explosion or gas, or None (R33)."""
    try:
        weapon = weapon_of(actor, options.weapon)
    except Wrong:
        return None
    return None if weapon.area == "none" else (weapon.area, {"weapon": weapon.name})


def _strike(shot: Aimed, target: Sheet, table: Table) -> Struck:
    """Roll aim, dodge, crit and damage, in this order (XCM-53 to XCM-65, R12, R28)."""
    aim = table.chance(shot.target_value, 100, "aim")
    if not aim.passed:
        return Struck(aim, None, None, "miss", 0, 0, 0)
    dodge = table.chance(shot.dodge_value, 100, "dodge", "target") if shot.dodge_value > 0 else None
    crit = table.chance(shot.crit_value, 100, "crit") if shot.crit_value > 0 else None
    result = result_of(_passed(dodge), _passed(crit), shot.weapon.proficient)
    if result == "miss":
        return Struck(aim, dodge, crit, "miss", 0, 0, 0)
    rolled = roll_range(shot.weapon, table)
    raw = raw_damage(shot.weapon, rolled, result)
    return Struck(aim, dodge, crit, result, rolled, raw, through_armor(target.armor, raw))


def _passed(chance: Chance | None) -> bool:
    return chance is not None and chance.passed


def result_of(dodged: bool, critical: bool, proficient: bool) -> str:
    """Return the result of a hit: graze, hit, critical or miss.

    Dodge and Crit together cancel out (XCM-57 to XCM-60, R5). Without proficiency, a dodge alone is a miss
    and anything else a graze (XCM-11, R6).
    """
    if dodged and not critical:
        return "graze" if proficient else "miss"
    if not proficient:
        return "graze"
    return "critical" if critical and not dodged else "hit"


def _left_open(scene: Attack, struck: Struck) -> tuple[Ask, ...]:
    """Return the open decisions: abilities, and the fate of a fallen combatant (XCM-58, R20)."""
    both = _passed(struck.dodge) and _passed(struck.crit)
    cancelled = (
        (Ask("Dodge and crit both passed: abilities that answer to that may trigger."),) if both else ()
    )
    return (*cancelled, *fallen(scene.target, struck.damage, scene.target_name, "target"))


def _explanation(scene: Attack, shot: Aimed, struck: Struck) -> Explanation:
    target = plain_number(shot.target_value)
    how = " in reaction" if scene.options.reaction else ""
    text = f"{scene.who_acts} {_VERBS[struck.result]} {scene.target_name}{how}"
    numbers = f"{struck.aim.face} rolled against {target}{_turned(shot, struck)}"
    steps = [Step("aim", str(struck.aim.face), f"against {target}", of="actor")]
    if struck.aim.passed:
        steps += _after_aim(scene, shot)
        steps += _rolled_step("dodge", struck.dodge, shot.dodge_value)
        steps += _rolled_step("crit", struck.crit, shot.crit_value)
    if struck.damage:
        text += f" for {harm_words(scene.target, struck.damage)}"
        numbers += f", {damage_numbers(struck.raw, struck.damage)}"
        note = raw_note(shot.weapon, struck.rolled, struck.result)
        steps.append(Step("damage", str(struck.raw), note, of="actor"))
        if scene.target.armor or struck.raw != struck.damage:
            steps.append(armor_step(scene.target, struck.raw, struck.damage))
        steps.append(health_step(scene.target, struck.damage))
    if scene.options.reaction and scene.actor.overwatch:
        text += ". The overwatch is over"
    return Explanation(f"{text}.", shot.terms, tuple(steps), ATTACK.rules, arithmetic=f"{numbers}.")


def _turned(shot: Aimed, struck: Struck) -> str:
    """Return the words that explain why a hit became more or less than a hit, or ""."""
    if not struck.aim.passed:
        return ""
    words = []
    if struck.dodge and struck.dodge.passed:
        words.append(f"dodge {struck.dodge.face} against {shot.dodge_value}")
    if struck.crit and struck.crit.passed:
        words.append(f"crit {struck.crit.face} against {shot.crit_value}")
    passed = f", {' and '.join(words)}" if words else ""
    if not shot.weapon.proficient:
        return f"{passed}, not proficient"
    return f"{passed} cancel out" if len(words) > 1 else passed


def _after_aim(scene: Attack, shot: Aimed) -> Iterator[Step]:
    """Yield explanation lines for Dodge and Crit that differ from the plain values."""
    if not scene.options.can_dodge:
        yield Step("dodge", "0", "does not see it coming")
    elif dash_dodge(scene):
        yield Step("dodge", signed(DASHING_DODGE), "dashing, against a reaction")
    if is_flanked(scene, shot.weapon):
        yield Step("crit", signed(FLANKED_CRIT), "flanked" if scene.options.flanked else "in the open")


def _rolled_step(label: str, chance: Chance | None, value: int) -> Iterator[Step]:
    if chance is not None:
        yield Step(label, str(chance.face), f"against {value}, {'passes' if chance.passed else 'fails'}")


def attack_notes(scene: Attack) -> Mapping[str, str]:
    """Return notes for the choice of a weapon, and for the cost and effect of a reaction."""
    ends = ", ends the overwatch" if scene.actor.overwatch else ""
    notes = {"reaction=yes": f"costs no action{ends}", "reaction=no": "ends the turn"}
    for weapon in scene.actor.weapons:
        if weapon.count is not None:
            notes[f"weapon={weapon.name}"] = f"{weapon.count or 'none'} left"
        elif weapon.area != "none":
            notes[f"weapon={weapon.name}"] = "affects several targets"
        elif not weapon.proficient:
            notes[f"weapon={weapon.name}"] = "not proficient, a graze at most"
    return notes


ATTACK = Action(
    "attack",
    "Attack a target: a final action, or a reaction.",
    attack,
    AttackOptions,
    targets="one",
    facts={
        "defense": "innate + cover (ranged and not flanked) + defence_modifier",
        "target_value": "aim + weapon aim - defense + modifier, +20 melee, +15 marked; within hit_clamp",
        "dodge_value": "target's dodge, +30 for a reaction against a dash, 0 without can_dodge",
        "crit_value": "crit + weapon crit + crit_bonus, +50 flanked",
        "hit": "damage is done",
        "result": "miss, graze, hit or critical",
        "rolled": "from the damage range; 0 on a miss",
        "raw": "damage before armor; 0 on a miss",
        "damage": "at least 1 on a hit; 0 on a miss",
    },
    refusals=(
        Refusal("status", "the actor is down"),
        Refusal("actions", "no action left, and not a reaction"),
        Refusal("area", "the weapon is a grenade; throw it as an explosion or gas (R33)"),
        Refusal("ammo", "a counted weapon is used up (R37)"),
    ),
    rules=("XCM-41", "XCM-46", "XCM-50", "XCM-53", "XCM-54", "XCM-55", "XCM-61", "XCM-65"),
    success="hit",
    amount="damage",
    against="target_value",
    needs="at_most",
    total="target_value",
    notes=attack_notes,
    instead=thrown_instead,
    side_effects=(SideEffect("result", "critical", "critical"), SideEffect("result", "graze", "graze")),
)
