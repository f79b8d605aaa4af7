"""Resolve d100 checks against a target value: attributes, and Will among strangers."""

from functools import lru_cache

from systems.contract.action import Action, Refusal, Scene
from systems.contract.outcome import Ask, Explanation, Outcome, Step, Term, optional_term, owned, refuse
from systems.contract.table import Table
from systems.frozen import frozen
from systems.schema.fields import choice, declare, flag, whole
from systems.text import plain_number
from systems.xcom.house import House
from systems.xcom.sheet import Sheet, psi_terms

ATTRIBUTES = ("aim", "will", "tech", "psi", "defense", "dodge", "crit")
RESISTING = 50
UNPROFICIENT = -50
STRANGE = -5
CHECK_FACTS = {
    "target_value": "number; no floor or ceiling",
    "passed": "roll at or under it",
    "margin": "target_value - roll",
}


@frozen
class Check:
    """A d100 rolled against a target value (XCM-01 to XCM-04)."""

    terms: tuple[Term, ...]
    target_value: int
    face: int

    @property
    def passed(self) -> bool:
        return self.face <= self.target_value


def roll_check(table: Table, terms: tuple[Term, ...], why: str) -> Check:
    """Roll the d100 against the sum of `terms`. An equal roll passes (XCM-04)."""
    target_value = sum(term.value for term in terms)
    return Check(terms, target_value, table.against(target_value, 100, why))


def check_outcome(
    done: Check,
    who: str,
    what: str,
    rules: tuple[str, ...],
    *,
    asks: tuple[Ask, ...] = (),
    penalty: int | None = None,
) -> Outcome:
    """Return the outcome of a check. `what`: the text after "passes", such as "the aim check"."""
    margin = done.target_value - done.face
    facts = {"target_value": done.target_value, "passed": done.passed, "margin": margin}
    if penalty is not None:
        facts = {"penalty": penalty, **facts}

    def tell() -> Explanation:
        ended = "passes" if done.passed else "fails"
        target = plain_number(done.target_value)
        numbers = f"{done.face} rolled against {target}, margin {plain_number(margin)}."
        steps = (
            Step("d100", str(done.face), "at or under passes", of="actor"),
            Step("margin", plain_number(margin), ended),
        )
        return Explanation(f"{who} {ended} {what}.", done.terms, steps, rules, arithmetic=numbers)

    return Outcome(facts, tell=tell, asks=asks, degree="passed" if done.passed else "failed")


@declare
class CheckOptions:
    attribute: str = choice(ATTRIBUTES, help="the attribute to roll; psi includes collar and amp (R4, R10)")
    base: int | None = whole(
        -400, 400, None, "added to the attribute", when_absent="50 for defense and dodge, else 0"
    )
    modifier: int = whole(-400, 400, 0, "bonuses and maluses (XCM-03)")
    equipment: bool = flag(False, "tech: the roll uses equipment (XCM-17)")
    proficient: bool = flag(True, "tech: with the proficiency for that equipment; else −50 (XCM-17)")


@declare
class SocialOptions:
    distance: int = whole(
        0, 400, 0, "difference between the species in percent; −5 for each full 25 (XCM-14, R8)", unit="%"
    )
    extreme: bool = flag(False, "the other has extreme alien features: −5 (XCM-14)")
    strong_psionic: bool = flag(
        False, "the other is plainly a strong psionic: −5, unless the speaker is one (XCM-14)"
    )
    modifier: int = whole(-400, 400, 0, "bonuses and maluses (XCM-03)")


def lacks_proficiency(options: CheckOptions) -> bool:
    """Return whether equipment is used without proficiency (XCM-17)."""
    return options.attribute == "tech" and options.equipment and not options.proficient


def check(scene: Scene[Sheet, CheckOptions, House], table: Table) -> Outcome:
    """Resolve a d100 check of one attribute (XCM-01 to XCM-04, XCM-10, XCM-16 to XCM-18, XCM-27, XCM-29)."""
    actor, options = scene.actor, scene.options
    if lacks_proficiency(options) and actor.tech + UNPROFICIENT < 0:
        left = plain_number(actor.tech + UNPROFICIENT)
        return refuse(
            "proficiency",
            f"{scene.actor_name} is not proficient: tech {left} is below 0, the equipment cannot be used.",
        )
    done = roll_check(table, check_terms(scene), options.attribute)
    what = f"the {options.attribute} check"
    return check_outcome(done, scene.who_acts, what, ("XCM-01", "XCM-02", "XCM-03", "XCM-04"))


@lru_cache(maxsize=8)
def check_terms(scene: Scene[Sheet, CheckOptions, House]) -> tuple[Term, ...]:
    """Return the terms of a check's target value (XCM-02, XCM-03, XCM-17, XCM-27, XCM-29)."""
    actor, options = scene.actor, scene.options
    attribute, base = options.attribute, options.base
    if base is None:
        base = RESISTING if attribute in ("defense", "dodge") else 0
    psi = attribute == "psi"
    return (
        *owned("actor", *(psi_terms(actor) if psi else (Term(attribute, getattr(actor, attribute)),))),
        *owned("options", *optional_term("base", base)),
        *(_equipment_term(options) if attribute == "tech" and options.equipment else ()),
        *scene.option_terms("modifier"),
    )


def _equipment_term(options: CheckOptions) -> tuple[Term, ...]:
    if lacks_proficiency(options):
        return (Term("equipment", UNPROFICIENT, "not proficient", "actor"),)
    return (Term("equipment", 0, "proficient", "actor"),)


def social(scene: Scene[Sheet, SocialOptions, House], table: Table) -> Outcome:
    """Resolve a Will check among strangers (XCM-14, XCM-15, R8)."""
    penalties = social_penalties(scene)
    terms = (
        Term("will", scene.actor.will, of="actor"),
        *owned("options", *penalties),
        *scene.option_terms("modifier"),
    )
    done = roll_check(table, terms, "will")
    penalty = sum(term.value for term in penalties)
    return check_outcome(done, scene.who_acts, "the will check among strangers", ("XCM-14",), penalty=penalty)


@lru_cache(maxsize=8)
def social_penalties(scene: Scene[Sheet, SocialOptions, House]) -> tuple[Term, ...]:
    """Return the penalties for a speaker who seems strange (XCM-14, R8)."""
    options = scene.options
    terms = [Term("distance in species", STRANGE * (options.distance // 25), f"{options.distance}%")]
    if options.extreme:
        terms.append(Term("extreme features", STRANGE))
    if options.strong_psionic:
        psionic = scene.actor.psionic
        terms.append(Term("strong psionic", 0 if psionic else STRANGE, "psionic too" if psionic else ""))
    return tuple(terms)


CHECK = Action(
    "check",
    "Roll a d100 check of one attribute.",
    check,
    CheckOptions,
    facts=CHECK_FACTS,
    refusals=(Refusal("proficiency", "tech below 0 by the −50 (XCM-18, R7)"),),
    group="check",
    rules=("XCM-01", "XCM-02", "XCM-03", "XCM-04", "XCM-17", "XCM-18", "XCM-27", "XCM-29"),
    success="passed",
    against="target_value",
    needs="at_most",
    total="target_value",
    letter="t",
    unable=True,
)
SOCIAL = Action(
    "social",
    "Roll a Will check among strangers.",
    social,
    SocialOptions,
    facts={"penalty": "0 or below", **CHECK_FACTS},
    group="check",
    rules=("XCM-14", "XCM-15"),
    success="passed",
    against="target_value",
    needs="at_most",
    total="target_value",
    title="social check",
    letter="s",
    verb="make a social check",
)
