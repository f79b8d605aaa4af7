"""One attack, from the resistance it meets to the life it costs; and the coup de grace."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

import attrs

from systems.atlantis.checks import hurt_term, luck, luck_note, optional_term
from systems.atlantis.health import Harm, harm_steps, harm_through_armour, harm_words
from systems.atlantis.house import House
from systems.atlantis.sheet import (
    SIZES,
    TRAITS,
    Sheet,
    Weapon,
    life_status,
    score,
    score_label,
    wound_penalty,
)
from systems.contract import Account, Action, Outcome, Refusal, Scene, Step, Term, refuse
from systems.fields import NoOptions, choice, declare, entry_named, flag, replace, text, whole
from systems.kinds import Wrong, shown
from systems.table import Table
from systems.words import plain_number, suggestion

UNOPPOSED = 25
SECOND_ATTACK = -5
SIZE_MODIFIER = {"tiny": -10, "small": -5, "medium": 0, "big": 5, "huge": 10}
COVERAGE_MODIFIER = {"none": 0, "part": -5, "half": -10, "sensible": -15}
PUNCH = Weapon(name="punch", damage=5, ability="brawl")


@declare
class AttackOptions:
    weapon: str | None = text(
        None, "a weapon of the sheet by name, or punch", when_absent="the first weapon, else punch"
    )
    defence: str | None = choice(
        ("none", "passive", "active"),
        None,
        "none: 25; passive: the best of 25 and the ability (ATL-23); active: the target rolls (ATL-19)",
        when_absent="passive; none for a ranged weapon without defence_ability",
    )
    defence_ability: str | None = text(None, "the ability that opposes", when_absent="the weapon's")
    distance: int = whole(0, 9999, 0, "metres; counts for ranged weapons only (ATL-30)")
    size: str | None = choice(SIZES, None, "-10, -5, 0, +5, +10 (ATL-28)", when_absent="the target's")
    coverage: str = choice(tuple(COVERAGE_MODIFIER), "none", "0, -5, -10, -15 (ATL-32)")
    second_attack: bool | None = flag(
        None, "the -5 of ATL-25 counts", when_absent="true once an attack was made this round"
    )
    modifier: int = whole(-200, 200, 0, "the game master's number, such as for speed (R16)")
    trait: str = choice(TRAITS, "body", "rolled for a weapon ability not on the sheet (ATL-16)")
    defence_trait: str = choice(TRAITS, "body", "the same for an active defence")


Attack = Scene[Sheet, AttackOptions, House]


def weapon_of(sheet: Sheet, name: str | None) -> Weapon:
    """The weapon that is meant. Raises Wrong when the sheet has none of that name."""
    if name is None:
        return sheet.weapons[0] if sheet.weapons else PUNCH
    found = entry_named((*sheet.weapons, PUNCH), name)
    if found is None:
        known = [one.name for one in (*sheet.weapons, PUNCH)]
        raise Wrong("options.weapon", f"no weapon {shown(name)}{suggestion(name, known)}")
    return found


def distance_modifier(metres: int) -> int:
    """0, -5, -10, -15, -25 at up to 15, 30, 45, 100 metres and beyond (ATL-30)."""
    if metres > 100:
        return -25
    return -5 * ((metres > 15) + (metres > 30) + (metres > 45))


def multiplier_of(success: int) -> int:
    """What success multiplies the weapon's damage by: 0 to 5 (ATL-34, R5, R6)."""
    return (success > 0) + (success > 10) + (success > 25) + (success > 50) + (success > 75)


def attack(scene: Attack, table: Table) -> Outcome:
    """One attack of the actor on the target (ATL-18 to ATL-38)."""
    weapon = weapon_of(scene.actor, scene.options.weapon)
    if refused := _refused(scene):
        return refused
    options = scene.options
    if weapon.kind == "ranged" and weapon.max_range is not None and options.distance > weapon.max_range:
        return _out_of_range(scene, weapon)
    value = luck(table, weapon.name, "actor")
    return _struck(scene, weapon, value, _resistance(scene, weapon, table))


def _refused(scene: Attack) -> Outcome | None:
    actor, name = scene.actor, scene.actor_name
    if life_status(actor) != "conscious":
        return refuse("status", f"{name} is {life_status(actor)} and cannot attack.")
    if actor.action_spent:
        return refuse("action", f"{name} has spent this round's action on an active defence.")
    if actor.attacks_made >= actor.attacks_per_round:
        return refuse("attacks", f"{name} has no attack left this round, {actor.attacks_made} made.")
    return None


