"""Find names of several words in a line, so that they can be typed without quotes."""

import re
from collections.abc import Iterable

from systems.text import plain_word

# Replaces each space inside a name by one character, so that errors still point at the right place.
_HELD = "\0"
_PIECE = re.compile(r'"[^"]*"?|[^\s",=]+')


def joined(line: str, names: Iterable[str], *, first_only: bool = False) -> str:
    """Return the line with the words of each name joined, longest names first. `freed` splits them again.

    Only whole names after the first word count. `first_only`: only a name directly after it.
    """
    known = {plain_word(name) for name in names if " " in name}
    if not known:
        return line
    longest = max(name.count("_") for name in known) + 1
    pieces, found = list(_PIECE.finditer(line)), list(line)
    at = 1
    while at < (min(2, len(pieces)) if first_only else len(pieces)):
        end = _end_of_name(line, pieces[at : at + longest], known)
        last = at
        while pieces[last].end() < end:
            found[pieces[last].end() : pieces[last + 1].start()] = _HELD * (
                pieces[last + 1].start() - pieces[last].end()
            )
            last += 1
        at = last + 1
    return "".join(found)


def joined_before_last(line: str, names: Iterable[str]) -> str:
    """Return the line with the words of names joined, except in the last word, which is still being typed."""
    end = max(line.rfind(" "), line.rfind(",")) + 1
    return joined(line[:end], names) + line[end:]


def last_of(text: str) -> str:
    """Return the text after the last space, including a space inside a name."""
    return text.rpartition(_HELD)[2]


def _end_of_name(line: str, pieces: list[re.Match[str]], known: set[str]) -> int:
    """Return the end of the longest name that begins with the first of these pieces, or 0."""
    start, end, name, found = pieces[0].start(), pieces[0].start(), "", 0
    for piece in pieces:
        if piece[0].startswith('"') or (not line[end : piece.start()].isspace() and end > start):
            break
        end = piece.end()
        name = f"{name} {piece[0]}"
        if " " in name[1:] and plain_word(name) in known:
            found = end
    return found


def freed(text: str) -> str:
    """Return text of a joined line with the spaces in its names restored."""
    return re.sub(f"{_HELD}+", " ", text)
