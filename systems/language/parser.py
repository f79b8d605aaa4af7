"""Parse the command language: a line of text becomes an intent, or an error that points at the word.

The command line of the screens, `affray run` and the players' requests all use this parser.
"""

from collections.abc import Sequence
from contextlib import suppress
from functools import partial

import attrs

from systems.contract.ruleset import Ruleset
from systems.dice.sources import Given
from systems.errors import Misread
from systems.language.commands import ACTION, COMMANDS
from systems.language.intents import Act, ClearCondition, Command, RollDice
from systems.language.names import joined
from systems.language.other_words import meant_command
from systems.language.tokens import LONGEST, TokenLine, Word
from systems.text import find_word, shown, spaced

__all__ = ["LONGEST", "Misread", "parse"]


def parse(line: str, game: Ruleset, names: Sequence[str] = ()) -> Command:
    """Parse a line with the words of `game`. Raises Misread.

    `names`: names that need no quotes, including those of several words. Unprintable characters count as
    spaces.
    """
    if len(line) > LONGEST:
        raise Misread(f"the line is too long; use at most {LONGEST} characters", LONGEST, len(line))
    line = spaced(line)
    if _any_text_follows_who(line):
        # A word that belongs to no name would be read as part of the text.
        return _first_read((joined(line, names, first_only=True), line), line, game, names)
    try:
        command = _read(line, game, names)
    except Misread:
        whole = joined(line, names)
        if whole == line:
            raise
    else:
        if not (isinstance(command.intent, Act) and command.intent.words):
            return command
        # The second word of the line may begin a name that continues in the next words.
        whole = joined(line, names)
    return _first_read((whole,), line, game, names)


def parse_roll(line: str, names: Sequence[str] = ()) -> RollDice:
    """Parse `roll DICE [for WHO] [secret]`, which is the same in every game. Raises Misread."""
    first, whole = spaced(line), joined(spaced(line), names)
    with suppress(Misread):
        return _roll(first)
    return _roll(whole)


def _roll(line: str) -> RollDice:
    taken = TokenLine(line)
    taken.take("roll")
    intent = COMMANDS["roll"].read(taken)
    taken.end()
    assert isinstance(intent, RollDice)
    return intent


def _any_text_follows_who(line: str) -> bool:
    """Return whether a line is for a command such as `set WHO FIELD VALUE`, whose value is any text."""
    declared = COMMANDS.get(_verb(line))
    return bool(declared and declared.read_text and declared.parsed()[0].needed[0].slot == "WHO")


def _first_read(readings: Sequence[str], line: str, game: Ruleset, names: Sequence[str]) -> Command:
    """Return the command of the first reading that parses. Raises Misread for the last reading."""
    *others, last = dict.fromkeys(readings)
    for reading in others:
        with suppress(Misread):
            return attrs.evolve(_read(reading, game, names), line=line)
    return attrs.evolve(_read(last, game, names), line=line)


def _verb(line: str) -> str:
    return next(iter(line.split(None, 1)), "").casefold()


def _read(line: str, game: Ruleset, names: Sequence[str]) -> Command:
    if (declared := COMMANDS.get(_verb(line))) and declared.read_text:
        # The argument is any text, so quotes, options and `by` have no meaning in it.
        return Command(declared.read_text(line), line, name=declared.name)
    if declared and declared.read_line:
        inner = partial(_inner, game=game, names=names)
        return Command(declared.read_line(line, inner), line, name=declared.name)
    taken = TokenLine(line)
    dice = taken.take_dice()
    command = _command(taken.take("a command"), taken, game, line, dice)
    taken.end()
    return command


def _inner(line: str, start: int, game: Ruleset, names: Sequence[str]) -> Command:
    """Read the command that begins at `start` of a line. Errors point into the whole line."""
    command = parse(" " * start + line[start:], game, names)
    return attrs.evolve(command, line=command.line.strip())


def _command(
    verb: Word, taken: TokenLine, game: Ruleset, line: str, dice: tuple[Given, ...] | None
) -> Command:
    declared = COMMANDS.get(verb.text.casefold())
    own = find_word(verb.text, [action.name for action in game.actions])
    # `roll` alone may be an action of the game. With dice after it, it is the tracker's command.
    if own and (declared is None or (own == "roll" and not taken.words)):
        at = taken.words[0].start if taken.words else 0
        targets = taken.take_targets() if taken.words else ""
        quoted, words = taken.quoted_options, tuple(taken.words)
        taken.words.clear()
        act = Act(own, targets, taken.take_options(), taken.take_by(), quoted, words, at)
        return Command(act, line, dice, name=ACTION)
    if declared is None:
        known = (*(action.name for action in game.actions if action.group != "hook"), *COMMANDS)
        hint, meant = meant_command(verb.text, known)
        says = f"there is no command {shown(verb.text)}{hint}"
        raise Misread(says, verb.start, verb.end, names_word=True, suggestion=meant)
    taken.form = declared.forms[0]
    intent = declared.read(taken)
    # `condition 3 -prone` ends a condition.
    name = "clear" if isinstance(intent, ClearCondition) else declared.name
    return Command(intent, line, dice, name=name)
