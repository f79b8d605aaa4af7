"""The open screens of seats: each has a process, a terminal and a wire."""

import asyncio
import socket
from collections.abc import Sequence
from typing import Protocol

from systems.codec.plain import plain_value, to_plain
from systems.text import clean
from tui.campaign.seats import Seat
from tui.seats import bounds
from tui.seats.bounds import TokenBucket
from tui.seats.following import FollowedCampaign
from tui.seats.paste import LARGEST_PASTE
from tui.seats.places import Places
from tui.seats.questions import SeatAnswers
from tui.seats.seat_messages import (
    FROM_SEAT,
    AskedBySeat,
    CommandRequested,
    SeatReply,
    SeatSpot,
    SeatWithdraws,
)
from tui.seats.ssh import SeatServer
from tui.seats.ssh_session import SeatSession
from tui.seats.terminal import SeatTerminal
from tui.seats.view_sender import LONGEST_TOKEN, STALE, Tokens, ViewSender
from tui.seats.warm_process import WarmProcess
from tui.terminal.program_log import log_unexpected
from tui.terminal.restore import RESTORE, TakenScreen
from tui.wire.frames import LARGEST_FROM_SEAT, LARGEST_REQUEST, Message
from tui.wire.link import Link, connected

BROKEN_OFF = "This seat's program has failed. To come back, type the same line again."
_GOODBYE = 1.0  # seconds that a seat's program has to end normally
_QUESTIONS, _QUESTION_BURST = 12.0, 30.0


class ScreenTable(Protocol):
    """The game master's program as a seat's screen uses it."""

    @property
    def is_there(self) -> bool:
        """Return whether the game master's program runs."""

    def request(self, screen: "Screen", line: str, n: int, token: str) -> None:
        """Forward a request to the game master's program."""

    def reply(self, screen: "Screen", reply: SeatReply) -> None:
        """Forward a seat's answer to a question about a die or a choice."""

    def withdraw(self, screen: "Screen", id: str) -> None:
        """Withdraw a request of the seat."""

    def ask_again(self, screen: "Screen") -> None:
        """Send a newly opened screen the requests of its seat, and the open questions to its characters."""


class ScreenHost(Protocol):
    """The server as a seat's screen uses it."""

    warm: WarmProcess
    followed: FollowedCampaign

    @property
    def table(self) -> ScreenTable:
        """Return the game master's program."""

    places: Places

    def empty_rows(self, seat: Seat) -> Sequence[str]:
        """Return the names of the rows of a seat's order whose own seats are empty."""

    def answer(self, answers: SeatAnswers, seat: Seat, question: AskedBySeat) -> object:
        """Return the answer to a question of the seat's program as a value, or None."""

    def screen_closed(self, screen: "Screen") -> None:
        """Remove a closed screen."""


