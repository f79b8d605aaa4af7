"""Grapple, shove and escape."""

from functools import lru_cache
from typing import Any

from systems.contract.action import Action, Refusal, Scene
from systems.contract.outcome import Explanation, Outcome, Step, refuse
from systems.contract.table import Table
from systems.schema.fields import choice, declare, flag, whole
from systems.srd5 import costs
from systems.srd5.aim import bars
from systems.srd5.attack_words import gave_words
from systems.srd5.body import body_of, conditions_given, given, has, without
from systems.srd5.checks import (
    ALWAYS_ROLLED,
    D20_FACTS,
    check_d20,
    roll_check,
    skill_terms,
    told_check,
    used_help,
)
from systems.srd5.house import House
from systems.srd5.rolls import CheckRollOptions, RollOptions, with_dice
from systems.srd5.saves import Save, may_resist, throw_save, told_save
from systems.srd5.sheet import SIZES, Sheet, ability_modifier, save_bonus, skill_bonus
from systems.srd5.words import help_with


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
        return told_save(text, saved, "target", dc, steps, "SRD-70")

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


def grappled_by(sheet: Sheet) -> tuple[str, int] | None:
    """Return the grapple that a combatant is in, and the number of its escape; None without one (SRD-72)."""
    return ("grappled", sheet.escape_dc) if "grappled" in has(body_of(sheet)) and sheet.escape_dc else None


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
    rolled = roll_check(table, scene, check_d20(scene, skill_terms(actor, skill)), dc, f"{skill} check")
    body = body_of(actor)
    after = without(body, "grappled") if rolled.grade else body
    facts = {"skill": skill, "dc": dc, **rolled.facts, "passed": rolled.grade}

    def tell() -> Explanation:
        more = f" {scene.actor_name} is free." if rolled.grade else ""
        return told_check(scene, rolled, skill, dc, more)

    changes = {"actor": {**after.changes(), **used_help(actor)}}
    return Outcome(facts, changes, tell, degree="passed" if rolled.grade else "failed")


_HOLD_FACTS = {
    "dc": "8 + Strength modifier + proficiency",
    "save": "strength or dexterity",
    **D20_FACTS,
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


def _contest(
    name: str, help: str, carry_out: Any, options: type, gave: str, wins: str, rule: str, letter: str = ""
) -> Action:
    """Return an action against which the target makes a save."""
    return Action(
        name,
        help,
        carry_out,
        options,
        targets="one",
        facts={**_HOLD_FACTS, "gave": f"{gave}, or nothing"},
        refusals=_HOLD_REFUSALS,
        rules=(rule,),
        success="saved",
        success_value=False,
        success_label=wins,
        against="dc",
        needs="at_least",
        letter=letter,
    )


GRAPPLE = _contest(
    "grapple", "Hold the target.", grapple, HoldOptions, "grappled", "grapples", "SRD-70", letter="g"
)
SHOVE = _contest(
    "shove",
    "Push the target 5 feet or knock it prone.",
    shove,
    ShoveOptions,
    "prone",
    "shoves",
    "SRD-71",
)


ESCAPE = Action(
    "escape",
    "Get out of a grapple.",
    escape,
    EscapeOptions,
    facts={
        "skill": "athletics or acrobatics",
        "dc": "to reach",
        **ALWAYS_ROLLED,
        "passed": "the number is reached",
    },
    refusals=(costs.STATUS, Refusal("grappled", "grappled is not among its conditions")),
    rules=("SRD-72",),
    success="passed",
    against="dc",
    needs="at_least",
    verb="get free",
)
