"""Other words that users type for verbs, and the suggestion for a mistyped verb."""

from collections.abc import Iterable

# Words that work as verbs but are not listed as such.
EXTRA_WORDS = ("play", "help", "version")
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
    """Return the verb for another word or a near miss, or ""."""
    from systems.text import nearest

    word = word.casefold()
    return _MEANT.get(word, "") or nearest(word, (*verbs, *EXTRA_WORDS), alike=0.66)
