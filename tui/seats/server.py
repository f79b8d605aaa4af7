"""The server of `affray serve`: it follows a campaign, lets players in, and shows each what they may see."""

import asyncio
import os
import secrets
import signal
import socket
import sys
from collections.abc import Callable, Coroutine
from contextlib import suppress
from pathlib import Path
from typing import Any

from systems.text import clean
from tui.campaign.problems import FileProblem, NotSaved
from tui.campaign.seats import Seat, add_key, fingerprint
from tui.display.seat import NO_TABLE
from tui.seats import bounds
from tui.seats.bounds import LoginSlots
from tui.seats.command_line import SeatCommandLine, command_line
from tui.seats.following import FollowedCampaign
from tui.seats.joining import Joining, make_word
from tui.seats.places import Places
from tui.seats.questions import answer
from tui.seats.screens import Screen
from tui.seats.ssh import SeatServer, SeatSession, server_options, speak
from tui.seats.table_link import TableLink
from tui.seats.warm_process import WarmProcess
from tui.wire.address import WITH_PARENT, table_socket
from tui.wire.frames import Message

_OVERDUE = 5.0  # seconds between two looks at who has waited for too long

_FAREWELL = 1.0  # seconds that all seats have to end in good order
CLOSED = "The game master has closed the table. To come back, type the same line again."

EVERY_ADDRESS = "0.0.0.0"


class CannotListen(ValueError):
    """The address cannot be listened on: one sentence."""


class SeatPlace:
    """What a client that has logged in may have: one screen, or one of two commands."""

    def __init__(self, server: "Server", login: SeatServer) -> None:
        self.server, self.login = server, login
        self.screen: Screen | None = None
        self._command: SeatCommandLine | None = None

    def run(self, session: SeatSession) -> None:
        """Open the screen, or carry out the command."""
        if self._command is not None:
            self._command.run()
        else:
            self.server.open_screen(self, session)

    def execute(self, session: SeatSession, command: str) -> bool:
        """Begin one of the two commands; False for every other one."""
        seat = self.server.seat_of(self.login)
        if seat is not None:
            self._command = command_line(self.server, session, seat, command)
        return self._command is not None

    def left(self, session: SeatSession) -> None:
        """The client is gone."""
        if self.screen is not None:
            self.screen.close()
        if self._command is not None:
            self._command.stop()


