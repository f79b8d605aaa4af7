"""The command language: a line of text becomes an intent, or an error that points at the word.

The command line of the screens, `affray run` and the players' requests all speak it.
"""

import re
from collections.abc import Callable, Mapping, Sequence

import attrs

from systems.contract import Ruleset
from systems.intents import (
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
from systems.kinds import shown
from systems.words import clean, find_word, suggestion

LONGEST = 2_000
_TOKEN = re.compile(r'(?P<space>\s+)|(?P<word>(?:[^\s"]|"[^"]*")+)|(?P<open>")')
_OPTION = re.compile(r"([A-Za-z][A-Za-z0-9_-]*)=(.*)", re.DOTALL)
_NUMBER = re.compile(r"[+-]?[0-9]{1,6}")


class Misread(ValueError):
    """A line that cannot be understood: the sentence, and where in the line it went wrong."""

    def __init__(self, message: str, start: int = 0, end: int = 0) -> None:
        self.start, self.end = start, end
        super().__init__(message)


@attrs.frozen
class Word:
    """One word of a line and where it stands; quotes are gone from `text`."""

    text: str
    start: int
    end: int
    quoted: bool = False

    def wrong(self, message: str) -> Misread:
        return Misread(message, self.start, self.end)


def words_of(line: str) -> list[Word]:
    """The words of a line; quotes hold spaces together. Raises Misread for an open quote."""
    found: list[Word] = []
    at = 0
    while at < len(line):
        match = _TOKEN.match(line, at)
        assert match is not None
        if match["open"]:
            raise Misread("this quote is never closed", at, at + 1)
        if match["word"]:
            text = match["word"]
            found.append(Word(text.replace('"', ""), at, match.end(), text.startswith('"')))
        at = match.end()
    return found


class _Line:
    """The words of one line, taken from the left; options and `by` have been set aside."""

    def __init__(self, line: str) -> None:
        self.line = line
        words = words_of(line)
        self.options: dict[str, Word] = {}
        self.by = ""
        self.words: list[Word] = []
        while words:
            word = words.pop(0)
            option = None if word.quoted else _OPTION.fullmatch(word.text)
            if option and self.words:
                self.options[option[1]] = attrs.evolve(word, text=option[2])
            elif word.text.casefold() == "by" and not word.quoted and self.words:
                if not words:
                    raise word.wrong("who does it? a name follows `by`")
                self.by = words.pop(0).text
            else:
                self.words.append(word)

    def take(self, what: str) -> Word:
        """The next word. Raises Misread that says what is missing."""
        if not self.words:
            raise Misread(f"{what} is missing", len(self.line), len(self.line))
        return self.words.pop(0)

    def take_word(self, *texts: str) -> Word | None:
        """The next word when it is one of `texts`, else None and nothing is taken."""
        if self.words and self.words[0].text.casefold() in texts:
            return self.words.pop(0)
        return None

    def take_number(self, what: str) -> int:
        word = self.take(what)
        if not _NUMBER.fullmatch(word.text):
            raise word.wrong(f"{what} must be a whole number, not {shown(word.text)}")
        return int(word.text)

    def take_targets(self) -> str:
        """The words of TARGETS: one, and more where a list goes on after a comma."""
        first = self.take("who is meant")
        text = first.text
        while self.words and (text.endswith(",") or self.words[0].text.startswith(",")):
            text += self.words.pop(0).text
        return text

    def plain_options(self) -> dict[str, str]:
        return {name: word.text for name, word in self.options.items()}

    def end(self) -> None:
        """Raises Misread when something is left over."""
        if self.words:
            raise self.words[0].wrong(f"{shown(self.words[0].text)} is one word too many")
        if self.options:
            name, word = next(iter(self.options.items()))
            raise word.wrong(f"this command takes no option {clean(name)}")


def parse(line: str, game: Ruleset) -> Command:
    """The command that a line says, in the words of `game`. Raises Misread."""
    if len(line) > LONGEST:
        raise Misread(f"the line is too long, at most {LONGEST} characters")
    # A note is any text; its quotes and equals signs mean nothing.
    if re.match(r"\s*note\b", line, re.IGNORECASE):
        return Command(_note(line), line)
    taken = _Line(line)
    dice = _dice(taken)
    verb = taken.take("a command")
    return Command(_intent(verb, taken, game), line, dice)


def _note(line: str) -> Note:
    text = " ".join(line.split(None, 1)[1:]).strip()
    if not text:
        raise Misread("the text of the note is missing", len(line), len(line))
    return Note(text)


def _dice(taken: _Line) -> tuple[int, ...] | None:
    word = taken.options.pop("dice", None)
    if word is None:
        return None
    if not re.fullmatch(r"([0-9]{1,6}(,[0-9]{1,6})*,?)?", word.text):
        raise word.wrong("dice are given as faces with commas, such as dice=13,17")
    return tuple(int(one) for one in word.text.split(",") if one)


def _intent(verb: Word, taken: _Line, game: Ruleset) -> Intent:
    name = verb.text.casefold()
    reader = VERBS.get(name)
    own = find_word(verb.text, [one.name for one in game.actions])
    # `roll` alone may be the game's own die; with dice after it, it is the tracker's.
    if own and (reader is None or (name == "roll" and not taken.words)):
        return _act(own, taken)
    if reader is None:
        known = (*(one.name for one in game.actions if one.kind != "hook"), *VERBS)
        raise verb.wrong(f"there is no command {shown(verb.text)}{suggestion(verb.text, known)}")
    return reader(taken)


def _act(action: str, taken: _Line) -> Act:
    targets = taken.take_targets() if taken.words else ""
    found = Act(action, targets, taken.plain_options(), taken.by)
    taken.options.clear()
    taken.end()
    return found


def _done(taken: _Line, intent: Intent) -> Intent:
    taken.end()
    return intent


def _read_order(taken: _Line) -> Intent:
    who = taken.take("who is meant").text
    if side := taken.take_word("before", "after"):
        beside = taken.take("before or after whom").text
        return _done(taken, OrderBeside(who, beside, side.text.casefold() == "after"))
    return _done(taken, OrderValue(who, taken.take_number("before, after, or a number")))


def _read_hurt(taken: _Line, heals: bool) -> Intent:
    targets = taken.take_targets()
    amount = "".join(word.text for word in taken.words)
    if not amount:
        raise Misread("the amount is missing: a number or dice", len(taken.line), len(taken.line))
    taken.words.clear()
    found = Hurt(targets, amount, taken.plain_options(), heals)
    taken.options.clear()
    return found


def _read_set(taken: _Line) -> Intent:
    who, field = taken.take("who is meant").text, taken.take("the field").text
    value = taken.take("the value").text + "".join(" " + word.text for word in taken.words)
    taken.words.clear()
    return _done(taken, SetField(who, field, value))


def _read_condition(taken: _Line) -> Intent:
    targets = taken.take_targets()
    name = taken.take("the name of the condition").text
    value = int(taken.words.pop(0).text) if taken.words and _is_value(taken.words) else None
    rounds, until, of = None, "", ""
    if word := taken.take_word("for"):
        rounds = taken.take_number("the number of rounds")
        taken.take_word("rounds", "round", "r")
        if not 1 <= rounds <= 9_999:
            raise word.wrong("a condition lasts 1 to 9999 rounds")
    elif word := taken.take_word("until"):
        until = taken.take("start or end").text.casefold()
        if until not in ("start", "end"):
            raise word.wrong("until the start or the end of somebody's turn: `until end of okado`")
        taken.take_word("of")
        of = taken.take("whose turn").text
    return _done(taken, SetCondition(targets, name, value, rounds, until, of))


def _is_value(words: Sequence[Word]) -> bool:
    return bool(re.fullmatch(r"[+-]?[0-9]{1,3}", words[0].text))


def _read_add(taken: _Line) -> Intent:
    kind = taken.take("whom to add, from the roster").text
    found = Add(kind)
    while taken.words:
        word = taken.take("")
        text = word.text.casefold()
        if re.fullmatch(r"x[0-9]{1,5}", text) or re.fullmatch(r"[0-9]{1,5}x?", text):
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
    return _done(taken, found)


def _read_roll(taken: _Line) -> Intent:
    secret = bool(taken.words and taken.words[-1].text.casefold() == "secret" and taken.words.pop())
    who = ""
    if len(taken.words) > 2 and taken.words[-2].text.casefold() == "for":
        who = taken.words.pop().text
        taken.words.pop()
    if not taken.words:
        raise Misread("the dice are missing, such as 2d6+3", len(taken.line), len(taken.line))
    start = taken.words[0].start
    dice = taken.line[start : taken.words[-1].end]
    taken.words.clear()
    return _done(taken, RollDice(dice, who, secret))


def _read_count(taken: _Line) -> int:
    number = taken.take_number("how many") if taken.words else 1
    if number < 1:
        raise Misread("at least 1", 0, len(taken.line))
    return number


def _read_who(taken: _Line) -> str:
    return taken.words.pop(0).text if taken.words else taken.by


VERBS: Mapping[str, Callable[[_Line], Intent]] = {
    "next": lambda taken: _done(taken, Next(taken.by)),
    "back": lambda taken: _done(taken, Back()),
    "start": lambda taken: _done(taken, Start()),
    "end": lambda taken: _done(taken, End()),
    "delay": lambda taken: _done(taken, Delay(_read_who(taken))),
    "return": lambda taken: _done(taken, Return(taken.take("who is meant").text)),
    "order": _read_order,
    "damage": lambda taken: _read_hurt(taken, False),
    "heal": lambda taken: _read_hurt(taken, True),
    "set": _read_set,
    "condition": _read_condition,
    "clear": lambda taken: _done(
        taken, ClearCondition(taken.take_targets(), taken.take("the condition").text)
    ),
    "add": _read_add,
    "remove": lambda taken: _done(taken, Remove(taken.take_targets())),
    "hide": lambda taken: _done(taken, Hide(taken.take_targets(), True)),
    "reveal": lambda taken: _done(taken, Hide(taken.take_targets(), False)),
    "roll": _read_roll,
    "note": lambda taken: _note(taken.line),
    "undo": lambda taken: _done(taken, Undo(_read_count(taken))),
    "redo": lambda taken: _done(taken, Redo(_read_count(taken))),
}
