"""Carry out a seat's request as a command at the table."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

from systems.contract.marked_text import possessive
from systems.dice.sources import DieRequest
from systems.encounter.history import Event
from systems.encounter.model import Encounter
from systems.errors import Refused
from systems.frozen import frozen
from systems.language.intents import Command
from systems.text import clean
from systems.visibility.acting import SeatCommand
from systems.visibility.viewer import Viewer
from tui.controllers.command_runner import CommandRunner
from tui.controllers.seat_asks import unused_words
from tui.controllers.seat_meaning import RequestTurn, TurnSeen, said_to_seat
from tui.lists.dice_asked import owner_of
from tui.session.attempt import Attempt, Needs, Question
from tui.session.session import Session

if TYPE_CHECKING:
    from tui.controllers.table import Table
    from tui.prompts.prompt import Prompt

WAITS = "Waiting for the game master: {}"
_ASKED_AGAIN = "The fight has changed in the meantime, so this is asked again."


@frozen(eq=False)
class SeatRequest:
    """A line sent by a seat. The table adds the facts after `is_roll` once it has checked the line.

    `n`: the event after which it was typed. `command`: its meaning then, with ids. `waits`: it waits for the
    game master. `took_offer`: it accepts an offer. `is_roll`: a plain roll, which needs no permission.
    `asker`: the character's name. `says`: the command in words. `turn`: the round and turn in which it
    arrived. `ends`: the turn that it ends, as the seat saw it, or None. `by`: the id of the acting combatant.
    `does`: the name of the command. `about`: the turn after which it lapses, or None. `arrival`: its number.
    """

    id: str
    seat: str
    viewer: Viewer
    line: str
    n: int
    encounter: str
    command: Command
    is_roll: bool = False
    waits: bool = True
    took_offer: bool = False
    asker: str = ""
    says: str = ""
    turn: tuple[int, str | None] | None = None
    ends: TurnSeen | None = None
    by: str = ""
    does: str = ""
    about: RequestTurn | None = None
    arrival: int = 0

    def words_in(self, turn: tuple[int, str | None]) -> str:
        """Return the request as text for the game master, with a note if it is from an earlier turn."""
        return self.words if self.turn in (None, turn) else f"{self.words} (from an earlier turn)"

    @property
    def words(self) -> str:
        """Return the request as text: `Okado asks: attack on Guard 1`."""
        return clean(f"{self.asker} asks: {self.says}", 400)


WENT_WRONG = "Something went wrong at the table. Read the log before you send this again."


class RequestDesk(Protocol):
    """The desk of requests as a command runner uses it."""

    table: "Table"
    questions: list["SeatCommandRunner"]

    def checked(self, request: SeatRequest) -> SeatCommand:
        """Return the command of a request in the current fight. Raises Misread, Refused or Wrong."""

    def tell(self, request: SeatRequest, text: str) -> None:
        """Send a seat a sentence while its request continues."""

    def answer(self, request: SeatRequest, text: str, *, ok: bool) -> None:
        """Send a seat the result of its request as a sentence."""

    def answer_no(self, request: SeatRequest) -> None:
        """Tell a seat that the game master refuses its request."""

    def end_in_sight(self, request: SeatRequest) -> None:
        """Answer a request that ended a turn, when the seat sees the next turn."""

    def stand(self, question: "SeatCommandRunner") -> None:
        """Show a question on the line of offers."""

    def forget_question(self, question: "SeatCommandRunner") -> None:
        """Remove a question that was answered or opened."""

    def leave(self) -> None:
        """Hide the waiting items until another arrives."""


class SeatCommandRunner(CommandRunner):
    """Carries out the request of a seat. `is_quiet`: the game master has not chosen it.

    Its dice and choices open no question at the table, which could take keys meant for another prompt. They
    wait on the line of offers until the game master chooses them.
    """

    def __init__(
        self,
        desk: RequestDesk,
        request: SeatRequest,
        then: Callable[[], None] | None = None,
        *,
        is_quiet: bool = False,
    ) -> None:
        super().__init__(desk.table, request.line)
        self.desk, self.request, self.is_quiet = desk, request, is_quiet
        self.seat, self._go_on = request.seat, then
        # The needed die or choice, and its question.
        self.needs: Needs | None = None
        self.question: Question[Any] | None = None
        # Whether the game master answers the question.
        self._is_answered_here = False
        self._answered_by_seat = False

    def description(self, attempt: Attempt) -> str:
        return self.request.words

    def begin(self, session: Session) -> Attempt:
        return Attempt(session, self.desk.checked(self.request).command, asks=True)

    async def run(self, attempt: Attempt) -> Event | Needs:
        # The fight may have changed while the table was busy or a die was open.
        if self.desk.checked(self.request).waits and not (self.request.waits or self.request.is_roll):
            raise Refused("this turn is over: send it again, and it waits for the game master")
        found = attempt.run()
        if attempt.has_begun_again:
            self.desk.tell(self.request, _ASKED_AGAIN)
        return found

    # Dice and choices

    @property
    def words(self) -> str:
        """Return the question and its request as text."""
        needs, session = self.needs, self.table.session
        assert needs is not None
        owner = owner_of(session.encounter if session else None, needs.of)
        asked = f"{owner} decides"
        if isinstance(needs, DieRequest):
            why = f" {needs.purpose}" if needs.purpose and needs.purpose not in self.request.says else ""
            asked = f"{possessive(owner)} d{needs.sides}{why}"
        whose = "" if owner == self.request.asker else f", for {self.request.asker}"
        return clean(f"{asked}{whose}: {self.request.says}", 400)

    @property
    def _is_open(self) -> bool:
        return self.prompt is not None and self.services.prompts.current is self.prompt

    def show(self, needs: Needs, prompt: "Prompt", question: Question[Any], *, is_shared: bool) -> None:
        self.needs, self.question = needs, question
        prompt.on_close = self._set_aside
        if self._is_answered_here or not (self.is_quiet or is_shared):
            self.open_question()
        else:
            self.desk.stand(self)
            self._tell_who_waits(needs)

    def _tell_who_waits(self, needs: Needs) -> None:
        """Tell the seat that its command waits, unless it has the question itself or must not know."""
        session = self.table.session
        owner = session.encounter.combatants.get(needs.of) if session is not None else None
        is_own = owner is not None and self.request.viewer.owns(owner)
        is_known = not needs.is_concealed and (owner is None or owner.in_sight)
        if is_known and not is_own:
            self.desk.tell(self.request, WAITS.format(self.request.says))

    def open_question(self) -> None:
        """Open the question for the game master."""
        self._is_answered_here = True
        self._answered_by_seat = False
        self.desk.forget_question(self)
        if self.prompt is not None:
            self.services.prompts.open(self.prompt)

    def seat_answers(self, question: Question[Any], value: Any) -> None:
        """Take a seat's answer; a key meant for the question at the table must not answer the next one."""
        was_in_sight = self._is_open or self in self.desk.questions[:1]
        self._close()
        if was_in_sight and self.services.prompts.current is None:
            self.services.say(clean(f"{self.request.asker} has answered.", 400))
        self._is_answered_here = False
        self._answered_by_seat = True
        question.answer(value)

    def _set_aside(self) -> None:
        """Return the closed, unanswered question to the line of offers, hidden for now."""
        self._is_answered_here = False
        self.desk.stand(self)
        self.desk.leave()

    def _close(self) -> None:
        """Remove the question from the table."""
        if self._is_open and self.prompt is not None:
            self.services.prompts.close(self.prompt)
        self.desk.forget_question(self)

    def refuse(self) -> None:
        """Refuse the request of this question."""
        self.stop()
        self.desk.answer_no(self.request)

    def stop(self) -> None:
        """Stop carrying out the request, and withdraw its question. Nothing has changed."""
        self._close()
        if self.question is not None:
            self.question.leave()

    # The end

    async def _carried_out(self) -> None:
        try:
            await super()._carried_out()
        except Exception:
            # The seat would wait for an answer for ever.
            self._close()
            self.desk.answer(self.request, WENT_WRONG, ok=False)
            raise

    def refused(self, sentence: str) -> None:
        self._close()
        self.desk.answer(self.request, sentence, ok=False)
        if not self.is_quiet:
            self.services.say(clean(f"{self.request.asker}: {sentence}", 400), error=True)
        if self._go_on:
            self._go_on()

    def done(self, event: Event, before: Encounter) -> None:
        is_taken = self._is_open or not self.is_quiet
        if self.prompt is not None:
            self._close()
        session, campaign = self.table.session, self.table.campaign
        if self.request.ends is not None:
            self.desk.end_in_sight(self.request)
        elif session is not None and campaign is not None:
            text = said_to_seat([event], session, self.request.viewer, campaign.seats)
            unused = self.dice.unused_of(self.request.seat) if self.dice is not None else ""
            if unused:
                text = f"{unused_words(unused)} {text}"
            self.desk.answer(self.request, text, ok=True)
        is_free = self.services.prompts.current is None and not self.services.messages.is_error
        if is_taken and is_free and not self._answered_by_seat:
            self.services.say("")
        self.services.show_change()
        if self._go_on:
            self._go_on()
