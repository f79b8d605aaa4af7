"""Run one line of effects: at its moment, or when the game master asks for it."""

from collections.abc import Mapping, Sequence
from typing import Any

from systems.contract.action import AnyScene, Scene
from systems.contract.cast import Became, Brought, SentAway
from systems.contract.damage import DamagePart, DamageRoll
from systems.contract.interrupt import Interrupted, interrupted, ready_interruptions
from systems.contract.marked_text import as_actor, possessive
from systems.contract.outcome import Explanation, GivenCondition, Outcome, refuse
from systems.contract.table import Table
from systems.effects.attacks import after_save as after_save
from systems.effects.attacks import before_check as before_check
from systems.effects.attacks import before_roll as before_roll
from systems.effects.attacks import interruptions as interruptions
from systems.effects.attacks import on_hit as on_hit
from systems.effects.attacks import save_changes as save_changes
from systems.effects.attacks import stoppers as stoppers
from systems.effects.conditions import (
    EffectSide,
    applies,
    is_attacker,
    is_available,
    spared_name,
    taken_in_turn,
    turn_of,
)
from systems.effects.conditions import used_up as used_up
from systems.effects.meaning import (
    ACTION,
    COUNTS,
    ITSELF,
    RECHARGES,
    STOPS,
    EffectMeaning,
    EffectOptions,
    is_among,
    lines_of,
)
from systems.effects.offering import aiming_line as aiming_line
from systems.effects.offering import menu_of as menu_of
from systems.effects.offering import offers as offers
from systems.effects.restrictions import limits as limits
from systems.effects.restrictions import restriction as restriction
from systems.effects.results import (
    SavingThrow,
    condition_words,
    damage_steps,
    damage_words,
    ended_by,
    given_by,
    healed_by,
    hurt_by,
    left_of,
    parts_of,
    save_against,
)
from systems.effects.results import changes_to as changes_to
from systems.effects.spelling import misspelt_words as misspelt_words
from systems.effects.words import is_die as is_die
from systems.effects.words import line_class as line_class
from systems.frozen import frozen
from systems.schema.conversion import entry_meant, entry_named, replace
from systems.text import as_sentence, listed, sentence

MOST_BROUGHT = 20
EffectScene = Scene[Any, EffectOptions, Any]


def applies_now(
    meaning: EffectMeaning,
    line: Any,
    does: str,
    scene: AnyScene,
    damage: Sequence[tuple[str, int]],
    by: str,
) -> bool:
    """Return whether a line happens, is stopped, or may recharge now. `by`: who did the damage."""
    if does == STOPS:
        return any(amount and is_among((type,), line.stopped_by) for type, amount in damage)
    if does == RECHARGES:
        return True
    if line.attacker_is and (does == COUNTS or not line.summed) and not is_attacker(meaning, line, scene, by):
        return False
    if does == COUNTS:
        return any(amount and (not line.types or is_among((type,), line.types)) for type, amount in damage)
    if line.summed:
        # It has added up this damage since it was found to be due.
        line = entry_named(lines_of(meaning, scene, "actor"), line.name) or line
    return applies(meaning, line, scene, EffectSide.actor_of(scene), EffectSide.target_of(scene), damage)


def line_named(meaning: EffectMeaning, scene: EffectScene, name: str) -> Any:
    """Return the effect of this name. Raises Wrong if the actor has none."""
    return entry_meant(lines_of(meaning, scene, "actor"), name, "effect")


