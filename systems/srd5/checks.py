"""Ability checks: check, initiative, hiding and first aid."""

from functools import lru_cache
from typing import Any

from systems.contract.action import Action, Refusal, Scene
from systems.contract.outcome import EndedCondition, Explanation, Outcome, Step, Term, owned, refuse
from systems.contract.table import Table
from systems.errors import Wrong, unknown
from systems.frozen import evolve
from systems.schema.conversion import entry_named
from systems.schema.fields import choice, declare, flag, text, whole
from systems.schema.naming import Naming
from systems.srd5 import costs
from systems.srd5.body import body_of, has, has_death_saves, is_dead, is_unseen, woken
from systems.srd5.house import House
from systems.srd5.rolls import (
    D20,
    CheckRollOptions,
    Rolled,
    d20_of,
    exhaustion_term,
    reaching,
    roll,
    ungraded,
    with_more_dice,
)
from systems.srd5.sheet import ABILITIES, SKILLS, Sheet, ability_modifier, skill_bonus
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
    dc: int | None = whole(0, 99, None, "to reach (SRD-02)", when_absent="only the total", takes_number=True)
    proficient: bool = flag(
        False, "adds the proficiency bonus, if the sheet has no entry for the skill (SRD-06)"
    )
    sight: bool = flag(False, "needs sight: the blinded fail (SRD-48)")
    hearing: bool = flag(False, "needs hearing: the deafened fail (SRD-50)")


@declare
class InitiativeOptions(CheckRollOptions):
    surprised: bool = flag(False, "disadvantage (SRD-10)")


@declare
class StabilizeOptions(CheckRollOptions):
    automatic: bool = flag(False, "without a check, as with a healer's kit or by magic")


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


def used_help(actor: Sheet) -> dict[str, object]:
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
        rolled = roll_check(table, scene, d20, options.dc, f"{what} check")
        facts = {**rolled.facts, **dc, "auto": "none", "passed": rolled.grade}
        degree = "passed" if rolled.grade else "failed"
    changes = {"actor": used_help(actor)}
    return Outcome(facts, changes, lambda: told_check(scene, rolled, what, options.dc), degree=degree)


def roll_check(table: Table, scene: Scene[Sheet, Any, House], d20: D20, dc: int, why: str) -> Rolled:
    return roll(table, d20, reaching(dc, scene.house.natural_tests), why, needed=dc)


def told_check(
    scene: Scene[Sheet, Any, House],
    rolled: Rolled,
    what: str,
    dc: int | None,
    more: str = "",
    *,
    first_aid: bool = False,
) -> Explanation:
    """Return the sentence about a check of an ability or skill; of first aid, with the target."""
    total, what = plain_number(rolled.total), what[:1].upper() + what[1:]
    if dc is None:
        text = f"{scene.who_acts} rolls {total} in a {what} check."
        return Explanation(text, owned("actor", *rolled.terms), rules=("SRD-02",))
    how = "passes" if rolled.grade else "fails"
    if first_aid:
        how = f"gives {scene.target_name} first aid {'and' if rolled.grade else 'but'} {how}"
    text = f"{scene.who_acts} {how} the {what} check.{more}"
    steps = (Step("DC", str(dc)),)
    terms, numbers = owned("actor", *rolled.terms), sentence(f"{total} against {dc}")
    return Explanation(text, terms, steps, ("SRD-02",), arithmetic=numbers)


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

    return Outcome(rolled.facts, {"actor": used_help(scene.actor)}, tell)


def conceal(scene: Scene[Sheet, CheckRollOptions, House], table: Table) -> Outcome:
    """Hide: the total is the number that finds (SRD-68)."""
    actor = scene.actor
    if refused := costs.cannot_act(scene, "hide"):
        return refused
    d20, natural = check_d20(scene, skill_terms(actor, "stealth")), scene.house.natural_tests
    rolled = roll(table, d20, _hiding(natural), "stealth check", needed=_HIDING)
    passed = rolled.grade > 0
    facts = {**rolled.facts, "passed": passed}
    changes = {"hidden_dc": rolled.grade, **used_help(actor)}

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
        rolled = roll_check(table, scene, d20, _FIRST_AID, "medicine check")
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
            text = f"{scene.who_acts} gives {scene.target_name} first aid.{more}"
            return Explanation(text, rules=("SRD-45",))
        return told_check(scene, rolled, "medicine", _FIRST_AID, more, first_aid=True)

    changes = {"actor": used_help(actor) if rolled else {}, "target": after.changes()}
    ends = (EndedCondition("target", "unconscious"),) if passed and target.knocked_out else ()
    return Outcome(facts, changes, tell, degree="passed" if passed else "failed", ends=ends)


DEAD = Refusal("dead", "the actor is dead")


D20_FACTS = {
    "roll": "advantage, disadvantage or normal; only when a d20 fell, as face and total",
    "face": "the die that counts; only when a d20 fell",
    "total": "the face and all that is added; only when a d20 fell",
}


ALWAYS_ROLLED = {
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
        **D20_FACTS,
        "dc": "to reach; only with dc",
        "auto": "fail (no die) or none",
        "passed": "only with dc or auto fail",
    },
    refusals=(DEAD,),
    group="check",
    rules=("SRD-02", "SRD-06", "SRD-07"),
    success="passed",
    against="dc",
    needs="at_least",
    letter="t",
    unable=True,
)


INITIATIVE_ROLL = Action(
    "initiative",
    "Roll the initiative of one combatant.",
    initiative,
    InitiativeOptions,
    facts=ALWAYS_ROLLED,
    group="hook",
    rules=("SRD-10",),
)


CONCEAL = Action(
    "conceal",
    "Hide: a Stealth check against 15.",
    conceal,
    CheckRollOptions,
    facts={**ALWAYS_ROLLED, "passed": "it is hidden"},
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
    facts={**D20_FACTS, "passed": "first aid helped"},
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
