"""The table that an action plays at: it throws dice, asks for choices and keeps what fell.

An action asks the table for what it needs and says why and whose it is. The same action runs at a
table with random dice, with dice given by hand, or at the walker of `systems.odds`, which takes
every branch.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Protocol, TypeVar

from systems.dice.sources import Dice, Roll, StreamedDice
from systems.errors import InputError
from systems.frozen import frozen

T = TypeVar("T", bound=Hashable)
MOST_TRIES = 1000


class NeedsChoice(Exception):
    """A scripted table ran out of answers: the question, its choices, whose it is, what is suggested."""

    def __init__(self, question: str, choices: Sequence[Any], of: str, suggest: object) -> None:
        self.question, self.choices, self.of, self.suggest = question, tuple(choices), of, suggest
        super().__init__(question)


class WrongChoice(InputError, ValueError):
    """An answer that the question does not allow."""

    code = "not_a_choice"


class Choices(Protocol):
    """Where the answers to questions in the middle of an action come from."""

    def answer(self, question: str, choices: Sequence[T], of: str, suggest: T) -> T: ...


class Suggested:
    """Play without questions: what is suggested is taken."""

    def answer(self, question: str, choices: Sequence[T], of: str, suggest: T) -> T:
        return suggest


class Unasked:
    """The rules alone: nobody is there to ask, the first choice stands."""

    def answer(self, question: str, choices: Sequence[T], of: str, suggest: T) -> T:
        return choices[0]


class ScriptedChoices:
    """Answers given in order; raises NeedsChoice when they run out."""

    def __init__(self, answers: Sequence[Any]) -> None:
        self._answers = list(answers)

    def answer(self, question: str, choices: Sequence[T], of: str, suggest: T) -> T:
        if not self._answers:
            raise NeedsChoice(question, choices, of, suggest)
        given = self._answers.pop(0)
        if given not in choices:
            raise WrongChoice(f"{question} The answer cannot be {given}")
        return next(choice for choice in choices if choice == given)


@frozen
class Chance:
    """A roll against a target value: whether it passed, and the face (any face of that side in odds)."""

    passed: bool
    face: int


@frozen
class Blow:
    """Dice and what is added: `factor` times the sum of `dice` plus `plus`, at least `least`.

    `dice` holds (number, sides) in the order written.
    """

    dice: tuple[tuple[int, int], ...]
    plus: int = 0
    factor: int = 1
    least: int | None = None

    def worth(self, total: int) -> int:
        amount = self.factor * total + self.plus
        return amount if self.least is None or amount > self.least else self.least


@lru_cache(maxsize=512)
def read_dice(text: str) -> tuple[tuple[int, int], ...]:
    """`2d8+1d4` as ((2, 8), (1, 4))."""
    return tuple((int(part.split("d")[0]), int(part.split("d")[1])) for part in text.split("+"))


class Table:
    """Dice and choices for one action. `rolls` and `answers` are what fell, in order.

    `people` says whose hands a role is: role -> id of a combatant. `stream_of`, where it is set, names the
    stream of chance that a die of these people comes from, for dice that keep several.
    """

    def __init__(self, dice: Dice, choices: Choices | None = None) -> None:
        self._dice = dice
        self._choices = choices or Unasked()
        self.people: Mapping[str, str] = {}
        self.stream_of: Callable[[Mapping[str, str], str], str] | None = None
        self.rolls: list[Roll] = []
        self.answers: list[Any] = []

    def d(self, sides: int, why: str, of: str = "actor") -> int:
        """One die. Returns its face."""
        of = self.people.get(of, of)
        if self.stream_of is not None and isinstance(self._dice, StreamedDice):
            self._dice.stream = self.stream_of(self.people, of)
        face = self._dice.face(sides, why, of)
        self.rolls.append(Roll(sides, face, why, of))
        return face

    def spill(self, sides: int, why: str, of: str = "actor") -> None:
        """A die that falls and does not count, whatever it shows: rolled, seen, and no branch in odds."""
        self.d(sides, why, of)

    def chance(self, target: int, sides: int, why: str, of: str = "actor") -> Chance:
        """One die that passes at `target` or under. In odds these are two branches, not `sides`."""
        face = self.d(sides, why, of)
        return Chance(face <= target, face)

    def pool(self, number: int, sides: int, why: str, of: str = "actor") -> tuple[int, ...]:
        """Several dice whose order does not count. Returns the faces from high to low."""
        return tuple(sorted((self.d(sides, why, of) for _ in range(number)), reverse=True))

    def blows(self, number: int, blow: Blow, why: str, of: str = "actor") -> int:
        """The sum of `number` blows, each rolled for itself, die by die in the order written."""
        return sum(
            blow.worth(sum(self.d(sides, why, of) for many, sides in blow.dice for _ in range(many)))
            for _ in range(number)
        )

    def graded(self, blow: Blow, grade: Callable[[int], T], why: str, of: str = "actor") -> tuple[T, int]:
        """One blow: what its sum amounts to, and the sum, which is for facts and the telling alone.

        In odds these are as many branches as there are grades, and the sum is no number (odds.Sums).
        """
        total = self.blows(1, blow, why, of)
        return grade(total), total

    def until(self, part: Callable[["Table"], T], accept: Callable[[T], bool]) -> tuple[T, int | None]:
        """Repeat `part` until `accept`: the accepted value and the number of tries (None in odds)."""
        for tries in range(1, MOST_TRIES + 1):
            value = part(self)
            if accept(value):
                return value, tries
        raise WrongChoice("the dice were thrown a thousand times and nothing was decided")

    def choose(
        self,
        question: str,
        choices: Sequence[T],
        *,
        suggest: T,
        of: str = "actor",
        given: T | None = None,
    ) -> T:
        """A decision in the middle of an action.

        `given` answers it beforehand (an option of the command). The first of `choices` is what
        happens when there is nobody to ask; `suggest` is filled in where there is.
        """
        if given is not None:
            return given
        answer = self._choices.answer(question, choices, self.people.get(of, of), suggest)
        if not isinstance(self._choices, Unasked):
            self.answers.append(answer)
        return answer
