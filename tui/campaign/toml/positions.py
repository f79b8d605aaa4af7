"""Find the line of a field in a TOML text, for error messages."""

import re
import tomllib
from collections.abc import Generator, Iterator, Sequence

from systems.text import clean

_KEY_PART = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|'[^'\n]*'|[A-Za-z0-9_-]+")
# Possessive throughout, so that a long text is not remembered letter by letter.
_TEXT = re.compile(
    r'"""(?:[^"\\]++|\\.|""?(?!"))*+"{3,5}|'
    r"'''(?:[^']++|''?(?!'))*+'{3,5}|"
    r'"(?:[^"\\\n]++|\\.)*+"|'
    r"'[^'\n]*+'",
    re.DOTALL,
)
_BETWEEN = re.compile(r"(?:[ \t\r\n]++|#[^\n]*+)*+")
_SCALAR = re.compile(r"[^,\]}\n#]*+")
_LAST_PART = re.compile(r"(\.[^.\[\]]*|\[[^\[\]]*\]|[^.\[\]]+|.)$", re.DOTALL)


def line_of(text: str, field: str) -> int:
    """Return the line, from 1, of a path such as `weapons[1].damage`, or of its deepest existing part.

    `text` has been parsed as TOML before; for any other text the answer is a guess, never an error.
    """
    return lines_of(text, [field])[0]


def line_at(found: str | bytes, position: int) -> int:
    """Return the line, from 1, of a position in a text or its bytes."""
    return (found.count("\n", 0, position) if isinstance(found, str) else found.count(b"\n", 0, position)) + 1


def lines_of(text: str, fields: Sequence[str]) -> list[int]:
    """Return the lines of several paths, found in one pass through the text."""
    chains = [list(_with_parents(field)) for field in fields]
    places = _places(text, {name for chain in chains for name in chain})
    found = (next((places[name] for name in chain if name in places), 0) for chain in chains)
    return [line_at(text, position) for position in found]


def _with_parents(field: str) -> Iterator[str]:
    """Yield a path and each of its parents, the deepest first."""
    while field:
        yield field
        field = _LAST_PART.sub("", field)


def _places(text: str, wanted: set[str]) -> dict[str, int]:
    """Return where each of the wanted paths begins, written as in errors."""
    found: dict[str, int] = {}
    try:
        for path, position in _Walk(text).all():
            shown = path if path.isprintable() and len(path) < 120 else clean(path, 120)
            if shown in wanted:
                found.setdefault(shown, position)
    except (IndexError, ValueError, RecursionError):
        pass
    return found


class _Walk:
    """Reads a text once and reports where each path begins."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.counts: dict[str, int] = {}

    def all(self) -> Iterator[tuple[str, int]]:
        table = ""
        while self._skip() < len(self.text):
            start = self.at
            if self.text[self.at] == "[":
                table = yield from self._heading(start)
            else:
                yield from self._pair(table)

    def _skip(self) -> int:
        between = _BETWEEN.match(self.text, self.at)
        self.at = between.end() if between else self.at
        return self.at

    def _heading(self, start: int) -> Generator[tuple[str, int], None, str]:
        many = self.text.startswith("[[", self.at)
        self.at += 2 if many else 1
        parts = self._key()
        path = ""
        for number, part in enumerate(parts):
            path = f"{path}.{part}" if path else part
            if many and number == len(parts) - 1:
                yield path, start
                self.counts[path] = self.counts.get(path, -1) + 1
            if path in self.counts:
                path = f"{path}[{self.counts[path]}]"
            yield path, start
        self.at = self.text.index("]", self.at) + (2 if many else 1)
        return path

    def _key(self) -> list[str]:
        parts = []
        while True:
            self._skip()
            found = _KEY_PART.match(self.text, self.at)
            if not found:
                raise ValueError
            self.at = found.end()
            parts.append(_unquoted(found.group()))
            self._skip()
            if self.text[self.at] != ".":
                return parts
            self.at += 1

    def _pair(self, table: str) -> Iterator[tuple[str, int]]:
        start = self.at
        path = table
        for part in self._key():
            path = f"{path}.{part}" if path else part
            yield path, start
        self.at = self.text.index("=", self.at) + 1
        self._skip()
        yield from self._value(path)

    def _value(self, path: str) -> Iterator[tuple[str, int]]:
        opens = self.text[self.at]
        if opens == "[":
            yield from self._items(path)
        elif opens == "{":
            self.at += 1
            while self._skip_comma() != "}":
                yield from self._pair(path)
            self.at += 1
        else:
            found = (_TEXT if opens in "\"'" else _SCALAR).match(self.text, self.at)
            if not found or not found.group():
                raise ValueError
            self.at = found.end()

    def _items(self, path: str) -> Iterator[tuple[str, int]]:
        self.at += 1
        number = 0
        while self._skip_comma() != "]":
            yield f"{path}[{number}]", self.at
            yield from self._value(f"{path}[{number}]")
            number += 1
        self.at += 1

    def _skip_comma(self) -> str:
        self._skip()
        while self.text[self.at] == ",":
            self.at += 1
            self._skip()
        return self.text[self.at]


def _unquoted(part: str) -> str:
    if part[0] == "'":
        return part[1:-1]
    if part[0] != '"':
        return part
    return str(tomllib.loads(f"name = {part}")["name"])
