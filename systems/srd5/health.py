"""Harm, healing, death saves, concentration, conditions by hand, rests and the status."""

from functools import lru_cache
from typing import Any

from systems.contract.action import Action, Refusal, Scene
from systems.contract.marked_text import as_status
from systems.contract.outcome import Explanation, Outcome, Step, owned, refuse
from systems.contract.ruleset import Rest
from systems.contract.table import Table
from systems.frozen import evolve
from systems.schema.conversion import replace
from systems.schema.fields import NoOptions, choice, declare, flag, whole
from systems.srd5.after import LOWERED, hurt_of, restored
from systems.srd5.attack import (
    HIT_FACTS,
    body_words,
    conditions_given,
    fell_words,
)
from systems.srd5.body import (
    Vitals,
    body_of,
    can_act,
    concentrates,
    concentration_asks,
    concentration_dc,
    concentration_due,
    ends_with,
    given,
    has_death_saves,
    healed,
    is_bloodied,
    is_dead,
    is_immune,
    is_unseen,
    status_of,
    walking_speed,
    without,
    woken,
)
from systems.srd5.damage import DamageDone, defence_of, suffer
from systems.srd5.house import House
from systems.srd5.rolls import RollOptions, d20_of, exhaustion_term, roll, with_dice, with_more_dice
from systems.srd5.saves import Save, throw_save
from systems.srd5.sheet import (
    DAMAGE_TYPES,
    DICE,
    GIVABLE,
    NO_CONCENTRATION,
    HitDice,
    Sheet,
    ability_modifier,
)
from systems.srd5.words import help_with, rules_out
from systems.text import plain_number, sentence, spoken

_DEATH_SAVE = 10


@declare
class HarmOptions:
    amount: int = whole(0, 999, help="hit points")
    type: str | None = choice(DAMAGE_TYPES, None, "the damage type", when_absent="of no type")
    critical: bool = flag(False, "of a critical hit: at 0 hit points it fails twice (SRD-42)", one_off=True)
    reduction: int = whole(0, 999, 0, "taken off before all else (SRD-26)")
    halved: bool = flag(False, "then halved, before resistance (R3)")


@declare
class HealOptions:
    amount: int = whole(0, 999, help="hit points")


@declare
class TemporaryOptions:
    amount: int = whole(0, 999, help="hit points")
    replace: bool = flag(False, "the new ones even where they are fewer (R9)")


@declare
class ConditionOptions:
    condition: str = choice(GIVABLE, help="the condition; exhaustion: one level")
    remove: bool = flag(False, "taken away")
    escape_dc: int = whole(0, 40, 0, "of a grapple")


@declare
class ReviveOptions:
    hp: int = whole(1, 999, 1, "hit points, at most the maximum")


@declare
class ConcentrationOptions(RollOptions):
    damage: int = whole(0, 999, help="hit points of damage taken at once")
    fail: bool = flag(False, "it lets go", one_off=True)


@declare
class ShortRestOptions:
    hit_dice: int = whole(0, 99, 0, "hit dice spent (SRD-81)")
    die: str | None = choice(DICE, None, "which of them", when_absent="as listed")


