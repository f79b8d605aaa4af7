"""Ability checks and other saves: check, save, initiative, escape, hide, first aid, grapple and shove."""

from functools import lru_cache
from typing import Any

from systems.contract.action import Action, Refusal, Scene
from systems.contract.outcome import EndedCondition, Explanation, Outcome, Role, Step, Term, owned, refuse
from systems.contract.table import Table
from systems.errors import Wrong, unknown
from systems.frozen import evolve
from systems.schema.conversion import entry_named
from systems.schema.fields import choice, declare, flag, listing, text, whole
from systems.schema.naming import Naming
from systems.schema.types import Choice
from systems.srd5 import costs
from systems.srd5.attack import bars, conditions_given, gave_words, save_words
from systems.srd5.body import (
    body_of,
    ended,
    given,
    has,
    has_death_saves,
    is_dead,
    is_unseen,
    without,
    woken,
)
from systems.srd5.house import House
from systems.srd5.rolls import (
    D20,
    CheckRollOptions,
    Rolled,
    RollOptions,
    d20_of,
    exhaustion_term,
    reaching,
    roll,
    ungraded,
    with_dice,
    with_more_dice,
)
from systems.srd5.saves import Save, SaveResult, may_resist, throw_save
from systems.srd5.sheet import (
    ABILITIES,
    GIVABLE,
    SIZES,
    SKILLS,
    Sheet,
    ability_modifier,
    save_bonus,
    skill_bonus,
)
from systems.srd5.words import help_with
from systems.text import find_word, plain_number, sentence, shown, spoken

_FIRST_AID = 10
_HIDING = 15


@declare
class CheckOptions(CheckRollOptions):
    ability: str | None = choice(ABILITIES, None, "the ability", when_absent="the skill's")
    skill: str | None = text(
        None,
        "a skill of the sheet by name, or one of the 18",
        when_absent="an ability alone",
        naming=Naming("skills", also=tuple(SKILLS), free=False),
    )
    dc: int | None = whole(0, 99, None, "to reach (SRD-02)", when_absent="only the total")
    proficient: bool = flag(
        False, "adds the proficiency bonus, if the sheet has no entry for the skill (SRD-06)"
    )
    sight: bool = flag(False, "needs sight: the blinded fail (SRD-48)")
    hearing: bool = flag(False, "needs hearing: the deafened fail (SRD-50)")


@declare
class SaveOptions(RollOptions):
    ability: str = choice(ABILITIES, help="the ability of the save")
    dc: int = whole(0, 99, help="to reach")
    cover: str = choice(
        ("none", "half", "three_quarters"), "none", "2 or 5 more in a Dexterity save (SRD-14)"
    )
    magical: bool = flag(False, "magic resistance helps (SRD-84)")
    fail: bool = flag(False, "it chooses to fail (SRD-09)", one_off=True)
    legendary_resistance: bool = flag(
        False, "a failed save becomes a success, for a legendary resistance (SRD-76)", one_off=True
    )
    ends: tuple[str, ...] = listing(
        Choice(GIVABLE), (), "conditions that a success ends, and that a failure exchanges (R19)"
    )
    gives: tuple[str, ...] = listing(Choice(GIVABLE), (), "conditions that a failure gives")


@declare
class InitiativeOptions(CheckRollOptions):
    surprised: bool = flag(False, "disadvantage (SRD-10)")


@declare
class HoldOptions(RollOptions):
    save: str | None = choice(
        ("strength", "dexterity"), None, "the target's choice (R31)", when_absent="the greater bonus"
    )
    legendary_resistance: bool = flag(
        False, "a failed save becomes a success, for a legendary resistance (SRD-76)", one_off=True
    )
    charmer: bool = flag(False, "the target has charmed the actor (SRD-49)")


@declare
class ShoveOptions(HoldOptions):
    effect: str = choice(("prone", "push"), "prone", "knocked prone, or pushed 5 feet")


@declare
class EscapeOptions(CheckRollOptions):
    skill: str | None = choice(
        ("athletics", "acrobatics"), None, "the skill", when_absent="the greater bonus"
    )
    dc: int | None = whole(0, 99, None, "to reach", when_absent="the grapple's number")


