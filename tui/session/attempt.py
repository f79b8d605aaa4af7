"""A command that is being carried out: read, run as far as its dice and choices are known, and run again.

Each die is given by hand or rolled by the program.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, Protocol, TypeVar

from systems.commands.dispatcher import Done as Done
from systems.commands.dispatcher import perform, performing
from systems.commands.membership import JoiningEntry
from systems.commands.reading import read_command as read_command
from systems.commands.replay import ReplayProgress
from systems.contract.ruleset import Ruleset
from systems.contract.table import (
    ChoiceRequest,
    Choices,
    NeedsChoice,
    ScriptedChoices,
    Suggested,
    WrongChoice,
)
from systems.dice.expression import DiceError
from systems.dice.scripted import ScriptedDice, WrongDie, check_total
from systems.dice.sources import (
    Dice,
    DiceCounts,
    DieRequest,
    Given,
    NeedsFace,
    StreamedDice,
    Streams,
    TakesTotals,
    Total,
)
from systems.encounter.history import History
from systems.encounter.model import Encounter
from systems.errors import Refused, Wrong
from systems.language.intents import Command
from systems.odds import TooManyDice
from tui.campaign.lock import READ_ONLY
from tui.campaign.problems import FileProblem

# Errors for commands that the user may type but that cannot be carried out.
CANNOT_BE = (Refused, Wrong, WrongDie, WrongChoice, DiceError, FileProblem, TooManyDice)


class ReadOnly(ValueError):
    """Another program has the campaign open, so nothing can be changed here."""

    def __init__(self) -> None:
        super().__init__(READ_ONLY)


T = TypeVar("T")


class MixedDice(StreamedDice, TakesTotals):
    """A source that returns the given faces and totals, then rolls dice that are not real.

    The program's rolls are added to `faces`, so that a second run gets the same dice. They come from the
    stream of the die. Raises NeedsFace for a real die whose face has not been given yet. Each die, and the
    first of each total, is added to `asked`.
    """

    def __init__(
        self,
        faces: list[Given],
        streams: Streams,
        is_real: Callable[[str], bool],
        asked: list[object] | None = None,
    ) -> None:
        self._faces, self._streams, self._is_real = faces, streams, is_real
        self._asked = [] if asked is None else asked
        self._at = 0

    def total(self, dice: DiceCounts, why: str = "", of: str = "") -> int | None:
        total = ScriptedDice(self._faces[self._at : self._at + 1]).total(dice, why, of)
        if total is not None:
            self._asked.append((dice[0][1], why, of))
            self._at += 1
        return total

    def face(self, sides: int, why: str = "", of: str = "") -> int:
        self._asked.append((sides, why, of))
        if self._at == len(self._faces):
            if self._is_real(of):
                raise NeedsFace(DieRequest(sides, why, of))
            self._faces.append(self._streams.named(self.stream).randint(1, sides))
        face = ScriptedDice([self._faces[self._at]]).face(sides, why, of)
        self._at += 1
        return face


class GivenChoices(ScriptedChoices):
    """Answers given in order. Each question is added to `asked`."""

    def __init__(self, answers: Sequence[Any], asked: list[object]) -> None:
        super().__init__(answers)
        self._asked = asked

    def answer(self, question: str, choices: Sequence[T], of: str, suggest: T, id: str = "") -> T:
        self._asked.append((question, tuple(choices), of))
        return super().answer(question, choices, of, suggest, id)


def check_given(needs: DieRequest, given: Given) -> None:
    """Check the face of a real die, or the total of its sum. Raises WrongDie if it is impossible."""
    if isinstance(given, Total) and needs.sum_of and not needs.in_sum:
        check_total(given.value, needs.sum_of, needs.why)
    else:
        ScriptedDice([given]).face(needs.sides, needs.why, needs.of)


Needs = DieRequest | ChoiceRequest


class OpenFight(Protocol):
    """What a command needs of the session."""

    game: Ruleset
    encounter: Encounter
    log: History
    roster: Mapping[str, JoiningEntry]
    streams: Streams

    @property
    def dice(self) -> str: ...

    def is_real(self, of: str) -> bool: ...


class Attempt:
    """A command that is being carried out: the dice and answers so far, and what it still needs.

    `run` returns the die or choice that is needed, or the finished Done. Nothing changes until
    `Session.keep`. Raises what `systems.commands.dispatcher` raises for a command that is refused.
    """

    def __init__(self, session: OpenFight, command: Command, asks: bool) -> None:
        self.session, self.command, self._asks = session, command, asks
        self._begun_in = session.encounter
        self.faces: list[Given] = []
        self._dice: MixedDice | None = None
        self.answers: list[Any] = []
        # The dice and choices that the last run asked for, in order.
        self._asked: list[object] = []
        # Whether the last run dropped what was given, because the fight has changed.
        self.has_begun_again = False

    def run(self) -> Done | Needs:
        """Run the command as far as its dice and choices are known.

        After a change of the fight, given dice and answers stay valid if the command needs the same ones in
        the same order. Otherwise it begins again without them.
        """
        asked, has_moved = self._asked, not self.is_of_now
        self._begun_in, self.has_begun_again = self.session.encounter, False
        if not has_moved or not (self.faces or self.answers):
            return self._perform()
        with suppress(WrongDie, WrongChoice):
            found = self._perform()
            if self._asked[: len(asked)] == asked:
                return found
        self.has_begun_again = True
        self.faces.clear()
        self.answers.clear()
        return self._perform()

    def _perform(self) -> Done | Needs:
        session = self.session
        try:
            return perform(session.encounter, session.log, session.roster, self.command, *self._chance())
        except (NeedsFace, NeedsChoice) as needs:
            return needs.request

    def steps(self) -> Iterator[ReplayProgress | Done | Needs]:
        """Run a command that may take long in steps; the last step is the value that `run` returns."""
        session = self.session
        try:
            yield from performing(
                session.encounter, session.log, session.roster, self.command, *self._chance()
            )
        except (NeedsFace, NeedsChoice) as needs:
            yield needs.request

    @property
    def is_of_now(self) -> bool:
        """Return whether the fight is unchanged since the last run."""
        return self.session.encounter is self._begun_in

    def _chance(self) -> tuple[Dice, Choices]:
        """Return the dice and answers, from the first one on."""
        session = self.session
        if not self.is_of_now:
            # The fight went on meanwhile: these dice and answers were for another state of it.
            self.faces.clear()
            self.answers.clear()
            self._begun_in = session.encounter
        self._asked = asked = list[object]()
        is_real = session.is_real if self._asks else _never
        self._dice = dice = MixedDice(self.faces, session.streams, is_real, asked)
        return dice, GivenChoices(self.answers, asked) if self._asks else Suggested()

    def give(self, needs: DieRequest, given: Given) -> None:
        """Add the face of a real die, or the total of its sum. Raises WrongDie if it is impossible."""
        check_given(needs, given)
        self.faces.append(given)

    def roll(self, needs: DieRequest) -> int:
        """Let the program roll this real die."""
        stream = self._dice.stream if self._dice else ""
        face = self.session.streams.named(stream).randint(1, needs.sides)
        self.faces.append(face)
        return face

    def answer(self, value: Any) -> None:
        """Add the answer to the choice that `run` returned."""
        self.answers.append(value)


def _never(of: str) -> bool:
    return False
