"""Make seats for characters and invite their players, for the page of seats."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol

from systems.text import clean
from tui.campaign.campaign import Campaign
from tui.campaign.problems import FileProblem, NotSaved
from tui.campaign.seats import SEATS, Seat, Seats, add_seats, fingerprint, read_seats, seat_for
from tui.display.invitation import Invitation, host_of
from tui.services import Services


class ServedDesk(Protocol):
    """The table's side of its seats, as far as invitations need it."""

    state: Mapping[str, Any]
    services: Services

    @property
    def is_served(self) -> bool: ...

    @property
    def is_starting(self) -> bool: ...

    def hand_out_password(self, seat: str, lasts: str = "once") -> None: ...

    def start_or_stop_server(self) -> None: ...


class Inviting:
    """The seats of a campaign as the game master makes them, and the invitations to them."""

    def __init__(self, desk: ServedDesk, campaign: Callable[[], Campaign | None]) -> None:
        self._desk, self._campaign = desk, campaign
        # How long the passwords last that the server makes as soon as it runs, or "".
        self._lasts = ""
        self._read: tuple[object, Seats] = (None, Seats())

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
    def seats_on_file(self) -> Sequence[Mapping[str, Any]]:
        """Return the seats of seats.toml as the server reports them, for a page without a server."""
        campaign = self._campaign()
        seats = self._seats(campaign).by_name.values() if campaign is not None else ()
        return [
            {
                "name": seat.name,
                "characters": list(seat.characters),
                "keys": [fingerprint(key) for key in seat.keys],
                "kicked": [fingerprint(key) for key in seat.kicked],
                "password": "",
                "lasts": "good" if seat.password else "",
                "screens": [],
            }
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
        say = self._desk.services.say
        if not new:
            say("every character has a seat", error=True)
            return
        try:
            add_seats(campaign.path, new)
        except (FileProblem, NotSaved) as error:
            say(str(error), error=True)
            return
        names = ", ".join(seat.name for seat in new)
        say(f"New seat{'' if len(new) == 1 else 's'}: {names}. i invites the players.")

    def invite(self, lasts: str) -> None:
        """Have the server make the missing passwords. Without a server, start one first."""
        self._lasts = lasts
        if self._desk.is_served:
            self.state_arrived()
        elif not self._desk.is_starting:
            self._desk.start_or_stop_server()

    def state_arrived(self) -> None:
        """Ask for the missing passwords once the server has reported the seats."""
        lasts, state = self._lasts, self._desk.state
        if not lasts or "seats" not in state:
            return
        self._lasts = ""
        for seat in state["seats"]:
            # A player whose key is known needs no password. An invitation that was sent keeps its password.
            if not seat["keys"] and not (seat["password"] and seat.get("lasts") == lasts):
                self._desk.hand_out_password(seat["name"], lasts)

    @property
    def is_waiting(self) -> bool:
        """Return whether passwords are still to come."""
        return bool(self._lasts)

    @property
    def invitations(self) -> Sequence[Invitation]:
        """Return an invitation to each seat that the server has reported."""
        campaign, state = self._campaign(), self._desk.state
        if campaign is None or "port" not in state:
            return ()
        host = host_of(campaign.seats.address, str(state["address"]))
        roster = campaign.roster
        return [
            Invitation(
                seat["name"],
                [clean(roster[id].name, 60) for id in seat["characters"] if id in roster],
                host,
                int(state["port"]),
                str(state["fingerprint"]),
                seat["password"],
                seat.get("lasts", ""),
                has_key=bool(seat["keys"]),
            )
            for seat in state["seats"]
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
