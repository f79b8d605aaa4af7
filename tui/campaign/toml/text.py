"""TOML values on one line each, as the events of a log hold them.

No text ever holds a raw line break, so whatever begins a line is this writer's own. Whole files are written
by `document.py`.
"""

import re
from collections.abc import Mapping
from datetime import date, time
from typing import Any

_BARE = re.compile(r"[A-Za-z0-9_-]+")
# What would deceive a terminal or a line counter, and half characters, which no file can hold.
_DECEIVES = "\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb\ud800-\udfff"
_DECEPTIVE = re.compile(f"[{_DECEIVES}]")
# That, and all that TOML forbids in a text.
_SPECIAL = re.compile(f'[\x00-\x1f"\\\\{_DECEIVES}]')
_SHORT = {"\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r", '"': '\\"', "\\": "\\\\"}


def _escaped(found: re.Match[str]) -> str:
    char = found.group()
    if char in _SHORT:
        return _SHORT[char]
    # Half of a surrogate pair is no character: neither UTF-8 nor TOML can hold it.
    return "\ufffd" if "\ud800" <= char <= "\udfff" else f"\\u{ord(char):04x}"


def quoted(text: str) -> str:
    """A text between quotation marks. Half a surrogate pair becomes U+FFFD, all else reads back exactly."""
    return f'"{_SPECIAL.sub(_escaped, text)}"'


def harmless(toml: str) -> str:
    """Escape what would deceive a terminal in a file whose texts all stand between double quotes."""
    return _DECEPTIVE.sub(_escaped, toml)


def key(name: str) -> str:
    """A key, quoted only where it must be."""
    return name if _BARE.fullmatch(name) else quoted(name)


def value(given: Any) -> str:
    """Any TOML value on one line. Raises TypeError for what TOML cannot hold, None included."""
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
    """`name = value` and the end of the line; a list of tables has a line for each of them."""
    if given and isinstance(given, list | tuple) and all(isinstance(item, Mapping) for item in given):
        lines = "".join([f"    {value(item)},\n" for item in given])
        return f"{key(name)} = [\n{lines}]\n"
    return f"{key(name)} = {value(given)}\n"
