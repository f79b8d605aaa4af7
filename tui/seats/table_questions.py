"""The table's questions to one seat: real dice and choices, oldest first."""

from collections.abc import Mapping
from typing import Any

from rich.cells import cell_len

from systems.codec.plain import BadPlainData, from_plain
from systems.frozen import evolve, frozen
from tui.display.text import cut, printable
from tui.lists.dice_asked import ChoiceAsked, FaceAsked


@frozen
class TableQuestion:
    """A question about a die or a choice, with the table's number for it.

    `does`: the effect of each face. `adds`: the bonus. `typed`: an impossible total that was typed. `wrong`:
    why it is impossible.
    """

    number: int
    asked: FaceAsked | ChoiceAsked
    does: str = ""
    adds: str = ""
    typed: str = ""
    wrong: str = ""

    @property
    def words(self) -> str:
        """Return the owner of the die or choice, and its purpose."""
        match self.asked:
            case FaceAsked(owner, sides, why):
                return f"{printable(owner)}: d{sides} {printable(why)}".strip()
            case ChoiceAsked(owner, question):
                whose = "" if owner in question else f"{printable(owner)}: "
                return f"{whose}{printable(question)}"


def table_question(message: Mapping[str, Any]) -> TableQuestion | None:
    """Parse a question of the table. Return None if the message holds none."""
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
    return TableQuestion(number, evolve(asked, waits=True), does, adds, typed, wrong)


class TableQuestions:
    """The open questions to a seat, by the table's number for each."""

    def __init__(self) -> None:
        self._open: dict[int, TableQuestion] = {}

    @property
    def oldest(self) -> TableQuestion | None:
        """Return the oldest open question, or None."""
        return next(iter(self._open.values()), None)

    def explanation(self, number: int) -> tuple[str, str]:
        """Return the effect of the faces of a die and its bonus, as far as the table has sent them."""
        question = self._open.get(number)
        return (question.does, question.adds) if question is not None else ("", "")

    def words(self, cells: int) -> str:
        """Return the oldest question, the key that answers it and the number of others, or "".

        If it is too wide for `cells`, only the question itself is cut.
        """
        if self.oldest is None:
            return ""
        others = len(self._open) - 1
        rest = " (Enter answers)" + (f" · {others} more" if others else "")
        return cut(self.oldest.words, cells - cell_len(rest)) + rest

    def add(self, question: TableQuestion) -> bool:
        """Store a question until it is answered. Return whether it is new."""
        is_new = question.number not in self._open
        self._open[question.number] = question
        return is_new

    def drop(self, number: object) -> None:
        """Remove a question that was answered or withdrawn."""
        if isinstance(number, int):
            self._open.pop(number, None)

    def clear(self) -> None:
        """Remove all questions, because the table has disconnected."""
        self._open.clear()
