"""What stands out in a line of the log, as a screen gets it: by its tone and not by the game's names."""

from systems.contract.marked_text import MarkedText
from systems.contract.ruleset import Ruleset
from systems.encounter.events import Event, word_in
from systems.visibility.parts import LineMark, MarkTone

# What is said at the change of a turn is dimmed, so that what was done stands out.
_TURNS = frozenset({"next", "back", "start", "end"})


def is_quiet(event: Event) -> bool:
    """Return whether an event is the change of a turn, which is dimmed."""
    return word_in(event, "command") in _TURNS


def line_marks(text: MarkedText, game: Ruleset) -> tuple[LineMark, ...]:
    """Return the marks of a line; a status that the game does not declare, or that is plain, has none."""
    found = ((mark.start, mark.end, _tone(mark.status, game) or mark.what) for mark in text.marks)
    return tuple((start, end, what) for start, end, what in found if what != "status")


def _tone(status: str, game: Ruleset) -> MarkTone | None:
    """Return the tone of a status: elsewhere the dead are muted, in the log it counts that somebody died."""
    match game.status_word(status).tone if status else "plain":
        case "good" | "warning" | "danger" as tone:
            return tone
        case "muted":
            return "danger"
        case "notice" | "accent":
            return "condition"
        case "plain":
            return None
