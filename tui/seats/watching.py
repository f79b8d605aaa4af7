"""`affray watch`: the screen of one seat, or the public one, on this terminal.

This process makes the view. The screen is painted in a process forked before the campaign was opened, so that
its memory holds nothing of the campaign.
"""

import asyncio
import os
import signal
import socket
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NoReturn

from systems.codec.plain import plain_value, to_plain
from systems.errors import Refused
from systems.frozen import evolve
from systems.text import clean
from tui.campaign.seats import Seat
from tui.controllers.seat_meaning import answer_words
from tui.display.seat import NO_TABLE
from tui.seats import bounds
from tui.seats.bounds import TokenBucket
from tui.seats.following import FollowedCampaign
from tui.seats.places import Places
from tui.seats.questions import SeatAnswers, answer
from tui.seats.seat_messages import (
    FROM_SEAT,
    AskedBySeat,
    CommandRequested,
    SeatReply,
    SeatSpot,
    SeatWithdraws,
    is_short,
)
from tui.seats.table_link import TableLink, request_message
from tui.seats.view_sender import LONGEST_TOKEN, STALE, Tokens, ViewSender
from tui.terminal.program_log import log_task_error, log_unexpected
from tui.wire.address import table_socket
from tui.wire.frames import LARGEST_FROM_SEAT, LARGEST_REQUEST, Message
from tui.wire.link import Link, connected
from tui.wire.messages import plain_message
from tui.wire.request_list import TABLE_ENDED, ListedRequest, ListOfSeat, after_loss
from tui.wire.table_messages import (
    Answered,
    Hello,
    Missing,
    Reply,
    RequestEnded,
    RequestWaits,
    SeatQuestion,
    TurnOver,
    Withdraw,
)

_GO = b"!"
_READ_ONLY = "You are watching this seat; you can't act here."


class NoSuchSeat(ValueError):
    """Raised if the campaign has no seat of that name. The message is one sentence."""


def fork_screen() -> tuple[int, socket.socket]:
    """Fork the process that paints. It begins after `go`. Return its process id and its wire."""
    ours, theirs = socket.socketpair()
    pid = os.fork()
    if pid == 0:
        ours.close()
        _paint(theirs)
    theirs.close()
    return pid, ours


def go(wire: socket.socket) -> None:
    """Let the painting process begin."""
    wire.sendall(_GO)


def _paint(wire: socket.socket) -> NoReturn:
    status = 1
    try:
        if wire.recv(1) == _GO:
            from tui.seats.program import run_seat

            status = run_seat(wire)
    finally:
        os._exit(status)


