"""Find the event of a log that does not fit the fight before it."""

from collections.abc import Sequence
from pathlib import Path

from systems.encounter.changes import apply_all
from systems.encounter.events import Event
from systems.encounter.history import NOTHING_KNOWN, HistoryState, history
from systems.encounter.model import Encounter
from systems.errors import Wrong
from tui.campaign.log.blocks import header_end, scan
from tui.campaign.problems import UNFIT, FileProblem
from tui.campaign.toml.files import read_bytes
from tui.campaign.toml.limits import LARGEST_LOG
from tui.campaign.toml.positions import line_at


def misfit(
    path: Path, file: str, start: Encounter, events: Sequence[Event], known: HistoryState = NOTHING_KNOWN
) -> FileProblem | None:
    """Return the problem of the first event that does not fit, with its line; None if all of them fit.

    `path`: the log, whose blocks are whole. `start`: the fight after the events of `known`.
    """
    if _why(start, events, known) is None:
        return None
    fits, many = known.count, len(events)
    while many - fits > 1:
        middle = (fits + many) // 2
        if _why(start, events[:middle], known) is None:
            fits = middle
        else:
            many = middle
    field, message = _why(start, events[:many], known) or ("", "")
    says = f"event {many} does not fit the fight before it: {message}"
    return FileProblem(file, _line(path, file, fits), field, says, code="misfit")


def _why(start: Encounter, events: Sequence[Event], known: HistoryState) -> tuple[str, str] | None:
    """Return the field that does not fit in one of these events, and a sentence; None if all of them fit."""
    try:
        history(events, known)
    except Wrong as wrong:
        return wrong.field, wrong.message
    try:
        apply_all(start, events[known.count :])
    except Wrong as wrong:
        return "changes", wrong.message if wrong.field == "changes" else wrong.as_written
    except UNFIT:
        return "changes", "expected changes with who and field as texts"
    return None


def _line(path: Path, file: str, fits: int) -> int:
    """Return the line of the event after the first `fits` events; 0 if it is not in the file."""
    data = read_bytes(path, file, LARGEST_LOG)
    bounds = scan(data, header_end(data, file), 0).bounds
    return line_at(data, bounds[fits][0]) if fits < len(bounds) else 0
