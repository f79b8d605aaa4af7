"""The action for a saving throw outside an attack or a power."""

from functools import lru_cache
from typing import Any

from systems.contract.action import Action, Scene
from systems.contract.outcome import Explanation, Outcome, Role, Step, refuse
from systems.contract.table import Table
from systems.schema.fields import choice, declare, flag, listing, whole
from systems.schema.types import Choice
from systems.srd5 import costs
from systems.srd5.attack_words import gave_words, save_words
from systems.srd5.body import body_of, conditions_given, ended, given, is_dead
from systems.srd5.checks import D20_FACTS, DEAD
from systems.srd5.house import House
from systems.srd5.rolls import RollOptions, with_dice
from systems.srd5.saves import Save, may_resist, throw_save, told_save
from systems.srd5.sheet import ABILITIES, GIVABLE, Sheet
from systems.srd5.words import help_with


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
        return told_save(text, saved, "actor", options.dc, steps, "SRD-08")

    return Outcome(
        facts,
        {"actor": body.changes()},
        tell,
        degree="passed" if saved.passed else "failed",
        gives=conditions_given(gave, "actor"),
    )


@lru_cache(maxsize=8)
def _save_asked(scene: Scene[Sheet, SaveOptions, House]) -> Save:
    options = scene.options
    return save_with_options(scene, options.ability, options.dc, options.magical, "actor")


def save_with_options(
    scene: Scene[Sheet, Any, House], ability: str, dc: int, magical: bool, of: Role
) -> Save:
    """Return a save with the options of its action, and with the effects that help or hinder it."""
    options, helped = scene.options, help_with(scene, of, "saves")
    sheet, name = (scene.actor, scene.actor_name) if of == "actor" else (scene.target, scene.target_name)
    return Save(
        ability,
        dc,
        options.advantage + helped.advantages,
        options.disadvantage + helped.disadvantages,
        (*helped.terms, *scene.option_terms("modifier")),
        options.cover,
        magical,
        options.fail,
        options.legendary_resistance,
        with_dice(options.bonus_dice, helped.dice, taken=False),
        with_dice(options.penalty_dice, helped.dice, taken=True),
        of,
        may_resist(scene, sheet, name),
    )


SAVE = Action(
    "save",
    "Make a saving throw that no attack or power asks for.",
    save,
    SaveOptions,
    facts={
        **D20_FACTS,
        "saved": "the save succeeded",
        "resisted": "a legendary resistance was spent",
        "dc": "to reach",
        "ended": "the conditions that ended",
        "gave": "the conditions that are new",
    },
    refusals=(DEAD, costs.LEGENDARY),
    group="check",
    rules=("SRD-08", "SRD-09", "SRD-76"),
    success="saved",
    against="dc",
    needs="at_least",
    letter="s",
    unable=True,
)
