"""The connection between the server of the seats and the game master's program."""

import secrets
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from systems.errors import Refused
from systems.frozen import evolve
from tui.campaign.seats import Seat, fingerprint
from tui.controllers.seat_meaning import answer_words
from tui.display.seat import NO_TABLE
from tui.seats.command_line import SeatCommandLine
from tui.seats.following import FollowedCampaign
from tui.seats.joining import LASTS, Joining, Lasts
from tui.seats.screens import Screen
from tui.seats.seat_messages import SeatReply, is_short
from tui.seats.table_link import TableLink, request_message
from tui.terminal.program_log import log_warning
from tui.wire.address import table_socket
from tui.wire.frames import Message
from tui.wire.messages import NOT_UNDERSTOOD, RefusedMessage, plain_message
from tui.wire.request_list import (
    TABLE_ENDED,
    ListedRequest,
    ListOfSeat,
    after_loss,
)
from tui.wire.server_report import ReportedKnock, ReportedSeat, ServedAt, ServerReport
from tui.wire.table_messages import (
    Answered,
    Hello,
    Kick,
    LetBack,
    LetIn,
    LockTable,
    MakePassword,
    Missing,
    News,
    RemoveKey,
    Reply,
    RequestEnded,
    RequestWaits,
    SeatQuestion,
    Trouble,
    TurnAway,
    TurnOver,
    Withdraw,
)

_MOST_PROBLEMS = 8  # mistakes of seats.toml that the page of seats lists


class TableHost(Protocol):
    """The server as the connection with the table uses it. `say` writes one line to its log."""

    followed: FollowedCampaign
    joining: Joining
    screens: list[Screen]
    where: ServedAt
    say: Callable[[str], None]

    def let_in(self, number: int, name: str, for_good: bool, second_key: bool) -> None:
        """Admit a guest at the seat of that name."""

    def kick(self, name: str) -> None:
        """End a seat. Its keys stay out until the game master admits them again."""

    def hand_out(self, name: str, lasts: Lasts) -> None:
        """Make a password for a seat in place of an earlier one."""

    def let_back(self, name: str, mark: str) -> None:
        """Let a kicked key open its seat again. `mark`: its fingerprint."""

    def remove_key(self, name: str, mark: str) -> None:
        """Remove a key from a seat. `mark`: its fingerprint."""