class Server:
    """All that `affray serve` runs. `say` writes one line to the server's log."""

    def __init__(self, path: Path, warm: WarmProcess, say: Callable[[str], None]) -> None:
        loop = asyncio.get_running_loop()
        self.say, self.warm = say, warm
        self.stopped: asyncio.Future[str] = loop.create_future()
        self.followed = FollowedCampaign(path, self._moved, self._vanished, say)
        self.joining = Joining(self.followed.seats, loop.time, random_word)
        self.table = TableLink(table_socket(path), self._from_table, self._table_changed)
        self.screens: list[Screen] = []
        self.places = Places(path)
        self._empty = asyncio.Event()
        self._asked: dict[int, Message] = {}
        self._waiting_commands: dict[str, SeatCommandLine] = {}
        self._slots = LoginSlots()
        self._logins: set[SeatServer] = set()
        self._listener: socket.socket | None = None
        self._options: Any = None
        self._tasks: set[asyncio.Task[Any]] = set()
        self._overdue: asyncio.TimerHandle | None = None
        self._where: dict[str, Any] = {}

    async def start(self, address: str, port: int, key: Any) -> tuple[str, int]:
        """Listen. Returns the address and the port. Raises CannotListen."""
        self._options = await server_options(key, self._login)
        self._listener = listening_socket(address, port)
        self.warm.attach()
        self.followed.start()
        loop = asyncio.get_running_loop()
        loop.add_reader(self._listener, self._accept)
        found = self._listener.getsockname()
        self._where = {"address": found[0], "port": found[1], "fingerprint": key.get_fingerprint()}
        self.table.start()
        self._overdue = loop.call_later(_OVERDUE, self._turn_away_overdue)
        return found[0], found[1]

    def stop(self, why: str = "") -> None:
        """End the server; `why` is said when it is an error."""
        if not self.stopped.done():
            self.stopped.set_result(why)

    async def farewell(self) -> None:
        """End every seat with a sentence, so that its terminal is as it was before: a moment, not more."""
        for screen in list(self.screens):
            screen.goodbye(CLOSED)
        if self.screens:
            self._empty.clear()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._empty.wait(), _FAREWELL)
        # What was written last is on its way to the clients.
        await asyncio.sleep(0.05)

    def close(self) -> None:
        """End everything at once."""
        if self._overdue:
            self._overdue.cancel()
        if self._listener is not None:
            asyncio.get_running_loop().remove_reader(self._listener)
            self._listener.close()
        for screen in list(self.screens):
            screen.close()
        for login in list(self._logins):
            login.drop()
        self.places.save()
        self.table.stop()
        self.followed.stop()
        self.warm.close()

    def _start_task(self, what: Coroutine[Any, Any, Any]) -> None:
        task = asyncio.get_running_loop().create_task(what)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # Connections

    def _accept(self) -> None:
        assert self._listener is not None
        for _ in range(16):
            try:
                end, address = self._listener.accept()
            except OSError:
                return
            if self._slots.take(address[0]):
                self._start_task(self._speak(end, address[0]))
            else:
                end.close()

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
        if admission is None:
            login.drop()
            return
        if admission.bind:
            self._bind(admission.seat, admission.bind)
        what = f"sits at {admission.seat}" if admission.verdict == "seat" else "knocks"
        mark = fingerprint(login.first_key) or "without a key"
        self.say(f"{clean(login.name, 40)} from {login.address} {what}, {mark}")

    def _bind(self, seat: str, key: str) -> None:
        """Write a key to a seat, for good."""
        try:
            add_key(self.followed.path, seat, key)
        except (FileProblem, NotSaved) as error:
            self.say(f"the key of {seat} was not kept: {error}")
        self.followed.read_seats()
        self._seats_changed()

    def _gone(self, login: SeatServer) -> None:
        self._logins.discard(login)
        if not login.has_logged_in:
            self._slots.give_back(login.address)

    # Screens

    def seat_of(self, login: SeatServer) -> Seat | None:
        """The seat that a login has; None for somebody who knocks."""
        admission = login.admission
        if admission is None or admission.verdict != "seat":
            return None
        return self.followed.seats.by_name.get(admission.seat)

    def open_screen(self, place: SeatPlace, session: SeatSession) -> None:
        """Open the screen of a seat, or the empty page of somebody who knocks."""
        login, seat = place.login, self.seat_of(place.login)
        refusal = ""
        if len(self.screens) >= bounds.SCREENS:
            refusal = "There is no room at the table now."
        elif login.admission is None or (seat is None and login.admission.verdict == "seat"):
            refusal = "This seat is gone."
        else:
            screen = Screen(self, login, session, seat)
            if seat is None and not self._wait(screen):
                refusal = "Too many are waiting to be let in."
        if refusal:
            session.say(refusal)
            session.end(1)
            return
        place.screen = screen
        self._make_room(seat)
        self.screens.append(screen)
        self._start_task(screen.open())
        self._tell_table()

    def _make_room(self, seat: Seat | None) -> None:
        """Of a seat with too many screens the oldest one goes: its line may hang."""
        same = [screen for screen in self.screens if seat is not None and screen.seat == seat]
        if len(same) >= bounds.SCREENS_PER_SEAT:
            same[0].goodbye("This seat was taken from elsewhere.")

    def _wait(self, screen: Screen) -> bool:
        def let_in(name: str) -> None:
            if seat := self.followed.seats.by_name.get(name):
                screen.sit(seat)

        login = screen.login
        screen.knock = self.joining.knock(login.name, login.address, login.first_key, let_in, screen.goodbye)
        return screen.knock is not None

    def _turn_away_overdue(self) -> None:
        for knock in self.joining.overdue():
            self.joining.leave(knock)
            knock.turn_away("Nobody has let you in; try again later.")
        self._overdue = asyncio.get_running_loop().call_later(_OVERDUE, self._turn_away_overdue)

    def screen_closed(self, screen: Screen) -> None:
        """Forget a screen."""
        if screen in self.screens:
            self.screens.remove(screen)
        if not self.screens:
            self._empty.set()
        self._tell_table()

    def process_ended(self, pid: int, status: int) -> None:
        """The process of a seat has ended."""
        for screen in list(self.screens):
            if screen.pid == pid:
                screen.close()

    # The campaign

    def _moved(self) -> None:
        self._seats_changed()
        for screen in list(self.screens):
            screen.show()

    def _seats_changed(self) -> None:
        """Seats may have come, gone, or been given other characters."""
        seats = self.followed.seats
        if seats is self.joining.seats:
            return
        self.joining.seats = seats
        for screen in list(self.screens):
            if screen.seat is None:
                continue
            seat = seats.by_name.get(screen.seat.name)
            if seat is None:
                screen.goodbye("This seat is gone.")
            else:
                screen.seat = seat
        self._tell_table()

    def _vanished(self) -> None:
        self.stop(f"the campaign in {clean(str(self.followed.path), 300)} is gone")

    def answer(self, seat: Seat, question: Message) -> Any:
        """The answer to a question of a seat's program, from what the seat may see; None if there is none."""
        return answer(self.followed, seat, question)

    # The table

    def request(self, screen: Screen, line: str, n: int, token: str) -> None:
        """Hand on a request to the game master's program."""
        seat = screen.seat
        if seat is None or not self.table.send(self._as_request(seat, line, n, token)):
            screen.say(NO_TABLE, error=True)

    def request_of_command(self, command: "SeatCommandLine", line: str) -> bool:
        """Hand on the request of a command without a screen; False if there is no table."""
        fight = self.followed.fight_of(command.seat)
        token = secrets.token_hex(8)
        n = fight.n if fight else 0
        if not self.table.send({**self._as_request(command.seat, line, n, token), "is_roll": True}):
            return False
        self._waiting_commands[token] = command
        return True

    def forget_command(self, command: "SeatCommandLine") -> None:
        """A command without a screen waits no more."""
        for token, waiting in list(self._waiting_commands.items()):
            if waiting is command:
                del self._waiting_commands[token]

    def _as_request(self, seat: Seat, line: str, n: int, token: str) -> dict[str, Any]:
        fight = self.followed.fight_of(seat)
        return {
            "kind": "request",
            "id": token,
            "seat": seat.name,
            "characters": list(seat.characters),
            "encounter": fight.fight.encounter if fight else "",
            "line": line,
            "n": n,
        }

    def reply(self, screen: Screen, ask: object, value: object) -> None:
        """Hand on the answer of a seat that was asked for a die or a choice."""
        seat = screen.seat
        asked = self._asked.get(ask) if isinstance(ask, int) else None
        if seat is None or asked is None or asked["character"] not in seat.characters:
            screen.say("This is asked no more.", error=True)
            return
        if isinstance(value, str | int) and len(str(value)) <= 200:
            self.table.send({"kind": "reply", "ask": ask, "seat": seat.name, "value": value})

    def _table_changed(self) -> None:
        self.say(f"the game master's program {'is connected' if self.table.is_there else 'has left'}")
        if self.table.is_there:
            self.table.send({"kind": "hello", **self._where})
            self._tell_table()
        else:
            self._asked.clear()
            for command in list(self._waiting_commands.values()):
                command.finish("The game master's program has ended.", 1)
        for screen in self.screens:
            screen.send({"kind": "table", "there": self.table.is_there})

    def _tell_table(self) -> None:
        """Tell the game master's program who sits, who knocks, and which words are out."""
        if not self.table.is_there:
            return
        now = asyncio.get_running_loop().time()
        joining = self.joining
        seats = [
            {
                "name": seat.name,
                "characters": list(seat.characters),
                "keys": [fingerprint(key) for key in seat.keys],
                "word": joining.words[seat.name].word if seat.name in joining.words else "",
                "barred": seat.name in joining.barred,
                "screens": [screen.login.address for screen in self.screens if screen.seat == seat],
            }
            for seat in self.followed.seats.by_name.values()
        ]
        knocks = [
            {
                "id": knock.id,
                "name": knock.name,
                "address": knock.address,
                "fingerprint": knock.fingerprint,
                "seconds": int(now - knock.since),
            }
            for knock in joining.knocks.values()
        ]
        self.table.send_newest(
            {"kind": "state", "seats": seats, "knocks": knocks, "locked": joining.locked, **self._where}
        )

    def _from_table(self, message: Message) -> None:
        """What the game master's program says; it is trusted, a mistake in it is not."""
        with suppress(KeyError, TypeError, ValueError):
            self._take(message)

    def _take(self, message: Message) -> None:
        match message["kind"]:
            case "result" | "waits":
                self._result(message)
            case "ask":
                self._asked[message["ask"]] = message
                self._to_owners(message)
            case "unask":
                if asked := self._asked.pop(message["ask"], None):
                    self._to_owners({"kind": "unask", "ask": asked["ask"], "character": asked["character"]})
            case "let_in":
                self._let_in(int(message["knock"]), str(message["seat"]), bool(message["for_good"]))
            case "turn_away":
                if knock := self.joining.knocks.pop(int(message["knock"]), None):
                    knock.turn_away("The game master has not let you in.")
            case "word":
                self.joining.hand_out(str(message["seat"]))
            case "take_word":
                self.joining.words.pop(str(message["seat"]), None)
            case "kick":
                self._kick(str(message["seat"]))
            case "lock":
                self.joining.locked = bool(message["locked"])
        if message["kind"] not in ("result", "waits", "ask", "unask"):
            self._tell_table()

    def _result(self, message: Message) -> None:
        command = self._waiting_commands.get(message["id"])
        if command is not None:
            if message["kind"] == "result":
                command.finish(str(message["text"]), 0 if message["ok"] else 1)
            return
        for screen in self.screens:
            if screen.seat is not None and screen.seat.name == message["seat"]:
                screen.say(str(message["text"]), error=not message.get("ok", True))

    def ask_again(self, screen: Screen) -> None:
        """Send a screen that was just opened what its characters are still asked for."""
        for asked in self._asked.values():
            if screen.seat is not None and asked["character"] in screen.seat.characters:
                screen.send({name: value for name, value in asked.items() if name != "character"})

    def _to_owners(self, message: Message) -> None:
        """Send a question to every screen of the seats that have this character."""
        shown = {name: value for name, value in message.items() if name != "character"}
        for screen in self.screens:
            if screen.seat is not None and message["character"] in screen.seat.characters:
                screen.send(shown)

    def _let_in(self, number: int, name: str, for_good: bool) -> None:
        seat, knock = self.followed.seats.by_name.get(name), self.joining.knocks.get(number)
        if seat is None or knock is None:
            return
        self.joining.leave(knock)
        self.joining.barred.discard(name)
        if for_good and knock.key and self.followed.seats.of_key(knock.key) is None:
            self._bind(name, knock.key)
        self.say(f"{knock.name} from {knock.address} is let in at {name}")
        knock.let_in(name)

    def _kick(self, name: str) -> None:
        self.joining.kick(name)
        self.joining.words.pop(name, None)
        for screen in list(self.screens):
            if screen.seat is not None and screen.seat.name == name:
                screen.goodbye("The game master has ended this seat.")


def _end_with_input(server: Server) -> None:
    """Stop when standard input ends, which it does with the program that has started this one."""
    if not os.read(sys.stdin.fileno(), 4096):
        asyncio.get_running_loop().remove_reader(sys.stdin.fileno())
        server.stop()


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
    if os.environ.get(WITH_PARENT):
        loop.add_reader(sys.stdin.fileno(), _end_with_input, server)
    try:
        settings = server.followed.campaign.seats
        address = address or settings.listen or EVERY_ADDRESS
        where = await server.start(address, settings.port if port is None else port, key)
        shown = f"[{where[0]}]" if ":" in where[0] else where[0]
        print(f"listening on {shown}:{where[1]}, host key {key.get_fingerprint()}", flush=True)
        why = await server.stopped
        await server.farewell()
        return why
    finally:
        server.close()
        with suppress(OSError):
            sys.stdout.flush()
