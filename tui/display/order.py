"""Paint the rows of the order: edge, initiative, turn, tag, side, name, meters, figures of the game, words.

Every column has a fixed place for a screen width, whatever words a row has.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

from rich.cells import cell_len

from systems.frozen import evolve, frozen
from systems.text import plain_number
from systems.visibility.parts import WEIGHTS, Level, MeterColumn, OrderRow, ShownWord
from tui.display.meters import Column, figures_text
from tui.display.text import Piece, Row, cut, cut_row, edge_of, fitted, shortened, tinted, width
from tui.terminal.symbols import Symbols

# From this many columns a screen shows panes next to each other.
WIDE_SCREEN = 110
SHORTEST_NAME = 12
# In fewer cells only the order of the rows shows the order of turns.
LEAST_FOR_INITIATIVE = 56
# Cells that the figures of the game leave for the other words of a row.
ROOM_FOR_WORDS, LEAST_FOR_WORDS, NARROW_PANE = 12, 9, 72
ROOM_ALONE = 10
FIGURE_SHARE = 6
# Cells for what the last event did; a longer text moves the words after it.
LAST_CHANGE = 4
FALLEN = " ── fallen ── "
TURN = "▸"
AWAY = "○"  # a player's character whose seat is empty
MORE_FALLEN = 13
# A condition or a state is never cut to less than this.
SHORTEST_WORD = 8
_SIGN = 2  # cells of " …"
LEAST_COUNTED = 12  # cells; in fewer a number alone is useless
BAR_SHARE, WIDE_BAR_SHARE, SHORTEST_BAR, LONGEST_BAR = 7, 6, 6, 20
GAP = "  "
NO_FIGURES: Mapping[str, int] = {}


@frozen
class Widths:
    """The widths of the columns of a list: initiative, tag, name, the text in place of meters, each meter.

    `meters`: for each the widest numbers and the highest maximum. `figures`: the columns of the game, each
    with its width. `alone`: columns that a single row has; they need much room.
    """

    initiative: int
    tag: int
    name: int
    instead: int
    meters: tuple[tuple[int, int], ...]
    figures: Mapping[str, int]
    alone: frozenset[str] = frozenset()


def measured(rows: Sequence[OrderRow], count: int, before: Mapping[str, int] = NO_FIGURES) -> Widths:
    """Return the widths that a list of rows needs; `count` is how many meters the game has.

    `before`: the columns of the game until now. They stay, so that nothing moves when a value is usual again.
    """
    levels = [row.levels for row in rows if row.levels]
    columns = [[shown[at] for shown in levels] for at in range(count)]
    # The text about a combatant that has not arrived may be long, because nothing follows it.
    banded = [row.instead.text for row in rows if row.instead is not None and row.words]
    figures, alone = _figures(rows, before)
    numbers = {row.initiative for row in rows if row.initiative is not None}
    return Widths(
        initiative=max((len(plain_number(number)) for number in numbers), default=0),
        tag=max((cell_len(row.tag) for row in rows), default=0),
        name=max((cell_len(row.name) for row in rows), default=0),
        instead=max((cell_len(text) for text in banded), default=0),
        meters=tuple(_widest(column) for column in columns),
        figures=figures,
        alone=alone,
    )


def _figures(rows: Sequence[OrderRow], before: Mapping[str, int]) -> tuple[Mapping[str, int], frozenset[str]]:
    """Return the columns of the game's figures with their widths, and the columns that a single row has.

    A column in which all rows are the same tells nothing, and is left out. A column of more rows comes first.
    """
    found: dict[str, Counter[str]] = {}
    shown = 0
    for row in rows:
        shown += bool(row.levels)
        for word in row.words:
            if word.column:
                found.setdefault(word.column, Counter())[word.text] += 1
    columns = dict(before)
    for name, texts in sorted(found.items(), key=lambda column: -column[1].total()):
        if name in columns or texts.total() < max(2, shown) or len(texts) > 1:
            columns[name] = max(columns.get(name, 0), *map(cell_len, texts))
    alone = (name for name, texts in found.items() if name not in before and texts.total() == 1)
    return columns, frozenset(alone)


def _widest(column: Sequence[Level | None]) -> tuple[int, int]:
    held = {level for level in column if level is not None}
    # A column doesn't shrink because all are hurt: it has room for their full values. It doesn't grow for
    # values below zero either: the sign has its place in the gap before the column.
    drawn = [level for each in held for level in (each, Level(each.full, each.full))]
    figures = max((cell_len(figures_text(level)) - (level.now < 0) for level in drawn), default=0)
    return figures, max((level.full for level in held), default=0)


def folded_row(rows: Sequence[OrderRow]) -> OrderRow:
    """Return one row for a group: `Wolf 4 +2`, with the meters of the member that is worst off.

    It has the figures that all members share, and the other words of any of them.
    """
    first = rows[0]
    shared = [word for word in first.words if all(word in row.words for row in rows)]
    others = [word for row in rows for word in row.words if not word.column]
    worst = min(rows, key=_health)
    return evolve(
        first,
        name=f"{first.name} +{len(rows) - 1}",
        acts=any(row.acts for row in rows),
        levels=worst.levels,
        instead=worst.instead,
        last=tuple(dict.fromkeys(word for row in rows for word in row.last)),
        words=tuple(dict.fromkeys([*shared, *others])),
    )


def _health(row: OrderRow) -> float:
    """Return how much of its first meter a combatant has left, from 0 to 1."""
    level = row.levels[0] if row.levels else None
    return level.now / max(1, level.full) if level is not None else 1


class OrderPainter:
    """Paints the rows of one list in `cells` cells each."""

    def __init__(
        self,
        meters: Sequence[MeterColumn],
        widths: Widths,
        cells: int,
        shapes: Symbols,
        *,
        is_wide: bool = False,
    ) -> None:
        """`is_wide`: the screen is wide, so names are whole and bars longer, although the list is a pane."""
        self.widths, self.cells, self.shapes, self.is_wide = widths, cells, shapes, is_wide
        self.name = min(widths.name, max(SHORTEST_NAME, cells // (2 if is_wide else 3) - 5))
        self.initiative = widths.initiative if cells >= LEAST_FOR_INITIATIVE else 0
        share = WIDE_BAR_SHARE if is_wide and cells >= NARROW_PANE else BAR_SHARE
        bar = max(SHORTEST_BAR, min(LONGEST_BAR, cells // share))
        self.last = LAST_CHANGE if cells >= LEAST_FOR_INITIATIVE else 0
        self._lay_out(meters, bar)
        # A shorter bar says the same, while a column of the game that is left out cannot be read at all.
        fitting = {
            shorter: self._columns_with(meters, shorter) for shorter in range(bar, SHORTEST_BAR - 1, -1)
        }
        self._lay_out(meters, max(fitting, key=lambda length: (fitting[length], length)))

    def _columns_with(self, meters: Sequence[MeterColumn], bar: int) -> tuple[bool, ...]:
        """Return for each column that several rows have whether it fits next to a bar of that length."""
        self._lay_out(meters, bar)
        return tuple(name in self.figures for name in self.widths.figures if name not in self.widths.alone)

    def _lay_out(self, meters: Sequence[MeterColumn], bar: int) -> None:
        """Set the columns of the meters with a bar of that length, and the columns of the game that fit."""
        widths = self.widths
        self.columns = [
            Column(meter, figures, most, at == 0, bar, self.shapes)
            for at, (meter, (figures, most)) in enumerate(zip(meters, widths.meters, strict=True))
        ]
        shown = [column.cells + len(GAP) for column in self.columns if column.cells]
        self.middle = max(sum(shown), widths.instead + len(GAP) if widths.instead else 0)
        self.figures = self._figures_that_fit()

    def _figures_that_fit(self) -> dict[str, int]:
        """Return the columns of the game that leave room for other words; further figures are words, too."""
        blank = OrderRow("", "", "")
        room = self.cells - width(self._head(blank, "")) - self.middle - len(GAP) - ROOM_FOR_WORDS
        room -= self.last + len(GAP) if self.last else 0
        room += ROOM_FOR_WORDS - LEAST_FOR_WORDS if self.cells < NARROW_PANE else 0
        found = {}
        for name, widest in self.widths.figures.items():
            wide = min(widest, self.cells // FIGURE_SHARE)
            if wide + len(GAP) <= room - (ROOM_ALONE if name in self.widths.alone else 0):
                found[name] = wide
                room -= wide + len(GAP)
        return found

    def row(self, row: OrderRow, cursor: str = "", *, is_away: bool = False) -> Row:
        """Return one combatant's row.

        `cursor`: the tone of the cursor if it is on this row, or "". `is_away`: its player's seat is empty.
        """
        pieces = [*self._head(row, cursor, is_away=is_away), *self._meters(row)]
        placed = {word.column: word for word in reversed(row.words) if word.column in self.figures}
        pieces += self._columns(placed)
        if self.last:
            pieces += last_pieces(row.last)
            used = sum(cell_len(word.text) + 1 for word in row.last)
            pieces += [(" " * max(0, self.last + 1 - max(used, 1)) + GAP, "")]
        # A figure that is the same for all has no column, and tells nothing as a word.
        words = [
            word
            for word in row.words
            if not word.column or (word.column in self.widths.figures and placed.get(word.column) is not word)
        ]
        words = words if self.last else [*row.last, *words]
        pieces += words_within(words, self.cells - width(pieces))
        pieces = cut_row(pieces, self.cells)
        return tinted(pieces, self.cells, cursor) if cursor else tuple(pieces)

    def _head(self, row: OrderRow, cursor: str, *, is_away: bool = False) -> list[Piece]:
        mark = {"now": TURN, "with": "▹"}.get(row.turn, " ")
        side = "ours" if row.ours else "others"
        sign = self.shapes.others if not row.ours else AWAY if is_away else self.shapes.ours
        tone = f"{side} strong" if row.turn == "now" else side if row.acts else "muted"
        name = shortened(row.name, self.name)
        rolled = "" if row.initiative is None else plain_number(row.initiative)
        return [
            edge_of(cursor),
            (f" {rolled.rjust(self.initiative)} " if self.initiative else "", "muted"),
            (f"{mark} ", "turn"),
            (fitted(row.tag, self.widths.tag, right=True), "muted"),
            (" ", ""),
            (sign, tone),
            (" ", ""),
            (name, tone),
            (" " * (self.name - cell_len(name)), ""),
        ]

    def _meters(self, row: OrderRow) -> list[Piece]:
        """Return the meters in their columns, or the text in their place, after the gap."""
        if row.instead is not None:
            text = row.instead.text
            is_last = not (row.words or row.last)
            return [(GAP, ""), (text if is_last else fitted(text, self.middle), row.instead.tone)]
        pieces: list[Piece] = []
        for at, column in enumerate(self.columns):
            if column.cells:
                shown = column.pieces(row.levels[at] if row.levels else None)
                pieces += [(" " * (len(GAP) + column.cells - width(shown)), ""), *shown]
        return [*pieces, (" " * (len(GAP) + self.middle - width(pieces)), "")]

    def _columns(self, placed: Mapping[str, ShownWord]) -> list[Piece]:
        """Return the figures of the game in their columns. A value after the name is on the right."""
        pieces: list[Piece] = []
        for name, wide in self.figures.items():
            word = placed.get(name)
            text = shortened(word.text, wide) if word else ""
            label, value = f"{name} ", text.removeprefix(f"{name} ")
            text = label + value.rjust(wide - cell_len(label)) if value != text else text
            pieces += [(fitted(text, wide), word.tone if word else ""), (GAP, "")]
        return pieces


def last_pieces(words: Sequence[ShownWord]) -> list[Piece]:
    """Return what the last event did, one space between the words."""
    pieces: list[Piece] = []
    for word in words:
        pieces += [(" ", "")] * bool(pieces)
        pieces.append((word.text, f"{word.tone} strong"))
    return pieces


def rows_wanted(rows: Sequence[OrderRow]) -> int:
    """Return the rows that a list needs: all the fallen are on one line."""
    fallen = sum(row.fallen for row in rows)
    return len(rows) - fallen + bool(fallen)


class FallenRows:
    """The fallen, next to each other on as few lines as there is room for.

    `lines`: the indexes of the rows on each line. `places`: line, first and end cell of each row's entry.
    """

    def __init__(self, rows: Sequence[OrderRow], cells: int, height: int, cursor: int) -> None:
        """`cursor`: the index of the row under the cursor; its line is always shown."""
        self._entries = [_entry(row) for row in rows]
        self._cells = cells
        lines = self._laid_out(cells - len(FALLEN))
        if len(lines) > height:
            lines = self._laid_out(cells - len(FALLEN) - MORE_FALLEN)
        at = next((at for at, line in enumerate(lines) if cursor in line), 0)
        first = max(0, min(at, len(lines) - height))
        self.lines = lines[first : first + height]
        self._missing = len(rows) - sum(map(len, self.lines))
        self.places: dict[int, tuple[int, int, int]] = {}

    def _laid_out(self, room: int) -> list[list[int]]:
        lines: list[list[int]] = []
        used = room
        for at, entry in enumerate(self._entries):
            wide = width(entry) + len(GAP)
            if used + wide > room + len(GAP) and (not lines or lines[-1]):
                lines.append([])
                used = 0
            lines[-1].append(at)
            used += wide
        return lines

    def rows(self, cursor: int, tone: str) -> list[Row]:
        """Return the lines, with the entry under the cursor in this tone."""
        found: list[Row] = []
        for at, line in enumerate(self.lines):
            head = FALLEN if not found else " " * len(FALLEN)
            pieces: list[Piece] = [
                edge_of("cursor" if cursor in line else ""),
                (head[1:], "muted"),
            ]
            for index in line:
                entry = cut_row(self._entries[index], self._cells - len(FALLEN) - MORE_FALLEN)
                start = width(pieces)
                pieces += tinted(entry, width(entry), tone) if index == cursor else entry
                self.places[index] = (at, start, width(pieces))
                pieces.append((GAP, ""))
            if self._missing and at == len(self.lines) - 1:
                pieces.append((f"… {self._missing} more", "muted"))
            found.append(cut_row(pieces, self._cells))
        return found

    def index_at(self, x: int, y: int) -> int:
        """Return the index of the entry at a cell of a line, or of the nearest one before it."""
        line = self.lines[min(y, len(self.lines) - 1)]
        before = [index for index in line if self.places[index][1] <= x]
        return before[-1] if before else line[0]


def _entry(row: OrderRow) -> list[Piece]:
    """Return one of the fallen: number, name, its status unless that is final, what the last event did."""
    status = row.words[0].text if row.words and row.instead is None else ""
    return [
        (" ".join(filter(None, [row.tag, row.name, status])), "muted"),
        *([(" ", ""), *last_pieces(row.last)] if row.last else []),
    ]


def words_within(words: Sequence[ShownWord], room: int) -> list[Piece]:
    """Return the words that fit, dropping the least important first, with `…` if any is missing.

    The first condition that does not fit is cut, so that its name can be read. A long word for a permanent
    state is shortened in the middle, so that its number can be read, and so is a long state, such as a jammed
    gun, that leaves a condition no room. The turn on which a condition ends gives way to the words after it.
    """
    if _needed(words, False) <= room:
        return _apart([(word.text, word.tone) for word in words])
    words = _beside_conditions(_in_short(words, room), room)
    kept: list[ShownWord] = []
    for weight in WEIGHTS:
        alike = [word for word in words if word.weight == weight]
        for word in alike:
            more = [each for each in words if each is word or _is_among(each, kept)]
            if not kept or _needed(more, len(more) < len(words)) <= room:
                kept = more
        if any(not _is_among(word, kept) for word in alike):
            # Less important words don't take its place.
            break
    missing = [word for word in words if not _is_among(word, kept)]
    part = next((word for word in missing if word.weight == "condition"), None)
    left = room - _needed(kept, len(missing) > 1) - len(GAP)
    if part is None and missing and missing[0].weight == "lasting":
        most_of_it = cell_len(missing[0].text) * 2 // 3
        part = missing[0] if left >= max(most_of_it, LEAST_COUNTED) else None
    if part is not None and left >= SHORTEST_WORD and all(word.weight != "state" for word in missing):
        missing.remove(part)
        kept = [word for word in words if word is part or _is_among(word, kept)]
        if missing and part is kept[-1] and part.weight == "condition":
            # The sign of the cut at the end also marks the words missing after it.
            missing, left = [], min(left + _SIGN, cell_len(part.text) - 1)
    sign: list[Piece] = [(" …", "muted")] if missing else []
    if len(kept) == 1:
        only = max(0, room - width(sign))
        if sign and kept[0].weight == "condition" and cell_len(kept[0].text) > only:
            # Cut at its end, it needs no second sign for the words missing after it.
            return [
                (_without_half_a_number(kept[0].text, min(room, cell_len(kept[0].text) - 1)), kept[0].tone)
            ]
        # A short form ends in the sign itself.
        text = kept[0].text.removesuffix("…") if sign else kept[0].text
        return [(shortened(text, only), kept[0].tone), *sign]
    pieces: list[Piece] = []
    for word in kept:
        fits = shortened if word.weight == "lasting" else cut
        pieces.append((fits(word.text, left) if word is part else word.text, word.tone))
    return [*_apart(pieces), *sign]


def _without_half_a_number(text: str, cells: int) -> str:
    """Return a condition cut at its end, without its rounds if there is no room for all their digits."""
    name, _, rounds = text.rpartition(" ")
    short = f"{name} …"
    return short if name and rounds[0].isdecimal() and cell_len(short) <= cells else cut(text, cells)


def _apart(words: Sequence[Piece]) -> list[Piece]:
    """Return words with a gap between them."""
    return [piece for at, word in enumerate(words) for piece in ([(GAP, ""), word] if at else [word])]


def _in_short(words: Sequence[ShownWord], room: int) -> Sequence[ShownWord]:
    """Return the words, with short forms from the last word on if not all fit."""
    found = list(words)
    for at, word in reversed(list(enumerate(words))):
        if len(words) > 1 and word.short and _needed(found, False) > room:
            found[at] = evolve(word, text=f"{word.short}…", short="")
    return found


def _beside_conditions(words: Sequence[ShownWord], room: int) -> Sequence[ShownWord]:
    """Return the words, with the longest state shortened if it leaves the first condition no room."""
    states = [word for word in words if word.weight == "state"]
    condition = next((word for word in words if word.weight == "condition"), None)
    if not states or condition is None:
        return words
    longest = max(states, key=lambda word: cell_len(word.text))
    over = _needed([*states, condition], len(words) > len(states) + 1) - room
    left = max(SHORTEST_WORD, cell_len(longest.text) - over)
    saved = cell_len(longest.text) - left
    # A word that loses a letter or two in vain only becomes hard to read.
    if over <= 0 or saved <= (2 if saved < over else 0):
        return words
    short = evolve(longest, text=shortened(longest.text, left))
    return [short if word is longest else word for word in words]


def _is_among(word: ShownWord, words: Sequence[ShownWord]) -> bool:
    """Return whether this very word is among them; two may have the same text."""
    return any(word is other for other in words)


def _needed(words: Sequence[ShownWord], missing: bool) -> int:
    """Return the width of words with their separators and the sign that some are missing."""
    return (
        sum(cell_len(word.text) for word in words) + len(GAP) * (len(words) - 1) + (_SIGN if missing else 0)
    )


def turn_words(round: int, whose: str, side: str) -> str:
    """Return the round and the turn, such as `Round 2 ▸ Okado` or `Round 2 foes ▸ Orc`."""
    words = " ".join(filter(None, [side, f"{TURN} {whose}" if whose else ""]))
    return f"Round {round}  {words}".rstrip()
