"""The intent of an event as data: the resolved command, which an amended history carries out again.

Most of an intent is in other fields of its event: the command, its actor, its targets and its options. The
event stores the rest as data.
"""

from collections.abc import Mapping
from typing import Any

from systems.codec.plain import BadPlainData, plain_difference, with_difference
from systems.commands.declaration import Recorded
from systems.commands.table import kind_named, kind_of, read_command
from systems.encounter.events import Event
from systems.encounter.model import Encounter
from systems.language.intents import Command, Intent


def stored_intent(command: Command, event: Event, then: Encounter) -> Mapping[str, Any]:
    """Return the data of a carried-out command that its event does not hold elsewhere.

    `then`: the encounter before the event.
    """
    kind = kind_of(command)
    intent = kind.with_ids(command.intent, Recorded(event, then))
    return plain_difference(intent, kind.held(event, kind.blank))


def command_of(event: Event, then: Encounter) -> Command:
    """Return the command that an event carried out, with ids.

    If the event has no valid intent, as in older logs, its line is parsed. Raises Misread if that fails.
    `then`: the encounter before the event.
    """
    name, intent = event.command, _intent_in(event)
    if intent is None:
        read = read_command(then, event.typed)
        name, intent = read.name, kind_of(read).with_ids(read.intent, Recorded(event, then))
    return Command(intent, event.typed, name=name, turn_of=event.turn_of)


def _intent_in(event: Event) -> Intent | None:
    """Return the stored intent of an event; None if there is none, or if it is invalid."""
    kind = kind_named(event.command)
    if event.intent is None or kind is None:
        return None
    try:
        return with_difference(kind.held(event, kind.blank), event.intent)
    except BadPlainData:
        return None
