"""Resolve tests of a skill or an attribute."""

from typing import Any

from systems.contract.action import Action, Scene
from systems.contract.outcome import Explanation, Outcome, Step, Term, optional_term, owned
from systems.contract.table import Table
from systems.errors import Wrong
from systems.schema.fields import choice, declare, flag, text, whole
from systems.text import plain_number, sentence
from systems.waygate import marks
from systems.waygate.house import House
from systems.waygate.sheet import ATTRIBUTE_WORDS, ATTRIBUTES, Sheet, skill_of
from systems.waygate.terms import attribute_term, counted

DIFFICULTIES = {
    "very_easy": 3,
    "easy": 7,
    "medium": 11,
    "hard": 15,
    "very_hard": 18,
    "extreme": 22,
    "impossible": 30,
}
ASSISTANCE = 2


@declare
class TestOptions:
    skill: str | None = text(
        None, "the name of a skill; it sets attribute and training unless these are given"
    )
    attribute: str | None = choice(
        ATTRIBUTES, None, "the attribute added (WAY-08, WAY-09)", when_absent="the skill's, else none"
    )
    difficulty: str | None = choice(
        tuple(DIFFICULTIES),
        None,
        "3, 7, 11, 15, 18, 22, 30 (WAY-03); one of threshold and difficulty is needed",
    )
    threshold: int | None = whole(
        -99, 199, None, "the value to reach; overrides difficulty", takes_number=True
    )
    modifier: int = whole(-99, 99, 0, "the game master's modifier")
    assisted: bool = flag(False, "another character helps: +2 (WAY-11)", one_off=True)
    training: int | None = whole(-9, 9, None, "added (WAY-07)", when_absent="the skill's, else 0")
    threshold_modifier: int = whole(-99, 99, 0, "added to the value to reach (WAY-04)")
    reaction: bool = flag(False, "a reaction test: a face of 20 succeeds (WAY-55, R30)")
    use_aether_mark: bool | None = marks.mark_option()


Test = Scene[Sheet, TestOptions, House]


def needed(options: TestOptions) -> int:
    """Return the value to reach (WAY-03, WAY-04, R3). Raises Wrong if no threshold or difficulty is given."""
    if options.threshold is not None:
        return options.threshold + options.threshold_modifier
    if options.difficulty is None:
        raise Wrong("options.threshold", "expected a number, or a difficulty such as medium", code="needed")
    return DIFFICULTIES[options.difficulty] + options.threshold_modifier


def _terms(scene: Test) -> tuple[Term, ...]:
    """Return the terms added to the die (WAY-02, WAY-06, WAY-07, WAY-11)."""
    actor, options = scene.actor, scene.options
    attribute, training, level = options.attribute, options.training or 0, "training"
    if options.skill is not None:
        skill = skill_of(actor, options.skill)
        attribute = attribute or skill.attribute
        training = skill.training if options.training is None else options.training
        level = skill.name
    return (
        attribute_term(actor, attribute),
        *optional_term(level, training, "training" if options.skill else ""),
        *owned("options", *optional_term("assisted", ASSISTANCE if options.assisted else 0)),
        *scene.option_terms("modifier"),
    )


def automatic(face: int, reaction: bool) -> str:
    """Return the result that a natural face forces: `fail`, `success` or `none` (WAY-55, WAY-57, WAY-58).

    A 1 always fails. A 20 succeeds only in a reaction test.
    """
    if face == 1:
        return "fail"
    return "success" if face == 20 and reaction else "none"


def passes(face: int, total: int, threshold: int, reaction: bool) -> bool:
    """Return whether a test passes: the total reaches the threshold, or the face decides (WAY-01, R2)."""
    auto = automatic(face, reaction)
    return auto == "success" or (auto == "none" and total >= threshold)


def test(scene: Test, table: Table) -> Outcome:
    """Resolve a skill or attribute test against a threshold (WAY-01 to WAY-11, WAY-54 to WAY-58)."""
    actor, options = scene.actor, scene.options
    threshold = needed(options)
    terms = _terms(scene)
    if refused := marks.mark_refused(actor, options.use_aether_mark, scene.actor_name):
        return refused
    base = sum(term.value for term in terms)

    def failed(face: int) -> str:
        if passes(face, base + face, threshold, options.reaction):
            return ""
        return f"{plain_number(base + face)} against {plain_number(threshold)}"

    what = options.skill or ATTRIBUTE_WORDS.get(options.attribute or "", "test")
    face, marked = marks.test_die(table, actor, options.use_aether_mark, what, failed)
    total = base + face
    passed = passes(face, total, threshold, options.reaction)
    auto = automatic(face, options.reaction)
    facts = {"face": face, "total": total, "threshold": threshold, "passed": passed, "auto": auto}

    def tell() -> Explanation:
        own = owned("actor", *terms, *marks.die_terms(face, marked))
        return _explanation(scene, facts, own, marked)

    changes = marks.mark_spent(actor, marked)
    return Outcome(facts, {"actor": changes}, tell, degree="passed" if passed else "failed")


def _explanation(scene: Test, facts: dict[str, Any], terms: tuple[Term, ...], marked: bool) -> Explanation:
    options = scene.options
    word = ATTRIBUTE_WORDS.get(options.attribute or "", "")
    what = f"the {options.skill or word} test" if options.skill or word else "the test"
    text = f"{scene.who_acts} {'passes' if facts['passed'] else 'fails'} {what}."
    text += marks.mark_words(scene.actor_name, marked)
    numbers = sentence(
        f"{plain_number(facts['total'])} against {plain_number(needed(options))}",
        f"a natural {facts['face']}" if facts["auto"] != "none" else "",
    )
    origin = "" if options.threshold is not None else str(options.difficulty).replace("_", " ")
    step = Step("threshold", plain_number(needed(options)), origin)
    return Explanation(text, terms, (step,), _rules(scene, facts["auto"], marked), arithmetic=numbers)


def _rules(scene: Test, auto: str, marked: bool) -> tuple[str, ...]:
    options = scene.options
    return counted(
        {
            "WAY-01": auto == "none",
            "WAY-02": True,
            "WAY-03": options.threshold is None,
            "WAY-04": options.threshold_modifier != 0,
            "WAY-06": options.skill is not None,
            "WAY-11": options.assisted,
            "WAY-49": marked,
            "WAY-55": auto == "success",
            "WAY-57": auto == "fail",
        }
    )


TEST = Action(
    "test",
    "Test a skill or an attribute.",
    test,
    TestOptions,
    facts={
        "face": "the die that counts",
        "total": "die + attribute + training + modifiers",
        "threshold": "with threshold_modifier",
        "passed": "total at least the threshold and face not 1, or auto is success",
        "auto": "fail on a face of 1, success on a face of 20 in a reaction test, else none",
    },
    refusals=(marks.MARK_REFUSAL,),
    group="check",
    rules=("WAY-01", "WAY-02", "WAY-03", "WAY-49"),
    success="passed",
    letter="t",
    unable=True,
)
