"""The dice and choices of a command at the table: given by hand, or else rolled by the program."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from systems.contract.table import ScriptedChoices
from systems.dice.scripted import ScriptedDice, check_total
from systems.dice.sources import (
    DiceCounts,
    DieRequest,
    Given,
    NeedsFace,
    StreamedDice,
    Streams,
    TakesTotals,
    Total,
)

T = TypeVar("T")


class MixedDice(StreamedDice, TakesTotals):
    """A source that returns the given faces and totals, then rolls dice that are not real.

    The program's rolls are added to `faces`, so that a second run gets the same dice. They come from the
    stream of the die. Raises NeedsFace for a real die whose face has not been given yet. Each die, and the
    first of each total, is added to `asked`.
    """

    def __init__(
        self,
        faces: list[Given],
        streams: Streams,
        is_real: Callable[[str], bool],
        asked: list[object] | None = None,
    ) -> None:
        self._faces, self._streams, self._is_real = faces, streams, is_real
        self._asked = [] if asked is None else asked
        self._at = 0

    def total(self, dice: DiceCounts, why: str = "", of: str = "") -> int | None:
        total = ScriptedDice(self._faces[self._at : self._at + 1]).total(dice, why, of)
        if total is not None:
            self._asked.append((dice[0][1], why, of))
            self._at += 1
        return total

    def face(self, sides: int, why: str = "", of: str = "") -> int:
        self._asked.append((sides, why, of))
        if self._at == len(self._faces):
            if self._is_real(of):
                raise NeedsFace(DieRequest(sides, why, of))
            self._faces.append(self._streams.named(self.stream).randint(1, sides))
        face = ScriptedDice([self._faces[self._at]]).face(sides, why, of)
        self._at += 1
        return face


class GivenChoices(ScriptedChoices):
    """Answers given in order. Each question is added to `asked`."""

    def __init__(self, answers: Sequence[Any], asked: list[object]) -> None:
        super().__init__(answers)
        self._asked = asked

    def answer(self, question: str, choices: Sequence[T], of: str, suggest: T, id: str = "") -> T:
        self._asked.append((question, tuple(choices), of))
        return super().answer(question, choices, of, suggest, id)


def check_given(needs: DieRequest, given: Given) -> None:
    """Check the face of a real die, or the total of its sum. Raises WrongDie if it is impossible."""
    if isinstance(given, Total) and needs.sum_of and not needs.in_sum:
        check_total(given.value, needs.sum_of, needs.why)
    else:
        ScriptedDice([given]).face(needs.sides, needs.why, needs.of)
