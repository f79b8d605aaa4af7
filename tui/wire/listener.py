"""A local socket that accepts connections: the table's for its seats, the server's for `affray invite`."""

import asyncio
import socket
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from tui.wire.address import connect, listen, table_socket
from tui.wire.frames import encode
from tui.wire.link import Link, connected
from tui.wire.messages import Kinds, plain_message

_MOST_LINKS = 8


class Listener:
    """Accepts connections, and sends to all of them; only the newest few are kept.

    `received` gets each message of one of these `kinds`, with its connection. `lost` gets a connection whose
    other end is gone, and `failed` an error of `received`.
    """

    def __init__(
        self,
        received: Callable[[Link, Any], None],
        kinds: Kinds,
        failed: Callable[[Exception], None],
        lost: Callable[[Link], None] = lambda link: None,
    ) -> None:
        self._received, self._kinds, self._failed, self._lost = received, kinds, failed, lost
        self.links: list[Link] = []
        self._socket: socket.socket | None = None
        self._tasks: set[asyncio.Task[Any]] = set()

    def start(self, path: Path) -> None:
        """Listen at a path in the running event loop. Do nothing if the path cannot be used."""
        with suppress(OSError):
            self._socket = listen(path)
            asyncio.get_running_loop().add_reader(self._socket, self._accept)

    def stop(self) -> bool:
        """Stop listening, and close all connections. Return whether it was listening."""
        for link in self.links:
            link.abort()
        self.links = []
        if self._socket is None:
            return False
        with suppress(RuntimeError):
            asyncio.get_running_loop().remove_reader(self._socket)
        self._socket.close()
        self._socket = None
        return True

    @property
    def is_connected(self) -> bool:
        """Return whether anything is connected."""
        return any(link.is_open for link in self.links)

    def send(self, message: object) -> None:
        """Send a message to everything that is connected."""
        for link in self.links:
            link.send(message)

    def _accept(self) -> None:
        if self._socket is None:
            return
        try:
            end, _ = self._socket.accept()
        except OSError:
            return
        link = Link(
            lambda message: self._received(link, message),
            lambda: self._closed(link),
            kinds=self._kinds,
            failed=self._failed,
        )
        self.links = [*self.links[-(_MOST_LINKS - 1) :], link]
        task = asyncio.get_running_loop().create_task(connected(link, end))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _closed(self, link: Link) -> None:
        self.links = [other for other in self.links if other is not link]
        self._lost(link)


def send_to_table(campaign: Path, value: object) -> None:
    """Send one message to the game master's program of a campaign. Raises OSError if there is none."""
    with connect(table_socket(campaign)) as end:
        end.sendall(encode(plain_message(value)))