@declare
class StabilizeOptions(CheckRollOptions):
    automatic: bool = flag(False, "without a check, as with a healer's kit or by magic")


# The d20 of a check.


def check_d20(
    scene: Scene[Sheet, Any, House], terms: tuple[Term, ...], advantages: int = 0, disadvantages: int = 0
) -> D20:
    """Return the d20 of an ability check of the actor (SRD-02, SRD-11, SRD-52, SRD-58, SRD-67)."""
    actor = scene.actor
    held = has(body_of(actor))
    hindered = ("poisoned" in held) + ("frightened" in held and scene.options.fear_in_sight)
    changed = help_with(scene, "actor", "checks")
    found = d20_of(
        scene,
        actor.helped + advantages + changed.advantages,
        hindered + disadvantages + changed.disadvantages,
        *terms,
        *changed.terms,
        *exhaustion_term(actor.exhaustion),
    )
    return with_more_dice(found, changed.dice)


def _used_help(actor: Sheet) -> dict[str, object]:
    return {"helped": False} if actor.helped else {}


def skill_terms(sheet: Sheet, skill: str) -> tuple[Term, ...]:
    """Return the term of one of the 18 skills."""
    return (Term(spoken(skill), skill_bonus(sheet, skill)),)


@lru_cache(maxsize=8)
def _terms_of_check(scene: Scene[Sheet, CheckOptions, House]) -> tuple[Term, ...]:
    """Return the terms of a check's bonus (SRD-06, SRD-07). Raises Wrong for an unknown skill."""
    actor, options = scene.actor, scene.options
    trained = (Term("proficiency", actor.proficiency),) if options.proficient else ()
    if options.skill is None:
        if options.ability is None:
            raise Wrong("options.ability", "is needed, or a skill")
        return (Term(options.ability, ability_modifier(actor, options.ability)), *trained)
    entry = entry_named(actor.skills, options.skill)
    known = find_word(options.skill, SKILLS)
    if entry is None and known is None:
        names = [*(each.name for each in actor.skills), *SKILLS]
        raise unknown("options.skill", f"no skill {shown(options.skill)}", options.skill, names)
    usual = SKILLS[known] if known else None
    ability = options.ability or usual
    if entry is None:
        assert known is not None
        assert ability is not None
        return (Term(f"{spoken(known)} by {ability}", ability_modifier(actor, ability)), *trained)
    if usual is None or ability is None or ability == usual:
        return (Term(entry.name, entry.bonus),)
    swapped = ability_modifier(actor, ability) - ability_modifier(actor, usual)
    return (Term(entry.name, entry.bonus), Term(f"{ability}, not {usual}", swapped))


def check(scene: Scene[Sheet, CheckOptions, House], table: Table) -> Outcome:
    """Resolve an ability check (SRD-02 to SRD-07)."""
    actor, options, name = scene.actor, scene.options, scene.actor_name
    terms, body = _terms_of_check(scene), body_of(actor)
    if is_dead(body):
        return refuse("dead", f"{name} is dead.")
    held = has(body)
    what = spoken(options.skill or options.ability or "")
    dc = {} if options.dc is None else {"dc": options.dc}
    if (options.sight and "blinded" in held) or (options.hearing and "deafened" in held):
        lacks = "sight" if options.sight and "blinded" in held else "hearing"
        text = f"{scene.who_acts} fails the {what} check, which needs {lacks}."
        return Outcome(
            {**dc, "auto": "fail", "passed": False}, {}, lambda: Explanation(text), degree="failed"
        )
    d20 = check_d20(scene, terms)
    if options.dc is None:
        rolled = roll(table, d20, ungraded, f"{what} check")
        facts, degree = {**rolled.facts, "auto": "none"}, ""
    else:
        rolled = _against(table, scene, d20, options.dc, f"{what} check")
        facts = {**rolled.facts, **dc, "auto": "none", "passed": rolled.grade}
        degree = "passed" if rolled.grade else "failed"
    changes = {"actor": _used_help(actor)}
    return Outcome(facts, changes, lambda: _told_check(scene, rolled, what, options.dc), degree=degree)


