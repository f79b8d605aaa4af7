"""The bonus on a d20, boons and banes, and manoeuvres against a difficulty."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from systems.atomic_d20.house import House
from systems.atomic_d20.sheet import BONUSES, SAVES, Sheet
from systems.contract.action import Action, Scene
from systems.contract.outcome import Explanation, Outcome, Step, Term, Whose, owned
from systems.contract.table import Table
from systems.frozen import frozen
from systems.schema.fields import choice, declare, flag, listing, text, whole
from systems.schema.naming import Naming
from systems.schema.types import Choice, Whole
from systems.text import find_word, plain_number, signed

# The sizes of boons and banes. If the book gives no size, it is small (R3, R4).
SMALL, LARGE = 1, 2
_SIZE = Whole(1, 9, (("small", SMALL), ("large", LARGE)))
PRACTICE_BOON = {"practiced": LARGE, "modified": SMALL}
_PRACTICE_LABEL = {"practiced": "practised", "modified": "practised, modified", "spontaneous": "spontaneous"}


@declare
class RollOptions:
    """The options that manoeuvres, attacks and spells share."""

    relevant: tuple[str, ...] = listing(
        Choice(BONUSES), (), "which of these bonuses count (ATO-11 to ATO-13)", remembered="actor"
    )
    practice: str | None = choice(
        ("practiced", "modified", "spontaneous"),
        None,
        "+2, +1, or 0 and the house rule's penalty (ATO-16, ATO-17, R6)",
        when_absent="practiced if the manoeuvre is, else spontaneous",
    )
    maneuver: str | None = text(
        None, "the manoeuvre's name", naming=Naming("practiced"), remembered="actor", label="manoeuvre"
    )
    boons: tuple[int, ...] = listing(_SIZE, (), "sizes: small 1, large 2 (R3)", one_off=True)
    banes: tuple[int, ...] = listing(_SIZE, (), "sizes: small 1, large 2 (R3)", one_off=True)
    use_boon: bool | None = flag(
        None,
        "spend one of the saved boons on this roll (ATO-48, ATO-49)",
        when_absent="asked; else no",
        one_off=True,
    )
    save: str | None = choice(SAVES, None, "a save of the sheet that is added (ATO-05)")
    modifier: int = whole(-99, 99, 0, "the game master's modifier")


@declare
class ManeuverOptions(RollOptions):
    difficulty: int = whole(-99, 199, help="the value to reach (ATO-83, R1)")


@frozen
class Bonus:
    """The total bonus of a roll: its terms, their sum, and the rules that applied.

    `spent`: a saved boon is among the terms.
    """

    terms: tuple[Term, ...]
    value: int
    rules: tuple[str, ...]
    spent: bool = False

    @property
    def words(self) -> str:
        """Return the sentence that follows in the log: ` A boon is spent.`, or ""."""
        return " A boon is spent." if self.spent else ""


@frozen
class SizedBoon:
    """A boon or a bane of a roll. `of`: the owner of its term."""

    label: str
    size: int
    of: Whose = "actor"


@lru_cache(maxsize=16)
def bonus(scene: Scene[Sheet, Any, House], spent: bool = False) -> Bonus:
    """Return the bonus of the actor's d20 from the scene's options, a RollOptions (ATO-10 to ATO-17).

    `spent`: a saved boon is spent on it.
    """
    actor, options, mode = scene.actor, scene.options, scene.house.boon_stacking
    terms = (
        *_relevant_terms(actor, options),
        *_stacked(_boons(actor, options, spent), mode, 1),
        *_stacked(_banes(scene), mode, -1),
        *((Term(options.save, getattr(actor, options.save)),) if options.save else ()),
        *scene.option_terms("modifier"),
    )
    terms = owned("actor", *terms)
    rules = (*_rules(actor, options, scene.house), *(("ATO-48", "ATO-49") if spent else ()))
    return Bonus(terms, sum(term.value for term in terms), rules, spent)


def spends_boon(scene: Scene[Sheet, Any, House], table: Table) -> bool:
    """Return whether a saved boon is spent on this roll, asked during play (ATO-48, ATO-49)."""
    held, given = scene.actor.boon, scene.options.use_boon
    if not held or given is not None:
        return bool(held and given)
    kept = f", {held} kept" if held > 1 else ""
    question = f"Does {scene.actor_name} spend a boon of {SMALL} on this roll{kept}?"
    # The boon of an adrenaline rush is lost when its turn ends.
    return table.choose(question, (False, True), suggest=scene.actor.status == "adrenaline", id="boon")


def boon_spent(actor: Sheet, spent: bool) -> dict[str, object]:
    """Return the change of the sheet from spending a boon."""
    return {"boon": actor.boon - 1} if spent else {}


def _rules(actor: Sheet, options: RollOptions, house: House) -> tuple[str, ...]:
    practice = practice_of(actor, options)
    counts = {
        "ATO-05": options.save is not None,
        "ATO-10": practice == "spontaneous",
        "ATO-11": "high_concept" in options.relevant,
        "ATO-12": "lineage" in options.relevant,
        "ATO-13": "expertise" in options.relevant,
        "ATO-16": practice == "practiced",
        "ATO-17": practice == "modified",
        "ATO-55": actor.wound_banes > 0,
        "ATO-66": house.boon_stacking == "replace",
        "ATO-67": practice == "spontaneous" and house.spontaneous_penalty > 0,
        "ATO-77": house.boon_stacking == "cap",
        "ATO-82": bool(options.boons or options.banes),
    }
    return tuple(rule for rule, counted in counts.items() if counted)


def practice_of(actor: Sheet, options: RollOptions) -> str:
    """Return practised, modified or spontaneous: from the option, else the sheet's list (ATO-16, ATO-17)."""
    if options.practice is not None:
        return options.practice
    known = options.maneuver is not None and find_word(options.maneuver, actor.practiced) is not None
    return "practiced" if known else "spontaneous"


