"""Tests of a skill or an attribute, and opposed tests."""

from typing import Any

from systems.contract import Account, Action, Outcome, Role, Scene, Step, Term
from systems.fields import choice, declare, flag, text, whole
from systems.kinds import Wrong
from systems.table import Table
from systems.waygate.house import House
from systems.waygate.marks import (
    MARK_REFUSAL,
    again,
    die_terms,
    mark_option,
    mark_refused,
    mark_spent,
    may_ask,
    test_die,
    wants_mark,
)
from systems.waygate.sheet import (
    ATTRIBUTE_WORDS,
    ATTRIBUTES,
    Sheet,
    attribute_of,
    attribute_term,
    skill_of,
)
from systems.words import plain_number

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
    attribute: str | None = choice(
        ATTRIBUTES, None, "the attribute added (WAY-08, WAY-09)", when_absent="the skill's, else none"
    )
    skill: str | None = text(
        None, "a skill of the sheet by name: gives attribute and training where these are absent"
    )
    training: int | None = whole(-9, 9, None, "added (WAY-07)", when_absent="the skill's, else 0")
    threshold: int | None = whole(-99, 199, None, "the value to reach; goes before difficulty")
    difficulty: str | None = choice(
        tuple(DIFFICULTIES),
        None,
        "3, 7, 11, 15, 18, 22, 30 (WAY-03); one of threshold and difficulty is needed",
    )
    threshold_modifier: int = whole(-99, 99, 0, "added to the value to reach (WAY-04)")
    modifier: int = whole(-99, 99, 0, "the game master's number")
    assisted: bool = flag(False, "somebody helps: +2 (WAY-11)")
    reaction: bool = flag(False, "a reaction test: a face of 20 succeeds (WAY-55, R30)")
    use_aether_mark: bool | None = mark_option()


Test = Scene[Sheet, TestOptions, House]


def optional_term(label: str, value: int, note: str = "") -> tuple[Term, ...]:
    """A term only where it is not 0."""
    return (Term(label, value, note),) if value else ()


def needed(options: TestOptions) -> int:
    """The value to reach (WAY-03, WAY-04, R3). Raises Wrong when neither kind was given."""
    if options.threshold is not None:
        return options.threshold + options.threshold_modifier
    if options.difficulty is None:
        raise Wrong("options.threshold", "is needed, or a difficulty such as medium")
    return DIFFICULTIES[options.difficulty] + options.threshold_modifier


def _terms(scene: Test) -> tuple[Term, ...]:
    """All that is added to the die (WAY-02, WAY-06, WAY-07, WAY-11)."""
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
        *optional_term("assisted", ASSISTANCE if options.assisted else 0),
        *optional_term("modifier", options.modifier),
    )


def automatic(face: int, reaction: bool) -> str:
    """A 1 always fails; a 20 succeeds in a reaction test alone (WAY-55, WAY-57, WAY-58)."""
    if face == 1:
        return "fail"
    return "success" if face == 20 and reaction else "none"


def passes(face: int, total: int, threshold: int, reaction: bool) -> bool:
    """Reaching the value passes, unless the face alone decides (WAY-01, R2)."""
    auto = automatic(face, reaction)
    return auto == "success" or (auto == "none" and total >= threshold)


def test(scene: Test, table: Table) -> Outcome:
    """A skill or attribute test against a threshold (WAY-01 to WAY-11, WAY-54 to WAY-58)."""
    actor, options = scene.actor, scene.options
    threshold = needed(options)
    terms = _terms(scene)
    if refused := mark_refused(actor, options.use_aether_mark, scene.actor_name):
        return refused
    base = sum(term.value for term in terms)

    def failed(face: int) -> str:
        if passes(face, base + face, threshold, options.reaction):
            return ""
        return f"{plain_number(base + face)} against {plain_number(threshold)}"

    what = options.skill or ATTRIBUTE_WORDS.get(options.attribute or "", "test")
    face, marked = test_die(table, actor, options.use_aether_mark, what, failed)
    total = base + face
    passed = passes(face, total, threshold, options.reaction)
    auto = automatic(face, options.reaction)
    facts = {"face": face, "total": total, "threshold": threshold, "passed": passed, "auto": auto}

    def tell() -> Account:
        return _told(scene, facts, (*terms, *die_terms(face, marked)), marked)

    changes = mark_spent(actor, marked)
    return Outcome(facts, {"actor": changes}, tell, degree="passed" if passed else "failed")


def _told(scene: Test, facts: dict[str, Any], terms: tuple[Term, ...], marked: bool) -> Account:
    options = scene.options
    word = ATTRIBUTE_WORDS.get(options.attribute or "", "")
    what = f"the {options.skill or word} test" if options.skill or word else "the test"
    text = (
        f"{scene.actor_name} {'passes' if facts['passed'] else 'fails'} {what}: "
        f"{plain_number(facts['total'])} against {plain_number(needed(options))}"
    )
    if facts["auto"] != "none":
        text += f", a natural {facts['face']}"
    if marked:
        text += ", the Aether Mark spent"
    origin = "" if options.threshold is not None else str(options.difficulty).replace("_", " ")
    step = Step("threshold", plain_number(needed(options)), origin)
    return Account(f"{text}.", terms, (step,), ("WAY-01", "WAY-02", "WAY-57"))


@declare
class OpposedOptions:
    attribute: str | None = choice(ATTRIBUTES, None, "the actor's", when_absent="none")
    target_attribute: str | None = choice(
        ATTRIBUTES, None, "the target's", when_absent="the same as attribute"
    )
    modifier: int = whole(-99, 99, 0, "the actor's training and circumstances")
    target_modifier: int = whole(-99, 99, 0, "the target's")
    use_aether_mark: bool | None = mark_option()


