"""The commands `undo` and `redo`: take back the newest commands or batch, and bring them back."""

from systems.commands.declaration import CommandKind, HistoryStep
from systems.encounter.history import History, redo, undo
from systems.encounter.model import Encounter
from systems.frozen import frozen
from systems.language.intents import Intent
from systems.language.tokens import TokenLine


@frozen
class Undo(Intent):
    """Undo the last `number` commands."""

    number: int = 1


@frozen
class Redo(Intent):
    """Redo the last `number` undone commands."""

    number: int = 1


def _read_count(taken: TokenLine) -> int:
    if not taken.words:
        return 1
    word = taken.words[0]
    number = taken.take_number("how many")
    if number < 1:
        raise word.wrong("at least 1")
    return number


def _undo(encounter: Encounter, log: History, intent: Undo) -> HistoryStep:
    steps = undo(encounter, log, intent.number)
    return HistoryStep("undo", steps.after, steps.refs, batch=steps.batch)


def _redo(encounter: Encounter, log: History, intent: Redo) -> HistoryStep:
    steps = redo(encounter, log, intent.number)
    return HistoryStep("redo", steps.after, steps.refs, batch=steps.batch)


UNDO = CommandKind(
    "undo",
    ("undo [N]",),
    "undo the last command, or several",
    lambda taken: Undo(_read_count(taken)),
    step=_undo,
    blank=Undo(),
    in_history=False,
)
REDO = CommandKind(
    "redo",
    ("redo [N]",),
    "redo undone commands",
    lambda taken: Redo(_read_count(taken)),
    step=_redo,
    blank=Redo(),
    in_history=False,
)
