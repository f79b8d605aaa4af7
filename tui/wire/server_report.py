"""The report of the server to the game master's program as values: the seats, the guests and its address."""

from collections.abc import Mapping
from typing import Any

from systems.frozen import frozen
from tui.wire.frames import Message


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
    """The seats of a campaign, the guests, the mistakes in seats.toml, and the server's address."""

    seats: tuple[ReportedSeat, ...]
    knocks: tuple[ReportedKnock, ...]
    problems: tuple[str, ...]
    is_locked: bool
    address: str
    port: int
    fingerprint: str

    @property
    def empty_characters(self) -> frozenset[str]:
        """Return the characters that have a seat without any screen."""
        played = {id for seat in self.seats if seat.screens for id in seat.characters}
        return frozenset(id for seat in self.seats for id in seat.characters if id not in played)


def server_report(message: Message) -> ServerReport:
    """Return the report in a checked message `state`."""
    return ServerReport(
        tuple(_reported_seat(seat) for seat in message["seats"]),
        tuple(_reported_knock(knock) for knock in message["knocks"]),
        tuple(message.get("problems", ())),
        message["locked"],
        message["address"],
        message["port"],
        message["fingerprint"],
    )


def _reported_seat(given: Mapping[str, Any]) -> ReportedSeat:
    characters, keys, kicked, screens = (
        tuple(given[name]) for name in ("characters", "keys", "kicked", "screens")
    )
    return ReportedSeat(
        given["name"], characters, keys, kicked, given["password"], given.get("lasts", ""), screens
    )


def _reported_knock(given: Mapping[str, Any]) -> ReportedKnock:
    return ReportedKnock(
        given["id"],
        given["name"],
        given["seat"],
        given["key_of"],
        given["kicked_from"],
        given["address"],
        given["fingerprint"],
    )
