"""The requests of a seat that wait for the game master, and the last ones that were refused or lapsed."""

from collections.abc import Callable, Sequence
from typing import ClassVar

from systems.frozen import evolve, frozen

TABLE_ENDED = "the game master's program has ended"
# Most requests in a list that did not come about.
MOST_CLOSED = 4


@frozen
class ListedRequest:
    """A request as its seat lists it.

    `text`: the command in words, or why it did not come about. `is_open`: it still waits.
    """

    id: str
    text: str
    is_open: bool = True


@frozen
class ListOfSeat:
    """The message with the list of a seat, oldest first. `seat`: "" for the programs of that seat."""

    kind: ClassVar[str] = "requests"
    requests: tuple[ListedRequest, ...]
    seat: str = ""


class RequestLists:
    """The listed requests of each seat. `send` gets each change of a list.

    A request is listed from the answer that it waits until the answer with its result. So a list
    says nothing that the seat does not know already.
    """

    def __init__(self, send: Callable[[ListOfSeat], None]) -> None:
        self._send = send
        self._of: dict[str, tuple[ListedRequest, ...]] = {}

    def of(self, seat: str) -> Sequence[ListedRequest]:
        """Return the list of a seat, oldest first."""
        return self._of.get(seat, ())

    @property
    def messages(self) -> Sequence[ListOfSeat]:
        """Return all lists, for a new connection."""
        return [ListOfSeat(tuple(listed), seat) for seat, listed in self._of.items() if listed]

    def is_open(self, seat: str, id: str) -> bool:
        """Return whether a seat lists a request as waiting."""
        return any(listed.id == id and listed.is_open for listed in self.of(seat))

    def wait(self, seat: str, id: str, text: str) -> None:
        """List a request that waits. The player has seen why earlier ones did not come about."""
        if not self.is_open(seat, id):
            waiting = [listed for listed in self.of(seat) if listed.is_open]
            self._change(seat, (*waiting, ListedRequest(id, text)))

    def close(self, seat: str, id: str, why: str) -> None:
        """Remove a request from its list. If `why` is not "", it stays there as closed, with this text."""
        if not self.is_open(seat, id):
            return
        listed = [each for each in self.of(seat) if each.id != id]
        if why:
            listed.append(ListedRequest(id, why, is_open=False))
        closed = [each for each in listed if not each.is_open]
        self._change(seat, tuple(each for each in listed if each not in closed[:-MOST_CLOSED]))

    def clear(self) -> None:
        """Forget all lists without sending anything."""
        self._of.clear()

    def _change(self, seat: str, listed: tuple[ListedRequest, ...]) -> None:
        self._of[seat] = listed
        self._send(ListOfSeat(tuple(listed), seat))


def after_loss(listed: Sequence[ListedRequest], why: str) -> tuple[ListedRequest, ...]:
    """Return a list after the game master's program has ended: what waited has lapsed."""
    return tuple(
        evolve(each, text=f"Lapsed, because {why}: {each.text}", is_open=False) if each.is_open else each
        for each in listed
    )
