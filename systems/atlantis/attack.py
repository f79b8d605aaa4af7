"""One attack, from the resistance it meets to the life it costs."""

from collections.abc import Mapping
from functools import lru_cache

from systems.atlantis.checks import die_term, hurt_term, luck, total_of
from systems.atlantis.defence import (
    Defence,
    best_defence,
    chance_to_hit,
    defence_of,
    may_defend,
    opposing_abilities,
)
from systems.atlantis.health import (
    Harm,
    armour_words,
    harm_changes,
    harm_steps,
    harm_through_armour,
    harm_words,
)
from systems.atlantis.house import House
from systems.atlantis.sheet import SIZES, TRAITS, WIELDS, Sheet, Weapon, learning, life_status, score_term
from systems.contract.action import Action, Refusal, Scene
from systems.contract.outcome import Explanation, Outcome, Step, Term, optional_term, owned, refuse
from systems.contract.table import Table
from systems.frozen import frozen
from systems.schema.conversion import entry_or_first, replace
from systems.schema.fields import choice, declare, flag, text, whole
from systems.schema.naming import Naming
from systems.text import listed, plain_number, sentence

SECOND_ATTACK = -5
SIZE_MODIFIER = {"tiny": -10, "small": -5, "medium": 0, "big": 5, "huge": 10}
COVERAGE_MODIFIER = {"none": 0, "part": -5, "half": -10, "sensible": -15}
PUNCH = Weapon(name="punch", damage=5, ability="brawl")


@declare
class AttackOptions:
    weapon: str | None = text(
        None,
        "a weapon of the sheet by name, or punch",
        when_absent="the first weapon, else punch",
        remembered="aimed",
    )
    defence: str | None = choice(
        ("none", "passive", "active"),
        None,
        "none: 25; passive: the best of 25 and the ability (ATL-23); active: the target rolls (ATL-19)",
        when_absent="active for a defending target; else passive; none for a ranged weapon without "
        "an ability to defend with",
        one_off=True,  # an active defence costs the target its action, so it is declared for each attack
    )
    defence_ability: str | None = text(
        None,
        "the ability that opposes",
        when_absent="the weapon's",
        naming=Naming("abilities", of="target", also=WIELDS),
    )
    distance: int = whole(
        0, 9999, 0, "metres; counts for ranged weapons only (ATL-30)", remembered="between", unit="m"
    )
    size: str | None = choice(SIZES, None, "−10, −5, 0, +5, +10 (ATL-28)", when_absent="the target's")
    coverage: str = choice(tuple(COVERAGE_MODIFIER), "none", "0, −5, −10, −15 (ATL-32)", remembered="aimed")
    second_attack: bool | None = flag(
        None,
        "apply the −5 of a second attack",
        when_absent="true after an attack this round",
        one_off=True,
    )
    modifier: int = whole(-200, 200, 0, "the game master's number, such as for speed (R16)")
    trait: str = choice(TRAITS, "body", "rolled for a weapon ability not on the sheet (ATL-16)")
    defence_trait: str = choice(TRAITS, "body", "the same for an active defence")


Attack = Scene[Sheet, AttackOptions, House]


def weapon_of(sheet: Sheet, name: str | None) -> Weapon:
    """Return the named weapon, or the default. Raises Wrong if the sheet has none of that name."""
    return entry_or_first(sheet.weapons, name, "weapon", PUNCH)


def distance_modifier(metres: int) -> int:
    """Return 0, -5, -10, -15, -25 at up to 15, 30, 45, 100 metres and beyond (ATL-30)."""
    if metres > 100:
        return -25
    return -5 * ((metres > 15) + (metres > 30) + (metres > 45))


def multiplier_of(success: int) -> int:
    """Return the multiplier of the weapon's damage for a success: 0 to 5 (ATL-34, R5, R6)."""
    return (success > 0) + (success > 10) + (success > 25) + (success > 50) + (success > 75)


def attack(scene: Attack, table: Table) -> Outcome:
    """Attack the target once (ATL-18 to ATL-38)."""
    swing = _swing(scene)
    if swing.over is not None:
        return swing.over
    ability = swing.opposing[0]
    if len(swing.opposing) > 1:
        best = best_defence(scene.target, swing.opposing, scene.options.defence_trait)
        question = _which_defends(scene, swing.meets, swing.opposing)
        ability = table.choose(question, swing.opposing, suggest=best, of="target", id="defence")
    defence = _defence(scene, ability)
    value = luck(table, swing.weapon.name, "actor")
    return _struck(scene, swing, defence, value, defence.met(table))


