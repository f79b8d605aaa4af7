"""Export the log for the players: what all players could see when it happened, as document lines."""

import json
from collections.abc import Sequence
from functools import partial

from systems.encounter.history import History
from systems.encounter.model import Combatant, Encounter
from systems.visibility.lines import log_lines
from systems.visibility.parts import LogLine
from systems.visibility.rows import detail_for
from systems.visibility.sentences import has_seen_sentence
from systems.visibility.viewer import PUBLIC, Shown
from tui.campaign.progress import Tell, counted


def public_lines(log: History, encounter: Encounter, shown: Shown, tell: Tell) -> Sequence[LogLine]:
    """Return every line that all players could see, the oldest first; undone lines are marked."""
    count = len(log.events)
    most = 1 + sum(len(event.sentences) for event in log.events)
    told = partial(counted, of=count, tell=tell)
    return log_lines(encounter, log, PUBLIC, shown, count, most, told)


def public_numbers(log: History, encounter: Encounter, shown: Shown) -> list[int]:
    """Return the numbers of the events that all players could see at least in part."""
    return [event.n for event in log.as_amended if has_seen_sentence(event, encounter, log, PUBLIC, shown)]


def public_curves(encounter: Encounter, shown: Shown) -> list[Combatant]:
    """Return the visible combatants whose values all players may see."""
    return [
        combatant
        for combatant in encounter.in_line()
        if combatant.in_sight and detail_for(encounter, combatant, PUBLIC, shown) != "band"
    ]


def public_json(line: LogLine) -> str:
    """Return one line for programs, in ASCII."""
    undone = {"undone": True} if line.undone else {}
    return json.dumps({"round": line.round, "text": line.whole, **undone}) + "\n"
