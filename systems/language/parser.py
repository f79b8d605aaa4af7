"""The command language: a line of text becomes an intent, or an error that points at the word.

The command line of the screens, `affray run` and the players' requests all speak it.
"""

from functools import partial

import attrs

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
    if declared and declared.read_line:
        inner = partial(_inner, game=game)
        return Command(declared.read_line(line, inner), line, name=declared.name)
    taken = TokenLine(line)
    dice = taken.take_dice()
    command = _command(taken.take("a command"), taken, game, line, dice)
    taken.end()
    return command


def _inner(line: str, start: int, game: Ruleset) -> Command:
    """Read the command that begins at `start` of a line; errors point into the whole line."""
    command = parse(" " * start + line[start:], game)
    return attrs.evolve(command, line=command.line.strip())


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
