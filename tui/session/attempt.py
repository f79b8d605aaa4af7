"""A command that is being carried out: read, run as far as its dice and choices are known, and run again."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any, Protocol

from systems.commands.dispatcher import Done as Done
from systems.commands.dispatcher import perform, performing
from systems.commands.membership import JoiningEntry
from systems.commands.reading import read_command as read_command
from systems.commands.replay import ReplayProgress
from systems.contract.ruleset import Ruleset
from systems.contract.table import ChoiceRequest, Choices, NeedsChoice, Suggested, WrongChoice
from systems.dice.scripted import WrongDie
from systems.dice.sources import Dice, DieRequest, Given, NeedsFace, Streams
from systems.encounter.history import History
from systems.encounter.model import Encounter
from systems.language.intents import Command
from tui.session.mixed_dice import GivenChoices, MixedDice, check_given

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
