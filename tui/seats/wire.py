"""The seat's end of its wire: views and answers arrive, requests and questions are sent."""

import asyncio
import socket
from collections.abc import Callable, Mapping
from typing import Any

from tui.wire.frames import Message
from tui.wire.link import Link, connected
from tui.wire.messages import NOT_UNDERSTOOD
from tui.wire.table_messages import REFUSED

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
        self._questions: dict[int, asyncio.Future[Any]] = {}
        self._last = 0
        self._token = ""

    async def start(self, received: Callable[[Message], None], lost: Callable[[], None]) -> None:
        """Begin to read in the running event loop."""
        self._received, self._lost = received, lost
        self._link = await connected(Link(self._take, self._gone), self._end)

    def request(self, line: str) -> bool:
        """Ask the table to carry out a line of the command language. Return False if it can't be reached."""
        message = {"kind": "request", "line": line, "token": self._token}
        return self._link is not None and self._link.send(message)

    def reply(self, ask: int, value: Any) -> bool:
        """Answer the table's question with the face of a die, or a choice."""
        message = {"kind": "reply", "ask": ask, "value": value}
        return self._link is not None and self._link.send(message)

    def withdraw(self, id: str) -> bool:
        """Withdraw a request that waits. Return False if the table can't be reached."""
        return self._link is not None and self._link.send({"kind": "withdraw", "id": id})

    def remember(self, spot: Mapping[str, Any]) -> None:
        """Have the server store the player's place for the next login."""
        if self._link is not None:
            self._link.send_newest({"kind": "spot", "spot": dict(spot)})

    async def ask(self, what: str, **details: Any) -> Any:
        """Return the server's answer to a question, or None. It reveals only what this seat may see.

        Raises TimeoutError if the server does not answer.
        """
        if self._link is None or len(self._questions) > 8:
            return None
        self._last += 1
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._questions[self._last] = answer
        try:
            if not self._link.send({"kind": "question", "id": self._last, "what": what, **details}):
                return None
            return await asyncio.wait_for(answer, _PATIENCE)
        finally:
            self._questions.pop(self._last, None)

    def _take(self, message: Message) -> None:
        if message["kind"] == "answer":
            answer = self._questions.get(message.get("id", 0))
            if answer and not answer.done():
                answer.set_result(message.get("value"))
            return
        if message["kind"] == REFUSED:
            message = {"kind": "said", "text": NOT_UNDERSTOOD, "error": True, "passes": False}
        if message["kind"] in ("view", "token"):
            self._token = message["token"]
        self._received(message)

    def _gone(self) -> None:
        for answer in self._questions.values():
            if not answer.done():
                answer.set_result(None)
        self._lost()
