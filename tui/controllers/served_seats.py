"""The server of the seats as the table uses it: its process, the occupants of the seats, and invitations."""

import asyncio
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path

from systems.text import clean
from tui.campaign.campaign import Campaign
from tui.campaign.problems import FileProblem, NotSaved
from tui.campaign.seats import SEATS, Seat, Seats, add_seats, fingerprint, read_seats, seat_for
from tui.display.invitation import Invitation, host_of
from tui.services import Services
from tui.wire.address import WITH_PARENT
from tui.wire.link import Link
from tui.wire.server_report import ReportedSeat, ServerReport
from tui.wire.table_messages import Kick, LetBack, LetIn, LockTable, MakePassword, RemoveKey, TurnAway

HANDS_OVER_AT_ONCE = (
    'hand_over = "at_once": turns end without you. '
    "A player who ends a turn and sees no next one learns that a hidden combatant acts."
)
_START = "import sys; sys.path[:] = eval(sys.argv.pop(1)); from tui.cli.main import main; sys.exit(main())"


class SeatServerProcess:
    """Process of `affray serve` for a campaign. `ended` gets its last sentence, or "" after a stop."""

    def __init__(self, campaign: Path, ended: Callable[[str], None]) -> None:
        self._campaign, self._ended = campaign, ended
        self._process: asyncio.subprocess.Process | None = None
        self._task: asyncio.Task[None] | None = None
        self._stopped = False

    def start(self) -> None:
        """Start the server in the running event loop."""
        self._task = asyncio.get_running_loop().create_task(self._run())

    def terminate(self) -> None:
        """Stop the server."""
        self._stopped = True
        if self._process is not None:
            with suppress(ProcessLookupError):
                self._process.terminate()

    async def wait(self) -> None:
        """Wait until the process has ended."""
        if self._task is not None:
            await self._task

    async def _run(self) -> None:
        last = ""
        try:
            process = self._process = await asyncio.create_subprocess_exec(
                sys.executable, "-c", _START, repr(sys.path), "serve", str(self._campaign),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=asyncio.subprocess.PIPE,
                env={**os.environ, WITH_PARENT: "1"},
                start_new_session=True,
            )  # fmt: skip
            if self._stopped:
                process.terminate()
            assert process.stderr is not None
            while line := await process.stderr.readline():
                last = clean(line.decode(errors="replace"), 300).removeprefix("affray: ")
            status = await process.wait()
        except (OSError, ValueError) as error:
            last, status = f"the server cannot be started: {clean(str(error), 200)}", 1
        self._ended(last if status and not self._stopped else "")


