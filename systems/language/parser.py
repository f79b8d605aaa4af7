"""The command language: a line of text becomes an intent, or an error that points at the word.

The command line of the screens, `affray run` and the players' requests all speak it.
"""

import re

from systems.contract.ruleset import Ruleset
from systems.errors import Misread
from systems.language.commands import ACTION, COMMANDS
from systems.language.intents import Act, Command
from systems.language.tokens import LONGEST, TokenLine, Word
from systems.text import find_word, nearest, shown, spaced, suggestion

__all__ = ["LONGEST", "Misread", "parse"]


def parse(line: str, game: Ruleset) -> Command:
    """Parse a line in the words of `game`. Raises Misread.

    What cannot be printed counts as a space.
    """
    if len(line) > LONGEST:
        raise Misread(f"the line is too long, at most {LONGEST} characters", LONGEST, len(line))
    line = spaced(line)
    first = next(iter(line.split(None, 1)), "").casefold()
    if (declared := COMMANDS.get(first)) and declared.read_text:
        # What it is given is any text: its quotes, options and `by` mean nothing.
        return Command(declared.read_text(line), line, name=declared.name)
    taken = TokenLine(line)
    dice = _dice(taken)
    command = _command(taken.take("a command"), taken, game, line, dice)
    taken.end()
    return command


def _dice(taken: TokenLine) -> tuple[int, ...] | None:
    word = taken.options.pop("dice", None)
    if word is None:
        return None
    if not re.fullmatch(r"([0-9]{1,6}(,[0-9]{1,6})*,?)?", word.text):
        raise word.wrong("dice are given as faces with commas, such as dice=13,17")
    return tuple(int(face) for face in word.text.split(",") if face)


def _command(verb: Word, taken: TokenLine, game: Ruleset, line: str, dice: tuple[int, ...] | None) -> Command:
    declared = COMMANDS.get(verb.text.casefold())
    own = find_word(verb.text, [action.name for action in game.actions])
    # `roll` alone may be the game's own die; with dice after it, it is the tracker's.
    if own and (declared is None or (own == "roll" and not taken.words)):
        targets = taken.take_targets() if taken.words else ""
        return Command(Act(own, targets, taken.take_options(), taken.take_by()), line, dice, name=ACTION)
    if declared is None:
        known = (*(action.name for action in game.actions if action.group != "hook"), *COMMANDS)
        says = f"there is no command {shown(verb.text)}{suggestion(verb.text, known)}"
        near = nearest(verb.text, known)
        raise Misread(says, verb.start, verb.end, names_word=True, suggestion=near)
    return Command(declared.read(taken), line, dice, name=declared.name)
