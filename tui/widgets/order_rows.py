"""The rows of the order: turn mark, tag, name, meters, and what the game and the table say beside them."""

from collections.abc import Iterator, Sequence

from rich.cells import cell_len

from systems.durations import left
from systems.encounter import Combatant, Encounter
from systems.turns import turn_of
from tui.widgets.meters import Column
from tui.widgets.symbols import Symbols
from tui.widgets.text import Piece, Row, cut_row, fitted, printable

SHORTEST_NAME, BAR_SHARE = 12, 7


class OrderRows:
    """Makes the row of one combatant; the columns are measured over everybody once."""

    def __init__(
        self, encounter: Encounter, everybody: Sequence[Combatant], cells: int, shapes: Symbols
    ) -> None:
        self.encounter, self.cells, self.shapes = encounter, cells, shapes
        longest = max((cell_len(printable(one.name)) for one in everybody), default=0)
        self.name = min(longest, max(SHORTEST_NAME, cells // 3 - 5))
        self.tag = len(str(max((one.place.tag for one in everybody), default=0)))
        sheets = [one.sheet for one in everybody]
        self.columns = [
            Column(meter, sheets, at == 0, max(6, min(20, cells // BAR_SHARE)), shapes)
            for at, meter in enumerate(encounter.game.meters)
        ]
        self.turns = _turns(encounter)

    def row(self, one: Combatant, is_cursor: bool) -> Row:
        """One combatant on one line; the cursor's row is reversed as a whole."""
        pieces = cut_row([*self._head(one), *self._body(one)], self.cells)
        if not is_cursor:
            return tuple(pieces)
        text = "".join(text for text, _ in pieces)
        return ((fitted(text, self.cells), "strong reverse"),)

    def _head(self, one: Combatant) -> list[Piece]:
        mark = self.turns.get(one.id, " ")
        acts = self.encounter.status(one).acts and not one.place.arrives
        tone = "turn" if mark == self.shapes.turn else "" if acts else "muted"
        return [
            (f" {mark} ", "turn"),
            (fitted(str(one.place.tag), self.tag, right=True), "muted"),
            (" ", ""),
            (fitted(printable(one.name), self.name), tone),
            ("  ", ""),
        ]

    def _body(self, one: Combatant) -> list[Piece]:
        if one.place.arrives:
            when = f"arrives in round {one.place.arrives}"
            return [(f"({when}{', hidden' if one.place.hidden else ''})", "muted")]
        pieces: list[Piece] = []
        for column in self.columns:
            if column.cells:
                pieces += [*column.pieces(one.sheet), ("  ", "")]
        for at, words in enumerate(words_beside(self.encounter, one)):
            pieces += [(" · ", "muted"), words] if at else [words]
        return pieces


def _turns(encounter: Encounter) -> dict[str, str]:
    """Whose turn it is, and who shares it or may act in it."""
    found: dict[str, str] = {}
    turn = encounter.course.turn
    if turn is None or encounter.course.over or turn not in encounter.combatants:
        return found
    from tui.widgets.symbols import symbols

    shapes = symbols()
    if encounter.style == "sides" and not encounter.course.interrupted:
        for who in encounter.course.order:
            one = encounter.combatants[who]
            due = one.place.done < encounter.course.round and encounter.status(one).acts
            if one.side == encounter.course.side and due:
                found[who] = shapes.with_turn
    else:
        found |= dict.fromkeys(turn_of(encounter, turn), shapes.with_turn)
    found[turn] = shapes.turn
    return found


def words_beside(encounter: Encounter, one: Combatant) -> Iterator[Piece]:
    """Hidden, waiting, the status when it matters, the game's marks, the conditions with their time left."""
    if one.place.hidden:
        yield ("(hidden)", "warning")
    if one.place.waits:
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
        text = f"{held.label.replace('_', ' ')} {lasting}".strip()
        yield (printable(text), known.tone if known and known.tone != "plain" else "warning")


def _plain(text: str) -> str:
    return text.casefold().replace("_", " ").replace("-", " ")
