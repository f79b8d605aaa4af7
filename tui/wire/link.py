"""One end of a connection that carries messages, in an event loop."""

import asyncio
import socket
from collections.abc import Callable
from typing import Any, cast

from tui.terminal.program_log import log_warning
from tui.wire.frames import LARGEST, BadMessage, FrameReader, Message, encode
from tui.wire.messages import Kinds, Malformed, RefusedMessage, plain_message, read, refusal

_HIGH = 64 * 1024
_MOST_WAITING = 64
_MOST_REFUSED = 20


class Link(asyncio.Protocol):
    """Calls `received` for each message, and `closed` once when the other end is gone.

    While the other end does not read, at most 64 messages wait. Of the messages sent with `send_newest`, only
    the last one of each kind waits. With `kinds`, `received` gets messages as values, and malformed messages
    are refused: logged and answered, and after many of them the connection is closed. Any other error of
    `received` goes to `failed`.
    """

    def __init__(
        self,
        received: Callable[[Any], None],
        closed: Callable[[], None] | None = None,
        most: int = LARGEST,
        kinds: Kinds | None = None,
        failed: Callable[[Exception], None] | None = None,
    ) -> None:
        self._received, self._closed = received, closed
        self._kinds, self._failed = kinds, failed
        self._refused = 0
        self._reader = FrameReader(most)
        self._transport: asyncio.Transport | None = None
        self._is_full = False
        self._waiting: list[Message] = []
        self._newest: dict[str, Message] = {}

    @property
    def is_open(self) -> bool:
        """Return whether messages can be sent."""
        return self._transport is not None and not self._transport.is_closing()

    @property
    def is_full(self) -> bool:
        """Return whether messages are waiting because the other end does not read."""
        return self._is_full

    def send(self, value: object) -> bool:
        """Send a message, or queue it until the other end reads. Return False if it is gone or too slow.

        `value`: the message, as a value or a table.
        """
        message = plain_message(value)
        if not self.is_open:
            return False
        if self._is_full:
            if len(self._waiting) >= _MOST_WAITING:
                return False
            self._waiting.append(message)
            return True
        self._write(message)
        return True

    def send_newest(self, value: object) -> None:
        """Send a message that replaces an earlier one of its kind."""
        message = plain_message(value)
        if self._is_full:
            self._newest[str(message["kind"])] = message
        else:
            self.send(message)

    def close(self) -> None:
        """Close this end after sending what is queued."""
        if self._transport:
            self._transport.close()

    def abort(self) -> None:
        """Close this end and drop what is queued."""
        if self._transport:
            self._transport.abort()

    def _write(self, message: Message) -> None:
        if self._transport:
            self._transport.write(encode(message))

    # What asyncio calls.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._transport.set_write_buffer_limits(high=_HIGH)

    def data_received(self, data: bytes) -> None:
        try:
            for message in self._reader.feed(data):
                self._handle(message)
        except BadMessage as error:
            log_warning("closed a connection: %s", error)
            self.abort()

    def _refuse(self, message: Message, error: Malformed) -> None:
        log_warning("refused a message: %s", error)
        self._refused += 1
        if self._refused > _MOST_REFUSED:
            self.abort()
        elif message["kind"] != RefusedMessage.kind:  # otherwise two programs could refuse refusals for ever
            self.send(refusal(message, error))

    def _handle(self, message: Message) -> None:
        try:
            self._received(message if self._kinds is None else read(message, self._kinds))
        except Malformed as error:
            self._refuse(message, error)
        except Exception as error:
            if self._failed is None:
                raise
            self._failed(error)

    def pause_writing(self) -> None:
        self._is_full = True

    def resume_writing(self) -> None:
        self._is_full = False
        waiting, self._waiting = self._waiting, []
        newest, self._newest = self._newest, {}
        for message in (*waiting, *newest.values()):
            self._write(message)

    def connection_lost(self, exc: Exception | None) -> None:
        self._transport = None
        if self._closed:
            self._closed()


async def connected(link: Link, end: socket.socket) -> Link:
    """Use a connected local socket as a link's connection."""
    end.setblocking(False)
    await asyncio.get_running_loop().create_unix_connection(lambda: link, sock=end)
    return link