def _against(table: Table, scene: Scene[Sheet, Any, House], d20: D20, dc: int, why: str) -> Rolled:
    return roll(table, d20, reaching(dc, scene.house.natural_tests), why, needed=dc)


def _told_check(
    scene: Scene[Sheet, Any, House], rolled: Rolled, what: str, dc: int | None, more: str = ""
) -> Explanation:
    total = plain_number(rolled.total)
    if dc is None:
        text = f"{scene.who_acts} rolls {total} in a {what} check."
        return Explanation(text, owned("actor", *rolled.terms), rules=("SRD-02",))
    how = "passes" if rolled.grade else "fails"
    text = f"{scene.who_acts} {how} the {what} check.{more}"
    steps = (Step("DC", str(dc)),)
    terms, numbers = owned("actor", *rolled.terms), sentence(f"{total} against {dc}")
    return Explanation(text, terms, steps, ("SRD-02",), arithmetic=numbers)


def save(scene: Scene[Sheet, SaveOptions, House], table: Table) -> Outcome:
    """Resolve a save that may end conditions or make them worse (SRD-08, SRD-09, R19)."""
    options, before = scene.options, body_of(scene.actor)
    if is_dead(before):
        return refuse("dead", f"{scene.actor_name} is dead.")
    if refused := costs.no_legendary(scene, scene.actor, scene.actor_name):
        return refused
    asked = _save_asked(scene)
    saved = throw_save(table, before, asked, scene.house)
    body = saved.body
    gone: tuple[str, ...] = ()
    gave: tuple[str, ...] = ()
    if saved.passed or options.gives:
        body, gone = ended(body, options.ends)
    if not saved.passed:
        body, gave = given(body, options.gives, 0)
    facts = {
        **saved.facts,
        "saved": saved.passed,
        "resisted": saved.resisted,
        "dc": options.dc,
        "ended": gone,
        "gave": gave,
    }

    def tell() -> Explanation:
        name = scene.actor_name
        text = save_words(scene.who_acts, options.ability, saved)
        ends = [word.replace("_", " ") for word in gone]
        text += f" {name} is no longer {' and '.join(ends)}." if gone else ""
        text += f" {gave_words(name, gave)}" if gave else ""
        steps = (Step("DC", str(options.dc)),) if saved.rolled else ()
        return _told_save(text, saved, "actor", options.dc, steps, "SRD-08")

    return Outcome(
        facts,
        {"actor": body.changes()},
        tell,
        degree="passed" if saved.passed else "failed",
        gives=conditions_given(gave, "actor"),
    )


def _told_save(
    text: str, saved: SaveResult, of: Role, dc: int, steps: tuple[Step, ...], rule: str
) -> Explanation:
    """Explain a save of the combatant `of`, rolled or failed without a die."""
    if saved.rolled is None:
        return Explanation(text, steps=steps, rules=(rule,))
    numbers = sentence(f"{plain_number(saved.rolled.total)} against {dc}")
    return Explanation(text, owned(of, *saved.rolled.terms), steps, (rule,), arithmetic=numbers)


@lru_cache(maxsize=8)
def _save_asked(scene: Scene[Sheet, SaveOptions, House]) -> Save:
    options = scene.options
    helped = help_with(scene, "actor", "saves")
    return Save(
        options.ability,
        options.dc,
        options.advantage + helped.advantages,
        options.disadvantage + helped.disadvantages,
        (*helped.terms, *scene.option_terms("modifier")),
        options.cover,
        options.magical,
        options.fail,
        options.legendary_resistance,
        with_dice(options.bonus_dice, helped.dice, taken=False),
        with_dice(options.penalty_dice, helped.dice, taken=True),
        of="actor",
        resists=may_resist(scene, scene.actor, scene.actor_name),
    )


def initiative_d20(scene: Scene[Sheet, InitiativeOptions, House]) -> D20:
    """Return the d20 of an initiative roll (SRD-10, SRD-54, SRD-55, R18, R34)."""
    actor, body = scene.actor, body_of(scene.actor)
    slow = ("incapacitated" in has(body)) + scene.options.surprised
    quick = int(is_unseen(body, actor.hidden_dc))
    return check_d20(scene, (Term("initiative", actor.initiative),), quick, slow)


