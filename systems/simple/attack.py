"""One attack: a roll against the target's defence, then damage, minus armour."""

from functools import lru_cache

from systems.contract.outcome import Ask, Explanation, Outcome, Step, Term, refuse
from systems.contract.ruleset import Action, Refusal, Scene, SideEffect
from systems.contract.table import Table
from systems.schema.conversion import replace
from systems.schema.fields import declare, text, whole
from systems.schema.naming import Naming
from systems.simple.counters import spend_changes
from systems.simple.damage import throw_damage
from systems.simple.health import down_question, hp_loss_changes, hp_steps, hp_words
from systems.simple.house import House
from systems.simple.rolls import (
    TOTAL_HELP,
    Grade,
    Throw,
    against_words,
    needed_step,
    needed_total,
    needs,
    pool_size,
    roll_terms,
    shown_total,
    throw,
    total_of,
)
from systems.simple.sheet import (
    Sheet,
    Weapon,
    attack_term,
    counter_named,
    defence_of,
    life_status,
    offered_weapons,
    weapon_of,
)
from systems.text import sentence, signed

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
def value_terms(scene: AttackScene) -> tuple[Term, ...]:
    """Return the terms added to the dice."""
    weapon = weapon_of(scene.actor, scene.options.weapon)
    return (attack_term(scene.actor, weapon, scene.house), *scene.option_terms("modifier"))


@lru_cache(maxsize=8)
def against(scene: AttackScene) -> int:
    """Return the target's defence with its cover."""
    return defence_of(scene.target, scene.house) + scene.options.cover


@lru_cache(maxsize=8)
def value_of(scene: AttackScene) -> int:
    """Return the value of the terms: added to the dice, rolled under, or the number of dice."""
    return total_of(value_terms(scene))


@lru_cache(maxsize=512)
def harm_done(scene: AttackScene, damage: int) -> tuple[dict[str, object], tuple[Ask, ...]]:
    """Return how this much damage changes the target, and the questions for the game master."""
    changes = hp_loss_changes(scene.target, damage, scene.house)
    after = replace(scene.target, **changes)
    return changes, down_question(scene.target, after, scene.target_name, "target")


def attack(scene: AttackScene, table: Table) -> Outcome:
    """Roll against the defence; a hit does damage, minus armour (R1 to R7)."""
    actor, target, house = scene.actor, scene.target, scene.house
    weapon = weapon_of(actor, scene.options.weapon)
    counter = counter_named(actor, weapon.counter, "actor.weapons.counter") if weapon.counter else None
    if (able := life_status(actor)) != "up":
        return refuse("status", f"{scene.actor_name} is {able} and cannot attack.")
    if counter and not counter.now and not scene.before:
        return refuse("counter", f"{scene.actor_name} has no {counter.name} left.")
    value = value_of(scene)
    thrown = throw(table, house, value, against(scene), scene.options.edge, weapon.name)
    rolled = 0
    if thrown.succeeded:
        plus = weapon.damage_bonus + scene.options.damage_modifier
        rolled = throw_damage(table, weapon, plus, house, is_critical=thrown.grade == "critical")
    through = rolled // 2 if thrown.grade == "partial" and house.partial_damage == "half" else rolled
    damage = max(0, through - target.armour)
    changes, asks = harm_done(scene, damage)
    paid = spend_changes(actor, counter, 1) if counter and not scene.before else {}

    def tell() -> Explanation:
        return attack_explanation(scene, weapon, thrown, rolled, through, damage)

    return Outcome(
        {
            "rolled": thrown.sum,
            "total": shown_total(house, value, against(scene), scene.options.edge, thrown.sum),
            "value": value,
            "defence": against(scene),
            "needed": needed_total(house, value, against(scene)),
            "hit": thrown.succeeded,
            "result": _RESULTS[thrown.grade],
            "damage": damage,
        },
        {"actor": paid, "target": changes},
        tell,
        asks=(*cost_question(scene, thrown), *asks),
        degree=_RESULTS[thrown.grade],
    )


def cost_question(scene: AttackScene, thrown: Throw) -> tuple[Ask, ...]:
    """Return the question of what a partial success costs, for the game master (R4)."""
    if thrown.grade != "partial":
        return ()
    return (Ask(f"{scene.actor_name} hits at a cost; the game master chooses the cost."),)


def attack_explanation(
    scene: AttackScene, weapon: Weapon, thrown: Throw, rolled: int, through: int, damage: int
) -> Explanation:
    """Return the explanation of the attack, with its terms and steps."""
    house, target, edge = scene.house, scene.target, scene.options.edge
    terms = roll_terms(house, value_terms(scene), against(scene), edge, thrown.sum)
    value = value_of(scene)
    shown = pool_size(value + edge) if house.roll == "pool" else value
    text = f"{scene.who_acts} {_VERBS[thrown.grade]} {scene.target_name} with {weapon.name}"
    numbers = [against_words(house, shown, against(scene), thrown.sum)]
    steps = [needed_step(house, value, against(scene))]
    if thrown.succeeded:
        after = replace(target, **hp_loss_changes(target, damage, house))
        text += f" for {damage}{hp_words(target, after)}"
        numbers.append(f"{rolled} damage")
        steps.append(Step("damage", str(rolled), damage_words(scene, weapon, thrown)))
        if through != rolled:
            steps.append(Step("partial", str(through), "half"))
            numbers.append(f"half {through}")
        if through != damage:
            numbers.append(f"armour {through - damage}")
        if target.armour:
            steps.append(Step("armour", str(damage), f"{target.armour} taken off"))
        steps += hp_steps(target, after)
    return Explanation(f"{text}.", terms, tuple(steps), ATTACK.rules, arithmetic=sentence(*numbers))


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