class ServedSeats:
    """The server of a campaign's seats: knocks, occupants, passwords, starting and stopping.

    `send` sends it a message. `changed` is called to repaint what is shown of it.
    """

    def __init__(
        self,
        services: Services,
        campaign: Callable[[], Campaign | None],
        send: Callable[[object], None],
        changed: Callable[[], None],
    ) -> None:
        self.services, self._campaign, self._send, self._changed = services, campaign, send, changed
        # The server's last report about seats and knocks, and the link on which it came.
        self.report: ServerReport | None = None
        self.link: Link | None = None
        # The characters whose seats have no screen, by their ids in the roster; none without a server.
        self.empty_characters: frozenset[str] = frozenset()
        # How to admit a guest with this name in words, "" for the key of the page of seats; how to invite.
        self.how_to_admit, self.how_to_invite = "", "i"
        self.inviting = Inviting(self, campaign)
        self._process: SeatServerProcess | None = None

    @property
    def is_served(self) -> bool:
        """Return whether a server is connected."""
        return self.link is not None and self.link.is_open

    def forget(self) -> None:
        """Forget the server after its connection was lost."""
        self.link, self.report = None, None
        self._show_empty_seats()

    def take_state(self, link: Link, report: ServerReport) -> None:
        """Take the server's report about seats and knocks, and announce a new knock."""
        known = {knock.id for knock in self.report.knocks} if self.report else set()
        self.link, self.report = link, report
        fresh = [knock for knock in report.knocks if knock.id not in known]
        if fresh and self.services.prompts.current is None:
            name, key = clean(fresh[-1].name, 40), self.services.key_names.get("seats", "P")
            how = self.how_to_admit.format(name) or f"{key} opens the page of seats"
            self.services.say(f"{name} knocks: {how}.")
        self.inviting.state_arrived()
        self._show_empty_seats()
        self._changed()

    def _show_empty_seats(self) -> None:
        """Show in the order whose seats are empty, if that has changed."""
        empty = self.report.empty_characters if self.report is not None else frozenset()
        if empty != self.empty_characters:
            self.empty_characters = empty
            self.services.show_change()

    def hand_out_password(self, seat: str, lasts: str = "once") -> None:
        """Have the server make a password for a seat. `lasts`: "once", "evening" or "good"."""
        self._send(MakePassword(seat, lasts))

    def let_in(self, knock: int, seat: str, *, for_good: bool, second_key: bool = False) -> None:
        """Admit a guest. `second_key`: even if the seat has another key."""
        self._send(LetIn(knock, seat, for_good, second_key))

    def turn_away(self, knock: int) -> None:
        """Turn a guest away."""
        self._send(TurnAway(knock))

    def kick(self, seat: str) -> None:
        """End a seat. Its keys stay out until the game master admits them again."""
        self._send(Kick(seat))

    def let_back(self, seat: str, key: str) -> None:
        """Let a kicked key open its seat again. `key`: its fingerprint."""
        self._send(LetBack(seat, key))

    def remove_key(self, seat: str, key: str) -> None:
        """Remove a key from a seat. `key`: its fingerprint."""
        self._send(RemoveKey(seat, key))

    def lock(self, locked: bool) -> None:
        """Lock the table against new players, or unlock it."""
        self._send(LockTable(locked))

    @property
    def settings_warning(self) -> str:
        """Return a warning about settings of the seats that can reveal hidden combatants, or ""."""
        campaign = self._campaign()
        return HANDS_OVER_AT_ONCE if campaign and campaign.seats.hand_over == "at_once" else ""

    @property
    def words(self) -> str:
        """Return the address of the server, or that none runs."""
        if not self.is_served or self.report is None:
            return "no server is running" if self._process is None else "the server is starting …"
        where = self.report.where
        return f"{where.address}:{where.port}, host key {where.fingerprint}"

    @property
    def is_starting(self) -> bool:
        """Return whether a server was started here."""
        return self._process is not None

    def start_or_stop(self) -> None:
        """Start the server of the seats, or stop the one started here. It ends with this program."""
        if self._process is not None:
            self._process.terminate()
        elif self.is_served:
            self.services.say("The server was started elsewhere: stop it there.", error=True)
        elif (campaign := self._campaign()) is not None:
            self._process = SeatServerProcess(campaign.path, self._process_ended)
            self._process.start()
        self._changed()

    async def stop(self) -> None:
        """Stop the server if it was started here, and wait for its end."""
        if (process := self._process) is not None:
            process.terminate()
            await process.wait()

    def _process_ended(self, why: str) -> None:
        self._process = None
        if why:
            self.services.say(why, error=True)
        self._changed()


