"""Limits for untrusted clients of the server: rates, counts and sizes."""

from collections import Counter
from collections.abc import Iterable

KEYS = 12  # public keys offered on one connection
PASSWORDS = 3  # passwords tried on one connection
REFUSALS = 20  # refused login requests of any kind
CONNECTIONS_PER_ADDRESS = 4  # connections without a screen or command
CONNECTIONS = 32  # the same for all addresses together
CONNECTING, CONNECTING_BURST = 20.0, 16.0  # new connections a second, and burst
KEY_EXCHANGES, KEY_EXCHANGE_BURST = (
    0.1,
    4.0,
)  # a second on one connection, and burst; the first exchange belongs to the login
TOO_FAST = "One request a second: wait, then type it again."
FIRST_DELAY, LONGEST_DELAY = 1.0, 60.0  # seconds after wrong tries at lasting passwords; doubled each time
TRIES_FORGOTTEN = 900.0  # seconds after the last wrong try
_MOST_SLOWED = 1_000  # seats and addresses
HASHES = 2  # lasting passwords that are compared at once
ANSWER = 30.0  # seconds to wait for each answer during a login
AFTER = 2.0  # seconds that a client has to disconnect after its session
LOGIN = 120.0  # seconds for a whole login
KEEPALIVE, KEEPALIVES = (
    15,
    4,
)  # seconds between messages, and how many may stay unanswered
KNOCKS = 8  # guests that may wait at once
KNOCK = 600.0  # seconds that a guest may wait
REQUESTS, REQUEST_BURST = 1.0, 3.0  # requests a second of all screens and commands of a seat, and burst
TYPED, TYPED_BURST = 300.0, 4_000.0  # typed bytes a second of all screens of a seat, and burst
SCREENS_PER_SEAT = 3
OPENED, OPENED_BURST = 0.5, 12.0  # opened screens of one seat a second, and burst
SCREENS = 40  # in all
COLUMNS, ROWS = 500, 300  # a larger terminal is treated as this size
RESIZED = 0.25  # seconds between two sizes of a terminal; only the newest size is passed on
SIZES, SIZE_BURST = 0.5, 8.0  # sizes a second of all screens of a seat, and burst
CHANNEL_WINDOW = 32 * 1024  # bytes that a client may send ahead of the server's reading
AT_ONCE = 1024  # bytes of one client that are read before other clients get a turn
BYTES, BYTE_BURST = 16 * 1024.0, 16 * 1024.0  # bytes a second of one client, and burst
BYTES_BEFORE_LOGIN = 64 * 1024  # bytes that a client may send before it has logged in
UNSENT = 16 * 1024  # bytes that may be buffered for a client that does not read
UNHEARD = 96 * 1024  # bytes that may be sent to a client that answers none of them
UNSENT_ANSWERS = 128 * 1024  # buffered bytes after which a client that only sends is disconnected


class TokenBucket:
    """Allows `rate` units a second, and `burst` at once. The caller passes the clock in seconds."""

    def __init__(self, rate: float, burst: float, now: float) -> None:
        self.rate, self.burst = rate, burst
        self._left, self._at = burst, now

    def take(self, amount: float, now: float) -> float:
        """Take an amount, even more than is left. Return the seconds until it is paid back."""
        self._left = min(self.burst, self._left + (now - self._at) * self.rate)
        self._at = now
        self._left -= amount
        return max(0.0, -self._left / self.rate)

    def try_take(self, amount: float, now: float) -> bool:
        """Take an amount if it is left. Return whether it was taken."""
        self._left = min(self.burst, self._left + (now - self._at) * self.rate)
        self._at = now
        if self._left < amount:
            return False
        self._left -= amount
        return True

    def wait(self, amount: float, now: float) -> float:
        """Return the seconds until an amount is left, without taking it."""
        left = min(self.burst, self._left + (now - self._at) * self.rate)
        return max(0.0, (amount - left) / self.rate)


class WrongTries:
    """Counts wrong tries at lasting passwords, by seat and by address, to slow further tries.

    A try waits on its own, from its arrival: many wrong tries at once can't make a player wait longer than
    LONGEST_DELAY.
    """

    def __init__(self) -> None:
        self._found: dict[str, tuple[int, float]] = {}

    def delay(self, names: Iterable[str], now: float) -> float:
        """Return the seconds that a try waits which concerns these seats and addresses."""
        return max((self._delay(name, now) for name in names), default=0.0)

    def _delay(self, name: str, now: float) -> float:
        count, newest = self._found.get(name, (0, now))
        if not count or now - newest > TRIES_FORGOTTEN:
            return 0.0
        # More doublings would overflow, and the delay has reached its limit long before.
        return min(LONGEST_DELAY, FIRST_DELAY * 2.0 ** min(count - 1, 30))

    def add(self, names: Iterable[str], now: float) -> None:
        """Count a wrong try."""
        for name in names:
            count, newest = self._found.pop(name, (0, now))
            self._found[name] = (1 if now - newest > TRIES_FORGOTTEN else count + 1, now)
        while len(self._found) > _MOST_SLOWED:
            del self._found[next(iter(self._found))]

    def forget(self, names: Iterable[str]) -> None:
        """Forget the wrong tries after a right one."""
        for name in names:
            self._found.pop(name, None)


class SeatPace:
    """Rate limits shared by all screens of one seat: typing, requests, resizing and opening."""

    def __init__(self, now: float) -> None:
        self.typed = TokenBucket(TYPED, TYPED_BURST, now)
        self.requests = TokenBucket(REQUESTS, REQUEST_BURST, now)
        self.sizes = TokenBucket(SIZES, SIZE_BURST, now)
        self.opened = TokenBucket(OPENED, OPENED_BURST, now)


class LoginSlots:
    """Counts the connections without a screen or command, by address and in total."""

    def __init__(self) -> None:
        self._of: Counter[str] = Counter()

    def take(self, address: str) -> bool:
        """Count another connection from an address. Return False if the limit is reached."""
        if self._of[address] >= CONNECTIONS_PER_ADDRESS or self._of.total() >= CONNECTIONS:
            return False
        self._of[address] += 1
        return True

    def give_back(self, address: str) -> None:
        """Release a connection of an address."""
        self._of[address] -= 1
        if self._of[address] <= 0:
            del self._of[address]


def terminal_size(columns: int, rows: int) -> tuple[int, int]:
    """Return the size to use for a terminal, within the limits."""
    return min(max(columns, 1) if columns else 80, COLUMNS), min(max(rows, 1) if rows else 24, ROWS)