def initiative(scene: Scene[Sheet, InitiativeOptions, House], table: Table) -> Outcome:
    """Roll the initiative of one combatant (SRD-10)."""
    rolled = roll(table, initiative_d20(scene), ungraded, "initiative")

    def tell() -> Explanation:
        text = f"{scene.who_acts} rolls {plain_number(rolled.total)} for initiative."
        return Explanation(text, owned("actor", *rolled.terms), rules=("SRD-10",))

    return Outcome(rolled.facts, {"actor": _used_help(scene.actor)}, tell)


# Grapple, shove, escape.


def _hold(scene: Scene[Sheet, Any, House], table: Table, condition: str, doing: str, done: str) -> Outcome:
    """Resolve a grapple or a shove (SRD-70, SRD-71, R31)."""
    actor, target, options = scene.actor, scene.target, scene.options
    body = body_of(target)
    if refused := costs.cannot_act(scene, doing) or bars(scene, body):
        return refused
    if SIZES.index(target.size) - SIZES.index(actor.size) > 1:
        return refuse("size", f"{scene.target_name} is more than one size larger.")
    if refused := costs.no_legendary(scene, target, scene.target_name):
        return refused
    dc = 8 + ability_modifier(actor, "strength") + actor.proficiency
    is_nimble = save_bonus(target, "dexterity") > save_bonus(target, "strength")
    ability = options.save or ("dexterity" if is_nimble else "strength")
    saved = throw_save(table, body, _held_save(scene, ability, dc), scene.house)
    after = saved.body
    gave: tuple[str, ...] = ()
    if not saved.passed and condition:
        after, gave = given(after, (condition,), dc)
    facts = {
        "dc": dc,
        "save": ability,
        **saved.facts,
        "saved": saved.passed,
        "resisted": saved.resisted,
        "gave": gave,
    }

    def tell() -> Explanation:
        how = "withstands" if saved.passed else "does not withstand"
        text = f"{scene.who_acts} tries to {doing} {scene.target_name}, who {how} it."
        text += f" {gave_words(scene.target_name, gave)}" if gave else ""
        text += f" {scene.target_name} {done}." if done and not saved.passed else ""
        steps = (Step("DC", str(dc), of="actor"),)
        return _told_save(text, saved, "target", dc, steps, "SRD-70")

    return Outcome(
        facts,
        {"target": after.changes()},
        tell,
        degree="resisted" if saved.passed else "won",
        gives=conditions_given(gave, "target"),
    )


@lru_cache(maxsize=16)
def _held_save(scene: Scene[Sheet, Any, House], ability: str, dc: int) -> Save:
    options = scene.options
    helped = help_with(scene, "target", "saves")
    return Save(
        ability,
        dc,
        options.advantage + helped.advantages,
        options.disadvantage + helped.disadvantages,
        (*helped.terms, *scene.option_terms("modifier")),
        resist=options.legendary_resistance,
        bonus_dice=with_dice(options.bonus_dice, helped.dice, taken=False),
        penalty_dice=with_dice(options.penalty_dice, helped.dice, taken=True),
        resists=may_resist(scene, scene.target, scene.target_name),
    )


def grapple(scene: Scene[Sheet, HoldOptions, House], table: Table) -> Outcome:
    """Hold the target (SRD-70)."""
    return _hold(scene, table, "grappled", "grapple", "")


def shove(scene: Scene[Sheet, ShoveOptions, House], table: Table) -> Outcome:
    """Push the target or knock it prone (SRD-71)."""
    if scene.options.effect == "push":
        return _hold(scene, table, "", "shove", "is pushed 5 feet")
    return _hold(scene, table, "prone", "shove", "")


