"""The open-ended die, checks against a threshold, and contests."""

from collections.abc import Mapping
from functools import lru_cache

from systems.atlantis.house import House
from systems.atlantis.sheet import TRAITS, Sheet, has_acted, learning, score_term, trained, wound_penalty
from systems.contract.action import Action, Refusal, Scene
from systems.contract.outcome import Explanation, Outcome, Role, Step, Term, optional_term, owned, refuse
from systems.contract.table import Table
from systems.frozen import frozen
from systems.schema.fields import NoOptions, choice, declare, flag, text, whole
from systems.schema.naming import Naming
from systems.text import plain_number

THRESHOLDS = (("mundane", 10), ("normal", 25), ("difficult", 50), ("exceptional", 75))
_THRESHOLD_WORDS = {number: word for word, number in THRESHOLDS}
_LUCK = ("ATL-03", "ATL-04", "ATL-05", "ATL-06", "ATL-07")


def luck(table: Table, why: str, of: Role) -> int:
    """Roll the open-ended d20: -20 to -1, 2 to 19, or 21 to 40 (ATL-03 to ATL-07)."""
    first = table.d(20, why, of)
    if first == 1:
        return -table.d(20, f"{why}, after a 1", of)
    if first == 20:
        return 20 + table.d(20, f"{why}, after a 20", of)
    return first


def die_term(value: int) -> Term:
    """Return the open-ended die as a term, with a note on how it reached this number."""
    note = "a 20, then plus the second die" if value > 20 else ""
    return Term("d20", value, "a 1, then minus the second die" if value < 0 else note)


def hurt_term(sheet: Sheet) -> Term:
    """Return the wound penalty as a term; 0 with its reason if it does not count (ATL-41, ATL-42)."""
    penalty = wound_penalty(sheet)
    return Term("hurt", penalty, "" if penalty else "10 life lost or fewer")


def total_of(terms: tuple[Term, ...]) -> int:
    """Return the sum of terms."""
    return sum(term.value for term in terms)


def opposing_terms(sheet: Sheet, ability: str, trait: str | None) -> tuple[Term, ...]:
    """Return the terms against another's total, before any die: the score minus wounds."""
    return (score_term(sheet, ability, trait), *optional_term("hurt", wound_penalty(sheet)))


def in_words(terms: tuple[Term, ...]) -> str:
    """Return terms as a note: `melee 53, −5 hurt`."""
    first, *others = terms
    return f"{first.label} {first.value}" + "".join(
        f", {plain_number(term.value)} {term.label}" for term in others
    )


@declare
class CheckOptions:
    ability: str = text(help="the ability rolled", naming=Naming("abilities"))
    threshold: int = whole(-100, 300, help="the result needed (ATL-10)", called=THRESHOLDS)
    trait: str | None = choice(
        TRAITS, None, "rolled when the ability is not on the sheet (ATL-16)", when_absent="asked, else 0"
    )
    modifier: int = whole(-200, 200, 0, "the game master's number")
    spends_action: bool = flag(
        False, "it uses this round's action: no attack and no active defence as well (R38)"
    )


@declare
class ContestOptions:
    ability: str = text(help="the ability rolled", naming=Naming("abilities"))
    defence_ability: str | None = text(
        None, "the opponent's ability", when_absent="the same", naming=Naming("abilities", of="target")
    )
    trait: str | None = choice(
        TRAITS, None, "rolled when the ability is not on the sheet (ATL-16)", when_absent="asked, else 0"
    )
    defence_trait: str | None = choice(TRAITS, None, "as trait, for the opponent", when_absent="the same")
    modifier: int = whole(-200, 200, 0, "added to the actor's total")


def roll(scene: Scene[Sheet, NoOptions, House], table: Table) -> Outcome:
    """Roll the open-ended die alone (ATL-03)."""
    value = luck(table, "luck", "actor")

    def tell() -> Explanation:
        text = f"{scene.who_acts} rolls {plain_number(value)}."
        return Explanation(text, (die_term(value),), (), _LUCK)

    return Outcome({"luck": value}, tell=tell)


def check(scene: Scene[Sheet, CheckOptions, House], table: Table) -> Outcome:
    """Try an unchallenged action against a threshold (ATL-09 to ATL-17, R3)."""
    options = scene.options
    if options.spends_action and has_acted(scene.actor):
        return refuse("action", f"{scene.actor_name} has acted this round and has no action for a check.")
    terms = _terms(scene, trait_of(scene, table))
    known = trained(scene.actor, options.ability) is not None
    value = luck(table, options.ability, "actor")
    total = total_of(terms) + value
    success = total - options.threshold
    passed = success >= 0 if scene.house.tie_passes else success > 0
    facts = {
        "trained": known,
        "luck": value,
        "total": total,
        "success": success,
        "passed": passed,
        "may_learn": passed and not known,
    }

    def tell() -> Explanation:
        done = "passes" if passed else "fails"
        text = f"{scene.who_acts} {done} the {options.ability} check."
        if passed and not known:
            text += f" {scene.actor_name} may learn {options.ability}."
        numbers = (
            f"{plain_number(total)} against {plain_number(options.threshold)}, "
            f"success {plain_number(success)}."
        )
        needed = _THRESHOLD_WORDS.get(options.threshold, "")
        steps = (
            Step("threshold", plain_number(options.threshold), needed),
            Step("success", plain_number(success), done),
        )
        first_try = () if known else ("ATL-16", "ATL-17")
        rules = (*CHECK.rules, *first_try)
        own = owned("actor", *terms, die_term(value))
        return Explanation(text, own, steps, rules, arithmetic=numbers)

    changes = learning(scene.actor, options.ability) if passed else {}
    if options.spends_action:
        changes["action_spent"] = True
    return Outcome(facts, {"actor": changes}, tell, degree="passed" if passed else "failed")


