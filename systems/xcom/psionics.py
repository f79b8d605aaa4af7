"""Resolve a psionic skill, which the Will of its target may resist."""

from functools import lru_cache

from systems.contract.action import Action, Scene
from systems.contract.outcome import Ask, Outcome, Term, optional_term, owned
from systems.contract.table import Table
from systems.schema.fields import declare, flag, whole
from systems.xcom.checks import CHECK_FACTS, check_outcome, roll_check
from systems.xcom.house import House
from systems.xcom.sheet import Sheet, can_act, psi_terms

AVERAGE_WILL = 50


@declare
class PsiOptions:
    difficulty: int = whole(-400, 400, 0, "difficulty of the skill, usually 0, from +20 to −50 (XCM-21)")
    contested: bool | None = flag(
        None,
        "the target's Will less 50 counts against it (XCM-22)",
        when_absent="true when a target is named",
    )


Psionics = Scene[Sheet, PsiOptions, House]


def psi(scene: Psionics, table: Table) -> Outcome:
    """Resolve a psionic skill (XCM-12, XCM-13, XCM-21 to XCM-24, R9, R10, R31)."""
    done = roll_check(table, skill_terms(scene), "psi")
    contested = is_contested(scene)
    what = f"the psi check against {scene.target_name}" if contested else "the psi check"
    rules = ("XCM-21", "XCM-22") if contested else ("XCM-21",)
    return check_outcome(done, scene.who_acts, what, rules, asks=_left_open(scene, done.passed))


def is_contested(scene: Psionics) -> bool:
    """Return whether the target resists: by the option, else if a target is named (R31)."""
    contested = scene.options.contested
    return scene.has_target if contested is None else contested


@lru_cache(maxsize=8)
def skill_terms(scene: Psionics) -> tuple[Term, ...]:
    """Return the terms of a skill's target value; a weak Will helps the psionic (XCM-21, XCM-22, R9)."""
    difficulty = optional_term("difficulty", scene.options.difficulty)
    terms = (*owned("actor", *psi_terms(scene.actor)), *owned("options", *difficulty))
    if is_contested(scene):
        will = Term(f"will of {scene.target_name}", -scene.target.will)
        return (*terms, will, Term("average will", AVERAGE_WILL))
    return (*terms, Term("will", 0, "not contested")) if scene.has_target else terms


def _left_open(scene: Psionics, passed: bool) -> tuple[Ask, ...]:
    """Return what the book leaves open: the effect of a skill, and the action that it costs."""
    asks = []
    if passed:
        asks.append(Ask("The game master decides what the skill does."))
    if can_act(scene.actor):
        asks.append(
            Ask("The action that the skill costs is not yet spent.", "act", options={"kind": "final"})
        )
    return tuple(asks)


PSI = Action(
    "psi",
    "Use a psionic skill.",
    psi,
    PsiOptions,
    targets="optional",
    facts=CHECK_FACTS,
    group="combat",
    rules=("XCM-12", "XCM-13", "XCM-21", "XCM-22", "XCM-23", "XCM-24"),
    success="passed",
    against="target_value",
    needs="at_most",
    total="target_value",
    title="psionic skill",
    letter="p",
    verb="use a psionic skill",
)
