"""The server of `affray serve`: it follows a campaign, lets players in, and shows each what they may see."""

import asyncio
import secrets
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from systems.text import clean
from systems.visibility.plain import to_plain
from systems.visibility.view import View
from tui.campaign.problems import FileProblem, NotSaved
from tui.campaign.seats import Seat, add_key, fingerprint
from tui.seats import bounds
from tui.seats.bounds import LoginSlots
from tui.seats.following import FollowedCampaign
from tui.seats.joining import Joining, Knock, make_word
from tui.seats.ssh import SeatServer, SeatSession, server_options, speak
from tui.seats.terminal import SeatTerminal
from tui.seats.warm_process import WarmProcess
from tui.wire.frames import LARGEST_FROM_SEAT, Message
from tui.wire.link import Link, connected

EVERY_ADDRESS = "0.0.0.0"


class CannotListen(ValueError):
    """The address cannot be listened on: one sentence."""


class Screen:
    """One seat's screen: its process, its terminal and its wire. `seat` is None while somebody waits."""

    def __init__(self, server: "Server", login: SeatServer, session: SeatSession, seat: Seat | None) -> None:
        self.server, self.login, self.session, self.seat = server, login, session, seat
        self.knock: Knock | None = None
        self.terminal: SeatTerminal | None = None
        self.link: Link | None = None
        self.pid = 0
        self.token = ""
        self._last_view: View | None = None
        self._typed_early = bytearray()
        self._over = False

    async def open(self) -> None:
        """Make the terminal and have the warm process fork the seat's program on it."""
        session = self.session
        session.begin()
        terminal = SeatTerminal(*session.size, self._painted, self.close)
        self.terminal = terminal
        session.on_typed = terminal.type
        session.on_resized = terminal.resize
        session.on_full = lambda full: terminal.pause() if full else terminal.go_on()
        ours, theirs = socket.socketpair()
        environment = {"TERM": session.term}
        try:
            self.pid = await self.server.warm.fork(terminal.slave, theirs, environment)
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
        self.link = await connected(Link(self._received, self.close, LARGEST_FROM_SEAT), ours)
        self.show()

    def _painted(self, data: bytes) -> None:
        self.session.write(data)

    def show(self) -> None:
        """Send what this seat sees, if it is not what it saw before."""
        if self.link is None:
            return
        if self.knock is not None:
            self.link.send({"kind": "waiting", "text": "Waiting to be let in. Ctrl+Q leaves."})
            return
        view, n = self.server.followed.view_of(self.seat)
        if view == self._last_view:
            return
        self._last_view = view
        self.token = secrets.token_hex(8)
        self.link.send_newest({"kind": "view", "view": to_plain(view), "n": n, "token": self.token})

    def sit(self, seat: Seat) -> None:
        """Let in somebody who waited."""
        self.knock, self.seat = None, seat
        self._last_view = None
        self.show()

    def _received(self, message: Message) -> None:
        """What the seat's program sends; nothing of it is trusted."""

    def goodbye(self, sentence: str) -> None:
        """End the seat with one sentence."""
        if self.link is not None:
            self.link.send({"kind": "bye", "text": sentence})
        asyncio.get_running_loop().call_later(0.5, self.close)

    def close(self) -> None:
        """End the screen, its process and its connection."""
        if self._over:
            return
        self._over = True
        if self.knock is not None:
            self.server.joining.leave(self.knock)
        if self.link is not None:
            self.link.abort()
        if self.terminal is not None:
            self.terminal.close()
        self.session.end()
        self.server.screen_closed(self)


class SeatPlace:
    """What a client that has logged in may have: one screen, or one of two commands."""

    def __init__(self, server: "Server", login: SeatServer) -> None:
        self.server, self.login = server, login
        self.screen: Screen | None = None

    def run(self, session: SeatSession) -> None:
        """Open the screen."""
        self.server.open_screen(self, session)

    def execute(self, session: SeatSession, command: str) -> bool:
        """Begin one of the commands; False for every other one."""
        return False

    def left(self, session: SeatSession) -> None:
        """The client is gone."""
        if self.screen is not None:
            self.screen.close()


