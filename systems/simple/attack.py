"""One attack: a roll against the target's defence, then damage, minus armour."""

from functools import lru_cache
from typing import TYPE_CHECKING

from systems.contract.action import Action, Refusal, Scene, SideEffect
from systems.contract.damage import DamageRoll
from systems.contract.interrupt import (
    NOT_INTERRUPTED,
    Interrupted,
    interrupted,
    most_defence,
    ready_interruptions,
)
from systems.contract.marked_text import possessive
from systems.contract.outcome import Ask, Explanation, Hurt, Outcome, Step, Term, Whose, refuse
from systems.contract.table import ExtraDice, Table, die_note
from systems.contract.typed_damage import TypedDice, typed_parts
from systems.frozen import evolve
from systems.schema.conversion import replace
from systems.schema.fields import declare, text, whole
from systems.schema.naming import Naming
from systems.simple.counters import spend_changes
from systems.simple.damage import NOTES, defences, throw_damage, weapon_dice
from systems.simple.health import down_question, hp_loss_changes, hp_steps, hp_words
from systems.simple.house import House
from systems.simple.rolls import (
    TOTAL_HELP,
    Grade,
    Throw,
    against_words,
    extra_terms,
    needed_step,
    needed_total,
    needs,
    pool_size,
    roll_terms,
    rolled_steps,
    shown_total,
    throw,
    total_of,
)
from systems.simple.sheet import (
    Counter,
    Sheet,
    Weapon,
    attack_term,
    counter_of,
    defence_of,
    life_status,
    offered_weapons,
    weapon_of,
)
from systems.simple.words import EFFECTS, critical
from systems.text import listed, sentence, signed

if TYPE_CHECKING:
    from systems.effects.attacks import AfterHit, BeforeRoll, OnHit

UNHURT = DamageRoll(0, (), None)
_VERBS = {
    "fumble": "fumbles against",
    "failed": "misses",
    "partial": "partly hits",
    "passed": "hits",
    "critical": "critically hits",
}
_RESULTS: dict[Grade, str] = {
    "fumble": "fumble",
    "failed": "miss",
    "partial": "partial",
    "passed": "hit",
    "critical": "critical",
}


@declare
class AttackOptions:
    weapon: str | None = text(
        None,
        "a weapon of the sheet, or unarmed",
        when_absent="the first that is not reserved for others' turns (R12), else unarmed",
        naming=Naming("weapons", also=("unarmed",), free=False, kept=offered_weapons),
        remembered="aimed",
    )
    modifier: int = whole(-99, 99, 0, "added to the roll, to the skill or to the number of dice")
    edge: int = whole(
        -9,
        9,
        0,
        "above 0 the better of two rolls, below 0 the worse; in a pool, extra dice (R9)",
        one_off=True,
    )
    cover: int = whole(-99, 99, 0, "added to the defence of the target", remembered="aimed")
    damage_modifier: int = whole(-99, 99, 0, "added to the damage of a hit")


AttackScene = Scene[Sheet, AttackOptions, House]


@lru_cache(maxsize=8)
def before(scene: AttackScene) -> "BeforeRoll | None":
    """Return what effects change about the roll, or None (R15)."""
    return EFFECTS.before_roll(scene, weapon_of(scene.actor, scene.options.weapon).name)


@lru_cache(maxsize=8)
def value_terms(scene: AttackScene) -> tuple[Term, ...]:
    """Return the terms added to the dice."""
    weapon, changed = weapon_of(scene.actor, scene.options.weapon), before(scene)
    own = attack_term(scene.actor, weapon, scene.house)
    return (own, *scene.option_terms("modifier"), *(changed.bonus if changed else ()))


@lru_cache(maxsize=8)
def against(scene: AttackScene) -> int:
    """Return the target's defence with its cover and what effects add."""
    changed = before(scene)
    added = total_of(changed.defence) if changed else 0
    return defence_of(scene.target, scene.house) + scene.options.cover + added


@lru_cache(maxsize=8)
def edge_of(scene: AttackScene) -> int:
    """Return the edge of the roll: above 0 the better of two, below 0 the worse."""
    changed = before(scene)
    return scene.options.edge + (changed.edge if changed else 0)


@lru_cache(maxsize=8)
def value_of(scene: AttackScene) -> int:
    """Return the value of the terms: added to the dice, rolled under, or the number of dice."""
    return total_of(value_terms(scene))


def extra_dice(scene: AttackScene) -> tuple[ExtraDice, ...]:
    """Return the dice that effects add to the roll, or take from it (R15)."""
    changed = before(scene)
    return changed.extra if changed else ()


@lru_cache(maxsize=512)
def harm_done(scene: AttackScene, damage: int) -> tuple[dict[str, object], tuple[Ask, ...]]:
    """Return how this much damage changes the target, and the questions for the game master."""
    changes = hp_loss_changes(scene.target, damage, scene.house)
    if not changes or not scene.target.hero:
        return changes, ()
    after = replace(scene.target, **changes)
    return changes, down_question(scene.target, after, scene.target_name, "target")


