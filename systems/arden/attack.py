"""One attack in one of three styles, and the counterattack after a critical miss."""

from systems.arden.awareness import WORDS, Noticing, noticing, still_unready, warned
from systems.arden.house import House
from systems.arden.rolls import CRITICAL_MISS, Core, Degree, Rolled, all_terms, core_roll, core_steps, numbers
from systems.arden.sheet import Sheet, awareness_now
from systems.arden.turns import TO_ACT, refused_action, refused_unconscious, spend, spent_rules, spent_words
from systems.arden.weapons import (
    STYLES,
    AttackOptions,
    CounterOptions,
    Strike,
    core_of_strike,
    strike_notes,
    weapon_of,
)
from systems.contract.action import Action, Refusal, Scene, SideEffect
from systems.contract.marked_text import as_change, as_health, as_status
from systems.contract.outcome import Ask, Explanation, GivenCondition, Outcome, Step, refuse
from systems.contract.table import Table
from systems.schema.conversion import replace
from systems.text import plain_number, sentence

UNREADY_RULES = {"flat_footed": ("APD-51",), "unconscious": ("APD-52",)}

Attack = Scene[Sheet, AttackOptions, House]
Counter = Scene[Sheet, CounterOptions, House]


def _effect_on_target(scene: Strike, rolled: Rolled, table: Table) -> tuple[int, dict[str, object]]:
    """Return the damage, and the changes to the target (APD-12 to APD-15, APD-47, APD-51, R17)."""
    target, grappling = scene.target, scene.options.style == "grappling"
    changes: dict[str, object] = {}
    damage = 0 if grappling else rolled.degree.damage
    awareness = target.awareness
    if damage:
        changes["hp"] = max(0, target.hp - damage)
    if rolled.degree.hit:
        if grappling:
            changes["restrained"] = True
        awareness = still_unready(scene, replace(target, **changes), table)
    elif rolled.degree.missed:
        awareness = warned(scene, scene.options.graduates_to, table)
    if awareness != target.awareness:
        changes["awareness"] = awareness
    return damage, changes


def attack(scene: Attack, table: Table) -> Outcome:
    """Attack a target with a standard action (APD-01 to APD-15, APD-42 to APD-49)."""
    rolling = core_of_strike(scene)
    actor, options = scene.actor, scene.options
    if refused := refused_action(actor, scene.actor_name, encounter=options.encounter):
        return refused
    noticed = noticing(scene, table)
    rolled = core_roll(rolling, table, f"attack, {weapon_of(actor, options.weapon).name}")
    paid: dict[str, object] = {}
    if options.encounter:
        paid = {"acted": True, **spend(actor, 1, scene.house, missed=rolled.degree.missed)}
    asks = (_strike_back(scene),) if may_strike_back(scene, rolled, noticed) else ()
    return _struck(scene, rolling, rolled, table, paid=paid, asks=asks, noticed=noticed)


def may_strike_back(scene: Attack, rolled: Rolled, noticed: Noticing | None = None) -> bool:
    """Return whether a critical miss exposes the attacker to an aware target (APD-42, APD-43, R20, R35)."""
    options = scene.options
    reached = options.distance <= 1 if options.in_target_range is None else options.in_target_range
    aware = awareness_now(scene.target) == "aware" or (noticed is not None and noticed.passed)
    return rolled.degree is CRITICAL_MISS and reached and aware


def _strike_back(scene: Attack) -> Ask:
    """Return the offer of a counterattack, from the distance of the attack (R21)."""
    far = {"distance": scene.options.distance} if scene.options.distance > 1 else {}
    text = f"{scene.target_name} may strike back at {scene.actor_name}."
    weapons = ("weapon",) if len(scene.target.weapons) > 1 else ()
    return Ask(text, "counter", by="target", target="actor", options=far, choose=("style", *weapons))


def counter(scene: Counter, table: Table) -> Outcome:
    """Strike back as an aware defender: free, out of turn, not countered itself (APD-42, R19, R20)."""
    rolling = core_of_strike(scene)
    actor, name = scene.actor, scene.actor_name
    if refused := refused_unconscious(actor, name):
        return refused
    if actor.awareness != "aware":
        return refuse("awareness", f"{name} is {WORDS[actor.awareness]}; only the aware can strike back.")
    rolled = core_roll(rolling, table, f"counterattack, {weapon_of(actor, scene.options.weapon).name}")
    return _struck(scene, rolling, rolled, table, lead="strikes back and ")


