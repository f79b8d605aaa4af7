"""The verbs of the command `affray`, one module each; a module is imported when its verb is used."""

import sys

LONGEST_ERROR = 900


def notice(words: str) -> None:
    """One line that is worth saying and is no error, on standard error."""
    if words:
        from systems.words import clean

        print(f"affray: {clean(words, LONGEST_ERROR)}", file=sys.stderr)
