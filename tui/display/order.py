"""The rows of the order: turn mark, tag, name, meters, and what the game and the table say beside them."""

import re
from collections.abc import Iterator, Sequence

from rich.cells import cell_len

from systems.commands.durations import left
from systems.encounter.model import Combatant, Encounter
from tui.display.meters import Column, measured
from tui.display.text import Piece, Row, cut, cut_row, fitted, printable, width
from tui.terminal.symbols import Symbols

SHORTEST_NAME, BAR_SHARE = 12, 7
# Where a line is wider than this the bar may be long, as long as all words of all fit beside it.
WIDE, LONG_BAR, MOST_MEASURED = 80, 20, 40


class Measures:
    """How wide names and figures are; what was measured once holds as long as the combatant is the same."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[Combatant, int, tuple[tuple[int, int], ...]]] = {}
        self.name = self.tag = 0
        # How wide the words beside each name are, all and without those that matter least; none where
        # there are too many to look at all of them.
        self.words: tuple[tuple[int, int], ...] | None = None
        self._words: dict[str, tuple[tuple[Combatant, int, object], tuple[int, int]]] = {}
        self.meters: list[tuple[int, int]] = []

    def take(self, encounter: Encounter, everybody: Sequence[Combatant]) -> None:
        """Measure those that are not the same as before, and find the widest."""
        known, meters = self._known, encounter.game.meters
        for one in everybody:
            before = known.get(one.id)
            if before is None or before[0] is not one:
                wide = tuple(measured(one.sheet, meter) for meter in meters)
                known[one.id] = (one, cell_len(printable(one.name)), wide)
        here = [known[one.id] for one in everybody]
        self.name = max((name for _, name, _ in here), default=0)
        self.tag = len(str(max((one.state.tag for one in everybody), default=0)))
        columns = list(zip(*(wide for _, _, wide in here), strict=True)) or [((0, 0),)] * len(meters)
        self.meters = [(max(cells for cells, _ in one), max(full for _, full in one)) for one in columns]
        few = len(everybody) <= MOST_MEASURED
        self.words = tuple(self._beside(encounter, one) for one in everybody) if few else None

    def _beside(self, encounter: Encounter, one: Combatant) -> tuple[int, int]:
        """How wide the words beside a name are; the same as long as nothing they tell of has changed."""
        if one.state.arrives:
            return 0, 0
        key = (one, encounter.progress.round, encounter.house)
        known = self._words.get(one.id)
        if known is None or known[0][0] is not one or known[0][1:] != key[1:]:
            words = list(words_beside(encounter, one))
            needed = [piece for piece in words if piece[1] != "muted"]
            wide = (_in_a_row(words), _in_a_row(needed))
            known = self._words[one.id] = (key, wide)
        return known[1]


class OrderRows:
    """Makes the row of one combatant, in columns that are the same for all."""

    def __init__(self, encounter: Encounter, widest: Measures, cells: int, shapes: Symbols) -> None:
        self.encounter, self.cells, self.shapes = encounter, cells, shapes
        self.name = min(widest.name, max(SHORTEST_NAME, cells // 3 - 5))
        self.tag = widest.tag
        self.columns = self._columns(widest, max(6, min(LONG_BAR, cells // BAR_SHARE)))
        if cells > WIDE and widest.words is not None:
            long = self._columns(widest, LONG_BAR)
            short_room, room = self._room(self.columns), self._room(long)
            # Nothing is left out that would be there beside a short one.
            if all(full <= room or (full > short_room and needed <= room) for full, needed in widest.words):
                self.columns = long
        self.turns = _turns(encounter, shapes)
        # All that a row shows beside its own combatant: when it is the same, the row is the same.
        widths = tuple((column.cells, column.figures) for column in self.columns)
        self.shared = (cells, self.name, self.tag, widths, encounter.progress.round, encounter.house)

    def _room(self, columns: Sequence[Column]) -> int:
        """How many cells are left for words beside those columns."""
        head = 6 + self.tag + self.name
        return self.cells - head - sum(column.cells + 2 for column in columns if column.cells)

    def _columns(self, widest: Measures, bar: int) -> list[Column]:
        meters = zip(self.encounter.game.meters, widest.meters, strict=True)
        return [Column(meter, *wide, at == 0, bar, self.shapes) for at, (meter, wide) in enumerate(meters)]

    def row(self, one: Combatant, is_cursor: bool) -> Row:
        """One combatant on one line; the cursor's row is reversed as a whole."""
        pieces = [*self._head(one), *self._meters(one)]
        pieces += self._words(one, self.cells - width(pieces))
        if not is_cursor:
            return tuple(cut_row(pieces, self.cells))
        text = "".join(text for text, _ in pieces)
        return ((fitted(text, self.cells), "strong reverse"),)

    def _head(self, one: Combatant) -> list[Piece]:
        mark = self.turns.get(one.id, " ")
        acts = self.encounter.status(one).acts and not one.state.arrives
        tone = "turn" if mark == self.shapes.turn else "" if acts else "muted"
        return [
            (f" {mark} ", "turn"),
            (fitted(str(one.state.tag), self.tag, right=True), "muted"),
            (" ", ""),
            (fitted(printable(one.name), self.name), tone),
            ("  ", ""),
        ]

    def _meters(self, one: Combatant) -> list[Piece]:
        if one.state.arrives:
            when = f"arrives in round {one.state.arrives}"
            return [(f"({when}{', hidden' if one.state.hidden else ''})", "muted")]
        pieces: list[Piece] = []
        for column in self.columns:
            if column.cells:
                pieces += [*column.pieces(one.sheet), ("  ", "")]
        return pieces

    def _words(self, one: Combatant, room: int) -> list[Piece]:
        """As many of the words as fit, each whole, what matters least left out, and `…` when more are."""
        words = [] if one.state.arrives else list(words_beside(self.encounter, one))
        if width(words) + 3 * (len(words) - 1) > room:
            words = [piece for piece in words if piece[1] != "muted"]
        found: list[Piece] = []
        for at, piece in enumerate(words):
            wide = cell_len(piece[0]) + (3 if found else 0)
            more = 2 if at + 1 < len(words) else 0
            if wide + more > room:
                return [*found, (" …" if found else cut(piece[0], room), "muted")]
            room -= wide
            found += [(" · ", "muted"), piece] if found else [piece]
        return found


