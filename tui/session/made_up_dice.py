"""Run a command that needs a real die with made-up dice, to find out what its faces would do."""

from collections.abc import Callable, Sequence
from typing import Any

from systems.commands.dispatcher import perform
from systems.contract.table import Choices
from systems.dice.scripted import ScriptedDice
from systems.dice.sources import Dice, DiceCounts, DieRequest, Given, TakesTotals, given_of
from systems.encounter.events import Event
from tui.session.attempt import Attempt


class GivenThenMadeUp(TakesTotals):
    """A source that returns the given dice, then made-up faces: `made_up` maps the sides of a die to a face.

    `asked`: sides, reason and owner of every die so far. `begins`: the index of the first made-up one. Raises
    ValueError after `most` dice.
    """

    def __init__(self, given: Sequence[Given], made_up: Callable[[int], int], most: int) -> None:
        self._given, self._made_up, self._most = ScriptedDice(given), made_up, most
        self.asked: list[tuple[int, str, str]] = []
        self.begins: int | None = None

    def total(self, dice: DiceCounts, why: str = "", of: str = "") -> int | None:
        total = self._given.total(dice, why, of)
        if total is not None:
            self.asked += [(sides, why, of) for number, sides in dice for _ in range(number)]
        return total

    def face(self, sides: int, why: str = "", of: str = "") -> int:
        if len(self.asked) >= self._most:
            raise ValueError("too many dice")
        if self._given.left:
            face = self._given.face(sides, why, of)
        else:
            self.begins = len(self.asked) if self.begins is None else self.begins
            face = self._made_up(sides)
        self.asked.append((sides, why, of))
        return face


class MadeUpRun:
    """The command that needs a die: an attempt, or the command that an amendment replays.

    `faces` and `answers`: those given so far. Running it changes nothing.
    """

    def __init__(self, attempt: Attempt, needs: DieRequest) -> None:
        self._attempt, self._again = attempt, needs.again
        in_past = needs.again is not None
        before: Sequence[Given] = [given_of(roll) for roll in needs.before]
        self.faces: Sequence[Given] = before if in_past else attempt.faces
        self.answers: Sequence[Any] = needs.answers if in_past else attempt.answers

    def event(self, dice: Dice, choices: Choices) -> Event:
        """Return the event of the command. Raises what `perform` raises."""
        if self._again is not None:
            event: Event = self._again(dice, choices)
            return event
        session, command = self._attempt.session, self._attempt.command
        return perform(session.encounter, session.log, session.roster, command, dice, choices).event
