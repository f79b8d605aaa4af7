"""Run one line of effects: at its moment, or when the game master asks for it."""

from collections.abc import Sequence
from typing import Any

from systems.contract.damage import DamageRoll
from systems.contract.marked_text import as_actor
from systems.contract.outcome import Explanation, Outcome, Role, refuse
from systems.contract.ruleset import Scene
from systems.contract.table import Table
from systems.effects.attacks import before_roll as before_roll
from systems.effects.attacks import on_hit as on_hit
from systems.effects.conditions import AnyScene, EffectSide, applies, is_available, used_up
from systems.effects.meaning import RECHARGES, STOPS, EffectMeaning, EffectOptions, is_among, lines_of
from systems.effects.results import (
    condition_words,
    damage_steps,
    damage_words,
    ended_by,
    given_by,
    healed_by,
    hurt_by,
    parts_of,
    save_against,
)
from systems.effects.words import line_class as line_class
from systems.errors import unknown
from systems.schema.conversion import entry_named, replace
from systems.text import as_sentence, sentence, shown

EffectScene = Scene[Any, EffectOptions, Any]


def applies_now(
    meaning: EffectMeaning, line: Any, does: str, scene: AnyScene, damage: Sequence[tuple[str, int]]
) -> bool:
    """Return whether a line happens, is stopped, or may recharge now."""
    if does == STOPS:
        return any(amount and is_among((type,), line.stopped_by) for type, amount in damage)
    if does == RECHARGES:
        return True
    return applies(meaning, line, scene, EffectSide.actor_of(scene), EffectSide.target_of(scene), damage)


def line_named(meaning: EffectMeaning, scene: EffectScene, name: str) -> Any:
    """Return the effect of this name. Raises Wrong if the actor has none."""
    lines = lines_of(meaning, scene, "actor")
    found = entry_named(lines, name)
    if found is None:
        raise unknown("options.effect", f"no effect {shown(name)}", name, [line.name for line in lines])
    return found


def run(meaning: EffectMeaning, scene: EffectScene, table: Table) -> Outcome:
    line = line_named(meaning, scene, scene.options.effect)
    if scene.options.does == STOPS:
        return _stopped(meaning, scene, line)
    if scene.options.does == RECHARGES:
        return _recharged(meaning, scene, line, table)
    if not is_available(line, scene) and not scene.before:
        return refuse("uses", f"{scene.actor_name} cannot use {line.name} again yet.")
    if line.stopped:
        return _missed(meaning, scene, line)

    side = EffectSide.target_of(scene) or EffectSide.actor_of(scene)
    role: Role = side.role
    saved = save_against(meaning, line, scene, side, table)
    parts = parts_of(meaning, line, scene, side, saved)
    given = scene.before.get("rolled") if saved is None or line.half else None
    roll = table.damage(parts, f"damage, {line.name}", given=given) if parts else DamageRoll(0, (), ())
    hurt = meaning.hurt(side.sheet, scene.house, roll.total) if parts else {}
    after = replace(side.sheet, **hurt) if hurt else side.sheet
    healed, temporary, restored = healed_by(meaning, line, scene, after, table)
    after = replace(after, **restored) if restored else after
    gives = () if saved and saved.passed else given_by(line, side)
    ends = () if saved and saved.passed else ended_by(line, side)
    changes: dict[str, dict[str, object]] = {role: {**hurt, **restored}}
    if (spent := used_up(line, scene)) and not scene.before:
        changes.setdefault("actor", {}).update(meaning.changed(scene.actor, line, **spent))

    def tell() -> Explanation:
        if line.heal is not None and not (parts or gives or ends or line.remind) and after == side.sheet:
            return Explanation("")  # nothing to restore
        own = role == "actor"
        did: list[str] = []
        if saved:
            did.append("succeeds" if saved.passed else "fails")
        if parts:
            did.append(f"takes {damage_words(roll)}")
        if healed is not None:
            did.append(f"regains {healed}")
        if temporary is not None:
            did.append(f"gains {temporary} temporary hit points")
        moved = meaning.moved(side.sheet, after)
        given_words = condition_words(gives)
        if given_words and not did:
            did.append("is " + given_words.pop(0))
        if line.remind:
            did.append(line.remind)
        name = line.name if own else f"{as_actor(scene.actor_name)}'s {line.name}"
        subject = as_actor(side.name) if own else side.name
        text = f"{name}: {subject} {' and '.join(did) or 'is unchanged'}{moved}"
        return Explanation(
            sentence(text, *given_words),
            saved.terms if saved else (),
            damage_steps(parts, roll),
            arithmetic=as_sentence(saved.words) if saved else "",
        )

    facts: dict[str, Any] = {"damage": roll.total}
    if saved:
        facts["failed"] = not saved.passed
    if parts:
        facts["rolled"] = roll.rolled if roll.rolled else given
    if healed is not None:
        facts["healed"] = healed
    return Outcome(
        facts,
        changes,
        tell,
        asks=meaning.asks(side.sheet, after, side.name, role),
        degree="" if saved is None else "resisted" if saved.passed else "not_resisted",
        gives=gives,
        ends=ends,
        hurt=hurt_by(roll, role),
    )


def _stopped(meaning: EffectMeaning, scene: EffectScene, line: Any) -> Outcome:
    def tell() -> Explanation:
        return Explanation(f"{as_actor(scene.actor_name)}'s {line.name} is stopped.")

    changes = {"actor": meaning.changed(scene.actor, line, stopped=True)}
    return Outcome({}, changes, tell)


def _missed(meaning: EffectMeaning, scene: EffectScene, line: Any) -> Outcome:
    """Return the outcome of an effect that was stopped: it counts again the next time."""

    def tell() -> Explanation:
        return Explanation(f"{as_actor(scene.actor_name)}'s {line.name} does nothing this time.")

    changes = {"actor": meaning.changed(scene.actor, line, stopped=False)}
    return Outcome({}, changes, tell)


def _recharged(meaning: EffectMeaning, scene: EffectScene, line: Any, table: Table) -> Outcome:
    """Roll the die that restores an effect."""
    needed = line.recharge or 0
    thrown = table.chance(needed, line.recharge_die, f"recharge, {line.name}", over=True)

    def tell() -> Explanation:
        is_ready = "is ready again" if thrown.passed else "does not recharge"
        text = f"{as_actor(scene.actor_name)}'s {line.name} {is_ready}."
        return Explanation(text, arithmetic=f"{thrown.face} against {needed}.")

    spent = 0 if thrown.passed else line.spent
    changes = {"actor": meaning.changed(scene.actor, line, spent=spent)}
    return Outcome({"recharged": thrown.passed}, changes, tell)
