"""Replace a mistyped word of a line by the word that was probably meant."""

import re

from systems.errors import InputError
from systems.language.tokens import quote


def corrected(line: str, error: InputError) -> str:
    """Return the line with the mistyped word replaced by the error's suggestion.

    Return "" without a suggestion, or if the word does not occur exactly once outside quotes.
    """
    if not error.suggestion or not error.word:
        return ""
    plain = re.sub(r'"[^"]*"', lambda quotes: "\0" * len(quotes[0]), line)
    found = list(re.finditer(rf"(?<![^\s,=.-]){re.escape(error.word)}(?![^\s,=.:])", plain))
    if len(found) != 1:
        return ""
    start, end = found[0].span()
    # Several words that replace several words are no name that needs quotes.
    meant = error.suggestion if " " in error.word else quote(error.suggestion)
    return f"{line[:start]}{meant}{line[end:]}"