def _out_of_range(scene: Attack, weapon: Weapon) -> Outcome:
    """Beyond the weapon's range: no dice, and still one of the round's attacks (ATL-31, R30, R33)."""
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

    def tell() -> Account:
        text = (
            f"{scene.actor_name} shoots at {scene.target_name} from {scene.options.distance} metres, "
            f"beyond the {weapon.max_range} of the {weapon.name}: a miss."
        )
        return Account(text, (), (), ("ATL-31",))

    changes = {"attacks_made": scene.actor.attacks_made + 1}
    return Outcome(facts, {"actor": changes}, tell, degree="miss")


@lru_cache(maxsize=8)
def _terms(scene: Attack) -> tuple[Term, ...]:
    """All that is added to the attacker's die (ATL-25, ATL-27 to ATL-32, ATL-42)."""
    weapon = weapon_of(scene.actor, scene.options.weapon)
    actor, options = scene.actor, scene.options
    second = actor.attacks_made >= 1 if options.second_attack is None else options.second_attack
    label = score_label(actor, weapon.ability, options.trait)
    return (
        Term(label, score(actor, weapon.ability, options.trait)),
        hurt_term(actor),
        *((Term("second attack", SECOND_ATTACK),) if second else ()),
        *_circumstances(scene, weapon),
        *optional_term("modifier", options.modifier),
    )


@lru_cache(maxsize=8)
def _base(scene: Attack) -> int:
    return sum(term.value for term in _terms(scene))


def _circumstances(scene: Attack, weapon: Weapon) -> tuple[Term, ...]:
    options = scene.options
    size = options.size or scene.target.size
    found = [
        Term("size", SIZE_MODIFIER[size], size),
        *optional_term("coverage", COVERAGE_MODIFIER[options.coverage], options.coverage),
    ]
    if weapon.kind == "ranged":
        metres = f"{options.distance} metres"
        found += optional_term("distance", distance_modifier(options.distance), metres)
    if scene.house.use_modifiers:
        return tuple(found)
    return tuple(Term(one.label, 0, "the house rules leave it out") for one in found if one.value)


@attrs.frozen
class Resistance:
    """What the attack has to beat, and what meeting it costs the target."""

    value: int
    note: Callable[[], str]
    changes: Mapping[str, object] = {}
    active_refused: bool = False


def _resistance(scene: Attack, weapon: Weapon, table: Table) -> Resistance:
    """Nothing, a passive resistance or an active defence (ATL-19 to ATL-24, R10 to R14, R32, R36)."""
    target, options = scene.target, scene.options
    if life_status(target) != "conscious":
        return Resistance(UNOPPOSED, lambda: f"{life_status(target)}, opposes nothing")
    kind = options.defence
    if kind is None:
        kind = "none" if weapon.kind == "ranged" and options.defence_ability is None else "passive"
    if kind == "none":
        return Resistance(UNOPPOSED, lambda: "unopposed")
    ability = _opposing_ability(scene, weapon, kind, table)
    if kind == "passive":
        return _passive(scene, ability)
    if target.action_spent or target.attacks_made:
        return attrs.evolve(_passive(scene, ability), active_refused=True)
    return _active(scene, ability, table)


def _opposing_ability(scene: Attack, weapon: Weapon, kind: str, table: Table) -> str:
    """Which ability defends: asked where the target could dodge, the weapon's own when nobody is asked."""
    target, options = scene.target, scene.options
    if options.defence_ability is not None:
        return options.defence_ability
    dodges = "dodge" in target.abilities and weapon.ability != "dodge"
    if dodges and (kind == "active" or weapon.ability not in target.abilities):
        question = f"Which ability does {scene.target_name} defend with?"
        return table.choose(question, (weapon.ability, "dodge"), suggest="dodge", of="target")
    return weapon.ability


def _passive(scene: Attack, ability: str) -> Resistance:
    """The ability in place of 25, less 5 for each use this round; no die, no action (ATL-23, ATL-24)."""
    target, house = scene.target, scene.house
    if ability not in target.abilities:
        return Resistance(UNOPPOSED, lambda: f"no {ability} to resist with")
    uses = target.passive_used if house.passive_penalty == "cumulative" else min(1, target.passive_used)
    value = target.abilities[ability] + wound_penalty(target) - 5 * uses

    def note() -> str:
        words = f"{ability} {target.abilities[ability]}"
        if penalty := wound_penalty(target):
            words += f", {plain_number(penalty)} hurt"
        return f"{words}, {plain_number(-5 * uses)} used before" if uses else words

    if house.passive_floor and value <= UNOPPOSED:
        return Resistance(UNOPPOSED, lambda: f"{note()} is {plain_number(value)}, no better")
    return Resistance(value, note, {"passive_used": target.passive_used + 1})


def _active(scene: Attack, ability: str, table: Table) -> Resistance:
    """The target rolls and spends its action (ATL-19, ATL-20)."""
    target, trait = scene.target, scene.options.defence_trait
    value = luck(table, ability, "target")
    total = score(target, ability, trait) + wound_penalty(target) + value

    def note() -> str:
        hurt = f", {plain_number(wound_penalty(target))} hurt" if wound_penalty(target) else ""
        base = f"{score_label(target, ability, trait)} {score(target, ability, trait)}"
        return f"{base}{hurt}, rolled {plain_number(value)}"

    return Resistance(total, note, {"action_spent": True})


