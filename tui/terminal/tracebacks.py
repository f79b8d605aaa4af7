"""Print tracebacks on standard error, if AFFRAY_TRACEBACK=1 asks for them.

A mistake in a game's code rejects one command and is reported in a sentence; the traceback is extra. While
the screens are painted, tracebacks wait until the program ends.
"""

import sys
from collections.abc import Callable
from traceback import format_exception

from systems.contract.mistakes import listen


def write_game_tracebacks(*, is_screen: bool) -> Callable[[], None]:
    """Write the traceback of each mistake of a game; return what ends that.

    `is_screen`: standard error is a painted screen, so that they are written at the end.
    """
    waiting: list[str] = []

    def heard(error: Exception, sentence: str) -> None:
        lines = "".join(format_exception(error))
        # A mistake on a screen is repeated with every picture.
        if is_screen and lines not in waiting:
            waiting.append(lines)
        elif not is_screen:
            _write(lines)

    stop = listen(heard)

    def end() -> None:
        stop()
        _write("".join(waiting))

    return end


def traceback_of(error: BaseException) -> str:
    """Return the traceback of an error for a terminal, without values of variables."""
    return _printable("".join(format_exception(error)).rstrip())


def _printable(lines: str) -> str:
    """Return lines without characters that move a cursor."""
    return "".join(character if character.isprintable() or character == "\n" else " " for character in lines)


def _write(lines: str) -> None:
    """Write lines to standard error."""
    sys.stderr.write(_printable(lines))
    sys.stderr.flush()
