"""Awareness: the DC to strike an unready target, warnings, and the Perception check."""

from typing import Any

from systems.arden.house import House
from systems.arden.sheet import Sheet, awareness_now, score
from systems.contract.action import Action, Refusal, Scene
from systems.contract.or_number import OrNumber
from systems.contract.outcome import Ask, Explanation, Outcome, Step, Term, owned, refuse
from systems.contract.table import Table
from systems.frozen import frozen
from systems.schema.fields import declare, whole
from systems.text import plain_number

BASE_DC = 10
UNREADY_DC = {"flat_footed": 10, "unconscious": 5}
WORDS = {"aware": "aware", "alert": "alert", "flat_footed": "flat-footed", "unconscious": "unconscious"}


def opposed_terms(target: Sheet, ability: str) -> tuple[Term, ...]:
    """Return the DC of an opposed check: 10 and the other's ability, not rolled (APD-24)."""
    return Term("base", BASE_DC), Term(ability, score(target, ability))


def defence_terms(target: Sheet, ability: str, house: House) -> tuple[Term, ...]:
    """Return the DC to strike the target; being unready lowers it (APD-51, APD-52, R17, R22)."""
    normal = opposed_terms(target, ability)
    state = awareness_now(target)
    if state not in UNREADY_DC:
        return normal
    dc, limit = sum(term.value for term in normal), UNREADY_DC[state]
    if house.flat_footed == "lower_of" and dc <= limit:
        return (*normal, Term(WORDS[state], 0, f"no higher than {limit} as it is"))
    which = "exactly" if house.flat_footed == "fixed" else "at most"
    return (*normal, Term(WORDS[state], limit - dc, f"{limit} {which}"))


def warned(scene: Scene[Sheet, Any, House], graduates_to: str | None, table: Table) -> str:
    """Return the awareness of a target after a failed attack; only the flat-footed change (APD-51, R25)."""
    if awareness_now(scene.target) != "flat_footed":
        return scene.target.awareness
    question = f"{scene.target_name} notices the failed attack. Alert or aware?"
    return table.choose(
        question, ("alert", "aware"), suggest="alert", of="gm", given=graduates_to, id="after_miss"
    )


def still_unready(scene: Scene[Sheet, Any, House], after_hit: Sheet, table: Table) -> str:
    """Return whether a target hit flat-footed stays so: the game master decides (R24)."""
    if awareness_now(after_hit) != "flat_footed":
        return scene.target.awareness
    question = f"{scene.target_name} is hit while flat-footed. What is it now?"
    return table.choose(question, ("flat_footed", "alert", "aware"), suggest="alert", of="gm", id="after_hit")


@frozen
class Noticing:
    """The Perception check of an alert target before a blow."""

    passed: bool
    terms: tuple[Term, ...]
    dc: int

    @property
    def total(self) -> int:
        return sum(term.value for term in self.terms)

    def words(self, target: str, attacker: str) -> str:
        """Return `Bandit 1 notices nothing. `, the sentence before the attack."""
        return f"{target} notices {attacker if self.passed else 'nothing'}. "

    @property
    def numbers(self) -> str:
        """Return `Perception 9 against 12`."""
        return f"Perception {plain_number(self.total)} against {plain_number(self.dc)}"


MOST_DC = 199
NO_CHECK = "no check"
_COMMON_DCS = (5, 10, 15, 20)


def noticing(scene: Scene[Sheet, Any, House], table: Table) -> Noticing | None:
    """Return the check of an alert target before an attack, or None (APD-50, R26, R36).

    The game master sets its number; 10 and the attacker's agility is suggested, as for an opposed check.
    """
    if awareness_now(scene.target) != "alert":
        return None
    suggested = BASE_DC + score(scene.actor, "agility")
    dcs = sorted({*_COMMON_DCS, suggested})
    question = f"{scene.target_name} is alert. What must its Perception beat before the blow?"
    given = scene.options.perception_dc
    chosen = table.choose(
        question,
        OrNumber((NO_CHECK, *map(plain_number, dcs)), MOST_DC),
        suggest=plain_number(suggested),
        of="gm",
        given=None if given is None else plain_number(given),
        id="perception_dc",
    )
    if chosen == NO_CHECK:
        return None
    dc = given
    if dc is None:
        dc = next((number for number in dcs if plain_number(number) == chosen), None)
    if dc is None:
        dc = int(chosen)
    ability = score(scene.target, "perception")
    seen = table.chance(dc - ability + 1, 20, "perception", "target", over=True)
    return Noticing(seen.passed, owned("target", Term("perception", ability), Term("d20", seen.face)), dc)


@declare
class PerceptionOptions:
    dc: int = whole(-99, MOST_DC, help="the game master's number; it must be beaten (R26)")
    modifier: int = whole(-99, 99, 0, "added to the score")


def perception(scene: Scene[Sheet, PerceptionOptions, House], table: Table) -> Outcome:
    """Check the Perception of a target that may be surprised (APD-50, R26)."""
    actor, options, name = scene.actor, scene.options, scene.actor_name
    state = awareness_now(actor)
    if state in UNREADY_DC:
        return refuse("awareness", f"{name} is {WORDS[state]} and gets no Perception check.")
    ability = score(actor, "perception")
    die = table.d(20, "perception")
    total = die + ability + options.modifier
    passed = total > options.dc
    first = state == "alert" and not passed

    def tell() -> Explanation:
        text = f"{scene.who_acts} notices {'the attacker' if passed else 'nothing'}."
        text += " The attacker strikes before initiative." if first else ""
        numbers = f"{plain_number(total)} against {plain_number(options.dc)}."
        own = Term("perception", ability), *scene.option_terms("modifier"), Term("d20", die)
        terms = owned("actor", *own)
        steps = (Step("DC", plain_number(options.dc), "must be beaten"),)
        return Explanation(text, terms, steps, ("APD-50", "R26"), arithmetic=numbers)

    asks = (Ask(f"Whoever attacks {name} strikes once before initiative is rolled."),) if first else ()
    facts = {"score": total, "passed": passed, "attacker_first": first}
    return Outcome(facts, tell=tell, asks=asks, degree="passed" if passed else "failed")


PERCEPTION = Action(
    "perception",
    "Check the Perception of a combatant that may be surprised.",
    perception,
    PerceptionOptions,
    facts={
        "score": "die + perception + modifier",
        "passed": "score above the dc",
        "attacker_first": "alert and failed: the attacker strikes before initiative (APD-50)",
    },
    refusals=(Refusal("awareness", "the actor is flat-footed or unconscious"),),
    group="check",
    rules=("APD-50", "APD-51", "APD-52"),
    success="passed",
    total="score",
    title="perception check",
    letter="p",
    verb="make a perception check",
)
