"""Paint a line of the log: the actor, health before and after and statuses stand out, arithmetic is dim."""

from collections.abc import Iterator, Sequence

from systems.visibility.parts import LineMark, LogLine
from tui.display.text import Piece, Row, wrapped

_TONES = {"actor": "strong", "grew": "good", "shrank": "warning"}


def marked_rows(
    text: str, marks: Sequence[LineMark], cells: int, indent: int = 0, tone: str = ""
) -> list[Row]:
    """Return a text on rows of at most `cells` cells, its marks in their tones, the rest in `tone`.

    `indent`: the extra indent of the rows after the first.
    """
    rows: list[Row] = []
    start, blanks = 0, " " * indent
    for at, line in enumerate(wrapped(text, cells, blanks)):
        body = line.removeprefix(blanks) if at else line
        row: list[Piece] = [(line[: len(line) - len(body)], "")] if body != line else []
        rows.append([*row, *_pieces(body, start, marks, tone)])
        start += len(body)
        # A line ends at a blank, except in a word that is longer than a line.
        start += text[start : start + 1] == " "
    return rows


def line_rows(line: LogLine, cells: int, tone: str, indent: int = 0, bullet: str = "") -> list[Row]:
    """Return a line of the log on rows: its text, its arithmetic, and the lines below it.

    `tone`: of a line that counts. `indent`: of all rows after the first, except the lines below it, which
    begin with `bullet` or as many blanks.
    """
    tone, dimmed = ("muted struck", "muted struck") if line.undone else (tone, "muted")
    rows = marked_rows(line.text, () if line.undone else line.marks, cells, indent, tone)
    rows += _indented(arithmetic_rows(line.arithmetic, cells - indent, dimmed), indent)
    for text in line.below:
        room = cells - (len(bullet) or indent)
        below = marked_rows(text.text, () if line.undone else text.marks, room, tone=tone)
        below += arithmetic_rows(text.arithmetic, room, dimmed)
        first = [[(bullet, tone), *below[0]]] if bullet else []
        rows += [*first, *_indented(below[len(first) :], len(bullet) or indent)]
    return rows


def _indented(rows: Sequence[Row], cells: int) -> list[Row]:
    return [[(" " * cells, ""), *row] for row in rows] if cells else list(rows)


def arithmetic_rows(arithmetic: str, cells: int, tone: str = "muted") -> list[Row]:
    """Return the arithmetic of a line, dimmed, on rows of its own; none for ""."""
    return marked_rows(arithmetic, (), cells, tone=tone) if arithmetic else []


def _pieces(body: str, start: int, marks: Sequence[LineMark], tone: str) -> Iterator[Piece]:
    """One line from the place `start` of the whole text on, in pieces."""
    done, end = 0, len(body)
    for first, last, what in marks:
        low, high = max(first - start, done), min(last - start, end)
        if low >= high:
            continue
        if low > done:
            yield body[done:low], tone
        tones = _TONES.get(what, f"{what} strong")
        # In a line that is bold all of it is.
        yield body[low:high], f"{tones} strong" if tone == "strong" and "strong" not in tones else tones
        done = high
    if done < end:
        yield body[done:], tone
