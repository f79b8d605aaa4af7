"""Requests from seats at the table: they wait in a queue, are checked again when taken, and are carried out.

The server of the seats connects to this program's socket. What a seat may do is decided here, by the
campaign's `acting`, before any rule sees the request.
"""

import asyncio
import socket
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import attrs

from systems.commands.perform import Done
from systems.contract.table import NeedsChoice
from systems.encounter.history import Event
from systems.encounter.model import Encounter
from systems.errors import Misread, Refused, Wrong
from systems.language.intents import Command, RollDice
from systems.text import clean
from systems.visibility.acting import SeatCommand, seat_command
from systems.visibility.viewer import Viewer
from tui.controllers.command_runner import CommandRunner
from tui.controllers.seat_meaning import (
    MOVED_ON,
    concerns_hidden,
    encounter_at,
    said_to_seat,
    takes_offer,
    words_of,
)
from tui.controllers.server_process import SeatServerProcess
from tui.display.refusals import misread_words
from tui.prompts.dice_and_choices import ChoicePrompt, FacePrompt, whose
from tui.session.session import Attempt, Needs, Session
from tui.wire.address import listen, table_socket
from tui.wire.frames import Message
from tui.wire.link import Link, connected

if TYPE_CHECKING:
    from tui.controllers.table import Table
    from tui.prompts.prompt import Prompt

MOST_WAITING = 50
MOST_LINKS = 8
MOST_OF_A_SEAT = 8
_TRY_AGAIN = 0.1  # seconds until a request that found the table busy is looked at again


