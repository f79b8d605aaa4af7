"""The declaration of a command as the language sees it: its name, its forms, its help, and how it is read.

The parser and completion take a table of declarations as an argument.

A form such as `condition TARGETS NAME [VALUE] [for N rounds]` is words in order, then parts in brackets, in
any order and each at most once. Words in capitals are placeholders, other words are typed literally.
`before|after` is one of two words, and `[a | b]` one of two parts.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache

from systems.dice.expression import DiceError
from systems.errors import Misread
from systems.frozen import frozen
from systems.language.intents import Command, Intent
from systems.language.tokens import TokenLine, Word

_PIECE = re.compile(r"\[[^\]]*\]|\S+")
_NUMBER = re.compile(r"[+-]?[0-9]+")
_TIMES = re.compile(r"x?[0-9]+x?")
ACTION = "action"


@frozen
class FormPlace:
    """One place of a form. `slot`: its placeholder; without one, it takes one of `words`.

    `option`: the name if the place is typed as `option=…`.
    """

    slot: str = ""
    words: tuple[str, ...] = ()
    option: str = ""

    def takes(self, word: str) -> bool:
        """Return whether the place accepts a typed word."""
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


FormPart = tuple[FormPlace, ...]


@frozen
class Form:
    """A parsed form: its required places, then groups of alternative parts."""

    text: str
    needed: FormPart
    groups: tuple[tuple[FormPart, ...], ...]

    @property
    def places(self) -> FormPart:
        """Return all places, including those in brackets."""
        return (*self.needed, *(place for group in self.groups for part in group for place in part))

    def expected(self, words: Sequence[str]) -> tuple[FormPlace, ...]:
        """Return the places that may follow these words, given without the command's name, or ()."""
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
                # A word that belongs to the part before it, such as the second word of dice.
                rest.pop(0)
                continue
            if len(rest) < len(part):
                return (part[len(rest)],)
            rest = rest[len(part) :]
            left = [group for group in left if part not in group or part[0].slot == "option=value"]
        return tuple(part[0] for group in left for part in group)


def _joined(words: Sequence[str]) -> list[str]:
    """Return the words with each comma-separated list of targets joined into one word."""
    found: list[str] = []
    for word in words:
        if found and (found[-1].endswith(",") or word.startswith(",")):
            found[-1] += word
        else:
            found.append(word)
    return found


@cache
def form_of(text: str) -> Form:
    """Parse a form. `text`: begins with the command's name."""
    _, *pieces = _PIECE.findall(text)
    needed = tuple(_place(piece) for piece in pieces if not piece.startswith("["))
    groups = tuple(
        tuple(tuple(_place(word) for word in part.split()) for part in piece[1:-1].split(" | "))
        for piece in pieces
        if piece.startswith("[")
    )
    return Form(text, needed, groups)


def _place(word: str) -> FormPlace:
    """Parse one word of a form: a slot such as `TARGETS`, an option such as `side=SIDE`, or literal words."""
    option, equals, slot = word.partition("=")
    if equals and slot.isupper():
        return FormPlace(slot=slot, option=option)
    if equals or word in ("xN", "+N|-N") or word.isupper():
        return FormPlace(slot=word)
    return FormPlace(words=tuple(word.split("|")))


# The kind of text that each capitalised word of a form means.
SLOTS: Mapping[str, str] = {
    "TARGETS": "targets",
    "WHO": "combatant",
    "KIND": "roster entry",
    "FIELD": "field",
    "CONDITION": "condition",
    "SIDE": "side",
    "DICE": "dice",
    "AMOUNT": "dice",
    "N": "number",
    "xN": "number",
    "+N|-N": "number",
    "VALUE": "value",
    "NAME": "name",
    "TEXT": "text",
    "option=value": "option",
    "FACES": "faces",
    "COMMAND": "command",
}

ReadInner = Callable[[str, int], Command]


def _nothing(taken: TokenLine) -> Intent:
    raise AssertionError("this command is read as text")


@frozen
class Declaration:
    """One declared command of the language.

    `read` makes the intent from the words of a line. `read_text` makes it from the typed line, for commands
    that take any text. `read_line` does so for commands that contain another command; it gets the function
    that reads the inner command from its position. `stands_for`: capitalised words with a meaning other than
    in `SLOTS`. `amount`: "damage" or "heal" if the command takes the options of the game's action for it.
    """

    name: str
    forms: tuple[str, ...]
    help: str
    read: Callable[[TokenLine], Intent] = _nothing
    read_text: Callable[[str], Intent] | None = None
    read_line: Callable[[str, ReadInner], Intent] | None = None
    stands_for: Mapping[str, str] = {}
    amount: str = ""

    def parsed(self) -> tuple[Form, ...]:
        """Return the parsed forms."""
        return tuple(form_of(text) for text in self.forms)

    def meaning(self, slot: str) -> str:
        """Return the kind of text that a capitalised word means."""
        return self.stands_for.get(slot) or SLOTS.get(slot, "")

    @property
    def usage(self) -> str:
        """Return all forms on one line."""
        return "  or  ".join(self.forms)


Declarations = Mapping[str, Declaration]


def text_after(line: str) -> str:
    """Return the text after the first word of a line."""
    return " ".join(line.split(None, 1)[1:]).strip()


def checked_dice(word: Word, read: Callable[[str], object]) -> str:
    """Return dice as typed. Raises Misread that points at the wrong character."""
    try:
        read(word.text)
    except DiceError as error:
        at = word.start + min(error.position, word.end - word.start - 1)
        raise Misread(str(error), at, at + 1, names_word=True) from None
    return word.text