def _struck(
    scene: Strike,
    rolling: Core,
    rolled: Rolled,
    table: Table,
    *,
    paid: dict[str, object] | None = None,
    asks: tuple[Ask, ...] = (),
    lead: str = "",
    noticed: Noticing | None = None,
) -> Outcome:
    """Return the outcome of an attack or a counterattack; `paid` is its cost for the actor."""
    damage, changes = _effect_on_target(scene, rolled, table)
    if noticed and noticed.passed:
        changes["awareness"] = "aware"
    actor, paid, degree = scene.actor, paid or {}, rolled.degree
    facts = {
        "score": rolled.score,
        "dc": rolling.dc,
        "effectiveness": rolled.effectiveness,
        "result": degree.result,
        "hit": degree.hit,
        "damage": damage,
        "counter": bool(asks),
        **({"noticed": noticed.passed} if noticed else {}),
    }

    def tell() -> Explanation:
        after, actor_after = replace(scene.target, **changes), replace(actor, **paid)
        did = f"{lead}{_verb(scene, degree)} {scene.target_name}"
        ended = f"{_target_words(scene, damage, after)}{spent_words(actor, actor_after)}"
        seen = noticed.words(scene.target_name, scene.actor_name) if noticed else ""
        words = f"{seen}{scene.who_acts} {did}{ended}"
        arithmetic = sentence(numbers(rolling, rolled), noticed.numbers if noticed else "")
        steps = (*_noticed_steps(noticed), *core_steps(rolling, rolled), *_target_steps(scene, damage, after))
        strike_back = ("APD-42",) if asks or lead else ()
        rules = (
            *_rules(scene, degree),
            *(("APD-50",) if noticed else ()),
            *strike_back,
            *spent_rules(actor, actor_after),
        )
        return Explanation(words, all_terms(rolling, rolled), steps, rules, arithmetic=arithmetic)

    # The hold is also a condition, which remembers its source.
    held = (GivenCondition("target", "restrained"),) if changes.get("restrained") else ()
    changed = {"actor": paid, "target": changes}
    return Outcome(facts, changed, tell, asks=asks, degree=degree.result, gives=held)


def _verb(scene: Strike, degree: Degree) -> str:
    style = STYLES[scene.options.style]
    return style.hits if degree.hit else style.misses if degree.missed else "matches"


def _target_words(scene: Strike, damage: int, after: Sheet) -> str:
    """Return ` for 2 (hp 5 → 3).`, with the new states of the target."""
    before = scene.target
    moved = as_change("hp", before.hp, after.hp) or f" (hp stays {after.hp})"
    words = f" for {damage}{moved}" if damage else ""
    if after.hp == 0 and before.hp:
        words += f", {as_status('unconscious')}"
    if after.restrained and not before.restrained:
        words += f", {as_status('restrained')}"
    if after.awareness != before.awareness:
        return f"{words}. {scene.target_name} is now {WORDS[after.awareness]}."
    return f"{words}."


def _target_steps(scene: Strike, damage: int, after: Sheet) -> tuple[Step, ...]:
    """Return health and hold after a hit, line by line."""
    before = scene.target
    steps = []
    if damage:
        note = "unconscious; the game master decides whether it dies" if after.hp == 0 and before.hp else ""
        # It follows from the effectiveness, and so from the target's armour.
        steps.append(Step("damage", str(damage), of="both"))
        steps.append(Step("hp", as_health(before.hp, after.hp), note))
    if after.restrained and not before.restrained:
        steps.append(Step("restrained", "yes", "held until the game master clears it; or disarmed instead"))
    return tuple(steps)


def _noticed_steps(noticed: Noticing | None) -> tuple[Step, ...]:
    """Return the steps of the Perception check before the blow."""
    if noticed is None:
        return ()
    note = f"against {plain_number(noticed.dc)}, {'is aware' if noticed.passed else 'stays alert'}"
    return (Step.sum("perception", noticed.terms, note),)


def _rules(scene: Strike, degree: Degree) -> tuple[str, ...]:
    """Return the rules that decided the result of the attack."""
    unready = UNREADY_RULES.get(awareness_now(scene.target), ()) if scene.options.dc is None else ()
    return ("APD-02", "APD-04", STYLES[scene.options.style].rule, degree.rule, *unready)


_FACTS = {
    "score": "die + ability + modifier + proficiency + specialty, less 2 with split_minor",
    "dc": "the number that the score is compared with",
    "effectiveness": "die + band - armor (the die less 2 with split_minor, see split_scope; "
    "then for a piercing hit at least 10)",
    "result": "hit, critical_hit, perfect_hit, match, miss or critical_miss",
    "hit": "the result is one of the three hits",
    "damage": "0 to 4, for grappling 0",
}
ATTACK = Action(
    "attack",
    "Attack a target with a standard action: 1 action point.",
    attack,
    AttackOptions,
    targets="one",
    facts=_FACTS
    | {
        "counter": "a critical miss against an aware target in reach: it may strike back",
        "noticed": "an alert target's Perception check before the blow; absent without one",
    },
    refusals=TO_ACT,
    rules=("APD-31", "APD-46", "APD-47", "APD-48"),
    success="hit",
    amount="damage",
    against="dc",
    total="score",
    notes=strike_notes,
    side_effects=(SideEffect("counter", "counterattack"),),
)
COUNTER = Action(
    "counter",
    "Strike back as an aware defender: free, out of turn.",
    counter,
    CounterOptions,
    targets="one",
    facts=_FACTS | {"counter": "false: it cannot be countered (R19)"},
    refusals=(
        Refusal("status", "the actor is unconscious"),
        Refusal("awareness", "the actor is not aware (R20)"),
    ),
    rules=("APD-42", "R19", "R20", "R21"),
    success="hit",
    amount="damage",
    against="dc",
    total="score",
    notes=strike_notes,
    title="counterattack",
    letter="f",
)
