"""The real dice of one command: dice that players type at their seats, and dice rolled at the same time.

Dice that several combatants roll at the same time, such as initiative, are asked of all their seats at once.
The rules still take them in their own order, so the others are kept until it is their turn.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from systems.dice.sources import DieRequest, Given
from systems.frozen import frozen
from systems.text import clean, listed
from tui.lists.dice_asked import TypedDie, WrongCall, given_for
from tui.session.attempt import Attempt
from tui.session.die_meaning import meaning_of


class OpenQuestion(Protocol):
    """A question for a die that a seat has."""

    def withdraw(self) -> None:
        """Withdraw the question."""


class SeatDiceAsks(Protocol):
    """Asks seats for dice (`seat_asks.py`)."""

    def owner_of(self, attempt: Attempt, needs: DieRequest) -> str:
        """Return the character whose seats roll a die, or "" if no seat may be asked."""

    def ask_die(
        self,
        attempt: Attempt,
        needs: DieRequest,
        answered: "Callable[[SeatAnswer], None]",
        refused: tuple[str, str],
    ) -> OpenQuestion:
        """Ask the seats of a die's owner. `refused`: dice that were typed before, and why they are wrong."""

    def read(self, attempt: Attempt, needs: DieRequest, typed: TypedDie) -> Given:
        """Return the die that a seat has typed. Raises WrongCall."""

    def tell_missing(self, names: Sequence[str]) -> None:
        """Tell every seat which players have not rolled yet."""

    def tell_unused(self, seat: str, dice: str) -> None:
        """Tell a seat which of the dice it has typed were not needed."""


@frozen
class SeatAnswer:
    """The dice of one answer: the first one, those typed after it, and the seat with its characters."""

    given: Given
    rest: Sequence[TypedDie]
    seat: str
    characters: frozenset[str]


@dataclass(eq=False, slots=True)
class DiceTypedAhead:
    """Dice that a seat has typed for the next dice of its characters."""

    seat: str
    characters: frozenset[str]
    dice: list[TypedDie]


@dataclass(eq=False, slots=True)
class _Current:
    """The die that the rules need next."""

    attempt: Attempt
    needs: DieRequest
    answered: Callable[[Given], None]
    changed: Callable[[], None]


