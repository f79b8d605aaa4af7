"""Death saves, and the return to life."""

from functools import lru_cache
from typing import Any

from systems.contract.action import Action, Refusal, Scene
from systems.contract.marked_text import as_status
from systems.contract.outcome import Explanation, Outcome, Step, owned, refuse
from systems.contract.table import Table
from systems.frozen import evolve
from systems.schema.fields import declare, whole
from systems.srd5.attack_words import body_words
from systems.srd5.body import Vitals, body_of, has_death_saves, healed, is_dead, status_of, woken
from systems.srd5.house import House
from systems.srd5.rolls import RollOptions, d20_of, exhaustion_term, roll, with_more_dice
from systems.srd5.sheet import Sheet
from systems.srd5.words import help_with
from systems.text import plain_number, sentence

_DEATH_SAVE = 10


@declare
class ReviveOptions:
    hp: int = whole(1, 999, 1, "hit points, at most the maximum")


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
    rolled = roll(table, d20, _dying_grade(), "death save")
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
        text = f"{scene.who_acts} {_saved_words(rolled.grade, after)}."
        numbers = sentence(f"{plain_number(rolled.total)} against {_DEATH_SAVE}")
        step = Step("death saves", f"{after.death_successes} passed, {after.death_failures} failed")
        return Explanation(text, owned("actor", *rolled.terms), (step,), ("SRD-39",), arithmetic=numbers)

    return Outcome(facts, {"actor": after.changes()}, tell, degree=rolled.grade)


def _saved_words(result: str, after: Vitals) -> str:
    """Return what a death save did, with the count unless it is the last one."""
    if result == "revived":
        return "rolls a 20 for the death save and wakes with 1 hit point"
    count = f"({after.death_successes} passed, {after.death_failures} failed)"
    if result == "success":
        state = status_of(after)
        return (
            f"passes the third death save and is {as_status(state)}"
            if after.stable
            else f"passes a death save {count}"
        )
    which = "two death saves at once" if result == "two_failures" else "a death save"
    if not is_dead(after):
        return f"fails {which} {count}"
    which = which if result == "two_failures" else "the third death save"
    return f"fails {which} and {as_status('dead', 'dies')}"


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