class Inviting:
    """The seats of a campaign as the game master makes them, and the invitations to them."""

    def __init__(self, server: "ServedSeats", campaign: Callable[[], Campaign | None]) -> None:
        self._server, self._campaign = server, campaign
        # How long the passwords last that the server makes as soon as it runs, or "".
        self._lasts = ""
        self._read: tuple[object, Seats] = (None, Seats())
        # The names of the seats that were made here.
        self._made: set[str] = set()

    @property
    def without_seat(self) -> Sequence[tuple[str, str]]:
        """Return the id and name of each of the players' characters without a seat."""
        campaign = self._campaign()
        if campaign is None:
            return ()
        seated = {id for seat in self._seats(campaign).by_name.values() for id in seat.characters}
        return [
            (entry.id, clean(entry.name, 60))
            for entry in campaign.roster.values()
            if entry.side == campaign.table.players and entry.id not in seated
        ]

    def seat_name(self, character: str) -> str:
        """Return the name that a new seat for a character would get."""
        campaign = self._campaign()
        return seat_for(character, self._seats(campaign) if campaign is not None else Seats()).name

    @property
    def seats_on_file(self) -> Sequence[ReportedSeat]:
        """Return the seats of seats.toml as the server reports them, for a page without a server."""
        campaign = self._campaign()
        seats = self._seats(campaign).by_name.values() if campaign is not None else ()
        return [
            ReportedSeat(
                seat.name,
                tuple(seat.characters),
                tuple(fingerprint(key) for key in seat.keys),
                tuple(fingerprint(key) for key in seat.kicked),
                lasts="good" if seat.password else "",
            )
            for seat in seats
        ]

    def make_seats(self, characters: Iterable[str]) -> None:
        """Add a seat for each of these characters to seats.toml."""
        campaign = self._campaign()
        if campaign is None:
            return
        seats, new = self._seats(campaign), list[Seat]()
        for character in characters:
            seat = seat_for(character, seats)
            new.append(seat)
            seats = Seats({**seats.by_name, seat.name: seat})
        say = self._server.services.say
        if not new:
            say("every character has a seat", error=True)
            return
        try:
            add_seats(campaign.path, new)
        except (FileProblem, NotSaved) as error:
            say(str(error), error=True)
            return
        self._made |= {seat.name for seat in new}
        seats_made = f"New seat{'' if len(new) == 1 else 's'}: {', '.join(seat.name for seat in new)}"
        say(f"{seats_made}. {self._server.how_to_invite} invites the players.")

    def invite(self, lasts: str) -> None:
        """Have the server make the missing passwords. Without a server, start one first."""
        self._lasts = lasts
        if self._server.is_served:
            self.state_arrived()
        elif not self._server.is_starting:
            self._server.start_or_stop()

    def state_arrived(self) -> None:
        """Ask for the missing passwords once the server has reported the seats."""
        lasts, report = self._lasts, self._server.report
        if not lasts or report is None:
            return
        on_file = {seat.name for seat in self.seats_on_file}
        if (self._made & on_file) - {seat.name for seat in report.seats}:
            # The server has not read the new seats yet.
            return
        self._lasts = ""
        for seat in report.seats:
            # A player whose key is known needs no password. An invitation that was sent keeps its password.
            if not seat.keys and not (seat.password and seat.lasts == lasts):
                self._server.hand_out_password(seat.name, lasts)

    @property
    def is_waiting(self) -> bool:
        """Return whether passwords are still to come."""
        return bool(self._lasts)

    @property
    def complete(self) -> Sequence[Invitation]:
        """Return the invitations once every password is known, else none."""
        found = self.invitations
        is_whole = all(each.password or each.has_key or each.lasts == "good" for each in found)
        return found if is_whole and not self.is_waiting else ()

    @property
    def invitations(self) -> Sequence[Invitation]:
        """Return an invitation to each seat that the server has reported."""
        campaign, report = self._campaign(), self._server.report
        if campaign is None or report is None:
            return ()
        host = host_of(campaign.seats.address, report.where.address)
        roster = campaign.roster
        return [
            Invitation(
                seat.name,
                [clean(roster[id].name, 60) for id in seat.characters if id in roster],
                host,
                report.where.port,
                report.where.fingerprint,
                seat.password,
                seat.lasts,
                has_key=bool(seat.keys),
                is_chosen=bool(campaign.seats.address),
            )
            for seat in report.seats
        ]

    def _seats(self, campaign: Campaign) -> Seats:
        """Return the seats in seats.toml, read again when the file has changed."""
        try:
            found = (campaign.path / SEATS).stat()
            mark: object = (campaign.path, found.st_mtime_ns, found.st_size, tuple(campaign.roster))
        except OSError:
            return Seats()
        if self._read[0] != mark:
            self._read = mark, read_seats(campaign.path, campaign.roster)
        return self._read[1]
