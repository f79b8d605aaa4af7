"""A paragraph of a stat block while it is read, and what its patterns share."""

import re

from systems.contract.stat_block import BlockLine
from systems.stat_blocks.figures import DAMAGE_TYPES, DICE

NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9}
NUMBERS |= {"once": 1, "twice": 2, "thrice": 3, "a": 1, "an": 1}
NUMBER = "|".join((*(word for word in NUMBERS if word not in ("a", "an")), "[1-9]"))
TYPES = "|".join(DAMAGE_TYPES)
AMOUNT = rf"{DICE}(?:\s?[+-]\s?(?:{DICE}|[0-9]{{1,3}})){{0,3}}"
READ = "\0"  # in the place of a character that has been read


def any_case(text: str) -> re.Pattern[str]:
    """Return a pattern that ignores case."""
    return re.compile(text, re.IGNORECASE)


class Passage:
    """One paragraph while it is read; `rest` is its text with the read parts blanked."""

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self.text = text
        self.rest = text
        self.lines: list[BlockLine] = []

    def used(self, start: int, end: int) -> None:
        """Blank a part that was read."""
        self.rest = self.rest[:start] + READ * (end - start) + self.rest[end:]

    def take(self, pattern: re.Pattern[str], start: int = 0, end: int | None = None) -> re.Match[str] | None:
        """Return the first match in the unread text and blank it."""
        found = pattern.search(self.rest, start, len(self.rest) if end is None else end)
        if found:
            self.used(found.start(), found.end())
        return found

    def assume(self, text: str, assumed: str, becomes: str = "") -> None:
        """Report an assumption about a piece of the text."""
        self.lines.append(BlockLine(text.replace(READ, " ").strip(), becomes, assumed))
