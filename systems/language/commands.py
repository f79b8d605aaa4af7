"""Declare the commands of the language: for each, its name, its forms, its help, and how it is read.

The parser, completion, help, the list in the handbook, the names that a game's actions may not use, and the
command's name in an event all use these declarations.
"""

import re
from collections.abc import Sequence

import attrs

from systems.dice.notation import amount as amount_of
from systems.dice.notation import parse as dice_of
from systems.errors import Misread, Wrong
from systems.language.declaration import Declaration, ReadInner, checked_dice
from systems.language.intents import (
    Add,
    Amend,
    Back,
    ClearCondition,
    Count,
    DamageOrHeal,
    Delay,
    DropHappening,
    End,
    Group,
    Happen,
    Hide,
    Intent,
    Keep,
    Next,
    OrderBeside,
    OrderValue,
    Ready,
    Redo,
    Refresh,
    Remove,
    Return,
    RollDice,
    SetCondition,
    SetField,
    Start,
    Undo,
)
from systems.language.tokens import TokenLine, Word, words_of
from systems.schema.types import Flag
from systems.text import shown

_WHO = "the name"


_GLUED = re.compile(r"([^\W\d_]+)([0-9]+(?:/[0-9]+)?)")  # a field and its number without a space: life24


def _read_set(line: str) -> Intent:
    """Read `set WHO FIELD VALUE`. The value is the rest of the line, without quotes around it."""
    words = words_of(line)[1:]
    if len(words) == 2 and (glued := _GLUED.fullmatch(words[1].text)) and not words[1].quoted:
        return SetField(words[0].text, glued[1], glued[2], False)
    for what in (_WHO, "the field", "the value")[len(words) :]:
        raise Misread(f"{what} is missing", len(line), len(line))
    who, field, first, *others = words
    value = line[first.start :].strip() if others else first.text
    return SetField(who.text, field.text, value, '"' in line[field.start : field.end])


def _read_ready(line: str) -> Intent:
    """Read `ready WHO TEXT`. The text is the rest of the line, without quotes around it."""
    words = words_of(line)[1:]
    for what in (_WHO, "the readied action")[len(words) :]:
        raise Misread(f"{what} is missing", len(line), len(line))
    who, first, *others = words
    return Ready(who.text, line[first.start :].strip() if others else first.text)


_IN_ROUND = re.compile(r"(.*\S)?\s*\bin\s+round\s+([0-9]{1,6})", re.IGNORECASE)


def _read_happening(line: str) -> Intent:
    """Read `happening TEXT in round N [hidden]`, with the text as typed, or `happening drop N`."""
    text = " ".join(line.split(None, 1)[1:]).strip()
    if dropped := re.fullmatch(r"drop\s+([0-9]{1,6})", text, re.IGNORECASE):
        return DropHappening(int(dropped[1]))
    shown_text, _, last = text.rpartition(" ")
    hidden = last.casefold() == "hidden"
    when = _IN_ROUND.fullmatch(shown_text.strip() if hidden else text)
    if when is None:
        raise Misread(
            "the round is missing, such as: happening the ceiling falls in round 10", len(line), len(line)
        )
    if not when[1]:
        raise Misread("the text of the scheduled event is missing", len(line), len(line))
    said = words_of(when[1])
    return Happen(said[0].text if len(said) == 1 else when[1], int(when[2]), hidden)


def _read_who(taken: TokenLine) -> str:
    return taken.words.pop(0).text if taken.words else taken.take_by()


def _read_order(taken: TokenLine) -> Intent:
    who = taken.take(_WHO).text
    if side := taken.take_word("before", "after"):
        beside = taken.take("the other combatant").text
        return OrderBeside(who, beside, side.text.casefold() == "after")
    return OrderValue(who, taken.take_number("the place", "before, after or a number"))


def _read_hurt(taken: TokenLine, heals: bool) -> Intent:
    targets = taken.take_targets()
    amount = checked_dice(taken.rest("the amount"), amount_of)
    return DamageOrHeal(targets, amount, taken.take_options(), heals, taken.take_by())


_ENDS = re.compile(r"-[^\W\d].*")
_ROUNDS = ("rounds", "round", "r")


