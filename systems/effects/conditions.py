"""Whether an effect happens now: its conditions, its uses, and the damage that sets it off."""

from collections.abc import Iterator, Sequence
from typing import Any, Optional

from systems.contract.action import AnyScene
from systems.effects.meaning import AURA, EffectMeaning, is_among, is_aura
from systems.effects.words import SIZES, EffectLine
from systems.frozen import frozen
from systems.text import plain_word

_BY_IT, _HAS, _ROUND = "_by_it", "has_", "round_"


@frozen
class EffectSide:
    """One side of an effect: a combatant's sheet, name, id in the fight, and role in the scene."""

    sheet: Any
    name: str
    id: str
    role: Any

    @classmethod
    def actor_of(cls, scene: AnyScene) -> "EffectSide":
        return cls(scene.actor, scene.actor_name, scene.actor_id, "actor")

    @classmethod
    def attacked_in(cls, scene: AnyScene) -> "EffectSide":
        """Return the target of an attack."""
        return cls(scene.target, scene.target_name, scene.target_id, "target")

    @classmethod
    def target_of(cls, scene: AnyScene) -> Optional["EffectSide"]:
        """Return the target of a scene, or None if it has none."""
        return cls.attacked_in(scene) if scene.has_target else None


def states_of(meaning: EffectMeaning, scene: AnyScene, side: EffectSide) -> set[str]:
    """Return the words that describe a combatant: those of its sheet, and its conditions."""
    words = set(meaning.states(side.sheet, scene.house))
    person = scene.fight.person(side.id) if scene.fight and side.id else None
    return words | {held.name for held in person.conditions} if person else words


def _own_states(meaning: EffectMeaning, scene: AnyScene, owner: EffectSide, asked: Sequence[str]) -> set[str]:
    """Return the states of the owner of a line; `has grappled` if it has given that to another,
    `round 1` in the first round."""
    words = states_of(meaning, scene, owner)
    if scene.fight is not None and any(plain_word(word).startswith(_ROUND) for word in asked):
        words |= {f"{_ROUND}{scene.fight.round}"}
    if scene.fight is None or not any(plain_word(word).startswith(_HAS) for word in asked):
        return words
    return words | {f"{_HAS}{held.name}" for _, held in _given_by(scene, owner.id)}


def _states_by(meaning: EffectMeaning, scene: AnyScene, owner: EffectSide, other: EffectSide) -> set[str]:
    """Return the states of another combatant; `grappled by it` if the owner of the line gave it that.

    A condition that was given by hand counts as given by the owner.
    """
    words = states_of(meaning, scene, other)
    person = scene.fight.person(other.id) if scene.fight and other.id else None
    if person is None:
        return words
    given = {held.name for held in person.conditions if held.source in (None, owner.id)}
    if person.sheet is not other.sheet:
        # It has changed in the middle of the action, by something that the owner did.
        given |= set(meaning.states(other.sheet, scene.house)) - set(
            meaning.states(person.sheet, scene.house)
        )
    return words | {f"{name}{_BY_IT}" for name in given}


def _given_by(scene: AnyScene, owner: str) -> Iterator[tuple[str, Any]]:
    """Yield each condition that others have from a combatant, with the id of its holder."""
    fight = scene.fight
    for who in fight.ids if fight else ():
        person = fight.person(who) if fight else None
        for held in person.conditions if person and who != owner else ():
            if held.source == owner:
                yield who, held


def is_attacker(meaning: EffectMeaning, line: EffectLine, scene: AnyScene, by: str) -> bool:
    """Return whether a line of the actor counts the damage of this combatant."""
    if not line.attacker_is:
        return True
    person = scene.fight.person(by) if scene.fight and by else None
    if person is None:
        return False
    other = EffectSide(person.sheet, person.name, by, "target")
    return is_among(line.attacker_is, _states_by(meaning, scene, EffectSide.actor_of(scene), other))


def spared_name(line: EffectLine) -> str:
    """Return the condition of a combatant that has saved against a line and is not affected again."""
    return f"immune to {line.name}"


def _has_most(line: EffectLine, scene: AnyScene, owner: EffectSide, other: EffectSide) -> bool:
    """Return whether as many others as possible have the condition of a line from its owner."""
    holders = {who for who, held in _given_by(scene, owner.id) if held.name == line.condition}
    return len(holders - {other.id}) >= (line.most or 0)


def applies(
    meaning: EffectMeaning,
    line: EffectLine,
    scene: AnyScene,
    owner: EffectSide,
    other: EffectSide | None,
    damage: Sequence[tuple[str, int]] = (),
) -> bool:
    """Return whether a line of `owner` happens to `other`, or to the owner itself without one."""
    if not _is_set_off(line, scene, damage) or not is_ready(meaning, line, scene, owner):
        return False
    return _fits(meaning, line, scene, owner, other or owner)


def is_ready(meaning: EffectMeaning, line: EffectLine, scene: AnyScene, owner: EffectSide) -> bool:
    """Return whether the owner of a line can use it now. Its targets are not considered."""
    if not is_available(meaning, line, scene, owner.sheet):
        return False
    if line.said is not None and line.said not in meaning.said(scene):
        return False
    own = (*line.self_is, *line.self_is_not)
    return not own or _is(line.self_is, line.self_is_not, _own_states(meaning, scene, owner, own))


