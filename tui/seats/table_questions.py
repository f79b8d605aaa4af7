"""What the table asks of one seat: real dice and choices, the oldest first."""

from collections.abc import Mapping
from typing import Any

from tui.display.text import Row, printable


class TableQuestions:
    """The dice and choices that a seat has not answered yet, by the table's number for each."""

    def __init__(self) -> None:
        self._open: dict[Any, Mapping[str, Any]] = {}

    @property
    def oldest(self) -> Mapping[str, Any] | None:
        """What was asked first; None where nothing is."""
        return next(iter(self._open.values()), None)

    @property
    def words(self) -> str:
        """What is asked first, and how much more is asked; "" where nothing is."""
        if self.oldest is None:
            return ""
        others = len(self._open) - 1
        return f"{title_of(self.oldest)} (Enter answers)" + (f" · {others} more" if others else "")

    def add(self, asked: Mapping[str, Any]) -> None:
        """Keep what the table asks until it is answered."""
        self._open[asked["ask"]] = asked

    def drop(self, number: object) -> None:
        """Forget what was answered, or is asked no more."""
        self._open.pop(number, None)

    def clear(self) -> None:
        """Forget everything: the table has left."""
        self._open.clear()


def title_of(asked: Mapping[str, Any]) -> str:
    """Return whose die or choice it is, what for, and what can be typed."""
    name, why, sides = (
        printable(str(asked.get("name", ""))),
        printable(str(asked.get("why", ""))),
        _sides(asked),
    )
    return f"{name}: d{sides} {why}, 1 to {sides}" if sides else f"{name}: {why}"


def choice_rows(asked: Mapping[str, Any]) -> list[Row]:
    """Return a row for each choice, with the number that chooses it."""
    choices = enumerate(asked.get("choices", ()), 1)
    return [[(f"   {at}  ", "muted"), (printable(str(choice)), "")] for at, choice in choices]


def most_of(asked: Mapping[str, Any]) -> int:
    """Return the largest number that is an answer."""
    return _sides(asked) or len(asked.get("choices", ()))


def face_of(text: str, most: int) -> int | None:
    """Return the number that was typed; None where it is no answer."""
    if text.isascii() and text.isdigit() and len(text) < 6 and 1 <= int(text) <= most:
        return int(text)
    return None


def _sides(asked: Mapping[str, Any]) -> int:
    return int(asked.get("sides", 0))
