"""Parse the command language: a line of text becomes an intent, or an error that points at the word.

The command line of the screens, `affray run` and the players' requests all use this parser.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial

from systems.contract.ruleset import Ruleset
from systems.dice.sources import Given
from systems.errors import Misread
from systems.frozen import evolve
from systems.language.declaration import ACTION, Declaration, Declarations
from systems.language.intents import Act, Command, Intent
from systems.language.tokens import LONGEST, TokenLine, Word, joined
from systems.text import find_word, listed, nearest, shown, spaced

__all__ = ["LONGEST", "Misread", "parse"]


def parse(line: str, game: Ruleset, commands: Declarations, names: Sequence[str] = ()) -> Command:
    """Parse a line with the words of `game` and the `commands` of the tracker. Raises Misread.

    `names`: names that need no quotes, including those of several words. Unprintable characters count as
    spaces.
    """
    if len(line) > LONGEST:
        raise Misread(f"the line is too long; use at most {LONGEST} characters", LONGEST, len(line))
    line = spaced(line)
    read = partial(_read, game=game, commands=commands, names=names)
    if _any_text_follows_who(commands.get(_verb(line))):
        # A word that belongs to no name would be read as part of the text.
        return _first_read((joined(line, names, first_only=True), line), line, read)
    try:
        command = read(line)
    except Misread:
        whole = joined(line, names)
        if whole == line:
            raise
    else:
        if not (isinstance(command.intent, Act) and command.intent.words):
            return command
        # The second word of the line may begin a name that continues in the next words.
        whole = joined(line, names)
    return _first_read((whole,), line, read)


def parse_one(declared: Declaration, line: str, names: Sequence[str] = ()) -> Intent:
    """Parse a line of one command, which is read without the words of a game. Raises Misread."""
    first, whole = spaced(line), joined(spaced(line), names)
    with suppress(Misread):
        return _read_one(declared, first)
    return _read_one(declared, whole)


def _read_one(declared: Declaration, line: str) -> Intent:
    taken = TokenLine(line)
    taken.take("a command")
    intent = declared.read(taken)
    taken.end()
    return intent


def _any_text_follows_who(declared: Declaration | None) -> bool:
    """Return whether a command is such as `set WHO FIELD VALUE`, whose value is any text."""
    return bool(declared and declared.read_text and declared.parsed()[0].needed[0].slot == "WHO")


def _first_read(readings: Sequence[str], line: str, read: Callable[[str], Command]) -> Command:
    """Return the command of the first reading that parses. Raises Misread for the last reading."""
    *others, last = dict.fromkeys(readings)
    for reading in others:
        with suppress(Misread):
            return evolve(read(reading), line=line)
    return evolve(read(last), line=line)


def _verb(line: str) -> str:
    return next(iter(line.split(None, 1)), "").casefold()


def _read(line: str, game: Ruleset, commands: Declarations, names: Sequence[str]) -> Command:
    if (declared := commands.get(_verb(line))) and declared.read_text:
        # The argument is any text, so quotes, options and `by` have no meaning in it.
        return Command(declared.read_text(line), line, name=declared.name)
    if declared and declared.read_line:
        inner = partial(_inner, game=game, commands=commands, names=names)
        return Command(declared.read_line(line, inner), line, name=declared.name)
    taken = TokenLine(line)
    dice = taken.take_dice()
    command = _command(taken.take("a command"), taken, game, commands, line, dice)
    taken.end()
    return command


def _inner(line: str, start: int, game: Ruleset, commands: Declarations, names: Sequence[str]) -> Command:
    """Read the command that begins at `start` of a line. Errors point into the whole line."""
    command = parse(" " * start + line[start:], game, commands, names)
    return evolve(command, line=command.line.strip())


def _take_reaction(taken: TokenLine, game: Ruleset) -> str:
    """Take `as NAME` from the end of a line if NAME is a reaction of the game; else return ""."""
    if len(taken.words) < 2 or not taken.words[-2].says("as"):
        return ""
    name = taken.words[-1].text
    if game.reaction(name) is None:
        return ""
    del taken.words[-2:]
    return name


def _command(
    verb: Word,
    taken: TokenLine,
    game: Ruleset,
    commands: Declarations,
    line: str,
    dice: tuple[Given, ...] | None,
) -> Command:
    declared = commands.get(verb.text.casefold())
    own = find_word(verb.text, [action.name for action in game.actions])
    # `roll` alone may be an action of the game. With dice after it, it is the tracker's command.
    if own and (declared is None or (own == "roll" and not taken.words)):
        reaction = _take_reaction(taken, game)
        at = taken.words[0].start if taken.words else 0
        targets = taken.take_targets() if taken.words else ""
        quoted, words = taken.quoted_options, tuple(taken.words)
        taken.words.clear()
        act = Act(own, targets, taken.take_options(), taken.take_by(), quoted, words, at, reaction)
        return Command(act, line, dice, name=ACTION)
    if declared is None:
        known = (*(action.name for action in game.actions if action.group != "hook"), *commands)
        hint, meant = meant_command(verb.text, known)
        says = f"there is no command {shown(verb.text)}{hint}"
        raise Misread(says, verb.start, verb.end, names_word=True, suggestion=meant)
    taken.form = declared.forms[0]
    intent = declared.read(taken)
    return Command(intent, line, dice, name=intent.command_name or declared.name)


# Words that users type although no command means that, with what to do instead.
_NO_COMMANDS: Mapping[str, str] = {
    "save": "each command is saved at once",
    "quit": "leave the program itself; everything is saved",
    ".": "type the action again, such as attack 1",
    "q": "leave the program itself; everything is saved",
    "exit": "leave the program itself; everything is saved",
    "help": "the handbook lists the commands, and affray systems GAME all words of a game",
}
_NEAR = 0.7  # the least similarity of a word that is suggested
# Words that users type for commands.
_MEANT: Mapping[str, tuple[str, ...]] = {
    "hit": ("attack", "damage"),
    "strike": ("attack", "damage"),
    "shoot": ("attack",),
    "stab": ("attack",),
    "fight": ("attack", "start"),
    "kill": ("damage", "status", "remove"),
    "slay": ("damage", "status", "remove"),
    "dead": ("status", "damage"),
    "die": ("status", "damage"),
    "hurt": ("damage",),
    "dmg": ("damage",),
    "hp": ("damage", "heal", "set"),
    "life": ("damage", "heal", "set"),
    "cure": ("heal",),
    "begin": ("start",),
    "init": ("initiative", "start"),
    "pass": ("next", "delay"),
    "skip": ("next", "delay"),
    "turn": ("next",),
    "wait": ("delay",),
    "previous": ("back",),
    "prev": ("back",),
    "stop": ("end",),
    "finish": ("end",),
    "revert": ("undo",),
    # The keys of the screens.
    "n": ("next",),
    "u": ("undo",),
    "d": ("damage",),
    "h": ("heal",),
    "c": ("condition",),
    "w": ("delay",),
    "+": ("add",),
    "-": ("remove",),
    "v": ("hide", "reveal"),
    "e": ("set", "amend"),
    "a": ("attack",),
    "r": ("roll",),
    "spawn": ("add",),
    "join": ("add",),
    "summon": ("add",),
    "delete": ("remove",),
    "leave": ("remove",),
    "effect": ("condition",),
    "show": ("reveal",),
    "edit": ("set", "amend"),
    "change": ("set", "amend"),
    "throw": ("roll",),
    "dice": ("roll",),
    "timer": ("schedule",),
    "happening": ("schedule",),
    "event": ("schedule",),
    "log": ("note",),
}


def meant_command(word: str, known: Iterable[str]) -> tuple[str, str]:
    """Return a hint about an unknown command, and the command that was probably meant.

    The hint is the end of a sentence. Both are "" if no command is similar.
    """
    known, word = tuple(known), word.casefold()
    if said := _NO_COMMANDS.get(word):
        return f"; {said}", ""
    meant = [name for name in _MEANT.get(word, ()) if name in known]
    if not meant:
        # The first word of a command's name, such as short of short_rest.
        meant = [name for name in known if name.startswith(f"{word}_")]
    if not meant and (near := nearest(word, known, _NEAR)):
        meant = [near]
    if not meant:
        return "", ""
    return f"; did you mean {listed(meant, 'or')}?", meant[0] if len(meant) == 1 else ""
