"""Requests of seats at the table: they wait in a queue, are checked again, and are carried out.

The server of the seats connects to this program's socket. The campaign's `acting` decides here what a seat
may do, before any rule sees the request.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from systems.commands.roll import RollDice
from systems.commands.table import kind_of
from systems.contract.marked_text import possessive
from systems.encounter.events import Event
from systems.encounter.model import Encounter, Offer
from systems.errors import Misread, Refused, Wrong
from systems.frozen import evolve
from systems.text import as_sentence, clean
from systems.visibility.acting import ForgedRequest, SeatCommand, sent_command
from systems.visibility.moment import shown_moment
from systems.visibility.viewer import Shown, Viewer
from tui.controllers.seat_asks import SeatAsks
from tui.controllers.seat_command_runner import WAITS, WENT_WRONG, SeatCommandRunner, SeatRequest
from tui.controllers.seat_meaning import (
    MOVED_ON,
    NOT_OPEN,
    Meaning,
    RequestTurn,
    answer_words,
    meant_now,
    offer_taken,
    passed_since,
    said_to_seat,
    seen_at,
    turn_seen,
)
from tui.controllers.served_seats import ServedSeats
from tui.display.refusals import misread_words
from tui.display.seat import TURN_OVER
from tui.prompts.dice_and_choices import ChoicePrompt, FacePrompt
from tui.terminal.program_log import log_warning
from tui.wire.address import table_socket
from tui.wire.link import Link
from tui.wire.listener import Listener
from tui.wire.messages import Malformed, RefusedMessage
from tui.wire.request_list import RequestLists
from tui.wire.server_report import ServerReport
from tui.wire.table_messages import (
    TO_TABLE,
    Hello,
    News,
    Reply,
    RequestEnded,
    RequestWaits,
    SentRequest,
    TakeOver,
    Trouble,
    TurnOver,
    Withdraw,
)

if TYPE_CHECKING:
    from tui.controllers.table import Table

MOST_WAITING = 50
MOST_OF_A_SEAT = 8
DELAY = "delay"
AFTER = "This waits for the commands before it."
TOO_MUCH = "too many of your requests are waiting already"
NOT_OPEN_ANY_MORE = "this request does not wait any more"
_BEHIND = 0.02  # seconds after a question until the effect of its faces is sent
_TRY_AGAIN = 0.1  # seconds until a request retries at a busy table


class SeatDesk:
    """The table's side of its seats: occupants, knocks, and waiting requests, oldest first."""

    def __init__(self, table: "Table") -> None:
        self.table, self.services = table, table.services
        self.listener = Listener(self._received, TO_TABLE, self.services.program.handle_error, self._lost)
        self.waiting: list[SeatRequest] = []
        # Dice and choices of seats' commands. They wait on the line of offers until one is chosen.
        self.questions: list[SeatCommandRunner] = []
        self.asks = SeatAsks(
            self.send,
            self._shown,
            lambda work: self.services.program.set_timer(_BEHIND, work),
            self._characters_of,
        )
        self.server = ServedSeats(self.services, lambda: self.table.campaign, self.send, self._show)
        self.set_aside = False
        # Requests that have ended a turn, until their seats see the next turn.
        self.ending: list[SeatRequest] = []
        # The seats that read "Turn over". Only changes are sent: a repeated message would show by its bytes
        # that the game master has given the turn to a hidden combatant.
        self._read_turn_over: set[str] = set()
        self._held: list[SeatRequest] = []
        # The requests that are being carried out, by id: a die or a choice of theirs is open.
        self._running: dict[str, SeatCommandRunner] = {}
        self.lists = RequestLists(self.send)
        self._used: deque[str] = deque(maxlen=1_000)
        # The number of requests so far.
        self._arrived = 0
        # The meaning found last: of which request, in which fight, with which settings.
        self._last_meaning: tuple[str, Encounter, Shown, Meaning] | None = None
        self._looking: asyncio.TimerHandle | None = None

    # Connection with the server

    def start(self) -> None:
        """Listen for the server of this campaign's seats in the running event loop."""
        self.stop()
        campaign = self.table.campaign
        if campaign is None or self.table.session is None or self.table.session.read_only:
            return
        self.listener.start(table_socket(campaign.path))

    def stop(self) -> None:
        """Stop listening."""
        if self._looking:
            self._looking.cancel()
            self._looking = None
        self.listener.stop()
        self.server.forget()
        self.waiting.clear()
        self.questions.clear()
        self.ending.clear()
        self._read_turn_over.clear()
        self._held.clear()
        self._running.clear()
        self.lists.clear()
        self.asks.open.clear()

    def send(self, message: object) -> None:
        """Send a message to the server and to watchers without a server."""
        self.listener.send(message)

    def _lost(self, link: Link) -> None:
        if link is self.server.link:
            self.server.forget()
            self._show()

    def _received(self, link: Link, message: object) -> None:
        """Handle a message of the server or of a watcher."""
        match message:
            case Hello():
                # A new connection does not know the open questions.
                for ask in self.asks.open.values():
                    link.send(ask.message)
                if self.asks.missing is not None:
                    link.send(self.asks.missing)
                for seat in {request.seat for request in self._open_ends}:
                    link.send(TurnOver(True, seat))
                for lists in self.lists.messages:
                    link.send(lists)
            case ServerReport():
                self.server.take_state(link, message)
            case SentRequest():
                self._take_request(message)
            case Reply():
                self.asks.take_reply(message)
            case Withdraw(id, seat):
                self._withdraw(clean(seat, 40), id)
            case Trouble(text):
                self.services.say(as_sentence(clean(text, 300)), error=True)
            case News(text):
                self._say_news(clean(text, 300))
            case RefusedMessage():
                log_warning("the server refused a message: %s", message.text)
            case TakeOver():
                self.table.background.give_up()

    def _say_if_free(self, sentence: str) -> None:
        """Say a sentence unless there is a message already, or a prompt is open."""
        if self.services.prompts.current is None and not self.services.messages.sentence:
            self.services.say(sentence)

    def _say_news(self, sentence: str) -> None:
        """Say that a player's line was lost or is back, unless a prompt is open or an error was not read."""
        if self.services.prompts.current is None and not self.services.messages.is_error:
            self.services.say(sentence)

    def _show(self) -> None:
        self.services.prompts.refresh()
        self.services.show_message()

    # Requests

    def _take_request(self, sent: SentRequest) -> None:
        try:
            command = sent_command(sent.command, sent.intent)
        except ForgedRequest as error:
            raise Malformed(f"request: {error}") from None
        request = SeatRequest(
            sent.id,
            clean(sent.seat, 40),
            Viewer(frozenset(sent.characters)),
            sent.line,
            sent.n,
            sent.encounter,
            command,
            is_roll=sent.is_roll,
        )
        if request.id in self._used:
            self.answer(request, "this request was sent twice", ok=False)
            return
        self._used.append(request.id)
        self._arrived += 1
        try:
            request = self._as_arrived(request)
        except Misread as error:
            self.answer(request, misread_words(request.line, error), ok=False)
            return
        except (Refused, Wrong) as error:
            self.answer(request, str(error), ok=False)
            return
        except ForgedRequest as error:
            raise Malformed(f"request: {error}") from None
        except Exception:
            self.answer(request, WENT_WRONG, ok=False)
            raise
        if request.ends is not None and self._is_asked_already(request):
            self.answer(request, TURN_OVER, ok=True)
        elif request.waits:
            self._let_wait(request)
        else:
            self._run_soon(request)

    def _as_arrived(self, request: SeatRequest) -> SeatRequest:
        """Return a new request with what it does in the current fight. Raises what `checked` raises."""
        now, shown, n = self._meaning(request), self._shown(), request.n
        session = self.table.session
        assert session is not None
        then = now.seen if n == len(session.log.events) else seen_at(session, n, request.viewer, shown)
        request = evolve(request, took_offer=offer_taken(then, request.command) is not None)
        checked = self.checked(request)
        is_roll = request.is_roll and isinstance(checked.command.intent, RollDice)
        about = None if kind_of(checked.command).needs_no_turn else RequestTurn(checked.actor.id)
        if about is not None:
            about.why_over(now.seen)
        return evolve(
            request,
            is_roll=is_roll,
            waits=checked.waits and not is_roll,
            asker=clean(checked.actor.name, 40),
            says=clean(checked.words, 300),
            turn=self._turn,
            ends=turn_seen(session, request.viewer, shown) if checked.ends_turn else None,
            by=checked.actor.id,
            does=checked.command.name,
            about=about,
            arrival=self._arrived,
        )

    def _let_wait(self, request: SeatRequest) -> None:
        of_seat = [other for other in self.waiting if other.seat == request.seat]
        if len(of_seat) >= MOST_OF_A_SEAT or len(self.waiting) >= MOST_WAITING:
            self.answer(request, TOO_MUCH, ok=False)
            return
        self.waiting.append(request)
        self.set_aside = False
        is_end = request.ends is not None and request.does != DELAY
        self.tell(request, TURN_OVER if is_end else WAITS.format(request.says))
        self._tell_turn_over(request)
        self._show()

    def _lapse(self) -> None:
        """Drop the waiting requests that are about a turn which their seats have seen end."""
        for request in [request for request in self.waiting if request.ends is None]:
            if request in self.waiting and (why := self._why_lapsed(request)):
                self.waiting.remove(request)
                self.answer(request, f"lapsed, because {why}: {request.says}", ok=False)
                # The message of the command that ended the turn comes first.
                lapsed = clean(f"{possessive(request.asker)} request has lapsed: {request.says}", 300)
                self.services.program.call_later(self._say_if_free, lapsed)
                self._show()

    def _why_lapsed(self, request: SeatRequest) -> str:
        """Return why a request has lapsed in the fight that its seat sees, or ""."""
        session = self.table.session
        if session is None or (request.about is None and not request.took_offer):
            return ""
        seen = shown_moment(session.encounter, session.log, request.viewer, self._shown()).encounter
        if request.took_offer and offer_taken(seen, request.command) is None:
            return "the offer is gone"
        return request.about.why_over(seen) if request.about is not None else ""

    def _withdraw(self, seat: str, id: str) -> None:
        """Withdraw a waiting request of a seat.

        A request whose turn has passed to a hidden combatant is answered like any other.
        """
        requests = [*self.waiting, *self._held, *self.ending]
        running = self._running.get(id)
        requests += [running.request] if running is not None else []
        request = next((each for each in requests if (each.id, each.seat) == (id, seat)), None)
        if request is None or not self.lists.is_open(seat, id):
            self.send(RequestEnded(id, seat, False, answer_words(NOT_OPEN_ANY_MORE)))
            return
        for waiting in (self.waiting, self._held, self.ending):
            if request in waiting:
                waiting.remove(request)
        if running is not None:
            running.stop()
        self.answer(request, f"withdrawn: {request.says}", ok=True)
        if self.services.prompts.current is None:
            self.services.say(clean(f"{request.asker} has withdrawn a request: {request.says}", 400))
        self._show()

    # The end of a turn

    @property
    def _open_ends(self) -> Sequence[SeatRequest]:
        """Return the open requests to end a turn, oldest first.

        The order must not show which of them the game master has taken for a hidden combatant's turn.
        """
        ends = [request for request in (*self.waiting, *self.ending) if request.ends is not None]
        return sorted(ends, key=lambda request: request.arrival)

    def _is_asked_already(self, request: SeatRequest) -> bool:
        """Return whether a request to end the same turn is open."""
        same = (request.seat, request.by, request.does)
        return any((other.seat, other.by, other.does) == same for other in self._open_ends)

    def _tell_turn_over(self, request: SeatRequest) -> None:
        """Tell a seat whether a request to end its turn is open, if that has changed."""
        if request.ends is None:
            return
        seat = request.seat
        is_open = any(other.seat == seat for other in self._open_ends)
        if is_open != (seat in self._read_turn_over):
            self._read_turn_over ^= {seat}
            self.send(TurnOver(is_open, seat))

    def end_in_sight(self, request: SeatRequest) -> None:
        """Answer a request that ended a turn, when the seat sees the next turn."""
        self.ending.append(request)
        self.fight_moved()
        if request in self.ending:
            self._tell_turn_over(request)

    def fight_moved(self) -> None:
        """Answer the requests to end a turn whose seats now see the next turn; drop requests that lapse."""
        session = self.table.session
        if session is None or not (self.waiting or self.ending):
            return
        self._lapse()
        for request in self._open_ends:
            assert request.ends is not None
            if passed := passed_since(session, request.viewer, request.ends):
                self._answer_end(request, passed)
            elif request in self.ending and not self._is_over(request):
                # The end of the turn was undone, so the request is open at the table again.
                self.ending.remove(request)
                self.waiting.insert(0, request)

    def _answer_end(self, request: SeatRequest, passed: Sequence[Event]) -> None:
        """Answer a request to end a turn after these events have ended it."""
        for requests in (self.waiting, self.ending):
            if request in requests:
                requests.remove(request)
        session = self.table.session
        assert session is not None
        actor = session.encounter.combatants.get(request.by)
        is_done = request.does != DELAY or any(event.command == DELAY for event in passed)
        if not is_done and actor is not None:
            self.answer(request, f"{possessive(actor.name)} turn is over", ok=False)
        else:
            text = said_to_seat(passed, session, request.viewer, self._shown())
            self.answer(request, text, ok=True)
        self._tell_turn_over(request)
        self._show()

    def _is_over(self, request: SeatRequest) -> bool:
        """Return whether the turn of a request has already passed to a hidden combatant."""
        with suppress(Misread, Refused, Wrong):
            return self.checked(request).is_over
        return False

    def checked(self, request: SeatRequest) -> SeatCommand:
        """Return the command of a request in the current fight.

        The line must mean the same as when it was typed. Raises Misread, Refused, Wrong or ForgedRequest.
        """
        now = self._meaning(request)
        if request.took_offer != (now.offer is not None):
            raise Refused("the offer is gone" if request.took_offer else MOVED_ON)
        return now.asked

    def _meaning(self, request: SeatRequest) -> Meaning:
        """Return the meaning of a request in the current fight, found once while the fight is unchanged.

        Raises Misread, Refused, Wrong or ForgedRequest.
        """
        session, fight = self.table.session, self.table.fight
        if session is None or fight is None or fight.encounter != request.encounter:
            raise Refused(NOT_OPEN)
        shown, last = self._shown(), self._last_meaning
        if last is not None and last[0] == request.id and last[1] is session.encounter and last[2] == shown:
            return last[3]
        now = meant_now(session, request.n, request.viewer, request.line, request.command, shown)
        self._last_meaning = request.id, session.encounter, shown, now
        return now

    @property
    def has_question(self) -> bool:
        """Return whether a seat's command waits for a die or a choice that can also be answered here."""
        return bool(self.questions) and not self.set_aside

    @property
    def oldest_words(self) -> str:
        """Return the text on the line of offers: the oldest question, else the oldest request.

        It ends with the number of further items.
        """
        if self.set_aside or not self.waiting_words:
            return ""
        more = len(self.waiting) + len(self.questions) - 1
        words = self.waiting_words[0]
        return f"{words} (and {more} more)" if more else words

    @property
    def oldest(self) -> object:
        """Return the question or request of `oldest_words`, or None."""
        return None if self.set_aside else next(iter((*self.questions, *self.waiting)), None)

    def take(self, request: SeatRequest, then: Callable[[], None] | None = None) -> None:
        """Carry out a waiting request."""
        if request not in self.waiting:
            return
        self.waiting.remove(request)
        if request.ends is not None and self._is_over(request):
            self.ending.append(request)
            self.services.say(f"{possessive(request.asker)} turn is over already.")
            self._show()
            if then is not None:
                then()
            return
        self._carry_out(SeatCommandRunner(self, request, then))

    def _carry_out(self, runner: SeatCommandRunner) -> None:
        self._running[runner.request.id] = runner
        runner.go()

    def take_all(self) -> None:
        """Carry out the waiting requests in order, until one needs a die or a choice."""
        if self.waiting:
            self.take(self.waiting[0], self.take_all)

    @property
    def waiting_words(self) -> Sequence[str]:
        """Return the waiting items as text: dice and choices, then requests, each oldest first."""
        questions = (question.words for question in self.questions)
        return [*questions, *(request.words_in(self._turn) for request in self.waiting)]

    @property
    def _turn(self) -> tuple[int, str | None]:
        """Return the round, and the id of the combatant with the turn."""
        session = self.table.session
        progress = session.encounter.progress if session is not None else None
        return (progress.round, progress.turn) if progress is not None else (0, None)

    def take_for(self, offer: Offer) -> bool:
        """Carry out the oldest request that accepts an offer. Return whether there is one."""
        session = self.table.session
        if session is None:
            return False
        for request in self.waiting:
            with suppress(Misread, Refused, Wrong):
                if offer_taken(session.encounter, self.checked(request).command) == offer:
                    self.take(request)
                    return True
        return False

    def take_waiting(self, at: int) -> None:
        """Open the question or carry out the request with that index in the waiting items."""
        if at < len(self.questions):
            self.questions[at].open_question()
        elif at < len(self.waiting_words):
            self.take(self.waiting[at - len(self.questions)])

    def refuse_waiting(self, at: int) -> None:
        """Refuse the waiting request with that index, or the one whose question has it."""
        if at < len(self.questions):
            self.questions[at].refuse()
        elif at < len(self.waiting_words):
            self.answer_no(self.waiting.pop(at - len(self.questions)))

    def answer_no(self, request: SeatRequest) -> None:
        """Tell a seat that the game master refuses its request.

        An end of its turn that has gone to a hidden combatant is answered like one that still waits.
        """
        self.answer(request, f"The game master says no: {request.says}", ok=False)
        for later in [other for other in (*self._held, *self._open_ends) if other.seat == request.seat]:
            # Later requests were typed on the assumption that this one is carried out first.
            for requests in (self._held, self.waiting, self.ending):
                if later in requests:
                    requests.remove(later)
            self.answer(
                later, f"not carried out, because the request before it was refused: {later.says}", ok=False
            )
        self._show()

    def stand(self, question: "SeatCommandRunner") -> None:
        """Show a question on the line of offers."""
        if question not in self.questions:
            self.questions.append(question)
            self.set_aside = False
        self._show()

    def forget_question(self, question: "SeatCommandRunner") -> None:
        """Remove a question that was answered or opened."""
        if question in self.questions:
            self.questions.remove(question)
            self._show()

    def leave(self) -> None:
        """Hide the waiting items until another arrives."""
        self.set_aside = True
        self._show()

    # Requests that need no permission of the game master

    def _run_soon(self, request: SeatRequest) -> None:
        if sum(held.seat == request.seat for held in self._held) >= MOST_OF_A_SEAT:
            self.answer(request, TOO_MUCH, ok=False)
            return
        self._held.append(request)
        self._run_held()
        if request in self._held:
            self.tell(request, AFTER)

    def _run_held(self) -> None:
        """Carry out the held requests, unless a command of the table needs a die or a choice.

        The commands of a seat are carried out in order, so a later one waits while a die of the first is
        open.
        """
        self._looking = None
        try:
            while not isinstance(self.services.prompts.current, ChoicePrompt | FacePrompt):
                unfinished = {question.request.seat for question in self.questions}
                request = next((held for held in self._held if held.seat not in unfinished), None)
                if request is None:
                    break
                self._held.remove(request)
                self._carry_out(SeatCommandRunner(self, request, is_quiet=True))
        finally:
            if self._held:
                self._looking = asyncio.get_running_loop().call_later(_TRY_AGAIN, self._run_held)

    def answer(self, request: SeatRequest, text: str, *, ok: bool) -> None:
        """Send a seat the result of its request as a sentence."""
        self._running.pop(request.id, None)
        self.send(RequestEnded(request.id, request.seat, ok, answer_words(text)))
        self.lists.close(request.seat, request.id, "" if ok else answer_words(text))
        self._tell_turn_over(request)

    def tell(self, request: SeatRequest, text: str) -> None:
        """Send a seat a sentence while its request continues."""
        self.send(RequestWaits(request.id, request.seat, True, answer_words(text)))
        self.lists.wait(request.seat, request.id, request.says)

    def _shown(self) -> Shown:
        """Return the table's settings for seats."""
        return self.table.campaign.seats if self.table.campaign is not None else Shown()

    def _characters_of(self, seat: str) -> Sequence[str]:
        """Return the characters of a seat, by the server's last report."""
        report = self.server.report
        return next((each.characters for each in report.seats if each.name == seat), ()) if report else ()

    def seat_asks(self) -> SeatAsks | None:
        """Return what asks seats for dice and choices, or None if none listens."""
        return self.asks if self.listener.is_connected else None
