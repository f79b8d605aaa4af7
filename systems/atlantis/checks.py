"""The open-ended die, checks against a threshold, and contests."""

from functools import lru_cache

from systems.atlantis.house import House
from systems.atlantis.sheet import TRAITS, Sheet, score, score_label, wound_penalty
from systems.contract import Account, Action, Outcome, Role, Scene, Step, Term
from systems.fields import NoOptions, choice, declare, text, whole
from systems.table import Table
from systems.values import frozen
from systems.words import plain_number

THRESHOLDS = {10: "mundane", 25: "normal", 50: "difficult", 75: "exceptional"}
_LUCK = ("ATL-03", "ATL-04", "ATL-05", "ATL-06", "ATL-07")


def luck(table: Table, why: str, of: Role) -> int:
    """The open-ended d20: -20 to -1, 2 to 19, or 21 to 40 (ATL-03 to ATL-07)."""
    first = table.d(20, why, of)
    if first == 1:
        return -table.d(20, f"{why}, after a 1", of)
    if first == 20:
        return 20 + table.d(20, f"{why}, after a 20", of)
    return first


def luck_note(value: int) -> str:
    """How the die came to that number."""
    if value < 0:
        return "a 1, then the second die against it"
    return "a 20, then the second die on top" if value > 20 else ""


def hurt_term(sheet: Sheet) -> Term:
    """The wound penalty as a term; 0 with its reason when it does not count (ATL-41, ATL-42)."""
    penalty = wound_penalty(sheet)
    return Term("hurt", penalty, "" if penalty else "10 life lost or fewer")


def optional_term(label: str, value: int, note: str = "") -> tuple[Term, ...]:
    """A term only where it is not 0."""
    return (Term(label, value, note),) if value else ()


@declare
class CheckOptions:
    ability: str = text(help="the ability rolled")
    threshold: int = whole(
        -100, 300, help="the result needed: 10 mundane, 25 normal, 50 difficult, 75 exceptional (ATL-10)"
    )
    trait: str | None = choice(
        TRAITS, None, "rolled when the ability is not on the sheet (ATL-16)", when_absent="0"
    )
    modifier: int = whole(-200, 200, 0, "the game master's number")


@declare
class ContestOptions:
    ability: str = text(help="the ability rolled")
    defence_ability: str | None = text(None, "the opponent's ability", when_absent="the same")
    trait: str | None = choice(
        TRAITS, None, "rolled when the ability is not on the sheet (ATL-16)", when_absent="0"
    )
    defence_trait: str | None = choice(TRAITS, None, "as trait, for the opponent", when_absent="the same")
    modifier: int = whole(-200, 200, 0, "added to the actor's total")


def roll(scene: Scene[Sheet, NoOptions, House], table: Table) -> Outcome:
    """The open-ended die alone (ATL-03)."""
    value = luck(table, "luck", "actor")

    def tell() -> Account:
        terms = (Term("d20", value, luck_note(value)),)
        return Account(f"{scene.actor_name} rolls {plain_number(value)}.", terms, (), _LUCK)

    return Outcome({"luck": value}, tell=tell)


def check(scene: Scene[Sheet, CheckOptions, House], table: Table) -> Outcome:
    """An unchallenged action against a threshold (ATL-09 to ATL-17, R3)."""
    actor, options = scene.actor, scene.options
    trained = options.ability in actor.abilities
    base = score(actor, options.ability, options.trait) + options.modifier + wound_penalty(actor)
    value = luck(table, options.ability, "actor")
    total = base + value
    success = total - options.threshold
    passed = success >= 0 if scene.house.tie_passes else success > 0
    facts = {
        "trained": trained,
        "luck": value,
        "total": total,
        "success": success,
        "passed": passed,
        "may_learn": passed and not trained,
    }

    def tell() -> Account:
        done = "passes" if passed else "fails"
        learn = f" and may learn {options.ability}" if passed and not trained else ""
        text = (
            f"{scene.actor_name} {done} at {options.ability}: {plain_number(total)} against "
            f"{plain_number(options.threshold)}, success {plain_number(success)}{learn}."
        )
        needed = THRESHOLDS.get(options.threshold, "")
        steps = (
            Step("threshold", plain_number(options.threshold), needed),
            Step("success", plain_number(success), done),
        )
        return Account(text, _terms(scene, value), steps, ("ATL-09", "ATL-11", "ATL-15", "ATL-16"))

    return Outcome(facts, tell=tell, degree="passed" if passed else "failed")


