"""Lines for a person: a notice on standard error, and where in the program an unexpected error arose."""

import sys
from contextlib import suppress

LONGEST_ERROR = 900
_OWN = ("tui", "systems")


def error_place(error: BaseException) -> str:
    """Return the last place of our own code on the way to an error, as `log_lines.py, line 63`; or ""."""
    place, trace = "", error.__traceback__
    while trace is not None:
        *folders, name = trace.tb_frame.f_code.co_filename.replace("\\", "/").split("/")
        if not place or any(folder in folders for folder in _OWN):
            place = f"{name}, line {trace.tb_lineno}"
        trace = trace.tb_next
    return place


def notice(words: str) -> None:
    """One line that is worth saying and is no error, on standard error."""
    if words:
        from systems.text import clean

        # The terminal may be gone, which is no reason to leave work undone.
        with suppress(OSError):
            print(f"affray: {clean(words, LONGEST_ERROR)}", file=sys.stderr)