class CommandDice:
    """The real dice of one command. `asks` returns what asks seats, or None if none listens."""

    def __init__(self, asks: Callable[[], SeatDiceAsks | None] = lambda: None) -> None:
        self._asks = asks
        self._now: _Current | None = None
        # Dice rolled before their turn, by id, each with its request.
        self._rolled: dict[str, list[tuple[DieRequest, Given]]] = {}
        self._typed: list[DiceTypedAhead] = []
        # The open questions to seats, by the id of the combatant.
        self._open: dict[str, OpenQuestion] = {}
        # The dice of a seat that could not be used, and why, by the id of the combatant.
        self._refused: dict[str, tuple[str, str]] = {}
        # The names that were sent to the seats last.
        self._told: list[str] = []

    def known(self, attempt: Attempt, needs: DieRequest) -> Given | None:
        """Return a die that was typed or rolled before its turn, or None."""
        if attempt.has_begun_again:
            self._forget()
        while rolled := self._rolled.get(needs.of):
            request, given = rolled.pop(0)
            if (request.sides, request.why) == (needs.sides, needs.why):
                return given
        return self._typed_for(attempt, needs)

    def _typed_for(self, attempt: Attempt, needs: DieRequest) -> Given | None:
        """Return the next die that the seat of its owner has typed in advance, or None."""
        asks = self._asks()
        if asks is None or not self._typed:
            return None
        owner = asks.owner_of(attempt, needs)
        for ahead in self._typed:
            if not ahead.dice or owner not in ahead.characters:
                continue
            try:
                given = asks.read(attempt, needs, ahead.dice[0])
            except WrongCall as error:
                self._refused[needs.of] = " ".join(map(str, ahead.dice)), str(error)
                ahead.dice.clear()
                return None
            del ahead.dice[0]
            return given
        return None

    def ask(
        self,
        attempt: Attempt,
        needs: DieRequest,
        answered: Callable[[Given], None],
        changed: Callable[[], None],
    ) -> bool:
        """Ask the seats for the next die, and for those rolled at the same time.

        `answered` gets the next die. `changed` is called when another die is rolled. Return whether a seat
        has the next die.
        """
        self._now = _Current(attempt, needs, answered, changed)
        self._ask_seats()
        return needs.of in self._open

    @property
    def missing(self) -> list[DieRequest]:
        """Return the next real die of each other combatant that rolls at the same time."""
        if self._now is None or self._now.needs.at_once is None:
            return []
        given = {who: [die for _, die in rolled] for who, rolled in self._rolled.items()}
        needed = self._now.needs.at_once(given)
        return [request for request in needed if self._now.attempt.session.is_real(request.of)]

    def _ask_seats(self) -> None:
        """Ask for every missing die, and withdraw the questions for others."""
        asks = self._asks()
        if self._now is None or asks is None:
            return
        attempt, needs = self._now.attempt, self._now.needs
        while any(self._takes_typed(request) for request in self.missing):
            pass
        wanted = {request.of: request for request in (needs, *self.missing)}
        for who in [who for who in self._open if who not in wanted]:
            self._open.pop(who).withdraw()
        for who, request in wanted.items():
            if who not in self._open and asks.owner_of(attempt, request):
                refused = self._refused.pop(who, ("", ""))
                take = self._taker(request)
                self._open[who] = asks.ask_die(attempt, request, take, refused)
        self._tell_missing(self.names_missing if needs.at_once is not None else ())

    def _tell_missing(self, names: Sequence[str]) -> None:
        asks = self._asks()
        if asks is not None and list(names) != self._told:
            self._told = list(names)
            asks.tell_missing(names)

    def _takes_typed(self, request: DieRequest) -> bool:
        """Use the next die that a seat has typed in advance for this request. Return whether there is one."""
        assert self._now is not None
        given = self._typed_for(self._now.attempt, request)
        if given is not None:
            self._rolled.setdefault(request.of, []).append((request, given))
        return given is not None

    def _taker(self, request: DieRequest) -> Callable[[SeatAnswer], None]:
        return lambda answer: self._answered(request, answer)

    def _answered(self, request: DieRequest, answer: SeatAnswer) -> None:
        """Take the answer of a seat."""
        self._open.pop(request.of, None)
        if self._now is None:
            return
        if answer.rest:
            self._typed.append(DiceTypedAhead(answer.seat, answer.characters, list(answer.rest)))
        if request.of == self._now.needs.of:
            self._now.answered(answer.given)
        else:
            self._keep(request, answer.given)

    def _keep(self, request: DieRequest, given: Given) -> None:
        """Keep a die until its turn."""
        assert self._now is not None
        self._rolled.setdefault(request.of, []).append((request, given))
        self._ask_seats()
        self._now.changed()

    def take(self, request: DieRequest, typed: Sequence[TypedDie]) -> None:
        """Take dice that the table has typed for another combatant than the next one. Raises WrongCall."""
        if self._now is None:
            return
        attempt, who = self._now.attempt, request.of
        dice = list(typed)
        while dice:
            needed = next((other for other in self.missing if other.of == who), None)
            if needed is None:
                raise WrongCall(f"only one die is needed: {dice[0]} is too much")
            given = given_for(needed, dice.pop(0), lambda: meaning_of(attempt, request).added.bonus)
            if (ask := self._open.pop(who, None)) is not None:
                ask.withdraw()
            self._keep(needed, given)

    @property
    def names_missing(self) -> list[str]:
        """Return the names of the players' characters that have not rolled yet.

        The others are the game master's: they are one entry at the end.
        """
        if self._now is None:
            return []
        encounter = self._now.attempt.session.encounter
        asked = [encounter.combatants[who] for who in self._open if who in encounter.combatants]
        names = [clean(each.name, 40) for each in asked if encounter.is_player(each)]
        others = [] if all(map(encounter.is_player, asked)) else ["the game master"]
        return list(dict.fromkeys([*names, *others]))

    @property
    def waiting_words(self) -> str:
        """Return `waiting for Mira and Tobin`, or "" unless several roll at the same time."""
        is_shared = self._now is not None and self._now.needs.at_once is not None
        return f"waiting for {listed(self.names_missing)}" if is_shared and self._open else ""

    def settled(self, needs: DieRequest) -> None:
        """Withdraw the question for a die that was answered at the table or is not needed any more."""
        if (ask := self._open.pop(needs.of, None)) is not None:
            ask.withdraw()

    def unused_of(self, seat: str) -> str:
        """Return the dice that a seat has typed without need, and forget them."""
        dice = [str(die) for ahead in self._typed if ahead.seat == seat for die in ahead.dice]
        self._typed = [ahead for ahead in self._typed if ahead.seat != seat]
        return ", ".join(dice)

    def close(self) -> None:
        """Withdraw all questions when the command is over."""
        if self._now is None:
            return  # it needed no real die
        for seat in dict.fromkeys(ahead.seat for ahead in self._typed):
            asks, dice = self._asks(), self.unused_of(seat)
            if asks is not None and dice:
                asks.tell_unused(seat, dice)
        self._forget()
        self._tell_missing(())
        self._now = None

    def _forget(self) -> None:
        for ask in self._open.values():
            ask.withdraw()
        for kept in (self._open, self._rolled, self._refused):
            kept.clear()
        self._typed.clear()