def _terms(
    scene: Scene[Sheet, CheckOptions, House] | Scene[Sheet, ContestOptions, House], value: int
) -> tuple[Term, ...]:
    actor, options = scene.actor, scene.options
    named = score_label(actor, options.ability, options.trait)
    return (
        Term(named, score(actor, options.ability, options.trait)),
        hurt_term(actor),
        *optional_term("modifier", options.modifier),
        Term("d20", value, luck_note(value)),
    )


@frozen(eq=False)
class Sides:
    """What the two of a contest add to their dice, and what the opponent rolls."""

    base: int
    against: str
    trait: str | None
    opposed_base: int


@lru_cache(maxsize=8)
def _sides(scene: Scene[Sheet, ContestOptions, House]) -> Sides:
    actor, target, options = scene.actor, scene.target, scene.options
    against = options.defence_ability or options.ability
    trait = options.defence_trait or options.trait
    return Sides(
        score(actor, options.ability, options.trait) + options.modifier + wound_penalty(actor),
        against,
        trait,
        score(target, against, trait) + wound_penalty(target),
    )


def contest(scene: Scene[Sheet, ContestOptions, House], table: Table) -> Outcome:
    """A challenged action: both roll, the higher wins, nobody on equal totals (ATL-14, R4)."""
    sides = _sides(scene)
    value = luck(table, scene.options.ability, "actor")
    total = sides.base + value
    opposed = sides.opposed_base + luck(table, sides.against, "target")
    success = total - opposed
    winner = "actor" if success > 0 else "target" if success < 0 else "none"
    facts = {"total": total, "opposed_total": opposed, "success": success, "winner": winner}
    return Outcome(facts, tell=lambda: _contest_told(scene, value, opposed), degree=winner)


def _contest_told(scene: Scene[Sheet, ContestOptions, House], value: int, opposed: int) -> Account:
    sides, target = _sides(scene), scene.target
    total = sides.base + value
    success = total - opposed
    winner = scene.actor_name if success > 0 else scene.target_name
    ended = f"{winner} wins by {abs(success)}" if success else "nobody wins"
    text = (
        f"{scene.actor_name} contests {scene.options.ability} with {scene.target_name}: "
        f"{plain_number(total)} against {plain_number(opposed)}, {ended}."
    )
    hurt = wound_penalty(target)
    note = f"{score_label(target, sides.against, sides.trait)} {sides.opposed_base - hurt}"
    note += f", {plain_number(hurt)} hurt" if hurt else ""
    note += f", d20 {plain_number(opposed - sides.opposed_base)}"
    steps = (
        Step("against", plain_number(opposed), note),
        Step("success", plain_number(success), ended),
    )
    return Account(text, _terms(scene, value), steps, ("ATL-13", "ATL-14", "ATL-16"))


ROLL = Action(
    "roll",
    "The open-ended d20 alone.",
    roll,
    facts={"luck": "-20 to 40"},
    kind="check",
    rules=_LUCK,
)
CHECK = Action(
    "check",
    "An unchallenged action against a threshold.",
    check,
    CheckOptions,
    facts={
        "trained": "the ability is on the sheet",
        "luck": "the open-ended die",
        "total": "score + luck + modifier + wound penalty",
        "success": "total - threshold, may be negative",
        "passed": "the check passed",
        "may_learn": "passed and not trained (ATL-17)",
    },
    kind="check",
    rules=("ATL-09", "ATL-11", "ATL-15"),
    success="passed",
)
CONTEST = Action(
    "contest",
    "A challenged action: both roll.",
    contest,
    ContestOptions,
    targets="one",
    facts={
        "total": "of the actor",
        "opposed_total": "of the opponent",
        "success": "total - opposed_total",
        "winner": "actor, target or none",
    },
    kind="check",
    rules=("ATL-14",),
)