def counted(sizes: Sequence[int], mode: str) -> tuple[int, ...]:
    """Return the value of each boon, or each bane, of one roll (ATO-66, ATO-77, R27, R28)."""
    if mode == "replace" and any(size >= LARGE for size in sizes):
        return tuple(size if size >= LARGE else 0 for size in sizes)
    if mode != "cap":
        return tuple(sizes)
    room, parts = LARGE, []
    for size in sizes:
        parts.append(min(size, room))
        room -= parts[-1]
    return tuple(parts)


def _relevant_terms(actor: Sheet, options: RollOptions) -> tuple[Term, ...]:
    """Return the terms of high concept, lineage and expertise; an irrelevant one counts 0."""
    terms = []
    for name in BONUSES:
        value, label = getattr(actor, name), name.replace("_", " ")
        if name in options.relevant:
            terms.append(Term(label, value, getattr(actor, f"{name}_name") or ""))
        elif value:
            terms.append(Term(label, 0, "not relevant here"))
    return tuple(terms)


def _boons(actor: Sheet, options: RollOptions, spent: bool) -> tuple[SizedBoon, ...]:
    """Return each boon, including practice and a saved boon (ATO-16, ATO-17)."""
    practice = practice_of(actor, options)
    boon = PRACTICE_BOON.get(practice)
    trained = () if boon is None else (SizedBoon(_PRACTICE_LABEL[practice], boon),)
    kept = (SizedBoon("boon kept", SMALL),) if spent else ()
    return (*trained, *kept, *(SizedBoon("boon", size, "options") for size in options.boons))


def roll_notes(scene: Scene[Sheet, Any, House]) -> Mapping[str, str]:
    """Return a note for each bonus and each practised manoeuvre that can be chosen."""
    actor = scene.actor
    bonuses = {name: (getattr(actor, f"{name}_name") or "", getattr(actor, name)) for name in BONUSES}
    return {
        **{
            f"relevant={name}": ", ".join(filter(None, (words, signed(value))))
            for name, (words, value) in bonuses.items()
        },
        **{f"maneuver={name}": f"practised, {signed(LARGE)}" for name in actor.practiced},
    }


def _banes(scene: Scene[Sheet, Any, House]) -> tuple[SizedBoon, ...]:
    """Return each bane (R4, R6).

    Banes come from lack of practice, from options, and a small one from each major wound.
    """
    actor, options, house = scene.actor, scene.options, scene.house
    unpractised: tuple[SizedBoon, ...] = ()
    if house.spontaneous_penalty and practice_of(actor, options) == "spontaneous":
        unpractised = (SizedBoon(_PRACTICE_LABEL["spontaneous"], house.spontaneous_penalty),)
    wounds = (SizedBoon("wound", SMALL),) * actor.wound_banes
    labels, owners = scene.entry_labels("banes", "bane"), scene.entry_owners("banes")
    return (*unpractised, *map(SizedBoon, labels, options.banes, owners), *wounds)


def _stacked(named: tuple[SizedBoon, ...], mode: str, sign: int) -> tuple[Term, ...]:
    """Return boons or banes as terms. A note says why one counts for less than its size."""
    why = "only large ones count" if mode == "replace" else "at most 2 in all"
    counts = counted([boon.size for boon in named], mode)
    return tuple(
        Term(boon.label, sign * part, "" if part == boon.size else f"{boon.size}, {why}", boon.of)
        for boon, part in zip(named, counts, strict=True)
    )


def attempt(options: RollOptions) -> str:
    """Return the words for the attempt in the log."""
    if options.maneuver:
        return f"the {options.maneuver} manoeuvre"
    return f"the {options.save.capitalize()} save" if options.save else "the manoeuvre"


def maneuver(scene: Scene[Sheet, ManeuverOptions, House], table: Table) -> Outcome:
    """Resolve a manoeuvre, save or other roll against a difficulty; no natural face decides (R1, R2)."""
    options = scene.options
    spent = spends_boon(scene, table)
    added = bonus(scene, spent)
    face = table.d(20, options.maneuver or options.save or "manoeuvre", "actor")
    total = face + added.value
    degree = total - options.difficulty
    passed = degree >= 0

    def tell() -> Explanation:
        done = "passes" if passed else "fails"
        numbers = (
            f"{plain_number(total)} against {plain_number(options.difficulty)}, "
            f"degree {plain_number(degree)}."
        )
        steps = (
            Step("difficulty", plain_number(options.difficulty)),
            Step("degree", plain_number(degree), done),
        )
        text = f"{scene.who_acts} {done} {attempt(options)}.{added.words}"
        terms = (*added.terms, Term("d20", face, of="actor"))
        return Explanation(text, terms, steps, added.rules, arithmetic=numbers)

    facts = {"bonus": added.value, "total": total, "degree": degree, "passed": passed}
    changes = {"actor": boon_spent(scene.actor, spent)}
    return Outcome(facts, changes, tell, degree="passed" if passed else "failed")


MANEUVER = Action(
    "maneuver",
    "Roll a manoeuvre, a save or anything else against a difficulty.",
    maneuver,
    ManeuverOptions,
    facts={
        "bonus": "the sum of everything added to the die",
        "total": "die + bonus",
        "degree": "total - difficulty",
        "passed": "degree 0 or more",
    },
    group="check",
    rules=("ATO-09", "ATO-10", "ATO-11", "ATO-12", "ATO-13", "ATO-16", "ATO-17", "ATO-82"),
    success="passed",
    notes=roll_notes,
    title="manoeuvre",
    letter="m",
    unable=True,
)