def run(meaning: EffectMeaning, scene: EffectScene, table: Table) -> Outcome:
    """Run the line that the options name, on the target or on the actor itself."""
    line = line_named(meaning, scene, scene.options.effect)
    if (other := _instead(meaning, scene, line, table)) is not None:
        return other
    chosen = None
    used = line
    if line.choose:
        chosen = table.choose("Which effect?", line.choose, suggest=line.choose[0], id="effect")
        line = line_named(meaning, scene, chosen)
    aimed = EffectSide.target_of(scene)
    side = aimed if aimed and (not aimed.id or aimed.id != scene.actor_id) else EffectSide.actor_of(scene)
    saved = save_against(meaning, line, scene, side, table)
    harm = _harm(meaning, line, scene, side, saved, table)
    if harm.is_avoided:
        line = left_of(line)
    cured = _cure(meaning, line, scene, harm, table)
    gives = _given(meaning, line, scene, side, harm)
    brings, own = _owner_changes(meaning, line, scene, side, harm, cured, table)
    if not scene.before:
        own |= used_up(meaning, used, scene, scene.actor) or {}
    changes: dict[str, dict[str, object]] = {side.role: {**harm.changes, **cured.changes}}
    changes.setdefault("actor", {}).update(own)
    result = EffectResult(line, scene, side, saved, harm.parts, harm.roll, cured.restored, gives)
    facts: dict[str, Any] = {
        ACTION: used.name,
        "damage": harm.roll.total,
        "failed": None if saved is None else not saved.passed,
        "rolled": harm.roll.rolled or scene.before.get("rolled"),
        "healed": cured.restored[0],
        "chosen": chosen,
    }
    return Outcome(
        {name: value for name, value in facts.items() if value is not None},
        changes,
        lambda: _explained(meaning, result, meaning.moved(side.sheet, cured.after)),
        asks=meaning.asks(side.sheet, cured.after, side.name, side.role),
        degree="" if saved is None else "resisted" if saved.passed else "not_resisted",
        gives=gives,
        hurt=hurt_by(harm.roll, side.role),
        interruptions=saved.used if saved else (),
        brings=brings,
        **({} if harm.is_avoided else _moves(line, side)),
    )


@frozen(eq=False)
class _Harm:
    """The damage of a line, with the sheet after it. `is_avoided`: whether the save succeeded."""

    is_avoided: bool
    parts: tuple[DamagePart, ...]
    roll: DamageRoll
    changes: Mapping[str, object]
    after: Any


def _harm(
    meaning: EffectMeaning,
    line: Any,
    scene: EffectScene,
    side: EffectSide,
    saved: SavingThrow | None,
    table: Table,
) -> _Harm:
    parts = parts_of(meaning, line, scene, side, saved)
    is_avoided = saved is not None and saved.passed
    if not parts:
        return _Harm(is_avoided, (), DamageRoll(0, (), ()), {}, side.sheet)
    roll = table.damage(parts, f"damage, {line.name}", given=scene.before.get("rolled"))
    changes = meaning.hurt(side.sheet, scene.house, roll.total)
    return _Harm(is_avoided, parts, roll, changes, replace(side.sheet, **changes) if changes else side.sheet)


@frozen(eq=False)
class _Cure:
    """What a line restores and whom it kills, after its damage. `restored`: hit points, temporary ones."""

    restored: tuple[int | None, int | None]
    changes: Mapping[str, object]
    after: Any


def _cure(meaning: EffectMeaning, line: Any, scene: EffectScene, harm: _Harm, table: Table) -> _Cure:
    healed, temporary, restored = healed_by(meaning, line, scene, harm.after, table)
    after = replace(harm.after, **restored) if restored else harm.after
    slain = meaning.slay(after) if line.slays and not harm.is_avoided else {}
    after = replace(after, **slain) if slain else after
    return _Cure((healed, temporary), {**restored, **slain}, after)


def _given(
    meaning: EffectMeaning, line: Any, scene: EffectScene, side: EffectSide, harm: _Harm
) -> tuple[GivenCondition, ...]:
    """Return the conditions that a line gives; after a successful save at most the mark that it spares."""
    if harm.is_avoided:
        return (GivenCondition(side.role, spared_name(line)),) if line.spared else ()
    return given_by(meaning, line, scene, side)


def _owner_changes(
    meaning: EffectMeaning,
    line: Any,
    scene: EffectScene,
    side: EffectSide,
    harm: _Harm,
    cured: _Cure,
    table: Table,
) -> tuple[tuple[Brought, ...], dict[str, object]]:
    """Return the combatants that a line brings, and what its owner gains or shares with them."""
    changes: dict[str, object] = {}
    if line.drain and harm.roll.total:
        changes.update(meaning.heal(scene.actor, scene.house, harm.roll.total))
    brings = _brought(line, table)
    if line.halves and brings:
        whole = cured.after if side.role == "actor" else scene.actor
        brings, share = _split(meaning, whole, brings[0].count)
        changes.update(share)
    return brings, changes


