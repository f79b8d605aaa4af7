"""How much a stranger may ask of the server: rates, counts and sizes."""

from collections import Counter

KEYS = 12  # public keys offered on one connection
PASSWORDS = 3  # passwords tried on one connection
REFUSALS = 20  # refused requests of a login, whatever they asked for
CONNECTIONS_PER_ADDRESS = 4  # that have no screen and no command yet
CONNECTIONS = 32  # the same in all
CONNECTING, CONNECTING_BURST = 20.0, 16.0  # connections a second that begin, and at once
KEY_EXCHANGES, KEY_EXCHANGE_BURST = (
    0.1,
    4.0,
)  # a second of one connection, and at once: the first is its login
TOO_FAST = "One request a second; type it again."
ANSWER = 30.0  # seconds for each answer of a login
AFTER = 2.0  # seconds that a client has to leave once its session is over
LOGIN = 120.0  # seconds for a whole login
KEEPALIVE, KEEPALIVES = 15, 4  # seconds between, and how many unanswered
KNOCKS = 8  # who wait to be let in
KNOCK = 600.0  # seconds that somebody waits to be let in
REQUESTS, REQUEST_BURST = 1.0, 3.0  # requests a second of one screen, and at once
TYPED, TYPED_BURST = 300.0, 4_000.0  # typed bytes a second of all screens of a seat, and at once
SCREENS_PER_SEAT = 3
OPENED, OPENED_BURST = 0.5, 12.0  # screens of one seat that are opened a second, and at once
SCREENS = 40  # in all
COLUMNS, ROWS = 500, 300  # a larger terminal is treated as this
RESIZED = 0.25  # seconds between two sizes of a terminal; the newest one counts
SIZES, SIZE_BURST = 0.5, 8.0  # sizes a second of all screens of a seat, and at once
CHANNEL_WINDOW = 32 * 1024  # bytes that a client may send before they are read
AT_ONCE = 1024  # bytes of one client that are read before it is another's turn
BYTES, BYTE_BURST = 16 * 1024.0, 16 * 1024.0  # bytes a second of one client, and at once
BYTES_BEFORE_LOGIN = 64 * 1024  # that a client may send before it has logged in
UNSENT = 16 * 1024  # bytes that may wait here for a client that does not read
UNHEARD = 96 * 1024  # bytes that a client is sent without an answer to any of them
UNSENT_ANSWERS = 128 * 1024  # bytes that wait for a client that asks and does not read: it is let go


class TokenBucket:
    """Allows `rate` units a second, and `burst` at once. The clock is the caller's, in seconds."""

    def __init__(self, rate: float, burst: float, now: float) -> None:
        self.rate, self.burst = rate, burst
        self._left, self._at = burst, now

    def take(self, amount: float, now: float) -> float:
        """Take an amount, also more than is there. Returns the seconds to wait until it is paid for."""
        self._left = min(self.burst, self._left + (now - self._at) * self.rate)
        self._at = now
        self._left -= amount
        return max(0.0, -self._left / self.rate)

    def try_take(self, amount: float, now: float) -> bool:
        """Take an amount if it is there."""
        self._left = min(self.burst, self._left + (now - self._at) * self.rate)
        self._at = now
        if self._left < amount:
            return False
        self._left -= amount
        return True

    def wait(self, amount: float, now: float) -> float:
        """Return the seconds until an amount is there, and take nothing."""
        left = min(self.burst, self._left + (now - self._at) * self.rate)
        return max(0.0, (amount - left) / self.rate)


class SeatPace:
    """How fast all screens of one seat together may be typed at, resized and opened."""

    def __init__(self, now: float) -> None:
        self.typed = TokenBucket(TYPED, TYPED_BURST, now)
        self.sizes = TokenBucket(SIZES, SIZE_BURST, now)
        self.opened = TokenBucket(OPENED, OPENED_BURST, now)


class LoginSlots:
    """Counts the connections that have no screen and no command yet, by address and in all."""

    def __init__(self) -> None:
        self._of: Counter[str] = Counter()

    def take(self, address: str) -> bool:
        """Count one more connection from an address; False if there are too many."""
        if self._of[address] >= CONNECTIONS_PER_ADDRESS or self._of.total() >= CONNECTIONS:
            return False
        self._of[address] += 1
        return True

    def give_back(self, address: str) -> None:
        """Count one connection less."""
        self._of[address] -= 1
        if self._of[address] <= 0:
            del self._of[address]


def terminal_size(columns: int, rows: int) -> tuple[int, int]:
    """The size that a terminal is treated as having."""
    return min(max(columns, 1) if columns else 80, COLUMNS), min(max(rows, 1) if rows else 24, ROWS)
