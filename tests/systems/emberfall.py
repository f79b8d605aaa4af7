"""A game with interrupts, saves after a hit, typed damage and several attacks in one use, for tests."""

from functools import lru_cache
from typing import Any

from systems.contract import sheet as contract
from systems.contract.action import Action, Scene
from systems.contract.area import Area, AreaEffect, Resistance, area_action
from systems.contract.condition import Condition, Effect
from systems.contract.d20 import D20Test, roll_d20, roll_d20_beside
from systems.contract.display import Meter, StatusWord
from systems.contract.interrupt import Interrupt, Interruption, interrupted, most_defence, ready_interruptions
from systems.contract.outcome import Explanation, GivenCondition, Hurt, Outcome, Step, Term
from systems.contract.ruleset import AmountAction, Initiative, Ruleset
from systems.contract.series import SeriesState, SeriesStrike
from systems.contract.strikes import several_strikes
from systems.contract.table import Table
from systems.contract.typed_damage import DamageDefence, DamageText, read_damage, typed_parts
from systems.schema.fields import NoOptions, declare, flag, listing, whole
from systems.schema.types import Choice, Text, Whole
from tests.systems.fight import Entry, Fight

Here = Scene[Any, Any, Any]
SAVED_AGAINST = ("prone", "poisoned", "frightened")


@declare
class Sheet(contract.Sheet):
    max_hp: int = whole(1, 999, 30)
    hp: int = whole(0, 999, same_as="max_hp")
    ac: int = whole(1, 40, 12)
    attack: int = whole(-9, 40, 4)
    save: int = whole(-9, 40, 2)
    damage: tuple[str, ...] = listing(DamageText(), ("1d8+3 slashing",))
    on_edge: tuple[str, ...] = listing(DamageText(), (), "more damage with advantage")
    conditions_on_hit: tuple[str, ...] = listing(
        Choice(("prone", "poisoned", "frightened")), (), "saved against by a d20"
    )
    resists: tuple[str, ...] = listing(Text(), ())
    vulnerable: tuple[str, ...] = listing(Text(), ())
    shield: int = whole(0, 9, 0, "raised when 13 meets 12")
    protects: int = whole(0, 9, 0, "what it adds to a friend's defence")
    cutting: bool = flag(False, "takes a d6 from a foe's roll")
    counters: bool = flag(False, "can stop a spell")
    resistances: int = whole(0, 9, 0, "failed saves that it may pass")
    reaction: bool = flag(True, "not used in this round")


@declare
class AttackOptions:
    edge: int = whole(-9, 9, 0)


@declare
class VolleyOptions(AttackOptions):
    times: int = whole(1, 5, 3)


@declare
class Missiles:
    missiles: int = whole(1, 9, 3)


@declare
class Mending:
    points: int = whole(0, 99, 20)
    parts: tuple[int, ...] = listing(Whole(0, 99), ())


@declare
class Amount:
    amount: int = whole(0, 999)


def _shields(scene: Here, owner: Any) -> tuple[Interruption, ...]:
    return (
        Interruption(
            "Ember Shield",
            owner.sheet.shield,
            cost=2,
            changes={"reaction": False},
            gives=(GivenCondition("actor", "shielded", until="start"),),
        ),
    )


def _protects(scene: Here, owner: Any) -> tuple[Interruption, ...]:
    return (Interruption("Protection", owner.sheet.protects, changes={"reaction": False}),)


def _cuts(scene: Here, owner: Any) -> tuple[Interruption, ...]:
    return (Interruption("Cutting Words", "1d6", cost=3, changes={"reaction": False}),)


def _counters(scene: Here, owner: Any) -> tuple[Interruption, ...]:
    return (Interruption("Counterspell", cost=5, changes={"reaction": False}, suggested=False),)


