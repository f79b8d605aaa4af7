"""Effects that belong to an attack: what changes its roll, what adds to its damage, and what follows a hit.

A game's attack calls `before_roll`, then `on_hit` when it has hit, adds the parts of that to its own damage
in one throw, and then calls `after`.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache, partial
from typing import Any

from systems.contract.action import AnyScene
from systems.contract.area import ready_to_turn
from systems.contract.damage import DamagePart
from systems.contract.interrupt import Interruption
from systems.contract.interruption import UsedInterruption
from systems.contract.outcome import EndedCondition, Fact, GivenCondition, Term, optional_term
from systems.contract.table import ExtraDice, Table
from systems.contract.typed_damage import TypedDice
from systems.effects.conditions import EffectSide, applies, auras_over, states_of, used_up
from systems.effects.meaning import EffectMeaning, belongs_to, is_among, lines_of
from systems.effects.results import (
    SavingThrow,
    SavingThrowBeside,
    changes_to,
    dice_of,
    ended_by,
    given_by,
    healed_by,
    left_of,
    parts_of,
    save_against,
    save_beside,
)
from systems.effects.words import EffectLine, is_die, lowered_by, raised_by, worth_in_save
from systems.frozen import evolve, frozen
from systems.schema.conversion import replace
from systems.text import plain_word, spoken


@frozen
class BeforeRoll:
    """What effects change about an attack before its roll.

    `edge`: above 0 advantage, below 0 disadvantage. `bonus`: terms added to the attack. `defence`: terms
    added to the target's defence. `damage`: added to the damage. `names`: the effects that give advantage or
    disadvantage. `extra`: dice added to the roll, each with the name of its effect.
    """

    edge: int = 0
    bonus: tuple[Term, ...] = ()
    defence: tuple[Term, ...] = ()
    damage: int = 0
    names: tuple[str, ...] = ()
    extra: tuple[ExtraDice, ...] = ()


@lru_cache(maxsize=16)
def before_roll(meaning: EffectMeaning, scene: AnyScene, attack: str) -> BeforeRoll:
    """Return what the effects of both sides, and of auras, change about an attack."""
    edge = damage = 0
    bonus: list[Term] = []
    defence: list[Term] = []
    names: list[str] = []
    extra: list[ExtraDice] = []
    for line, is_attacker in _always(meaning, scene, attack):
        change = line.change.get("attacks" if is_attacker else "attacks_on_it")
        if turned := _edge(change):
            edge += turned
            names.append(line.name)
        bonus += optional_term(line.name, _number(change))
        extra += [(str(change), line.name)] if is_die(change) else []
        if is_attacker:
            damage += _number(line.change.get("damage"))
        else:
            defence += optional_term(line.name, _number(line.change.get("ac")))
    return BeforeRoll(edge, tuple(bonus), tuple(defence), damage, tuple(names), tuple(extra))


def before_check(meaning: EffectMeaning, scene: AnyScene, name: str) -> BeforeRoll:
    """Return what effects change about a save or a check of the actor. `name`: saves or checks."""
    found = list(changes_to(meaning, scene, EffectSide.actor_of(scene), name))
    return BeforeRoll(
        sum(_edge(change) for _, change in found),
        tuple(Term(label, change) for label, change in found if isinstance(change, int)),
        extra=tuple((str(change), label) for label, change in found if is_die(change)),
    )


def _always(meaning: EffectMeaning, scene: AnyScene, attack: str) -> Iterator[tuple[EffectLine, bool]]:
    """Yield the lines that always count for one side of an attack, and whether that is the attacker."""
    actor, target = EffectSide.actor_of(scene), EffectSide.attacked_in(scene)
    for owner, other in ((actor, target), (target, actor)):
        for line in lines_of(meaning, scene, owner.role):
            if line.when != "always" or line.affected not in ("self", "target", "everyone"):
                continue
            belongs = belongs_to(line, attack if owner is actor else "")
            if belongs and applies(meaning, line, scene, owner, other):
                yield line, owner is actor
    for side in (actor, target):
        yield from ((line, side is actor) for line in auras_over(meaning, scene, side))


def _edge(change: object) -> int:
    return {"advantage": 1, "disadvantage": -1}.get(str(change), 0)


def _number(change: object) -> int:
    return change if isinstance(change, int) else 0


@frozen(eq=False)
class OnHit:
    """The effects that follow a hit, with the saving throws that decide about their damage.

    `dice`: the damage that they add to that of the attack. `parts`: damage with a saving throw of its own, to
    be thrown together with the rest. `instead`: it replaces the attack's own.
    """

    meaning: EffectMeaning
    scene: AnyScene
    lines: tuple[tuple[EffectLine, SavingThrow | None], ...] = ()
    dice: tuple[TypedDice, ...] = ()
    parts: tuple[DamagePart, ...] = ()
    instead: bool = False

    def after(self, table: Table, damage: int) -> "AfterHit":
        """Return what else the effects do after this damage; their other saves are rolled here."""
        return _after(self, table, damage)


@frozen(eq=False)
class AfterHit:
    """What effects do after the damage of an attack is known.

    `actor`: changed fields of the attacker's sheet. `facts`: for each condition whether it is given; in odds
    with its chance. `words`: what else happens, as ends of the attack's sentence. `saves`: the saving throws.
    """

    actor: Mapping[str, object]
    gives: tuple[GivenCondition, ...] = ()
    ends: tuple[EndedCondition, ...] = ()
    facts: Mapping[str, Fact] = {}
    words: tuple[str, ...] = ()
    saves: tuple[SavingThrow | SavingThrowBeside, ...] = ()

    @property
    def interruptions(self) -> tuple[UsedInterruption, ...]:
        """Return what others have used to raise or lower the saves."""
        return tuple(used for saved in self.saves if isinstance(saved, SavingThrow) for used in saved.used)

    def told(self) -> tuple[str, ...]:
        """Return what happens in words; odds cannot say it."""
        given = [spoken(given.condition) for given in self.gives if given.who == "target"]
        return (*given, *self.words)


def on_hit(
    meaning: EffectMeaning,
    scene: AnyScene,
    table: Table,
    attack: str,
    edge: int,
    when: str,
    *,
    is_critical: bool,
) -> OnHit | None:
    """Return the effects of a hit or a miss, or None if there are none."""
    target = EffectSide.attacked_in(scene)
    lines: list[tuple[EffectLine, SavingThrow | None]] = []
    dice: list[TypedDice] = []
    parts: list[DamagePart] = []
    instead = False
    for line in _lines_of_hit(meaning, scene, attack, edge, when, is_critical):
        # Only a save that decides about damage is rolled before it.
        earlier = [used for _, thrown in lines if thrown for used in thrown.used]
        saved = save_against(meaning, line, scene, target, table, earlier) if line.damage else None
        lines.append((line, saved))
        if saved:
            parts += parts_of(meaning, line, scene, target, saved, is_critical=is_critical)
        else:
            dice += dice_of(meaning, line, scene, is_critical=is_critical)
        instead = instead or line.instead
    return OnHit(meaning, scene, tuple(lines), tuple(dice), tuple(parts), instead) if lines else None


@lru_cache(maxsize=64)
def _lines_of_hit(
    meaning: EffectMeaning, scene: AnyScene, attack: str, edge: int, when: str, is_critical: bool
) -> tuple[EffectLine, ...]:
    return tuple(_found(meaning, scene, attack, edge, (when, "used"), is_critical))


def _found(
    meaning: EffectMeaning,
    scene: AnyScene,
    attack: str,
    edge: int,
    when: tuple[str, ...],
    is_critical: bool,
) -> Iterator[EffectLine]:
    owner, other = EffectSide.actor_of(scene), EffectSide.attacked_in(scene)
    was = {"critical": is_critical, "advantage": edge > 0, "disadvantage": edge < 0}
    for line in lines_of(meaning, scene, "actor"):
        if line.when not in when or line.whose != "own" or line.offered or not belongs_to(line, attack):
            continue
        if line.roll is not None and not was[line.roll]:
            continue
        if applies(meaning, line, scene, owner, other):
            yield line


def _after(hits: OnHit, table: Table, damage: int) -> AfterHit:
    meaning, scene = hits.meaning, hits.scene
    target, owner = EffectSide.attacked_in(scene), EffectSide.actor_of(scene)
    actor: dict[str, object] = {}
    gives: list[GivenCondition] = []
    ends: list[EndedCondition] = []
    facts: dict[str, Fact] = {}
    saves: list[SavingThrow | SavingThrowBeside] = []
    words: list[str] = []
    sheet = scene.actor
    for line, saved in hits.lines:
        side, left = owner if line.affected == "self" else target, line
        given = given_by(meaning, line, scene, side)
        # A condition alone depends on a save next to the others, unless it can still be changed.
        is_alone = line.condition and not (line.ends or line.avoids_all or ready_to_turn(scene))
        if saved is None and line.save and not is_alone and not line.damage:
            earlier = [used for each in saves if isinstance(each, SavingThrow) for used in each.used]
            saved = save_against(meaning, line, scene, side, table, earlier)  # noqa: PLW2901 - just rolled
        if saved:
            saves.append(saved)
            given = () if saved.passed else given
            left = left_of(line) if saved.passed else line
        elif given and (beside := save_beside(meaning, line, scene, side, table)):
            saves.append(beside)
            facts[plain_word(given[0].condition)] = beside.aside.fact
            given = beside.aside.if_passed(*given)
        gives += given
        for each in given:
            facts.setdefault(plain_word(each.condition), True)
        ends += () if saved and saved.passed else ended_by(line, side)
        if left.heal is not None or left.temp_hp is not None:
            healed, temporary, changes = healed_by(meaning, left, scene, sheet, table)
            actor |= changes
            sheet = replace(sheet, **changes)
            words += [f"{owner.name} regains {healed}"] if healed is not None else []
            words += [f"{owner.name} gains {temporary} temporary hit points"] if temporary is not None else []
        if left.drain and damage:
            changes = dict(meaning.heal(sheet, scene.house, damage))
            actor |= changes
            sheet = replace(sheet, **changes)
            words.append(f"{owner.name} regains {damage}")
        words += [left.remind] if left.remind else []
        if spent := used_up(meaning, line, scene, sheet):
            actor |= spent
            sheet = replace(sheet, **spent)
    return AfterHit(actor, tuple(gives), tuple(ends), facts, tuple(words), tuple(saves))


def after_save(
    meaning: EffectMeaning, scene: AnyScene, attack: str, *, failed: bool
) -> tuple[tuple[GivenCondition, ...], tuple[str, ...]]:
    """Return the conditions of effects that follow the save against an area, and reminders."""
    when = ("failed" if failed else "saved", "used")
    lines = tuple(_found(meaning, scene, attack, 0, when, is_critical=False))
    target = EffectSide.attacked_in(scene)
    gives = tuple(given for line in lines for given in given_by(meaning, line, scene, target))
    return gives, tuple(line.remind for line in lines if line.remind)


def interruptions(
    meaning: EffectMeaning, scene: AnyScene, owner: Any, whose: str
) -> tuple[Interruption, ...]:
    """Return what effects of `owner` could change about an attack before it counts."""
    target = EffectSide.attacked_in(scene)
    side = EffectSide(owner.sheet, owner.name, owner.id, "actor")
    found: list[Interruption] = []
    for line in meaning.lines(owner.sheet):
        if line.when != "attacked" or line.whose != whose:
            continue
        worth, lowers = raised_by(line.change.get("ac")), False
        if worth is None:
            worth, lowers = lowered_by(line.change.get("attacks")), True
        other = EffectSide.actor_of(scene) if lowers or whose == "own" else target
        if applies(meaning, line, scene, side, other):
            found += _interruption(meaning, line, scene, side, worth, line.by or "", lowers=lowers)
    return tuple(found)


def stoppers(meaning: EffectMeaning, scene: AnyScene, owner: Any) -> tuple[Interruption, ...]:
    """Return the effects of `owner` that could stop the actor's action before it counts."""
    side, actor = EffectSide(owner.sheet, owner.name, owner.id, "actor"), EffectSide.actor_of(scene)
    found: list[Interruption] = []
    for line in meaning.lines(owner.sheet):
        named = line.stops and is_among(tuple(meaning.used(scene)), line.of)
        if named and applies(meaning, line, scene, side, actor):
            withstand = partial(_withstood, meaning, line, scene, owner.sheet) if line.save else None
            stops = _interruption(meaning, line, scene, side, None)
            found += [evolve(each, withstand=withstand) for each in stops]
    return tuple(found)


