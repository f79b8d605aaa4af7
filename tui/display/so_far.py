"""The recap so far in a few rows, for the free rows of a wide screen."""

from collections.abc import Sequence

from rich.cells import cell_len

from systems.encounter.model import Combatant, Encounter
from systems.encounter.so_far import Totals
from tui.display.text import Piece, Row, cut, cut_row, fitted, printable, shortened, up_to, width
from tui.terminal.symbols import Symbols

NOTHING_YET = " Nobody has lost anything yet."
_LONGEST_NAME, _SHORTEST_BAR, _LONGEST_BAR = 24, 6, 30


def so_far_rows(
    totals: Totals, encounter: Encounter, cells: int, height: int, shapes: Symbols
) -> Sequence[Row]:
    """Return a row for each combatant that took or lost points, the most dangerous first, and the heaviest
    blow.
    """
    dealt, taken = totals.dealt, totals.taken
    found = [each for each in encounter.in_line() if dealt.get(each.id) or taken.get(each.id)]
    found.sort(key=lambda each: (-dealt.get(each.id, 0), taken.get(each.id, 0)))
    if not found:
        return [[(cut(NOTHING_YET, cells), "muted")]]
    name = min(_LONGEST_NAME, max(cell_len(printable(each.name)) for each in found))
    figures = len(str(max((*dealt.values(), *taken.values()))))
    rest = len(f" ●   {0:>{figures}} dealt   {0:>{figures}} lost ")
    bar = max(_SHORTEST_BAR, min(_LONGEST_BAR, cells - name - rest))
    most = max(dealt.values(), default=0)
    rows: list[Row] = []
    for each in found:
        done, lost = dealt.get(each.id, 0), taken.get(each.id, 0)
        cells_done = round(bar * done / most) if most else 0
        pieces: list[Piece] = [
            *_named(each, encounter, name, shapes),
            (f"  {done:>{figures}} dealt ", "" if done else "muted"),
            (fitted("━" * max(cells_done, bool(done)), bar), "accent"),
            (f" {lost:>{figures}} lost", "" if lost else "muted"),
        ]
        rows.append(cut_row(pieces, cells))
    blow = totals.heaviest
    people = encounter.combatants
    if blow is not None and len(rows) < height and blow.by in people and blow.target in people:
        who, target = printable(people[blow.by].name), printable(people[blow.target].name)
        words = f" heaviest blow: {who} on {target}, {blow.lost} in round {blow.round}"
        rows.append([(cut(words, cells), "muted")])
    return up_to(rows, height, "the recap shows all")


def _named(each: Combatant, encounter: Encounter, cells: int, shapes: Symbols) -> list[Piece]:
    """Return the mark of a combatant's side and its name, in the tone of the side."""
    is_ours = encounter.is_player(each)
    tone = "ours" if is_ours else "others"
    named = shortened(printable(each.name), cells)
    pieces = [(" ", ""), (shapes.ours if is_ours else shapes.others, tone), (" ", ""), (named, tone)]
    return [*pieces, (" " * (cells + 3 - width(pieces)), "")]
