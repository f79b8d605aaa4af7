"""Limits on the work that a connection causes for the server."""

import asyncio
import socket
from pathlib import Path
from typing import Any

import asyncssh

from tests.tui.seats.opened import served, wait_for
from tui.seats import bounds
from tui.seats.joining import Joining
from tui.seats.ssh import SeatConnection, SeatServer, server_options, speak
from tui.seats.ssh_session import SessionPlace

BIG = "diffie-hellman-group14-sha256,diffie-hellman-group18-sha512,diffie-hellman-group-exchange-sha256"


def test_keys_are_not_exchanged_with_large_numbers(tmp_path: Path) -> None:
    with served(tmp_path, keys={"okado": "key"}) as table:
        for algorithm in BIG.split(","):
            ran = table.ssh("okado", "status", key=table.key(), options=["-o", f"KexAlgorithms={algorithm}"])
            assert ran.returncode == 255
        assert table.ssh("okado", "status", key=table.key()).returncode == 0


def test_a_connection_that_exchanges_keys_again_and_again_is_ended(tmp_path: Path) -> None:
    with served(tmp_path, keys={"okado": "key"}) as table:
        seat = table.seat("okado", key=table.key())
        seat.until("Guard 1")

        def exchanges_keys() -> bool:
            if not seat.over:
                seat.press("\r~R")
                seat.read(0.1)
            return seat.over

        wait_for(exchanges_keys, "the end of the connection")


async def test_other_clients_get_a_turn_after_little_of_one_client_is_read() -> None:
    connection, client = await connected()
    assert connection._transport.max_size == bounds.AT_ONCE  # type: ignore[union-attr]
    connection.abort()
    client.close()


async def test_a_client_that_sends_but_never_reads_is_disconnected() -> None:
    connection, client = await connected()
    transport = connection._transport
    assert transport is not None
    transport.write(b"x" * 8 * bounds.UNSENT_ANSWERS)
    assert transport.get_write_buffer_size() > bounds.UNSENT_ANSWERS
    connection.data_received(b"SSH-2.0-asks-again\r\n")
    async with asyncio.timeout(20):
        while not transport.is_closing():
            await asyncio.sleep(0)
    client.close()


async def connected() -> tuple[SeatConnection, socket.socket]:
    """A connection of the server, and the client's end of it."""

    def nowhere(server: SeatServer) -> SessionPlace:
        raise AssertionError("nobody logs in")

    def server() -> SeatServer:
        joining: Any = Joining.__new__(Joining)
        return SeatServer(joining, nowhere, lambda server: None, lambda server: None)

    options = await server_options(asyncssh.generate_private_key("ssh-ed25519"), server)
    ours, theirs = socket.socketpair()
    return await speak(ours, options), theirs