def attack(scene: AttackScene, table: Table) -> Outcome:
    """Roll against the defence; a hit does damage, minus armour (R1 to R7)."""
    actor, target, house = scene.actor, scene.target, scene.house
    weapon = weapon_of(actor, scene.options.weapon)
    counter = counter_of(actor, weapon)
    if (able := life_status(actor)) != "up":
        return refuse("status", f"{scene.actor_name} is {able} and cannot attack.")
    if counter and not counter.now and not scene.before:
        return refuse("counter", f"{scene.actor_name} has no {counter.name} left.")
    if (halted := EFFECTS.stopped(scene, table)).turned:
        return _halted(scene, weapon, halted)
    value, edge = value_of(scene), edge_of(scene)
    ready = ready_interruptions(scene, "attacked") if house.roll == "over" else ()
    most = most_defence(ready)
    thrown = throw(table, house, value, against(scene), edge, weapon.name, most, extra_dice(scene))
    stopped = interrupted(table, ready, thrown.beaten_by)
    if stopped.turned:
        thrown = Throw("failed", thrown.sum)
    hits, dealt = _hit_or_missed(scene, table, weapon, thrown, edge)
    rolled = dealt.total
    through = rolled // 2 if thrown.grade == "partial" and house.partial_damage == "half" else rolled
    damage = max(0, through - target.armour)
    changes, asks = harm_done(scene, damage)
    paid = _paid(scene, counter)
    after = hits.after(table, damage) if hits else None

    def tell() -> Explanation:
        return attack_explanation(scene, weapon, thrown, dealt, through, damage, after, stopped)

    return Outcome(
        {
            "rolled": thrown.sum,
            "total": shown_total(house, value, against(scene), edge, thrown),
            "value": value,
            "defence": against(scene),
            "needed": needed_total(house, value, against(scene)),
            "hit": thrown.succeeded,
            "result": _RESULTS[thrown.grade],
            "damage": damage,
            **(after.facts if after else {}),
        },
        {"actor": {**paid, **after.actor} if after else paid, "target": changes},
        tell,
        asks=(*cost_question(scene, thrown), *asks),
        degree=_RESULTS[thrown.grade],
        gives=after.gives if after else (),
        ends=after.ends if after else (),
        hurt=(Hurt("target", damage, dealt.amounts),) if damage else (),
        interruptions=(*stopped.used, *(after.interruptions if after else ())),
    )


def _hit_or_missed(
    scene: AttackScene, table: Table, weapon: Weapon, thrown: Throw, edge: int
) -> "tuple[OnHit | None, DamageRoll]":
    """Return the effects of a hit or a miss, and the damage."""
    if thrown.succeeded:
        is_critical = thrown.grade == "critical"
        hits = EFFECTS.on_hit(scene, table, weapon.name, edge, is_critical=is_critical)
        return hits, _dealt(scene, table, weapon, hits, is_critical)
    hits = EFFECTS.on_hit(scene, table, weapon.name, edge, when="missed")
    if hits is None or not (hits.dice or hits.parts):
        return hits, UNHURT
    return hits, _dealt(scene, table, evolve(weapon, damage=None, damage_bonus=0), hits, is_critical=False)


def _paid(scene: AttackScene, counter: Counter | None) -> dict[str, object]:
    """Return the actor's changes: the first of several attacks spends its weapon's counter."""
    return spend_changes(scene.actor, counter, 1) if counter and not scene.before else {}


def _halted(scene: AttackScene, weapon: Weapon, by: Interrupted) -> Outcome:
    """Return the outcome of an attack that another combatant stops; its counter is spent all the same."""

    def tell() -> Explanation:
        return Explanation(f"{possessive(scene.who_acts)} {weapon.name} is stopped.")

    return Outcome(
        {"hit": False, "result": "miss", "damage": 0, "stopped": True},
        {"actor": _paid(scene, counter_of(scene.actor, weapon))},
        tell,
        degree="miss",
        interruptions=by.used,
    )


# Odds throw the same damage in many branches.
_typed_parts = lru_cache(maxsize=64)(typed_parts)


def _dealt(
    scene: AttackScene, table: Table, weapon: Weapon, hits: "OnHit | None", is_critical: bool
) -> DamageRoll:
    """Roll the damage of a hit: that of the weapon, and of effects, in one throw."""
    house, plus = scene.house, weapon.damage_bonus + scene.options.damage_modifier
    changed = before(scene)
    plus += changed.damage if changed else 0
    against_types = defences(scene.target)
    if hits is None and not (weapon.type and against_types):
        rolled = throw_damage(table, weapon, plus, house, is_critical=is_critical)
        return DamageRoll(rolled, ((weapon.type or "", rolled),), None)
    dice: tuple[TypedDice, ...] = hits.dice if hits else ()
    if not (hits and hits.instead):
        own = TypedDice(weapon_dice(weapon, plus), weapon.type or "")
        dice = (critical(house, own) if is_critical else own, *dice)
    parts = (*_typed_parts(dice, against_types), *(hits.parts if hits else ()))
    with die_note(NOTES[house.critical if is_critical else "none"]):
        return table.damage(parts)