def _in_a_row(words: Sequence[Piece]) -> int:
    """How wide words are with what stands between them."""
    return width(words) + 3 * max(0, len(words) - 1)


def _turns(encounter: Encounter, shapes: Symbols) -> dict[str, str]:
    """Whose turn it is, and who shares it or may act in it."""
    found: dict[str, str] = {}
    turn = encounter.progress.turn
    if turn is None or encounter.progress.over or turn not in encounter.combatants:
        return found
    if encounter.style == "sides" and not encounter.progress.interrupted:
        for who in encounter.progress.order:
            one = encounter.combatants[who]
            due = one.state.done < encounter.progress.round and encounter.status(one).acts
            if one.side == encounter.progress.side and due:
                found[who] = shapes.with_turn
    else:
        group = encounter.combatants[turn].state.group
        same = [who for who in encounter.progress.order if encounter.combatants[who].state.group == group]
        found |= dict.fromkeys(same if group else (), shapes.with_turn)
    found[turn] = shapes.turn
    return found


def words_beside(encounter: Encounter, one: Combatant) -> Iterator[Piece]:
    """Hidden, waiting, the status when it matters, the game's marks, the conditions with their time left."""
    if one.state.hidden:
        yield ("(hidden)", "warning")
    if one.state.waits:
        yield ("waits", "accent")
    said: set[str] = set()
    status = encounter.status(one)
    if status.tone not in ("good", "plain"):
        said.add(_plain(status.name))
        yield (printable(status.name.replace("_", " ")), f"{status.tone} strong")
    marks = encounter.game.glance(one.sheet, encounter.house)
    # What matters least stands last, where the line may be cut.
    for mark in (*(one for one in marks if one.tone != "muted"), None, *marks):
        if mark is None:
            yield from _conditions(encounter, one, said)
        elif _plain(mark.text) not in said:
            said.add(_plain(mark.text))
            yield (printable(mark.text), "" if mark.tone == "plain" else mark.tone)


def _conditions(encounter: Encounter, one: Combatant, said: set[str]) -> Iterator[Piece]:
    for held in one.conditions:
        lasting = left(encounter, held)
        if _plain(held.label) in said and not lasting:
            continue
        said.add(_plain(held.label))
        known = encounter.game.condition(held.name)
        # Beside a name `2r` is enough; the card and the log say it in words.
        short = re.sub(r"([0-9]+) rounds?", r"\1r", lasting)
        text = f"{held.label.replace('_', ' ')} {short}".strip()
        yield (printable(text), known.tone if known and known.tone != "plain" else "warning")


def _plain(text: str) -> str:
    return text.casefold().replace("_", " ").replace("-", " ")