@frozen(eq=False)
class Swing:
    """Everything known about an attack before any roll.

    `over`: the outcome, if it ends without a die. `terms`: the terms added to the attacker's die. `meets`:
    none, passive or active; `opposing`: the abilities that could resist.
    `changes`: what the attack changes on the attacker, and `hit_changes` if it hits.
    """

    weapon: Weapon
    meets: str
    opposing: tuple[str, ...]
    terms: tuple[Term, ...]
    base: int
    changes: Mapping[str, object]
    hit_changes: Mapping[str, object]
    over: Outcome | None


@lru_cache(maxsize=8)
def _swing(scene: Attack) -> Swing:
    """Return the attack before any dice are rolled. Raises Wrong if there is no such weapon."""
    actor, options = scene.actor, scene.options
    weapon = weapon_of(actor, options.weapon)
    terms = _terms(scene, weapon)
    meets = options.defence or _usual_defence(scene, weapon, total_of(terms))
    opposing = _that_matter(scene, meets, weapon)
    changes = {"attacks_made": actor.attacks_made + 1}
    return Swing(
        weapon,
        meets,
        opposing,
        terms,
        total_of(terms),
        changes,
        {**changes, **learning(actor, weapon.ability)},
        _refused(scene) or _out_of_range(scene, weapon),
    )


def _that_matter(scene: Attack, meets: str, weapon: Weapon) -> tuple[str, ...]:
    """Return the abilities that could defend; if they make no difference, only the best of them."""
    target, options = scene.target, scene.options
    found = opposing_abilities(target, meets, weapon.ability, options.defence_ability)
    if len(found) < 2:
        return found
    first, *others = (
        defence_of(target, meets, ability, options.defence_trait, scene.house) for ability in found
    )
    if any(first.differs_from(other) for other in others):
        return found
    return (best_defence(target, found, options.defence_trait),)


@lru_cache(maxsize=8)
def _which_defends(scene: Attack, meets: str, opposing: tuple[str, ...]) -> str:
    """Return the question of which ability defends, with the value of each against the attack."""
    target, trait = scene.target, scene.options.defence_trait
    known = [(name, defence_of(target, meets, name, trait, scene.house).value) for name in opposing]
    told = listed((f"{name} {plain_number(value)}" for name, value in known), "or")
    return f"Which ability does {scene.target_name} defend with, {told}?"


def _undeclared(scene: Attack, weapon: Weapon) -> str:
    """Return how the target resists if the prompt is not answered (R36)."""
    ranged_unnamed = weapon.kind == "ranged" and scene.options.defence_ability is None
    return "none" if ranged_unnamed else "passive"


def _usual_defence(scene: Attack, weapon: Weapon, base: int) -> str:
    """Return how the target resists by default: a declared defence if it helps (R37)."""
    ready = scene.target.defending and _is_better_active(scene, weapon, base)
    return "active" if ready else _undeclared(scene, weapon)


def _best(scene: Attack, weapon: Weapon, meets: str) -> Defence:
    """Return the target's best ability against the attack, with this kind of resistance."""
    target, options = scene.target, scene.options
    known = opposing_abilities(target, meets, weapon.ability, options.defence_ability)
    ability = best_defence(target, known, options.defence_trait)
    return defence_of(target, meets, ability, options.defence_trait, scene.house)


def _is_better_active(scene: Attack, weapon: Weapon, base: int) -> bool:
    """Return whether the target is harder to hit when it rolls."""
    active, other = _best(scene, weapon, "active"), _best(scene, weapon, _undeclared(scene, weapon))
    rolled = chance_to_hit(base, active.value, active.rolls)
    return rolled < chance_to_hit(base, other.value, rolls=False)


def _refused(scene: Attack) -> Outcome | None:
    actor, name = scene.actor, scene.actor_name
    if life_status(actor) != "conscious":
        return refuse("status", f"{name} is {life_status(actor)} and cannot attack.")
    if actor.action_spent:
        return refuse("action", f"{name} has spent this round's action and cannot attack.")
    if actor.attacks_made >= actor.attacks_per_round:
        return refuse("attacks", f"{name} has no attack left this round, {actor.attacks_made} made.")
    return None