INTERRUPTS = (
    Interrupt(
        "shield",
        "+ defence",
        "attacked",
        _shields,
        ready=lambda sheet, house: sheet.shield and sheet.reaction,
    ),
    Interrupt(
        "protection",
        "+ a friend's defence",
        "attacked",
        _protects,
        whose="friends",
        ready=lambda sheet, house: sheet.protects and sheet.reaction,
    ),
    Interrupt(
        "cutting_words",
        "takes a d6",
        "attacked",
        _cuts,
        whose="friends",
        ready=lambda sheet, house: sheet.cutting and sheet.reaction,
    ),
    Interrupt(
        "counterspell",
        "stops a spell",
        "cast",
        _counters,
        whose="opponents",
        ready=lambda sheet, house: sheet.counters and sheet.reaction,
    ),
)


@lru_cache(maxsize=8)
def _defences(scene: Here) -> tuple[DamageDefence, ...]:
    target = scene.target
    resists = (DamageDefence("resist", target.resists),) if target.resists else ()
    return (*resists, *((DamageDefence("vulnerable", target.vulnerable),) if target.vulnerable else ()))


def _damage(scene: Here, critical: bool) -> tuple[Any, ...]:
    return _damage_with(scene, critical, scene.options.edge > 0)


@lru_cache(maxsize=8)
def _damage_with(scene: Here, critical: bool, has_edge: bool) -> tuple[Any, ...]:
    dice = [read_damage(text) for text in scene.actor.damage]
    if has_edge:
        dice += [read_damage(text) for text in scene.actor.on_edge]
    return typed_parts([each.critical() if critical else each for each in dice], _defences(scene))


@lru_cache(maxsize=8)
def _test(scene: Here) -> D20Test:
    ready = ready_interruptions(scene, "attacked")
    actor, options = scene.actor, scene.options
    return D20Test(scene.target.ac, actor.attack, options.edge, defences=most_defence(ready))


@lru_cache(maxsize=8)
def _save(scene: Here) -> D20Test:
    return D20Test(13, scene.target.save, critical=None, fumble=None)


def _attack(scene: Here, table: Table) -> Outcome:
    target = scene.target
    thrown = roll_d20(table, _test(scene), "attack")
    grade = thrown.grade
    stopped = interrupted(table, ready_interruptions(scene, "attacked"), grade.beaten_by)
    hit = grade.succeeded and not stopped.turned
    damage = table.damage(_damage(scene, grade.grade == "critical")) if hit else None
    done = damage.total if damage else 0
    saves = [
        (condition, roll_d20_beside(table, _save(scene), f"save, {condition}"))
        for condition in (scene.actor.conditions_on_hit if hit else ())
    ]
    gives = [given for name, saved in saves for given in saved.if_failed(GivenCondition("target", name))]

    def tell() -> Explanation:
        text = f"{scene.who_acts} {'hits' if hit else 'misses'} {scene.target_name}"
        text += f" for {done} (hp {target.hp} → {max(0, target.hp - done)})" if hit else ""
        terms = (Term("attack", scene.actor.attack), Term("d20", thrown.natural))
        steps = (Step("needed", str(target.ac)), *stopped.steps)
        return Explanation(f"{text}.", terms, steps, arithmetic=f"{thrown.total} against {target.ac}.")

    return Outcome(
        {
            "total": thrown.total,
            "needed": target.ac,
            "hit": hit,
            "damage": done,
            **{f"saved_{name}": saved.fact for name, saved in saves},
        },
        {"target": {"hp": max(0, target.hp - done)}},
        tell,
        degree="critical" if hit and grade.grade == "critical" else "hit" if hit else "miss",
        gives=tuple(gives),
        hurt=(Hurt("target", done, damage.amounts),) if damage else (),
        interruptions=stopped.used,
    )


