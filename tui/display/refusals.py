"""Sentences about a command: why it is impossible, that it was cancelled, whose turn it is after an undo."""

from systems.contract.marked_text import possessive
from systems.encounter.events import Event
from systems.encounter.model import Encounter
from systems.encounter.schedule import beaten_sides, losing_actions, sides_down, who_is_to_arrive
from systems.errors import Misread
from systems.text import as_sentence, clean, listed, several


def misread_words(line: str, error: Misread) -> str:
    """Return the sentence about a line that cannot be read, with the word at fault."""
    word = "" if error.names_word else clean(line[error.start : error.end], 40)
    return f'"{word}": {error}' if word else str(error)


def not_carried_out(command: str) -> str:
    """Return the answer to a cancelled prompt; anything changed before it stays."""
    return f"Not carried out: {clean(command, 400)}." if command else "Not carried out."


def why_not_to_end(encounter: Encounter) -> str:
    """Return why a fight may have to continue: active foes, or late arrivals; or ""."""
    coming, down = who_is_to_arrive(encounter), sides_down(encounter)
    if beaten_sides(encounter):
        return f"{coming}." if coming else ""
    return f"The {listed(down)} are down, but other sides are not." if down else "No side is down."


def cannot_show(sides: int, face: int | str) -> str:
    """Return the sentence for a face that a die does not have."""
    return f"a d{sides} cannot show {clean(str(face), 12)}; type 1 to {sides}"


def message_of(event: Event) -> str:
    """Return the message about an event in addition to its log line: undo, back, rolls, amendments."""
    is_told = event.kind != "command" or event.command in ("roll", "amend")
    return str(event.text) if is_told else ""


def turn_now(encounter: Encounter) -> str:
    """Return whose turn it is after an undo, a redo or a step back."""
    progress = encounter.progress
    if progress.over:
        return "The fight is over."
    if not progress.round:
        return "The fight has not begun."
    whose = possessive(encounter.turn.name) if encounter.turn else "nobody's"
    return f"It is {whose} turn, round {progress.round}."


def asks_again(wrong: str) -> str:
    """Return the message after the first Enter on a near miss."""
    return f"{as_sentence(wrong)} Enter again takes it."


def why_not_to_pass(encounter: Encounter, *, whole_side: bool) -> str:
    """Return the members of the side that would lose their actions at the end of its turn, or ""."""
    if not (able := losing_actions(encounter, whole_side=whole_side)):
        return ""
    return f"{several([encounter.combatants[who].name for who in able])} can still act."
