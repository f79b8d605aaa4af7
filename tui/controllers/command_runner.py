"""Carry out one command at the table: ask for its dice and choices, then save and show it."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from systems.commands.dispatcher import Done
from systems.commands.titles import command_words
from systems.contract.table import ChoiceRequest
from systems.dice.sources import DieRequest, Given
from systems.encounter.history import Event
from systems.errors import Misread
from systems.text import clean
from tui.campaign.problems import NotSaved
from tui.display.refusals import cannot_show, message_of, misread_words, turn_now
from tui.lists.called_total import WrongCall, given_for
from tui.lists.dice_asked import Called, TypedDie, choice_asked, face_asked
from tui.prompts.dice_and_choices import ChoicePrompt, FacePrompt
from tui.session.attempt import CANNOT_BE, Attempt, Needs, ReadOnly
from tui.session.dice_count import place_of
from tui.session.die_meaning import meaning_of
from tui.session.session import Session
from tui.session.undone_dice import UndoneDice

if TYPE_CHECKING:
    from tui.controllers.desk import SharedQuestion
    from tui.controllers.table import Table
    from tui.prompts.prompt import Prompt
    from tui.services import OpenPrompt
    from tui.session.die_meaning import DieMeaning


class CommandRunner:
    """Runs an attempt until it has every die and choice, and saves its event."""

    def __init__(
        self,
        table: "Table",
        line: str,
        then: Callable[[Event], None] | None = None,
        asked_by: "OpenPrompt | None" = None,
    ) -> None:
        self.table, self.services = table, table.services
        self.line, self.then, self.asked_by = line, then, asked_by
        self.attempt: Attempt | None = None
        self.prompt: Prompt | None = None
        # The die or choice that the question is for.
        self.needs: Needs | None = None
        # Faces and totals typed in advance for the following dice.
        self.faces: list[TypedDie] = []
        # Digits that were typed for a die before a decision was made.
        self._kept = ""
        # The effect of the faces of the current die, once it is calculated.
        self._meaning: tuple[DieRequest, DieMeaning] | None = None
        # The unused dice of the same command, from before it was undone.
        self._undone: UndoneDice | None = None
        # The same question at a seat, if one was asked.
        self._asked_seat: SharedQuestion | None = None

    @property
    def description(self) -> str:
        """Return the command as its questions show it: with names, else the line."""
        if self.attempt is None:
            return self.line
        return command_words(self.attempt.session.encounter, self.attempt.command) or self.line

    def go(self) -> None:
        """Start, or continue after an answer."""
        if self._asked_seat:
            self._asked_seat.withdraw()
            self._asked_seat = None
        session = self.table.session
        if session is None:
            self._end("no fight is open; choose a campaign first")
            return
        try:
            if self.attempt is None:
                if session.read_only:
                    session = self.table.background.take_over()
                    if session is None:
                        raise ReadOnly
                self.attempt = self.begin(session)
            found = self.run(self.attempt)
            if not isinstance(found, Done):
                self._ask(self.attempt, found)
                return
            before = turn_now(session.encounter)
            event = self.keep(session, found)
        except Misread as error:
            self._end(misread_words(self.line, error))
        except ReadOnly as error:
            fight = self.table.fight
            self._end(
                f"you can only watch here: {fight.why_read_only}"
                if fight and fight.why_read_only
                else str(error)
            )
        except NotSaved as error:
            self._end(f"not saved, and nothing has changed: {error}")
        except CANNOT_BE as error:
            self._end(str(error))
        else:
            turn = turn_now(session.encounter)
            self._done(event, turn if turn != before else "")

    def begin(self, session: Session) -> Attempt:
        """Return the attempt of this command. Raises Misread."""
        return session.begin(self.line, asks=True)

    def run(self, attempt: Attempt) -> Done | Needs:
        """Run the attempt as far as its dice and choices are known. Raises the error if it is refused."""
        return attempt.run()

    def keep(self, session: Session, done: Done) -> Event:
        """Save the event. Raises NotSaved."""
        return session.keep(done)

    def _ask(self, attempt: Attempt, needs: Needs) -> None:
        """Open the question for a die or a choice. Its answer continues the attempt."""
        self.needs = needs
        if isinstance(needs, ChoiceRequest):
            self._ask_choice(attempt, needs)
        else:
            self._ask_face(attempt, needs)

    def _ask_choice(self, attempt: Attempt, needs: ChoiceRequest) -> None:
        def answer(given: Any) -> None:
            attempt.answer(given)
            self.go()

        choices = needs.choices
        self._ask_seat(attempt, needs, answer)
        asked = choice_asked(attempt.session.encounter, needs, self.description)
        keep = self._keep_for_die if attempt.session.dice != "program" else None
        self.prompt = ChoicePrompt(self.services, asked, lambda at: answer(choices[at]), answer, keep)
        self.show_question(self.prompt)

    def _keep_for_die(self, typed: str) -> None:
        self._kept = typed

    def _ask_face(self, attempt: Attempt, needs: DieRequest) -> None:
        """Use the face that was typed in advance or rolled before an undo, else ask for it."""
        wrong, typed, self._kept = "", self._kept, ""
        if self.faces:
            typed = " ".join(map(str, self.faces))
            if not (wrong := self._take(attempt, needs, self.faces)):
                return
            self.faces = []
        undone = self._undone_dice_of(attempt)
        before = undone.faces(needs)
        if before and undone.takes_again and not wrong:
            self._take_again(attempt, needs)
            return
        self._open_face_prompt(attempt, needs, before, typed)
        if wrong:
            self.services.say(wrong, error=True)

    def _open_face_prompt(
        self, attempt: Attempt, needs: DieRequest, before: Sequence[Given], typed: str
    ) -> None:
        """Ask for a face. `before`: dice rolled before an undo. `typed`: text to start with."""

        def again() -> None:
            self._undone_dice_of(attempt).takes_again = True
            self._take_again(attempt, needs)

        def explain() -> tuple[str, str]:
            meaning = self._meaning_of(attempt, needs)
            return meaning.does_in_full, meaning.adds

        self._ask_seat(attempt, needs, lambda given: self._go_on_with(attempt, needs, given, ()))
        self.prompt = FacePrompt(
            self.services,
            face_asked(attempt.session.encounter, needs, self.description, place_of(attempt, needs)),
            lambda given: self._take(attempt, needs, given),
            explain,
            before,
            again,
            typed,
        )
        self.show_question(self.prompt)

    def _take(self, attempt: Attempt, needs: DieRequest, typed: Sequence[TypedDie]) -> str:
        """Use the first of these dice, and keep the others for the next questions. Without dice, roll.

        Returns why the first is refused, or "".
        """
        given: Given | None = None
        if typed:
            bonus = self._meaning_of(attempt, needs).added.bonus if isinstance(typed[0], Called) else 0
            try:
                given = given_for(needs, typed[0], bonus)
            except WrongCall as error:
                return str(error)
            if isinstance(given, int) and not 1 <= given <= needs.sides:
                return cannot_show(needs.sides, given)
        self._go_on_with(attempt, needs, given, typed[1:])
        return ""

    def _go_on_with(
        self, attempt: Attempt, needs: DieRequest, given: Given | None, rest: Sequence[TypedDie]
    ) -> None:
        """Continue with a die or a total; None: roll. `rest`: dice typed for the next questions."""
        if given is None:
            attempt.roll(needs)
        else:
            attempt.give(needs, given)
        self.faces = list(rest)
        self.go()

    def _meaning_of(self, attempt: Attempt, needs: DieRequest) -> "DieMeaning":
        """Return the effect of a die's faces, and its bonus."""
        if self._meaning is None or self._meaning[0] is not needs:
            self._meaning = needs, meaning_of(attempt, needs)
        return self._meaning[1]

    def _undone_dice_of(self, attempt: Attempt) -> "UndoneDice":
        """Return the dice of the same command from before it was undone."""
        if self._undone is None:
            self._undone = UndoneDice(attempt)
        return self._undone

    def _take_again(self, attempt: Attempt, needs: DieRequest) -> None:
        """Use the face rolled before the undo for this die, and continue."""
        attempt.give(needs, self._undone_dice_of(attempt).take(needs))
        self.go()

    def _ask_seat(self, attempt: Attempt, needs: Needs, answered: Callable[[Any], None]) -> None:
        """Also ask the seat that owns the die or choice. The first answer counts."""
        if (desk := self.table.desk) is not None:
            self._asked_seat = desk.ask(attempt, needs, answered)

    def show_question(self, prompt: "Prompt") -> None:
        """Show the question for a die or a choice."""
        prompt.on_close = self.left
        self.services.prompts.open(prompt)

    def left(self) -> None:
        """Drop an unfinished command after its question was closed."""
        if self._asked_seat:
            self._asked_seat.withdraw()
            self._asked_seat = None

    def _end(self, sentence: str) -> None:
        """Report why the command is refused. Nothing has changed, and the typed text can be corrected.

        Keys typed ahead go to the reopened prompt, not to a fight in an unexpected state.
        """
        self._over()
        if self.asked_by:
            self.services.prompts.open(self.asked_by)
        self.services.say(clean(sentence, 400), error=True)

    def _over(self) -> None:
        """Close the prompt and withdraw the question from the seat."""
        if self._asked_seat:
            self._asked_seat.withdraw()
            self._asked_seat = None
        if self.prompt:
            self.prompt.close()

    def _done(self, event: Event, turn: str) -> None:
        self._over()
        spare = [*map(str, self.faces), *self._kept.split()]
        unused = f"typed but not needed: {', '.join(spare)}" if spare else ""
        # If the log above shows the line, it is not repeated below.
        said = "" if self.services.log_shows_newest else message_of(event)
        if turn and event.kind in ("undo", "redo"):
            said = f"{said} {turn}".strip()
        if (session := self.table.session) is not None and session.roster_words:
            said = f"{said} {session.roster_words}".strip()
        self.services.say(said or unused)
        self.services.show_change()
        if self.then:
            self.then(event)