class Watcher:
    """Sends one screen its views, and forwards its requests to the table if it plays at a seat."""

    def __init__(self, path: Path, name: str | None, acts: bool, say: Callable[[str], None]) -> None:
        self._name, self._acts = name, acts
        self._gone: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self.followed = FollowedCampaign(path, self._show, self._vanished, say)
        self._table = TableLink(table_socket(path), self._from_table, self._table_changed)
        self._places = Places(path)
        self._link: Link | None = None
        self._tokens = Tokens()
        self._answers = SeatAnswers()
        self._asked: set[int] = set()  # open questions of the table to this seat
        self._listed: Sequence[ListedRequest] = ()
        now = asyncio.get_running_loop().time()
        self._requests = TokenBucket(bounds.REQUESTS, bounds.REQUEST_BURST, now)
        self._views: ViewSender | None = None
        if name is not None and self._seat is None:
            known = ", ".join(self.followed.seats.by_name) or "none"
            raise NoSuchSeat(f'there is no seat "{clean(name, 40)}"; seats: {known}')

    @property
    def _seat(self) -> Seat | None:
        return self.followed.seats.by_name.get(self._name) if self._name is not None else None

    async def run(self, wire: socket.socket) -> str:
        """Serve the screen until it ends. Return the error that ended it, or ""."""
        loop = asyncio.get_running_loop()
        link = Link(self._received, lambda: self._end(""), LARGEST_FROM_SEAT, FROM_SEAT, log_unexpected)
        self._link = await connected(link, wire)
        self._views = ViewSender(self._link, self._tokens)
        loop.set_exception_handler(log_task_error)
        self.followed.start()
        for number in (signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(number, self._end, "")
        if self._acts:
            self._begin()
            self._table.start()
        self._show()
        try:
            return await self._gone
        finally:
            self._places.save()
            self._table.stop()
            self.followed.stop()
            self._link.abort()

    def _begin(self) -> None:
        """Send the player's place, and the number of lines missed since."""
        seat = self._seat
        if seat is None:
            return
        place = self._places.of(seat.name)
        missed = self.followed.lines_since(seat, place.encounter, place.n)
        self._send({"kind": "seat", "name": seat.name, "spot": to_plain(place.spot), "missed": missed})

    def _end(self, why: str) -> None:
        if not self._gone.done():
            self._gone.set_result(why)

    def _vanished(self) -> None:
        self._end(f"the campaign in {clean(str(self.followed.path), 300)} is gone")

    def _send(self, message: Message) -> None:
        if self._link is not None:
            self._link.send(message)

    def _show(self) -> None:
        if self._views is None:
            return
        if self._name is not None and self._seat is None:
            self._end("this seat no longer exists")
            return
        made = self.followed.made_for(self._seat)
        if self._acts and self._seat is not None:
            self._places.show(self._seat.name, self.followed.name_of_fight(self._seat), made.n)
        self._views.send(made)

    def _say(self, sentence: str) -> None:
        self._send({"kind": "said", "text": sentence, "error": True})

    def _received(self, message: object) -> None:
        """Handle a message of the screen."""
        seat, may_act = self._seat, self._acts
        match message:
            case CommandRequested(line, token):
                if seat is None or not may_act:
                    self._say(_READ_ONLY)
                else:
                    self._request(seat, line, token)
            case SeatReply(ask, value) if seat is not None and may_act:
                if ask in self._asked and is_short(message):
                    self._table.send(Reply(ask, value, seat.name))
            case SeatWithdraws(id) if seat is not None and may_act:
                self._withdraw(seat, id)
            case SeatSpot() if seat is not None and may_act:
                self._places.remember(seat.name, message)
            case AskedBySeat():
                found = answer(self.followed, self._answers, seat, message)
                self._send({"kind": "answer", "id": message.id, "value": plain_value(found)})

    def _request(self, seat: Seat, line: str, token: str) -> None:
        if (n := self._tokens.take(token)) is None:
            self._say(STALE)
            return
        self._send({"kind": "token", "token": self._tokens.issue(n)})
        if len(line.encode(errors="replace")) > LARGEST_REQUEST:
            self._say("The line is too long.")
            return
        if not self._requests.try_take(1, asyncio.get_running_loop().time()):
            self._say(bounds.TOO_FAST)
            return
        if not self._table.is_there:
            self._say(NO_TABLE)
            return
        try:
            request = request_message(self.followed, seat, line, n, token)
        except Refused as error:
            self._say(answer_words(str(error)))
            return
        if not self._table.send(request):
            self._say(NO_TABLE)

    def _withdraw(self, seat: Seat, id: str) -> None:
        if not self._requests.try_take(1, asyncio.get_running_loop().time()):
            self._say(bounds.TOO_FAST)
        elif not self._table.send(Withdraw(clean(id, LONGEST_TOKEN), seat.name)):
            self._say(NO_TABLE)

    def _from_table(self, message: object) -> None:
        seat = self._seat
        if seat is None:
            return
        match message:
            case RequestEnded(_, name, ok, text) | RequestWaits(_, name, ok, text) if name == seat.name:
                said = {"kind": "said", "text": text, "error": not ok}
                self._send({**said, "passes": ok and isinstance(message, RequestEnded)})
            case TurnOver(is_open, name) if name == seat.name:
                self._send({"kind": "turn_over", "is_open": is_open})
            case ListOfSeat(requests, name) if name == seat.name:
                self._list_requests(requests)
            case Missing():
                self._send(plain_message(message))
            case SeatQuestion(ask, character) if character in seat.characters:
                self._asked.add(ask)
                self._send(plain_message(evolve(message, character="")))
            case Answered(ask):
                self._asked.discard(ask)
                self._send(plain_message(message))

    def _list_requests(self, listed: Sequence[ListedRequest]) -> None:
        self._listed = listed
        self._send(plain_message(ListOfSeat(tuple(listed))))

    def _table_changed(self) -> None:
        if self._table.is_there:
            self._table.send(Hello())
        else:
            self._asked.clear()
            if self._listed:
                self._list_requests(after_loss(self._listed, TABLE_ENDED))
        self._send({"kind": "table", "there": self._table.is_there})
