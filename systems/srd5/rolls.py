"""A roll of a d20: advantage and disadvantage, added dice, and what counts as a success."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import lru_cache
from typing import Any, TypeVar

from systems.contract.action import Scene
from systems.contract.outcome import Term, optional_term, owned
from systems.contract.table import Blow, Table, plus, read_dice
from systems.dice.sources import NeedsFace
from systems.frozen import evolve, frozen
from systems.schema.fields import declare, dice, flag, whole
from systems.srd5.house import House

T = TypeVar("T", bound=Hashable)
Grade = Callable[[int, int], T]
NORMAL, ADVANTAGE, DISADVANTAGE = "normal", "advantage", "disadvantage"
_D20 = Blow(((1, 20),))
_TWO_DICE = {ADVANTAGE: "2d20kh1", DISADVANTAGE: "2d20kl1"}


def advantage_option(of: str) -> Any:
    """Declare how many things give advantage."""
    return whole(0, 9, 0, f"{of} (SRD-04)")


@declare
class RollOptions:
    """The options that every roll of a d20 has."""

    advantage: int = advantage_option("how many things give advantage")
    disadvantage: int = advantage_option("how many things give disadvantage; either cancels the other")
    modifier: int = whole(-99, 99, 0, "the game master's number")
    bonus_dice: str | None = dice(None, "dice added to the total, such as 1d4")
    penalty_dice: str | None = dice(None, "dice taken from the total, such as 1d4")


@declare
class CheckRollOptions(RollOptions):
    """The options of a roll that fear can hinder."""

    fear_in_sight: bool = flag(True, "the source of its fear is within sight (SRD-52)")


def way_of(advantages: int, disadvantages: int) -> str:
    """Return how the die is rolled: any number of one cancels any number of the other (SRD-05)."""
    if bool(advantages) == bool(disadvantages):
        return NORMAL
    return ADVANTAGE if advantages else DISADVANTAGE


@frozen
class D20:
    """How a d20 is rolled: its way, its bonuses, and the dice added and taken away."""

    way: str
    terms: tuple[Term, ...]
    bonus_dice: str | None = None
    penalty_dice: str | None = None

    @property
    def added(self) -> int:
        return sum(term.value for term in self.terms)


def with_dice(given: str | None, changes: Iterable[str], *, taken: bool) -> str | None:
    """Return the dice of an option with those of effects: the ones they add, or take away with a minus."""
    found = [change.lstrip("+-") for change in changes if change.startswith("-") is taken]
    return "+".join((*((given,) if given else ()), *found)) or None


@frozen(eq=False)
class Rolled:
    """A rolled d20: the face that counts, the total, and its grade.

    In odds one branch represents all faces of a grade, so face and total are for facts and words alone.
    """

    d20: D20
    grade: Any
    face: Any
    total: Any
    bonus: int = 0
    penalty: int = 0

    @property
    def facts(self) -> dict[str, Any]:
        return {"roll": self.d20.way, "face": self.face, "total": self.total}

    @property
    def terms(self) -> tuple[Term, ...]:
        """Return the terms of the total."""
        words = {ADVANTAGE: "the higher of two", DISADVANTAGE: "the lower of two"}
        return (
            *self.d20.terms,
            Term("d20", self.face, words.get(self.d20.way, "")),
            *owned(
                "options",
                *optional_term(self.d20.bonus_dice or "", self.bonus),
                *optional_term(self.d20.penalty_dice or "", -self.penalty),
            ),
        )


def roll(
    table: Table,
    d20: D20,
    grade: Grade[Any],
    why: str,
    of: str = "actor",
    needed: int = 0,
    words: Callable[[Any], str] | None = None,
) -> Rolled:
    """Roll a d20 (SRD-02). `grade(face, total)` is a function that is the same object for the same numbers.

    For the prompt of a real die: `needed` is the total that succeeds, 0 if there is none; `words(grade)`
    returns a grade in words.
    """
    if d20.bonus_dice or d20.penalty_dice:
        face = _face(table, d20.way, why, of)
        bonus = _dice(table, d20.bonus_dice, why, of)
        penalty = _dice(table, d20.penalty_dice, why, of)
        total = face + d20.added + bonus - penalty
        return Rolled(d20, grade(face, total), face, total, bonus, penalty)
    added = d20.added
    dice = _TWO_DICE.get(d20.way, _D20)
    try:
        found, face = table.grouped(dice, _of_face(grade, added), why, of)
    except NeedsFace as needs:
        known: dict[str, Any] = {"passes_at": needed - added, "over": True} if needed else {}
        if words is not None:
            known["outcome_of"] = lambda face: words(grade(face, face + added))
        raise _noted(needs.knowing(**known), d20.way) from None
    return Rolled(d20, found, face, plus(face, added))


def _face(table: Table, way: str, why: str, of: str) -> int:
    if way == NORMAL:
        return table.d(20, why, of)
    try:
        return table.roll(_TWO_DICE[way], why, of)
    except NeedsFace as needs:
        raise _noted(needs, way) from None


def _noted(needs: NeedsFace, way: str) -> NeedsFace:
    """Return the request for a real die with the way it is rolled, if it is one of two."""
    return needs if way == NORMAL else needs.knowing(note=way)


def _dice(table: Table, dice: str | None, why: str, of: str) -> int:
    return table.blows(1, Blow(read_dice(dice)), f"{dice} for the {why}", of) if dice else 0


@lru_cache(maxsize=512)
def _of_face(grade: Grade[T], added: int) -> Callable[[int], T]:
    return lambda face: grade(face, face + added)


@lru_cache(maxsize=512)
def reaching(needed: int, natural: bool) -> Grade[bool]:
    """Return the grade of a check or a save: whether it reaches a number (SRD-13, R14)."""

    def grade(face: int, total: int) -> bool:
        if natural and face in (1, 20):
            return face == 20
        return total >= needed

    return grade


def ungraded(face: int, total: int) -> int:
    """Return the total as the grade of a roll against no number."""
    return total


def exhaustion_term(levels: int) -> tuple[Term, ...]:
    """Return what exhaustion takes off (SRD-11)."""
    return optional_term("exhaustion", -2 * levels)


def with_more_dice(d20: D20, changes: Sequence[str]) -> D20:
    """Return a d20 with the dice that effects add to it, or take away with a minus."""
    if not changes:
        return d20
    bonus, penalty = (
        with_dice(given, changes, taken=taken)
        for given, taken in ((d20.bonus_dice, False), (d20.penalty_dice, True))
    )
    return evolve(d20, bonus_dice=bonus, penalty_dice=penalty)


def d20_of(scene: Scene[Any, Any, House], advantages: int, disadvantages: int, *terms: Term) -> D20:
    """Return the d20 of a scene with RollOptions, with what the sheets add to those options."""
    options = scene.options
    return D20(
        way_of(advantages + options.advantage, disadvantages + options.disadvantage),
        (*terms, *scene.option_terms("modifier")),
        options.bonus_dice,
        options.penalty_dice,
    )