def _moves(line: Any, side: EffectSide) -> Mapping[str, Any]:
    """Return how a line changes conditions, form and place, as fields of an Outcome."""
    form, role = line.form, side.role
    return {
        "ends": ended_by(line, side),
        "becomes": (Became(role, "" if form == ITSELF else form),) if form else (),
        "sends": (SentAway(role, line.away),) if line.away else (),
        "moves": (role,) if line.move else (),
    }


def _instead(meaning: EffectMeaning, scene: EffectScene, line: Any, table: Table) -> Outcome | None:
    """Return the outcome of a line that does not take effect itself now, or None if it does."""
    if scene.options.does == STOPS:
        return _stopped(meaning, scene, line)
    if scene.options.does == RECHARGES:
        return _recharged(meaning, scene, line, table)
    if scene.options.does == COUNTS:
        return _counted(meaning, scene, line)
    if not is_available(meaning, line, scene, scene.actor) and not scene.before:
        return refuse("uses", _why_not(meaning, scene, line))
    if line.stopped:
        return _missed(meaning, scene, line)
    if line.use is not None:
        return _paid(meaning, scene, line)
    return _halted(meaning, scene, line, table)


@frozen(eq=False)
class EffectResult:
    """What a line did to one combatant, for its sentence. `restored`: hit points and temporary ones."""

    line: Any
    scene: EffectScene
    side: EffectSide
    saved: SavingThrow | None
    parts: tuple[DamagePart, ...]
    roll: DamageRoll
    restored: tuple[int | None, int | None]
    gives: tuple[GivenCondition, ...]


def _explained(meaning: EffectMeaning, result: EffectResult, moved: str) -> Explanation:
    """Return the sentence about an effect; the tracker itself says who comes, goes or changes form."""
    line, saved, side = result.line, result.saved, result.side
    given, (healed, temporary) = condition_words(result.gives), result.restored
    did = [] if saved is None else ["succeeds" if saved.passed else "fails"]
    did += [f"takes {damage_words(result.roll)}"] if result.parts else []
    drained = [f"{result.scene.actor_name} regains {result.roll.total}"] if line.drain else []
    did += ["dies"] if line.slays and not (saved and saved.passed) else []
    did += [line.move] if line.move and not (saved and saved.passed) else []
    did += [f"regains {healed}"] if healed is not None and moved else []
    did += [f"gains {temporary} temporary hit points"] if temporary is not None and moved else []
    if given and not result.parts:
        did.append(meaning.begins(result.gives[0].condition))
        given.pop(0)
    reminder = f" {as_sentence(line.remind)}" if line.remind else ""
    if not did:
        if not reminder and (line.heal is not None or line.temp_hp is not None):
            return Explanation("")  # nothing to restore
        return Explanation(f"{as_actor(result.scene.actor_name)} uses {line.name}.{reminder}")
    own = side.role == "actor"
    name = line.name if own else f"{possessive(as_actor(result.scene.actor_name))} {line.name}"
    text = f"{name}: {as_actor(side.name) if own else side.name} {listed(did)}{moved}"
    return Explanation(
        sentence(text, *given, *drained) + reminder,
        saved.terms if saved else (),
        damage_steps(result.parts, result.roll),
        arithmetic=as_sentence(saved.words) if saved else "",
    )


def _brought(line: Any, table: Table) -> tuple[Brought, ...]:
    """Return the combatants that an effect brings."""
    if line.bring is None:
        return ()
    count = 1 if line.count is None else max(0, table.roll(line.count, f"number, {line.name}"))
    kind = "" if line.bring == ITSELF else line.bring
    return (Brought(kind, min(count, MOST_BROUGHT)),) if count else ()


def _split(
    meaning: EffectMeaning, sheet: Any, count: int
) -> tuple[tuple[Brought, ...], Mapping[str, object]]:
    """Return the copies of a combatant that splits, and the changes of its own sheet.

    Its hit points are divided evenly among them all, rounded down. With too few of them it does not split.
    """
    share = meaning.share(sheet, count + 1)
    return ((Brought("", count, changes=share),), share) if share else ((), {})


def stopped(scene: AnyScene, table: Table) -> Interrupted:
    """Ask each combatant that can stop the actor's action before it counts."""
    if scene.before:
        return Interrupted(turned=bool(scene.before.get("stopped")))
    return interrupted(table, ready_interruptions(scene, "used"), None)


