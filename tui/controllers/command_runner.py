"""Carry out one command at the table: ask for its dice and choices, then save and show it."""

from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING, Any, TypeVar

from systems.commands.replay import AmendmentConflict
from systems.commands.table import command_words
from systems.contract.table import ChoiceRequest
from systems.dice.sources import DieRequest, Given
from systems.encounter.history import Event
from systems.encounter.model import Encounter
from systems.errors import Misread, Refused
from systems.language.intents import Command
from systems.text import clean
from tui.campaign.problems import NotSaved
from tui.controllers.command_dice import CommandDice
from tui.controllers.other_dice import OtherDice, TypedForDie
from tui.display.refusals import message_of, misread_words, turn_now
from tui.lists.dice_asked import TypedDie, WrongCall, choice_asked, face_asked, given_for
from tui.prompts.dice_and_choices import ChoicePrompt, DieShown, FacePrompt
from tui.session.attempt import CANNOT_BE, Attempt, Left, Needs, Question, ReadOnly, carry_out, run
from tui.session.die_meaning import meaning_of, place_of
from tui.session.session import Session
from tui.session.undone_dice import UndoneDice

if TYPE_CHECKING:
    from tui.controllers.seat_asks import SeatAsks
    from tui.controllers.table import Table
    from tui.prompts.prompt import Prompt
    from tui.services import OpenPrompt


T = TypeVar("T")
_NO_FIGHT = "no fight is open; choose a campaign first"


