"""What arrives from the terminal, in whatever pieces the line cuts it."""

from itertools import combinations, pairwise

import pytest

pytest.importorskip("termios")

from textual._xterm_parser import XTermParser
from textual.events import Key

from tui.terminal.driver import QuickDriver
from tui.terminal.themed_app import GroundTold


class Typed(QuickDriver):
    """A driver without a terminal, that keeps the keys which it hands on."""

    def __init__(self) -> None:
        self.keys: list[str] = []
        self.parser = XTermParser()
        self.grounds: list[bool] = []

    def process_message(self, message) -> None:
        if isinstance(message, Key):
            self.keys.append(message.key)
        elif isinstance(message, GroundTold):
            self.grounds.append(message.is_light)

    def read(self, *pieces: str) -> list[str]:
        held = ""
        for piece in pieces:
            held = self._process_typed(self.parser, held + piece)
        # The line is quiet: an Escape that is held back was the key.
        return [*self.keys, *(["escape"] if held else [])]


@pytest.mark.parametrize(
    ("typed", "keys"),
    [
        ("\x1b\x1ba4\r", ["escape", "escape", "a", "4", "enter"]),
        ("a3\x1bd47\r", ["a", "3", "escape", "d", "4", "7", "enter"]),
        ("\x1b[B\x1bOB\x1b\x1bn", ["down", "down", "escape", "escape", "n"]),
        ("\x1b\x1b\x1b", ["escape", "escape", "escape"]),
        ("a\x1bPj\x1bX\x1b_", ["a", "escape", "P", "j", "escape", "X", "escape", "underscore"]),
        (":note x\r\x1b", ["colon", *"note", "space", "x", "enter", "escape"]),
    ],
)
def test_keys_split_anywhere_are_understood(typed, keys) -> None:
    assert Typed().read(typed) == keys
    places = range(1, len(typed))
    for cuts in (*combinations(places, 1), *combinations(places, 2)):
        ends = [0, *cuts, len(typed)]
        pieces = [typed[start:end] for start, end in pairwise(ends)]
        assert Typed().read(*pieces) == keys, pieces


@pytest.mark.parametrize("end", ["\x07", "\x1b\\"])
def test_a_split_answer_about_the_background_is_never_a_key(end: str) -> None:
    typed = f"a\x1b]11;rgb:ffff/ffff/ffff{end}n\r"
    for cut in range(1, len(typed)):
        driver = Typed()
        assert driver.read(typed[:cut], typed[cut:]) == ["a", "n", "enter"], cut
        assert driver.grounds == [True], cut
