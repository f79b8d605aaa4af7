"""The dice of an undone command, to be used again when the same command is repeated."""

from collections.abc import Sequence
from itertools import islice

from systems.dice.sources import DieRequest, Given, Roll, TotalRoll, dice_words, given_of
from systems.encounter.events import Event
from systems.encounter.history import History
from systems.language.intents import Act, Command
from tui.session.attempt import Attempt

# The most undone commands to search.
LOOKED_AT = 20


class UndoneDice:
    """The dice of the undone command that an attempt repeats, without those used again so far.

    `takes_again`: whether to use them again without a question for each.
    """

    def __init__(self, attempt: Attempt) -> None:
        self._attempt = attempt
        self._rolls = _rolls_of(attempt.session.log, attempt.command)
        self.takes_again = False

    def faces(self, needs: DieRequest) -> list[Given]:
        """Return the face this die had, and the faces of the real dice after it; [] for none."""
        at, is_real = self._place(needs), self._attempt.session.is_real
        return [] if at is None else [given_of(roll) for roll in self._rolls[at:] if is_real(roll.of)]

    def take(self, needs: DieRequest) -> Given:
        """Return the face this die had, the first of `faces`, and forget it."""
        at = self._place(needs) or 0
        taken, self._rolls = given_of(self._rolls[at]), self._rolls[at + 1 :]
        return taken

    def _place(self, needs: DieRequest) -> int | None:
        whole = "" if needs.in_sum else dice_words(needs.sum_of)
        for at, roll in enumerate(self._rolls):
            is_same = roll.sides == needs.sides if isinstance(roll, Roll) else roll.dice == whole
            if is_same and (roll.why, roll.of) == (needs.why, needs.of):
                return at
        return None


def _rolls_of(log: History, command: Command) -> Sequence[Roll | TotalRoll]:
    """Return the dice of the newest undone event of the same command; for an action, by the same actor."""
    undone = log.gone.down() if log.gone is not None else ()
    for number in islice(undone, LOOKED_AT):
        event = log.event(number)
        if _is_same(event, command):
            return event.rolls
    return ()


def totals_before(log: History) -> str:
    """Return the initiative totals of a start of the fight that was just undone: `aryk 14 aryn 9`."""
    number = next(iter(log.gone.down()), None) if log.gone is not None else None
    event = log.event(number) if number else Event()
    typed = event.typed.split()
    called = typed[2::2]
    is_called = event.command == "start" and called and all(map(_is_number, called))
    return " ".join(typed[1:]) if is_called else ""


def _is_number(word: str) -> bool:
    return word.lstrip("+-").isdecimal()


def _is_same(event: Event, command: Command) -> bool:
    if event.command != command.name:
        return False
    if not isinstance(command.intent, Act):
        return True
    by = command.intent.by
    return event.action == command.intent.action and by in ("", event.actor or ",".join(event.actors))
