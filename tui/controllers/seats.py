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

from systems.commands.actions import read_action
from systems.commands.perform import Done
from systems.contract.table import NeedsChoice
from systems.encounter.changes import patch, reverse
from systems.encounter.history import Event, changes_of
from systems.encounter.model import Encounter
from systems.errors import Misread, Refused, Wrong
from systems.language.intents import Act, Command, RollDice
from systems.schema.values import as_words
from systems.text import clean
from systems.visibility.acting import SeatCommand, seat_command
from systems.visibility.sentences import seen_sentences
from systems.visibility.viewer import Shown, Viewer
from tui.controllers.command_runner import CommandRunner, pointed
from tui.controllers.server_process import SeatServerProcess
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
_LONGEST_WAY_BACK = 400  # events since a request was typed
_MOVED_ON = "the fight has moved on, and this would mean something else now: look, and type it again"
_TRY_AGAIN = 0.1  # seconds until a request that found the table busy is looked at again


@attrs.define(eq=False)
class SeatRequest:
    """A line that a seat has sent. `n`: the event after which it was typed; `waits`: for the game master.

    `took_offer`: it took up something that the rules offered.
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
    character: str
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
            self.asked.clear()
            self._show()

    def _received(self, link: Link, message: Message) -> None:
        """Take a message of the server or of a watcher; an invalid one is dropped."""
        with suppress(KeyError, TypeError, ValueError):
            match message["kind"]:
                case "state":
                    self._server_link = link
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
            self.answer(request, pointed(request.line, error), ok=False)
            return
        except (Refused, Wrong) as error:
            self.answer(request, str(error), ok=False)
            return
        request.waits, request.says = checked.waits, checked.command.line
        if request.is_roll and isinstance(checked.command.intent, RollDice):
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
        self.send({"kind": "waits", "id": request.id, "seat": request.seat, "ok": True, "text": _WAITS})
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
            raise Refused(_MOVED_ON)
        took_offer = takes_offer(session.encounter, now.command)
        if is_new:
            request.took_offer = takes_offer(encounter_at(session, request.n), now.command)
        if request.took_offer != took_offer:
            raise Refused("what was offered is gone" if request.took_offer else _MOVED_ON)
        return now

    @property
    def oldest(self) -> SeatRequest | None:
        """The request that stands where offers stand; None while it is set aside."""
        return self.waiting[0] if self.waiting and not self.set_aside else None

    @property
    def oldest_words(self) -> str:
        """What stands where offers stand: who asks for what, and how many wait behind it."""
        request = self.oldest
        if request is None:
            return ""
        more = f" (and {len(self.waiting) - 1} more)" if len(self.waiting) > 1 else ""
        return f"{request.seat} asks: {request.says}{more}"

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
        """Every request that waits, the oldest first."""
        return [f"{request.seat}: {request.says}" for request in self.waiting]

    def take_oldest(self) -> None:
        """Carry out the request that stands where offers stand."""
        if self.oldest is not None:
            self.take(self.oldest)

    def refuse_oldest(self) -> None:
        """Refuse the request that has waited longest."""
        if self.waiting:
            request = self.waiting.pop(0)
            self.answer(request, f"The game master says no: {request.says}", ok=False)
            self._show()

    def leave(self) -> None:
        """Leave the oldest request waiting, out of sight until another comes."""
        self.set_aside = True
        self._show()

    def put_back(self, request: SeatRequest) -> None:
        """Let a request wait again whose question was left."""
        self.waiting.insert(0, request)
        self.set_aside = True
        self._show()

    # Requests that need nobody's leave

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
        from tui.prompts.dice_and_choices import ChoicePrompt, FacePrompt

        return isinstance(self.services.prompts.current, ChoicePrompt | FacePrompt)

    def answer(self, request: SeatRequest, text: str, *, ok: bool) -> None:
        """Tell a seat what came of its request, as a sentence."""
        sentence = clean(text[:1].upper() + text[1:], 400)
        if sentence and sentence[-1] not in ".?!":
            sentence += "."
        self.send({"kind": "result", "id": request.id, "seat": request.seat, "ok": ok, "text": sentence})

    # Dice and choices

    def ask(self, command: Command, needs: Needs, answered: Callable[[Any], None]) -> SeatAsk | None:
        """Ask the seat whose die or choice it is; None where no seat may be asked.

        A command of or against somebody hidden is the game master's alone.
        """
        session = self.table.session
        combatant = session.encounter.combatants.get(needs.of) if session else None
        if session is None or combatant is None or concerns_hidden(session.encounter, command):
            return None
        character = combatant.state.kind or combatant.id
        if not any(link.is_open for link in self._links):
            return None
        message: dict[str, Any] = {"kind": "ask", "character": character, "name": combatant.name}
        if isinstance(needs, NeedsChoice):
            choices = tuple(needs.choices)
            message |= {"why": needs.question, "choices": [_words_of(choice) for choice in choices]}
            ask = self._asking(len(choices), character, lambda at: answered(choices[at - 1]))
        else:
            message |= {"why": needs.why, "sides": needs.sides}
            ask = self._asking(needs.sides, character, answered)
        self.send({**message, "ask": ask.id})
        return ask

    def _asking(self, most: int, character: str, answered: Callable[[int], None]) -> SeatAsk:
        self._last_ask += 1
        ask = SeatAsk(self, self._last_ask, most, character, answered)
        self.asked[ask.id] = ask
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
        """Let in somebody who knocks."""
        self.send({"kind": "let_in", "knock": knock, "seat": seat, "for_good": for_good})

    def turn_away(self, knock: int) -> None:
        """Refuse somebody who knocks."""
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


class SeatCommandRunner(CommandRunner):
    """Carries out the request of a seat. `is_quiet`: nothing opens at the table unless a key asks for it."""

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

    def begin(self, session: Session) -> Attempt:
        checked = self.desk.checked(self.request)
        return Attempt(session, checked.command, asks=True)

    def keep(self, session: Session, done: Done) -> Event:
        # Worked out once more: the fight may have gone on while a die was asked for.
        self.desk.checked(self.request)
        return session.keep(done, self.request.seat)

    def show_question(self, prompt: "Prompt") -> None:
        if self.is_quiet and self.services.prompts.current is not None:
            # What is being typed at the table stays open; the question comes when it is done.
            asyncio.get_running_loop().call_later(_TRY_AGAIN, self._show_later, prompt)
            return
        super().show_question(prompt)

    def _show_later(self, prompt: "Prompt") -> None:
        if not self._is_over and self.prompt is prompt:
            self.show_question(prompt)

    def left(self) -> None:
        super().left()
        if not self._is_over:
            self._is_over = True
            self.desk.put_back(self.request)

    def _end(self, sentence: str) -> None:
        self._is_over = True
        self._over()
        self.desk.answer(self.request, sentence, ok=False)
        if not self.is_quiet:
            self.services.say(clean(f"{self.request.seat}: {sentence}", 400), error=True)

    def _done(self, event: Event, turn: str) -> None:
        self._is_over = True
        typing = self.services.prompts.current
        self._over()
        session, campaign = self.table.session, self.table.campaign
        if session is not None and campaign is not None:
            text = said_to_seat(event, session.encounter, self.request.viewer, campaign.seats)
            self.desk.answer(self.request, text, ok=True)
        if typing is None:
            self.services.say("")
        self.services.show_change()
        if self._go_on:
            self._go_on()


def said_to_seat(event: Event, encounter: Encounter, viewer: Viewer, shown: Shown) -> str:
    """Return what a seat is told of its own request: what stands in its log of it."""
    return " ".join(text for text, _ in seen_sentences(event, encounter, viewer, shown)) or "Done."


def encounter_at(session: Session, n: int) -> Encounter:
    """Return the fight after event `n`. Raises Refused for what is too long ago, or still to come."""
    events: Sequence[Event] = session.log.events
    since = len(events) - n
    if not 0 <= since <= _LONGEST_WAY_BACK:
        raise Refused(_MOVED_ON)
    state = session.encounter
    for at in range(since):
        state = patch(state, reverse(changes_of(events[len(events) - 1 - at])))
    return state


def takes_offer(encounter: Encounter, command: Command) -> bool:
    """Return whether an action takes up something that the rules offer."""
    if not isinstance(command.intent, Act):
        return False
    try:
        return read_action(encounter, command.intent).offer is not None
    except (Refused, Wrong):
        return False


def concerns_hidden(encounter: Encounter, command: Command) -> bool:
    """Return whether a hidden combatant acts or is a target, as far as the command says."""
    if not isinstance(command.intent, Act):
        return False
    try:
        doing = read_action(encounter, command.intent)
    except (Refused, Wrong):
        return True
    return any(encounter.combatants[who].state.hidden for who in (*doing.actors, *doing.targets))


def _words_of(choice: object) -> str:
    """A choice as a person reads it."""
    return as_words(choice).replace("_", " ")
