"""What is said of a command: why it cannot be, that it was left, and whose turn it is after an undo."""

from systems.encounter.events import Event
from systems.encounter.model import Encounter
from systems.encounter.schedule import beaten_sides, sides_down, who_is_to_arrive
from systems.errors import Misread
from systems.text import clean, listed


def misread_words(line: str, error: Misread) -> str:
    """Return the sentence about a line that cannot be read, with the word that it is about."""
    word = "" if error.names_word else clean(line[error.start : error.end], 40)
    return f'"{word}": {error}' if word else str(error)


def not_carried_out(command: str) -> str:
    """Return what leaving a question is answered with: whatever was changed before it stays."""
    return f"Not carried out: {clean(command, 400)}." if command else "Not carried out."


def why_not_to_end(encounter: Encounter) -> str:
    """Return why a fight may have to go on: others stand, or somebody is to come; "" for none."""
    coming, down = who_is_to_arrive(encounter), sides_down(encounter)
    if beaten_sides(encounter):
        return f"{coming}." if coming else ""
    return f"The {listed(down)} are down, others stand." if down else "No side is down."


def cannot_show(sides: int, face: int | str) -> str:
    """Return the sentence for a face that a die has not."""
    return f"a d{sides} cannot show {clean(str(face), 12)}: 1 to {sides}"


def message_of(event: Event) -> str:
    """Return what is said of an event beside the log: undo, back, rolls, amendments and the like."""
    is_told = event.get("kind") != "command" or event.get("command") in ("roll", "amend")
    return str(event["text"]) if is_told else ""


def turn_now(encounter: Encounter) -> str:
    """Return whose turn it is after an undo, a redo or a step back."""
    progress = encounter.progress
    if progress.over:
        return "The fight is over."
    if not progress.round:
        return "The fight has not begun."
    whose = f"{encounter.turn.name}'s" if encounter.turn else "nobody's"
    return f"It is {whose} turn, round {progress.round}."
