"""The command language: a line of text becomes an intent, or an error that points at the word.

The command line of the screens, `affray run` and the players' requests all speak it.
"""

import re
from collections.abc import Callable, Mapping

import attrs

from systems.contract.ruleset import Ruleset
from systems.dice.expression import DiceError
from systems.dice.notation import amount as amount_of
from systems.dice.notation import parse as dice_of
from systems.errors import Misread
from systems.language.intents import (
    Act,
    Add,
    Back,
    ClearCondition,
    Command,
    Delay,
    End,
    Hide,
    Hurt,
    Intent,
    Next,
    Note,
    OrderBeside,
    OrderValue,
    Redo,
    Remove,
    Return,
    RollDice,
    SetCondition,
    SetField,
    Start,
    Undo,
)
from systems.language.tokens import LONGEST, TokenLine, Word, words_of
from systems.text import find_word, shown, spaced, suggestion

__all__ = ["LONGEST", "VERBS", "Misread", "Word", "parse", "words_of"]
_WHO = "who is meant"


def parse(line: str, game: Ruleset) -> Command:
    """The command that a line says, in the words of `game`. Raises Misread.

    What cannot be printed counts as a space.
    """
    if len(line) > LONGEST:
        raise Misread(f"the line is too long, at most {LONGEST} characters", LONGEST, len(line))
    line = spaced(line)
    # What these two are given is any text: its quotes, options and `by` mean nothing.
    if re.match(r"\s*note(\s|$)", line, re.IGNORECASE):
        return Command(_note(line), line)
    if setting := re.match(r"\s*set\s+(?P<who>\S.*)", line, re.IGNORECASE):
        return _read_set(line, setting.start("who"))
    taken = TokenLine(line)
    dice = _dice(taken)
    intent = _intent(taken.take("a command"), taken, game)
    taken.end()
    return Command(intent, line, dice)


def _note(line: str) -> Note:
    text = " ".join(line.split(None, 1)[1:]).strip()
    if not text:
        raise Misread("the text of the note is missing", len(line), len(line))
    return Note(text)


def _read_set(line: str, start: int) -> Command:
    """`set WHO FIELD VALUE`: the value is the rest of the line, without quotes around the whole of it."""
    words = words_of(line)[1:]
    for what in (_WHO, "the field", "the value")[len(words) :]:
        raise Misread(f"{what} is missing", len(line), len(line))
    who, field, first, *others = words
    value = line[first.start :].strip() if others else first.text
    return Command(SetField(who.text, field.text, value), line)


def _set_nobody(taken: TokenLine) -> Intent:
    raise taken.missing(_WHO)


def _dice(taken: TokenLine) -> tuple[int, ...] | None:
    word = taken.options.pop("dice", None)
    if word is None:
        return None
    if not re.fullmatch(r"([0-9]{1,6}(,[0-9]{1,6})*,?)?", word.text):
        raise word.wrong("dice are given as faces with commas, such as dice=13,17")
    return tuple(int(one) for one in word.text.split(",") if one)


def _intent(verb: Word, taken: TokenLine, game: Ruleset) -> Intent:
    reader = VERBS.get(verb.text.casefold())
    own = find_word(verb.text, [one.name for one in game.actions])
    # `roll` alone may be the game's own die; with dice after it, it is the tracker's.
    if own and (reader is None or (own == "roll" and not taken.words)):
        targets = taken.take_targets() if taken.words else ""
        return Act(own, targets, taken.take_options(), taken.take_by())
    if reader is None:
        known = (*(one.name for one in game.actions if one.group != "hook"), *VERBS)
        raise verb.wrong(f"there is no command {shown(verb.text)}{suggestion(verb.text, known)}")
    return reader(taken)


def _read_who(taken: TokenLine) -> str:
    return taken.words.pop(0).text if taken.words else taken.take_by()


def _read_order(taken: TokenLine) -> Intent:
    who = taken.take(_WHO).text
    if side := taken.take_word("before", "after"):
        beside = taken.take("before or after whom").text
        return OrderBeside(who, beside, side.text.casefold() == "after")
    return OrderValue(who, taken.take_number("the place", "before, after or a number"))


def _read_hurt(taken: TokenLine, heals: bool) -> Intent:
    targets = taken.take_targets()
    amount = _checked_dice(taken.rest("the amount, a number or dice,"), amount_of)
    # Who did it is for the log alone, where the line stands as it was typed.
    taken.take_by()
    return Hurt(targets, amount, taken.take_options(), heals)


