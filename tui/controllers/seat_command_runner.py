"""A seat's request as a command that is carried out at the table."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

import attrs

from systems.commands.perform import Done
from systems.dice.sources import NeedsFace
from systems.encounter.history import Event
from systems.encounter.model import Encounter
from systems.errors import Refused
from systems.text import clean
from systems.visibility.acting import SeatCommand
from systems.visibility.viewer import Viewer
from tui.controllers.command_runner import CommandRunner
from tui.controllers.seat_meaning import TurnSeen, said_to_seat
from tui.lists.dice_asked import owner_of
from tui.session.session import Attempt, Needs, Session

if TYPE_CHECKING:
    from tui.controllers.table import Table
    from tui.prompts.prompt import Prompt

WAITS = "The game master is asked: {}"
_ASKED_AGAIN = "The fight went on meanwhile: this is asked again."


@attrs.define(eq=False)
class SeatRequest:
    """A line that a seat has sent. `n`: the event after which it was typed; `waits`: for the game master.

    `took_offer`: it took up something that the rules offered. `is_roll`: a plain roll, which needs no leave.
    `asker`: the character that asks, "" until that is known. `says`: what for, as people say it.
    `turn`: the round and whose turn it was when it came. `ends`: the turn that it is to end, as the seat saw
    it; None for any other request. `by`: the id of the combatant that asks. `does`: the name of the command.
    """

    id: str
    seat: str
    viewer: Viewer
    line: str
    n: int
    encounter: str
    is_roll: bool = False
    waits: bool = True
    took_offer: bool = False
    asker: str = ""
    says: str = ""
    turn: tuple[int, str | None] | None = None
    ends: TurnSeen | None = None
    by: str = ""
    does: str = ""

    def words_in(self, turn: tuple[int, str | None]) -> str:
        """Return its words for the game master, who is told where it is from an earlier turn."""
        return self.words if self.turn in (None, turn) else f"{self.words} (from an earlier turn)"

    @property
    def words(self) -> str:
        """Who asks for what: `Okado asks: attack on Guard 1`."""
        return clean(f"{self.asker} asks: {self.says}", 400)


class RequestDesk(Protocol):
    """Where requests wait, as a command that carries one out sees it."""

    table: "Table"
    questions: list["SeatCommandRunner"]

    def checked(self, request: SeatRequest) -> SeatCommand:
        """Return the command of a request, as the fight is now. Raises Misread, Refused or Wrong."""

    def tell(self, request: SeatRequest, text: str) -> None:
        """Tell a seat something while its request goes on, as a sentence."""

    def answer(self, request: SeatRequest, text: str, *, ok: bool) -> None:
        """Tell a seat what came of its request, as a sentence."""

    def answer_no(self, request: SeatRequest) -> None:
        """Tell a seat that the game master refuses its request."""

    def end_in_sight(self, request: SeatRequest) -> None:
        """Answer a request that ended a turn, as soon as the seat sees the next one."""

    def stand(self, question: "SeatCommandRunner") -> None:
        """Let a question stand where offers stand."""

    def forget_question(self, question: "SeatCommandRunner") -> None:
        """A question is answered, or open."""

    def leave(self) -> None:
        """Leave what waits, out of sight until more comes."""


class SeatCommandRunner(CommandRunner):
    """Carries out the request of a seat. `is_quiet`: the game master has not asked for it.

    A die or a choice that it needs opens no question at the table by itself, where it could take keys that
    were meant for something else: it stands where offers stand until the game master chooses it.
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
        self._go_on = then
        self._is_over = False
        # Whether the game master answers what is asked.
        self._is_answered_here = False
        self._answered_by_seat = False
        self._asked_in: Encounter | None = None

    @property
    def told(self) -> str:
        return self.request.words

    def begin(self, session: Session) -> Attempt:
        return Attempt(session, self.desk.checked(self.request).command, asks=True)

    def run(self, attempt: Attempt) -> Done | Needs:
        # The fight may have gone on while the table was busy, or a die was asked for.
        if self.desk.checked(self.request).waits and not (self.request.waits or self.request.is_roll):
            raise Refused("this turn is over: type it again, and it waits for the game master")
        encounter = attempt.session.encounter
        if self._asked_in is not None and self._asked_in is not encounter:
            self.desk.tell(self.request, _ASKED_AGAIN)
        self._asked_in = encounter
        return attempt.run()

    def keep(self, session: Session, done: Done) -> Event:
        return session.keep(done, self.request.seat)

    # Dice and choices

    @property
    def words(self) -> str:
        """What is asked for, and for which request."""
        needs, session = self.needs, self.table.session
        assert needs is not None
        owner = owner_of(session.encounter if session else None, needs.of)
        asked = f"{owner} decides"
        if isinstance(needs, NeedsFace):
            why = f" {needs.purpose}" if needs.purpose and needs.purpose not in self.request.says else ""
            asked = f"{owner}'s d{needs.sides}{why}"
        whose = "" if owner == self.request.asker else f", for {self.request.asker}"
        return clean(f"{asked}{whose}: {self.request.says}", 400)

    @property
    def _is_open(self) -> bool:
        return self.prompt is not None and self.services.prompts.current is self.prompt

    def _ask_seat(self, attempt: Attempt, needs: Needs, answered: Callable[[Any], None]) -> None:
        def from_seat(value: Any) -> None:
            # A key that was meant for the question which is open must not answer the next one.
            self._close_question()
            self._answered_by_seat = True
            answered(value)

        super()._ask_seat(attempt, needs, from_seat)

    def _close_question(self) -> None:
        """Close the question at the table, where it is open; something that is said takes its place."""
        was_in_sight = self._is_open or self in self.desk.questions[:1]
        self._is_answered_here = False
        if self._is_open and self.prompt is not None:
            self.services.prompts.close(self.prompt)
        self.desk.forget_question(self)
        if was_in_sight and self.services.prompts.current is None:
            self.services.say(clean(f"{self.request.asker} has answered.", 400))

    def show_question(self, prompt: "Prompt") -> None:
        prompt.on_close = self.left
        is_wanted_here = self._is_answered_here or not (self.is_quiet or self._asked_seat)
        if is_wanted_here:
            self.open_question()
        else:
            self.desk.stand(self)
            self._tell_who_waits()

    def _tell_who_waits(self) -> None:
        """Tell the seat that its command is not over yet, unless it is asked itself or nobody may know."""
        session, needs = self.table.session, self.needs
        assert needs is not None
        owner = session.encounter.combatants.get(needs.of) if session is not None else None
        is_own = owner is not None and self.request.viewer.owns(owner)
        is_known = not needs.is_concealed and (owner is None or owner.in_sight)
        if is_known and not is_own:
            self.desk.tell(self.request, WAITS.format(self.request.says))

    def open_question(self) -> None:
        """Open the question: the game master answers it."""
        self._is_answered_here = True
        self._answered_by_seat = False
        self.desk.forget_question(self)
        if self.prompt is not None:
            self.services.prompts.open(self.prompt)

    def left(self) -> None:
        """The question was closed without an answer: it stands where offers stand, out of sight."""
        self._is_answered_here = False
        if not self._is_over:
            self.desk.stand(self)
            self.desk.leave()

    def refuse(self) -> None:
        """Refuse the request whose question stands."""
        self._is_over = True
        self._over()
        self.desk.answer_no(self.request)

    # The end

    def _over(self) -> None:
        self.desk.forget_question(self)
        if self._asked_seat:
            self._asked_seat.withdraw()
            self._asked_seat = None
        if self._is_open and self.prompt is not None:
            self.services.prompts.close(self.prompt)

    def _end(self, sentence: str) -> None:
        self._is_over = True
        self._over()
        self.desk.answer(self.request, sentence, ok=False)
        if not self.is_quiet:
            self.services.say(clean(f"{self.request.asker}: {sentence}", 400), error=True)
        if self._go_on:
            self._go_on()

    def _done(self, event: Event, turn: str) -> None:
        self._is_over = True
        is_taken = self._is_open or not self.is_quiet
        self._over()
        session, campaign = self.table.session, self.table.campaign
        if self.request.ends is not None:
            self.desk.end_in_sight(self.request)
        elif session is not None and campaign is not None:
            text = said_to_seat([event], session.encounter, self.request.viewer, campaign.seats)
            self.desk.answer(self.request, text, ok=True)
        is_free = self.services.prompts.current is None and not self.services.messages.is_error
        if is_taken and is_free and not self._answered_by_seat:
            self.services.say("")
        self.services.show_change()
        if self._go_on:
            self._go_on()
