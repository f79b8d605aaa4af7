"""Find the highlights of a log line, by tone instead of the game's own names."""

from systems.contract.marked_text import MarkedText
from systems.contract.ruleset import Ruleset
from systems.encounter.events import Event
from systems.visibility.parts import LineMark, MarkTone

# The sentence at a change of turn is dimmed, so that actions are prominent.
_TURNS = frozenset({"next", "back", "start", "end"})


def is_quiet(event: Event) -> bool:
    """Return whether an event is the change of a turn, which is dimmed."""
    return event.command in _TURNS


def line_marks(text: MarkedText, game: Ruleset) -> tuple[LineMark, ...]:
    """Return the marks of a line. A plain or undeclared status gets none."""
    found = ((mark.start, mark.end, _tone(mark.status, game) or mark.what) for mark in text.marks)
    return tuple((start, end, what) for start, end, what in found if what != "status")


def _tone(status: str, game: Ruleset) -> MarkTone | None:
    """Return the tone of a status. Elsewhere the dead are muted; in the log a death is important."""
    match game.status_word(status).tone if status else "plain":
        case "good" | "warning" | "danger" as tone:
            return tone
        case "muted":
            return "danger"
        case "notice" | "accent":
            return "condition"
        case "plain":
            return None