Opposed = Scene[Sheet, OpposedOptions, House]


def verdict(own: int, theirs: int, total: int, opposed_total: int) -> tuple[Role, str] | None:
    """Who wins an opposed test and by what; None on a full tie (WAY-36 to WAY-38, WAY-55, WAY-57).

    A 20 or a 1 decides against any other face; the same on both sides cancels out (R18, R19).
    """
    if own != theirs:
        if own == 20 or theirs == 1:
            return "actor", "natural"
        if own == 1 or theirs == 20:
            return "target", "natural"
    if total != opposed_total:
        return ("actor" if total > opposed_total else "target"), "total"
    if own != theirs:
        return ("actor" if own > theirs else "target"), "die"
    return None


def opposed(scene: Opposed, table: Table) -> Outcome:
    """Both roll until one wins; a mark takes back the actor's first die (WAY-36 to WAY-38, WAY-49)."""
    actor, target, options = scene.actor, scene.target, scene.options
    use = options.use_aether_mark
    if refused := mark_refused(actor, use, scene.actor_name):
        return refused
    against = options.target_attribute or options.attribute
    base = attribute_of(actor, options.attribute) + options.modifier
    opposed_base = attribute_of(target, against) + options.target_modifier
    why, opposed_why = (
        ATTRIBUTE_WORDS.get(one or "", "opposed test") for one in (options.attribute, against)
    )
    before = len(table.rolls)

    def throw(table: Table) -> tuple[int, int]:
        # Nothing has fallen yet in the first attempt, the only one that a mark rerolls.
        first = len(table.rolls) == before
        if first and use:
            table.spill(20, why)
            theirs = table.d(20, opposed_why, "target")
            return again(table, why), theirs
        own, theirs = table.d(20, why), table.d(20, opposed_why, "target")
        if first and may_ask(actor, use):
            found = verdict(own, theirs, base + own, opposed_base + theirs)
            seen = f"{plain_number(base + own)} against {plain_number(opposed_base + theirs)}"
            if found and found[0] == "target" and wants_mark(table, seen):
                own = again(table, why)
        return own, theirs

    def decided(faces: tuple[int, int]) -> bool:
        return verdict(*faces, base + faces[0], opposed_base + faces[1]) is not None

    (own, theirs), attempts = table.until(throw, decided)
    marked = use or (attempts is not None and len(table.rolls) - before > 2 * attempts)
    total, opposed_total = base + own, opposed_base + theirs
    winner, by = verdict(own, theirs, total, opposed_total) or ("target", "total")
    facts = {
        "face": own,
        "opposed_face": theirs,
        "total": total,
        "opposed_total": opposed_total,
        "winner": winner,
        "decided_by": by,
        "attempts": attempts,
    }
    changes = mark_spent(actor, bool(marked))
    return Outcome(
        facts, {"actor": changes}, lambda: _opposed_told(scene, facts, bool(marked)), degree=winner
    )


def _opposed_told(scene: Opposed, facts: dict[str, Any], marked: bool) -> Account:
    options, attempts = scene.options, facts["attempts"] or 1
    own = attribute_term(scene.actor, options.attribute)
    other = attribute_term(scene.target, options.target_attribute or options.attribute)
    winner = scene.actor_name if facts["winner"] == "actor" else scene.target_name
    how = {"natural": "by a natural face", "total": "by the total", "die": "by the higher die"}
    numbers = f"{plain_number(facts['total'])} against {plain_number(facts['opposed_total'])}"
    text = f"{scene.actor_name} pits {own.label} against {scene.target_name}'s {other.label}: {numbers}"
    text += f", {winner} wins {how[facts['decided_by']]}"
    text += f" after {attempts} attempts" if attempts > 1 else ""
    text += ", the Aether Mark spent" if marked else ""
    terms = (
        own,
        *optional_term("modifier", options.modifier),
        *die_terms(facts["face"], marked and attempts == 1),
    )
    note = f"{other.label} {plain_number(other.value)}, d20 {facts['opposed_face']}"
    if options.target_modifier:
        note += f", modifier {plain_number(options.target_modifier)}"
    steps = (
        Step("against", plain_number(facts["opposed_total"]), note),
        Step("winner", winner, how[facts["decided_by"]]),
    )
    return Account(f"{text}.", terms, steps, ("WAY-36", "WAY-37", "WAY-38", "WAY-55", "WAY-57"))


TEST = Action(
    "test",
    "A skill or attribute test.",
    test,
    TestOptions,
    facts={
        "face": "the die that counts",
        "total": "die + attribute + training + modifiers",
        "threshold": "with threshold_modifier",
        "passed": "total at least the threshold and face not 1, or auto is success",
        "auto": "fail on a face of 1, success on a face of 20 in a reaction test, else none",
    },
    refusals=(MARK_REFUSAL,),
    kind="check",
    rules=("WAY-01", "WAY-02", "WAY-03", "WAY-49"),
    success="passed",
)
OPPOSED = Action(
    "opposed",
    "Both roll until one wins.",
    opposed,
    OpposedOptions,
    targets="one",
    facts={
        "face": "the actor's last die",
        "opposed_face": "the target's last die",
        "total": "of the actor",
        "opposed_total": "of the target",
        "winner": "actor, target",
        "decided_by": "natural (one 20 or 1 against another face), total, die",
        "attempts": "1 and more; a full tie repeats both dice (a mark rerolls in the first attempt only)",
    },
    refusals=(MARK_REFUSAL,),
    kind="check",
    rules=("WAY-36", "WAY-37", "WAY-38", "WAY-49"),
)
