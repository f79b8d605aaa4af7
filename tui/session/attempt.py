"""Carry out a command: run it, ask for the die or the choice that it needs, and run it again.

Each die is given by hand or rolled by the program.
"""

from collections.abc import Callable, Coroutine, Generator, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, Generic, Protocol, TypeVar

from systems.commands.dispatcher import performing
from systems.commands.replay import AmendmentConflict, ReplayProgress
from systems.commands.table import read_command as read_command
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
from systems.encounter.events import Event
from systems.encounter.history import History
from systems.encounter.model import Encounter
from systems.encounter.roster import JoiningEntry
from systems.errors import Refused, Wrong
from systems.language.intents import Command
from systems.odds import TooManyDice
from tui.campaign.lock import READ_ONLY
from tui.campaign.problems import FileProblem

# Errors for commands that the user may type but that cannot be carried out.
CANNOT_BE = (Refused, Wrong, WrongDie, WrongChoice, DiceError, FileProblem, TooManyDice)
T = TypeVar("T")


class ReadOnly(ValueError):
    """Another program has the campaign open, so nothing can be changed here."""

    def __init__(self) -> None:
        super().__init__(READ_ONLY)


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
        if self._at == len(self._faces):
            return None
        total = ScriptedDice(self._faces[self._at : self._at + 1]).total(dice, why, of)
        if total is not None:
            self._asked.append((dice[0][1], why, of))
            self._at += 1
        return total

    def face(self, sides: int, why: str = "", of: str = "") -> int:
        self._asked.append((sides, why, of))
        if self._at < len(self._faces) or self._is_real(of):
            face = ScriptedDice(self._faces[self._at : self._at + 1]).face(sides, why, of)
        else:
            face = self._streams.named(self.stream).randint(1, sides)
            self._faces.append(face)
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

    `run` returns the die or choice that is needed, or the finished event. Nothing changes until
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

    def run(self) -> Event | Needs:
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

    def _perform(self) -> Event | Needs:
        return next(step for step in self.steps() if not isinstance(step, ReplayProgress))

    def steps(self) -> Iterator[ReplayProgress | Event | Needs]:
        """Run the command in steps, since it may take long; the last step is the value that `run` returns."""
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

    def reuse(self, earlier: "Attempt") -> None:
        """Use the dice and answers of an earlier attempt, if it has any."""
        self.faces[:] = earlier.faces or self.faces
        self.answers[:] = earlier.answers or self.answers


def _never(of: str) -> bool:
    return False


class Left(Exception):
    """The user cancelled a command at one of its questions; nothing has changed."""


class Asker(Protocol):
    """Asks for what a command needs. Each method may raise Left, or an error that refuses the command."""

    async def run(self, attempt: Attempt) -> Event | Needs:
        """Run the attempt as far as its dice and choices are known. Raises the error if it is refused."""

    async def die(self, attempt: Attempt, needs: DieRequest) -> Given | None:
        """Return the face of a real die or the total of its sum; None lets the program roll it."""

    async def choice(self, attempt: Attempt, needs: ChoiceRequest) -> Any:
        """Return the answer to a choice."""

    async def leave_out(self, attempt: Attempt, refused: AmendmentConflict) -> Attempt:
        """Ask about later events that do not fit an amendment; return the attempt without them."""

    async def go_ahead(self, attempt: Attempt, done: Event) -> None:
        """Return if the result may be saved."""


async def carry_out(attempt: Attempt, asker: Asker) -> Event:
    """Return the result of a command once it has every die and choice. The caller saves it.

    Raises what the asker raises.
    """
    while True:
        try:
            found = await asker.run(attempt)
        except AmendmentConflict as refused:
            attempt = await asker.leave_out(attempt, refused)
            continue
        if isinstance(found, ChoiceRequest):
            attempt.answer(await asker.choice(attempt, found))
        elif isinstance(found, DieRequest):
            if (given := await asker.die(attempt, found)) is None:
                attempt.roll(found)
            else:
                attempt.give(found, given)
        elif attempt.is_of_now:
            await asker.go_ahead(attempt, found)
            # If the fight has changed in the meantime, the command runs again.
            if attempt.is_of_now:
                return found


def at_once(coroutine: Coroutine[Any, Any, T]) -> T:
    """Return the result of a coroutine that never waits, because its asker answers each question at once."""
    try:
        coroutine.send(None)
    except StopIteration as ended:
        result: T = ended.value
        return result
    raise RuntimeError("the asker has to answer at once")


class Question(Generic[T]):
    """A question that a coroutine awaits. The first answer runs the coroutine on, up to its next question."""

    def __init__(self) -> None:
        self._waiting: Coroutine[Any, Any, None] | None = None

    def __await__(self) -> "Generator[Question[T], T, T]":
        return (yield self)

    def answer(self, value: T) -> None:
        """Answer the question, unless it is answered already."""
        if (waiting := self._taken()) is not None:
            run(waiting, value)

    def leave(self) -> None:
        """Raise Left in the coroutine, unless the question is answered already."""
        if (waiting := self._taken()) is not None:
            run(waiting, Left())

    def run_on(self, coroutine: Coroutine[Any, Any, None]) -> None:
        """Set the coroutine that an answer runs on."""
        self._waiting = coroutine

    def _taken(self) -> Coroutine[Any, Any, None] | None:
        waiting, self._waiting = self._waiting, None
        return waiting


def run(coroutine: "Coroutine[Question[Any], Any, None]", given: Any = None) -> None:
    """Run a coroutine up to its next question. `given`: the answer to the last one, or Left.

    It needs no event loop: an answer runs the coroutine on before `Question.answer` returns.
    """
    with suppress(StopIteration):
        step = coroutine.throw if isinstance(given, Left) else coroutine.send
        step(given).run_on(coroutine)