def _withstood(
    meaning: EffectMeaning, line: EffectLine, scene: AnyScene, sheet: Any, table: Table
) -> tuple[bool, str]:
    """Roll the save of the actor against an effect that stops its action. `sheet`: of the effect's owner."""
    dc = None if line.dc is None else meaning.dc(sheet, scene.house, line.dc)
    alone = evolve(scene, interrupts=())
    saved = save_against(meaning, evolve(line, dc=dc), alone, EffectSide.actor_of(scene), table)
    if saved is None:
        return False, ""
    # Odds throw all sums at once, and need no words.
    return saved.passed, saved.words if isinstance(saved.thrown, int) else ""


def save_changes(meaning: EffectMeaning, scene: AnyScene, owner: Any) -> tuple[Interruption, ...]:
    """Return what effects of `owner` could change about a save of the scene's action before it counts."""
    side = EffectSide(owner.sheet, owner.name, owner.id, "actor")
    saver = EffectSide.target_of(scene) or EffectSide.actor_of(scene)
    person = scene.fight.person(saver.id) if scene.fight and saver.id else None
    is_foe = person is not None and person.side != owner.side
    is_own = owner.id in (saver.id, saver.role)
    if person is None and not is_own:
        return ()  # without a fight nobody has a side
    relation = {"foes"} if is_foe else {"any", "own" if is_own else "allies"}
    found: list[Interruption] = []
    for line in meaning.lines(owner.sheet):
        if line.when == "saving" and line.whose in relation and applies(meaning, line, scene, side, saver):
            kind = "passed" if is_foe else "failed"
            found += _interruption(meaning, line, scene, side, worth_in_save(line), kind, lowers=is_foe)
    return tuple(found)


def _interruption(
    meaning: EffectMeaning,
    line: EffectLine,
    scene: AnyScene,
    side: EffectSide,
    worth: int | str | None,
    against: str = "",
    *,
    lowers: bool = False,
) -> Iterator[Interruption]:
    """Yield what its owner can do by a line, if it can react and pay."""
    if meaning.bars_reactions and is_among(meaning.bars_reactions, states_of(meaning, scene, side)):
        return
    cost = meaning.cost(side.sheet, line)
    if cost is not None:
        changes = {**cost, **used_up(meaning, line, scene, side.sheet)}
        gives = given_by(meaning, line, scene, side)
        yield Interruption(line.name, worth, 1, changes, gives, against=against, lowers=lowers)