def escape(scene: Scene[Sheet, EscapeOptions, House], table: Table) -> Outcome:
    """Get out of a grapple (SRD-72, R24)."""
    actor, options = scene.actor, scene.options
    if refused := costs.cannot_act(scene, "get free"):
        return refused
    if "grappled" not in actor.conditions:
        return refuse("grappled", f"{scene.actor_name} is not grappled.")
    is_nimble = skill_bonus(actor, "acrobatics") > skill_bonus(actor, "athletics")
    skill = options.skill or ("acrobatics" if is_nimble else "athletics")
    dc = actor.escape_dc if options.dc is None else options.dc
    rolled = _against(table, scene, check_d20(scene, skill_terms(actor, skill)), dc, f"{skill} check")
    body = body_of(actor)
    after = without(body, "grappled") if rolled.grade else body
    facts = {"skill": skill, "dc": dc, **rolled.facts, "passed": rolled.grade}

    def tell() -> Explanation:
        more = f" {scene.actor_name} is free." if rolled.grade else ""
        return _told_check(scene, rolled, skill, dc, more)

    changes = {"actor": {**after.changes(), **_used_help(actor)}}
    return Outcome(facts, changes, tell, degree="passed" if rolled.grade else "failed")


def conceal(scene: Scene[Sheet, CheckRollOptions, House], table: Table) -> Outcome:
    """Hide: the total is the number that finds (SRD-68)."""
    actor = scene.actor
    if refused := costs.cannot_act(scene, "hide"):
        return refused
    d20, natural = check_d20(scene, skill_terms(actor, "stealth")), scene.house.natural_tests
    rolled = roll(table, d20, _hiding(natural), "stealth check", needed=_HIDING)
    passed = rolled.grade > 0
    facts = {**rolled.facts, "passed": passed}
    changes = {"hidden_dc": rolled.grade, **_used_help(actor)}

    def tell() -> Explanation:
        how = "hides" if passed else "finds no place to hide"
        numbers = sentence(f"{plain_number(rolled.total)} against {_HIDING}")
        return Explanation(
            f"{scene.who_acts} {how}.",
            owned("actor", *rolled.terms),
            (Step("DC", str(_HIDING)),),
            ("SRD-68",),
            arithmetic=numbers,
        )

    return Outcome(facts, {"actor": changes}, tell, degree="passed" if passed else "failed")


@lru_cache(maxsize=2)
def _hiding(natural: bool) -> Any:
    """Return the grade of hiding: the number that finds, 0 when it failed."""
    reaches = reaching(_HIDING, natural)

    def grade(face: int, total: int) -> int:
        return max(1, min(99, total)) if reaches(face, total) else 0

    return grade


def stabilize(scene: Scene[Sheet, StabilizeOptions, House], table: Table) -> Outcome:
    """Give first aid (SRD-36, SRD-45)."""
    actor, target, options = scene.actor, scene.target, scene.options
    if refused := costs.cannot_act(scene, "give first aid"):
        return refused
    body = body_of(target)
    if not has_death_saves(body) and not target.knocked_out:
        return refuse("target", f"{scene.target_name} needs no first aid.")
    rolled = None
    if not options.automatic:
        d20 = check_d20(scene, skill_terms(actor, "medicine"))
        rolled = _against(table, scene, d20, _FIRST_AID, "medicine check")
    passed = rolled.grade if rolled else True
    after = body
    if passed and target.knocked_out:
        after = woken(after)
    if passed and has_death_saves(body):
        after = evolve(after, stable=True, death_successes=0, death_failures=0)
    facts = {**(rolled.facts if rolled else {}), "passed": passed}

    def tell() -> Explanation:
        state = "awake" if after.hp else "stable"
        more = f" {scene.target_name} is {state}." if passed else ""
        if rolled is None:
            return Explanation(f"{scene.who_acts} gives first aid.{more}", rules=("SRD-45",))
        return _told_check(scene, rolled, "medicine", _FIRST_AID, more)

    changes = {"actor": _used_help(actor) if rolled else {}, "target": after.changes()}
    ends = (EndedCondition("target", "unconscious"),) if passed and target.knocked_out else ()
    return Outcome(facts, changes, tell, degree="passed" if passed else "failed", ends=ends)


