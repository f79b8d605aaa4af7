"""What the terminal can show: symbols or plain letters, how many colours, and how much of it there is."""

import locale
import os
import sys
from collections.abc import Mapping, MutableMapping

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
# What Python puts into LC_CTYPE where the locale is C.
_INSTEAD_OF_C = ("C.UTF-8", "C.utf8", "UTF-8")


def symbols() -> Symbols:
    """Return the set that `AFFRAY_SYMBOLS` asks for, else plain letters where the locale is not UTF-8."""
    asked = os.environ.get(VARIABLE, "")
    if asked in SETS:
        return PLAIN if asked == "letters" else Symbols()
    return Symbols() if _is_utf8(os.environ) else PLAIN


def _is_utf8(environment: Mapping[str, str]) -> bool:
    """Return whether the locale is UTF-8, also where Python takes C for it.

    C or POSIX has to be asked for by name; without any locale a terminal of today is taken for UTF-8.
    """
    asked = [environment.get(name, "") for name in ("LC_ALL", "LC_CTYPE", "LANG")]
    if sys.flags.utf8_mode and asked[1] in _INSTEAD_OF_C:
        asked[1] = ""
    if next(filter(None, asked), "") in ("C", "POSIX"):
        return False
    return "utf" in locale.getpreferredencoding(False).casefold()


def unknown_set() -> str:
    """Return a sentence where a set is asked for that there is not; the locale decides then."""
    asked = os.environ.get(VARIABLE, "")
    if not asked or asked in SETS:
        return ""
    from systems.text import clean

    taken = "letters" if symbols().letters else "symbols"
    return f'there are no symbols "{clean(asked, 40)}", only {" and ".join(SETS)}: these are {taken}'


def forget_noted_size(environment: MutableMapping[str, str]) -> None:
    """Leave out `COLUMNS` and `LINES`, which Textual goes by and which tell what the size once was."""
    environment.pop("COLUMNS", None)
    environment.pop("LINES", None)


def tell_depth(environment: MutableMapping[str, str]) -> None:
    """Set `NO_COLOR` or `COLORTERM` where the name of the terminal says that it has no colours, or all."""
    term = environment.get("TERM", "")
    is_old = term.startswith("vt") and term[2:].isdigit()
    if is_old or term == "dumb" or term.endswith(("-m", "-mono")):
        environment["NO_COLOR"] = "1"
    elif term.endswith("-direct") and not environment.get("COLORTERM"):
        environment["COLORTERM"] = "truecolor"
