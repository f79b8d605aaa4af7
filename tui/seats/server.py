"""The server of `affray serve`: follows a campaign, admits players, and sends each their own view."""

import asyncio
import errno
import socket
from collections.abc import Callable, Coroutine, Iterable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from systems.text import clean
from tui.campaign.passwords import LONG, hash_of, make_password
from tui.campaign.problems import FileProblem, NotSaved
from tui.campaign.seats import (
    Seat,
    add_key,
    escaped_name,
    fingerprint,
    kick_keys,
    remove_key,
    set_password,
)
from tui.seats import bounds
from tui.seats.bounds import LoginSlots, SeatPace, TokenBucket
from tui.seats.command_line import SeatCommandLine, command_line
from tui.seats.following import FollowedCampaign
from tui.seats.inviting import InvitationDesk
from tui.seats.joining import Joining, Knock, Lasts
from tui.seats.places import Places
from tui.seats.presence import PresenceChange, PresentPlayers, empty_characters, news_of, rows_of_empty_seats
from tui.seats.questions import SeatAnswers, answer
from tui.seats.screens import Screen
from tui.seats.seat_messages import AskedBySeat
from tui.seats.seats_table import SeatsTable
from tui.seats.ssh import HASHING, SeatServer, server_options, speak
from tui.seats.ssh_session import SeatSession
from tui.seats.waiting import WaitingPage
from tui.seats.warm_process import WarmProcess
from tui.wire.server_report import ServedAt

_OVERDUE = 5.0  # seconds between two checks for overdue guests

_FAREWELL = 1.0  # seconds that all seats have to end normally
CLOSED = "The game master has closed the table. To come back, type the same line again."


class SeatPlace:
    """The session of a client that has logged in: one screen, or one of two commands."""

    def __init__(self, server: "Server", login: SeatServer) -> None:
        self.server, self.login = server, login
        self.screen: Screen | WaitingPage | None = None
        self._command: SeatCommandLine | None = None

    def run(self, session: SeatSession) -> None:
        """Open the screen, or carry out the command."""
        self.server.session_begins(self.login)
        if self._command is not None:
            self._command.run()
        else:
            self.server.open_screen(self, session)

    def execute(self, session: SeatSession, command: str) -> bool:
        """Begin one of the two commands. Return False for any other command."""
        seat = self.server.seat_of(self.login)
        if seat is not None:
            self.server.share_pace(session, seat)
            self._command = command_line(self.server, session, seat, command)
        return self._command is not None

    def left(self, session: SeatSession) -> None:
        """Clean up after the client has disconnected."""
        if isinstance(self.screen, Screen):
            self.screen.lose()
        elif self.screen is not None:
            self.screen.close()
        if self._command is not None:
            self._command.stop()
        self.login.session_is_over()


