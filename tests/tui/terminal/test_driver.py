"""What arrives from the terminal, in whatever pieces the line cuts it."""

from itertools import combinations, pairwise

import pytest

pytest.importorskip("termios")

from textual._xterm_parser import XTermParser
from textual.events import Key, Paste

from tui.terminal.driver import QuickDriver
from tui.terminal.themed_app import GroundTold


class Typed(QuickDriver):
    """A driver without a terminal, that keeps the keys which it hands on."""

    def __init__(self) -> None:
        self.keys: list[str] = []
        self.parser = XTermParser()
        self.grounds: list[bool] = []
        self.pastes: list[str] = []

    def process_message(self, message) -> None:
        if isinstance(message, Key):
            self.keys.append(message.key)
        elif isinstance(message, Paste):
            self.pastes.append(message.text)
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


def test_escape_sequences_in_a_paste_are_no_keys_wherever_it_is_cut() -> None:
    typed = "c\x1b[200~Gn\x1b[31marl\x07\x9b\r\n\tAC 15\x1bd3\x1b[200~\x1b[A\x1b[201~\x1b[Bz"
    for cut in range(1, len(typed)):
        for other in range(cut, len(typed)):
            driver = Typed()
            assert driver.read(typed[:cut], typed[cut:other], typed[other:]) == ["c", "down", "z"], (
                cut,
                other,
            )
            assert driver.pastes == ["Gn[31marl\r\n\tAC 15d3[200~[A"], (cut, other)


def test_a_huge_paste_takes_bounded_memory(monkeypatch) -> None:
    monkeypatch.setattr("tui.terminal.driver.LONGEST_PASTE", 10_000)
    driver = Typed()
    assert driver.read("\x1b[200~", *["x" * 4_096] * 50, "\x1b[201~n") == ["n"]
    assert driver.pastes == ["x" * 10_000]
