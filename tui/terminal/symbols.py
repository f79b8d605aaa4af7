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


SETS = ("symbols", "letters")
VARIABLE = "AFFRAY_SYMBOLS"


def symbols() -> Symbols:
    """Return the set that `AFFRAY_SYMBOLS` asks for, else plain letters where the locale is not UTF-8."""
    asked = os.environ.get(VARIABLE, "")
    if asked in SETS:
        return PLAIN if asked == "letters" else Symbols()
    return Symbols() if "utf" in locale.getpreferredencoding(False).casefold() else PLAIN


def unknown_set() -> str:
    """Return a sentence where a set is asked for that there is not; the locale decides then."""
    asked = os.environ.get(VARIABLE, "")
    if not asked or asked in SETS:
        return ""
    from systems.text import clean

    taken = "letters" if symbols().letters else "symbols"
    return f'there are no symbols "{clean(asked, 40)}", only {" and ".join(SETS)}: these are {taken}'