class Server:
    """The whole of `affray serve`. `say` writes one line to the server's log."""

    def __init__(self, path: Path, warm: WarmProcess, say: Callable[[str], None]) -> None:
        loop = asyncio.get_running_loop()
        self.say, self.warm = say, warm
        self.stopped: asyncio.Future[str] = loop.create_future()
        self.followed = FollowedCampaign(path, self._moved, self._vanished, say)
        self.joining = Joining(self.followed.seats, loop.time, make_password)
        self.table = SeatsTable(path, self)
        self._invitations = InvitationDesk(self)
        self.screens: list[Screen] = []
        self.places = Places(path)
        self._present = PresentPlayers(loop, self._tell_news)
        self._empty = asyncio.Event()
        self._slots = LoginSlots()
        self._connecting = TokenBucket(bounds.CONNECTING, bounds.CONNECTING_BURST, loop.time())
        self._logins: set[SeatServer] = set()
        self._listener: socket.socket | None = None
        self._paces: dict[str, SeatPace] = {}
        self._options: Any = None
        self._tasks: set[asyncio.Task[Any]] = set()
        self._overdue: asyncio.TimerHandle | None = None
        self.where = ServedAt()

    async def start(self, address: str, port: int, key: Any) -> tuple[str, int]:
        """Start to listen. Return the address and the port. Raises CannotListen."""
        self._options = await server_options(key, self._login)
        self._listener = listening_socket(address, port)
        self.warm.attach()
        self.followed.start()
        loop = asyncio.get_running_loop()
        loop.add_reader(self._listener, self._accept)
        found = self._listener.getsockname()
        self.where = ServedAt(found[0], found[1], key.get_fingerprint())
        self.table.start()
        self._invitations.start()
        self._overdue = loop.call_later(_OVERDUE, self._turn_away_overdue)
        return found[0], found[1]

    def stop(self, why: str = "") -> None:
        """Stop the server. `why` is the error to report, or ""."""
        if not self.stopped.done():
            self.stopped.set_result(why)

    async def farewell(self) -> None:
        """End every seat with a sentence and restore its terminal, waiting at most a moment."""
        self._present.stop()
        for knock in list(self.joining.knocks.values()):
            knock.turn_away(CLOSED)
        for screen in list(self.screens):
            screen.goodbye(CLOSED)
        if self.screens:
            self._empty.clear()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._empty.wait(), _FAREWELL)
        # The last output is still on its way to the clients.
        await asyncio.sleep(0.05)

    def close(self) -> None:
        """End everything immediately."""
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
        self._present.stop()
        self.table.stop()
        self._invitations.stop()
        self.followed.stop()
        self.warm.close()

    def start_task(self, work: Coroutine[Any, Any, Any]) -> None:
        """Run a task that lives as long as the server."""
        task = asyncio.get_running_loop().create_task(work)
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
                self.start_task(self._speak(end, address[0]))
            else:
                end.close()

    async def _speak(self, end: socket.socket, address: str) -> None:
        # A key exchange costs a few milliseconds. A waiting connection uses one of the few slots of its
        # address, so that one address can't delay all others.
        await asyncio.sleep(self._connecting.take(1, asyncio.get_running_loop().time()))
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
        admission = login.admission
        if admission is None:
            login.drop()
            return
        if admission.bind:
            self._bind(admission.seat, admission.bind)
        event = f"sits at {admission.seat}" if admission.verdict == "seat" else "knocks"
        mark = fingerprint(login.used_key) or "without a key"
        self.say(f"{escaped_name(login.name)} from {login.address} {event}, {mark}")

    def _bind(self, seat: str, key: str) -> None:
        """Add a key to a seat in seats.toml."""
        self.joining.kicked.discard(key)
        self._change_keys(f"the key of {seat} was not saved", lambda: add_key(self.followed.path, seat, key))

    def _change_keys(self, failed: str, change: Callable[[], None]) -> bool:
        """Change seats.toml and read it again. Return whether it was saved; if not, report `failed`."""
        try:
            change()
        except (FileProblem, NotSaved) as error:
            self.say(f"{failed}: {error}")
            self.table.report(f"{failed}: {error}")
            return False
        finally:
            self.followed.read_seats()
            self._seats_changed()
        return True

    def _gone(self, login: SeatServer) -> None:
        self._logins.discard(login)
        if login.is_idle:
            self._slots.give_back(login.address)

    def session_begins(self, login: SeatServer) -> None:
        """Count a login no longer as idle, because its screen or command has begun."""
        if login.is_idle:
            self._slots.give_back(login.address)
            login.session_begins()

    # Screens

    def seat_of(self, login: SeatServer) -> Seat | None:
        """Return the seat of a login, or None for a waiting guest."""
        admission = login.admission
        if admission is None or admission.verdict != "seat":
            return None
        return self.followed.seats.by_name.get(admission.seat)

    def open_screen(self, place: SeatPlace, session: SeatSession) -> None:
        """Open the screen of a seat, or the waiting page of a guest."""
        seat, admission = self.seat_of(place.login), place.login.admission
        if seat is not None:
            self._sit(place, session, seat)
        elif admission is not None and admission.verdict == "knock":
            self._wait(place, session)
        else:
            _refuse(session, "This seat no longer exists.")

    def _sit(self, place: SeatPlace, session: SeatSession, seat: Seat) -> None:
        if len(self.screens) >= bounds.SCREENS:
            _refuse(session, "The table is full; try again later.")
            return
        self.share_pace(session, seat)
        place.screen = screen = Screen(self, place.login, session, seat)
        self._make_room(seat)
        self.screens.append(screen)
        self.start_task(self._open(screen))
        self._tell_presence(seat.name)

    def share_pace(self, session: SeatSession, seat: Seat) -> None:
        """Limit a session together with all others of its seat."""
        now = asyncio.get_running_loop().time()
        session.pace = self._paces.setdefault(seat.name, SeatPace(now))

    async def _open(self, screen: Screen) -> None:
        """Open a screen as soon as the seat's rate limit allows: each screen takes a process."""
        loop, opened = asyncio.get_running_loop(), screen.session.pace.opened
        while screen in self.screens:
            if opened.try_take(1, loop.time()):
                await screen.open()
                return
            await asyncio.sleep(opened.wait(1, loop.time()))

    def _make_room(self, seat: Seat) -> None:
        """End the oldest screens of a seat that has too many: their connections may hang."""
        same = [screen for screen in self.screens if screen.seat.name == seat.name]
        # Several may be too many, because a screen takes a moment to end.
        for screen in same[: max(0, len(same) + 1 - bounds.SCREENS_PER_SEAT)]:
            screen.goodbye("This seat has too many screens, so the oldest was closed.")

    def _wait(self, place: SeatPlace, session: SeatSession) -> None:
        def let_in(name: str) -> None:
            if seat := self.followed.seats.by_name.get(name):
                page.let_in(seat)

        page = WaitingPage(session, lambda seat: self._sit(place, session, seat), self._waits_no_more)
        login = place.login
        knock = self.joining.knock(login.name, login.address, login.first_key, let_in, page.goodbye)
        if knock is None:
            _refuse(session, "Too many guests are waiting; try again in a while.")
            return
        place.screen = page
        page.open(knock)
        self.table.tell()

    def _waits_no_more(self, knock: Knock) -> None:
        self.joining.leave(knock)
        self.table.tell()

    def _turn_away_overdue(self) -> None:
        for knock in self.joining.overdue():
            self.joining.leave(knock)
            knock.turn_away("The game master has not let you in; try again later.")
        self._overdue = asyncio.get_running_loop().call_later(_OVERDUE, self._turn_away_overdue)

    def screen_closed(self, screen: Screen) -> None:
        """Remove a closed screen."""
        if screen in self.screens:
            self.screens.remove(screen)
        if not self.screens:
            self._empty.set()
        self._tell_presence(screen.seat.name, has_left=not screen.is_lost)

    def _tell_presence(self, name: str, *, has_left: bool = False) -> None:
        """Tell the table and the other seats whether a seat has a screen."""
        is_here = any(screen.seat.name == name for screen in self.screens)
        self._present.update(name, is_here=is_here, has_left=has_left)
        self.table.tell()
        for screen in self.screens:
            screen.show_empty_seats()

    def empty_rows(self, seat: Seat) -> Sequence[str]:
        """Return the names of the rows of a seat's order whose own seats are empty."""
        empty = empty_characters(self.followed.seats.by_name.values(), self.screens)
        return rows_of_empty_seats(self.followed, seat, empty)

    def _tell_news(self, name: str, change: PresenceChange) -> None:
        """Tell the table and the other seats that a player's line was lost, or that the player is back."""
        seat = self.followed.seats.by_name.get(name)
        if seat is None:
            return
        names = {id: entry.name for id, entry in self.followed.campaign.roster.items()}
        news = news_of(names, seat, change)
        self.table.tell_news(news)
        for screen in self.screens:
            if screen.seat.name != name:
                screen.send({"kind": "news", "text": news})

    def process_ended(self, pid: int, status: int) -> None:
        """Close the screen whose process has ended."""
        for screen in list(self.screens):
            if screen.pid == pid:
                screen.close()

    # The campaign

    def _moved(self) -> None:
        self._seats_changed()
        for screen in list(self.screens):
            screen.show()

    def _seats_changed(self) -> None:
        """Update logins and screens after a change of seats or their characters."""
        seats = self.followed.seats
        if seats is self.joining.seats:
            return
        self.joining.seats = seats
        for screen in list(self.screens):
            seat = seats.by_name.get(screen.seat.name)
            if seat is None:
                screen.goodbye("This seat no longer exists.")
            else:
                screen.seat = seat
        self.table.tell()

    def _vanished(self) -> None:
        self.stop(f"the campaign in {clean(str(self.followed.path), 300)} is gone")

    def answer(self, answers: SeatAnswers, seat: Seat, question: AskedBySeat) -> object:
        """Return the answer to a question of a seat's program from what the seat may see, or None."""
        return answer(self.followed, answers, seat, question)

    # Actions of the game master

    def let_in(self, number: int, name: str, for_good: bool, second_key: bool) -> None:
        """Admit a guest at the seat of that name.

        `second_key`: whether the game master has agreed to a second key. Otherwise the guest keeps waiting if
        the seat has received another key in the meantime.
        """
        seat, knock = self.followed.seats.by_name.get(name), self.joining.knocks.get(number)
        if seat is None or knock is None:
            return
        binds = bool(for_good and knock.key and self.joining.may_bind(knock.key, name))
        if binds and not second_key and set(seat.keys) - {knock.key}:
            self.table.report(f"{name} has another key by now: choose again")
            return
        self.joining.leave(knock)
        if binds:
            self._bind(name, knock.key)
        mark = knock.fingerprint or "without a key"
        self.say(f"{knock.name} from {knock.address} is let in at {name}, {mark}")
        knock.let_in(name)

    def kick(self, name: str) -> None:
        """End a seat. Its keys stay out, even after a restart, until the game master admits them again."""
        seat = self.followed.seats.by_name.get(name)
        if seat is None:
            return
        self._end_password(seat)
        logins = [login for login in self._logins if self.seat_of(login) == seat]
        guests = [screen.login for screen in self.screens if screen.seat.name == name]
        offered = [login.used_key for login in (*logins, *guests)]
        keys = {key for key in (*seat.keys, *offered) if key and self.joining.may_bind(key, name)}
        self.say(f"{name} is kicked")
        if keys and not self._change_keys(
            f"the kick of {name} lasts only until the server ends",
            lambda: kick_keys(self.followed.path, name, keys),
        ):
            self.joining.kicked |= keys
        self._end_screens(lambda screen: screen.seat.name == name)
        for login in logins:
            if login.session is None:
                login.drop()

    def hand_out(self, name: str, lasts: Lasts) -> None:
        """Make a password for a seat in place of an earlier one, and show it to the game master."""
        self.start_task(self.make_passwords([name], lasts))

    async def make_passwords(self, names: Iterable[str], lasts: Lasts) -> None:
        """Make a password for each of these seats in place of earlier ones."""
        for name in names:
            seat = self.followed.seats.by_name.get(name)
            if seat is None:
                continue
            self._end_password(seat)
            if lasts != "good":
                self.joining.hand_out(name, lasts)
                continue
            text = make_password(pairs=LONG)
            hashed = await asyncio.get_running_loop().run_in_executor(HASHING, hash_of, text)
            failed = f"the password of {name} was not saved"
            if self._change_keys(failed, partial(set_password, self.followed.path, name, hashed)):
                self.joining.hand_out(name, lasts, text)
        self.table.tell()

    def _end_password(self, seat: Seat) -> None:
        """End every password of a seat."""
        self.joining.passwords.pop(seat.name, None)
        if seat.password is not None:
            self._change_keys(
                f"the lasting password of {seat.name} was not removed",
                lambda: set_password(self.followed.path, seat.name, None),
            )

    def let_back(self, name: str, mark: str) -> None:
        """Let a kicked key open its seat again. `mark`: its fingerprint."""
        seat = self.followed.seats.by_name.get(name)
        for key in (*seat.kicked, *seat.keys) if seat is not None else ():
            if fingerprint(key) == mark and self.joining.may_bind(key, name):
                self._bind(name, key)
                self.say(f"a kicked key of {name} is let in again, {mark}")

    def remove_key(self, name: str, mark: str) -> None:
        """Remove a key from a seat, and end the screens that it opened. `mark`: its fingerprint."""
        seat = self.followed.seats.by_name.get(name)
        keys = (*seat.keys, *seat.kicked) if seat is not None else ()
        key = next((key for key in keys if fingerprint(key) == mark), "")
        failed = f"the key of {name} was not removed"
        if key and self._change_keys(failed, lambda: remove_key(self.followed.path, name, key)):
            self.say(f"a key of {name} is removed, {mark}")
            self._end_screens(lambda screen: screen.seat.name == name and screen.login.used_key == key)

    def _end_screens(self, ends: Callable[[Screen], bool]) -> None:
        for screen in list(self.screens):
            if ends(screen):
                screen.goodbye("The game master has ended this seat.")


def _refuse(session: SeatSession, sentence: str) -> None:
    session.say(sentence)
    session.end(1)


class CannotListen(ValueError):
    """Raised if the server can't listen on the address. The message is one sentence."""


def listening_socket(address: str, port: int) -> socket.socket:
    """Return a socket that listens on an address and port. Raises CannotListen."""
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
        is_taken = error.errno == errno.EADDRINUSE
        why = "is taken by another program" if is_taken else (error.strerror or "").lower()
        raise CannotListen(f"port {port} on {address} {why}") from None
    return listener