def trait_of(
    scene: Scene[Sheet, CheckOptions, House] | Scene[Sheet, ContestOptions, House], table: Table
) -> str | None:
    """Return the trait for an ability that is not on the sheet, from a prompt; None without players."""
    options = scene.options
    if trained(scene.actor, options.ability) is not None or options.trait:
        return options.trait
    return _asked_trait(table, options.ability, "actor")


def _opposing_trait(
    scene: Scene[Sheet, ContestOptions, House], table: Table, trait: str | None
) -> str | None:
    """Return the opponent's trait if it lacks the ability: named, else the actor's, else asked."""
    options = scene.options
    against = options.defence_ability or options.ability
    if trained(scene.target, against) is not None or options.defence_trait or trait:
        return options.defence_trait or trait
    return _asked_trait(table, against, "target")


def _asked_trait(table: Table, ability: str, of: Role) -> str | None:
    """Ask for the trait that the ability belongs to: one answer for all who have not learned it."""
    question = f"Which trait replaces {ability} where it is not learned?"
    found = table.choose(question, ("none", *TRAITS), suggest="body", of=of, once=True, id="trait")
    return None if found == "none" else found


@lru_cache(maxsize=8)
def _terms(
    scene: Scene[Sheet, CheckOptions, House] | Scene[Sheet, ContestOptions, House], trait: str | None
) -> tuple[Term, ...]:
    """Return the terms added to the actor's die (ATL-09, ATL-16, ATL-42)."""
    actor, options = scene.actor, scene.options
    return (
        score_term(actor, options.ability, trait),
        hurt_term(actor),
        *scene.option_terms("modifier"),
    )


@frozen(eq=False)
class Sides:
    """What both sides of a contest add to their dice, and the opponent's ability.

    `learns`: by winner, the changes to the sheets.
    """

    base: int
    against: str
    opposed: tuple[Term, ...]
    opposed_base: int
    learns: Mapping[str, Mapping[str, Mapping[str, object]]]


@lru_cache(maxsize=8)
def _sides(
    scene: Scene[Sheet, ContestOptions, House], trait: str | None, opposing_trait: str | None
) -> Sides:
    options = scene.options
    against = options.defence_ability or options.ability
    opposed = opposing_terms(scene.target, against, opposing_trait)
    learns = {
        "actor": {"actor": learning(scene.actor, options.ability)},
        "target": {"target": learning(scene.target, against)},
        "none": {},
    }
    return Sides(total_of(_terms(scene, trait)), against, opposed, total_of(opposed), learns)


def contest(scene: Scene[Sheet, ContestOptions, House], table: Table) -> Outcome:
    """Contest an action: both roll and the higher wins; equal totals have no winner (ATL-14, R4)."""
    trait = trait_of(scene, table)
    sides = _sides(scene, trait, _opposing_trait(scene, table, trait))
    value = luck(table, scene.options.ability, "actor")
    total = sides.base + value
    opposed = sides.opposed_base + luck(table, sides.against, "target")
    success = total - opposed
    winner = "actor" if success > 0 else "target" if success < 0 else "none"
    facts = {"total": total, "opposed_total": opposed, "success": success, "winner": winner}
    return Outcome(
        facts,
        sides.learns[winner],
        lambda: _contest_told(scene, trait, sides, value, opposed),
        degree={"actor": "won", "target": "lost"}.get(winner, "tied"),
    )


def _contest_told(
    scene: Scene[Sheet, ContestOptions, House], trait: str | None, sides: Sides, value: int, opposed: int
) -> Explanation:
    total = sides.base + value
    success = total - opposed
    winner = scene.actor_name if success > 0 else scene.target_name
    ended = f"{winner} wins by {abs(success)}" if success else "nobody wins"
    ability = scene.options.ability if success > 0 else sides.against
    verb = "wins" if success > 0 else "loses" if success < 0 else "ties"
    text = f"{scene.who_acts} {verb} the {scene.options.ability} contest with {scene.target_name}."
    if any(sides.learns["actor" if success > 0 else "target" if success < 0 else "none"].values()):
        text += f" {winner} may learn {ability}."
    numbers = f"{plain_number(total)} against {plain_number(opposed)}, success {plain_number(success)}."
    against = owned("target", *sides.opposed, die_term(opposed - sides.opposed_base))
    steps = (
        Step.sum("against", against, of="both"),
        Step("success", plain_number(success), ended),
    )
    known = trained(scene.actor, scene.options.ability) and trained(scene.target, sides.against)
    rules = CONTEST.rules if known else (*CONTEST.rules, "ATL-16")
    own = owned("actor", *_terms(scene, trait), die_term(value))
    return Explanation(text, own, steps, rules, arithmetic=numbers)


ROLL = Action(
    "roll",
    "Roll the open-ended d20 alone.",
    roll,
    facts={"luck": "−20 to 40"},
    group="check",
    rules=_LUCK,
    total="luck",
    unable=True,
)
CHECK = Action(
    "check",
    "Roll an ability against a threshold.",
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
    refusals=(Refusal("action", "it would be the round's action, and the actor has acted (R38)"),),
    group="check",
    rules=("ATL-09", "ATL-11", "ATL-15"),
    success="passed",
    letter="t",
    unable=True,
)
CONTEST = Action(
    "contest",
    "Contest an action: both sides roll.",
    contest,
    ContestOptions,
    targets="one",
    facts={
        "total": "of the actor",
        "opposed_total": "of the opponent",
        "success": "total - opposed_total",
        "winner": "actor, target or none",
    },
    group="check",
    rules=("ATL-13", "ATL-14"),
    success="winner",
    success_value="actor",
    success_label="wins",
    letter="f",
    verb="contest an action",
)
