"""Read what is typed for real dice: a face, or a total such as `=22` with the bonus shown in the question."""

from collections.abc import Callable

from systems.dice.scripted import WrongDie, check_total
from systems.dice.sources import DieRequest, Given, Total, dice_words
from systems.text import plain_number, signed
from tui.display.refusals import cannot_show
from tui.lists.dice_asked import Called, TypedDie


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
