"""One line on standard error that is worth saying and is no error."""

import sys
from contextlib import suppress

LONGEST_ERROR = 900


def notice(words: str) -> None:
    """One line that is worth saying and is no error, on standard error."""
    if words:
        from systems.text import clean

        # The terminal may be gone, which is no reason to leave work undone.
        with suppress(OSError):
            print(f"affray: {clean(words, LONGEST_ERROR)}", file=sys.stderr)