def _volley(scene: Here, table: Table) -> Outcome:
    """Attack several times; each attack finds the target as the last one left it."""
    target, options = scene.target, scene.options
    ready = ready_interruptions(scene, "attacked")

    def seen(so_far: SeriesState) -> Any:
        used = frozenset((each.of, each.interrupt) for each in so_far.interruptions)
        return None if so_far.damage >= target.hp else (so_far.marks, used)

    def strike(table: Table, kind: Any, group: Any) -> SeriesStrike:
        marks, used = group
        left = tuple(each for each in ready if (each.role or each.owner.id, each.interrupt.name) not in used)
        edge = options.edge + ("prone" in marks)
        raised = target.shield if ("target", "shield") in used else 0
        test = D20Test(target.ac + raised, scene.actor.attack, edge, defences=most_defence(left))
        grade = roll_d20(table, test, "attack").grade
        stopped = interrupted(table, left, grade.beaten_by)
        if not grade.succeeded or stopped.turned:
            return SeriesStrike(interruptions=stopped.used)
        roll = table.damage(_damage_with(scene, grade.grade == "critical", edge > 0))
        falls = "prone" in scene.actor.conditions_on_hit and "prone" not in marks
        prone = falls and not roll_d20(table, _save(scene), "save, prone", "target").grade.succeeded
        gives = [
            given
            for name in scene.actor.conditions_on_hit
            if name != "prone"
            for given in roll_d20_beside(table, _save(scene), f"save, {name}").if_failed(
                GivenCondition("target", name)
            )
        ]
        return SeriesStrike(
            roll.total,
            hits=1,
            marks=frozenset(("prone",)) if prone else frozenset(),
            gives=tuple(gives),
            interruptions=stopped.used,
            told=roll,
        )

    series = several_strikes(table, ("claw",) * options.times, strike, seen)
    whole = series.whole
    left = max(0, target.hp - whole.damage)
    falls = (GivenCondition("target", "prone"),) if "prone" in whole.marks else ()

    def tell() -> Explanation:
        struck = ", ".join(str(each.damage) if each.hits else "miss" for each in series.strikes)
        return Explanation(
            f"{scene.who_acts} attacks {scene.target_name}: {struck} (hp {target.hp} → {left})."
        )

    return Outcome(
        {"hits": whole.hits, "hit": whole.hits > 0, "damage": whole.damage},
        {"target": {"hp": left}},
        tell,
        gives=(*falls, *series.gives),
        hurt=tuple(Hurt("target", each.damage, each.told.amounts) for each in series.strikes if each.hits),
        interruptions=whole.interruptions,
    )


def _missile(scene: Here, table: Table) -> Outcome:
    """SeriesStrike without a roll; the die is thrown once for all missiles."""
    face = scene.before["face"] if scene.before else table.d(4, "missile")
    done = (face + 1) * scene.aimed
    left = max(0, scene.target.hp - done)
    told = Explanation(f"{scene.who_acts} strikes {scene.target_name} {scene.aimed} times for {done}.")
    return Outcome({"damage": done, "face": face}, {"target": {"hp": left}}, lambda: told)


def _mend(scene: Here, table: Table) -> Outcome:
    """Divide the points among all targets."""
    part = scene.part_of(scene.options.points, "parts")
    now = min(scene.target.max_hp, scene.target.hp + part)
    told = Explanation(f"{scene.who_acts} mends {scene.target_name} by {part}.")
    return Outcome({"mended": part}, {"target": {"hp": now}}, lambda: told)


def _resisting(scene: Here, table: Table, failed: bool) -> AreaEffect:
    """Let a target that failed spend a resistance to succeed."""
    if not failed or not scene.target.resistances:
        return AreaEffect()
    spent = table.choose(
        f"{scene.target_name}: succeed after all?",
        (False, True),
        suggest=True,
        of="target",
        id="resistance",
    )
    left = {"resistances": scene.target.resistances - 1}
    return AreaEffect(failed=False, changes=left, words=("resists after all",)) if spent else AreaEffect()


def _burning(scene: Here, table: Table, failed: bool, damage: int) -> AreaEffect:
    """Burn a target that failed for a d4 of rounds."""
    rounds = table.d(4, "burning") if failed else 0
    gives = (GivenCondition("target", "burning", rounds=rounds),) if rounds else ()
    return AreaEffect(gives=gives, words=("burns",) if rounds else (), facts={"rounds": rounds})


ATTACK_FACTS = {
    "total": "d20 and attack",
    "needed": "the armour class",
    "hit": "it hits",
    "damage": "hit points lost",
    **{f"saved_{name}": "the save against it" for name in SAVED_AGAINST},
}
BLAST = Area(
    damage=lambda scene: typed_parts([read_damage("2d4 fire")], _defences(scene)),
    hurt=lambda scene, damage: (
        {"hp": max(0, scene.target.hp - damage)},
        f"hp {scene.target.hp} → {max(0, scene.target.hp - damage)}",
    ),
    resists=lambda scene: Resistance("save", 13, terms=(Term("save", scene.target.save),)),
    decides=_resisting,
    stops=lambda scene, table: interrupted(table, ready_interruptions(scene, "cast"), None),
    follows=_burning,
)


