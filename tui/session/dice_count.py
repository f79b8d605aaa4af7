"""The place of a real die in its pool, such as the third of nine, found by a run with made-up dice."""

from collections.abc import Callable, Sequence
from typing import Any

from systems.commands.dispatcher import perform
from systems.contract.table import Choices, NeedsChoice, ScriptedChoices
from systems.dice.scripted import ScriptedDice
from systems.dice.sources import Dice, DiceCounts, DieRequest, Given, TakesTotals, given_of
from systems.encounter.events import Event
from tui.session.attempt import Attempt

# With more dice than these, the pool is not counted in advance.
MOST = 300


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


def place_of(attempt: Attempt, needs: DieRequest) -> tuple[int, int | None]:
    """Return the place of the next die in its run of equal dice, and the length of that run.

    The length is None if it depends on the faces: the dice are counted once with the lowest and once with the
    highest faces.
    """
    run = MadeUpRun(attempt, needs)
    counts: set[int | None] = set()
    place = 1
    for made_up in (lambda sides: 1, lambda sides: sides):
        dice = GivenThenMadeUp(run.faces, made_up, MOST)
        ended, asked, here = _is_whole(run, dice), dice.asked, dice.begins
        if here is None:
            return 1, None
        start = end = here
        while start and asked[start - 1] == asked[here]:
            start -= 1
        while end < len(asked) and asked[end] == asked[here]:
            end += 1
        place = here - start + 1
        counts.add(end - start if ended or end < len(asked) else None)
    return place, counts.pop() if len(counts) == 1 else None


def _is_whole(run: MadeUpRun, dice: GivenThenMadeUp) -> bool:
    """Run the command with these dice; return whether it needs no more."""
    try:
        run.event(dice, ScriptedChoices(run.answers))
    except NeedsChoice:
        # The dice before a choice are all known.
        return True
    except Exception:  # noqa: BLE001 - an error is reported when it happens, not while dice are counted
        return False
    return True
