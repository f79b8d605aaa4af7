"""Who may sit where: known keys, words that the game master hands out, and knocks.

Plain state without a network: the SSH server asks, the game master's program answers.
"""

import hmac
from collections.abc import Callable
from typing import Literal

import attrs

from systems.text import clean
from tui.campaign.seats import NAME, Seat, Seats, fingerprint
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
    """Somebody who waits to be let in. `name`: what was typed before the @; `key`: the first key offered."""

    id: int
    name: str
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
    """What becomes of a login. `verdict` "seat": sits down at `seat`; `bind`: a key to add to that seat."""

    verdict: Verdict
    seat: str = ""
    bind: str = ""


class Joining:
    """The state of who may join. `random_word` makes words; `now` is a clock in seconds."""

    def __init__(self, seats: Seats, now: Callable[[], float], random_word: Callable[[], str]) -> None:
        self.seats = seats
        self._now, self._random_word = now, random_word
        self.words: dict[str, Word] = {}
        self.knocks: dict[int, Knock] = {}
        self.locked = False
        self.barred: set[str] = set()
        self._last_knock = 0

    # Login

    def of_key(self, name: str, key: str) -> Seat | None:
        """The seat of that name, if this key is known at it; a known key elsewhere is an unknown one."""
        seat = self.seats.by_name.get(seat_name(name))
        if seat is None or seat.name in self.barred or key not in seat.keys:
            return None
        return seat

    def of_word(self, name: str, typed: str, first_key: str) -> Admission:
        """What a typed word comes to; an empty one is a knock."""
        if not typed.strip():
            if self.locked:
                return Admission("locked")
            return Admission("knock" if len(self.knocks) < KNOCKS else "full")
        seat = seat_name(name)
        word = self.words.get(seat)
        # A word that was said aloud may be typed without its hyphen.
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
        self.barred.discard(seat)
        if not first_key or self.seats.of_key(first_key):
            # Without a key of its own the word is all that this player has.
            return Admission("seat", seat)
        del self.words[seat]
        return Admission("seat", seat, first_key)

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
        """Somebody waits to be let in; None if too many do."""
        if self.locked or len(self.knocks) >= KNOCKS:
            return None
        self._last_knock += 1
        shown = clean(name, 32) or "?"
        knock = Knock(self._last_knock, shown, clean(address, 60), key, self._now(), let_in, turn_away)
        self.knocks[knock.id] = knock
        return knock

    def leave(self, knock: Knock) -> None:
        """Somebody who waited has left."""
        self.knocks.pop(knock.id, None)

    def overdue(self) -> list[Knock]:
        """Who has waited for too long."""
        return [knock for knock in self.knocks.values() if self._now() - knock.since > KNOCK]

    def kick(self, seat: str) -> None:
        """Bar a seat until a word or a knock opens it again."""
        self.barred.add(seat)


def seat_name(typed: str) -> str:
    """The seat that the name before the @ means; "" for what no seat can be called."""
    name = typed.casefold()
    return name if NAME.fullmatch(name) else ""


def make_word(choose: Callable[[str], str]) -> str:
    """A word that can be said aloud and typed: four syllables, 75 each, so 31 million words."""
    syllables = [choose(_CONSONANTS) + choose(_VOWELS) for _ in range(4)]
    return f"{syllables[0]}{syllables[1]}-{syllables[2]}{syllables[3]}"