class Screen:
    """One open screen of a seat."""

    def __init__(self, server: ScreenHost, login: SeatServer, session: SeatSession, seat: Seat) -> None:
        self.server, self.login, self.session, self.seat = server, login, session, seat
        self.pid = 0
        self.since = asyncio.get_running_loop().time()
        self._terminal: SeatTerminal | None = None
        self._taken = TakenScreen()
        self._link: Link | None = None
        self._tokens = Tokens()
        self._answers = SeatAnswers()
        self._views: ViewSender | None = None
        self._over = False
        # Whether the client's connection was lost.
        self.is_lost = False
        self._empty: Sequence[str] = ()
        self._last_words = ""
        now = self.since
        self._questions = TokenBucket(_QUESTIONS, _QUESTION_BURST, now)

    async def open(self) -> None:
        """Make the terminal and have the warm process fork the seat's program on it."""
        session = self.session
        session.begin()
        terminal = self._terminal = SeatTerminal(*session.size, self._paint, self.close)
        session.on_typed = terminal.type
        session.on_large_paste = self._refuse_paste
        session.on_resized = terminal.resize
        session.on_full = lambda full: terminal.pause() if full else terminal.go_on()
        ours, theirs = socket.socketpair()
        try:
            self.pid = await self.server.warm.fork(terminal.slave, theirs, {"TERM": session.term})
        except OSError as error:
            ours.close()
            session.say(f"The seat cannot be opened: {error}.")
            self.close()
            return
        finally:
            theirs.close()
        if self._over:
            ours.close()
            return
        terminal.begin()
        link = Link(self._received, self.close, LARGEST_FROM_SEAT, FROM_SEAT, log_unexpected)
        self._link = await connected(link, ours)
        self._views = ViewSender(self._link, self._tokens)
        self._begin(self.seat)

    def _begin(self, seat: Seat) -> None:
        """Send the seat's name, the player's place and the first view to the seat's program."""
        place = self.server.places.of(seat.name)
        missed = self.server.followed.lines_since(seat, place.encounter, place.n)
        self.send({"kind": "seat", "name": seat.name, "spot": to_plain(place.spot), "missed": missed})
        self.send({"kind": "table", "there": self.server.table.is_there})
        self.show()
        self.server.table.ask_again(self)

    def _paint(self, data: bytes) -> None:
        """Forward the output of the seat's program."""
        self._taken.follow(data)
        self.session.write(data)

    def _refuse_paste(self, size: int) -> None:
        self.say(f"That paste has {size:,} bytes; a seat takes at most {LARGEST_PASTE:,}.", error=True)

    def send(self, message: Message) -> None:
        """Send a message to the seat's program."""
        if self._link is not None:
            self._link.send(message)

    def show(self) -> None:
        """Send the seat's view if it has changed."""
        if self._views is None:
            return
        made = self.server.followed.made_for(self.seat)
        self.server.places.show(self.seat.name, self.server.followed.name_of_fight(self.seat), made.n)
        self._views.send(made)
        self.show_empty_seats()

    def show_empty_seats(self) -> None:
        """Send the names of the rows whose seats are empty, if they have changed."""
        empty = self.server.empty_rows(self.seat)
        if self._views is not None and empty != self._empty:
            self._empty = empty
            self.send({"kind": "empty", "names": list(empty)})

    # Messages of the seat's program, which are not trusted

    def _received(self, message: object) -> None:
        match message:
            case CommandRequested(line, token):
                self._request(line, token)
            case SeatReply():
                self.server.table.reply(self, message)
            case SeatWithdraws(id):
                self._withdraw(id)
            case SeatSpot():
                self.server.places.remember(self.seat.name, message)
            case AskedBySeat():
                self._question(message)

    def _request(self, line: str, token: str) -> None:
        if len(line.encode(errors="replace")) > LARGEST_REQUEST:
            self.say("The line is too long.", error=True)
            return
        if (n := self._tokens.take(token)) is None:
            self.say(STALE, error=True)
            return
        self.send({"kind": "token", "token": self._tokens.issue(n)})
        if not self.session.pace.requests.try_take(1, asyncio.get_running_loop().time()):
            self.say(bounds.TOO_FAST, error=True)
            return
        self.server.table.request(self, line, n, token)

    def _withdraw(self, id: str) -> None:
        if self.session.pace.requests.try_take(1, asyncio.get_running_loop().time()):
            self.server.table.withdraw(self, clean(id, LONGEST_TOKEN))
        else:
            self.say(bounds.TOO_FAST, error=True)

    def say(self, sentence: str, error: bool = False, passes: bool = False) -> None:
        """Show a sentence on the seat's message line. `passes`: it repeats the log, and may give way."""
        self.send({"kind": "said", "text": clean(sentence, 400), "error": error, "passes": passes})

    def _question(self, question: AskedBySeat) -> None:
        value = None
        if self._questions.try_take(1, asyncio.get_running_loop().time()):
            value = self.server.answer(self._answers, self.seat, question)
        self.send({"kind": "answer", "id": question.id, "value": plain_value(value)})

    # The end

    def goodbye(self, sentence: str) -> None:
        """End the seat with a sentence."""
        self._last_words = sentence
        self.send({"kind": "bye"})
        asyncio.get_running_loop().call_later(_GOODBYE, self.close)

    def lose(self) -> None:
        """End the screen, because its client's connection was lost."""
        self.is_lost = not self._over
        self.close()

    def close(self) -> None:
        """End the screen, its process and its connection."""
        if self._over:
            return
        self._over = True
        if self._link is not None:
            self._link.abort()
        if self._terminal is not None:
            self._terminal.pass_on_the_rest()
            self._terminal.close()
        if self._taken.is_taken:
            # The program was killed, or did not end in time.
            self.session.write(RESTORE)
            self._last_words = self._last_words or BROKEN_OFF
        if self._last_words:
            self.session.say(self._last_words)
        self.session.end()
        self.server.screen_closed(self)
