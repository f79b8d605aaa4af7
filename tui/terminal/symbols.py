"""Find what the terminal can show: symbols or plain letters, the number of colours, and the size."""

import locale
import os
import sys
from collections.abc import Mapping, MutableMapping

from systems.frozen import frozen
from systems.text import clean


@frozen
class Symbols:
    """The symbols whose letters depend on what they mean; `LETTERS` has those of all others.

    With `letters` a game's own symbols become letters, too.
    """

    ours: str = "●"
    others: str = "▪"
    # The rest of a bar.
    empty: str = "─"
    # Before the chance to fall.
    danger: str = "†"
    # A plot of values: nothing, danger, a warning, good.
    heights: str = "·╷╻┃"
    # A switch.
    on: str = "━● on"
    off: str = "○━ off"
    letters: bool = False


PLAIN = Symbols(
    ours="p",
    others="f",
    empty=".",
    danger="falls ",
    heights="_.:|",
    on="[x] on",
    off="[ ] off",
    letters=True,
)


# The replacement for each symbol that a screen paints, with the same width. The driver writes it.
LETTERS = str.maketrans("─━╸│┃╭╮╰╯▸▹▾·…→−–×≈█▌▏░┄⏎←▁▂▃▄▅▆▇╷╻●○◉◯", "-=-||++++>+v.~>--x~#|:.-<<_.-~=+#.:*o*o")


SETS = ("symbols", "letters")
VARIABLE = "AFFRAY_SYMBOLS"
# The value that Python gives LC_CTYPE in the locale C.
_INSTEAD_OF_C = ("C.UTF-8", "C.utf8", "UTF-8")


def symbols() -> Symbols:
    """Return the set named by `AFFRAY_SYMBOLS`, or else letters if the locale is not UTF-8."""
    asked = os.environ.get(VARIABLE, "")
    if asked in SETS:
        return PLAIN if asked == "letters" else Symbols()
    return Symbols() if _is_utf8(os.environ) else PLAIN


def _is_utf8(environment: Mapping[str, str]) -> bool:
    """Return whether the locale is UTF-8, even if Python takes it for C.

    C or POSIX must be set explicitly; without any locale a modern terminal is assumed to use UTF-8.
    """
    asked = [environment.get(name, "") for name in ("LC_ALL", "LC_CTYPE", "LANG")]
    if sys.flags.utf8_mode and asked[1] in _INSTEAD_OF_C:
        asked[1] = ""
    if next(filter(None, asked), "") in ("C", "POSIX"):
        return False
    return "utf" in locale.getpreferredencoding(False).casefold()


def unknown_set() -> str:
    """Return an error sentence for an unknown symbol set; the locale then decides."""
    asked = os.environ.get(VARIABLE, "")
    if not asked or asked in SETS:
        return ""
    taken = "letters" if symbols().letters else "symbols"
    return f'there are no symbols "{clean(asked, 40)}", only {" and ".join(SETS)}: these are {taken}'


def forget_noted_size(environment: MutableMapping[str, str]) -> None:
    """Remove `COLUMNS` and `LINES`, which Textual trusts although they hold the size of an earlier moment."""
    environment.pop("COLUMNS", None)
    environment.pop("LINES", None)


def tell_depth(environment: MutableMapping[str, str]) -> None:
    """Set `NO_COLOR` or `COLORTERM` if the terminal's name says that it has no colours, or all of them."""
    term = environment.get("TERM", "")
    is_old = term.startswith("vt") and term[2:].isdigit()
    if is_old or term == "dumb" or term.endswith(("-m", "-mono")):
        environment["NO_COLOR"] = "1"
    elif term.endswith("-direct") and not environment.get("COLORTERM"):
        environment["COLORTERM"] = "truecolor"
