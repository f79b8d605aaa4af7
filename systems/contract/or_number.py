"""Choices for a question that is answered with a number: the listed ones, or any other."""

from collections.abc import Iterable


class OrNumber(tuple[str, ...]):
    """Choices for a question that also accepts any other whole number up to `most`, in digits."""

    most: int

    def __new__(cls, choices: Iterable[str], most: int) -> "OrNumber":
        found = super().__new__(cls, choices)
        found.most = most
        return found

    def __contains__(self, answer: object) -> bool:
        return super().__contains__(answer) or self.takes(answer)

    def takes(self, answer: object) -> bool:
        """Return whether this is one of the other numbers, as typed."""
        is_number = isinstance(answer, str) and answer.isascii() and answer.isdecimal() and len(answer) < 9
        return is_number and answer == str(number := int(str(answer))) and number <= self.most
