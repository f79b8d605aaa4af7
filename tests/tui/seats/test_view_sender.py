"""What a screen is sent of each view."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from systems.codec.plain import from_plain
from systems.visibility.changes import with_changes
from systems.visibility.view import View
from tests.tui.seats.screen import fight, seen
from tui.seats.following import MadeView
from tui.seats.view_sender import Tokens, ViewSender
from tui.wire.frames import FrameReader, Message
from tui.wire.link import Link, connected


def made(views: list[View]) -> list[MadeView]:
    """Successive views of the server."""
    return [MadeView(None, at, view, views[at - 1] if at else None) for at, view in enumerate(views)]


def several() -> list[MadeView]:
    play = fight()
    found = [seen(play)]
    for line in ("next", "damage guard-1 3", "note it rains for all", "next"):
        play.do(line)
        found.append(seen(play))
    return made(found)


class Screen:
    """The receiving end: it rebuilds the views from their differences."""

    def __init__(self, end: socket.socket) -> None:
        self._end, self._reader = end, FrameReader()
        self.views: list[View] = []
        self.whole: list[bool] = []
        end.setblocking(False)

    async def until(self, view: View) -> None:
        """Read until it has this view."""
        loop = asyncio.get_running_loop()
        async with asyncio.timeout(20):
            while not self.views or self.views[-1] != view:
                for message in self._reader.feed(await loop.sock_recv(self._end, 65_536)):
                    self._take(message)

    def _take(self, message: Message) -> None:
        self.whole.append("view" in message)
        if self.whole[-1]:
            self.views.append(from_plain(View, message["view"]))
        else:
            self.views.append(with_changes(self.views[-1], message["changes"]))


@asynccontextmanager
async def opened() -> AsyncIterator[tuple[Link, Screen]]:
    ours, theirs = socket.socketpair()
    link = await connected(Link(lambda message: None), ours)
    with theirs:
        yield link, Screen(theirs)
        link.abort()
        # The event loop closes its end in its next round.
        await asyncio.sleep(0)
        await asyncio.sleep(0)


async def test_the_first_view_is_sent_whole_and_every_other_as_what_differs() -> None:
    async with opened() as (link, screen):
        sender = ViewSender(link, Tokens())
        views = several()
        for each in (*views, views[-1]):
            sender.send(each)
        await screen.until(views[-1].view)
        assert screen.views == [each.view for each in views]
        assert screen.whole == [True, False, False, False, False]


async def test_a_view_is_sent_whole_if_the_screen_lacks_the_previous_one() -> None:
    async with opened() as (link, screen):
        sender = ViewSender(link, Tokens())
        first, _, third, *_ = several()
        for each in (first, third):
            sender.send(each)
        await screen.until(third.view)
        assert screen.whole == [True, True]


async def test_a_screen_that_did_not_read_for_a_while_has_the_newest_view_afterwards() -> None:
    async with opened() as (link, screen):
        sender = ViewSender(link, Tokens())
        views = several()
        sender.send(views[0])
        while not link.is_full:
            link.send({"kind": "view", "view": {"title": "x" * 60_000}, "token": ""})
        for each in views[1:4]:
            sender.send(each)
        await screen.until(views[3].view)
        assert views[1].view not in screen.views
        sender.send(views[4])
        await screen.until(views[4].view)
        assert screen.whole[-2:] == [True, False]
