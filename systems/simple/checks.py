"""A check of a skill, rolled like an attack."""

from functools import lru_cache

from systems.contract.outcome import Ask, Explanation, Outcome, Term
from systems.contract.ruleset import Action, Scene, SideEffect
from systems.contract.table import Table
from systems.schema.fields import declare, text, whole
from systems.schema.naming import Naming
from systems.simple.house import House
from systems.simple.rolls import (
    TOTAL_HELP,
    against_words,
    needed_step,
    needed_total,
    needs,
    pool_size,
    roll_terms,
    shown_total,
    throw,
    total_of,
)
from systems.simple.sheet import USUAL_DEFENCE, Sheet, skill_of

_ENDS = {
    "fumble": "fumbles",
    "failed": "fails",
    "partial": "partly passes",
    "passed": "passes",
    "critical": "critically passes",
}


@declare
class CheckOptions:
    skill: str | None = text(
        None, "a skill of the sheet", when_absent="none; only the value counts", naming=Naming("skills")
    )
    value: int | None = whole(
        -99, 200, None, "instead of the skill's number", when_absent="that of the sheet, else 0"
    )
    difficulty: int | None = whole(
        -99,
        200,
        None,
        "used like a target's defence",
        when_absent="10 over, 0 under and in bands, 1 in a pool",
        takes_number=True,
    )
    modifier: int = whole(-99, 99, 0, "added to the roll, to the skill or to the number of dice")
    edge: int = whole(
        -9,
        9,
        0,
        "above 0 the better of two rolls, below 0 the worse; in a pool, extra dice (R9)",
        one_off=True,
    )


CheckScene = Scene[Sheet, CheckOptions, House]


@lru_cache(maxsize=8)
def value_terms(scene: CheckScene) -> tuple[Term, ...]:
    """Return the terms added to the dice."""
    skill, value = scene.options.skill, scene.options.value
    known = skill_of(scene.actor, scene.house, skill) if skill else 0
    return (Term(skill or "value", known if value is None else value), *scene.option_terms("modifier"))


def check(scene: CheckScene, table: Table) -> Outcome:
    """Roll a skill against a difficulty (R1 to R5)."""
    house, edge = scene.house, scene.options.edge
    terms = value_terms(scene)
    value = total_of(terms)
    given = scene.options.difficulty
    difficulty = USUAL_DEFENCE[house.roll] if given is None else given
    thrown = throw(table, house, value, difficulty, edge, scene.options.skill or "check")

    def tell() -> Explanation:
        shown = pool_size(value + edge) if house.roll == "pool" else value
        what = f"the {scene.options.skill} check" if scene.options.skill else "the check"
        numbers = against_words(house, shown, difficulty, thrown.sum)
        text = f"{scene.who_acts} {_ENDS[thrown.grade]} {what}."
        all_terms = roll_terms(house, terms, difficulty, edge, thrown.sum)
        steps = (needed_step(house, value, difficulty),)
        return Explanation(text, all_terms, steps, CHECK.rules, arithmetic=f"{numbers}.")

    cost = (Ask(f"{scene.actor_name} passes at a cost; the game master chooses the cost."),)
    return Outcome(
        {
            "rolled": thrown.sum,
            "total": shown_total(house, value, difficulty, edge, thrown.sum),
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


CHECK = Action(
    "check",
    "Check a skill, or any number.",
    check,
    CheckOptions,
    facts={
        "rolled": "the sum of the dice, or how many of a pool counted",
        "total": TOTAL_HELP,
        "value": "skill + modifier",
        "difficulty": "the number to reach, or a penalty",
        "needed": "what the total, the dice alone (under) or the count of a pool is held against",
        "passed": "partly, fully or critically",
        "result": "fumble, failed, partial, passed or critical",
    },
    group="check",
    rules=("R1", "R2", "R3", "R4", "R5"),
    success="passed",
    side_effects=(SideEffect("result", "critical", "critical"), SideEffect("result", "at a cost", "partial")),
    against="needed",
    needs=needs,
    letter="t",
    unable=True,
)
