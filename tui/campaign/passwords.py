"""Passwords of seats: how they are made, and the hash of a lasting one as seats.toml keeps it."""

import base64
import binascii
import hashlib
import hmac
import secrets
from collections.abc import Callable

from systems.frozen import frozen

_CONSONANTS, _VOWELS = "bdfghklmnprstvz", "aeiou"
# One hash takes 16 MB and some 50 ms.
_N, _R, _P = 2**14, 8, 1
_MOST_N, _MOST_R, _MOST_P = 2**15, 8, 1
_SALT, _HASH = 16, 32  # bytes
SHORT, LONG = 2, 4  # pairs of syllables in a one-time and in a lasting password
LONGEST_TYPED = 200


def make_password(choose: Callable[[str], str] = secrets.choice, pairs: int = SHORT) -> str:
    """Return a password that is easy to say and type, such as `zili-vago`.

    A pair of syllables has 5,625 forms: two pairs give 31 million passwords, four give 10^15.
    """
    return "-".join("".join(choose(_CONSONANTS) + choose(_VOWELS) for _ in range(2)) for _ in range(pairs))


def as_typed(password: str) -> str:
    """Return a password without hyphens, blanks and capitals, as it is compared."""
    return "".join(filter(str.isalnum, password.casefold()[:LONGEST_TYPED]))


@frozen
class PasswordHash:
    """The scrypt hash of a lasting password. As text: `scrypt:N:R:P:SALT:HASH`, the last two in Base64."""

    n: int
    r: int
    p: int
    salt: bytes
    digest: bytes

    def __str__(self) -> str:
        salt, digest = (base64.b64encode(part).decode() for part in (self.salt, self.digest))
        return f"scrypt:{self.n}:{self.r}:{self.p}:{salt}:{digest}"

    def matches(self, typed: str) -> bool:
        """Return whether a typed text is the password. Takes a while, so call it in a thread."""
        found = _scrypt(typed, self.salt, self.n, self.r, self.p)
        return hmac.compare_digest(found, self.digest)


# Compared with when a seat has no lasting password, so that the answer takes as long.
NO_PASSWORD = PasswordHash(_N, _R, _P, bytes(_SALT), bytes(_HASH))


def hash_of(password: str) -> PasswordHash:
    """Return the hash of a password, with a new salt."""
    salt = secrets.token_bytes(_SALT)
    return PasswordHash(_N, _R, _P, salt, _scrypt(password, salt, _N, _R, _P))


def read_hash(text: str) -> PasswordHash | None:
    """Read a hash. Return None if the text is none, or if comparing it would take too much memory."""
    parts = text.split(":")
    if len(text) > 200 or len(parts) != 6 or parts[0] != "scrypt":
        return None
    try:
        n, r, p = map(int, parts[1:4])
        salt, digest = (base64.b64decode(part, validate=True) for part in parts[4:])
    except (ValueError, binascii.Error):
        return None
    is_power = n > 1 and n & (n - 1) == 0
    if not (is_power and n <= _MOST_N and 0 < r <= _MOST_R and 0 < p <= _MOST_P):
        return None
    return PasswordHash(n, r, p, salt, digest) if len(salt) >= 8 and len(digest) == _HASH else None


def _scrypt(password: str, salt: bytes, n: int, r: int, p: int) -> bytes:
    data = as_typed(password).encode()
    return hashlib.scrypt(data, salt=salt, n=n, r=r, p=p, maxmem=64 * 2**20, dklen=_HASH)
