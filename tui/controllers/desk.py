"""What the table asks of the desk where its seats' requests arrive; `tui.controllers.seats` is that desk."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from systems.encounter.model import Offer
    from tui.session.session import Attempt, Needs


class Ask(Protocol):
    """A die or a choice that a seat is asked for, beside the table."""

    def withdraw(self) -> None:
        """Ask no more."""


class Desk(Protocol):
    """Requests, dice and choices, and who sits where."""

    # What the server said last of seats and knocks, and the requests that wait.
    state: Mapping[str, Any]

    def start(self) -> None:
        """Listen for the server of the open campaign's seats."""

    def stop(self) -> None:
        """Listen no more."""

    def ask(self, attempt: "Attempt", needs: "Needs", answered: Callable[[Any], None]) -> Ask | None:
        """Ask the seat whose die or choice it is; None where no seat may be asked."""

    def fight_moved(self) -> None:
        """Answer the requests to end a turn whose seats see the next turn by now."""

    @property
    def has_question(self) -> bool:
        """Whether a seat's command waits for a die or a choice that can be answered here, too."""

    @property
    def oldest_words(self) -> str:
        """What stands where offers stand; "" while nothing waits there."""

    @property
    def oldest(self) -> object:
        """What `oldest_words` tells of, None if nothing waits there."""

    @property
    def waiting_words(self) -> Sequence[str]:
        """What waits for the game master: dice and choices, then requests, the oldest first."""

    @property
    def is_served(self) -> bool:
        """Whether a server is connected."""

    @property
    def settings_warning(self) -> str:
        """A sentence about what the settings of the seats can reveal, or ""."""

    @property
    def server_words(self) -> str:
        """Where the server listens, or that there is none."""

    def take_waiting(self, at: int) -> None:
        """Open the question, or carry out the request, at that place of what waits; 0 is the oldest."""

    def take_for(self, offer: "Offer") -> bool:
        """Carry out the oldest request that takes up what the rules offer; return whether there is any."""

    def take_all(self) -> None:
        """Carry out every request that waits."""

    def refuse_waiting(self, at: int) -> None:
        """Refuse the request at that place of what waits, or that whose question stands there."""

    def leave(self) -> None:
        """Leave what waits, out of sight until more comes."""

    def hand_out_password(self, seat: str) -> None:
        """Have the server make a one-time password for a seat."""

    def let_in(self, knock: int, seat: str, *, for_good: bool, second_key: bool = False) -> None:
        """Let in the guest who knocks; `second_key`: also if the seat has another key."""

    def turn_away(self, knock: int) -> None:
        """Refuse the guest who knocks."""

    def kick(self, seat: str) -> None:
        """End a seat; its keys stay out until they are let in again."""

    def let_back(self, seat: str, key: str) -> None:
        """Let a kicked key open its seat again. `key`: its fingerprint."""

    def remove_key(self, seat: str, key: str) -> None:
        """Remove a key from a seat. `key`: its fingerprint."""

    def lock(self, locked: bool) -> None:
        """Lock the table against new players, or unlock it."""

    def start_or_stop_server(self) -> None:
        """Start the server of the seats, or stop the one that was started here."""
