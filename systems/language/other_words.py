"""Other words that users type for commands, and suggestions for mistyped commands."""

from collections.abc import Iterable, Mapping

from systems.text import listed, nearest

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
    "initiative": ("start", "order"),
    "init": ("start", "order"),
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
_NO_COMMANDS: Mapping[str, str] = {
    "save": "each command is saved at once",
    "quit": "leave the program itself; everything is saved",
    ".": "type the action again, such as attack 1",
    "q": "leave the program itself; everything is saved",
    "exit": "leave the program itself; everything is saved",
    "help": "the handbook lists the commands, and affray systems GAME all words of a game",
}
_NEAR = 0.7  # the least similarity of a word that is suggested


def meant_command(word: str, known: Iterable[str]) -> tuple[str, str]:
    """Return a hint about an unknown command, and the command that was probably meant.

    The hint is the end of a sentence. Both are "" if no command is similar.
    """
    known, word = tuple(known), word.casefold()
    if said := _NO_COMMANDS.get(word):
        return f"; {said}", ""
    meant = [name for name in _MEANT.get(word, ()) if name in known]
    if not meant and (near := nearest(word, known, _NEAR)):
        meant = [near]
    if not meant:
        return "", ""
    return f"; did you mean {listed(meant, 'or')}?", meant[0] if len(meant) == 1 else ""