def _change_hp(by: int) -> Any:
    def run(scene: Here, table: Table) -> Outcome:
        left = max(0, min(scene.actor.max_hp, scene.actor.hp + by * scene.options.amount))
        return Outcome({}, {"actor": {"hp": left}}, lambda: Explanation(f"{scene.actor_name}: {left} hp."))

    return run


def _turn_start(scene: Here, table: Table) -> Outcome:
    return Outcome({}, {"actor": {"reaction": True}})


def _status(scene: Here, table: Table) -> Outcome:
    return Outcome({"can_act": scene.actor.hp > 0}, tell=lambda: Explanation(f"{scene.actor_name}."))


EMBERFALL = Ruleset(
    contract=2,
    name="emberfall",
    title="Emberfall",
    credit="nobody",
    sheet=Sheet,
    actions=(
        Action(
            "attack",
            "a blow",
            _attack,
            AttackOptions,
            targets="many",
            facts=ATTACK_FACTS,
            success="hit",
            amount="damage",
            against="needed",
            needs="at_least",
        ),
        Action(
            "missile",
            "missiles that hit without a roll",
            _missile,
            Missiles,
            targets="many",
            facts={"damage": "hit points lost", "face": "the die of all missiles"},
            amount="damage",
            aims=lambda sheet, options: options.missiles,
            together=True,
        ),
        Action(
            "volley",
            "several attacks in one use",
            _volley,
            VolleyOptions,
            targets="many",
            facts={"hits": "attacks that hit", "hit": "any hits", "damage": "hit points lost"},
            success="hit",
            amount="damage",
        ),
        Action(
            "rays",
            "a ray for each aim",
            _attack,
            AttackOptions,
            targets="many",
            facts=ATTACK_FACTS,
            success="hit",
            amount="damage",
            against="needed",
            needs="at_least",
            aims=lambda sheet, options: 3,
        ),
        Action(
            "mend",
            "hit points back, divided",
            _mend,
            Mending,
            targets="many",
            facts={"mended": "hit points back"},
            amount="mended",
            splits=True,
            itself=True,
            friends=True,
        ),
        area_action("blast", "fire on several", BLAST, facts={"rounds": "for how long it burns"}),
        Action("harm", "hp lost", _change_hp(-1), Amount, group="health"),
        Action("heal", "hp back", _change_hp(1), Amount, group="health"),
        Action("status", "up or down", _status, NoOptions, facts={"can_act": "is up"}, group="check"),
        Action("turn_start", "a new turn", _turn_start, group="hook"),
    ),
    default_action="attack",
    status=lambda sheet, house: "up" if sheet.hp else "down",
    statuses=(StatusWord("up", "good"), StatusWord("down", "danger", acts=False, in_order=False)),
    meters=(Meter("hp", "hp", "max_hp"),),
    damage=AmountAction("harm"),
    heal=AmountAction("heal"),
    conditions=(
        Condition("prone", "lies low", effects=(Effect("attack", "edge", "target", amount=1),)),
        Condition("poisoned", "-", effects=(Effect("attack", "edge", amount=-1),)),
        Condition("frightened", "-"),
        Condition("shielded", "a raised shield"),
        Condition("burning", "on fire"),
    ),
    interrupts=INTERRUPTS,
    initiative=Initiative(lambda sheet, table: table.d(20, "initiative")),
)


def emberfall(*lines: str, game: Ruleset = EMBERFALL, **sheets: Any) -> Fight:
    """A fight of Ada against a mage, a guard and others; `sheets`: fields of each by id."""
    fight = Fight(game, style="manual")
    people = {"ada": "players", "bo": "players", "mage": "foes", "guard": "foes"}
    fight.roster = {
        who: Entry(who.capitalize(), side, Sheet(**sheets.get(who, {}))) for who, side in people.items()
    }
    for line in lines:
        fight.do(line)
    return fight
