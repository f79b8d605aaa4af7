"""An attack before any roll: its d20, its damage, the save that a hit brings, and results to remember."""

from collections.abc import Mapping
from functools import lru_cache

from systems.contract.damage import DamageTally
from systems.contract.interrupt import NOT_INTERRUPTED, Interrupted
from systems.contract.interruption import UsedInterruption
from systems.frozen import evolve, frozen
from systems.srd5.after import Amounts
from systems.srd5.aim import AttackAim
from systems.srd5.attack_roll import armour_class, d20_of_attack, graded_attack
from systems.srd5.body import Vitals, has
from systems.srd5.current import Strike, scene_now
from systems.srd5.damage import DamageDice, PreparedDamage, averages, prepare_damage, rolls_of
from systems.srd5.defending import Defences, defences_against, raised_by
from systems.srd5.levels import counts_singly, types_apart
from systems.srd5.rolls import D20, Grade, Rolled, with_dice
from systems.srd5.saves import PreparedSave, Save, SaveResult, may_resist
from systems.srd5.sheet import Attack
from systems.srd5.words import WithEffects, help_with, with_effects

_OPEN_TO_CRITICALS = frozenset(("paralyzed", "unconscious"))


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
    now = scene_now(scene, entry.name, body, first)
    effects = with_effects(now, entry)
    entry = effects.entry
    ac, after = armour_class(now, entry.name) + raised_by(used), _noticed(body)
    defences = defences_against(scene, aim.ranged, used)
    vulnerable = aim.near and not has(body).isdisjoint(_OPEN_TO_CRITICALS)
    halved = getattr(scene.options, "halved", False)
    d20 = d20_of_attack(now, entry, aim, hidden, body)
    later = [line for lines in effects.later.values() for line in lines]
    damage, apart = {}, types_apart(later)
    for result in ("hit", "critical"):
        is_critical = result == "critical"
        texts = effects.damage(d20.way, critical=is_critical)
        damage[result] = prepare_damage(_hit_rolls(scene, texts, is_critical), after, halved, apart)
    grade = graded_attack(ac, entry.critical_from, vulnerable)
    save = _save_of(scene, entry, resist)
    rolls = [each for ready in damage.values() for each in ready.rolls]
    rolls += rolls_of(entry.save_damage, scene.house)
    singly = counts_singly(body, rolls, later, halved=halved or entry.save_half)
    return AttackPlan(scene, entry, after, d20, grade, ac, save, damage, {}, singly, effects, defences)


@lru_cache(maxsize=64)
def _noticed(body: Vitals) -> Vitals:
    return evolve(body, distracted=False) if body.distracted else body
