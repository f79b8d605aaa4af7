"""Symbols or plain letters: what the terminal's character set can show."""

import locale
import os

from systems.frozen import frozen


@frozen
class Symbols:
    """The characters of the screens. `letters`: a game's own symbols are replaced by their letters."""

    turn: str = "▸"
    with_turn: str = "▹"
    edge: str = "▌"
    full: str = "━"
    half: str = "╸"
    empty: str = "─"
    thumb: str = "┃"
    letters: bool = False


PLAIN = Symbols(turn=">", with_turn="+", edge="|", full="=", half="-", empty=".", thumb="|", letters=True)


# What is written in place of each symbol that a screen paints; all are as wide as what they stand for.
LETTERS = str.maketrans("─━╸│┃╭╮╰╯▸▹▾·…→−–×█▌░┄⏎←▁▂▃▄▅▆▇●○◉◯", "-=-||++++>>v.~>--x##.-<<_.-~=+#*o*o")


def symbols() -> Symbols:
    """Plain letters where the locale is not UTF-8 or `AFFRAY_SYMBOLS=letters` asks for them."""
    asked = os.environ.get("AFFRAY_SYMBOLS", "")
    if asked:
        return PLAIN if asked == "letters" else Symbols()
    return Symbols() if "utf" in locale.getpreferredencoding(False).casefold() else PLAIN
