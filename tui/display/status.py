"""The rows around a sheet on the status screen: names, events, and the terms and changes of a number."""

from collections.abc import Iterator, Mapping

from rich.cells import cell_len

from systems.contract.display import Figure
from systems.contract.ruleset import Ruleset
from systems.encounter.events import Event
from systems.encounter.history import History
from systems.encounter.model import Combatant, Encounter
from systems.text import plain_number, signed
from systems.visibility.log_view import lines_of_story, whole_text
from tui.display.details import DetailLine, details_of
from tui.display.log_marks import line_rows
from tui.display.text import Piece, Row, fitted, printable, shortened, width, wrapped

LABEL, TERM, LONGEST_NAME = 24, 6, 24
_STORY_INDENT = 2
MORE = 9  # cells for the number of names that are not shown


def names_row(encounter: Encounter, shown: Combatant, cells: int) -> Row:
    """Return all combatants by tag and name on one row, the turn marked and `shown` tinted.

    If there is no room for all, those before `shown` are left out, then the last ones; a sign marks it.
    """
    turn = encounter.turn
    before: list[Piece] = []
    after: list[Piece] = []
    for combatant in encounter.in_line():
        mark = "▸" if turn is not None and combatant.id == turn.id else " "
        tone = "cursor" if combatant.id == shown.id else "muted"
        piece = (f"{mark}{combatant.tag} {shortened(printable(combatant.name), LONGEST_NAME)} ", tone)
        (after if after or combatant.id == shown.id else before).append(piece)
    room, everybody_before = cells - 1, len(before)
    while before and width([*before, after[0]]) > room - (MORE if len(after) > 1 else 0):
        before.pop(0)
    pieces, left_out = [*before, *after], 0
    while width(pieces) > room - (MORE if left_out else 0) and len(pieces) > len(before) + 1:
        pieces.pop()
        left_out += 1
    more: list[Piece] = [(f"… {left_out} more", "muted")] if left_out else []
    return [("…" if len(before) < everybody_before else " ", "muted"), *pieces, *more]


def story_rows(log: History, who: str, game: Ruleset, cells: int, height: int) -> list[Row]:
    """Return the newest events about a combatant, the last one at the bottom."""
    rows: list[Row] = []
    for event in log.newest():
        if len(rows) >= height:
            break
        found: list[Row] = []
        for line in lines_of_story(event, who, game):
            found += line_rows(line, cells, "", _STORY_INDENT)
        rows[:0] = found
    if not rows:
        return [[("nothing yet in this fight", "muted")]] if height > 0 else []
    return rows[-height:] if height > 0 else []


def last_change(log: History, who: str, path: str) -> Event | None:
    """Return the newest event that changed a field of a combatant's sheet, or None.

    `path`: the field as `set` names it, such as `weapons.sword.damage`; a change of any part counts.
    """
    top, _, _ = path.partition(".")
    field = ["sheet", top]
    for event in reversed(log.as_amended):
        if log.is_replaced(event.n):
            continue
        for change in event.changes:
            if change.who == who and change.field.split(".")[:2] == field:
                return event
    return None


def terms_rows(figure: Figure, cells: int) -> list[Row]:
    """Return the terms of a calculated number, and their sum."""
    rows: list[Row] = []
    for at, term in enumerate(figure.terms):
        number = signed(term.value) if at and term.value > 0 else plain_number(term.value)
        tone = "muted" if term.note and not term.value else ""
        rows += _number_rows(term.label, fitted(number, TERM, right=True), term.note, tone, cells)
    if len(figure.terms) > 1:
        rows.append([(" " * LABEL, ""), (fitted("────", TERM, right=True), "muted")])
    total = fitted(plain_number(figure.value), TERM, right=True)
    return [*rows, *_number_rows(figure.label, total, figure.note, "strong", cells)]


def change_rows(event: Event, names: Mapping[str, str], game: Ruleset, cells: int) -> list[Row]:
    """Return the sentence of an event and all its details. `names`: by id; `game`: of the fight."""
    rows: list[Row] = [[(line, "strong")] for line in wrapped(whole_text(event), cells)]
    return [*rows, [], *(row for line in details_of(event, names, game) for row in _line_rows(line, cells))]


def _line_rows(line: DetailLine, cells: int) -> Iterator[Row]:
    if line.head:
        yield [(line.label, "strong")]
    elif not line.value:
        for part in wrapped(f"{line.label}: {line.note}", cells):
            yield [(part, "muted")]
    else:
        value = fitted(line.value, max(9, cell_len(line.value)), right=True)
        yield from _number_rows(line.label, value, line.note, "", cells)


def _number_rows(label: str, value: str, note: str, tone: str, cells: int) -> Iterator[Row]:
    """Yield a number with its name and its reason, which continues below itself."""
    used = LABEL + cell_len(value) + 3
    first, *more = wrapped(printable(note), max(10, cells - used), "")
    yield [(fitted(label, LABEL), tone), (value, tone), (f"   {first}", "muted")]
    for line in more:
        yield [(" " * used + line, "muted")]