class Server:
    """All that `affray serve` runs. `say` writes one line to the server's log."""

    def __init__(self, path: Path, warm: WarmProcess, say: Callable[[str], None]) -> None:
        self.say = say
        self.warm = warm
        self.stopped: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self.followed = FollowedCampaign(path, self._moved, self._vanished, say)
        self.joining = Joining(self.followed.seats, asyncio.get_running_loop().time, random_word)
        self.screens: list[Screen] = []
        self._slots = LoginSlots()
        self._logins: set[SeatServer] = set()
        self._listener: socket.socket | None = None
        self._options: Any = None
        self._tasks: set[asyncio.Task[Any]] = set()

    async def start(self, address: str, port: int, key: Any) -> tuple[str, int]:
        """Listen. Returns the address and the port. Raises CannotListen."""
        self._options = await server_options(key, self._login)
        self._listener = listening_socket(address, port)
        self.warm.attach()
        self.followed.start()
        asyncio.get_running_loop().add_reader(self._listener, self._accept)
        found = self._listener.getsockname()
        return found[0], found[1]

    def stop(self, why: str = "") -> None:
        """End the server; `why` is said when it is an error."""
        if not self.stopped.done():
            self.stopped.set_result(why)

    def close(self) -> None:
        """End everything at once."""
        if self._listener is not None:
            asyncio.get_running_loop().remove_reader(self._listener)
            self._listener.close()
        for screen in list(self.screens):
            screen.close()
        for login in list(self._logins):
            login.drop()
        self.followed.stop()
        self.warm.close()

    # Connections

    def _accept(self) -> None:
        assert self._listener is not None
        for _ in range(16):
            try:
                end, address = self._listener.accept()
            except OSError:
                return
            if not self._slots.take(address[0]):
                end.close()
                continue
            task = asyncio.get_running_loop().create_task(self._speak(end, address[0]))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _speak(self, end: socket.socket, address: str) -> None:
        try:
            await speak(end, self._options)
        except OSError:
            self._slots.give_back(address)
            end.close()

    def _login(self) -> SeatServer:
        login = SeatServer(self.joining, lambda login: SeatPlace(self, login), self._gone, self._logged_in)
        self._logins.add(login)
        return login

    def _logged_in(self, login: SeatServer) -> None:
        self._slots.give_back(login.address)
        admission = login.admission
        assert admission is not None
        if admission.bind:
            try:
                add_key(self.followed.path, admission.seat, admission.bind)
            except (FileProblem, NotSaved) as error:
                self.say(f"the key of {admission.seat} was not kept: {error}")
        what = f"sits at {admission.seat}" if admission.verdict == "seat" else "knocks"
        mark = fingerprint(login.first_key) or "without a key"
        self.say(f"{clean(login.name, 40)} from {login.address} {what}, {mark}")

    def _gone(self, login: SeatServer) -> None:
        self._logins.discard(login)
        if not login.has_logged_in:
            self._slots.give_back(login.address)

    # Screens

    def open_screen(self, place: SeatPlace, session: SeatSession) -> None:
        """Open the screen of a seat, or the empty page of somebody who knocks."""
        login = place.login
        admission = login.admission
        if admission is None or len(self.screens) >= bounds.SCREENS:
            session.say("There is no room at the table now.")
            session.end(1)
            return
        seat = self.followed.seats.by_name.get(admission.seat) if admission.verdict == "seat" else None
        if admission.verdict == "seat" and seat is None:
            session.say("This seat is gone.")
            session.end(1)
            return
        screen = place.screen = Screen(self, login, session, seat)
        if seat is None:
            self._wait(screen)
            if screen.knock is None:
                session.say("Too many are waiting to be let in.")
                session.end(1)
                return
        self.screens.append(screen)
        task = asyncio.get_running_loop().create_task(screen.open())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _wait(self, screen: Screen) -> None:
        def let_in(name: str) -> None:
            if seat := self.followed.seats.by_name.get(name):
                screen.sit(seat)

        login = screen.login
        screen.knock = self.joining.knock(login.name, login.address, login.first_key, let_in, screen.goodbye)

    def screen_closed(self, screen: Screen) -> None:
        """Forget a screen."""
        if screen in self.screens:
            self.screens.remove(screen)

    def process_ended(self, pid: int, status: int) -> None:
        """The process of a seat has ended."""
        for screen in list(self.screens):
            if screen.pid == pid:
                screen.close()

    # The campaign

    def _moved(self) -> None:
        self.joining.seats = self.followed.seats
        for screen in self.screens:
            screen.show()

    def _vanished(self) -> None:
        self.stop(f"the campaign in {clean(str(self.followed.path), 300)} is gone")


def random_word() -> str:
    """A word for a seat."""
    return make_word(secrets.choice)


def listening_socket(address: str, port: int) -> socket.socket:
    """A socket that listens there. Raises CannotListen."""
    try:
        found = socket.getaddrinfo(address or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, protocol, _, place = found[0]
        listener = socket.socket(family, kind, protocol)
    except OSError as error:
        raise CannotListen(
            f"{address} cannot be listened on: {(error.strerror or str(error)).lower()}"
        ) from None
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(place)
        listener.listen(64)
        listener.setblocking(False)
    except OSError as error:
        listener.close()
        taken = "is taken by another program" if error.errno == 98 else (error.strerror or "").lower()
        raise CannotListen(f"port {port} on {address} {taken}") from None
    return listener


async def serve(
    path: Path,
    warm: WarmProcess,
    address: str | None,
    port: int | None,
    key: Any,
    say: Callable[[str], None],
) -> str:
    """Serve until a signal; returns why it ended if that is an error.

    Where no address or port is given, the campaign's settings name them.
    """
    loop = asyncio.get_running_loop()
    server = Server(path, warm, say)
    warm.on_ended = server.process_ended
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        loop.add_signal_handler(number, server.stop)
    try:
        settings = server.followed.campaign.seats
        address = address or settings.listen or EVERY_ADDRESS
        where = await server.start(address, settings.port if port is None else port, key)
        shown = f"[{where[0]}]" if ":" in where[0] else where[0]
        print(f"listening on {shown}:{where[1]}, host key {key.get_fingerprint()}", flush=True)
        return await server.stopped
    finally:
        server.close()
        with suppress(OSError):
            sys.stdout.flush()
