"""The seat's end of its wire: views and answers arrive, requests and questions are sent."""

import asyncio
import socket
from collections.abc import Callable
from typing import TypeVar

from systems.codec.plain import BadPlainData, from_plain
from systems.frozen import evolve
from tui.seats.seat_messages import AskedBySeat, CommandRequested, SeatReply, SeatSpot, SeatWithdraws
from tui.wire.frames import Message
from tui.wire.link import Link, connected
from tui.wire.messages import NOT_UNDERSTOOD, RefusedMessage

T = TypeVar("T")
_PATIENCE = 3.0  # seconds that the server has for an answer


class SeatWire:
    """A seat's connection with the server.

    `received` is called with each message that is not an answer, `lost` when the server is gone.
    """

    def __init__(self, end: socket.socket) -> None:
        self._end = end
        self._link: Link | None = None
        self._received: Callable[[Message], None] = lambda message: None
        self._lost: Callable[[], None] = lambda: None
        self._questions: dict[int, asyncio.Future[object]] = {}
        self._last = 0
        self._token = ""

    async def start(self, received: Callable[[Message], None], lost: Callable[[], None]) -> None:
        """Begin to read in the running event loop."""
        self._received, self._lost = received, lost
        self._link = await connected(Link(self._take, self._gone), self._end)

    def request(self, line: str) -> bool:
        """Ask the table to carry out a line of the command language. Return False if it can't be reached."""
        return self._send(CommandRequested(line, self._token))

    def reply(self, ask: int, value: int | str) -> bool:
        """Answer the table's question with typed dice, or the number of a choice."""
        return self._send(SeatReply(ask, value))

    def withdraw(self, id: str) -> bool:
        """Withdraw a request that waits. Return False if the table can't be reached."""
        return self._send(SeatWithdraws(id))

    def _send(self, message: object) -> bool:
        return self._link is not None and self._link.send(message)

    def remember(self, spot: SeatSpot) -> None:
        """Have the server store the player's place for the next login."""
        if self._link is not None:
            self._link.send_newest(spot)

    async def ask(self, question: AskedBySeat, kind: type[T]) -> T | None:
        """Return the server's answer to a question, or None. It reveals only what this seat may see.

        `kind`: the class of the answer. Raises TimeoutError if the server does not answer.
        """
        if self._link is None or len(self._questions) > 8:
            return None
        self._last += 1
        answer: asyncio.Future[object] = asyncio.get_running_loop().create_future()
        self._questions[self._last] = answer
        try:
            if not self._send(evolve(question, id=self._last)):
                return None
            return read_answer(await asyncio.wait_for(answer, _PATIENCE), kind)
        finally:
            self._questions.pop(self._last, None)

    def _take(self, message: Message) -> None:
        if message["kind"] == "answer":
            answer = self._questions.get(message.get("id", 0))
            if answer and not answer.done():
                answer.set_result(message.get("value"))
            return
        if message["kind"] == RefusedMessage.kind:
            message = {"kind": "said", "text": NOT_UNDERSTOOD, "error": True, "passes": False}
        if message["kind"] in ("view", "token"):
            self._token = message["token"]
        self._received(message)

    def _gone(self) -> None:
        for answer in self._questions.values():
            if not answer.done():
                answer.set_result(None)
        self._lost()


def read_answer(given: object, kind: type[T]) -> T | None:
    """Return an answer of the server as a value of a class. Return None if there is none."""
    try:
        return from_plain(kind, given)
    except BadPlainData:
        return None
