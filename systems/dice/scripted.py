"""Dice given by hand: their faces and totals in order, and the errors for impossible ones."""

from collections.abc import Sequence

from systems.dice.sources import DiceCounts, DieRequest, Given, NeedsFace, TakesTotals, Total, dice_words
from systems.errors import InputError


class WrongDie(InputError):
    """An impossible die given by hand. `index` counts the given dice from 0, the sentence from 1."""

    code = "dice"
    index: int


class WrongFace(WrongDie):
    """A face that the die does not have."""

    def __init__(self, index: int, face: int, sides: int, why: str = "") -> None:
        super().__init__(why, path=f"dice[{index}]")
        self.args = (index, face, sides, why)
        self.index = index
        self.face = face
        self.sides = sides
        self.why = why

    def __str__(self) -> str:
        reason = f" ({self.why})" if self.why else ""
        face = self.face if abs(self.face) < 10**40 else "so much"
        return f"die {self.index + 1}{reason}: a d{self.sides} cannot show {face}"


class WrongTotal(WrongDie):
    """A total that the dice cannot have; with `dice` "", a total for dice whose faces count one by one."""

    def __init__(self, index: int, total: int, dice: str = "", why: str = "") -> None:
        super().__init__(why, path=f"dice[{index}]")
        self.args = (index, total, dice, why)
        self.index, self.total, self.dice, self.why = index, total, dice, why

    def __str__(self) -> str:
        reason = f" ({self.why})" if self.why else ""
        total = self.total if abs(self.total) < 10**40 else "so much"
        if self.dice:
            return f"die {self.index + 1}{reason}: {self.dice} cannot total {total}"
        return f"die {self.index + 1}{reason}: ={total} is a total, but each face counts here: give the faces"


def check_total(total: int, dice: DiceCounts, why: str = "", index: int = 0) -> int:
    """Return the total if these dice can have it. Raises WrongTotal, or WrongFace for a single die."""
    lowest = sum(number for number, _ in dice)
    if lowest <= total <= sum(number * sides for number, sides in dice):
        return total
    if lowest == 1:
        raise WrongFace(index, total, dice[0][1], why)
    raise WrongTotal(index, total, dice_words(dice), why)


class ScriptedDice(TakesTotals):
    """A source that returns the given faces and totals in order."""

    __slots__ = ("_given", "_used")

    def __init__(self, given: Sequence[Given]) -> None:
        self._given = tuple(given)
        self._used = 0

    @property
    def left(self) -> int:
        """Return how many of the given faces and totals are unused."""
        return len(self._given) - self._used

    def total(self, dice: DiceCounts, why: str = "", of: str = "") -> int | None:
        """Return the next total, None if a face is next. Raises WrongTotal for an impossible one."""
        if self._used >= len(self._given) or not isinstance(total := self._given[self._used], Total):
            return None
        check_total(total.value, dice, why, self._used)
        self._used += 1
        return total.value

    def face(self, sides: int, why: str = "", of: str = "") -> int:
        """Return the next given face.

        Raises NeedsFace if none is left, WrongFace if it is impossible, and WrongTotal if a total is next.
        """
        if self._used >= len(self._given):
            raise NeedsFace(DieRequest(sides, why, of))
        face = self._given[self._used]
        if isinstance(face, Total):
            raise WrongTotal(self._used, face.value, "", why)
        if not 1 <= face <= sides:
            raise WrongFace(self._used, face, sides, why)
        self._used += 1
        return face
