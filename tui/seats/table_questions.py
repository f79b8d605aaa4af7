"""What the table asks of one seat: real dice and choices, the oldest first."""

from collections.abc import Mapping
from typing import Any

import attrs
from rich.cells import cell_len

from systems.frozen import frozen
from systems.visibility.plain import BadPlainData, from_plain
from tui.display.text import cut, printable
from tui.lists.dice_asked import ChoiceAsked, FaceAsked


@frozen
class TableQuestion:
    """A die or a choice by the table's number for it; `does` and `adds`: what the faces do and is added.

    `typed`: the total that was called for it and that cannot be, `wrong`: the reason.
    """

    number: int
    asked: FaceAsked | ChoiceAsked
    does: str = ""
    adds: str = ""
    typed: str = ""
    wrong: str = ""

    @property
    def words(self) -> str:
        """Whose die or choice it is, and what for."""
        match self.asked:
            case FaceAsked(owner, sides, why):
                return f"{printable(owner)}: d{sides} {printable(why)}".strip()
            case ChoiceAsked(owner, question):
                whose = "" if owner in question else f"{printable(owner)}: "
                return f"{whose}{printable(question)}"


def table_question(message: Mapping[str, Any]) -> TableQuestion | None:
    """Return what a message of the table asks; None where it is no question."""
    number = message.get("ask")
    does, adds, typed, wrong = (str(message.get(name, "")) for name in ("does", "adds", "typed", "wrong"))
    if type(number) is not int:
        return None
    asked: FaceAsked | ChoiceAsked
    try:
        if "face" in message:
            asked = from_plain(FaceAsked, message["face"])
        else:
            asked = from_plain(ChoiceAsked, message.get("choice"))
    except BadPlainData:
        return None
    return TableQuestion(number, attrs.evolve(asked, waits=True), does, adds, typed, wrong)


class TableQuestions:
    """The dice and choices that a seat has not answered yet, by the table's number for each."""

    def __init__(self) -> None:
        self._open: dict[int, TableQuestion] = {}

    @property
    def oldest(self) -> TableQuestion | None:
        """What was asked first; None where nothing is."""
        return next(iter(self._open.values()), None)

    def words(self, cells: int) -> str:
        """What is asked first, what answers it, and how much more is asked; "" where nothing is.

        The question is cut where it is too long, the rest never.
        """
        if self.oldest is None:
            return ""
        others = len(self._open) - 1
        rest = " (Enter answers)" + (f" · {others} more" if others else "")
        return cut(self.oldest.words, cells - cell_len(rest)) + rest

    def add(self, question: TableQuestion) -> bool:
        """Keep what the table asks until it is answered; return whether it is new."""
        is_new = question.number not in self._open
        self._open[question.number] = question
        return is_new

    def drop(self, number: object) -> None:
        """Forget what was answered, or is asked no more."""
        if isinstance(number, int):
            self._open.pop(number, None)

    def clear(self) -> None:
        """Forget everything: the table has left."""
        self._open.clear()
