"""Split the short lines of `d`, `h` and `c` into targets and the rest: `3 7`, `goblin 3 5`, `37`.

While every tag has one digit, a tag needs no space after it: `37` is tag 3, amount 7.
"""

import re
from collections.abc import Callable

from systems.encounter.lookup import names_in_lines
from systems.encounter.model import Encounter
from systems.language.tokens import freed, joined, quote

# A tag followed directly by other characters; `1-6` and `1,3` are lists of tags.
_TAG_AND_MORE = re.compile(r"([1-9])([^,\s-].*)")
_TAG_AND_CONDITION = re.compile(r"\s*([0-9][0-9,-]*?)\s*(-[^\d\s,-].*)")


def few(encounter: Encounter) -> bool:
    """Return whether every tag has one digit, so that a tag needs no space after it."""
    return all(combatant.state.tag < 10 for combatant in encounter)


def first_word(text: str) -> tuple[str, str]:
    """Return the first word, including quotes around several words, and the rest."""
    text = text.strip()
    if text.startswith('"') and '"' in text[1:]:
        end = text.index('"', 1) + 1
        return text[:end], text[end:].strip()
    word, _, rest = text.partition(" ")
    return word, rest.strip()


def split_targets(text: str, is_few: bool) -> tuple[str, str]:
    """Return the targets and the text after them. If tags have one digit, `37` is `3` and `7`."""
    if ending := _TAG_AND_CONDITION.fullmatch(text):
        return ending[1], ending[2]
    first, rest = first_word(text)
    while rest and (first.endswith(",") or rest.lstrip().startswith(",")):
        word, rest = first_word(rest)
        first += word
    glued = _TAG_AND_MORE.fullmatch(first)
    if is_few and glued and (not rest.strip() or rest.strip()[0] in "+-*/" or glued[2][0].isalpha()):
        return glued[1], f"{glued[2]} {rest}".strip()
    return first, rest.strip()


def targets_and_rest(encounter: Encounter, text: str, can_follow: Callable[[str], bool]) -> tuple[str, str]:
    """Return the targets of a short line, with a name of several words in quotes, and the rest.

    As on the command line, the first word is the name unless the text after it cannot be the rest.
    """
    who, rest = split_targets(text, few(encounter))
    if not rest or can_follow(rest):
        return who, rest
    # Join the words of each whole name. The dash takes the place of the command.
    whole = joined(f"- {text.strip()}", names_in_lines(encounter))[2:]
    named, after = split_targets(whole, few(encounter))
    if named == who or (after and not can_follow(freed(after))):
        return who, rest
    return quote(freed(named), always=True) if "," not in named else freed(named), freed(after)


def spaced_out(encounter: Encounter, text: str) -> str:
    """Return a short line with spaces between its parts, as the command line expects it."""
    who, rest = split_targets(text, few(encounter))
    return f"{who} {rest}".strip()
