"""A line of text with a cursor, edited by keys."""

import re
from collections.abc import Callable

from rich.cells import cell_len
from textual.events import Key

from systems.text import spaced
from tui.display.text import Row, cut

_STEP = 8  # characters that a long text scrolls at once


class InputLine:
    """A line of text being edited, with a cursor. `key` returns whether it used the key."""

    def __init__(self, text: str = "", changed: Callable[[], None] | None = None) -> None:
        self.text, self.at, self._changed = text, len(text), changed

    def set(self, text: str) -> None:
        self.text, self.at = text, len(text)
        self._tell()

    def insert(self, text: str) -> None:
        clean = spaced(text)
        self.text = self.text[: self.at] + clean + self.text[self.at :]
        self.at += len(clean)
        self._tell()

    def key(self, event: Key) -> bool:
        """Handle a key that edits the line."""
        match event.key:
            case "left":
                self.at = max(0, self.at - 1)
            case "right":
                self.at = min(len(self.text), self.at + 1)
            case "ctrl+left":
                self.at = self.text[: self.at].rstrip().rfind(" ") + 1
            case "ctrl+right":
                self.at += len(re.split(r"(?<=\S)(?=\s)", self.text[self.at :], maxsplit=1)[0])
            case "home" | "ctrl+a":
                self.at = 0
            case "end" | "ctrl+e":
                self.at = len(self.text)
            case "backspace" | "ctrl+h":
                self._erase(max(0, self.at - 1), self.at)
            case "delete" | "ctrl+d":
                self._erase(self.at, self.at + 1)
            case "ctrl+w":
                self._erase(len(self.text[: self.at].rstrip().rpartition(" ")[0]), self.at)
            case "ctrl+u":
                self._erase(0, self.at)
            case "ctrl+k":
                self._erase(self.at, len(self.text))
            case _:
                if event.character is None or not event.character.isprintable():
                    return False
                self.insert(event.character)
        return True

    def _erase(self, start: int, end: int) -> None:
        self.text, self.at = self.text[:start] + self.text[end:], start
        self._tell()

    def _tell(self) -> None:
        if self._changed:
            self._changed()

    def row(self, cells: int, tone: str = "strong") -> Row:
        """Return the text with its cursor as a reversed cell, cut to the part around the cursor."""
        # Counted from the cursor, so that a pasted page costs only its visible part.
        first, room = self.at, cells - 2
        while first and (room := room - cell_len(self.text[first - 1])) >= 0:
            first -= 1
        start = -(-first // _STEP) * _STEP
        here = self.text[self.at : self.at + 1] or " "
        before = f"…{self.text[start + 1 : self.at]}" if start else self.text[: self.at]
        return [
            (before, tone),
            (here, f"{tone} reverse"),
            (cut(self.text[self.at + 1 :], max(0, cells - cell_len(before) - cell_len(here))), tone),
        ]
