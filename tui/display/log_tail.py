"""The newest lines of the log, the last one at the bottom."""

from collections.abc import Sequence
from itertools import takewhile

from systems.encounter.history import Event
from tui.display.log import round_of
from tui.display.text import Row, printable, wrapped
from tui.session.session import Session


def tail_rows(session: Session, cells: int, height: int) -> Sequence[Row]:
    """As many of the last events as there is room for; what was undone is struck through."""
    rows: list[Row] = []
    newest = session.log.events[-height:] if height > 0 else []
    standing = numbers_standing(session, newest[0]["n"]) if newest else set()
    for event in reversed(newest):
        if len(rows) >= height:
            break
        undone = event["n"] not in standing and event.get("kind") not in ("undo", "redo")
        rows = [*_event_rows(event, cells, undone, not rows), *rows]
    return rows[-height:]


def numbers_standing(session: Session, first: int) -> set[int]:
    """The numbers from `first` on of the events that stand."""
    return {event["n"] for event in takewhile(lambda one: one["n"] >= first, session.log.newest())}


def _event_rows(event: Event, cells: int, is_undone: bool, is_newest: bool) -> list[Row]:
    number = round_of(event)
    head = f" R{number} " if number else " – "
    lines = wrapped(printable(str(event.get("text", ""))), max(8, cells - len(head) - 1), "")
    tone = "struck muted" if is_undone else "strong" if is_newest else ""
    rows: list[Row] = []
    for at, line in enumerate(lines):
        rows.append([(head if at == 0 else " " * len(head), "muted"), (line, tone)])
    return rows
