"""The form of a command, such as `condition TARGETS NAME [VALUE] [for N rounds]`, and what may come next.

A form is words in order, then parts in brackets, in any order and each at most once. Words in capitals
stand for something (see `systems.language.commands`), others are typed as they are; `before|after` is
one of two words, and `[a | b]` one of two parts.
"""

import re
from collections.abc import Sequence
from functools import cache

from systems.frozen import frozen

_PIECE = re.compile(r"\[[^\]]*\]|\S+")
_NUMBER = re.compile(r"[+-]?[0-9]+")
_TIMES = re.compile(r"x?[0-9]+x?")


@frozen
class Place:
    """One word of a form. `slot`: the capitals of what stands there; else one of `words`.

    `option`: it is typed as `option=…`.
    """

    slot: str = ""
    words: tuple[str, ...] = ()
    option: str = ""

    def takes(self, word: str) -> bool:
        """Whether a typed word may stand here."""
        if self.option:
            return word.casefold().startswith(f"{self.option}=")
        if self.words:
            return word.casefold() in self.words
        match self.slot:
            case "VALUE" | "N":
                return bool(_NUMBER.fullmatch(word))
            case "xN":
                return bool(_TIMES.fullmatch(word.casefold()))
            case "option=value":
                return "=" in word
        return True


Part = tuple[Place, ...]


@frozen
class Form:
    """A form taken apart: the words that have to be there, then groups of alternative parts."""

    text: str
    needed: Part
    groups: tuple[tuple[Part, ...], ...]

    def expected(self, words: Sequence[str]) -> tuple[Place, ...]:
        """What may stand behind these words, the command's own name not among them; () for nothing more."""
        words = _joined(words)
        for place, word in zip(self.needed, words, strict=False):
            if place.words and not place.takes(word):
                return ()
        if len(words) < len(self.needed):
            return (self.needed[len(words)],)
        rest, left = list(words[len(self.needed) :]), list(self.groups)
        while rest:
            part = next((part for group in left for part in group if part[0].takes(rest[0])), None)
            if part is None:
                # A word that belongs to what stands before it, such as the second one of dice.
                rest.pop(0)
                continue
            if len(rest) < len(part):
                return (part[len(rest)],)
            rest = rest[len(part) :]
            left = [group for group in left if part not in group or part[0].slot == "option=value"]
        return tuple(part[0] for group in left for part in group)


def _joined(words: Sequence[str]) -> list[str]:
    """The words, with a list of targets as one word also where blanks stand behind its commas."""
    found: list[str] = []
    for word in words:
        if found and (found[-1].endswith(",") or word.startswith(",")):
            found[-1] += word
        else:
            found.append(word)
    return found


@cache
def form_of(text: str) -> Form:
    """A form from its text, the command's name first."""
    _, *pieces = _PIECE.findall(text)
    needed = tuple(_place(piece) for piece in pieces if not piece.startswith("["))
    groups = tuple(
        tuple(tuple(_place(word) for word in part.split()) for part in piece[1:-1].split(" | "))
        for piece in pieces
        if piece.startswith("[")
    )
    return Form(text, needed, groups)


def _place(word: str) -> Place:
    """`TARGETS` and `xN` stand for something, `side=SIDE` for an option; `before|after` is typed."""
    option, equals, slot = word.partition("=")
    if equals and slot.isupper():
        return Place(slot=slot, option=option)
    if equals or word in ("xN", "+N|-N") or word.isupper():
        return Place(slot=word)
    return Place(words=tuple(word.split("|")))
