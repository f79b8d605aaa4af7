"""What the server of the seats reports, as values: the seats, the guests, passwords and its address."""

from typing import ClassVar

from systems.frozen import frozen
from tui.wire.messages import RefusedMessage, by_kind


@frozen
class ServedAt:
    """Where players reach the server, and the fingerprint of its key."""

    address: str = ""
    port: int = 0
    fingerprint: str = ""


@frozen
class ReportedSeat:
    """A seat. `keys`, `kicked`: fingerprints. `password`: its text, while it is known. `screens`: addresses.

    `lasts`: how long its password lasts, or "".
    """

    name: str
    characters: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    kicked: tuple[str, ...] = ()
    password: str = ""
    lasts: str = ""
    screens: tuple[str, ...] = ()


@frozen
class ReportedKnock:
    """A guest who waits for admission.

    `seat`: the typed name. `key_of`: the seat that the guest's key belongs to, or "". `kicked_from`: the seat
    that this key was kicked from, or "".
    """

    id: int
    name: str
    seat: str
    key_of: str
    kicked_from: str
    address: str
    fingerprint: str


@frozen
class ServerReport:
    """The seats of a campaign, the guests, the server's address, and the mistakes in seats.toml."""

    kind: ClassVar[str] = "state"
    seats: tuple[ReportedSeat, ...]
    knocks: tuple[ReportedKnock, ...]
    where: ServedAt
    is_locked: bool = False
    problems: tuple[str, ...] = ()

    @property
    def empty_characters(self) -> frozenset[str]:
        """Return the characters that have a seat without any screen."""
        played = {id for seat in self.seats if seat.screens for id in seat.characters}
        return frozenset(id for seat in self.seats for id in seat.characters if id not in played)


@frozen
class PasswordOfSeat:
    """The password of a seat, and how long it lasts."""

    name: str
    password: str
    lasts: str


@frozen
class Invite:
    """Asks for the passwords of these seats. `lasts`: how long new ones last; "" makes none."""

    kind: ClassVar[str] = "invite"
    seats: tuple[str, ...]
    lasts: str


@frozen
class Invited:
    """The answer to `affray invite`: the passwords of seats, and where players reach the server."""

    kind: ClassVar[str] = "invited"
    where: ServedAt
    seats: tuple[PasswordOfSeat, ...] = ()


# From `affray invite` to the server, and its answer.
TO_SERVER = by_kind(Invite)
FROM_SERVER = by_kind(Invited, RefusedMessage)
