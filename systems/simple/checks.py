"""A check of a skill, rolled like an attack."""

from functools import lru_cache
from typing import Any, Literal

from systems.contract.action import Action, Scene, SideEffect
from systems.contract.outcome import Ask, EndedCondition, Explanation, Outcome, Term
from systems.contract.table import ExtraDice, Table
from systems.frozen import evolve
from systems.schema.fields import declare, text, whole
from systems.schema.naming import Naming
from systems.simple.house import House
from systems.simple.rolls import (
    TOTAL_HELP,
    against_words,
    extra_terms,
    needed_step,
    needed_total,
    needs,
    pool_size,
    roll_terms,
    rolled_steps,
    shown_total,
    throw,
    total_of,
)
from systems.simple.sheet import USUAL_DEFENCE, Sheet, save_of, skill_of
from systems.simple.words import EFFECTS

_ENDS = {
    "fumble": "fumbles",
    "failed": "fails",
    "partial": "partly passes",
    "passed": "passes",
    "critical": "critically passes",
}


def _difficulty(help: str) -> Any:
    absent = "10 over, 0 under and in bands, 1 in a pool"
    return whole(-99, 200, None, help, when_absent=absent, takes_number=True)


def _modifier() -> Any:
    return whole(-99, 99, 0, "added to the roll, to the skill or to the number of dice")


def _edge() -> Any:
    help = "above 0 the better of two rolls, below 0 the worse; in a pool, extra dice (R9)"
    return whole(-9, 9, 0, help, one_off=True)


@declare
class CheckOptions:
    skill: str | None = text(
        None, "a skill of the sheet", when_absent="none; only the value counts", naming=Naming("skills")
    )
    value: int | None = whole(
        -99, 200, None, "instead of the skill's number", when_absent="that of the sheet, else 0"
    )
    difficulty: int | None = _difficulty("used like a target's defence")
    ends: str | None = text(None, "a condition of the actor that a success ends, such as grappled")
    modifier: int = _modifier()
    edge: int = _edge()


@declare
class SaveOptions:
    save: str = text(help="what it is rolled with, such as wisdom", naming=Naming("saves"))
    difficulty: int | None = _difficulty("the number to reach, or a penalty")
    modifier: int = _modifier()
    edge: int = _edge()


CheckScene = Scene[Sheet, CheckOptions, House]
SaveScene = Scene[Sheet, SaveOptions, House]


@lru_cache(maxsize=8)
def value_terms(scene: CheckScene) -> tuple[Term, ...]:
    """Return the terms added to the dice of a check."""
    skill, value = scene.options.skill, scene.options.value
    known = skill_of(scene.actor, scene.house, skill) if skill else 0
    number = known if value is None else value
    own = Term(skill or "value", number, of="actor" if value is None else "options")
    return (own, *scene.option_terms("modifier"))


def check(scene: CheckScene, table: Table) -> Outcome:
    """Roll a skill against a difficulty (R1 to R5)."""
    skill = scene.options.skill
    found = _rolled(
        scene, table, value_terms(scene), skill or "check", f"{skill} check" if skill else "check"
    )
    if scene.options.ends is None or not found.facts["passed"]:
        return found
    return evolve(found, ends=(EndedCondition("actor", scene.options.ends),))


def save(scene: SaveScene, table: Table) -> Outcome:
    """Roll a saving throw against a difficulty (R15)."""
    name = scene.options.save
    own = Term(name, save_of(scene.actor, scene.house, name))
    terms = (own, *scene.option_terms("modifier"))
    return _rolled(scene, table, terms, f"{name} save", f"{name} save", "saves")


def _rolled(
    scene: CheckScene | SaveScene,
    table: Table,
    terms: tuple[Term, ...],
    why: str,
    what: str,
    kind: Literal["saves", "checks"] = "checks",
) -> Outcome:
    """Roll against a difficulty. `why`: the name of the die; `what`: that of the roll."""
    house, edge = scene.house, scene.options.edge
    extra: tuple[ExtraDice, ...] = ()
    if changed := EFFECTS.before_check(scene, kind):
        terms, edge, extra = (*terms, *changed.bonus), edge + changed.edge, changed.extra
    value = total_of(terms)
    given = scene.options.difficulty
    difficulty = USUAL_DEFENCE[house.roll] if given is None else given
    thrown = throw(table, house, value, difficulty, edge, why, extra=extra)

    def tell() -> Explanation:
        own = (*terms, *extra_terms(house, thrown, extra))
        shown = pool_size(total_of(own) + edge) if house.roll == "pool" else total_of(own)
        numbers = against_words(house, shown, difficulty, thrown.sum)
        text = f"{scene.who_acts} {_ENDS[thrown.grade]} the {what}."
        all_terms = roll_terms(house, own, difficulty, edge, thrown.sum)
        steps = (*rolled_steps(house, thrown.sum), needed_step(house, total_of(own), difficulty))
        return Explanation(text, all_terms, steps, CHECK.rules, arithmetic=f"{numbers}.")

    cost = (Ask(f"{scene.actor_name} passes at a cost; the game master chooses the cost."),)
    return Outcome(
        {
            "rolled": thrown.sum,
            "total": shown_total(house, value, difficulty, edge, thrown),
            "value": value,
            "difficulty": difficulty,
            "needed": needed_total(house, value, difficulty),
            "passed": thrown.succeeded,
            "result": thrown.grade,
        },
        tell=tell,
        asks=cost if thrown.grade == "partial" else (),
        degree=thrown.grade,
    )


FACTS = {
    "rolled": "the sum of the dice, or how many of a pool counted",
    "total": TOTAL_HELP,
    "value": "skill or save + modifier",
    "difficulty": "the number to reach, or a penalty",
    "needed": "what the total, the dice alone (under) or the count of a pool is held against",
    "passed": "partly, fully or critically",
    "result": "fumble, failed, partial, passed or critical",
}
CHECK = Action(
    "check",
    "Check a skill, or any number.",
    check,
    CheckOptions,
    facts=FACTS,
    group="check",
    rules=("R1", "R2", "R3", "R4", "R5"),
    success="passed",
    side_effects=(SideEffect("result", "critical", "critical"), SideEffect("result", "at a cost", "partial")),
    against="needed",
    needs=needs,
    letter="t",
    unable=True,
)
SAVE = Action(
    "save",
    "Roll a saving throw.",
    save,
    SaveOptions,
    facts=FACTS,
    group="check",
    rules=("R15",),
    success="passed",
    side_effects=(SideEffect("result", "critical", "critical"), SideEffect("result", "at a cost", "partial")),
    against="needed",
    needs=needs,
    title="saving throw",
    unable=True,
)
