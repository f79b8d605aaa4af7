"""Admission to seats: known and kicked keys, one-time passwords, and knocks.

The state is plain and knows no network. The SSH server asks it, and the game master's program changes it.
"""

import hmac
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from systems.text import clean
from tui.campaign.passwords import NO_PASSWORD, PasswordHash, as_typed
from tui.campaign.seats import Seat, Seats, escaped_name, fingerprint, named_seat
from tui.seats.bounds import KNOCK, KNOCKS, WrongTries

_TRIES = 10
AdmissionVerdict = Literal["no", "seat", "knock", "full", "locked"]
# Until a player has used it, until the server ends, or until the game master ends it.
Lasts = Literal["once", "evening", "good"]
LASTS: tuple[Lasts, ...] = ("once", "evening", "good")


@dataclass(slots=True)
class Password:
    """A password for a seat, while its text is known. `tries`: wrong tries since it was handed out.

    A lasting one is only shown from here. It is compared with its hash in seats.toml.
    """

    seat: str
    text: str
    lasts: Lasts = "once"
    tries: int = 0


@dataclass(slots=True)
class Knock:
    """A guest who waits to be let in.

    `name`: the text typed before the @, for the screen; `seat`: the seat name it means, "" for none;
    `key`: the first key that the guest has proven to hold, "" for none.
    """

    id: int
    name: str
    seat: str
    address: str
    key: str
    since: float
    let_in: Callable[[str], None]
    turn_away: Callable[[str], None]

    @property
    def fingerprint(self) -> str:
        """Return the fingerprint of the guest's key, or "" without a key."""
        return fingerprint(self.key)


@dataclass(slots=True)
class Admission:
    """The result of a login. `verdict` "seat": opens `seat`; `bind`: a key to add to that seat."""

    verdict: AdmissionVerdict
    seat: str = ""
    bind: str = ""


class Joining:
    """Passwords, knocks and kicks at one table. `now` is a clock in seconds."""

    def __init__(self, seats: Seats, now: Callable[[], float], random_password: Callable[[], str]) -> None:
        self.seats = seats
        self._now, self._random_password = now, random_password
        self.passwords: dict[str, Password] = {}
        self.knocks: dict[int, Knock] = {}
        self.wrong_tries = WrongTries()
        self.locked = False
        # Kicked keys that could not be written to seats.toml.
        self.kicked: set[str] = set()
        self._last_knock = 0

    # Login

    def of_key(self, name: str, key: str) -> Seat | None:
        """Return the named seat if this key opens it. A kicked key opens no seat."""
        seat = self.seats.by_name.get(named_seat(name))
        return seat if seat is not None and key in seat.keys and not self.is_kicked(key) else None

    def is_kicked(self, key: str) -> bool:
        """Return whether a key stays out until the game master admits it again."""
        return key in self.kicked or self.seats.kicked_from(key) is not None

    def of_password(self, name: str, typed: str, first_key: str) -> Admission:
        """Return the result of a login with a typed password. An empty one is a knock."""
        if not typed.strip():
            if self.locked:
                return Admission("locked")
            return Admission("knock" if len(self.knocks) < KNOCKS else "full")
        seat = named_seat(name)
        password = self.passwords.get(seat)
        if password is not None and password.lasts == "good":
            password = None
        # A player may type a spoken password without its hyphen.
        expected = as_typed(password.text if password else self._random_password())
        matches = hmac.compare_digest(as_typed(typed).encode(), expected.encode())
        if password is None or self.locked or seat not in self.seats.by_name:
            return Admission("no")
        if not matches:
            password.tries += 1
            if password.tries >= _TRIES:
                del self.passwords[seat]
            return Admission("no")
        if password.lasts == "evening" or not first_key or not self.may_bind(first_key, seat):
            # Without a key to bind, the player needs the password again for the next login.
            return Admission("seat", seat)
        del self.passwords[seat]
        return Admission("seat", seat, first_key)

    # Lasting passwords

    @property
    def has_lasting(self) -> bool:
        """Return whether a seat has a lasting password. If so, every wrong try is slowed."""
        return not self.locked and any(seat.password for seat in self.seats.by_name.values())

    def delay(self, name: str, address: str) -> float:
        """Return the seconds until a try at a lasting password is checked."""
        return self.wrong_tries.delay(_slowed(name, address), self._now())

    def lasting_of(self, name: str) -> PasswordHash:
        """Return the hash that a typed password is compared with. Without one, nothing matches."""
        seat = self.seats.by_name.get(named_seat(name))
        return seat.password if seat is not None and seat.password is not None else NO_PASSWORD

    def of_lasting(self, name: str, address: str, tried: PasswordHash, *, matches: bool) -> Admission:
        """Return the result of a login with a lasting password, which binds no key.

        `tried`: the hash that was compared. The game master may have ended it meanwhile.
        """
        slowed = _slowed(name, address)
        if not matches or self.locked or tried is NO_PASSWORD or tried != self.lasting_of(name):
            self.wrong_tries.add(slowed, self._now())
            return Admission("no")
        self.wrong_tries.forget(slowed)
        return Admission("seat", named_seat(name))

    def may_bind(self, key: str, seat: str) -> bool:
        """Return whether a key may be added to a seat. A key belongs to one seat only."""
        owner = self.seats.of_key(key)
        return owner is None or owner.name == seat

    # Actions of the game master

    def hand_out(self, seat: str, lasts: Lasts = "once", text: str = "") -> Password | None:
        """Make a new password for a seat in place of an earlier one. Return None for an unknown seat.

        `text`: a lasting password, which was made and hashed before.
        """
        if seat not in self.seats.by_name:
            return None
        password = self.passwords[seat] = Password(seat, text or self._random_password(), lasts)
        return password

    def knock(
        self,
        name: str,
        address: str,
        key: str,
        let_in: Callable[[str], None],
        turn_away: Callable[[str], None],
    ) -> Knock | None:
        """Add a guest who waits to be let in; return None if too many do."""
        if self.locked or len(self.knocks) >= KNOCKS:
            return None
        self._last_knock += 1
        shown, seat = escaped_name(name), named_seat(name)
        knock = Knock(self._last_knock, shown, seat, clean(address, 60), key, self._now(), let_in, turn_away)
        self.knocks[knock.id] = knock
        return knock

    def leave(self, knock: Knock) -> None:
        """Forget a guest who has left."""
        self.knocks.pop(knock.id, None)

    def overdue(self) -> list[Knock]:
        """Return the guests who have waited for too long."""
        return [knock for knock in self.knocks.values() if self._now() - knock.since > KNOCK]


def _slowed(name: str, address: str) -> tuple[str, str]:
    """Return what a wrong try slows: the named seat, whether it exists or not, and the address."""
    return f"seat {named_seat(name) or '?'}", f"address {address}"
