"""One end of a connection: sending, waiting for a slow reader, and the end."""

import asyncio
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from tui.wire.frames import FrameReader, Message, encode
from tui.wire.link import Link, connected

LONG = "x" * 60_000


@dataclass(slots=True)
class Ends:
    """A link, and the socket at its other end."""

    link: Link
    far: socket.socket
    received: list[Message] = field(default_factory=list)
    closed: list[bool] = field(default_factory=list)
    reader: FrameReader = field(default_factory=FrameReader)

    async def until(self, true: Callable[[], object]) -> None:
        """Wait until something is true that the event loop brings about."""
        async with asyncio.timeout(20):
            while not true():
                await asyncio.sleep(0)

    async def read(self, count: int) -> list[Message]:
        """The next messages that arrive at the other end."""
        found: list[Message] = []
        async with asyncio.timeout(20):
            while len(found) < count:
                data = await asyncio.get_running_loop().sock_recv(self.far, 1 << 16)
                assert data, found
                found += self.reader.feed(data)
        return found

    async def fill(self) -> int:
        """Send until the other end reads no more; returns how many messages went out."""
        count = 0
        while not self.link.is_full:
            assert self.link.send({"kind": "fill", "n": count, "text": LONG})
            count += 1
        return count


@asynccontextmanager
async def ends(most: int = 1 << 20) -> AsyncIterator[Ends]:
    ours, theirs = socket.socketpair()
    theirs.setblocking(False)
    received: list[Message] = []
    closed: list[bool] = []
    link = Link(received.append, lambda: closed.append(True), most)
    await connected(link, ours)
    with theirs:
        found = Ends(link, theirs, received, closed)
        yield found
        link.abort()
        await found.until(lambda: closed)
    await asyncio.sleep(0)


async def test_messages_go_both_ways_in_order() -> None:
    async with ends() as found:
        for n in range(5):
            assert found.link.send({"kind": "x", "n": n})
        assert [message["n"] for message in await found.read(5)] == [0, 1, 2, 3, 4]
        data = b"".join(encode({"kind": "y", "n": n}) for n in range(3))
        for byte in data:
            await asyncio.get_running_loop().sock_sendall(found.far, bytes([byte]))
        await found.until(lambda: len(found.received) == 3)
        assert [message["n"] for message in found.received] == [0, 1, 2]


async def test_at_most_sixty_four_messages_wait_for_a_slow_reader() -> None:
    async with ends() as found:
        sent = await found.fill()
        taken = [found.link.send({"kind": "x", "n": n}) for n in range(70)]
        assert taken == [True] * 64 + [False] * 6
        messages = await found.read(sent + 64)
        assert [message["n"] for message in messages[sent:]] == list(range(64))
        await found.until(lambda: not found.link.is_full)
        assert found.link.send({"kind": "x", "n": 99})
        assert [message["n"] for message in await found.read(1)] == [99]


async def test_only_the_newest_of_replaceable_messages_waits() -> None:
    async with ends() as found:
        sent = await found.fill()
        for n in range(1_000):
            found.link.send_newest({"kind": "view", "n": n})
            found.link.send_newest({"kind": "state", "n": n})
        messages = (await found.read(sent + 2))[sent:]
        assert [(message["kind"], message["n"]) for message in messages] == [("view", 999), ("state", 999)]
        found.link.send_newest({"kind": "view", "n": 1_000})
        assert [message["n"] for message in await found.read(1)] == [1_000]


async def test_bytes_that_are_no_message_end_the_link_and_those_before_them_count() -> None:
    async with ends() as found:
        data = encode({"kind": "x"}) + b"\0\0\0\1?" + encode({"kind": "never"})
        await asyncio.get_running_loop().sock_sendall(found.far, data)
        await found.until(lambda: found.closed)
        assert found.received == [{"kind": "x"}]
        assert not found.link.is_open


async def test_a_message_longer_than_allowed_ends_the_link() -> None:
    async with ends(most=100) as found:
        await asyncio.get_running_loop().sock_sendall(found.far, (101).to_bytes(4, "big"))
        await found.until(lambda: found.closed)
        assert found.received == []


async def test_nothing_is_sent_after_a_disconnection_and_it_is_reported_once() -> None:
    async with ends() as found:
        found.far.close()
        await found.until(lambda: found.closed)
        assert not found.link.is_open
        assert not found.link.send({"kind": "x"})
        found.link.send_newest({"kind": "x"})
        found.link.close()
        found.link.abort()
        await asyncio.sleep(0)
        assert found.closed == [True]


async def test_messages_sent_before_closing_still_arrive() -> None:
    async with ends() as found:
        sent = await found.fill()
        found.link.close()
        assert len(await found.read(sent)) == sent
        await found.until(lambda: found.closed)
