"""The action for one attack."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from systems.contract.action import Action, Refusal, Scene, SideEffect
from systems.contract.interrupt import Interrupted
from systems.contract.outcome import Explanation, Outcome, Step, owned, refuse
from systems.contract.table import Table
from systems.frozen import evolve, frozen
from systems.schema.conversion import replace
from systems.srd5 import costs
from systems.srd5.after import hurt_of
from systems.srd5.aim import aim_of, bars, is_close
from systems.srd5.attack_options import AttackOptions
from systems.srd5.attack_plan import AttackPlan, HitResult, Struck, plan_of
from systems.srd5.attack_words import body_words, fell_words, gave_words, reminders, save_words, told_words
from systems.srd5.attacks_made import cast_instead, rays_at_once
from systems.srd5.body import Vitals, body_of, concentrates, concentration_asks, ends_with
from systems.srd5.current import Strike, used_up
from systems.srd5.house import House
from systems.srd5.levels import hurt_by_sum, left_in_odds
from systems.srd5.sheet import Attack, Sheet, attack_of
from systems.srd5.spells import slot_notes
from systems.srd5.strike import after_attacks, moments_of, strike
from systems.srd5.words import ONLY, STOPPED, halted, halted_outcome, name_used, no_use, rules_out
from systems.text import plain_number, sentence


@frozen(eq=False)
class ReadyAttack:
    """An attack before any roll."""

    entry: Attack
    body: Vitals
    plan: AttackPlan
    changes: dict[str, object]


@lru_cache(maxsize=8)
def _ready(scene: Strike) -> ReadyAttack | Outcome:
    """Return the prepared attack, or a refusal. Raises Wrong before any refusal."""
    actor, options = scene.actor, scene.options
    entry = attack_of(actor, options.weapon)
    body, aim = body_of(scene.target), aim_of(scene, entry)
    if refused := costs.cannot_act(scene, "attack"):
        return refused
    if refused := bars(scene, body):
        return refused
    if (options.opportunity or options.reaction) and (refused := costs.no_reaction(scene)):
        return refused
    if options.opportunity and scene.target.disengaged:
        return refuse("disengaged", f"{scene.target_name} has disengaged.")
    if options.opportunity and rules_out(scene, "target", "opportunity_attacks"):
        return refuse("disengaged", f"{scene.target_name} never provokes opportunity attacks.")
    if refused := (
        aim.refusal
        or no_use(scene, entry.name)
        or costs.used_up(scene, actor, entry)
        or costs.no_legendary(scene, scene.target, scene.target_name)
    ):
        return refused
    after = costs.paid(scene, actor, entry, "attacks")
    after = replace(after, hidden_dc=0)
    if options.opportunity or options.reaction:
        after = replace(after, reaction_used=True, readied=actor.readied and not options.reaction)
    fields = ("attacks", "spell_slots", "hidden_dc", "reaction_used", "readied")
    resist = body.legendary_resistances_left > 0 and options.legendary_resistance
    plan = plan_of(scene, entry, aim, actor.hidden_dc > 0, body, resist)
    return ReadyAttack(entry, body, plan, costs.changes_of(actor, after, *fields))


def attack(scene: Scene[Sheet, AttackOptions, House], table: Table) -> Outcome:
    """Resolve one attack of the actor on the target (SRD-12 to SRD-21, SRD-24 to SRD-32, SRD-94)."""
    ready = _ready(scene)
    if isinstance(ready, Outcome):
        return ready
    if (halt := halted(scene, table)).turned:
        known = {"hit": False, **name_used(scene, table, "weapon", ready.entry.name)}
        return halted_outcome(scene, ready.entry.name, known, ready.changes, halt)
    if halt.used:
        ready = _after_halt(scene, ready, halt)
    struck, result, damage, left = _carried_out(scene, table, ready)
    facts = {
        **struck.rolled.facts,
        "ac": ready.plan.ac,
        "hit": struck.hit,
        "critical": struck.critical,
        "damage": damage,
        "fell": result.fell,
        "concentration_dc": result.due,
        "gave": result.gave,
        **name_used(scene, table, "weapon", ready.entry.name),
    }
    if struck.saved is not None:
        total = struck.saved.rolled.total if struck.saved.rolled else None
        facts |= {"saved": struck.saved.passed, "resisted": struck.saved.resisted, "save_total": total}
    more = after_attacks(scene, table, (struck,), ready.changes, result.body)
    changes = {
        "actor": {**ready.changes, **more.changes(scene.actor, "actor")},
        "target": {**result.body.changes(), **left, **more.changes(scene.target, "target")},
    }
    return Outcome(
        facts,
        changes,
        lambda: _told(scene, ready, struck, halt, more.words),
        concentration_asks(scene.target_name, result.body, result.due, result.most, "target"),
        degree=struck.rolled.grade,
        gives=ready.plan.effects.gives(result.gave),
        ends=(*used_up(scene), *ends_with(scene.target, result.body.concentrating, "target"), *more.ends),
        hurt=hurt_of(struck.amounts, result.damage),
        interruptions=(*halt.used, *struck.stopped.used),
        moves=ready.plan.effects.moved(*moments_of(struck)),
    )


def _after_halt(scene: Strike, ready: ReadyAttack, halt: Interrupted) -> ReadyAttack:
    """Return the attack without the reactions that were used to stop it, in vain."""
    resist = ready.body.legendary_resistances_left > 0 and scene.options.legendary_resistance
    aim, hidden = aim_of(scene, ready.entry), scene.actor.hidden_dc > 0
    return evolve(ready, plan=plan_of(scene, ready.entry, aim, hidden, ready.body, resist, halt.used))


def _carried_out(
    scene: Strike, table: Table, ready: ReadyAttack
) -> tuple[Struck, HitResult, Any, Mapping[str, object]]:
    """Return the attack, its result, its damage for the facts, and hit points as of `left_in_odds`."""
    plan, body = ready.plan, ready.plan.body
    # Concentration saves and failed death saves depend on each amount.
    counts = not table.brief and ((concentrates(body) and not table.only_changes) or body.hp == 0)
    struck = strike(table, plan, singly=plan.singly or counts, alone=not plan.entry.save_damage)
    result, tally = struck.result, struck.tally
    left = None if plan.effects.later else left_in_odds(table, body, result.body, result.fell, tally)
    if table.brief or left is not None:
        return struck, result, tally.sum, left or {}
    damage = table.one_of(tally.sum)
    body = hurt_by_sum(result.body, result.fell, damage - tally.least)
    return struck, evolve(result, body=body, damage=damage), damage, {}


def _told(
    scene: Strike, ready: ReadyAttack, struck: Struck, halt: Interrupted, more: tuple[str, ...] = ()
) -> Explanation:
    target, entry = scene.target_name, ready.plan.entry
    ac = ready.plan.ac
    numbers = [each.met for each in halt.used if each.met]
    numbers.append(f"{plain_number(struck.rolled.total - struck.stopped.taken)} against {struck.ac}")
    terms = owned("actor", *struck.rolled.terms)
    what = "an unarmed strike" if entry.name == "unarmed" else f"the {entry.name}"
    with_what = f"with {what}" + (" as an opportunity attack" if scene.options.opportunity else "")
    if not struck.hit:
        text = f"{scene.who_acts} misses {target} {with_what}."
        rules: tuple[str, ...] = ("SRD-12",)
        steps = [*halt.steps, Step("AC", str(ac)), *struck.stopped.steps]
        return Explanation(text, terms, tuple(steps), rules, arithmetic=sentence(*numbers))
    verb = "critically hits" if struck.critical else "hits"
    change = body_words(ready.body, struck.result.body)
    text = f"{scene.who_acts} {verb} {target} {with_what} for {struck.result.damage}{change}"
    text += f"{fell_words(struck.result.fell)}."
    steps = [*halt.steps, Step("AC", str(ac)), *struck.stopped.steps]
    if struck.thrown is not None:
        steps.append(Step("damage rolled", str(struck.thrown), of="actor"))
    steps.append(Step("damage", str(struck.result.damage)))
    if struck.saved is not None and entry.save:
        text += " " + save_words(target, entry.save, struck.saved)
        if struck.saved.rolled:
            numbers.append(f"save {plain_number(struck.saved.rolled.total)} against {entry.save_dc}")
            met = owned("target", *struck.saved.rolled.terms)
            steps.append(Step.sum(f"{entry.save} save", met, f"to reach {entry.save_dc}"))
    if struck.result.gave:
        text += " " + gave_words(target, struck.result.gave)
    text += told_words(more)
    text += reminders(ready.plan.effects, *moments_of(struck))
    if struck.thrown is not None and struck.saved is None and struck.thrown != struck.result.damage:
        numbers.append(f"{struck.thrown} rolled")
    rules = ("SRD-12", *(("SRD-17",) if struck.critical else ()), *(("SRD-94",) if struck.saved else ()))
    arithmetic = sentence(*numbers, f"{struck.result.damage} damage")
    return Explanation(text, terms, tuple(steps), rules, arithmetic=arithmetic)


def _result_words(outcome: Outcome) -> str:
    return "critical" if outcome.facts.get("critical") else outcome.degree


HIT_FACTS = {
    "damage": "after resistance and the rest, temporary hit points included",
    "fell": "none, unconscious, dead, knocked_out, or fortitude (undead fortitude kept it at 1)",
    "concentration_dc": "of the concentration save that is due; 0: none",
}


ROLL_FACTS = {
    "roll": "advantage, disadvantage or normal",
    "face": "the die that counts",
    "total": "the face and all that is added",
}


ATTACK = Action(
    "attack",
    "Make an attack against the armour class.",
    attack,
    AttackOptions,
    targets="many",
    aims=rays_at_once,
    instead=cast_instead,
    facts={
        **ROLL_FACTS,
        "ac": "the target's armour class, with cover",
        "hit": "the armour class is reached, or a 20",
        "critical": "a critical hit",
        **HIT_FACTS,
        "gave": "the conditions that are new",
        "saved": "the save that a hit brings; only when there was one",
        "resisted": "a legendary resistance was spent; only with saved",
        "save_total": "of that save; only when its d20 fell",
        "stopped": STOPPED,
        "weapon": "its name; only in a fight",
    },
    refusals=(
        costs.STATUS,
        costs.TARGET,
        costs.CHARMED,
        Refusal("reaction", "opportunity or reaction, and the reaction is used"),
        Refusal("disengaged", "opportunity against a target that has disengaged, or never provokes one"),
        Refusal("cover", "total cover"),
        Refusal("range", "beyond the reach, or beyond the range"),
        Refusal("melee", "opportunity or knock_out with a ranged attack"),
        ONLY,
        costs.SPENT,
        costs.USES,
        costs.SLOT_LEVEL,
        costs.SLOTS,
        costs.LEGENDARY,
    ),
    rules=("SRD-12", "SRD-13", "SRD-17", "SRD-24", "SRD-26", "SRD-32", "SRD-94"),
    success="hit",
    amount="damage",
    against="ac",
    needs="at_least",
    side_effects=(SideEffect("critical", "a critical hit", degree="critical"),),
    result_words=_result_words,
    names_use="weapon",
    notes=lambda scene: slot_notes(scene.actor, attack_of(scene.actor, scene.options.weapon)),
    close=lambda scene: is_close(scene, attack_of(scene.actor, scene.options.weapon)),
)
