"""TOML as this program writes it: one line for each key, short tables inline, every text on its line.

No text ever holds a raw line break, so whatever begins a line is this writer's own.
"""

import re
from collections.abc import Mapping
from datetime import date, time
from typing import Any

_BARE = re.compile(r"[A-Za-z0-9_-]+")
# All that TOML forbids in a text, and what would deceive a terminal or a line counter.
_SPECIAL = re.compile(
    '[\x00-\x1f"\\\\\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb\ud800-\udfff]'
)
_SHORT = {"\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r", '"': '\\"', "\\": "\\\\"}
_WIDE = 100


def _escaped(found: re.Match[str]) -> str:
    char = found.group()
    if char in _SHORT:
        return _SHORT[char]
    # Half of a surrogate pair is no character: neither UTF-8 nor TOML can hold it.
    return "\ufffd" if "\ud800" <= char <= "\udfff" else f"\\u{ord(char):04x}"


def quoted(text: str) -> str:
    """A text between quotation marks. Half a surrogate pair becomes U+FFFD, all else reads back exactly."""
    return f'"{_SPECIAL.sub(_escaped, text)}"'


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
            return "[" + ", ".join([value(one) for one in given]) + "]"
        case Mapping():
            inside = ", ".join([f"{key(name)} = {value(one)}" for name, one in given.items()])
            return f"{{ {inside} }}" if inside else "{}"
        case date() | time():
            return given.isoformat()
    raise TypeError(f"TOML cannot hold {type(given).__name__}")


def pair(name: str, given: Any) -> str:
    """`name = value` and the end of the line; a list of tables has a line for each of them."""
    if given and isinstance(given, list | tuple) and all(isinstance(one, Mapping) for one in given):
        lines = "".join([f"    {value(one)},\n" for one in given])
        return f"{key(name)} = [\n{lines}]\n"
    return f"{key(name)} = {value(given)}\n"


def document(data: Mapping[str, Any]) -> str:
    """A whole file: what fits on a line first, then wide tables and lists of tables under their headings."""
    plain: list[str] = []
    tables: list[str] = []
    for name, given in data.items():
        if isinstance(given, Mapping) and _is_wide(name, given):
            tables.append(f"\n[{key(name)}]\n" + "".join(pair(*one) for one in given.items()))
        elif isinstance(given, list) and given and all(isinstance(one, Mapping) for one in given):
            tables += [
                f"\n[[{key(name)}]]\n" + "".join(pair(*field) for field in one.items()) for one in given
            ]
        else:
            plain.append(pair(name, given))
    return "".join(plain + tables)


def _is_wide(name: str, given: Mapping[str, Any]) -> bool:
    return any(isinstance(one, Mapping) for one in given.values()) or len(pair(name, given)) > _WIDE
