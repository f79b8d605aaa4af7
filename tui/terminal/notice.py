"""Print notices on standard error, and find where an unexpected error was raised."""

import sys
from contextlib import suppress

from systems.text import clean

LONGEST_ERROR = 900
_OWN = ("tui", "systems")


def error_place(error: BaseException) -> str:
    """Return the last place of our own code in an error's traceback, as `log_lines.py, line 63`; or ""."""
    place, trace = "", error.__traceback__
    while trace is not None:
        *folders, name = trace.tb_frame.f_code.co_filename.replace("\\", "/").split("/")
        if not place or any(folder in folders for folder in _OWN):
            place = f"{name}, line {trace.tb_lineno}"
        trace = trace.tb_next
    return place


def notice(words: str) -> None:
    """Print one line on standard error that is worth reading and not an error."""
    if words:
        from tui.terminal.program_log import log_info

        log_info("notice: %s", words)
        # The terminal may be gone, which must not stop the work.
        with suppress(OSError):
            print(f"affray: {clean(words, LONGEST_ERROR)}", file=sys.stderr)
