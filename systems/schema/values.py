"""Values as text: in words for users (`as_words`) and as they are typed (`as_typed`)."""

from collections.abc import Mapping
from typing import Any

from systems.text import clean, plain_number

LONGEST = 300


def as_words(value: Any, most: int = LONGEST) -> str:
    """Return a value in words, on one line of at most `most` characters.

    `yes`, `−5`, `o, d`, `melee 55, dodge 30`; entries by their names; `none` for an absent or empty value.
    """
    return clean(_words(value), most)


def _words(value: Any) -> str:
    match value:
        case None:
            return "none"
        case bool():
            return "yes" if value else "no"
        case int():
            return plain_number(value)
        case list() | tuple():
            return ", ".join(_words(part) for part in value) or "none"
        case Mapping() if "name" in value:
            return str(value["name"])
        case Mapping():
            return ", ".join(f"{name} {_words(part)}" for name, part in value.items()) or "none"
    return str(getattr(value, "name", value))


def as_typed(value: Any) -> str:
    """Return a value as typed in a command, an option or a form; reading it gives the same value.

    `yes`, `-5`, `o,d`, `melee:55,dodge:30`, `[]`, `{}`; `none` for an absent value. Texts with a comma are
    separated by bars: `Bite, twice|Roar`.
    """
    match value:
        case None:
            return "none"
        case bool():
            return "yes" if value else "no"
        case list() | tuple():
            parts = [as_typed(part) for part in value]
            if any(isinstance(part, str) and "," in part for part in value):
                return "|".join(parts) + "|" * (len(parts) == 1)
            return ",".join(parts) or "[]"
        case Mapping():
            return ",".join(f"{name}:{as_typed(part)}" for name, part in value.items()) or "{}"
    return str(value)