def _out_of_range(scene: Attack, weapon: Weapon) -> Outcome | None:
    """Return a miss beyond the weapon's range: no dice, but one of the round's attacks (ATL-31, R30, R33)."""
    metres = scene.options.distance
    if weapon.kind != "ranged" or weapon.max_range is None or metres <= weapon.max_range:
        return None
    facts = {
        "auto_fail": True,
        "critical": False,
        "hit": False,
        "multiplier": 0,
        "damage": 0,
        "absorbed": 0,
        "taken": 0,
        "active_refused": False,
    }
    explanation = Explanation(
        f"{scene.who_acts} misses {scene.target_name}, out of range.",
        rules=("ATL-31",),
        arithmetic=f"{metres} metres, {weapon.name} range {weapon.max_range}.",
    )
    changes = {"attacks_made": scene.actor.attacks_made + 1}
    return Outcome(facts, {"actor": changes}, lambda: explanation, degree="miss")


def attack_notes(scene: Attack) -> Mapping[str, str]:
    """Return the notes before the roll: a target out of range, and an active defence that is no better."""
    swing, found = _swing(scene), {}
    if (over := swing.over) is not None:
        return {"": f"beyond the {swing.weapon.max_range} metres"} if over.facts.get("auto_fail") else {}
    if note := _active_note(scene, swing):
        found["defence=active"] = note
        if swing.meets == "active":
            found[""] = f"active {note}"
    return found


def _active_note(scene: Attack, swing: Swing) -> str:
    """Return why an active defence is no better than the target's other resistance, or ""."""
    target, weapon = scene.target, swing.weapon
    if life_status(target) != "conscious":
        return f"not possible, {life_status(target)}"
    if not may_defend(target):
        return "not possible, has acted"
    if _is_better_active(scene, weapon, swing.base):
        return ""
    active, other = _best(scene, weapon, "active"), _best(scene, weapon, _undeclared(scene, weapon))
    return f"worse, {plain_number(active.value)} + d20 against {other.value}"


def _terms(scene: Attack, weapon: Weapon) -> tuple[Term, ...]:
    """Return the terms added to the attacker's die (ATL-25, ATL-27 to ATL-32, ATL-42)."""
    actor, options = scene.actor, scene.options
    second = actor.attacks_made >= 1 if options.second_attack is None else options.second_attack
    return (
        *owned(
            "actor",
            score_term(actor, weapon.ability, options.trait),
            hurt_term(actor),
            *((Term("second attack", SECOND_ATTACK),) if second else ()),
        ),
        *_circumstances(scene, weapon),
        *scene.option_terms("modifier"),
    )


def _circumstances(scene: Attack, weapon: Weapon) -> tuple[Term, ...]:
    options = scene.options
    size = options.size or scene.target.size
    found = [
        Term("size", SIZE_MODIFIER[size], size, "target"),
        *owned("options", *optional_term("coverage", COVERAGE_MODIFIER[options.coverage], options.coverage)),
    ]
    if weapon.kind == "ranged":
        metres = f"{options.distance} metres"
        found += owned("options", *optional_term("distance", distance_modifier(options.distance), metres))
    if scene.house.use_modifiers:
        return tuple(found)
    return tuple(Term(term.label, 0, "excluded by the house rules") for term in found if term.value)


@lru_cache(maxsize=8)
def _defence(scene: Attack, ability: str) -> Defence:
    meets = _swing(scene).meets
    return defence_of(scene.target, meets, ability, scene.options.defence_trait, scene.house)


@frozen(eq=False)
class StrikeEffect:
    """The effect of a success on the target."""

    multiplier: int
    harm: Harm
    changes: Mapping[str, object]


@lru_cache(maxsize=512)
def _blow(scene: Attack, defence: Defence, success: int) -> StrikeEffect:
    """Return damage, armour and life, in that order (ATL-33 to ATL-38, R22)."""
    target, multiplier = scene.target, multiplier_of(success)
    harm = harm_through_armour(target, _swing(scene).weapon.damage * multiplier)
    return StrikeEffect(multiplier, harm, {**defence.changes, **harm_changes(target, harm)})


