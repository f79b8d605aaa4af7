"""The command `add`: combatants from the roster join the fight."""

import re
from collections.abc import Sequence

from systems.commands.declaration import CommandKind, titled
from systems.commands.membership import add
from systems.commands.transaction import Transaction
from systems.errors import Wrong
from systems.frozen import asdict, evolve
from systems.language.intents import Add, Intent
from systems.language.tokens import TokenLine, Word
from systems.schema.types import Flag
from systems.text import shown

_DIGITS = re.compile(r"[0-9]{1,5}")
_TIMES = re.compile(r"x[0-9]{1,5}|[0-9]{1,5}x?")


def _read(taken: TokenLine) -> Intent:
    # Only the roster can tell whether a number next to the kind is a count or part of the name.
    first = ""
    if len(taken.words) > 1 and taken.words[0].is_plain(_TIMES) and not _follows_name(taken.words[1:]):
        first = taken.words.pop(0).text
    kind = _read_name(taken, "the name of a roster entry or a party")
    found = Add(kind, numbered_kind=f"{first} {kind}" if first else "")
    if not first and taken.words and taken.words[0].is_plain(_DIGITS):
        found = evolve(found, numbered_kind=f"{kind} {taken.words.pop(0).text}")
    while taken.words:
        word = taken.words.pop(0)
        text = "" if word.quoted else word.text.casefold()
        if _TIMES.fullmatch(text) and first:
            raise word.wrong(f"{first} and {text} both say how many join; give one of them", names_word=True)
        if _TIMES.fullmatch(text):
            found = evolve(found, number=int(text.strip("x")))
        elif text == "x" and taken.words:
            found = evolve(found, number=taken.take_number("how many"))
        elif text == "as":
            found = evolve(found, name=_read_name(taken, "the name"))
        elif text == "hidden":
            found = evolve(found, hidden=True)
        elif text == "group":
            found = evolve(found, group=True)
        elif text == "in" and taken.take_word("round"):
            found = evolve(found, arrives=taken.take_number("the round"))
        else:
            raise word.wrong(
                f"{shown(word.text)} is not understood here; such as: add guard x4", names_word=True
            )
    if side := taken.take_option("side"):
        found = evolve(found, side=side.text, quoted_side=side.quoted)
    if fallen := taken.take_option("fallen"):
        try:
            found = evolve(found, fallen=Flag().typed(fallen.text))
        except Wrong as wrong:
            raise fallen.wrong(f"fallen: {wrong.message}") from None
    return found


def _read_name(taken: TokenLine, what: str) -> str:
    """Take a name of one or more words, up to the next part of `add`. A quoted name is complete."""
    first = taken.take(what)
    words = [first.text]
    while taken.words and not first.quoted and not _follows_name(taken.words):
        words.append(taken.words.pop(0).text)
    return " ".join(words)


def _follows_name(words: Sequence[Word]) -> bool:
    """Return whether the words continue with a part of `add`, not with the name before them."""
    first, *others = words
    if first.says("in"):
        return bool(others) and others[0].says("round")
    return (
        first.quoted
        or first.says("as", "x", "hidden", "group")
        or bool(_TIMES.fullmatch(first.text.casefold()))
    )


def _carry_out(transaction: Transaction, intent: Add) -> None:
    transaction.record(**asdict(intent) | {"arrives": intent.arrives or None})
    add(transaction, transaction.entries, intent)


ADD = CommandKind(
    "add",
    ("add KIND [xN] [as NAME] [side=SIDE] [hidden] [group] [in round N] [fallen=yes]",),
    "add characters and creatures; add party brings all players' characters except the dead",
    _read,
    carry_out=_carry_out,
    blank=Add(""),
    title=titled("{targets'} arrival"),
)
