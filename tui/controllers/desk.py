"""The interface between the table and the desk of its seats, which is in `tui.controllers.seats`."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from systems.encounter.model import Offer
    from tui.controllers.inviting import Inviting
    from tui.session.attempt import Attempt, Needs


class SharedQuestion(Protocol):
    """A question for a die or a choice that a seat has as well as the table."""

    def withdraw(self) -> None:
        """Withdraw the question."""


class Desk(Protocol):
    """Requests, dice, choices and occupants of the seats."""

    # The server's last message about seats and knocks.
    state: Mapping[str, Any]

    def start(self) -> None:
        """Listen for the server of the open campaign's seats."""

    def stop(self) -> None:
        """Stop listening."""

    def ask(
        self, attempt: "Attempt", needs: "Needs", answered: Callable[[Any], None]
    ) -> SharedQuestion | None:
        """Ask the seat that owns a die or choice. Return None if no seat may be asked."""

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

    @property
    def is_served(self) -> bool:
        """Return whether a server is connected."""

    @property
    def settings_warning(self) -> str:
        """Return a warning about settings of the seats that can reveal hidden combatants, or ""."""

    @property
    def server_words(self) -> str:
        """Return the address of the server, or that none runs."""

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

    @property
    def inviting(self) -> "Inviting":
        """Return the making of seats and invitations."""

    def hand_out_password(self, seat: str, lasts: str = "once") -> None:
        """Have the server make a password for a seat. `lasts`: "once", "evening" or "good"."""

    def let_in(self, knock: int, seat: str, *, for_good: bool, second_key: bool = False) -> None:
        """Admit a guest. `second_key`: even if the seat has another key."""

    def turn_away(self, knock: int) -> None:
        """Turn a guest away."""

    def kick(self, seat: str) -> None:
        """End a seat. Its keys stay out until the game master admits them again."""

    def let_back(self, seat: str, key: str) -> None:
        """Let a kicked key open its seat again. `key`: its fingerprint."""

    def remove_key(self, seat: str, key: str) -> None:
        """Remove a key from a seat. `key`: its fingerprint."""

    def lock(self, locked: bool) -> None:
        """Lock the table against new players, or unlock it."""

    def start_or_stop_server(self) -> None:
        """Start the server of the seats, or stop the one started here."""
