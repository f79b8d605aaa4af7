"""Limits of the TOML parser's time and memory, and values that no field can hold."""

import re
from collections.abc import Iterator
from math import isfinite
from typing import Any

from systems.text import clean

LARGEST_LOG = 512 * 1024 * 1024  # bytes; other files are much smaller
DEEPEST = 40
TOO_DEEP = f"is nested more than {DEEPEST} deep"
# A key with very many parts would keep the parser busy for minutes.
_PART = rb"(?:[\w-]++|\"[^\"\n]*+\"|'[^'\n]*+')[ \t]*+"
LONG_KEY = re.compile(rb"(?<![\w-])(?:" + _PART + rb"\.[ \t]*+){%d}" % DEEPEST)
# A table, a list and a name cost the parser many times their few bytes. Files that people write stay far
# below.
_COSTS = ((b"\n[", 500), (b"{", 150), (b"[", 60), (b"=", 100))
_DOTTED = re.compile(rb"\.[^=\n\"'#]{0,200}+=")
_COSTS_DOTTED = 200
_COST_VALUE = 45
_MOST_COSTLY = 12  # times the file's size; the estimate is too high, so that a factor of ten is never reached
_ALWAYS_AFFORDED = 4 * 1024 * 1024
LONG_NUMBER = re.compile(rb"(?<![0-9A-Fa-f_.+-])[0-9A-Fa-f_.+-]{20000}")


def too_costly(data: bytes) -> bool:
    """Return whether parsing would take more than ten times the file's size in memory."""
    if len(data) * 150 < _ALWAYS_AFFORDED:
        return False
    cost = 2 * len(data) + sum(data.count(mark) * each for mark, each in _COSTS)
    # Commas that do not separate fields separate the values of long lists.
    cost += _COST_VALUE * max(0, data.count(b",") - data.count(b"="))
    cost += _COSTS_DOTTED * sum(1 for _ in _DOTTED.finditer(data))
    return cost > max(_ALWAYS_AFFORDED, _MOST_COSTLY * len(data))


def strange_value(data: dict[str, Any]) -> tuple[str, str] | None:
    """Return the path of the first value that no field can hold, and the reason; or None."""
    # Only iterators are kept, so a long list costs nothing more than itself.
    waiting: list[tuple[str, Iterator[tuple[str, Any]]]] = [("", _inside("", data))]
    while waiting:
        for path, inner in waiting[-1][1]:
            match inner:
                case dict() | list():
                    if len(waiting) > DEEPEST:
                        return clean(path, 60), TOO_DEEP
                    waiting.append((path, _inside(path, inner)))
                    break
                case bool():
                    continue
                case int() if not -(2**63) <= inner < 2**63:
                    return path, "expected a whole number of at most 18 digits, got a huge number"
                case float() if not isfinite(inner):
                    return path, f"expected a number, got {inner}"
        else:
            waiting.pop()
    return None


def _inside(path: str, nested: dict[str, Any] | list[Any]) -> Iterator[tuple[str, Any]]:
    """Yield the values of a table or a list, each with its path."""
    if isinstance(nested, dict):
        start = f"{path}." if path else ""
        return ((f"{start}{name}", inside) for name, inside in nested.items())
    return ((f"{path}[{at}]", inside) for at, inside in enumerate(nested))
