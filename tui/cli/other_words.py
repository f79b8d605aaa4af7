"""Words that people type for verbs, and the verb that a mistyped word was probably meant to be."""

from collections.abc import Iterable

# Other words for a verb or an option, which work as verbs.
BESIDES = ("play", "help", "version")
_MEANT = {
    "begin": "open",
    "continue": "open",
    "load": "open",
    "resume": "open",
    "start": "open",
    "create": "new",
    "init": "new",
    "make": "new",
    "campaigns": "list",
    "ls": "list",
    "folder": "where",
    "path": "where",
    "doctor": "check",
    "repair": "check",
    "validate": "check",
    "status": "show",
    "summary": "recap",
    "host": "serve",
    "server": "serve",
    "ssh": "serve",
    "log": "export",
    "save": "backup",
    "zip": "backup",
    "unzip": "restore",
    "dice": "roll",
    "games": "systems",
    "rules": "systems",
}


def meant_verb(word: str, verbs: Iterable[str]) -> str:
    """Return the verb that a word means in other words or is near to; "" for none."""
    from systems.text import nearest

    word = word.casefold()
    return _MEANT.get(word, "") or nearest(word, (*verbs, *BESIDES), alike=0.66)
