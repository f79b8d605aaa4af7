"""Preview an amount of damage or healing for each target, before it is rolled."""

from collections.abc import Mapping
from fractions import Fraction
from typing import TypeVar

from systems.commands.amounts import AmountCommand
from systems.commands.preview import Preview, preview
from systems.dice.expression import DiceError
from systems.dice.notation import amount, odds
from systems.encounter.model import Encounter
from systems.odds import TooManyDice

T = TypeVar("T")
# With more different totals than this, a list of targets would no longer appear at once.
MOST_TOTALS = 250


def preview_amount(encounter: Encounter, doing: AmountCommand, who: str) -> Preview:
    """Return the effect on one target: how much, whether it drops, side effects. Raises TooManyDice.

    Raises Wrong for impossible options.
    """
    parts = [
        (preview(encounter, doing.action, who, None, doing.options(encounter, number)), chance)
        for number, chance in _spread(doing, who).items()
    ]
    refused = next((part.refused for part, _ in parts if part.refused), "")
    if refused or doing.part(who) == "none":
        return Preview(refused=refused)
    effects: dict[str, Fraction] = {}
    amounts: dict[int, Fraction] = {}
    drops = Fraction(0)
    for part, chance in parts:
        drops += chance * (part.drops or 0)
        _add(amounts, part.amounts, chance)
        _add(effects, dict(part.effects), chance)
    likeliest = sorted(effects.items(), key=lambda effect: -effect[1])
    return Preview(drops=drops, amounts=dict(sorted(amounts.items())), effects=tuple(likeliest))


def _add(into: dict[T, Fraction], some: Mapping[T, Fraction], chance: Fraction) -> None:
    for value, part in some.items():
        into[value] = into.get(value, Fraction(0)) + chance * part


def _spread(doing: AmountCommand, who: str) -> dict[int, Fraction]:
    """Return the possible amounts for one target, with probabilities. Raises TooManyDice."""
    fixed = amount(doing.amount)
    if doing.part(who) == "none":
        return {}
    try:
        spread = {fixed: Fraction(1)} if isinstance(fixed, int) else odds(doing.amount)[0]
    except DiceError as error:
        raise TooManyDice from error
    if len(spread) > MOST_TOTALS:
        raise TooManyDice
    found: dict[int, Fraction] = {}
    for value, chance in spread.items():
        number = doing.share(who, max(0, value))
        found[number] = found.get(number, Fraction(0)) + chance
    return found
