"""Rebuild events of format 1 as events of format 2.

Format 1 kept only the typed line and the changes of a command. To get actor, targets, options and results,
the line is carried out again in the original encounter with the recorded dice and answers.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from systems.commands.membership import RosterEntry
from systems.commands.perform import carry_out, plain_results
from systems.commands.transaction import Transaction
from systems.contract.table import NeedsChoice, ScriptedChoices, WrongChoice
from systems.dice.scripted import ScriptedDice, WrongDie
from systems.dice.sources import NeedsFace
from systems.encounter.changes import apply, diff
from systems.encounter.events import Event, tables_in, word_in
from systems.encounter.model import Encounter
from systems.encounter.reading import read_command
from systems.errors import Misread, Refused, Wrong

_CANNOT = (Misread, Refused, Wrong, NeedsFace, NeedsChoice, WrongDie, WrongChoice, ValueError, TypeError)


def reread(
    opening: Encounter, roster: Mapping[str, RosterEntry], events: Iterable[Event]
) -> Iterator[dict[str, Any]]:
    """Yield the events with all data that is certain. Raises Wrong when they do not fit the opening.

    An event stays unchanged if its line makes other changes than those recorded. No event gets sentences,
    because it is unknown who saw them.
    """
    here = opening
    for event in events:
        yield _read_again(here, roster, event)
        here = apply(here, event)


def _read_again(here: Encounter, roster: Mapping[str, RosterEntry], event: Event) -> dict[str, Any]:
    """Return an event with the data that its line gives, or unchanged if the data is not certain."""
    if event.get("kind") != "command" or not word_in(event, "typed"):
        return dict(event)
    try:
        transaction = _carry_out_again(here, roster, event)
        changes = [change.plain() for change in diff(here, transaction.encounter)]
    except _CANNOT:
        return dict(event)
    if changes != event.get("changes", []):
        return dict(event)
    parts = {
        "action": transaction.action,
        "actor": transaction.actor,
        "targets": list(transaction.targets),
        "options": dict(transaction.options),
        "results": plain_results(transaction),
    }
    found = dict(event) | {name: part for name, part in parts.items() if part}
    return {name: found.pop(name) for name in _ORDER if name in found} | found


def _carry_out_again(here: Encounter, roster: Mapping[str, RosterEntry], event: Event) -> Transaction:
    """Carry out the line of an event with its recorded dice and answers."""
    command = read_command(here, word_in(event, "typed"))
    faces = [die.get("face") for die in tables_in(event, "rolls")]
    dice = ScriptedDice([face for face in faces if isinstance(face, int)])
    answers = event.get("answers", ())
    choices = ScriptedChoices(answers if isinstance(answers, Sequence) else ())
    return carry_out(here, roster, command, dice, choices)


_ORDER = (
    "n",
    "time",
    "who",
    "kind",
    "command",
    "typed",
    "round",
    "turn",
    "action",
    "actor",
    "targets",
    "options",
)