def _struck(scene: Attack, swing: Swing, defence: Defence, value: int, resistance: int) -> Outcome:
    """Return the outcome of the total against the resistance (ATL-19, ATL-21, R5)."""
    total = swing.base + value
    success = total - resistance
    blow = _blow(scene, defence, success)
    facts = {
        "auto_fail": False,
        "luck": value,
        "critical": value > 20,
        "total": total,
        "resistance": resistance,
        "success": success,
        "hit": success > 0,
        "multiplier": blow.multiplier,
        "damage": blow.harm.damage,
        "absorbed": blow.harm.absorbed,
        "taken": blow.harm.taken,
        "active_refused": defence.active_refused,
    }
    return Outcome(
        facts,
        {"actor": swing.hit_changes if success > 0 else swing.changes, "target": blow.changes},
        lambda: _told(scene, defence, value, resistance),
        degree="hit" if success > 0 else "miss",
    )


def _told(scene: Attack, defence: Defence, value: int, resistance: int) -> Explanation:
    swing, before = _swing(scene), scene.target
    total = swing.base + value
    success = total - resistance
    blow = _blow(scene, defence, success)
    text = f"{scene.who_acts} misses {scene.target_name}."
    numbers = [f"{plain_number(total)} against {plain_number(resistance)}", "critical" if value > 20 else ""]
    worth = f"damage × {blow.multiplier}" if blow.multiplier else "a miss"
    steps = [defence.step(resistance), Step("success", plain_number(success), worth)]
    if success > 0:
        after = replace(before, **blow.changes)
        text = f"{scene.who_acts} hits {scene.target_name} for{harm_words(before, blow.harm, after)}."
        numbers += [f"success {success}", f"{blow.harm.damage} damage", armour_words(blow.harm)]
        # The multiplier follows from the resistance.
        times = f"{swing.weapon.damage} × {blow.multiplier}"
        steps.append(Step("damage", str(blow.harm.damage), times, of="both"))
        steps += harm_steps(before, blow.harm, after)
    if success > 0 and "may_learn" in swing.hit_changes:
        text += f" {scene.actor_name} may learn {swing.weapon.ability}."
    if defence.active_refused:
        text += f" {scene.target_name} has no action left to defend with."
    if defence.rolls and before.defending:
        text += f" {scene.target_name} has defended."
    elif before.defending and scene.options.defence is None and (note := _active_note(scene, swing)):
        # A declared defence that is no better does not roll (R37).
        text += f" {scene.target_name} does not roll to defend: {note}."
    rules = {
        defence.rule: True,
        "ATL-17": success > 0 and "may_learn" in swing.hit_changes,
        "ATL-20": defence.active_refused,
        "ATL-26": value > 20,
        "ATL-34": success > 0,
        "ATL-37": blow.harm.absorbed > 0,
    }
    counted = tuple(rule for rule, counts in rules.items() if counts)
    terms = owned("actor", *swing.terms, die_term(value))
    return Explanation(text, terms, tuple(steps), counted, arithmetic=sentence(*numbers))


def _result_words(outcome: Outcome) -> str:
    multiplier = outcome.facts.get("multiplier")
    return f"× {multiplier}" if multiplier else outcome.degree


ATTACK = Action(
    "attack",
    "Attack a target once.",
    attack,
    AttackOptions,
    targets="many",
    facts={
        "auto_fail": "beyond the weapon's range: no dice, no other numbers but damage",
        "luck": "the open-ended die",
        "critical": "the first die was 20 (ATL-26)",
        "total": "score + luck + modifiers + wound penalty",
        "resistance": "the number to beat",
        "success": "total - resistance",
        "hit": "success is 1 or more",
        "multiplier": "0 to 5",
        "damage": "weapon damage x multiplier",
        "absorbed": "by the armour",
        "taken": "damage - absorbed",
        "active_refused": "an active defence was chosen without an action left: passive instead (R14)",
    },
    refusals=(
        Refusal("status", "the actor is not conscious"),
        Refusal("action", "the action went into an active defence or a check (ATL-20, R38)"),
        Refusal("attacks", "attacks_made has reached attacks_per_round"),
    ),
    rules=("ATL-18", "ATL-19", "ATL-21", "ATL-23", "ATL-34"),
    success="hit",
    amount="taken",
    result_words=_result_words,
    against="resistance",
    notes=attack_notes,
    close=lambda scene: weapon_of(scene.actor, scene.options.weapon).kind == "melee",
)