class CommandRunner:
    """Carries out one command and saves its event. As its asker, it asks for dice and choices in prompts."""

    # The seat that asked for the command; "" for the table.
    seat = ""

    def __init__(
        self,
        table: "Table",
        line: str,
        then: Callable[[Event], None] | None = None,
        asked_by: "OpenPrompt | None" = None,
        read: Command | None = None,
    ) -> None:
        self.table, self.services = table, table.services
        self.line, self.then, self.asked_by, self.read = line, then, asked_by, read
        # The prompt of the last question.
        self.prompt: Prompt | None = None
        # Faces and totals typed in advance for the following dice.
        self.faces: list[TypedDie] = []
        # Dice of seats, and dice that several combatants roll at the same time; None before the first die.
        self.dice: CommandDice | None = None
        # The die that the table was typing when a seat rolled the one that was needed.
        self._typed_by_table: TypedForDie | None = None
        # Digits that were typed for a die before a decision was made.
        self._kept = ""
        # The unused dice of the same command, from before it was undone.
        self._undone: UndoneDice | None = None

    def go(self) -> None:
        """Carry out the command, up to its first question."""
        run(self._carried_out())

    async def _carried_out(self) -> None:
        try:
            if (session := self.table.session) is None:
                raise Refused(_NO_FIGHT)
            if session.read_only and (session := self.table.background.take_over()) is None:
                raise ReadOnly
            done = await carry_out(self.begin(session), self)
            if (session := self.table.session) is None:
                raise Refused(_NO_FIGHT)
            before = session.encounter
            event = self.keep(session, done)
        except Left:
            self.left()
        except Misread as error:
            self.refused(misread_words(self.line, error))
        except ReadOnly as error:
            why = self.table.fight.why_read_only if self.table.fight else ""
            self.refused(f"you can only watch here: {why}" if why else str(error))
        except NotSaved as error:
            self.refused(f"not saved, and nothing has changed: {error}")
        except CANNOT_BE as error:
            self.refused(str(error))
        else:
            self.done(event, before)
        finally:
            if self.dice is not None:
                self.dice.close()

    def _seat_asks(self) -> "SeatAsks | None":
        return self.table.desk.seat_asks() if self.table.desk is not None else None

    def keep(self, session: Session, done: Event) -> Event:
        """Save the result of the command. Raises NotSaved."""
        return session.keep(done, self.seat)

    def left(self) -> None:
        """End after one of the questions was cancelled. Nothing has changed."""

    def begin(self, session: Session) -> Attempt:
        """Return a new attempt of this command. Raises Misread."""
        return session.begin(self.line, asks=True, read=self.read)

    def description(self, attempt: Attempt) -> str:
        """Return the command as its questions show it: with names, else the line."""
        return command_words(attempt.session.encounter, attempt.command) or self.line

    # The asker

    async def run(self, attempt: Attempt) -> Event | Needs:
        return attempt.run()

    async def die(self, attempt: Attempt, needs: DieRequest) -> Given | None:
        """Return the face that was typed in advance or rolled before an undo, else ask for it."""
        dice = self.dice = self.dice or CommandDice(self._seat_asks)
        if (known := dice.known(attempt, needs)) is not None:
            return known
        # The effect of the faces takes a while to calculate.
        meaning = cache(partial(meaning_of, attempt, needs))

        def given(typed: Sequence[TypedDie]) -> Given | None:
            """Return the first of these dice, and keep the others for the next questions.

            Without dice, return None. Raises WrongCall.
            """
            found = given_for(needs, typed[0], lambda: meaning().added.bonus) if typed else None
            self.faces = list(typed[1:])
            return found

        wrong, typed, self._kept = "", self._kept, ""
        if self.faces:
            typed = " ".join(map(str, self.faces))
            try:
                return given(self.faces)
            except WrongCall as error:
                wrong, self.faces = str(error), []
        undone = self._undone = self._undone or UndoneDice(attempt)
        before = undone.faces(needs)
        if before and undone.takes_again and not wrong:
            return undone.take(needs)
        question: Question[Given | None] = Question()

        def take(typed: Sequence[TypedDie]) -> str:
            try:
                found = given(typed)
            except WrongCall as error:
                return str(error)
            question.answer(found)
            return ""

        def take_again() -> None:
            undone.takes_again = True
            question.answer(undone.take(needs))

        def explain() -> tuple[str, str]:
            return meaning().does_in_full, meaning().adds

        place, words = place_of(attempt, needs), self.description(attempt)
        asked = face_asked(attempt.session.encounter, needs, words, place)
        die = DieShown(asked, take, explain, before, take_again, needs.of)
        prompt = FacePrompt(self.services, die, typed)
        return await self._ask_die(attempt, needs, dice, prompt, question, wrong)

    async def choice(self, attempt: Attempt, needs: ChoiceRequest) -> Any:
        question: Question[Any] = Question()
        asked = choice_asked(attempt.session.encounter, needs, self.description(attempt))

        def keep(typed: str) -> None:
            self._kept = typed

        prompt = ChoicePrompt(
            self.services,
            asked,
            lambda at: question.answer(needs.choices[at]),
            question.answer,
            keep if attempt.session.dice != "program" else None,
        )
        return await self._ask_choice(attempt, needs, prompt, question)

    async def leave_out(self, attempt: Attempt, refused: AmendmentConflict) -> Attempt:
        raise refused

    async def go_ahead(self, attempt: Attempt, done: Event) -> None:
        pass

    # Questions

    async def _ask_die(
        self,
        attempt: Attempt,
        needs: DieRequest,
        dice: CommandDice,
        prompt: FacePrompt,
        question: Question[Given | None],
        wrong: str,
    ) -> Given | None:
        """Ask for a die at the table and at its owner's seat. The first answer counts.

        The dice of others that are rolled at the same time are asked for as well. `wrong`: why dice that were
        typed in advance are refused.
        """
        self.prompt = prompt
        others = OtherDice(self.services, dice, attempt, prompt)

        def answered(given: Given) -> None:
            self._typed_by_table = others.typed_now()
            self.seat_answers(question, given)

        typed_before, self._typed_by_table = self._typed_by_table, None
        is_shared = dice.ask(attempt, needs, answered, others.changed)
        try:
            self.show(needs, prompt, question, is_shared=is_shared)
            if wrong:
                self.services.say(wrong, error=True)
            others.go_on(typed_before)
            return await question
        finally:
            dice.settled(needs)

    async def _ask_choice(
        self, attempt: Attempt, needs: ChoiceRequest, prompt: "Prompt", question: Question[Any]
    ) -> Any:
        """Ask for a choice at the table, and at the seat that owns it. The first answer counts."""
        self.prompt, asks, asked_seat = prompt, self._seat_asks(), None
        if asks is not None:
            asked_seat = asks.ask_choice(attempt, needs, lambda value: self.seat_answers(question, value))
        try:
            self.show(needs, prompt, question, is_shared=asked_seat is not None)
            return await question
        finally:
            if asked_seat is not None:
                asked_seat.withdraw()

    def show(self, needs: Needs, prompt: "Prompt", question: Question[Any], *, is_shared: bool) -> None:
        """Show the prompt of a question. `is_shared`: a seat has the question, too."""
        del needs, is_shared
        prompt.on_close = question.leave
        self.services.prompts.open(prompt)

    def seat_answers(self, question: Question[Any], value: Any) -> None:
        """Take a seat's answer to a question."""
        question.answer(value)

    # The end

    def refused(self, sentence: str) -> None:
        """Report why the command is refused. Nothing has changed, and the typed text can be corrected.

        Keys typed ahead go to the reopened prompt, not to a fight in an unexpected state.
        """
        if self.prompt:
            self.prompt.close()
        if self.asked_by:
            self.services.prompts.open(self.asked_by)
        self.services.say(clean(sentence, 400), error=True)

    def done(self, event: Event, before: Encounter) -> None:
        """Show an event that is saved. `before`: the fight before it."""
        if self.prompt:
            self.prompt.close()
        spare = [*map(str, self.faces), *self._kept.split()]
        unused = f"typed but not needed: {', '.join(spare)}" if spare else ""
        self.services.say(self.message(event, before) or unused)
        self.services.show_change()
        if self.then:
            self.then(event)

    def message(self, event: Event, before: Encounter) -> str:
        """Return what to say about an event that is saved."""
        # If the log above shows the line, it is not repeated below.
        said = "" if self.services.log_shows_newest else message_of(event)
        if (session := self.table.session) is not None:
            if event.kind in ("undo", "redo") and (turn := turn_now(session.encounter)) != turn_now(before):
                said = f"{said} {turn}".strip()
            if session.roster_words:
                said = f"{said} {session.roster_words}".strip()
        return said