def _struck(scene: Attack, weapon: Weapon, value: int, met: Resistance) -> Outcome:
    """From the two totals to damage, armour and life (ATL-33 to ATL-38, R22)."""
    actor, target = scene.actor, scene.target
    total = _base(scene) + value
    success = total - met.value
    multiplier = multiplier_of(success)
    harm = harm_through_armour(target, weapon.damage * multiplier)
    facts = {
        "auto_fail": False,
        "luck": value,
        "critical": value > 20,
        "total": total,
        "resistance": met.value,
        "success": success,
        "hit": success > 0,
        "multiplier": multiplier,
        "damage": harm.damage,
        "absorbed": harm.absorbed,
        "taken": harm.taken,
        "active_refused": met.active_refused,
    }
    changes: dict[str, Any] = dict(met.changes)
    if harm.taken:
        changes["life"] = target.life - harm.taken
    if harm.absorbed:
        changes["armour_pool"] = target.armour_pool - harm.absorbed

    def tell() -> Account:
        return _told(scene, weapon, facts, met, harm, replace(target, **changes))

    attacks = {"attacks_made": actor.attacks_made + 1}
    degree = "hit" if success > 0 else "miss"
    return Outcome(facts, {"actor": attacks, "target": changes}, tell, degree=degree)


def _told(
    scene: Attack,
    weapon: Weapon,
    facts: dict[str, Any],
    met: Resistance,
    harm: Harm,
    after: Sheet,
) -> Account:
    success, multiplier, value = facts["success"], facts["multiplier"], facts["luck"]
    numbers = f"{plain_number(facts['total'])} against {plain_number(met.value)}"
    verb = "hits" if facts["hit"] else "misses"
    text = f"{scene.actor_name} {verb} {scene.target_name}: {numbers}"
    steps = [
        Step("resistance", plain_number(met.value), met.note()),
        Step("success", plain_number(success), f"damage × {multiplier}" if multiplier else "a miss"),
    ]
    if facts["hit"]:
        text += f", success {success}, {harm.damage} damage{harm_words(scene.target, harm, after)}"
        steps.append(Step("damage", str(harm.damage), f"{weapon.damage} × {multiplier}"))
        steps += harm_steps(scene.target, harm, after)
    if met.active_refused:
        text += "; no action left to defend with, resisted passively"
    terms = (*_terms(scene), Term("d20", value, luck_note(value)))
    return Account(f"{text}.", terms, tuple(steps), ("ATL-19", "ATL-23", "ATL-34", "ATL-37"))


def coup_de_grace(scene: Scene[Sheet, NoOptions, House], table: Table) -> Outcome:
    """An announced killing blow on an unconscious target; no dice (ATL-47, R34)."""
    if life_status(scene.target) != "unconscious":
        state = life_status(scene.target)
        return refuse("status", f"{scene.target_name} is {state}; only the unconscious can be slain so.")
    text = f"{scene.actor_name} gives {scene.target_name} the coup de grace: dead."
    account = Account(text, rules=("ATL-47",))
    return Outcome({"slain": True}, {"target": {"slain": True}}, lambda: account, degree="slain")


ATTACK = Action(
    "attack",
    "One attack of the actor on the target.",
    attack,
    AttackOptions,
    targets="many",
    facts={
        "auto_fail": "beyond the weapon's range: no dice, no other numbers but damage",
        "luck": "the open-ended die",
        "critical": "the first die was 20 (ATL-26)",
        "total": "score + luck + modifiers + wound penalty",
        "resistance": "what it had to beat",
        "success": "total - resistance",
        "hit": "success is 1 or more",
        "multiplier": "0 to 5",
        "damage": "weapon damage x multiplier",
        "absorbed": "by the armour",
        "taken": "damage - absorbed",
        "active_refused": "asked for active, no action left: passive instead (R14)",
    },
    refusals=(
        Refusal("status", "the actor is not conscious"),
        Refusal("action", "the action went into an active defence (ATL-20)"),
        Refusal("attacks", "attacks_made has reached attacks_per_round"),
    ),
    rules=("ATL-18", "ATL-19", "ATL-21", "ATL-23", "ATL-34"),
    success="hit",
    amount="taken",
    against="resistance",
)
COUP_DE_GRACE = Action(
    "coup_de_grace",
    "An announced killing blow on an unconscious target; no dice.",
    coup_de_grace,
    targets="one",
    facts={"slain": "true"},
    refusals=(Refusal("status", "the target is not unconscious"),),
    rules=("ATL-47",),
)