def _fits(
    meaning: EffectMeaning, line: EffectLine, scene: AnyScene, owner: EffectSide, other: EffectSide
) -> bool:
    """Return whether the affected combatant fits the line."""
    if (line.target_is or line.target_is_not) and not _is(
        line.target_is, line.target_is_not, _states_by(meaning, scene, owner, other)
    ):
        return False
    spared = f"{spared_name(line)}{_BY_IT}"
    if line.spared and is_among((spared,), _states_by(meaning, scene, owner, other)):
        return False
    if line.most is not None and _has_most(line, scene, owner, other):
        return False
    if not _is(line.target_type, line.target_type_not, meaning.types(other.sheet)):
        return False
    if line.hp_at_most is not None and meaning.hp(other.sheet) > line.hp_at_most:
        return False
    if line.size is not None and SIZES.index(meaning.size(other.sheet)) > SIZES.index(line.size):
        return False
    if line.near and other.id != owner.id and not _near(scene, owner.id, other.id):
        return False
    return not line.ally_near or _has_ally_near(scene, owner, other)


def _is(wanted: Sequence[str], unwanted: Sequence[str], found: Any) -> bool:
    if wanted and not is_among(wanted, found):
        return False
    return not (unwanted and is_among(unwanted, found))


def _near(scene: AnyScene, one: str, other: str) -> bool:
    return scene.fight is not None and scene.fight.near(one, other)


def _has_ally_near(scene: AnyScene, owner: EffectSide, other: EffectSide) -> bool:
    fight = scene.fight
    if fight is None or not owner.id or not other.id:
        return False
    return fight.ally_near(owner.id, other.id) is not None


def taken_in_turn(line: EffectLine, scene: AnyScene) -> int:
    """Return the damage of this turn that a line has added up."""
    moment, _, amount = (line.taken or "").rpartition(" ")
    return int(amount) if moment and moment == turn_of(scene) else 0


def turn_of(scene: AnyScene) -> str:
    """Return the round and the turn, as lines store them."""
    return f"{scene.fight.round} {scene.fight.turn}" if scene.fight is not None else ""


def _is_set_off(line: EffectLine, scene: AnyScene, damage: Sequence[tuple[str, int]]) -> bool:
    """Return whether the damage is enough, and of the types that the line names."""
    if line.summed:
        return taken_in_turn(line, scene) >= (line.least or 1)
    if line.when != "damaged":
        return True
    counted = [amount for type, amount in damage if not line.types or is_among((type,), line.types)]
    return bool(counted) and sum(counted) >= (line.least or 1)


def is_available(meaning: EffectMeaning, line: EffectLine, scene: AnyScene, sheet: Any) -> bool:
    """Return whether a line has uses left, can be paid, and has not happened in this turn, round or fight.

    `sheet`: that of its owner.
    """
    if line.spends is not None and (meaning.left(sheet, line.spends) or 0) < line.cost:
        return False
    limit = line.uses or (1 if line.recharge is not None and line.when != "start" else None)
    if limit is not None and line.spent >= limit:
        return False
    return line.once is None or scene.fight is None or line.used != _moment(line, scene)


def _moment(line: EffectLine, scene: AnyScene) -> str:
    """Return the present turn, round or fight, as a line with `once` stores it."""
    fight = scene.fight
    if line.once == "fight" or fight is None:
        return "fight"
    return str(fight.round) if line.once == "round" else f"{fight.round} {fight.turn}"


def used_up(meaning: EffectMeaning, line: EffectLine, scene: AnyScene, sheet: Any) -> dict[str, object]:
    """Return the changes of its owner's sheet when a line is used: its uses, and the counter that pays."""
    fields = _counted(line, scene)
    changes = meaning.changed(sheet, line, **fields) if fields else {}
    if line.spends is not None:
        changes |= meaning.spend(sheet, line.spends, line.cost)
    return changes


def _counted(line: EffectLine, scene: AnyScene) -> dict[str, object]:
    """Return the fields of a line that its use changes."""
    changes: dict[str, object] = {}
    if line.uses is not None or (line.recharge is not None and line.when != "start"):
        changes["spent"] = line.spent + 1
    if line.once is not None and scene.fight is not None:
        changes["used"] = _moment(line, scene)
    return changes


def auras_over(meaning: EffectMeaning, scene: AnyScene, side: EffectSide) -> Iterator[EffectLine]:
    """Yield the lines of other combatants that always count for this one, such as an aura of courage."""
    if scene.fight is None or not side.id:
        return
    own = scene.fight.person(side.id)
    for who in scene.fight.ready(AURA) - {side.id}:
        person = scene.fight.person(who)
        if person is None or own is None:
            continue
        owner = EffectSide(person.sheet, person.name, who, "actor")
        for line in meaning.lines(person.sheet):
            over = is_aura(line) and _is_over(line, same_side=person.side == own.side)
            if over and applies(meaning, line, scene, owner, side):
                yield line


def _is_over(line: EffectLine, *, same_side: bool) -> bool:
    return line.who in ("others", "everyone") or same_side == (line.who == "allies")