_DEAD = Refusal("dead", "the actor is dead")
_D20_FACTS = {
    "roll": "advantage, disadvantage or normal; only when a d20 fell, as face and total",
    "face": "the die that counts; only when a d20 fell",
    "total": "the face and all that is added; only when a d20 fell",
}
_ALWAYS_ROLLED = {
    "roll": "advantage, disadvantage or normal",
    "face": "the die that counts",
    "total": "the face and all that is added",
}
CHECK = Action(
    "check",
    "Make an ability check.",
    check,
    CheckOptions,
    facts={
        **_D20_FACTS,
        "dc": "to reach; only with dc",
        "auto": "fail (no die) or none",
        "passed": "only with dc or auto fail",
    },
    refusals=(_DEAD,),
    group="check",
    rules=("SRD-02", "SRD-06", "SRD-07"),
    success="passed",
    against="dc",
    needs="at_least",
    letter="t",
    unable=True,
)
SAVE = Action(
    "save",
    "Make a saving throw that no attack or power asks for.",
    save,
    SaveOptions,
    facts={
        **_D20_FACTS,
        "saved": "the save succeeded",
        "resisted": "a legendary resistance was spent",
        "dc": "to reach",
        "ended": "the conditions that ended",
        "gave": "the conditions that are new",
    },
    refusals=(_DEAD, costs.LEGENDARY),
    group="check",
    rules=("SRD-08", "SRD-09", "SRD-76"),
    success="saved",
    against="dc",
    needs="at_least",
    letter="s",
    unable=True,
)
INITIATIVE_ROLL = Action(
    "initiative",
    "Roll the initiative of one combatant.",
    initiative,
    InitiativeOptions,
    facts=_ALWAYS_ROLLED,
    group="hook",
    rules=("SRD-10",),
)
_HOLD_FACTS = {
    "dc": "8 + Strength modifier + proficiency",
    "save": "strength or dexterity",
    **_D20_FACTS,
    "saved": "the save succeeded",
    "resisted": "a legendary resistance was spent",
}
_HOLD_REFUSALS = (
    costs.STATUS,
    costs.TARGET,
    costs.CHARMED,
    Refusal("size", "the target is more than one size larger"),
    costs.LEGENDARY,
)
GRAPPLE = Action(
    "grapple",
    "Hold the target.",
    grapple,
    HoldOptions,
    targets="one",
    facts={**_HOLD_FACTS, "gave": "grappled, or nothing"},
    refusals=_HOLD_REFUSALS,
    rules=("SRD-70",),
    success="saved",
    success_value=False,
    success_label="grapples",
    against="dc",
    needs="at_least",
    letter="g",
)
SHOVE = Action(
    "shove",
    "Push the target 5 feet or knock it prone.",
    shove,
    ShoveOptions,
    targets="one",
    facts={**_HOLD_FACTS, "gave": "prone, or nothing"},
    refusals=_HOLD_REFUSALS,
    rules=("SRD-71",),
    success="saved",
    success_value=False,
    success_label="shoves",
    against="dc",
    needs="at_least",
)
ESCAPE = Action(
    "escape",
    "Get out of a grapple.",
    escape,
    EscapeOptions,
    facts={
        "skill": "athletics or acrobatics",
        "dc": "to reach",
        **_ALWAYS_ROLLED,
        "passed": "the number is reached",
    },
    refusals=(costs.STATUS, Refusal("grappled", "grappled is not among its conditions")),
    rules=("SRD-72",),
    success="passed",
    against="dc",
    needs="at_least",
    verb="get free",
)
CONCEAL = Action(
    "conceal",
    "Hide: a Stealth check against 15.",
    conceal,
    CheckRollOptions,
    facts={**_ALWAYS_ROLLED, "passed": "it is hidden"},
    refusals=(costs.STATUS,),
    rules=("SRD-68",),
    success="passed",
    needs="at_least",
    title="hide",
)
STABILIZE = Action(
    "stabilize",
    "Give first aid: a Medicine check against 10.",
    stabilize,
    StabilizeOptions,
    targets="one",
    friends=True,
    facts={**_D20_FACTS, "passed": "first aid helped"},
    refusals=(
        costs.STATUS,
        Refusal("target", "the target neither has death saves to make nor is knocked out"),
    ),
    group="health",
    rules=("SRD-45",),
    success="passed",
    needs="at_least",
    title="first aid",
    verb="give first aid",
)
