"""Write TOML values on one line each, as in the events of a log.

No text holds a raw line break, so every line begins with this writer's own words. `document.py` writes whole
files.
"""

import re
from collections.abc import Mapping
from datetime import date, time
from typing import Any

_BARE = re.compile(r"[A-Za-z0-9_-]+")
# Characters that would deceive a terminal or a line counter, and half surrogate pairs, which no file can
# hold.
_DECEIVES = "\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb\ud800-\udfff"
_DECEPTIVE = re.compile(f"[{_DECEIVES}]")
# Those, and everything else that TOML forbids in a text.
_SPECIAL = re.compile(f'[\x00-\x1f"\\\\{_DECEIVES}]')
_SHORT = {"\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r", '"': '\\"', "\\": "\\\\"}


def _escaped(found: re.Match[str]) -> str:
    char = found.group()
    if char in _SHORT:
        return _SHORT[char]
    # Neither UTF-8 nor TOML can hold half a surrogate pair.
    return "\ufffd" if "\ud800" <= char <= "\udfff" else f"\\u{ord(char):04x}"


def quoted(text: str) -> str:
    """Return a text in quotation marks. Half a surrogate pair becomes U+FFFD; all else reads back exactly."""
    return f'"{_SPECIAL.sub(_escaped, text)}"'


def harmless(toml: str) -> str:
    """Escape what would deceive a terminal, in a file whose texts all use double quotes."""
    return _DECEPTIVE.sub(_escaped, toml)


def key(name: str) -> str:
    """Return a key, quoted only if necessary."""
    return name if _BARE.fullmatch(name) else quoted(name)


def value(given: Any) -> str:
    """Return any TOML value on one line. Raises TypeError for what TOML cannot hold, including None."""
    match given:
        case str():
            return quoted(given)
        case bool():
            return "true" if given else "false"
        case int():
            return str(int(given))
        case float():
            return repr(float(given))
        case list() | tuple():
            return "[" + ", ".join([value(item) for item in given]) + "]"
        case Mapping():
            inside = ", ".join([f"{key(name)} = {value(item)}" for name, item in given.items()])
            return f"{{ {inside} }}" if inside else "{}"
        case date() | time():
            return given.isoformat()
    raise TypeError(f"TOML cannot hold {type(given).__name__}")


def pair(name: str, given: Any) -> str:
    """Return `name = value` with its line end; a list of tables has one line for each table."""
    if given and isinstance(given, list | tuple) and all(isinstance(item, Mapping) for item in given):
        lines = "".join([f"    {value(item)},\n" for item in given])
        return f"{key(name)} = [\n{lines}]\n"
    return f"{key(name)} = {value(given)}\n"