@attrs.define(eq=False)
class SeatRequest:
    """A line that a seat has sent. `n`: the event after which it was typed; `waits`: for the game master.

    `took_offer`: it took up something that the rules offered. `is_roll`: a plain roll, which needs no leave.
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
    says: str = ""


@attrs.define(eq=False)
class SeatAsk:
    """A die or a choice that a seat is asked for, beside the table. The first answer counts."""

    desk: "SeatDesk"
    id: int
    most: int
    message: Message
    answered: Callable[[int], None]

    def withdraw(self) -> None:
        """Ask no more."""
        if self.desk.asked.pop(self.id, None):
            self.desk.send({"kind": "unask", "ask": self.id})


class SeatDesk:
    """What the table knows of its seats: who sits, who knocks, and which requests wait, the oldest first."""

    def __init__(self, table: "Table") -> None:
        self.table, self.services = table, table.services
        self.waiting: list[SeatRequest] = []
        # Dice and choices that seats' commands need; they stand where offers stand until one is chosen.
        self.questions: list[SeatCommandRunner] = []
        self.asked: dict[int, SeatAsk] = {}
        self.state: Mapping[str, Any] = {}
        self.set_aside = False
        self._held: list[SeatRequest] = []
        self._last_ask = 0
        self._used: deque[str] = deque(maxlen=1_000)
        self._listener: socket.socket | None = None
        self._links: list[Link] = []
        self._server_link: Link | None = None
        self._tasks: set[asyncio.Task[Any]] = set()
        self._looking: asyncio.TimerHandle | None = None
        self._server: SeatServerProcess | None = None

    # The server comes and goes

    def start(self) -> None:
        """Listen for the server of this campaign's seats, in the running event loop."""
        self.stop()
        campaign = self.table.campaign
        if campaign is None or self.table.session is None or self.table.session.read_only:
            return
        with suppress(OSError):
            self._listener = listen(table_socket(campaign.path))
            asyncio.get_running_loop().add_reader(self._listener, self._accept)

    def stop(self) -> None:
        """Listen no more."""
        if self._looking:
            self._looking.cancel()
            self._looking = None
        for link in self._links:
            link.abort()
        self._links, self._server_link = [], None
        if self._listener:
            with suppress(RuntimeError):
                asyncio.get_running_loop().remove_reader(self._listener)
            self._listener.close()
            self._listener = None
        self.waiting.clear()
        self.questions.clear()
        self._held.clear()
        self.asked.clear()
        self.state = {}

    @property
    def is_served(self) -> bool:
        """Whether a server is connected."""
        return self._server_link is not None and self._server_link.is_open

    def send(self, message: Message) -> None:
        """Send a message to the server, and to those who watch without it."""
        for link in self._links:
            link.send(message)

    def _accept(self) -> None:
        if self._listener is None:
            return
        try:
            end, _ = self._listener.accept()
        except OSError:
            return
        link = Link(lambda message: self._received(link, message), lambda: self._lost(link))
        self._links = [*self._links[-(MOST_LINKS - 1) :], link]
        task = asyncio.get_running_loop().create_task(connected(link, end))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _lost(self, link: Link) -> None:
        self._links = [other for other in self._links if other is not link]
        if link is self._server_link:
            self._server_link, self.state = None, {}
            self._show()

    def _received(self, link: Link, message: Message) -> None:
        """Take a message of the server or of a watcher; an invalid one is dropped."""
        with suppress(KeyError, TypeError, ValueError):
            match message["kind"]:
                case "state":
                    if link is not self._server_link:
                        self._server_link = link
                        # What is still asked is not known to a server that has just come.
                        for ask in self.asked.values():
                            link.send(ask.message)
                    self._take_state(message)
                case "request":
                    self._take_request(message)
                case "reply":
                    self._take_reply(message)
                case "take_over":
                    self.table.background.give_up()

    def _take_state(self, message: Message) -> None:
        known = {knock["id"] for knock in self.state.get("knocks", ())}
        self.state = message
        fresh = [knock for knock in message["knocks"] if knock["id"] not in known]
        if fresh and self.services.prompts.current is None:
            key = self.services.key_names.get("seats", "P")
            self.services.say(f"{clean(fresh[-1]['name'], 40)} knocks: {key} opens the page of seats.")
        self._show()

    def _show(self) -> None:
        self.services.prompts.refresh()
        self.services.show_message()

    # Requests

    def _take_request(self, message: Message) -> None:
        viewer = Viewer(frozenset(str(name) for name in message["characters"]))
        request = SeatRequest(
            str(message["id"]),
            clean(str(message["seat"]), 40),
            viewer,
            str(message["line"]),
            int(message["n"]),
            str(message["encounter"]),
            is_roll=bool(message.get("is_roll")),
        )
        if request.id in self._used:
            self.answer(request, "this was sent twice", ok=False)
            return
        self._used.append(request.id)
        try:
            checked = self.checked(request, is_new=True)
        except Misread as error:
            self.answer(request, misread_words(request.line, error), ok=False)
            return
        except (Refused, Wrong) as error:
            self.answer(request, str(error), ok=False)
            return
        request.waits, request.says = checked.waits, checked.command.line
        request.is_roll = request.is_roll and isinstance(checked.command.intent, RollDice)
        if request.is_roll:
            request.waits = False
        if request.waits:
            self._let_wait(request)
        else:
            self._run_soon(request)

    def _let_wait(self, request: SeatRequest) -> None:
        of_seat = [other for other in self.waiting if other.seat == request.seat]
        if len(of_seat) >= MOST_OF_A_SEAT or len(self.waiting) >= MOST_WAITING:
            self.answer(request, "too much of yours waits already", ok=False)
            return
        self.waiting.append(request)
        self.set_aside = False
        self.tell(request, _WAITS)
        self._show()

    def checked(self, request: SeatRequest, *, is_new: bool = False) -> SeatCommand:
        """Return the command of a request, as the fight is now. Raises Misread, Refused or Wrong.

        It must mean what it meant when it was typed.
        """
        session, fight = self.table.session, self.table.fight
        if session is None or fight is None or fight.encounter != request.encounter:
            raise Refused("that fight is not open at the table")
        acting = self.table.campaign.seats.acting if self.table.campaign else "ask"
        then = seat_command(encounter_at(session, request.n), request.viewer, request.line, acting)
        now = seat_command(session.encounter, request.viewer, request.line, acting)
        if then.command.intent != now.command.intent:
            raise Refused(MOVED_ON)
        took_offer = takes_offer(session.encounter, now.command)
        if is_new:
            request.took_offer = takes_offer(encounter_at(session, request.n), now.command)
        if request.took_offer != took_offer:
            raise Refused("what was offered is gone" if request.took_offer else MOVED_ON)
        return now

    @property
    def oldest(self) -> SeatRequest | None:
        """The request that stands where offers stand; None while it is set aside."""
        return self.waiting[0] if self.waiting and not self.set_aside else None

    @property
    def has_question(self) -> bool:
        """Whether a seat's command waits for a die or a choice that can be answered here, too."""
        return bool(self.questions) and not self.set_aside

    @property
    def oldest_words(self) -> str:
        """What stands where offers stand: a die that is asked for, else who asks for what.

        It says how many wait behind it.
        """
        if self.set_aside or not self.waiting_words:
            return ""
        more = len(self.waiting) + len(self.questions) - 1
        words = (
            self.questions[0].words
            if self.questions
            else f"{self.waiting[0].seat} asks: {self.waiting[0].says}"
        )
        return f"{words} (and {more} more)" if more else words

    def take(self, request: SeatRequest, then: Callable[[], None] | None = None) -> None:
        """Carry out a request that waits."""
        if request not in self.waiting:
            return
        self.waiting.remove(request)
        SeatCommandRunner(self, request, then).go()

    def take_all(self) -> None:
        """Carry out every request that waits, one after the other, as far as nothing has to be asked."""
        if self.waiting:
            self.take(self.waiting[0], self.take_all)

    @property
    def waiting_words(self) -> Sequence[str]:
        """What waits for the game master: dice and choices, then requests, the oldest first."""
        requests = (f"{request.seat}: {request.says}" for request in self.waiting)
        return [*(question.words for question in self.questions), *requests]

    def take_oldest(self) -> None:
        """Open the question, or carry out the request, that stands where offers stand."""
        if self.has_question:
            self.questions[0].open_question()
        elif self.oldest is not None:
            self.take(self.oldest)

    def refuse_oldest(self) -> None:
        """Refuse the command whose question stands first, else the request that has waited longest."""
        if self.questions:
            self.questions[0].refuse()
        elif self.waiting:
            self.answer_no(self.waiting.pop(0))

    def answer_no(self, request: SeatRequest) -> None:
        """Tell a seat that the game master refuses its request."""
        self.answer(request, f"The game master says no: {request.says}", ok=False)
        self._show()

    def stand(self, question: "SeatCommandRunner") -> None:
        """Let a question stand where offers stand."""
        if question not in self.questions:
            self.questions.append(question)
            self.set_aside = False
        self._show()

    def forget_question(self, question: "SeatCommandRunner") -> None:
        """A question is answered, or open."""
        if question in self.questions:
            self.questions.remove(question)
            self._show()

    def leave(self) -> None:
        """Leave what waits, out of sight until more comes."""
        self.set_aside = True
        self._show()

    # Requests that need no leave of the game master

    def _run_soon(self, request: SeatRequest) -> None:
        self._held.append(request)
        self._run_held()

    def _run_held(self) -> None:
        """Carry out what needs no leave, unless a command of the table is waiting for its dice."""
        self._looking = None
        while self._held and not self._is_busy:
            SeatCommandRunner(self, self._held.pop(0), is_quiet=True).go()
        if self._held:
            self._looking = asyncio.get_running_loop().call_later(_TRY_AGAIN, self._run_held)

    @property
    def _is_busy(self) -> bool:
        """Whether a die or a choice of a command is asked for at the table."""
        return isinstance(self.services.prompts.current, ChoicePrompt | FacePrompt)

    def answer(self, request: SeatRequest, text: str, *, ok: bool) -> None:
        """Tell a seat what came of its request, as a sentence."""
        sentence = clean(text[:1].upper() + text[1:], 400)
        if sentence and sentence[-1] not in ".?!":
            sentence += "."
        self.send({"kind": "result", "id": request.id, "seat": request.seat, "ok": ok, "text": sentence})

    def tell(self, request: SeatRequest, sentence: str) -> None:
        """Tell a seat something while its request goes on."""
        self.send({"kind": "waits", "id": request.id, "seat": request.seat, "ok": True, "text": sentence})

    # Dice and choices

    def ask(self, command: Command, needs: Needs, answered: Callable[[Any], None]) -> SeatAsk | None:
        """Ask the seat whose die or choice it is; None where no seat may be asked.

        A command of or against a hidden combatant is the game master's alone; so is a die or a choice that
        concerns one in any other command.
        """
        session = self.table.session
        combatant = session.encounter.combatants.get(needs.of) if session else None
        if session is None or combatant is None or needs.is_concealed:
            return None
        if concerns_hidden(session.encounter, command):
            return None
        character = combatant.state.kind or combatant.id
        if not any(link.is_open for link in self._links):
            return None
        message: dict[str, Any] = {"kind": "ask", "character": character, "name": combatant.name}
        if isinstance(needs, NeedsChoice):
            choices = tuple(needs.choices)
            message |= {"why": needs.question, "choices": [words_of(choice) for choice in choices]}
            return self._asking(len(choices), message, lambda at: answered(choices[at - 1]))
        message |= {"why": needs.why, "sides": needs.sides}
        return self._asking(needs.sides, message, answered)

    def _asking(self, most: int, message: Message, answered: Callable[[int], None]) -> SeatAsk:
        self._last_ask += 1
        ask = SeatAsk(self, self._last_ask, most, {**message, "ask": self._last_ask}, answered)
        self.asked[ask.id] = ask
        self.send(ask.message)
        return ask

    def _take_reply(self, message: Message) -> None:
        value, ask = message["value"], self.asked.get(int(message["ask"]))
        if ask is None or type(value) is not int or not 1 <= value <= ask.most:
            return
        ask.withdraw()
        ask.answered(value)

    # The page of seats

    def hand_out_word(self, seat: str) -> None:
        """Have the server make a word for a seat."""
        self.send({"kind": "word", "seat": seat})

    def let_in(self, knock: int, seat: str, *, for_good: bool) -> None:
        """Let in the player who knocks."""
        self.send({"kind": "let_in", "knock": knock, "seat": seat, "for_good": for_good})

    def turn_away(self, knock: int) -> None:
        """Refuse the player who knocks."""
        self.send({"kind": "turn_away", "knock": knock})

    def kick(self, seat: str) -> None:
        """End a seat; its key opens it no more until a word or a knock does."""
        self.send({"kind": "kick", "seat": seat})

    def lock(self, locked: bool) -> None:
        """Lock the table against new players, or unlock it."""
        self.send({"kind": "lock", "locked": locked})

    @property
    def server_words(self) -> str:
        """Where the server listens, or that there is none."""
        if not self.is_served or "port" not in self.state:
            return "no server runs" if self._server is None else "the server starts …"
        return f"{self.state['address']}:{self.state['port']}, host key {self.state['fingerprint']}"

    def start_or_stop_server(self) -> None:
        """Start the server of the seats, or stop the one started here; it ends with this program."""
        if self._server is not None:
            self._server.terminate()
        elif self.is_served:
            self.services.say("The server was started elsewhere: it is stopped there.", error=True)
        elif self.table.campaign is not None:
            self._server = SeatServerProcess(self.table.campaign.path, self._server_ended)
            self._server.start()
        self._show()

    def _server_ended(self, why: str) -> None:
        self._server = None
        if why:
            self.services.say(why, error=True)
        self._show()


