"""The interface between the table and the desk of its seats, which is in `tui.controllers.seats`."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from systems.encounter.model import Offer
    from tui.controllers.seat_asks import SeatAsks
    from tui.controllers.served_seats import ServedSeats


class AnsweredAtSeat(Exception):
    """A player has answered the question that the table was asked as well."""


class Desk(Protocol):
    """Requests, dice and choices of the seats, and their server."""

    server: "ServedSeats"

    def start(self) -> None:
        """Listen for the server of the open campaign's seats."""

    def stop(self) -> None:
        """Stop listening."""

    def seat_asks(self) -> "SeatAsks | None":
        """Return what asks seats for dice and choices, or None if none listens."""

    def fight_moved(self) -> None:
        """Answer the requests to end a turn whose seats now see the next turn."""

    @property
    def has_question(self) -> bool:
        """Return whether a seat's command waits for a die or a choice that can also be answered here."""

    @property
    def oldest_words(self) -> str:
        """Return the text on the line of offers, or "" while nothing waits."""

    @property
    def oldest(self) -> object:
        """Return the question or request of `oldest_words`, or None."""

    @property
    def waiting_words(self) -> Sequence[str]:
        """Return the waiting items as text: dice and choices, then requests, each oldest first."""

    def take_waiting(self, at: int) -> None:
        """Open the question or carry out the request with that index in the waiting items."""

    def take_for(self, offer: "Offer") -> bool:
        """Carry out the oldest request that accepts an offer. Return whether there is one."""

    def take_all(self) -> None:
        """Carry out every waiting request."""

    def refuse_waiting(self, at: int) -> None:
        """Refuse the waiting request with that index, or the one whose question has it."""

    def leave(self) -> None:
        """Hide the waiting items until another arrives."""