class SeatsTable:
    """The game master's program as the server of the seats knows it."""

    def __init__(self, path: Path, server: TableHost) -> None:
        self._server = server
        self._link = TableLink(table_socket(path), self._received, self._changed)
        # The open questions to seats, and the commands without a screen that wait for an answer.
        self._asked: dict[int, SeatQuestion] = {}
        # The players who have not rolled yet, while several roll at the same time.
        self._missing: Missing | None = None
        # The seats with an open request to end their turn.
        self._turn_over: set[str] = set()
        # The requests of each seat that has some.
        self._requests: dict[str, Sequence[ListedRequest]] = {}
        self._commands: dict[str, SeatCommandLine] = {}

    @property
    def is_there(self) -> bool:
        """Return whether the game master's program runs."""
        return self._link.is_there

    def start(self) -> None:
        """Connect in the running event loop, as soon as possible."""
        self._link.start()

    def stop(self) -> None:
        """Stop connecting."""
        self._link.stop()

    def request(self, screen: Screen, line: str, n: int, token: str) -> None:
        """Forward a request to the game master's program, or say why it is refused."""
        if not self._link.is_there:
            screen.say(NO_TABLE, error=True)
            return
        try:
            request = request_message(self._server.followed, screen.seat, line, n, token)
        except Refused as error:
            screen.say(answer_words(str(error)), error=True)
            return
        if not self._link.send(request):
            screen.say(NO_TABLE, error=True)

    def request_of_command(self, command: SeatCommandLine, line: str) -> bool:
        """Forward the request of a command without a screen. Return False if there is no table.

        Raises Refused if the line is not possible.
        """
        if not self._link.is_there:
            return False
        followed, seat, token = self._server.followed, command.seat, secrets.token_hex(8)
        fight = followed.fight_of(seat)
        request = request_message(followed, seat, line, fight.n if fight else 0, token)
        if not self._link.send(evolve(request, is_roll=True)):
            return False
        self._commands[token] = command
        return True

    def forget_command(self, command: SeatCommandLine) -> None:
        """Stop waiting for the answer to a command."""
        for token, waiting in list(self._commands.items()):
            if waiting is command:
                del self._commands[token]

    def withdraw(self, screen: Screen, id: str) -> None:
        """Withdraw a request of a seat."""
        if not self._link.send(Withdraw(id, screen.seat.name)):
            screen.say(NO_TABLE, error=True)

    def reply(self, screen: Screen, reply: SeatReply) -> None:
        """Forward a seat's answer to a question about a die or a choice."""
        seat, asked = screen.seat, self._asked.get(reply.ask)
        if asked is None or asked.character not in seat.characters:
            screen.say("This question is closed already.", error=True)
        elif is_short(reply):
            self._link.send(Reply(reply.ask, reply.value, seat.name))

    def _changed(self) -> None:
        self._server.say(
            f"the game master's program {'is connected' if self._link.is_there else 'has disconnected'}"
        )
        if self._link.is_there:
            self._link.send(Hello())
            self.tell()
        else:
            self._asked.clear()
            self._missing = None
            self._turn_over.clear()
            for seat, listed in self._requests.items():
                self._list_requests(seat, after_loss(listed, TABLE_ENDED))
            for command in list(self._commands.values()):
                command.finish("The game master's program has ended.", 1)
        for screen in self._server.screens:
            screen.send({"kind": "table", "there": self._link.is_there})

    def tell_news(self, sentence: str) -> None:
        """Tell the game master that a player's line was lost, or that the player is back."""
        self._link.send(News(sentence))

    def report(self, sentence: str) -> None:
        """Show the game master a sentence about a failure."""
        self._link.send(Trouble(sentence))

    def tell(self) -> None:
        """Send the game master's program the seats, the knocks, the passwords, and mistakes in seats.toml."""
        if not self._link.is_there:
            return
        joining = self._server.joining
        seats = tuple(self._reported(seat) for seat in self._server.followed.seats.by_name.values())
        knocks = tuple(
            ReportedKnock(
                knock.id,
                knock.name,
                knock.seat,
                _name_of(joining.seats.of_key(knock.key)),
                _name_of(joining.seats.kicked_from(knock.key)),
                knock.address,
                knock.fingerprint,
            )
            for knock in joining.knocks.values()
        )
        problems = tuple(str(problem) for problem in joining.seats.problems[:_MOST_PROBLEMS])
        self._link.send_newest(ServerReport(seats, knocks, self._server.where, joining.locked, problems))

    def _reported(self, seat: Seat) -> ReportedSeat:
        joining = self._server.joining
        keys = dict.fromkeys((*seat.kicked, *seat.keys))
        return ReportedSeat(
            seat.name,
            tuple(seat.characters),
            tuple(fingerprint(key) for key in seat.keys if not joining.is_kicked(key)),
            tuple(fingerprint(key) for key in keys if joining.is_kicked(key)),
            joining.passwords[seat.name].text if seat.name in joining.passwords else "",
            lasts_now(joining, seat),
            tuple(screen.login.address for screen in self._server.screens if screen.seat == seat),
        )

    def _received(self, message: object) -> None:
        """Handle a message of the game master's program."""
        match message:
            case RequestEnded() | RequestWaits():
                self._tell_of_request(message)
            case SeatQuestion():
                self._asked[message.ask] = message
                self._to_owners(message.character, plain_message(evolve(message, character="")))
            case Answered(ask):
                if asked := self._asked.pop(ask, None):
                    self._to_owners(asked.character, plain_message(message))
            case Missing(names):
                self._missing = message if names else None
                for screen in self._server.screens:
                    screen.send(plain_message(message))
            case RefusedMessage(_, text, id, seat):
                log_warning("the table refused a message: %s", text)
                if seat:
                    self._tell_of_request(RequestEnded(id, seat, False, NOT_UNDERSTOOD))
            case TurnOver(is_open, seat):
                self._tell_turn_over(seat, is_open=is_open)
            case ListOfSeat(requests, seat):
                self._list_requests(seat, requests)
            case _:
                self._admit(message)
                self.tell()

    def _admit(self, message: object) -> None:
        """Carry out what the game master does about guests and seats."""
        server = self._server
        match message:
            case LetIn(knock, seat, for_good, second_key):
                server.let_in(knock, seat, for_good, second_key)
            case TurnAway(knock):
                if guest := server.joining.knocks.pop(knock, None):
                    guest.turn_away("The game master has turned you away.")
            case MakePassword(seat, lasts):
                server.hand_out(seat, next((known for known in LASTS if known == lasts), "once"))
            case Kick(seat):
                server.kick(seat)
            case LetBack(seat, key):
                server.let_back(seat, key)
            case RemoveKey(seat, key):
                server.remove_key(seat, key)
            case LockTable(locked):
                server.joining.locked = locked

    def _tell_of_request(self, message: RequestEnded | RequestWaits) -> None:
        is_over = isinstance(message, RequestEnded)
        command = self._commands.get(message.id)
        if command is not None:
            if is_over:
                command.finish(message.text, 0 if message.ok else 1)
            else:
                command.wait(message.text)
            return
        for screen in self._server.screens:
            if screen.seat.name == message.seat:
                screen.say(message.text, not message.ok, message.ok and is_over)

    def _tell_turn_over(self, seat: str, *, is_open: bool) -> None:
        """Tell a seat whether its request to end its turn is open."""
        if is_open:
            self._turn_over.add(seat)
        else:
            self._turn_over.discard(seat)
        for screen in self._server.screens:
            if screen.seat.name == seat:
                screen.send({"kind": "turn_over", "is_open": is_open})

    def _list_requests(self, seat: str, listed: Sequence[ListedRequest]) -> None:
        """Store the requests of a seat, and send them to its screens."""
        self._requests[seat] = listed
        for screen in self._server.screens:
            if screen.seat.name == seat:
                screen.send(plain_message(ListOfSeat(tuple(listed))))

    def ask_again(self, screen: Screen) -> None:
        """Send a newly opened screen the requests of its seat, and the open questions to its characters."""
        if listed := self._requests.get(screen.seat.name):
            screen.send(plain_message(ListOfSeat(tuple(listed))))
        if screen.seat.name in self._turn_over:
            screen.send({"kind": "turn_over", "is_open": True})
        if self._missing is not None:
            screen.send(plain_message(self._missing))
        for asked in self._asked.values():
            if asked.character in screen.seat.characters:
                screen.send(plain_message(evolve(asked, character="")))

    def _to_owners(self, character: str, message: Message) -> None:
        """Send a message to the screens of a character's seat."""
        for screen in self._server.screens:
            if character in screen.seat.characters:
                screen.send(message)


def lasts_now(joining: Joining, seat: Seat) -> str:
    """Return how long the password of a seat lasts, or "" if it has none. Its text may not be known."""
    if seat.name in joining.passwords:
        return joining.passwords[seat.name].lasts
    return "good" if seat.password is not None else ""


def _name_of(seat: Seat | None) -> str:
    return seat.name if seat is not None else ""
