"""The command that needs a die, carried out with made-up dice from there on, to find out what comes of it."""

from collections.abc import Sequence
from typing import Any

from systems.commands.perform import perform
from systems.contract.table import Choices
from systems.dice.sources import Dice, NeedsFace
from systems.encounter.events import Event
from tui.session.session import Attempt


class MadeUpRun:
    """The command that needs a die: an attempt, or in an amendment the one that is played again.

    `faces` and `answers`: those given so far. Nothing that it does counts.
    """

    def __init__(self, attempt: Attempt, needs: NeedsFace) -> None:
        self._attempt, self._again = attempt, needs.again
        in_past = needs.again is not None
        self.faces: Sequence[int] = [roll.face for roll in needs.before] if in_past else attempt.faces
        self.answers: Sequence[Any] = needs.answers if in_past else attempt.answers

    def event(self, dice: Dice, choices: Choices) -> Event:
        """Return what the command comes to. Raises what `perform` raises."""
        if self._again is not None:
            return self._again(dice, choices)
        session, command = self._attempt.session, self._attempt.command
        return perform(session.encounter, session.log, session.roster, command, dice, choices).event
