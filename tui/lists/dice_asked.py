"""Questions for a real die or a choice, as words and numbers; reads typed dice and called totals."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from systems.contract.or_number import OrNumber
from systems.dice.scripted import WrongDie, check_total
from systems.dice.sources import DieRequest, Given, Total, dice_words
from systems.frozen import frozen
from systems.text import listed, plain_number, shown, signed
from tui.display.refusals import cannot_show

if TYPE_CHECKING:
    from systems.contract.table import ChoiceRequest
    from systems.encounter.model import Encounter


GAME_MASTER = "the game master"
# More dice in one line are ignored.
MOST_DICE = 200
# A seat's answer to a question has at most this many characters.
LONGEST_ANSWER = 200


@frozen
class Called:
    """A total called by a player, including the bonus that the question shows. Typed `=22`."""

    value: int

    def __str__(self) -> str:
        return f"={self.value}"


TypedDie = int | Called  # a face, or a called total


def typed_die(word: str) -> TypedDie | None:
    """Return a typed face or a called total, `13` or `=22`; None for any other word.

    A number too large for any die counts as 0.
    """
    digits = word.removeprefix("=")
    if not (digits.isascii() and digits.isdecimal()):
        return None
    number = int(digits) if len(digits) < 9 else 0
    return number if word is digits else Called(number)


def read_dice(text: str, sides: int) -> list[TypedDie]:
    """Return the dice of one line: faces and called totals, `4 6 1`. Raises WrongCall for any other word.

    `sides`: those of the first die.
    """
    words = text.replace(",", " ").split()[:MOST_DICE]
    found: list[TypedDie] = []
    for word in words:
        die = typed_die(word)
        if die is None:
            raise WrongCall(f"{shown(word)} is not a face: type what the die shows, 1 to {sides}")
        found.append(die)
    if found and isinstance(found[0], int) and not 1 <= found[0] <= sides:
        raise WrongCall(cannot_show(sides, words[0]))
    return found


def rolled_words(given: "Given") -> str:
    """Return earlier dice in words: `4`, or `9 in all` for a total."""
    return f"{given}" if isinstance(given, int) else f"{given.value} in all"


@frozen
class FaceAsked:
    """A question for a real die: its owner, its sides, its purpose and its target.

    `place`: the number of the die among the command's dice; `count`: how many dice there are, 0 if unknown.
    `command`: the command that needs the die, with names where possible. `waits`: the question stays open
    until a person answers it, even if it is left for a while. `total_of`: dice whose total may be typed
    instead of single faces, such as `2d6`; "" if each face counts.
    """

    owner: str
    sides: int
    why: str = ""
    at: str = ""
    place: int = 1
    count: int = 0
    command: str = ""
    waits: bool = False
    total_of: str = ""

    @property
    def is_one_die(self) -> bool:
        """Return whether the answer is the face of a single die."""
        return self.total_of in ("", f"1d{self.sides}")

    @property
    def which(self) -> str:
        """Return `, die 3 of 9`; "" if there is only one die."""
        if not self.count:
            return f", die {self.place}" if self.place > 1 else ""
        return f", die {self.place} of {self.count}" if self.count > 1 else ""


@frozen
class ChoiceAsked:
    """A question for a decision: the combatant that decides, the question, and the choices in words.

    `suggested`: the index of the suggested choice, -1 for none. `waits`: the question stays open until a
    person answers it, even if it is left for a while. `most`: any other number up to it can be typed; 0 for
    none.
    """

    owner: str
    question: str
    choices: tuple[str, ...]
    suggested: int = 0
    command: str = ""
    waits: bool = False
    most: int = 0

    @property
    def numbers(self) -> dict[str, int]:
        """Return the index of each choice that is a number, by its digits.

        To choose it, you type the digits.
        """
        return {words: at for at, words in enumerate(self.choices) if words.isdecimal()}

    @property
    def numbers_in_words(self) -> str:
        """Return `5, 10 or 15`, or `any number from 0 to 199`."""
        return f"any number from 0 to {self.most}" if self.most else listed(self.numbers, "or")

    def other_number(self, typed: str) -> str | None:
        """Return the answer for a typed number that is not listed; None if it is too large or no number."""
        number = int(typed) if typed.isascii() and typed.isdecimal() and len(typed) < 9 else -1
        return str(number) if 0 <= number <= self.most and self.most else None


def owner_of(encounter: "Encounter | None", who: str) -> str:
    """Return the name of the combatant with that id, else "the game master"."""
    combatant = encounter.combatants.get(who) if encounter is not None else None
    return combatant.name if combatant else GAME_MASTER


def face_asked(
    encounter: "Encounter", needs: "DieRequest", command: str, place: tuple[int, int | None]
) -> FaceAsked:
    """Return the question for a die that a command needs.

    `place`: its number, and how many dice there are.
    """
    target = encounter.combatants.get(needs.target)
    return FaceAsked(
        needs.called or owner_of(encounter, needs.of),
        needs.sides,
        needs.purpose,
        target.name if target else "",
        place[0],
        place[1] or 0,
        command,
        total_of="" if needs.in_sum else dice_words(needs.sum_of),
    )


def choice_asked(encounter: "Encounter", needs: "ChoiceRequest", command: str) -> ChoiceAsked:
    """Return the question for a choice that a command needs."""
    choices = needs.choices
    return ChoiceAsked(
        owner_of(encounter, needs.of),
        needs.question,
        tuple(encounter.game.choice_words(choice) for choice in choices),
        next((at for at, choice in enumerate(choices) if choice == needs.suggest), 0),
        command,
        most=choices.most if isinstance(choices, OrNumber) else 0,
    )


class WrongCall(ValueError):
    """An impossible face or total. The message gives the reason in one sentence."""


def given_for(needs: DieRequest, typed: TypedDie, bonus_of: Callable[[], int | None]) -> Given:
    """Return the face or the total that was typed, without the bonus.

    `bonus_of`: returns the number that the question adds to the dice, None if unknown. It is called only for
    a total. Raises WrongCall if the face or total is impossible.
    """
    if not isinstance(typed, Called):
        if not 1 <= typed <= needs.sides:
            raise WrongCall(cannot_show(needs.sides, typed))
        return typed
    if not needs.sum_of:
        raise WrongCall(f"{typed} is a total, but each of these dice counts by itself: type each face")
    if needs.in_sum:
        raise WrongCall(f"{typed} is too late, one of these dice is known already: type the other faces")
    if (bonus := bonus_of()) is None:
        raise WrongCall(f"{typed} can't be used here, because the bonus is not known: type the faces")
    count = sum(number for number, _ in needs.sum_of)
    try:
        total = check_total(typed.value - bonus, needs.sum_of)
    except WrongDie:
        highest = bonus + sum(number * sides for number, sides in needs.sum_of)
        dice = f"d{needs.sides}" if count == 1 else dice_words(needs.sum_of)
        thrown = f"{dice} {signed(bonus)}" if bonus else dice
        possible = f"{plain_number(count + bonus)} to {plain_number(highest)}"
        raise WrongCall(f"{thrown} can't make {typed.value}, only {possible}") from None
    return total if count == 1 else Total(total)