def _halted(meaning: EffectMeaning, scene: EffectScene, line: Any, table: Table) -> Outcome | None:
    """Return the outcome of an effect that another combatant stops, or None. It is used up all the same."""
    found = stopped(scene, table)
    if not found.turned:
        return None

    def tell() -> Explanation:
        name = f"{possessive(as_actor(scene.actor_name))} {line.name}"
        return Explanation("" if scene.before else f"{name} is stopped.")

    changes = {} if scene.before else used_up(meaning, line, scene, scene.actor)
    facts = {ACTION: line.name, "damage": 0, "stopped": True}
    return Outcome(facts, {"actor": changes}, tell, degree="resisted", interruptions=found.used)


def _why_not(meaning: EffectMeaning, scene: EffectScene, line: Any) -> str:
    """Return why an effect cannot be used now."""
    if line.spends is not None and (left := meaning.left(scene.actor, line.spends) or 0) < line.cost:
        needs = f" and needs {line.cost}" if left else ""
        return f"{scene.actor_name} has {left or 'no'} {line.spends} left{needs} for {line.name}."
    return f"{scene.actor_name} cannot use {line.name} again yet."


def _paid(meaning: EffectMeaning, scene: EffectScene, line: Any) -> Outcome:
    """Return the outcome of a line that carries out another action: it pays, and the action follows."""
    changes = {} if scene.before else used_up(meaning, line, scene, scene.actor)

    def tell() -> Explanation:
        left = meaning.left(replace(scene.actor, **changes), line.spends) if line.spends else None
        paid = "" if left is None else f"{as_sentence(line.spends).removesuffix('.')}, {left} left."
        moves = f" and {line.move}" if line.move else ""
        return Explanation(f"{as_actor(scene.actor_name)} uses {line.name}{moves}.", arithmetic=paid)

    moves = ("actor",) if line.move else ()
    return Outcome({ACTION: line.name}, {"actor": changes}, tell, moves=moves)


def _stopped(meaning: EffectMeaning, scene: EffectScene, line: Any) -> Outcome:
    def tell() -> Explanation:
        return Explanation(f"{possessive(as_actor(scene.actor_name))} {line.name} is stopped.")

    changes = {"actor": meaning.changed(scene.actor, line, stopped=True)}
    return Outcome({ACTION: line.name}, changes, tell)


def _counted(meaning: EffectMeaning, scene: EffectScene, line: Any) -> Outcome:
    """Add the damage to that of this turn, without a word."""
    total = taken_in_turn(line, scene) + scene.options.amount
    changes = meaning.changed(scene.actor, line, taken=f"{turn_of(scene)} {total}")
    return Outcome({ACTION: line.name}, {"actor": changes}, lambda: Explanation(""))


def _missed(meaning: EffectMeaning, scene: EffectScene, line: Any) -> Outcome:
    """Return the outcome of an effect that was stopped: it counts again the next time."""

    def tell() -> Explanation:
        return Explanation(f"{possessive(as_actor(scene.actor_name))} {line.name} does nothing this time.")

    changes = {"actor": meaning.changed(scene.actor, line, stopped=False)}
    return Outcome({ACTION: line.name}, changes, tell)


def _recharged(meaning: EffectMeaning, scene: EffectScene, line: Any, table: Table) -> Outcome:
    """Roll the die that restores an effect."""
    needed = line.recharge or 0
    if needed == 1:
        return Outcome(
            {ACTION: line.name, "recharged": True}, {"actor": meaning.changed(scene.actor, line, spent=0)}
        )
    thrown = table.chance(needed, line.recharge_die, f"recharge, {line.name}", over=True)

    def tell() -> Explanation:
        is_ready = "is ready again" if thrown.passed else "does not recharge"
        text = f"{possessive(as_actor(scene.actor_name))} {line.name} {is_ready}."
        return Explanation(text, arithmetic=f"{thrown.face} against {needed}.")

    spent = 0 if thrown.passed else line.spent
    changes = {"actor": meaning.changed(scene.actor, line, spent=spent)}
    return Outcome({ACTION: line.name, "recharged": thrown.passed}, changes, tell)