def _read_condition(taken: TokenLine) -> Intent:
    targets = taken.take_targets()
    if taken.words and taken.words[0].says("for", "until") and len(taken.words) > 1:
        raise taken.words[0].wrong("the name of the condition is missing before this")
    name = taken.take("the name of the condition")
    secret = bool(taken.words and taken.words[-1].says("secret") and taken.words.pop())
    if name.is_plain(_ENDS):
        return ClearCondition(targets, name.text[1:])
    value, rounds = _read_value_and_rounds(taken)
    by = taken.take_by()
    found = SetCondition(targets, name.text, value, rounds, quoted=name.quoted, secret=secret, by=by)
    if rounds is None and (word := taken.take_word("for")):
        found = attrs.evolve(found, rounds=_read_rounds(taken, word))
    elif rounds is None and taken.take_word("until"):
        until = taken.take("start or end")
        if not until.says("start", "end"):
            raise until.wrong("until needs start or end of a combatant's turn, such as: until end of okado")
        taken.take_word("of")
        found = attrs.evolve(found, until=until.text.casefold(), of=taken.take("whose turn").text)
    elif taken.words:
        word = taken.words[0]
        raise word.wrong(
            f"{shown(word.text)} is not understood here; put a name of several words in quotes",
            names_word=True,
        )
    return found


def _read_value_and_rounds(taken: TokenLine) -> tuple[int | None, int | None]:
    """Read `2`, `=2`, `2 5` (a value for five rounds) or `5 r`. A missing part is None.

    A lone number is the value. The command takes it as rounds for a condition without a value.
    """
    first = taken.words[0] if taken.words else None
    value = taken.take_value()
    if first is None or value is None:
        return None, None
    if taken.words and taken.words[0].says(*_ROUNDS):
        taken.words.insert(0, first)
        return None, _read_rounds(taken, first)
    second = taken.words[0] if taken.words else None
    if second is None or not second.is_plain(_DIGITS):
        return value, None
    return value, _read_rounds(taken, second)


def _read_rounds(taken: TokenLine, word: Word) -> int:
    """Read `5`, `5 r` or `5 rounds`. Raises Misread at `word` if the number is out of range."""
    rounds = taken.take_number("the number of rounds")
    taken.take_word(*_ROUNDS)
    if not 1 <= rounds <= 9_999:
        raise word.wrong("a condition lasts 1 to 9999 rounds")
    return rounds


def _read_clear(taken: TokenLine) -> Intent:
    targets, name = taken.take_targets(), taken.take("the condition")
    return ClearCondition(targets, name.text, name.quoted)


_DIGITS = re.compile(r"[0-9]{1,5}")
_TIMES = re.compile(r"x[0-9]{1,5}|[0-9]{1,5}x?")


def _read_add(taken: TokenLine) -> Intent:
    # Only the roster can tell whether a number next to the kind is a count or part of the name.
    first = ""
    if len(taken.words) > 1 and taken.words[0].is_plain(_TIMES) and not _follows_name(taken.words[1:]):
        first = taken.words.pop(0).text
    kind = _read_name(taken, "the name of a roster entry or a party")
    found = Add(kind, numbered_kind=f"{first} {kind}" if first else "")
    if not first and taken.words and taken.words[0].is_plain(_DIGITS):
        found = attrs.evolve(found, numbered_kind=f"{kind} {taken.words.pop(0).text}")
    while taken.words:
        word = taken.words.pop(0)
        text = "" if word.quoted else word.text.casefold()
        if _TIMES.fullmatch(text) and first:
            raise word.wrong(f"{first} and {text} both say how many join; give one of them", names_word=True)
        if _TIMES.fullmatch(text):
            found = attrs.evolve(found, number=int(text.strip("x")))
        elif text == "x" and taken.words:
            found = attrs.evolve(found, number=taken.take_number("how many"))
        elif text == "as":
            found = attrs.evolve(found, name=_read_name(taken, "the name"))
        elif text == "hidden":
            found = attrs.evolve(found, hidden=True)
        elif text == "group":
            found = attrs.evolve(found, group=True)
        elif text == "in" and taken.take_word("round"):
            found = attrs.evolve(found, arrives=taken.take_number("the round"))
        else:
            raise word.wrong(
                f"{shown(word.text)} is not understood here; such as: add guard x4", names_word=True
            )
    if side := taken.take_option("side"):
        found = attrs.evolve(found, side=side.text, quoted_side=side.quoted)
    if fallen := taken.take_option("fallen"):
        try:
            found = attrs.evolve(found, fallen=Flag().typed(fallen.text))
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


def _read_roll(taken: TokenLine) -> Intent:
    secret = bool(taken.words and taken.words[-1].says("secret") and taken.words.pop())
    who = taken.take_by()
    if len(taken.words) > 2 and taken.words[-2].says("for"):
        who = taken.words.pop().text
        taken.words.pop()
    return RollDice(checked_dice(taken.rest("what to roll, such as 2d6+3,"), dice_of), who, secret)