def cost_question(scene: AttackScene, thrown: Throw) -> tuple[Ask, ...]:
    """Return the question of what a partial success costs, for the game master (R4)."""
    if thrown.grade != "partial":
        return ()
    return (Ask(f"{scene.actor_name} hits at a cost; the game master chooses the cost."),)


def attack_explanation(
    scene: AttackScene,
    weapon: Weapon,
    thrown: Throw,
    dealt: DamageRoll,
    through: int,
    damage: int,
    follows: "AfterHit | None" = None,
    stopped: Interrupted = NOT_INTERRUPTED,
) -> Explanation:
    """Return the explanation of the attack, with its terms and steps."""
    house, target, edge = scene.house, scene.target, edge_of(scene)
    own = (*value_terms(scene), *extra_terms(house, thrown, extra_dice(scene)))
    terms = roll_terms(house, own, against(scene), edge, thrown.sum)
    value = total_of(own)
    shown = pool_size(value + edge) if house.roll == "pool" else value
    text = f"{scene.who_acts} {_VERBS[thrown.grade]} {scene.target_name} with {weapon.name}"
    numbers = [against_words(house, shown - stopped.taken, against(scene) + stopped.total, thrown.sum)]
    steps = [*rolled_steps(house, thrown.sum), needed_step(house, value, against(scene)), *stopped.steps]
    if thrown.succeeded or damage:
        after = replace(target, **hp_loss_changes(target, damage, house))
        text += f" for {damage}{hp_words(target, after)}"
        numbers.append(damage_amounts(dealt))
        rolled = dealt.total if dealt.rolled is None else sum(dealt.rolled)
        words = damage_words(scene, weapon, thrown)
        steps.append(Step("damage", str(rolled), words, of=_damage_owner(scene)))
        if rolled != dealt.total:
            steps.append(Step("by type", str(dealt.total), "as the target resists"))
        if through != dealt.total:
            steps.append(Step("partial", str(through), "half"))
            numbers.append(f"half {through}")
        if through != damage:
            numbers.append(f"armour {through - damage}")
        if target.armour:
            steps.append(Step("armour", str(damage), f"{target.armour} taken off"))
        steps += hp_steps(target, after)
    if follows:
        text = ", ".join((text, *follows.told()))
        numbers += [saved.words for saved in follows.saves]
    return Explanation(f"{text}.", terms, tuple(steps), ATTACK.rules, arithmetic=sentence(*numbers))


def _damage_owner(scene: AttackScene) -> Whose:
    """Return whose figure the rolled damage is. Effects may add to it for reasons that players don't see."""
    if EFFECTS.meaning.lines(scene.actor):
        return "both"
    return "options" if scene.options.damage_modifier else "actor"


def damage_amounts(dealt: DamageRoll) -> str:
    """Return the damage by type: `12 damage`, or `7 slashing and 5 fire damage`."""
    amounts = [f"{amount} {type}".strip() for type, amount in dealt.amounts if amount]
    return f"{listed(amounts) or dealt.total} damage"


def damage_words(scene: AttackScene, weapon: Weapon, thrown: Throw) -> str:
    """Return the damage roll in words: `1d6 +2, double dice`."""
    plus = weapon.damage_bonus + scene.options.damage_modifier
    words = " ".join(part for part in (weapon.damage or "", signed(plus) if plus else "") if part)
    critical = thrown.grade == "critical" and scene.house.critical != "none"
    return f"{words}, {scene.house.critical.replace('_', ' ')}" if critical else words


ATTACK = Action(
    "attack",
    "Attack with a weapon, claws or a spell.",
    attack,
    AttackOptions,
    targets="many",
    facts={
        "rolled": "the sum of the dice, or how many of a pool counted",
        "total": TOTAL_HELP,
        "value": "attack + modifier: added to the dice, rolled under, or the number of dice",
        "defence": "the target's defence + cover: the number to reach, or a penalty",
        "needed": "what the total, the dice alone (under) or the count of a pool is held against",
        "hit": "damage is done",
        "result": "fumble, miss, partial, hit or critical",
        "damage": "the damage after armour; 0 on a miss",
        "stopped": "another combatant has stopped the attack; absent if none has",
    },
    refusals=(
        Refusal("status", "the actor is stunned, down or dead"),
        Refusal("counter", "the counter that the attack spends is empty"),
    ),
    rules=("R1", "R2", "R3", "R4", "R5", "R6", "R7"),
    success="hit",
    amount="damage",
    side_effects=(SideEffect("result", "critical", "critical"), SideEffect("result", "at a cost", "partial")),
    against="needed",
    needs=needs,
)
