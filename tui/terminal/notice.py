"""Print notices on standard error."""

import sys
from contextlib import suppress

from systems.text import clean
from tui.terminal.program_log import log_info

LONGEST_ERROR = 900


def notice(words: str) -> None:
    """Print one line on standard error that is worth reading and not an error."""
    if words:
        log_info("notice: %s", words)
        # The terminal may be gone, which must not stop the work.
        with suppress(OSError):
            print(f"affray: {clean(words, LONGEST_ERROR)}", file=sys.stderr)
