"""A game master's program for tests, as far as the server of seats can tell."""

import json
import select
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from msgspec import to_builtins

from tests.tui.seats.opened import PATIENCE, Table
from tui.wire.address import listen, table_socket
from tui.wire.frames import FrameReader, encode
from tui.wire.messages import content
from tui.wire.server_report import ServerReport


class FakeTable:
    """Receives the server's messages and sends those of the test."""

    def __init__(self, listener: socket.socket) -> None:
        assert select.select([listener], [], [], PATIENCE)[0], "the server does not connect"
        self.end, _ = listener.accept()
        self.reader = FrameReader()
        self.heard: list[dict[str, Any]] = []
        self._state: dict[str, Any] = {}

    def say(self, kind: str, **more: Any) -> None:
        """Send one message."""
        self.end.sendall(encode({"kind": kind, **more}))

    def state(self, wanted: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
        """Return the newest state once it meets the condition."""
        end = monotonic() + PATIENCE
        while not (self._state and wanted(self._state)):
            assert monotonic() < end, f"the state stays {self._state}"
            self.read(0.1)
            newest = [message for message in self.heard if message["kind"] == "state"]
            self.heard.clear()
            if newest:
                # As JSON, with the fields that were left out because they are empty.
                report = content(newest[-1], ServerReport)
                self._state = json.loads(json.dumps(to_builtins(report)))
        return self._state

    def request(self) -> dict[str, Any]:
        """Return the next request of a seat."""
        return self.next("request")

    def next(self, kind: str) -> dict[str, Any]:
        """Return the first message of a kind that the server has sent."""
        end = monotonic() + PATIENCE
        while not (found := [message for message in self.heard if message["kind"] == kind]):
            assert monotonic() < end, f"no {kind} came"
            self.read(0.1)
        return found[0]

    def read(self, patience: float) -> bool:
        """Read the messages that arrive within that time."""
        if not select.select([self.end], [], [], patience)[0]:
            return False
        data = self.end.recv(65_536)
        self.heard += [dict(message) for message in self.reader.feed(data)]
        return bool(data)


@contextmanager
def fake_table(table: Table) -> Iterator[FakeTable]:
    """Listen on the socket on which the server expects the game master's program."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(table.folder / "state"))
        path: Path = table_socket(table.campaign)
        listener = listen(path)
    try:
        assert path.stat().st_mode & 0o777 == 0o600
        found = FakeTable(listener)
        try:
            yield found
        finally:
            found.end.close()
    finally:
        listener.close()
        path.unlink(missing_ok=True)