def harm(scene: Scene[Sheet, HarmOptions, House], table: Table) -> Outcome:
    """Do damage from anything else (SRD-26 to SRD-32, SRD-38 to SRD-43)."""
    options, before = scene.options, body_of(scene.actor)
    amount = max(0, options.amount - options.reduction)
    type = options.type or ""
    damage = defence_of(before, options.halved).worth(type, amount)
    absorbs = type in scene.actor.absorbs
    damage = 0 if absorbs else damage
    done = DamageDone(damage, damage > 0 and type in scene.actor.regeneration_stopped_by, type == "radiant")
    found = suffer(table, before, done, scene.house, of="actor", critical=options.critical)
    if absorbs:
        found = evolve(found, body=healed(found.body, amount // 2 if options.halved else amount)[0])
    due = concentration_due(found.body, damage)
    facts = {"damage": damage, "fell": found.fell, "concentration_dc": due}

    def tell() -> Explanation:
        words = body_words(before, found.body)
        text = f"{scene.actor_name} takes {damage} damage{words}{fell_words(found.fell)}."
        kind = f" {type}" if type else ""
        numbers = sentence(f"{options.amount}{kind} damage done") if damage != options.amount else ""
        return Explanation(text, rules=("SRD-26",), arithmetic=numbers)

    asks = concentration_asks(scene.actor_name, found.body, due, damage, "actor")
    degree, harmed = "hit" if damage else "miss", hurt_of(((type, damage),), damage, "actor")
    ends = ends_with(scene.actor, found.body.concentrating, "actor")
    return Outcome(facts, {"actor": found.body.changes()}, tell, asks, degree, hurt=harmed, ends=ends)


def heal(scene: Scene[Sheet, HealOptions, House], table: Table) -> Outcome:
    """Give hit points back (SRD-34, SRD-47)."""
    before = body_of(scene.actor)
    if is_dead(before):
        return refuse("dead", f"{scene.actor_name} is dead, and the dead are not healed.")
    if rules_out(scene, "actor", "healing"):
        return refuse("healing", f"{scene.actor_name} cannot be healed.")
    after, gained = healed(before, scene.options.amount)

    def tell() -> Explanation:
        text = f"{scene.actor_name} is healed by {gained}{body_words(before, after)}."
        return Explanation(text, rules=("SRD-34",))

    return Outcome({"healed": gained}, {"actor": after.changes()}, tell)


def temporary(scene: Scene[Sheet, TemporaryOptions, House], table: Table) -> Outcome:
    """Give temporary hit points, which do not add up (SRD-33, R9)."""
    actor, options = scene.actor, scene.options
    if is_dead(body_of(actor)):
        return refuse("dead", f"{scene.actor_name} is dead.")
    if rules_out(scene, "actor", "temp_hp"):
        return refuse("healing", f"{scene.actor_name} cannot have temporary hit points.")
    now = options.amount if options.replace else max(actor.temp_hp, options.amount)

    def tell() -> Explanation:
        text = f"{scene.actor_name} has {now} temporary hit points."
        return Explanation(text, rules=("SRD-33",))

    facts = {"temp_hp": now, "gained": now - actor.temp_hp}
    return Outcome(facts, {"actor": {"temp_hp": now}}, tell)


def set_condition(scene: Scene[Sheet, ConditionOptions, House], table: Table) -> Outcome:
    """Give or take a condition by hand (SRD-48 to SRD-63)."""
    options, before, name = scene.options, body_of(scene.actor), scene.actor_name
    condition = options.condition
    if is_dead(before):
        return refuse("dead", f"{name} is dead.")
    if not options.remove and is_immune(before, condition):
        return refuse("immune", f"{name} is immune to {spoken(condition)}.")
    if options.remove and condition == "unconscious" and before.hp == 0:
        return refuse("zero_hp", f"{name} is unconscious as long as it has 0 hit points.")
    if not options.remove:
        after = given(before, (condition,), options.escape_dc)[0]
    elif condition == "unconscious":
        after = woken(before)
    else:
        after = without(before, condition)
    changed = after != before

    def tell() -> Explanation:
        now = "no longer" if options.remove else "now"
        words = f"exhaustion {after.exhaustion}" if condition == "exhaustion" else f"{now} {condition}"
        text = f"{name} is {words}." if condition != "exhaustion" else f"{name} has {words}."
        return Explanation(text if changed else f"Nothing changes for {name}.", rules=("SRD-63",))

    new = (condition,) if changed and not options.remove else ()
    return Outcome(
        {"changed": changed, "exhaustion": after.exhaustion},
        {"actor": after.changes()},
        tell,
        gives=conditions_given(new, "actor"),
    )


def revive(scene: Scene[Sheet, ReviveOptions, House], table: Table) -> Outcome:
    """Bring back the dead (SRD-93)."""
    actor, before = scene.actor, body_of(scene.actor)
    if not is_dead(before):
        return refuse("alive", f"{scene.actor_name} is not dead.")
    if actor.max_hp == 0:
        return refuse("max_hp", f"{scene.actor_name} has a maximum of 0 hit points.")
    hp = min(scene.options.hp, actor.max_hp)
    after = evolve(
        woken(before),
        hp=hp,
        death_successes=0,
        death_failures=0,
        stable=False,
        exhaustion=min(5, before.exhaustion),
    )

    def tell() -> Explanation:
        text = f"{scene.actor_name} comes back from the dead{body_words(before, after)}."
        return Explanation(text, rules=("SRD-93",))

    return Outcome({"hp": hp}, {"actor": after.changes()}, tell)


# Saves of their own.


@lru_cache(maxsize=1)
def _dying_grade() -> Any:
    def grade(face: int, total: int) -> str:
        if face in (1, 20):
            return "revived" if face == 20 else "two_failures"
        return "success" if total >= _DEATH_SAVE else "failure"

    return grade


def after_death_save(body: Vitals, result: str) -> Vitals:
    """Return the body after a death save (SRD-39 to SRD-41)."""
    match result:
        case "revived":
            return healed(body, 1)[0]
        case "success" if body.death_successes + 1 >= 3:
            return evolve(body, death_successes=0, death_failures=0, stable=True)
        case "success":
            return evolve(body, death_successes=body.death_successes + 1)
    more = 2 if result == "two_failures" else 1
    return evolve(body, death_failures=min(3, body.death_failures + more))


def death_save(scene: Scene[Sheet, RollOptions, House], table: Table) -> Outcome:
    """Roll a death save (SRD-39 to SRD-41, R18)."""
    before = body_of(scene.actor)
    if not has_death_saves(before):
        return refuse("not_dying", f"{scene.actor_name} has no death save to make.")
    helped = help_with(scene, "actor", "saves")
    terms = (*helped.terms, *exhaustion_term(before.exhaustion))
    d20 = with_more_dice(d20_of(scene, helped.advantages, helped.disadvantages, *terms), helped.dice)
    rolled = roll(table, d20, _dying_grade(), "death save", needed=_DEATH_SAVE)
    after = after_death_save(before, rolled.grade)
    facts = {
        **rolled.facts,
        "result": rolled.grade,
        "successes": after.death_successes,
        "failures": after.death_failures,
        "stable": after.stable,
        "dead": is_dead(after),
    }

    def tell() -> Explanation:
        words = {
            "success": "passes a death save",
            "failure": "fails a death save",
            "two_failures": "fails two death saves at once",
            "revived": "wakes with 1 hit point",
        }[rolled.grade]
        state = status_of(after)
        text = f"{scene.who_acts} {words}"
        text += f", {as_status(state)}." if state in ("dead", "stable") else "."
        numbers = sentence(f"{plain_number(rolled.total)} against {_DEATH_SAVE}")
        step = Step("death saves", f"{after.death_successes} passed, {after.death_failures} failed")
        return Explanation(text, owned("actor", *rolled.terms), (step,), ("SRD-39",), arithmetic=numbers)

    return Outcome(facts, {"actor": after.changes()}, tell, degree=rolled.grade)


def concentration(scene: Scene[Sheet, ConcentrationOptions, House], table: Table) -> Outcome:
    """Keep up concentration after damage, or lose it (SRD-79)."""
    options, before, name = scene.options, body_of(scene.actor), scene.actor_name
    if not concentrates(before):
        return refuse("concentration", f"{name} concentrates on nothing.")
    dc = concentration_dc(options.damage)
    changed = [help_with(scene, "actor", word) for word in ("saves", "concentration")]
    dice = [die for each in changed for die in each.dice]
    save = Save(
        "constitution",
        dc,
        options.advantage + sum(each.advantages for each in changed),
        options.disadvantage + sum(each.disadvantages for each in changed),
        (*(term for each in changed for term in each.terms), *scene.option_terms("modifier")),
        fail=options.fail,
        bonus_dice=with_dice(options.bonus_dice, dice, taken=False),
        penalty_dice=with_dice(options.penalty_dice, dice, taken=True),
        of="actor",
    )
    saved = throw_save(table, before, save, scene.house)
    after = before if saved.passed else evolve(before, concentrating=NO_CONCENTRATION)

    def tell() -> Explanation:
        how = "keeps up" if saved.passed else "loses"
        text = f"{scene.who_acts} {how} the concentration on {before.concentrating}."
        if saved.rolled is None:
            return Explanation(text, rules=("SRD-79",))
        numbers = sentence(f"{plain_number(saved.rolled.total)} against {dc}")
        terms = owned("actor", *saved.rolled.terms)
        return Explanation(text, terms, (Step("DC", str(dc)),), ("SRD-79",), arithmetic=numbers)

    facts = {"dc": dc, **saved.facts, "saved": saved.passed}
    ends = ends_with(scene.actor, after.concentrating, "actor")
    degree = "passed" if saved.passed else "failed"
    return Outcome(facts, {"actor": after.changes()}, tell, degree=degree, ends=ends)


# Rests.


def _back(sheet: Sheet, is_long: bool) -> dict[str, object]:
    """Return the fields that a rest brings back: recharge, uses and spell slots (SRD-81, SRD-82)."""

    def fresh(entry: Any) -> Any:
        comes_back = is_long or entry.back_after == "short_rest"
        changes: dict[str, object] = {"spent": False} if entry.spent else {}
        if comes_back and entry.used:
            changes["used"] = 0
        return replace(entry, **changes) if changes else entry

    def refilled(slots: Any) -> Any:
        comes_back = is_long or slots.back_after == "short_rest"
        return replace(slots, left=slots.total) if comes_back and slots.left < slots.total else slots

    return {
        "attacks": tuple(map(fresh, sheet.attacks)),
        "powers": tuple(map(fresh, sheet.powers)),
        "spell_slots": tuple(map(refilled, sheet.spell_slots)),
    }


def _cannot_rest(scene: Scene[Sheet, Any, House]) -> Outcome | None:
    body = body_of(scene.actor)
    if is_dead(body):
        return refuse("dead", f"{scene.actor_name} is dead.")
    if body.hp == 0:
        return refuse("zero_hp", f"{scene.actor_name} has 0 hit points and cannot rest.")
    return None


def _kept(sheet: Sheet, changes: dict[str, object]) -> dict[str, object]:
    """Return the changes that change anything."""
    return {name: value for name, value in changes.items() if getattr(sheet, name) != value}


def _restored(before: Sheet, after: Sheet) -> dict[str, object]:
    """Return what a rest restores of lowered maximums and abilities."""
    names = (*LOWERED, *LOWERED.values())
    return {name: now for name in names if (now := getattr(after, name)) != getattr(before, name)}


def short_rest(scene: Scene[Sheet, ShortRestOptions, House], table: Table) -> Outcome:
    """Rest for an hour, and spend hit dice (SRD-36, SRD-81)."""
    actor, options = scene.actor, scene.options
    if refused := _cannot_rest(scene):
        return refused
    usable = [dice for dice in actor.hit_dice if options.die is None or dice.die == options.die]
    if sum(dice.left for dice in usable) < options.hit_dice:
        return refuse("hit_dice", f"{scene.actor_name} has too few hit dice left.")
    plus, amount, wanted = ability_modifier(actor, "constitution"), 0, options.hit_dice
    spent: dict[int, int] = {}
    for dice in usable:
        for _ in range(min(dice.left, wanted)):
            amount += max(1, table.d(int(dice.die[1:]), "hit die") + plus)
            wanted -= 1
            spent[id(dice)] = spent.get(id(dice), 0) + 1
    rested = restored(actor, long=False)
    before = body_of(rested)
    after, gained = healed(woken(before) if actor.knocked_out else before, amount)
    left = tuple(
        replace(dice, left=dice.left - spent[id(dice)]) if id(dice) in spent else dice
        for dice in actor.hit_dice
    )

    def tell() -> Explanation:
        used = f", {options.hit_dice} hit dice spent" if options.hit_dice else ""
        text = f"{scene.actor_name} rests for an hour{used}{body_words(before, after)}."
        return Explanation(text, rules=("SRD-81",))

    back = _kept(actor, {**_back(actor, False), "hit_dice": left})
    changes = {**_restored(actor, rested), **after.changes(), **back}
    return Outcome({"healed": gained}, {"actor": changes}, tell)


def _hit_dice_back(dice: HitDice, house: House) -> HitDice:
    back = dice.total if house.hit_dice_back == "all" else max(1, dice.total // 2)
    left = min(dice.total, dice.left + back)
    return replace(dice, left=left) if left > dice.left else dice


def long_rest(scene: Scene[Sheet, NoOptions, House], table: Table) -> Outcome:
    """Rest for eight hours (SRD-82, SRD-83, R17)."""
    actor = scene.actor
    if refused := _cannot_rest(scene):
        return refused
    rested = restored(actor, long=True)
    before = body_of(rested)
    after, gained = healed(woken(before) if actor.knocked_out else before, rested.max_hp)
    after = evolve(
        after,
        temp_hp=0,
        exhaustion=max(0, after.exhaustion - 1),
        legendary_resistances_left=max(after.legendary_resistances_left, actor.legendary_resistances),
    )
    changes = {**_restored(actor, rested), **after.changes()}
    dice = tuple(_hit_dice_back(each, scene.house) for each in actor.hit_dice)
    changes |= _kept(actor, {**_back(actor, True), "hit_dice": dice})

    def tell() -> Explanation:
        text = f"{scene.actor_name} rests for eight hours{body_words(before, after)}."
        return Explanation(text, rules=("SRD-82",))

    return Outcome({"healed": gained, "exhaustion": after.exhaustion}, {"actor": changes}, tell)


def status_report(scene: Scene[Sheet, NoOptions, House], table: Table) -> Outcome:
    """Say what the sheet amounts to (SRD-35, SRD-92)."""
    body = body_of(scene.actor)
    facts = {
        "can_act": can_act(body),
        "speed": walking_speed(body),
        "bloodied": is_bloodied(body) and not is_dead(body),
        "death_save_due": has_death_saves(body),
        "unseen": is_unseen(body, scene.actor.hidden_dc),
    }

    def tell() -> Explanation:
        text = f"{scene.actor_name} is {as_status(status_of(body))}, speed {facts['speed']} feet."
        return Explanation(text, rules=("SRD-35",))

    return Outcome(facts, {}, tell)


def status(sheet: Sheet, house: House) -> str:
    """Return the status of a sheet."""
    return status_of(body_of(sheet))


_DEAD = Refusal("dead", "it is dead")
_NO_HEALING = Refusal("healing", "an effect rules it out")
_ZERO = Refusal("zero_hp", "at 0 hit points")
HARM = Action(
    "harm",
    "Damage from anything else.",
    harm,
    HarmOptions,
    facts=HIT_FACTS,
    group="health",
    rules=("SRD-26", "SRD-32", "SRD-42"),
    amount="damage",
)
HEAL = Action(
    "heal",
    "Give hit points back.",
    heal,
    HealOptions,
    facts={"healed": "hit points gained, never above the maximum"},
    refusals=(_DEAD, _NO_HEALING),
    group="health",
    rules=("SRD-34", "SRD-47"),
)
TEMPORARY = Action(
    "temporary",
    "Give temporary hit points.",
    temporary,
    TemporaryOptions,
    facts={"temp_hp": "temporary hit points now", "gained": "may be below 0 with replace"},
    refusals=(_DEAD, _NO_HEALING),
    group="health",
    rules=("SRD-33",),
    title="temporary hit points",
)
SET_CONDITION = Action(
    "set_condition",
    "Give or take a condition by hand.",
    set_condition,
    ConditionOptions,
    facts={"changed": "whether anything changed", "exhaustion": "levels now"},
    refusals=(
        _DEAD,
        Refusal("immune", "given, and it is immune"),
        Refusal("zero_hp", "unconscious taken away at 0 hit points"),
    ),
    group="health",
    rules=("SRD-63",),
)
REVIVE = Action(
    "revive",
    "Bring back the dead.",
    revive,
    ReviveOptions,
    facts={"hp": "hit points now"},
    refusals=(Refusal("alive", "it is not dead"), Refusal("max_hp", "its maximum is 0")),
    group="health",
    rules=("SRD-93",),
)
DEATH_SAVE = Action(
    "death_save",
    "Roll a death save.",
    death_save,
    RollOptions,
    facts={
        "roll": "advantage, disadvantage or normal",
        "face": "the die that counts",
        "total": "the face and all that is added",
        "result": "success, failure, two_failures or revived",
        "successes": "after it",
        "failures": "after it",
        "stable": "after it",
        "dead": "after it",
    },
    refusals=(Refusal("not_dying", "hit points left, stable, dead, or it dies at 0"),),
    group="health",
    rules=("SRD-39", "SRD-40", "SRD-41"),
)
CONCENTRATION = Action(
    "concentration",
    "Keep up concentration after damage.",
    concentration,
    ConcentrationOptions,
    facts={
        "dc": "half the damage, at least 10, at most 30",
        "roll": "advantage, disadvantage or normal; only when a d20 fell, as face and total",
        "face": "the die that counts; only when a d20 fell",
        "total": "of the save; only when a d20 fell",
        "saved": "the save succeeded",
    },
    refusals=(Refusal("concentration", "it concentrates on nothing"),),
    group="health",
    rules=("SRD-79",),
    success="saved",
    against="dc",
    needs="at_least",
)
SHORT_REST = Action(
    "short_rest",
    "Rest for an hour.",
    short_rest,
    ShortRestOptions,
    facts={"healed": "hit points given back"},
    refusals=(_DEAD, _ZERO, Refusal("hit_dice", "too few are left")),
    group="camp",
    rules=("SRD-81",),
    letter="z",
)
LONG_REST = Action(
    "long_rest",
    "Rest for eight hours.",
    long_rest,
    NoOptions,
    facts={"healed": "hit points given back", "exhaustion": "levels now"},
    refusals=(_DEAD, _ZERO),
    group="camp",
    rules=("SRD-82", "SRD-83"),
)
STATUS = Action(
    "status",
    "Say what the sheet amounts to; no dice.",
    status_report,
    NoOptions,
    facts={
        "can_act": "not incapacitated, at 0 or dead",
        "speed": "walking, in feet, with conditions and exhaustion",
        "bloodied": "half of the maximum or fewer, and not dead",
        "death_save_due": "a death save is due",
        "unseen": "invisible or hidden",
    },
    group="check",
    rules=("SRD-35", "SRD-92"),
    unable=True,
)


def _no_rest(sheet: Sheet, house: House) -> str:
    body = body_of(sheet)
    return "dead" if is_dead(body) else "down" if body.hp == 0 else ""


RESTS = (
    Rest("short", "a short rest", steps=(("short_rest", {}),), denied=_no_rest),
    Rest("long", "a long rest", steps=(("long_rest", {}),), denied=_no_rest),
)
