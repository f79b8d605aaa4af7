"""Text in cells of the terminal: measure, cut, pad and wrap it, and remove control characters."""

from collections.abc import Sequence

from rich.cells import cell_len

from systems.text import spaced

_HELD = "\0"  # in place of a space at which a line must not end; no text has it
# A piece is a text and its tones, such as ("15/45", "warning strong"); a row is one line.
Piece = tuple[str, str]
Row = Sequence[Piece]


def printable(text: str) -> str:
    """Return `text` on one line without control characters; the result is as wide as measured."""
    return spaced(text.replace("\ufe0f", ""))


def cut(text: str, cells: int) -> str:
    """Return `text` in at most `cells` cells; longer text ends in `…`."""
    if cell_len(text) <= cells:
        return text
    if cells <= 0:
        return ""
    kept, used = [], 0
    for character in text[:cells]:
        used += cell_len(character)
        if used > cells - 1:
            break
        kept.append(character)
    return "".join(kept) + "…"


def shortened(text: str, cells: int) -> str:
    """Return `text` in at most `cells` cells, shortened in the middle.

    The end stays, because two names often differ only there.
    """
    if cell_len(text) <= cells:
        return text
    if cells < 5:
        return cut(text, cells)
    tail = ""
    for character in reversed(text):
        if cell_len(character + tail) > cells // 2 - 1:
            break
        tail = character + tail
    return cut(text, cells - cell_len(tail)) + tail


def fitted(text: str, cells: int, right: bool = False) -> str:
    """Return `text` in exactly `cells` cells, cut or padded with spaces."""
    text = cut(text, cells)
    blanks = " " * (cells - cell_len(text))
    return blanks + text if right else text + blanks


def width(row: Row) -> int:
    """Return the width of a row in cells."""
    cells = 0
    for text, _ in row:
        # Nearly all text is plain and has one cell for each character.
        cells += len(text) if text.isascii() and text.isprintable() else cell_len(text)
    return cells


def cut_row(row: Row, cells: int) -> list[Piece]:
    """Return a row in at most `cells` cells."""
    kept: list[Piece] = []
    left = cells
    for text, tone in row:
        wide = cell_len(text)
        if wide > left:
            kept.append((cut(text, left), tone))
            return kept
        kept.append((text, tone))
        left -= wide
    return kept


def up_to(rows: Sequence[Row], height: int, more: str) -> Sequence[Row]:
    """Return at most `height` rows; if some are missing, the last says how many, and `more`."""
    if len(rows) <= height or height < 1:
        return rows[: max(0, height)]
    return [*rows[: height - 1], [(f"… {len(rows) - height + 1} more: {more}", "muted")]]


def tinted(row: Row, cells: int, tone: str) -> list[Piece]:
    """Return a row padded to `cells` cells with another tone on every piece, such as the cursor's.

    A field being edited keeps its own background.
    """
    filled = [*row, (" " * (cells - width(row)), "")]
    return [
        (text, tones if "field" in tones else f"{tones} {tone}".strip()) for text, tones in filled if text
    ]


def edge_of(cursor: str) -> Piece:
    """Return the first cell of a row: solid under the cursor, an outline if that is dimmed, else blank."""
    if not cursor:
        return (" ", "")
    return ("▏", "muted") if cursor == "dimmed" else ("▌", "edge")


def under_cursor(row: Row, cells: int, tone: str = "cursor") -> list[Piece]:
    """Return a row as it looks under the cursor: tinted, with an edge in place of its first space."""
    first, *rest = cut_row(row, cells) or [(" ", "")]
    text, tones = first
    before = [edge_of(tone), (text[1:], tones)] if text.startswith(" ") else [first]
    return tinted([*before, *rest], cells, tone)


def wrapped(text: str, cells: int, indent: str = "  ") -> list[str]:
    """Return `text` on lines of at most `cells` cells, broken between words; later lines are indented."""
    if not text.startswith(" ") and cell_len(text) <= cells:
        return [text]
    lines: list[str] = []
    line, used = "", 0
    for word in _words(text, cells - len(indent)):
        # Each word is measured once; the line is not measured again with each word.
        wide = used + 1 + cell_len(word) if line else cell_len(word)
        if wide <= cells:
            line, used = f"{line} {word}" if line else word, wide
            continue
        if line:
            lines.append(line)
        *parts, line = _pieces(indent + word if lines else word, cells)
        lines += parts
        used = cell_len(line)
    return [*lines, line]


def _words(text: str, cells: int) -> list[str]:
    """Return the parts between which a line may be broken: not inside `45 → 4` or `hurt −10`, if they fit."""
    if "→" not in text and "−" not in text:
        return text.split(" ")
    words: list[str] = []
    for part in text.replace(" → ", f"{_HELD}→{_HELD}").replace(" −", f"{_HELD}−").split(" "):
        if _HELD not in part:
            words.append(part)
            continue
        word = part.replace(_HELD, " ")
        words += [word] if cell_len(word) <= cells else word.split(" ")
    return words


def _pieces(word: str, cells: int) -> list[str]:
    """Return a word that may be longer than a line, in pieces that are not."""
    parts: list[str] = []
    while cell_len(word) > cells > 1:
        part = cut(word, cells)[:-1] or word[:1]
        parts.append(part)
        word = word[len(part) :]
    return [*parts, word]