def _read_keep(taken: TokenLine) -> Intent:
    names = taken.take_targets()
    note = taken.take_option("note")
    rest = taken.take_option("rest")
    if taken.words and taken.words[0].says("rest"):
        raise taken.words[0].wrong('rest needs a value after =, such as "keep all rest=all"')
    return Keep(names, note.text if note else "", rest.text if rest else "")


def _read_count(taken: TokenLine) -> int:
    if not taken.words:
        return 1
    word = taken.words[0]
    number = taken.take_number("how many")
    if number < 1:
        raise word.wrong("at least 1")
    return number


def _read_step(taken: TokenLine) -> Intent:
    who, field = taken.take(_WHO).text, taken.take("the field").text
    word = taken.words[0] if taken.words else None
    by = taken.take_number("the number to add", "a number with its sign, such as +1 or -2")
    if word is not None and not re.match(r"[+\-\N{MINUS SIGN}]", word.text):
        says = f"type +{word.text} or -{word.text}; to set the field: set {who} {field} {word.text}"
        raise word.wrong(says, names_word=True)
    return Count(who, field, by)


# At the end of an amendment: later events to drop as well, or to keep although their cause is gone.
_LATER_EVENTS = re.compile(r"\s(drop|keep)=([0-9]{1,6}(?:,[0-9]{1,6})*)\s*$", re.IGNORECASE)


def _read_amend(line: str, read: ReadInner) -> Intent:
    """Read the number, then `never`, options, dice and `by`, or a whole command."""
    later: dict[str, tuple[int, ...]] = {"drop": (), "keep": ()}
    # They are removed from the end first, because the new command cannot contain them.
    while found := _LATER_EVENTS.search(line):
        name = found[1].casefold()
        later[name] = (*map(int, found[2].split(",")), *later[name])
        line = line[: found.start()]
    amend = _read_amended(line, read)
    return attrs.evolve(amend, drop=(*amend.drop, *later["drop"]), keep=(*amend.keep, *later["keep"]))


def _read_amended(line: str, read: ReadInner) -> Amend:
    """Read an amendment from which `drop=` and `keep=` at its end were removed."""
    match = re.match(r"\s*\S+\s*\S*\s*", line)
    start = match.end() if match else 0
    # A whole command may be any text, so only its number is read here.
    taken = TokenLine(line[:start])
    taken.take("the command")
    number = taken.take_number("the number of the event")
    if start == len(line):
        raise taken.missing("the correction (options, dice, by WHO, never or a whole command)")
    if line[start:].strip().casefold() == "never":
        return Amend(number, never=True)
    if not re.match(r"[a-z][a-z0-9_-]*=|by(\s|$)", line[start:], re.IGNORECASE):
        return Amend(number, command=read(line, start))
    taken = TokenLine(line)
    del taken.words[:2]
    amend = Amend(
        number,
        dice=taken.take_dice(),
        drop=taken.take_event_numbers("drop"),
        keep=taken.take_event_numbers("keep"),
        options=taken.take_options(),
        by=taken.take_by(),
    )
    taken.end()
    return amend


def _read_start(taken: TokenLine) -> Intent:
    as_prepared = False
    if word := taken.take_word("as"):
        if not taken.take_word("prepared"):
            raise word.wrong("type: start as prepared", names_word=True)
        as_prepared = True
    taken.words = _without_signs(taken.words)
    totals: list[tuple[str, int]] = []
    while taken.words:
        who = taken.take(_WHO).text
        totals.append((who, taken.take_number(f"the initiative of {shown(who)}")))
    for who in tuple(taken.options):  # mira=14
        word = taken.options.pop(who)
        taken.words = [attrs.evolve(word, text=word.text.strip(","))]
        totals.append((who, taken.take_number(f"the initiative of {shown(who)}")))
    return Start(as_prepared, tuple(totals))


def _without_signs(words: Sequence[Word]) -> list[Word]:
    """Return the words without the commas and equals signs before, between and after them."""
    found: list[Word] = []
    for word in words:
        parts = () if word.quoted else re.finditer(r"[^,=]+", word.text)
        found += (Word(part[0], word.start + part.start(), word.start + part.end()) for part in parts)
        found += [word] * word.quoted
    return found