_WAITS = "The game master is asked."
_ASKED_AGAIN = "The fight went on meanwhile: this is asked again."


class SeatCommandRunner(CommandRunner):
    """Carries out the request of a seat. `is_quiet`: the game master has not asked for it.

    A die or a choice that it needs opens no question at the table by itself, where it could take keys that
    were meant for something else: it stands where offers stand until the game master chooses it.
    """

    def __init__(
        self,
        desk: SeatDesk,
        request: SeatRequest,
        then: Callable[[], None] | None = None,
        *,
        is_quiet: bool = False,
    ) -> None:
        super().__init__(desk.table, request.says or request.line)
        self.desk, self.request, self.is_quiet = desk, request, is_quiet
        self._go_on = then
        self._is_over = False
        # Whether the game master answers what is asked.
        self._is_answered_here = False
        self._answered_by_seat = False
        self._asked_in: Encounter | None = None

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
        prompt = self.prompt
        assert isinstance(prompt, FacePrompt | ChoicePrompt)
        owner = whose(self.services, prompt.needs.of)
        asked = f"{owner} decides"
        if isinstance(prompt, FacePrompt):
            why = f" {prompt.needs.why}" if prompt.needs.why else ""
            asked = f"{owner}'s d{prompt.needs.sides}{why}"
        return clean(f"{asked}, for {self.request.seat}: {self.request.says}", 400)

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
            self.services.say(f"{self.request.seat} has answered.")

    def show_question(self, prompt: "Prompt") -> None:
        prompt.on_close = self.left
        is_wanted_here = self._is_answered_here or not (self.is_quiet or self._asked_seat)
        if is_wanted_here:
            self.open_question()
        else:
            self.desk.stand(self)

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
            self.services.say(clean(f"{self.request.seat}: {sentence}", 400), error=True)

    def _done(self, event: Event, turn: str) -> None:
        self._is_over = True
        is_taken = self._is_open or not self.is_quiet
        self._over()
        session, campaign = self.table.session, self.table.campaign
        if session is not None and campaign is not None:
            text = said_to_seat(event, session.encounter, self.request.viewer, campaign.seats)
            self.desk.answer(self.request, text, ok=True)
        if is_taken and self.services.prompts.current is None and not self._answered_by_seat:
            self.services.say("")
        self.services.show_change()
        if self._go_on:
            self._go_on()
