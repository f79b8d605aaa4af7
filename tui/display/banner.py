"""The banner of the public screen: whose turn it is in large letters, and the last blow.

Each letter is drawn in a grid of 3 by 5, with half blocks in three rows.
"""

from collections.abc import Sequence
from unicodedata import normalize

from rich.cells import cell_len

from systems.visibility.parts import LogLine
from systems.visibility.view import View
from tui.display.order import TURN
from tui.display.text import Row, cut, printable, wrapped
from tui.terminal.symbols import Symbols

_GRID = 5
# Fewer rows leave the order and the log too little room.
LEAST_ROWS = 20
# The five rows of each letter, three bits in each, written as digits from 0 to 7.
_LETTERS = {
    "A": "25755", "B": "65656", "C": "34443", "D": "65556", "E": "74647", "F": "74644", "G": "34553",
    "H": "55755", "I": "72227", "J": "11152", "K": "55655", "L": "44447", "M": "57755", "N": "65555",
    "O": "25552", "P": "65644", "Q": "25563", "R": "65655", "S": "34216", "T": "72222", "U": "55557",
    "V": "55552", "W": "55775", "X": "55255", "Y": "55222", "Z": "71247", "0": "75557", "1": "26227",
    "2": "61247", "3": "61216", "4": "55711", "5": "74616", "6": "34652", "7": "71222", "8": "25252",
    "9": "25316", " ": "00000", "-": "00700", "'": "22000", ".": "00002", "(": "24442", ")": "21112",
}  # fmt: skip
_BLOCKS = {(0, 0): " ", (1, 0): "▀", (0, 1): "▄", (1, 1): "█"}


def large_letters(text: str) -> Sequence[str] | None:
    """Return a text in three rows of large letters, or None if a character has no large form."""
    plain = "".join(
        letter for letter in normalize("NFKD", text.replace("’", "'")).upper() if not _is_accent(letter)
    )
    if not plain or any(letter not in _LETTERS for letter in plain):
        return None
    grids = [[int(row) for row in _LETTERS[letter]] + [0] for letter in plain]
    return [
        " ".join("".join(_block(grid[at], grid[at + 1], bit) for bit in (4, 2, 1)) for grid in grids)
        for at in range(0, _GRID + 1, 2)
    ]


def _is_accent(letter: str) -> bool:
    return "\u0300" <= letter <= "\u036f"


def _block(upper: int, lower: int, bit: int) -> str:
    return _BLOCKS[bool(upper & bit), bool(lower & bit)]


def banner_rows(view: View, cells: int, height: int, shapes: Symbols) -> list[Row]:
    """Return the banner for a screen of this size, or no rows if it leaves too little room."""
    if height < LEAST_ROWS or not view.turn or view.over:
        return []
    letters = None if shapes.letters else large_letters(view.turn)
    if letters is None or cell_len(letters[0]) + 2 > cells:
        head = [[(f" {TURN} {cut(printable(view.turn).upper(), cells - 4)}", "turn")]]
    else:
        head = [[(f" {row}", "turn")] for row in letters]
    return [[], *head, [], *_last_blow(view.log, cells), []]


def _last_blow(log: Sequence[LogLine], cells: int) -> Sequence[Row]:
    """Return the result of the newest action in force, on at most two rows."""
    newest = next((line for line in reversed(log) if line.result and not line.undone), None)
    if newest is None:
        return [[]]
    first, *more = wrapped(printable(newest.text), cells - 2, "")
    rest = [cut(" ".join(more), cells - 2)] if more else []
    return [[(f" {line}", "strong")] for line in (first, *rest)]