DECLARATIONS: tuple[Declaration, ...] = (
    Declaration(
        "start",
        ("start [as prepared] [WHO VALUE]",),
        "begin the fight, with any initiative totals given: start okado 14 tamsin 9; players' characters are "
        "updated from the roster, except for values that you prepared",
        _read_start,
    ),
    Declaration(
        "refresh",
        ("refresh",),
        "before the fight: update the players' characters from the roster",
        lambda taken: Refresh(),
    ),
    Declaration("next", ("next [by WHO]",), "next turn", lambda taken: Next(taken.take_by())),
    Declaration("back", ("back",), "step back to the previous turn", lambda taken: Back()),
    Declaration("end", ("end",), "end the fight", lambda taken: End()),
    Declaration("delay", ("delay [WHO]",), "delay a turn", lambda taken: Delay(_read_who(taken))),
    Declaration(
        "return",
        ("return WHO",),
        "let a delaying combatant act after the current turn, or trigger a readied action",
        lambda taken: Return(taken.take(_WHO).text),
        stands_for={"WHO": "waiting"},
    ),
    Declaration(
        "ready",
        ("ready WHO TEXT",),
        "ready an action and its trigger; return uses it",
        read_text=_read_ready,
    ),
    Declaration(
        "happening",
        ("happening TEXT in round N [hidden]", "happening drop N"),
        "schedule an event for the beginning of a round; only you see it before",
        read_text=_read_happening,
    ),
    Declaration(
        "order",
        ("order WHO before|after WHO", "order WHO VALUE"),
        "change the turn order; a value is a place or an initiative score",
        _read_order,
    ),
    Declaration(
        "group",
        ("group TARGETS",),
        "let combatants share the turn of the first of them",
        lambda taken: Group(taken.take_targets()),
    ),
    Declaration(
        "ungroup",
        ("ungroup TARGETS",),
        "give combatants that share a turn separate turns again",
        lambda taken: Group(taken.take_targets(), False),
    ),
    Declaration(
        "damage",
        ("damage TARGETS AMOUNT [option=value] [by WHO]",),
        "deal damage that reaches the body",
        lambda taken: _read_hurt(taken, False),
        amount="damage",
    ),
    Declaration(
        "heal",
        ("heal TARGETS AMOUNT [option=value] [by WHO]",),
        "heal damage",
        lambda taken: _read_hurt(taken, True),
        amount="heal",
    ),
    Declaration("set", ("set WHO FIELD VALUE",), "set a field to a value", read_text=_read_set),
    Declaration(
        "count",
        ("count WHO FIELD +N|-N",),
        "add to a number of the sheet, or to a condition's value",
        _read_step,
    ),
    Declaration(
        "condition",
        ("condition TARGETS NAME [VALUE] [for N rounds | until start|end of WHO] [secret] [by WHO]",),
        "give a condition; by WHO names its source",
        _read_condition,
        stands_for={"NAME": "condition"},
    ),
    Declaration(
        "clear",
        ("clear TARGETS NAME",),
        "end a condition, or all of them",
        _read_clear,
        stands_for={"NAME": "held condition"},
    ),
    Declaration(
        "add",
        ("add KIND [xN] [as NAME] [side=SIDE] [hidden] [group] [in round N] [fallen=yes]",),
        "add characters and creatures; add party brings all players' characters except the dead",
        _read_add,
    ),
    Declaration(
        "remove",
        ("remove TARGETS",),
        "take combatants out of the fight",
        lambda taken: Remove(taken.take_targets()),
    ),
    Declaration(
        "hide",
        ("hide TARGETS",),
        "hide combatants from the players",
        lambda taken: Hide(taken.take_targets(), True),
    ),
    Declaration(
        "reveal",
        ("reveal TARGETS",),
        "show hidden combatants to the players",
        lambda taken: Hide(taken.take_targets(), False),
    ),
    Declaration("roll", ("roll DICE [for WHO] [secret]",), "roll dice, such as 2d6+3", _read_roll),
    Declaration(
        "keep",
        ("keep TARGETS [rest=TARGETS] [note=TEXT]",),
        "after the fight: save characters to the roster, such as all, okado or okado.life; "
        "rest=all rests the party first",
        _read_keep,
    ),
    Declaration(
        "undo", ("undo [N]",), "undo the last command, or several", lambda taken: Undo(_read_count(taken))
    ),
    Declaration("redo", ("redo [N]",), "redo undone commands", lambda taken: Redo(_read_count(taken))),
    Declaration(
        "amend",
        (
            "amend N [option=value] [dice=FACES] [by WHO] [drop=N] [keep=N]",
            "amend N never [drop=N] [keep=N]",
            "amend N COMMAND",
        ),
        "correct event N, or say that it never happened; later events are played again. "
        "drop=14,15 leaves later events out, keep=16 keeps a reaction that has lost its cause",
        read_line=_read_amend,
    ),
)
