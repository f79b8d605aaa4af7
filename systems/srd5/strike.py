"""One strike: the roll, the damage, the save that a hit brings, and the effects after it."""

from collections.abc import Mapping, Sequence
from functools import partial

from systems.contract.damage import NO_DAMAGE, DamageTally, Levels
from systems.contract.table import Table
from systems.frozen import evolve
from systems.schema.conversion import replace
from systems.srd5.after import Aftermath, aftermath
from systems.srd5.attack_plan import AttackPlan, HitResult, HitState, Struck
from systems.srd5.body import HurtVitals, Vitals, concentration_due, given, healed, hurt_once, is_dead
from systems.srd5.current import Strike
from systems.srd5.damage import (
    DamageDone,
    PreparedDamage,
    averages,
    prepare_damage,
    rolls_of,
    stay_up,
    throw_damage,
)
from systems.srd5.defending import roll_against
from systems.srd5.levels import levels_of
from systems.srd5.saves import SaveResult, prepare_save, throw_prepared


def strike(
    table: Table,
    plan: AttackPlan,
    before: DamageTally = NO_DAMAGE,
    *,
    singly: bool = False,
    alone: bool = False,
) -> Struck:
    """Roll one attack: the d20, the damage, and the save that a hit brings.

    `before`: the damage of the attacks before it. `singly`: in odds each amount of damage is a branch.
    `alone`: no other attack of the same action follows.
    """
    defended = roll_against(table, plan.d20, plan.grade, plan.ac, plan.entry.name, plan.defences)
    rolled, stopped = defended.rolled, defended.stopped
    ac = plan.ac + stopped.total
    grade = rolled.grade
    if grade == "miss":
        return Struck(rolled, HitResult(plan.body), before, stopped=stopped, ac=ac)
    scene, body, ready = plan.scene, plan.body, plan.damage[grade]
    levels = None if singly else _levels(plan, body, ready, before)
    after_loss = partial(levels_of, body, scene.house, True) if alone and table.brief else None
    done = throw_damage(table, ready, before, levels, after_loss)
    after, tally = _hit(table, plan, done, grade)
    if after.save is None:
        return Struck(rolled, after.result, tally, None, done.thrown, stopped, ac, done.amounts, plan.effects)
    saved = throw_prepared(table, after.save)
    more = DamageDone(0, tally=tally)
    if (damage := _damage_of_save(plan, after, saved)) is not None:
        # After a fall, the damage of the save counts by itself.
        tally = evolve(tally, restarts=after.result.fell != "none")
        levels = None if singly else _levels(plan, saved.body, damage, tally)
        more = throw_damage(table, damage, tally, levels)
    result, tally = _after_save(table, plan, after, saved, more)
    amounts = (*done.amounts, *more.amounts)
    return Struck(rolled, result, tally, saved, done.thrown, stopped, ac, amounts, plan.effects)


def _levels(plan: AttackPlan, body: Vitals, ready: PreparedDamage, before: DamageTally) -> Levels:
    """Return the levels of damage for odds; see levels.py."""
    stops = ready.stops and not body.regeneration_stopped
    return levels_of(body, plan.scene.house, not before.least or stops)


def _hit(table: Table, plan: AttackPlan, done: DamageDone, grade: str) -> tuple[HitState, DamageTally]:
    """Return the state after the damage of a hit, and its tally."""
    healed_by = f"heals {done.absorbed}" if done.absorbed else ""
    key = (grade, done.total, done.stops, done.radiant, healed_by)
    after = plan.known.get(key)
    if after is not None:
        return after, done.tally
    scene, body, is_critical = plan.scene, plan.body, grade == "critical"
    knock_out = _knocks_out(scene, body, done.total)
    found = hurt_once(body, done.total, scene.house, is_critical, knock_out, done.stops, done.radiant)
    tally = done.tally
    if found.holds:
        found, tally = stay_up(table, body, found, tally, scene.house, "target")
        key = (*key[:4], found.fell)
    if done.absorbed:
        found = evolve(found, body=healed(found.body, done.absorbed)[0])
    after = plan.known.get(key)
    if after is None:
        after = plan.known[key] = _after_hit(plan, found, done.total)
    return after, tally


def _knocks_out(scene: Strike, body: Vitals, damage: int) -> bool:
    """Return whether damage that would fell a body knocks it out instead (SRD-36)."""
    return damage >= body.hp + body.temp_hp and bool(scene.options.knock_out)


def _after_hit(plan: AttackPlan, found: HurtVitals, damage: int) -> HitState:
    """Return the state after the damage of a hit."""
    scene, entry, body = plan.scene, plan.entry, found.body
    gave: tuple[str, ...] = ()
    if (entry.conditions or plan.effects.marks) and scene.options.gives:
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
) -> tuple[HitResult, DamageTally]:
    """Return the result of the whole hit with the damage of its save, and the tally (SRD-94)."""
    passed, scene, entry = saved.passed, plan.scene, plan.entry
    key = (passed, saved.resisted, done.total, done.stops, done.radiant)
    known = after.later.get(key)
    if known is not None:
        return known, done.tally
    earlier, body = after.result, saved.body
    knock_out = _knocks_out(scene, body, done.total)
    hurt = hurt_once(body, done.total, scene.house, False, knock_out, done.stops, done.radiant)
    found, tally = stay_up(table, body, hurt, done.tally, scene.house, "target")
    body = found.body
    gave = earlier.gave
    if entry.save_conditions and not passed and scene.options.gives:
        body, new = given(body, entry.save_conditions, entry.escape_dc)
        gave = (*gave, *new)
    if plan.effects.marks and scene.options.gives and not is_dead(body):
        gave = (*gave, *plan.effects.marks.get("saved" if passed else "failed", ()))
    most = max(earlier.damage, done.total)
    due = concentration_due(body, most)
    fell = found.fell if found.fell != "none" else earlier.fell
    result = HitResult(body, earlier.damage + done.total, fell, gave, due, most)
    if not hurt.holds:
        after.later[key] = result
    return result, tally


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


def moments_of(struck: Struck) -> tuple[str, ...]:
    """Return the moments that an attack reached, for effects."""
    if not struck.hit:
        return ("missed",)
    return ("hit", *(() if struck.saved is None else ("saved" if struck.saved.passed else "failed",)))