def _read_condition(taken: TokenLine) -> Intent:
    targets = taken.take_targets()
    if taken.words and taken.words[0].says("for", "until") and len(taken.words) > 1:
        raise taken.words[0].wrong("the name of the condition is missing before this")
    name = taken.take("the name of the condition")
    found = SetCondition(targets, name.text, taken.take_value(), quoted=name.quoted)
    if word := taken.take_word("for"):
        rounds = taken.take_number("the number of rounds")
        taken.take_word("rounds", "round", "r")
        if not 1 <= rounds <= 9_999:
            raise word.wrong("a condition lasts 1 to 9999 rounds")
        found = attrs.evolve(found, rounds=rounds)
    elif word := taken.take_word("until"):
        until = taken.take("start or end")
        if not until.says("start", "end"):
            raise until.wrong("until the start or the end of somebody's turn: `until end of okado`")
        taken.take_word("of")
        found = attrs.evolve(found, until=until.text.casefold(), of=taken.take("whose turn").text)
    elif taken.words:
        word = taken.words[0]
        raise word.wrong(
            f"{shown(word.text)} is not understood here; a name of several words stands in quotes"
        )
    return found


def _read_clear(taken: TokenLine) -> Intent:
    targets, name = taken.take_targets(), taken.take("the condition")
    return ClearCondition(targets, name.text, name.quoted)


def _read_add(taken: TokenLine) -> Intent:
    found = Add(taken.take("whom to add, from the roster,").text)
    while taken.words:
        word = taken.words.pop(0)
        text = "" if word.quoted else word.text.casefold()
        if re.fullmatch(r"x[0-9]{1,5}|[0-9]{1,5}x?", text):
            found = attrs.evolve(found, number=int(text.strip("x")))
        elif text == "x" and taken.words:
            found = attrs.evolve(found, number=taken.take_number("how many"))
        elif text == "as":
            found = attrs.evolve(found, name=taken.take("the name").text)
        elif text == "hidden":
            found = attrs.evolve(found, hidden=True)
        elif text == "group":
            found = attrs.evolve(found, group=True)
        elif text == "in" and taken.take_word("round"):
            found = attrs.evolve(found, arrives=taken.take_number("the round"))
        else:
            raise word.wrong(f"{shown(word.text)} is not understood here; such as: add guard x4")
    if side := taken.options.pop("side", None):
        found = attrs.evolve(found, side=side.text)
    return found


def _read_roll(taken: TokenLine) -> Intent:
    secret = bool(taken.words and taken.words[-1].says("secret") and taken.words.pop())
    who = taken.take_by()
    if len(taken.words) > 2 and taken.words[-2].says("for"):
        who = taken.words.pop().text
        taken.words.pop()
    return RollDice(_checked_dice(taken.rest("what to roll, such as 2d6+3,"), dice_of), who, secret)


def _checked_dice(word: Word, read: Callable[[str], object]) -> str:
    """Dice as they were typed. Raises Misread that points at the character."""
    try:
        read(word.text)
    except DiceError as error:
        at = word.start + min(error.position, word.end - word.start - 1)
        raise Misread(str(error), at, at + 1) from None
    return word.text


def _read_count(taken: TokenLine) -> int:
    if not taken.words:
        return 1
    word = taken.words[0]
    number = taken.take_number("how many")
    if number < 1:
        raise word.wrong("at least 1")
    return number


VERBS: Mapping[str, Callable[[TokenLine], Intent]] = {
    "next": lambda taken: Next(taken.take_by()),
    "back": lambda taken: Back(),
    "start": lambda taken: Start(),
    "end": lambda taken: End(),
    "delay": lambda taken: Delay(_read_who(taken)),
    "return": lambda taken: Return(taken.take(_WHO).text),
    "order": _read_order,
    "damage": lambda taken: _read_hurt(taken, False),
    "heal": lambda taken: _read_hurt(taken, True),
    "set": _set_nobody,
    "condition": _read_condition,
    "clear": _read_clear,
    "add": _read_add,
    "remove": lambda taken: Remove(taken.take_targets()),
    "hide": lambda taken: Hide(taken.take_targets(), True),
    "reveal": lambda taken: Hide(taken.take_targets(), False),
    "roll": _read_roll,
    "note": lambda taken: _note(taken.line),
    "undo": lambda taken: Undo(_read_count(taken)),
    "redo": lambda taken: Redo(_read_count(taken)),
}
