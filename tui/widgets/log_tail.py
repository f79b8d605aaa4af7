"""The newest lines of the log, the last one at the bottom."""

from collections.abc import Sequence

from systems.history import Event
from tui.session import Session
from tui.widgets.text import Row, printable, wrapped


def tail_rows(session: Session, cells: int, height: int) -> Sequence[Row]:
    """As many of the last events as there is room for; what was undone is struck through."""
    rows: list[Row] = []
    undone = set(session.log.undone[-200:])
    for event in reversed(session.log.events):
        if len(rows) >= height:
            break
        rows = [*_event_rows(event, cells, event["n"] in undone, not rows), *rows]
    return rows[-height:]


def _event_rows(event: Event, cells: int, is_undone: bool, is_newest: bool) -> list[Row]:
    number = event.get("round") or 0
    head = f" R{number} " if number else " – "
    lines = wrapped(printable(str(event.get("text", ""))), max(8, cells - len(head) - 1), "")
    tone = "struck muted" if is_undone else "strong" if is_newest else ""
    rows: list[Row] = []
    for at, line in enumerate(lines):
        rows.append([(head if at == 0 else " " * len(head), "muted"), (line, tone)])
    return rows
