"""The table at which an action runs: it rolls dice, asks for choices and records both.

An action asks the table for what it needs, with the reason and the owner. The same action runs with random
dice, with dice given by hand, or with the walker of `systems.odds`, which takes every branch.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, cast

from systems.contract.damage import Blow as Blow
from systems.contract.damage import DamagePart, DamageRoll, DamageTally, Levels
from systems.contract.damage import read_dice as read_dice
from systems.contract.outcome import Answer
from systems.dice.sources import (
    Dice,
    DiceCounts,
    NeedsFace,
    Roll,
    StreamedDice,
    TakesTotals,
    Total,
    TotalRoll,
    dice_words,
    throw_sum,
)
from systems.errors import InputError, Wrong
from systems.frozen import evolve, field, frozen

if TYPE_CHECKING:
    from systems.contract.aside import Aside
    from systems.contract.series import Series, SeriesState, SeriesStrike
    from systems.dice.expression import Expression

    class Sight(Protocol):
        """What players may know of the dice and choices of one roll."""

        def stream_of(self, of: str) -> str:
            """Return the name of the random stream for a die of this owner."""

        def conceals(self, of: str) -> bool:
            """Return whether players must not know of a die or a choice of this owner."""


T = TypeVar("T", bound=Hashable)
K = TypeVar("K")
MOST_TRIES = 1000
# Dice thrown with others, and the reason for them: `("1d4", "bless")`.
ExtraDice = tuple[str, str]


def _as_tuple(choices: Sequence[Any]) -> tuple[Any, ...]:
    # Choices that also take other numbers stay unchanged (or_number.py).
    return choices if isinstance(choices, tuple) else tuple(choices)


@frozen
class ChoiceRequest:
    """A question without an answer so far: its choices, its owner, and the suggested answer.

    `is_concealed`: it concerns a combatant that players do not see, so no player may answer it.
    """

    question: str
    choices: Sequence[Any] = field(converter=_as_tuple)
    of: str
    suggest: object
    is_concealed: bool = False


class NeedsChoice(Exception):
    """No given answer is left for the question that `request` describes."""

    def __init__(self, request: ChoiceRequest) -> None:
        super().__init__(request)
        self.request = request

    def __str__(self) -> str:
        return self.request.question


class WrongChoice(InputError, ValueError):
    """An answer that the question does not allow."""

    code = "not_a_choice"


def die_note(note: str) -> "_DieNote":
    """Add a note to each real die rolled in this block, such as that it counts twice."""
    return _DieNote(note)


class _DieNote:
    """Adds a note to each real die. Odds walk thousands of branches, for which a generator would be slow."""

    __slots__ = ("_note",)

    def __init__(self, note: str) -> None:
        self._note = note

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, NeedsFace):
            raise error.knowing(note=self._note) from None


def plus(total: Any, number: int) -> Any:
    """Return a total of `Table.grouped` with a number added; in odds it still stands for all its sums."""
    return total + number if isinstance(total, int) else total.shifted(number)


class Choices(Protocol):
    """A source of answers to questions in the middle of an action. `id`: see `Table.choose`."""

    def answer(self, question: str, choices: Sequence[T], of: str, suggest: T, id: str = "") -> T: ...


class Suggested:
    """Answers every question with its suggestion."""

    def answer(self, question: str, choices: Sequence[T], of: str, suggest: T, id: str = "") -> T:
        return suggest


class Unasked:
    """Answers every question with its first choice, because there is no player to ask."""

    def answer(self, question: str, choices: Sequence[T], of: str, suggest: T, id: str = "") -> T:
        return choices[0]


def interrupt_id(name: str) -> str:
    """Return the id of the question about an interruption (interrupt.py)."""
    return f"interrupt {name}"


def interruption_of(id: str) -> str:
    """Return the name of the interruption that a question with this id is about, or ""."""
    kind, _, name = id.partition(" ")
    return name if kind == "interrupt" else ""


class ScriptedChoices:
    """Answers given in order; raises NeedsChoice when none is left."""

    def __init__(self, answers: Sequence[Any]) -> None:
        self._answers = list(answers)

    def answer(self, question: str, choices: Sequence[T], of: str, suggest: T, id: str = "") -> T:
        if not self._answers:
            raise NeedsChoice(ChoiceRequest(question, choices, of, suggest))
        given = self._answers.pop(0)
        if given not in choices:
            raise WrongChoice(f"{question} The answer cannot be {given}")
        return next((choice for choice in choices if choice == given), given)


@frozen
class Chance:
    """The result of a roll against a target value: `passed`, and the face (any of that side in odds)."""

    passed: bool
    face: int


@lru_cache(maxsize=256)
def face_worths(sides: int, worth: int | tuple[int, ...]) -> tuple[int, ...]:
    """Return the value of each face of a die, from 1 up. Raises ValueError for a tuple of another length."""
    if isinstance(worth, int):
        return tuple(int(face >= worth) for face in range(1, sides + 1))
    if len(worth) != sides:
        raise ValueError(f"a d{sides} has {sides} faces, but {len(worth)} values are given")
    return worth


class TableDice(TakesTotals):
    """Dice source that asks a table for the dice of one roll, all with the same reason if `why` is given."""

    def __init__(self, table: "Table", why: str = "") -> None:
        self._table, self._why = table, why

    def total(self, dice: DiceCounts, why: str = "", of: str = "") -> int | None:
        return self._table.given_total(dice, self._why or why, of)

    def face(self, sides: int, why: str = "", of: str = "") -> int:
        return self._table.face(sides, self._why or why, of)


class Table:
    """Dice and choices for one action. `rolls` and `answers` are recorded in order.

    If only the sum of dice counts (`d`, `blows`, `roll` without modifiers, `damage`, `grouped`), a source may
    give their total. If single faces count (`pool`, `count`, dice that are kept or explode), it may not.
    `turn_to` sets the combatants of the next dice and choices. `brief`: only the facts count that the
    action declares for its odds, such as its success and amount, so an action may leave others out.
    `only_changes`: no fact counts at all, only what the outcome changes. A changed number may then represent
    several, as `DamageTally.left_of` returns them.
    """

    brief = False
    only_changes = False

    def __init__(self, dice: Dice, choices: Choices | None = None) -> None:
        self._dice = dice
        self._totals = dice if isinstance(dice, TakesTotals) else None
        self._choices = choices or Unasked()
        self._people: Mapping[str, str] = {}
        self._sight: Sight | None = None
        self._cause = ""
        self.rolls: list[Roll | TotalRoll] = []
        self.answers: list[Answer] = []
        # The answers that count for everyone who gets the same question, by question and role.
        self._answered: dict[tuple[str, str], Any] = {}

    def turn_to(self, people: Mapping[str, str], sight: "Sight | None" = None) -> None:
        """Set the combatants of the next dice: role -> id. `sight`: what players may know of these dice."""
        self._people, self._sight = people, sight

    @contextmanager
    def because_of(self, cause: str) -> Iterator[None]:
        """Add a cause to the reason of each die in this block: `wisdom, frightened`."""
        before, self._cause = self._cause, f", {cause}"
        try:
            yield
        finally:
            self._cause = before

    @property
    def rolled(self) -> list[Roll]:
        """Return the dice whose faces are known."""
        return [roll for roll in self.rolls if isinstance(roll, Roll)]

    def d(self, sides: int, why: str, of: str = "actor") -> int:
        """Roll one die; return its face."""
        if self._totals is not None and (face := self.given_total(((1, sides),), why, of)) is not None:
            return face
        try:
            return self.face(sides, why, of)
        except NeedsFace as needs:
            raise needs.knowing(sum_of=((1, sides),)) from None

    def given_total(self, dice: DiceCounts, why: str, of: str = "actor") -> int | None:
        """Return the total given for dice of which only the sum counts, and record it; None for faces."""
        of = self._people.get(of, of)
        why += self._cause
        if self._totals is None or (total := self._totals.total(dice, why, of)) is None:
            return None
        is_single = sum(number for number, _ in dice) == 1
        roll = Roll(dice[0][1], total, why, of) if is_single else TotalRoll(dice_words(dice), total, why, of)
        self.rolls.append(roll)
        return total

    def face(self, sides: int, why: str, of: str = "actor") -> int:
        """Roll one die of several whose faces count singly; a total is not enough. Actions call `pool`."""
        of, why = self._people.get(of, of), why + self._cause
        if self._sight is not None and isinstance(self._dice, StreamedDice):
            self._dice.stream = self._sight.stream_of(of)
        try:
            face = self._dice.face(sides, why, of)
        except NeedsFace as needs:
            target = self._people.get("target", "")
            raise needs.knowing(
                is_concealed=self._conceals(of),
                target=target if target != of else "",
                before=tuple(self.rolls),
                answers=tuple(answer.value for answer in self.answers),
            ) from None
        self.rolls.append(Roll(sides, face, why, of))
        return face

    def _conceals(self, of: str) -> bool:
        return self._sight is not None and self._sight.conceals(of)

    def unused_die(self, sides: int, why: str, of: str = "actor") -> None:
        """Roll a die that does not count; it makes no branch in odds."""
        self.d(sides, why, of)

    def chance(self, target: int, sides: int, why: str, of: str = "actor", *, over: bool = False) -> Chance:
        """Roll one die that passes at `target` or less, with `over` at `target` or more.

        In odds these are two branches, not `sides`.
        """
        face = self.against(target, sides, why, of, over=over)
        return Chance(face >= target if over else face <= target, face)

    def against(self, target: int, sides: int, why: str, of: str = "actor", *, over: bool = False) -> int:
        """Roll one die that passes as in `chance`, and return its face, which counts as a margin."""
        try:
            return self.d(sides, why, of)
        except NeedsFace as needs:
            raise needs.knowing(passes_at=target, over=over) from None

    def pool(self, number: int, sides: int, why: str, of: str = "actor") -> tuple[int, ...]:
        """Roll several dice whose order does not matter; return the faces from high to low."""
        if number == 1:
            return (self.d(sides, why, of),)
        return tuple(sorted((self.face(sides, why, of) for _ in range(number)), reverse=True))

    def _sum(self, dice: DiceCounts, why: str, of: str) -> int:
        """Roll dice of which only the sum counts, die by die in the order written."""
        thrown = throw_sum(TableDice(self, why), dice, why, of)
        return thrown.value if isinstance(thrown, Total) else sum(thrown)

    def blows(self, number: int, blow: Blow, why: str, of: str = "actor") -> int:
        """Return the sum of `number` blows, each rolled separately, die by die in the order written.

        One total is enough for all of them if only their sum counts; else each takes a total of its own.
        """
        together = number if number > 1 and blow.adds_up else 1
        try:
            if together > 1:
                return blow.factor * self._sum(blow.dice * number, why, of) + number * blow.plus
            return sum(blow.worth(self._sum(blow.dice, why, of)) for _ in range(number))
        except NeedsFace as needs:
            adds = together * blow.plus if blow.divided == 1 else None
            raise needs.knowing(adds=adds) from None

    def roll(self, dice: "str | Expression", why: str = "", of: str = "actor") -> int:
        """Return the total of dice in any notation, such as `4d6kh3 + 2`, `2d20kh1` or `6d6!c>=5`.

        Without `why` each die is named by its label or as it is written. In odds there is a branch for each
        total; of an explosion without an end, less than one part in 10**12 is left out. Raises Wrong for a
        text that is not dice.
        """
        # Only dice in a notation pay for this import.
        from systems.dice.expression import DiceError
        from systems.dice.notation import parse
        from systems.dice.notation import roll as throw

        try:
            return throw(parse(dice) if isinstance(dice, str) else dice, TableDice(self, why), of).total
        except DiceError as error:
            raise Wrong("", str(error)) from None

    def count(
        self, number: int, sides: int, worth: int | tuple[int, ...], why: str, of: str = "actor"
    ) -> int:
        """Return how many of `number` dice show `worth` or more: a branch for each count in odds.

        With a tuple each face has a value of its own, beginning with the 1, and their sum counts: `(-1, 0, 0,
        0, 1, 2)`.
        """
        faces = face_worths(sides, worth)
        try:
            throw = self.d if number == 1 else self.face
            return sum(faces[throw(sides, why, of) - 1] for _ in range(number))
        except NeedsFace as needs:
            if isinstance(worth, int):
                raise needs.knowing(passes_at=worth, over=True, is_counted=True) from None
            raise

    def damage(
        self,
        parts: Sequence[DamagePart],
        why: str = "damage",
        of: str = "actor",
        given: Sequence[int] | None = None,
    ) -> DamageRoll:
        """Return damage of several types from one roll, each changed by its type's defence.

        `given`: the sums rolled before (`DamageRoll.rolled` of an earlier target of the same command), so
        that nothing is rolled. In odds there is a branch for each total, not for each mixture; the amounts of
        the parts then represent all mixtures of that total and are not numbers.
        """
        sums = given if given is not None else [self._part(part, why, of) for part in parts]
        return DamageRoll.of(parts, sums)

    def _part(self, part: DamagePart, why: str, of: str) -> int:
        reason = f"{part.type} {why}" if part.type else why
        dice = part.dice
        return self.blows(1, dice, reason, of) if isinstance(dice, Blow) else self.roll(dice, reason, of)

    def add_damage(
        self,
        before: DamageTally,
        parts: Sequence[DamagePart],
        plus: int = 0,
        levels: Levels = None,
        why: str = "damage",
        of: str = "actor",
    ) -> DamageTally:
        """Return the tally with the damage of one roll, and a fixed amount, added.

        `levels`: how much more than `before.least` changes the result of the action in anything but the sum,
        such as the hit points that are left. In odds the sums between two levels are one branch, and `least`
        is the level that they have reached.
        """
        roll = self.damage(parts, why, of)
        total = before.sum + roll.total + plus
        return DamageTally(total, total, roll, roll.total + plus)

    def by_damage(self, tally: DamageTally, decide: Callable[["Table", int], T]) -> tuple[T, DamageTally]:
        """Return what `decide(table, damage)` returns for the damage added last, and the tally after it.

        It is for a roll whose number depends on that damage, such as a save against 5 + the damage. In odds
        there is a branch for each decision, whatever the damage: its tally has the sums that led to it.
        `decide` depends on nothing but its values, so make it a frozen value with `__call__`: equal ones
        are then rolled once for each amount.
        """
        return decide(self, tally.last), tally

    def one_of(self, sum: Any) -> int:
        """Return a sum of `add_damage` as a number; in odds there is a branch for each."""
        return cast(int, sum)

    def in_steps(
        self,
        kinds: Sequence[K],
        step: Callable[["Table", K, T, Any], tuple[T, Any, Any]],
        start: T,
    ) -> tuple[T, Any, tuple[Any, ...]]:
        """Carry out steps, each from the state and the sum that the last one left.

        `step(table, kind, state, sum)` returns the state after it, the sum, such as that of a DamageTally,
        and anything that only words need. Return the last state and sum, and the words of each step. In odds
        equal states are put together after each step, whatever their sums, and there are no words.
        """
        state, sum, told = start, cast(Any, 0), list[Any]()
        for kind in kinds:
            state, sum, words = step(self, kind, state, sum)
            told.append(words)
        return state, sum, tuple(told)

    def grouped(
        self, dice: "Blow | str | Expression", grade: Callable[[int], T], why: str, of: str = "actor"
    ) -> tuple[T, int]:
        """Return the grade of one blow or of dice in notation, and the sum.

        The sum is for facts and words alone: in odds there are as many branches as grades, and the sum is not
        a number there (odds.Sums).
        """
        total = self.blows(1, dice, why, of) if isinstance(dice, Blow) else self.roll(dice, why, of)
        return grade(total), total

    def graded(
        self,
        dice: "str | Expression",
        grade: Callable[[int, int], T],
        why: str,
        of: str = "actor",
        *,
        extra: Sequence[ExtraDice] = (),
        plus: int = 0,
    ) -> tuple[T, int, int, tuple[int, ...]]:
        """Return the grade of dice with extra dice and a number, their own sum, the total, the extra sums.

        `grade(natural, total)` gets the sum of the dice alone, such as the face of a d20, and the sum of
        everything. In odds only the grade can be read: `natural` and `total` are for facts alone (odds.Sums),
        and there are no extra sums. There are as many branches as grades if `grade` is equal for equal
        numbers: a frozen value with `__call__`, such as the grading of `d20.py`, or a cached function.
        """
        natural = self.roll(dice, why, of)
        added = tuple(self.roll(more, reason or why, of) for more, reason in extra)
        total = natural + sum(added) + plus
        return grade(natural, total), natural, total, added

    def beside(
        self,
        dice: "str | Expression",
        passes: Callable[[int, int], bool],
        why: str,
        of: str = "actor",
        *,
        extra: Sequence[ExtraDice] = (),
        plus: int = 0,
    ) -> "Aside":
        """Roll dice that pass or fail, on which nothing later in this action depends.

        A save that only decides about conditions is such a roll. It makes no branch in odds: the conditions
        carry their share. The arguments are those of `graded`.
        """
        from systems.contract.aside import Aside

        passed, natural, _, added = self.graded(dice, passes, why, of, extra=extra, plus=plus)
        return Aside(passed, (natural, *added))

    def series(
        self,
        kinds: Sequence[Hashable],
        strike: "Callable[[Table, Any, Any], SeriesStrike]",
        seen: "Callable[[SeriesState], Hashable]",
        start: "Series",
    ) -> "Series":
        """Carry out several strikes, one after the other; games call `several_strikes` of series.py."""
        found = start
        for kind in kinds:
            if (group := seen(found.whole)) is None:
                break
            found = found.and_then(strike(self, kind, group))
        return found

    def until(self, part: Callable[["Table"], T], accept: Callable[[T], bool]) -> tuple[T, int | None]:
        """Repeat `part` until `accept`; return the accepted value and the number of tries (None in odds)."""
        for tries in range(1, MOST_TRIES + 1):
            value = part(self)
            if accept(value):
                return value, tries
        raise WrongChoice("the dice were rolled a thousand times without a decision")

    def choose(
        self,
        question: str,
        choices: Sequence[T],
        *,
        suggest: T,
        of: str = "actor",
        given: T | None = None,
        once: bool = False,
        id: str = "",
    ) -> T:
        """Return the answer to a question in the middle of an action.

        With `OrNumber` as `choices`, numbers that are not listed can be typed. `given` answers it beforehand
        (an option of the command). The first of `choices` is taken if no player can be asked, else `suggest`
        is filled in. `once`: if several combatants do the same in one command, the first answer to that
        question counts for all. `id`: one word for the question, whatever names and numbers its sentence
        has. It is recorded with the answer, so that an amended command asks again if it now asks another
        question.
        """
        if given is not None:
            return given
        asked = (question, of)
        if once and asked in self._answered:
            return cast(T, self._answered[asked])
        of = self._people.get(of, of)
        try:
            answer = self._choices.answer(question, choices, of, suggest, id)
        except NeedsChoice as needs:
            raise NeedsChoice(evolve(needs.request, is_concealed=self._conceals(of))) from None
        if not isinstance(self._choices, Unasked):
            self.answers.append(Answer(answer, of, answer == suggest, id))
        if once:
            self._answered[asked] = answer
        return answer
