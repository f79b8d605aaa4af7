"""Admission to seats: known and kicked keys, words that the game master hands out, and knocks.

Plain state without a network: the SSH server asks, the game master's program answers.
"""

import hmac
from collections.abc import Callable
from typing import Literal

import attrs

from systems.text import clean
from tui.campaign.seats import Seat, Seats, escaped_name, fingerprint, named_seat
from tui.seats.bounds import KNOCK, KNOCKS

_CONSONANTS, _VOWELS = "bdfghklmnprstvz", "aeiou"
_TRIES = 10
Verdict = Literal["no", "seat", "knock", "full", "locked"]


@attrs.define
class Word:
    """A word for one seat. `tries`: wrong words that were tried for that seat since it was handed out."""

    seat: str
    word: str
    tries: int = 0


@attrs.define
class Knock:
    """A guest who waits to be let in.

    `name`: the text typed before the @, for the screen; `seat`: the seat name it means, "" for none;
    `key`: the first key offered.
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
        """The fingerprint of the first key that was offered; empty without a key."""
        return fingerprint(self.key)


@attrs.define
class Admission:
    """The result of a login. `verdict` "seat": opens `seat`; `bind`: a key to add to that seat."""

    verdict: Verdict
    seat: str = ""
    bind: str = ""


class Joining:
    """Words, knocks and kicks at one table. `random_word` makes words; `now` is a clock in seconds."""

    def __init__(self, seats: Seats, now: Callable[[], float], random_word: Callable[[], str]) -> None:
        self.seats = seats
        self._now, self._random_word = now, random_word
        self.words: dict[str, Word] = {}
        self.knocks: dict[int, Knock] = {}
        self.locked = False
        # Kicked keys that could not be written to seats.toml.
        self.kicked: set[str] = set()
        self._last_knock = 0

    # Login

    def of_key(self, name: str, key: str) -> Seat | None:
        """Return the seat of that name if this key opens it; a kicked key opens none."""
        seat = self.seats.by_name.get(named_seat(name))
        return seat if seat is not None and key in seat.keys and not self.is_kicked(key) else None

    def is_kicked(self, key: str) -> bool:
        """Return whether a key is kept out until the game master lets it in again."""
        return key in self.kicked or self.seats.kicked_from(key) is not None

    def of_word(self, name: str, typed: str, first_key: str) -> Admission:
        """What a typed word comes to; an empty one is a knock."""
        if not typed.strip():
            if self.locked:
                return Admission("locked")
            return Admission("knock" if len(self.knocks) < KNOCKS else "full")
        seat = named_seat(name)
        word = self.words.get(seat)
        # A player may type a spoken word without its hyphen.
        typed = "".join(filter(str.isalnum, typed.casefold()[:200]))
        expected = (word.word if word else self._random_word()).replace("-", "")
        matches = hmac.compare_digest(typed.encode(), expected.encode())
        if word is None or self.locked or seat not in self.seats.by_name:
            return Admission("no")
        if not matches:
            word.tries += 1
            if word.tries >= _TRIES:
                del self.words[seat]
            return Admission("no")
        if not first_key or not self.may_bind(first_key, seat):
            # Without a key of its own the word is all that this player has.
            return Admission("seat", seat)
        del self.words[seat]
        return Admission("seat", seat, first_key)

    def may_bind(self, key: str, seat: str) -> bool:
        """Return whether a key may be added to a seat: it belongs to no other one."""
        owner = self.seats.of_key(key)
        return owner is None or owner.name == seat

    # What the game master does

    def hand_out(self, seat: str) -> Word | None:
        """A new word for a seat, in place of an earlier one; None if there is no such seat."""
        if seat not in self.seats.by_name:
            return None
        word = self.words[seat] = Word(seat, self._random_word())
        return word

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


def make_word(choose: Callable[[str], str]) -> str:
    """Return a word that is easy to say and to type: four syllables, 75 each, so 31 million words."""
    syllables = [choose(_CONSONANTS) + choose(_VOWELS) for _ in range(4)]
    return f"{syllables[0]}{syllables[1]}-{syllables[2]}{syllables[3]}"
