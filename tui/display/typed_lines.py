"""Show what a typed line becomes, as rows: for the prompt of new roster entries and the command line."""

from collections.abc import Iterator, Sequence

from systems.language.readings import Kind, SheetLine, sentences
from tui.display.text import Row, cut, wrapped

_SIGNS: dict[Kind, tuple[str, str, str]] = {
    "error": (" ! ", "danger strong", "danger"),
    "near": (" ? ", "warning strong", "warning"),
    "given": ("   ", "", ""),
    "default": ("   ", "", "muted"),
}


def sign_of(line: SheetLine) -> tuple[str, str]:
    """Return the sign before a line in a list, with its tone: whether it has a mistake or a near miss."""
    kinds = {part.kind for part in line.parts}
    worst: Kind = "error" if "error" in kinds else "near" if "near" in kinds else "given"
    return _SIGNS[worst][:2]


def reading_rows(line: SheetLine, width: int, height: int) -> list[Row]:
    """Return a row for each part of a line, mistakes first; join the given parts if there is no room."""
    said: list[tuple[Kind, str]] = [("given", line.name)] if line.name else []
    said += sentences(line.parts)
    rows = [row for kind, words in said for row in _rows(kind, words, width)]
    if len(rows) <= height:
        return rows
    mistakes = [(kind, words) for kind, words in said if kind in ("error", "near")]
    given = " · ".join(words for kind, words in said if kind == "given")
    defaults = [(kind, words) for kind, words in said if kind == "default"]
    joined: list[tuple[Kind, str]] = [*mistakes, ("given", given), *defaults]
    rows = [row for kind, words in joined for row in _rows(kind, words, width)]
    if len(rows) > height:
        rows = [*rows[: height - 1], [(cut("   …", width), "muted")]]
    return rows


def _rows(kind: Kind, words: str, width: int) -> Iterator[Row]:
    sign, mark, tone = _SIGNS[kind]
    for number, part in enumerate(wrapped(words, max(10, width - len(sign) - 1), "")):
        yield [(sign if number == 0 else "   ", mark if number == 0 else ""), (part, tone)]


def reading_lines(lines: Sequence[SheetLine]) -> Iterator[str]:
    """Yield what typed lines become as plain text, for the command line."""
    for line in lines:
        for row in reading_rows(line, 100, 999):
            yield "".join(text for text, _ in row).rstrip()
