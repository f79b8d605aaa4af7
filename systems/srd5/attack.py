"""One attack: the roll against the armour class, the damage, and the save that a hit brings."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from systems.contract.action import Action, Refusal, Scene, SideEffect
from systems.contract.damage import NO_DAMAGE, DamageTally
from systems.contract.interrupt import NOT_INTERRUPTED, Interrupted
from systems.contract.interruption import UsedInterruption
from systems.contract.marked_text import as_change, as_status
from systems.contract.outcome import (
    Explanation,
    GivenCondition,
    Outcome,
    Step,
    Term,
    optional_term,
    owned,
    refuse,
)
from systems.contract.table import Table
from systems.frozen import evolve, frozen
from systems.schema.conversion import replace
from systems.schema.fields import choice, declare, flag, text, whole
from systems.schema.naming import Naming
from systems.srd5 import costs
from systems.srd5.after import Aftermath, Amounts, aftermath, hurt_of
from systems.srd5.body import (
    HurtVitals,
    Vitals,
    body_of,
    concentrates,
    concentration_asks,
    concentration_due,
    dodging_helps,
    ends_with,
    given,
    has,
    healed,
    hurt_once,
    is_dead,
    is_unseen,
)
from systems.srd5.current import scene_now
from systems.srd5.damage import (
    DamageDice,
    DamageDone,
    PreparedDamage,
    averages,
    prepare_damage,
    rolls_of,
    stay_up,
    throw_damage,
)
from systems.srd5.defending import Defences, defences_against, raised_by, roll_against
from systems.srd5.house import House
from systems.srd5.levels import counts_singly, hurt_by_sum, left_in_odds, levels_of
from systems.srd5.rolls import D20, Grade, Rolled, RollOptions, exhaustion_term, way_of, with_dice
from systems.srd5.saves import (
    COVER,
    PreparedSave,
    Save,
    SaveResult,
    may_resist,
    prepare_save,
    throw_prepared,
)
from systems.srd5.sheet import Attack, Sheet, attack_of, damage_texts
from systems.srd5.words import (
    ONLY,
    STOPPED,
    WithEffects,
    before_roll,
    halted,
    halted_outcome,
    help_with,
    no_use,
    rules_out,
    with_effects,
)
from systems.text import as_sentence, listed, plain_number, sentence

NEAR = 5  # feet
_EXPOSED = frozenset(("blinded", "paralyzed", "petrified", "restrained", "stunned", "unconscious"))
_HINDERED = frozenset(("blinded", "poisoned", "prone", "restrained"))
_OPEN_TO_CRITICALS = frozenset(("paralyzed", "unconscious"))
_HITS = {"hit", "critical"}


@declare
class StrikeOptions(RollOptions):
    """The options that one attack and several have."""

    damage_modifier: int = whole(-99, 99, 0, "added to the first damage of each hit")
    cover: str = choice(
        ("none", "half", "three_quarters", "total"),
        "none",
        "the target's: 2 or 5 more armour class (SRD-14)",
        remembered="aimed",
    )
    distance: int | None = whole(
        0,
        9999,
        None,
        "feet (SRD-15)",
        when_absent="5 in melee; for a ranged attack beyond 5 and within its range",
        unit="feet",
        remembered="between",
    )
    threatened: bool | None = flag(
        None,
        "an able enemy that sees the actor is within 5 feet of it, for a ranged attack (SRD-16)",
        when_absent="whether the target is such an enemy",
    )
    charge: bool = flag(
        False,
        "the actor has moved straight at the target right before, as far as an effect needs",
        one_off=True,
    )
    flanking: bool = flag(False, "an ally is opposite, by house rule (R13)")
    ally_near: bool = flag(False, "an able ally is within 5 feet of the target (SRD-85)")
    actor_seen: bool = flag(False, "the target sees the actor all the same (SRD-20)")
    target_seen: bool = flag(False, "the actor sees the target all the same (SRD-20)")
    fear_in_sight: bool = flag(True, "the source of its fear is within sight (SRD-52)")
    against_grappler: bool = flag(False, "the target grapples the actor (SRD-53)")
    charmer: bool = flag(False, "the target has charmed the actor (SRD-49)")
    knock_out: bool = flag(False, "to 0 hit points means 1 and unconscious, in melee (SRD-36)")
    gives: bool = flag(True, "no: conditions are left out (R32)")
    save_advantage: int = whole(0, 9, 0, "how many things help the save that a hit brings")
    save_disadvantage: int = whole(0, 9, 0, "how many things hinder it")
    save_modifier: int = whole(-99, 99, 0, "added to it")
    legendary_resistance: bool = flag(
        False, "a failed save becomes a success, for a legendary resistance (SRD-76)", one_off=True
    )


@declare
class AttackOptions(StrikeOptions):
    weapon: str | None = text(
        None,
        "an attack of the sheet by name, or unarmed",
        when_absent="the first",
        remembered="aimed",
        naming=Naming("attacks", also=("unarmed",), free=False),
    )
    opportunity: bool = flag(False, "an opportunity attack: spends the reaction (SRD-19)", one_off=True)
    reaction: bool = flag(False, "made with the reaction, such as a readied attack", one_off=True)
    extra_damage: tuple[str, ...] = damage_texts("further damage of this hit, such as 3d6 piercing")
    halved: bool = flag(False, "the target halves the damage of this attack (R3)", one_off=True)
    slot: int | None = whole(1, 9, None, "level of the spell slot", when_absent="the entry's slot")


Strike = Scene[Sheet, Any, House]


@frozen(eq=False)
class AttackAim:
    """The place of an attack: in melee or not, within 5 feet or not, and why it cannot be made."""

    ranged: bool
    near: bool
    far: bool = False
    refusal: Outcome | None = None


def is_close(scene: Strike, entry: Attack) -> bool:
    """Return whether an attack reaches no farther than 5 feet, and no distance was given."""
    return entry.kind == "melee" and entry.reach <= NEAR and scene.options.distance is None


def aim_of(scene: Strike, entry: Attack) -> AttackAim:
    """Return the aim of an attack (SRD-14, SRD-15, SRD-18, R11, R27)."""
    options, distance = scene.options, scene.options.distance
    is_ranged = entry.kind == "ranged" or (
        entry.kind == "either" and distance is not None and distance > entry.reach
    )
    name = scene.actor_name
    if options.cover == "total":
        refusal = refuse("cover", f"{scene.target_name} has total cover.")
        return AttackAim(is_ranged, False, refusal=refusal)
    if is_ranged:
        near = distance is not None and distance <= NEAR
        end = max(entry.range, entry.long_range)
        if distance is not None and distance > end:
            says = f"{distance} feet are beyond the range of {name}'s {entry.name}, {end} feet."
            return AttackAim(True, near, refusal=refuse("range", says))
        if getattr(options, "opportunity", False) or options.knock_out:
            says = f"{name}'s {entry.name} is ranged, and that needs an attack in melee."
            return AttackAim(True, near, refusal=refuse("melee", says))
        return AttackAim(True, near, distance is not None and distance > entry.range)
    away = NEAR if distance is None else distance
    if away > entry.reach:
        says = f"{away} feet are beyond the reach of {name}'s {entry.name}, {entry.reach} feet."
        return AttackAim(False, away <= NEAR, refusal=refuse("range", says))
    return AttackAim(False, away <= NEAR)


def _has_ally_near(scene: Strike) -> bool:
    """Return whether the game master has said that an able ally is near the target (SRD-85)."""
    fight = scene.fight
    return fight is not None and fight.ally_near(scene.actor_id, scene.target_id) is not None


@lru_cache(maxsize=64)
def d20_of_attack(scene: Strike, entry: Attack, aim: AttackAim, hidden: bool, body: Vitals) -> D20:
    """Return how the attack is rolled against a body: its way and its terms (SRD-04, SRD-05, SRD-12)."""
    actor, options, house = scene.actor, scene.options, scene.house
    mine, theirs = has(body_of(actor)), has(body)
    unseen = (hidden or "invisible" in mine) and not options.actor_seen
    flanks = house.flanking in ("advantage", "plus_two") and options.flanking and not aim.ranged
    changed = before_roll(scene, entry.name)
    beset = options.threatened if aim.ranged else False
    if beset is None:
        beset = aim.near and theirs.isdisjoint(("incapacitated", "blinded")) and not unseen
    advantages = (
        options.advantage,
        not theirs.isdisjoint(_EXPOSED),
        unseen,
        body.distracted,
        "prone" in theirs and aim.near,
        actor.pack_tactics and (options.ally_near or _has_ally_near(scene)),
        flanks and house.flanking == "advantage",
        changed is not None and changed.edge > 0,
    )
    target_unseen = is_unseen(body, body.sheet.hidden_dc) and not options.target_seen
    disadvantages = (
        options.disadvantage,
        not mine.isdisjoint(_HINDERED),
        "frightened" in mine and options.fear_in_sight,
        "grappled" in mine and not options.against_grappler,
        target_unseen,
        aim.far,
        "prone" in theirs and not aim.near,
        dodging_helps(body) and "blinded" not in theirs and not unseen,
        beset,
        changed is not None and changed.edge < 0,
    )
    terms = (
        Term(entry.name, entry.to_hit, of="actor"),
        *owned("both", *(changed.bonus if changed else ())),
        *owned("both", *optional_term("flanking", 2 if flanks and house.flanking == "plus_two" else 0)),
        *owned("actor", *exhaustion_term(actor.exhaustion)),
        *scene.option_terms("modifier"),
    )
    way = way_of(any(advantages), any(disadvantages))
    dice = [die for die, _ in changed.extra] if changed else []
    bonus = with_dice(options.bonus_dice, dice, taken=False)
    return D20(way, terms, bonus, with_dice(options.penalty_dice, dice, taken=True))


@lru_cache(maxsize=512)
def graded_attack(ac: int, critical_from: int, open_to_criticals: bool) -> Any:
    """Return the grade of an attack roll: miss, hit or critical (SRD-12, SRD-13, R6)."""

    def grade(face: int, total: int) -> str:
        if face == 1 or (face != 20 and total < ac):
            return "miss"
        return "critical" if open_to_criticals or face >= critical_from else "hit"

    return grade


def armour_class(scene: Strike, attack: str) -> int:
    """Return the armour class with cover (SRD-14) and what effects add against an attack of this name."""
    changed = before_roll(scene, attack)
    added = sum(term.value for term in changed.defence) if changed else 0
    return scene.target.ac + COVER.get(scene.options.cover, 0) + added


@lru_cache(maxsize=64)
def _hit_rolls(scene: Strike, texts: tuple[str, ...], critical: bool) -> tuple[DamageDice, ...]:
    texts = (*texts, *getattr(scene.options, "extra_damage", ()))
    average = averages(scene.actor, scene.house)
    return rolls_of(texts, scene.house, critical, average, scene.options.damage_modifier)


@lru_cache(maxsize=64)
def _save_of(scene: Strike, entry: Attack, resist: bool) -> Save | None:
    """Return the save that a hit brings (SRD-94)."""
    options = scene.options
    if entry.save is None:
        return None
    helped = help_with(scene, "target", "saves")
    return Save(
        entry.save,
        entry.save_dc,
        options.save_advantage + helped.advantages,
        options.save_disadvantage + helped.disadvantages,
        (*helped.terms, *scene.option_terms("save_modifier", "modifier")),
        options.cover,
        entry.magical,
        resist=resist,
        bonus_dice=with_dice(None, helped.dice, taken=False),
        penalty_dice=with_dice(None, helped.dice, taken=True),
        resists=may_resist(scene, scene.target, scene.target_name),
    )


@frozen(eq=False)
class HitResult:
    """The target after an attack: its body, the damage, its fall, new conditions, and the concentration due.

    `most`: the greater of the damage of the hit itself and that of its save.
    """

    body: Vitals
    damage: int = 0
    fell: str = "none"
    gave: tuple[str, ...] = ()
    due: int = 0
    most: int = 0


@frozen(eq=False)
class Struck:
    """An attack as it came out: its roll, what stopped it, the target after it, and the save of a hit.

    `tally`: its damage and that of the attacks before it. `ac`: the armour class that counted. `amounts`: the
    damage of each type; none in odds.
    """

    rolled: Rolled
    result: HitResult
    tally: DamageTally
    saved: SaveResult | None = None
    thrown: int | None = None
    stopped: Interrupted = NOT_INTERRUPTED
    ac: int = 0
    amounts: Amounts = ()
    effects: WithEffects | None = None

    @property
    def hit(self) -> bool:
        return bool(self.rolled.grade != "miss")

    @property
    def critical(self) -> bool:
        return bool(self.rolled.grade == "critical")


@frozen(eq=False)
class HitState:
    """The state after a hit: its result without a save, or the save that it brings. `later`: its results."""

    result: HitResult
    save: PreparedSave | None
    later: dict[tuple[bool, bool, int, bool, bool], HitResult]
    damage: dict[bool, PreparedDamage | None]


@frozen(eq=False)
class AttackPlan:
    """One attack against one body before any roll; `known` holds the results of its hits by damage.

    `singly`: more than the sum of the damage counts. `defences`: reactions that can stop it.
    """

    scene: Strike
    entry: Attack
    body: Vitals
    d20: D20
    grade: Grade[str]
    ac: int
    save: Save | None
    damage: Mapping[str, PreparedDamage]
    known: dict[tuple[str, int, bool, bool, str], HitState]
    singly: bool
    effects: WithEffects
    defences: Defences


@lru_cache(maxsize=512)
def plan_of(
    scene: Strike,
    entry: Attack,
    aim: AttackAim,
    hidden: bool,
    body: Vitals,
    resist: bool,
    used: tuple[UsedInterruption, ...] = (),
    first: bool = True,
) -> AttackPlan:
    """Return an attack against a body before any roll, with what effects add to it.

    `used`: the interruptions of earlier attacks of the same action. `first`: there were none.
    """
    now = scene_now(scene, body, first)
    effects = with_effects(now, entry)
    entry = effects.entry
    ac, after = armour_class(now, entry.name) + raised_by(used), _noticed(body)
    defences = defences_against(scene, aim.ranged, used)
    vulnerable = aim.near and not has(body).isdisjoint(_OPEN_TO_CRITICALS)
    halved = getattr(scene.options, "halved", False)
    d20 = d20_of_attack(now, entry, aim, hidden, body)
    damage = {}
    for result in ("hit", "critical"):
        is_critical = result == "critical"
        texts = effects.damage(d20.way, critical=is_critical)
        damage[result] = prepare_damage(_hit_rolls(scene, texts, is_critical), after, halved)
    grade = graded_attack(ac, entry.critical_from, vulnerable)
    save, later = _save_of(scene, entry, resist), [line for lines in effects.later.values() for line in lines]
    types = {each.type for ready in damage.values() for each in ready.rolls}
    types |= {text.partition(" ")[2] for text in entry.save_damage}
    singly = counts_singly(body, types, later)
    return AttackPlan(scene, entry, after, d20, grade, ac, save, damage, {}, singly, effects, defences)


def strike(
    table: Table, plan: AttackPlan, before: DamageTally = NO_DAMAGE, *, singly: bool = False
) -> Struck:
    """Roll one attack: the d20, the damage, and the save that a hit brings.

    `before`: the damage of the attacks before it. `singly`: in odds each amount of damage is a branch.
    """
    defended = roll_against(table, plan.d20, plan.grade, plan.ac, plan.entry.name, plan.defences)
    rolled, stopped = defended.rolled, defended.stopped
    ac = plan.ac + stopped.total
    grade = rolled.grade
    if grade == "miss":
        return Struck(rolled, HitResult(plan.body), before, stopped=stopped, ac=ac)
    scene, body = plan.scene, plan.body
    levels = None if singly else levels_of(body, scene.house, not before.least)
    done = throw_damage(table, plan.damage[grade], before, levels)
    after = _hit(table, plan, done, grade)
    if after.save is None:
        return Struck(
            rolled, after.result, done.tally, None, done.thrown, stopped, ac, done.amounts, plan.effects
        )
    saved = throw_prepared(table, after.save)
    ready = _damage_of_save(plan, after, saved)
    # After a fall, the damage of the save counts by itself.
    has_levels = not singly and after.result.fell == "none"
    levels = levels_of(saved.body, scene.house, not done.tally.least) if has_levels else None
    more = throw_damage(table, ready, done.tally, levels) if ready else DamageDone(0, tally=done.tally)
    result = _after_save(table, plan, after, saved, more)
    amounts = (*done.amounts, *more.amounts)
    return Struck(rolled, result, more.tally, saved, done.thrown, stopped, ac, amounts, plan.effects)


def _hit(table: Table, plan: AttackPlan, done: DamageDone, grade: str) -> HitState:
    """Return the state after the damage of a hit."""
    healed_by = f"heals {done.absorbed}" if done.absorbed else ""
    key = (grade, done.total, done.stops, done.radiant, healed_by)
    after = plan.known.get(key)
    if after is not None:
        return after
    scene, body, is_critical = plan.scene, plan.body, grade == "critical"
    knock_out = _knocks_out(scene, body, done.total)
    found = hurt_once(body, done.total, scene.house, is_critical, knock_out, done.stops, done.radiant)
    if found.holds:
        found = stay_up(table, body, found, scene.house, "target")
        key = (*key[:4], found.fell)
    if done.absorbed:
        found = evolve(found, body=healed(found.body, done.absorbed)[0])
    after = plan.known.get(key)
    if after is None:
        after = plan.known[key] = _after_hit(plan, found, done.total)
    return after


def _knocks_out(scene: Strike, body: Vitals, damage: int) -> bool:
    """Return whether damage that would fell a body knocks it out instead (SRD-36)."""
    return damage >= body.hp + body.temp_hp and bool(scene.options.knock_out)


def _after_hit(plan: AttackPlan, found: HurtVitals, damage: int) -> HitState:
    """Return the state after the damage of a hit."""
    scene, entry, body = plan.scene, plan.entry, found.body
    gave: tuple[str, ...] = ()
    if scene.options.gives and (entry.conditions or plan.effects.marks):
        body, gave = given(body, entry.conditions, entry.escape_dc)
        gave = (*gave, *(() if is_dead(body) else plan.effects.marked("hit")))
    due = concentration_due(body, damage)
    result = HitResult(body, damage, found.fell, gave, due, damage)
    if plan.save is None or is_dead(body):
        return HitState(result, None, {}, {})
    return HitState(result, prepare_save(body, plan.save, scene.house), {}, {})


def _damage_of_save(plan: AttackPlan, after: HitState, saved: SaveResult) -> PreparedDamage | None:
    """Return the damage that the save of a hit brings, before its roll; None for none (R4)."""
    passed, scene, entry = saved.passed, plan.scene, plan.entry
    if passed not in after.damage:
        falls = bool(entry.save_damage) and (entry.save_half or not passed)
        texts = rolls_of(entry.save_damage, scene.house, False, averages(scene.actor, scene.house))
        after.damage[passed] = prepare_damage(texts, saved.body, passed) if falls else None
    return after.damage[passed]


def _after_save(
    table: Table, plan: AttackPlan, after: HitState, saved: SaveResult, done: DamageDone
) -> HitResult:
    """Return the result of the whole hit with the damage of the save that it brings (SRD-94)."""
    passed, scene, entry = saved.passed, plan.scene, plan.entry
    key = (passed, saved.resisted, done.total, done.stops, done.radiant)
    known = after.later.get(key)
    if known is not None:
        return known
    earlier, body = after.result, saved.body
    found = HurtVitals(body)
    knock_out = _knocks_out(scene, body, done.total)
    if done.total or done.stops:
        found = hurt_once(body, done.total, scene.house, False, knock_out, done.stops, done.radiant)
        is_open = found.holds > 0
        body = (found := stay_up(table, body, found, scene.house, "target")).body
    else:
        is_open = False
    gave = earlier.gave
    if scene.options.gives and entry.save_conditions and not passed:
        body, new = given(body, entry.save_conditions, entry.escape_dc)
        gave = (*gave, *new)
    if scene.options.gives and plan.effects.marks and not is_dead(body):
        gave = (*gave, *plan.effects.marks.get("saved" if passed else "failed", ()))
    most = max(earlier.damage, done.total)
    due = concentration_due(body, most)
    fell = found.fell if found.fell != "none" else earlier.fell
    result = HitResult(body, earlier.damage + done.total, fell, gave, due, most)
    if not is_open:
        after.later[key] = result
    return result


@lru_cache(maxsize=64)
def _noticed(body: Vitals) -> Vitals:
    return evolve(body, distracted=False) if body.distracted else body


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
    actor, options, name = scene.actor, scene.options, scene.actor_name
    entry = attack_of(actor, options.weapon)
    body, aim = body_of(scene.target), aim_of(scene, entry)
    if refused := costs.cannot_act(scene, "attack"):
        return refused
    if refused := bars(scene, body):
        return refused
    if (options.opportunity or options.reaction) and actor.reaction_used:
        return refuse("reaction", f"{name} has used the reaction.")
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


def bars(scene: Strike, body: Vitals) -> Outcome | None:
    """Return the refusal of a dead target, or of a charmer (SRD-49)."""
    if is_dead(body):
        return refuse("target", f"{scene.target_name} is dead.")
    if "charmed" in has(body_of(scene.actor)) and scene.options.charmer:
        return refuse("charmed", f"{scene.actor_name} is charmed by {scene.target_name}.")
    return None


def attack(scene: Scene[Sheet, AttackOptions, House], table: Table) -> Outcome:
    """Resolve one attack of the actor on the target (SRD-12 to SRD-21, SRD-24 to SRD-32, SRD-94)."""
    ready = _ready(scene)
    if isinstance(ready, Outcome):
        return ready
    if (halt := halted(scene, table)).turned:
        return halted_outcome(scene, ready.entry.name, {"hit": False}, ready.changes, halt)
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
        ends=(*ends_with(scene.target, result.body.concentrating, "target"), *more.ends),
        hurt=hurt_of(struck.amounts, result.damage),
        interruptions=(*halt.used, *struck.stopped.used),
        moves=ready.plan.effects.moved(*moments_of(struck)),
    )


def _carried_out(
    scene: Strike, table: Table, ready: ReadyAttack
) -> tuple[Struck, HitResult, Any, Mapping[str, object]]:
    """Return the attack, its result, its damage for the facts, and hit points as of `left_in_odds`."""
    plan, body = ready.plan, ready.plan.body
    # Concentration saves and failed death saves depend on each amount.
    counts = not table.brief and ((concentrates(body) and not table.only_changes) or body.hp == 0)
    struck = strike(table, plan, singly=plan.singly or counts)
    result, tally = struck.result, struck.tally
    left = None if plan.effects.later else left_in_odds(table, body, result.body, result.fell, tally)
    if table.brief or left is not None:
        return struck, result, tally.sum, left or {}
    damage = table.one_of(tally.sum)
    body = hurt_by_sum(result.body, result.fell, damage - tally.least)
    return struck, evolve(result, body=body, damage=damage), damage, {}


def conditions_given(names: tuple[str, ...], who: str) -> tuple[GivenCondition, ...]:
    """Return the conditions that the tracker shows; exhaustion is a number of the sheet."""
    return tuple(GivenCondition(who, name) for name in names if name != "exhaustion")


def fell_words(fell: str) -> str:
    """Return the words for a fall, such as `, unconscious`."""
    match fell:
        case "none":
            return ""
        case "fortitude":
            return ", and undead fortitude keeps it at 1 hit point"
        case "knocked_out":
            return f", {as_status('unconscious', 'knocked out')}"
    return f", {as_status('dying' if fell == 'unconscious' else fell, fell)}"


def gave_words(name: str, gave: tuple[str, ...]) -> str:
    """Return the sentence about new conditions, or ""."""
    return f"{name} is now {listed([word.replace('_', ' ') for word in gave])}." if gave else ""


def reminders(effects: WithEffects, *moments: str) -> str:
    """Return the reminders of effects as a sentence, or ""."""
    return " " + as_sentence("; ".join(words)) if (words := effects.told(*moments)) else ""


def body_words(before: Vitals, after: Vitals) -> str:
    """Return the change of hit points for a sentence."""
    words = as_change("hp", before.hp, after.hp)
    return words + as_change("temporary hp", before.temp_hp, after.temp_hp)


def save_words(name: str, save: str, saved: SaveResult) -> str:
    """Return the sentence about a save."""
    how = "passes" if saved.passed else "fails"
    resisted = ", with a legendary resistance" if saved.resisted else ""
    return f"{name} {how} the {save.capitalize()} save{resisted}."


def after_attacks(
    scene: Strike,
    table: Table,
    strikes: Sequence[Struck],
    paid: Mapping[str, object],
    body: Vitals,
) -> Aftermath:
    """Return what effects do after these attacks. `paid`: what the actor has changed; `body`: the target."""
    if not any(struck.effects is not None and struck.effects.later for struck in strikes):
        return Aftermath(scene.actor, scene.target)
    found = Aftermath(replace(scene.actor, **paid), replace(scene.target, **body.changes()))
    for struck in strikes:
        if struck.effects is not None:
            lines = struck.effects.follow(*moments_of(struck))
            found = aftermath(scene, table, lines, struck.amounts, found)
    return found


def told_words(words: tuple[str, ...]) -> str:
    """Return what followed as sentences, or ""."""
    return "".join(f" {as_sentence(each)}" for each in words)


def moments_of(struck: Struck) -> tuple[str, ...]:
    """Return the moments that an attack reached, for effects."""
    if not struck.hit:
        return ("missed",)
    return ("hit", *(() if struck.saved is None else ("saved" if struck.saved.passed else "failed",)))


def _told(
    scene: Strike, ready: ReadyAttack, struck: Struck, halt: Interrupted, more: tuple[str, ...] = ()
) -> Explanation:
    target, entry = scene.target_name, ready.plan.entry
    ac = ready.plan.ac
    numbers = [each.met for each in halt.used if each.met]
    numbers.append(f"{plain_number(struck.rolled.total - struck.stopped.taken)} against {struck.ac}")
    terms = owned("actor", *struck.rolled.terms)
    if not struck.hit:
        text = f"{scene.who_acts} misses {target} with the {entry.name}."
        rules: tuple[str, ...] = ("SRD-12",)
        steps = [*halt.steps, Step("AC", str(ac)), *struck.stopped.steps]
        return Explanation(text, terms, tuple(steps), rules, arithmetic=sentence(*numbers))
    verb = "critically hits" if struck.critical else "hits"
    change = body_words(ready.body, struck.result.body)
    text = f"{scene.who_acts} {verb} {target} with the {entry.name} for {struck.result.damage}{change}"
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
    close=lambda scene: is_close(scene, attack_of(scene.actor, scene.options.weapon)),
)
