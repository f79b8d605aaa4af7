"""What an action is worth: the harm that it is expected to do, and the chance to take its target out."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

from systems.contract.fight import Read
from systems.contract.policy import Move
from systems.encounter.model import Encounter
from systems.errors import InputError
from systems.forecast.branches import Branch, Branches, branches_of
from systems.frozen import frozen
from systems.odds import TooManyDice
from systems.schema.conversion import read

MOST_BRANCHES = 20_000


@frozen
class Worth:
    """The worth of an action against one combatant.

    `falls`: the chance that it can no longer act afterwards. `share`: the expected part of its main meter
    that it loses, from 0 to 1; negative if it gains.
    """

    falls: Fraction
    share: Fraction

    @cached_property
    def whole(self) -> Fraction:
        """Return both together."""
        return self.falls + self.share


class AnyPoints:
    """The worth of an action against a target for all numbers of points that it may have left.

    `losses`: for each loss of points, and whether it is out of action anyway, the chance.
    """

    __slots__ = ("_full", "_known", "_losses", "field")

    def __init__(self, field: str, full: int, losses: Mapping[tuple[int, bool], Fraction]) -> None:
        self.field, self._full, self._losses = field, max(1, full), losses
        self._known: dict[int, Worth] = {}

    def at(self, points: int) -> Worth:
        """Return the worth against a target with these points left."""
        if points not in self._known:
            falls = lost = Fraction(0)
            for (loss, has_fallen), chance in self._losses.items():
                lost += chance * min(loss, points)
                if has_fallen or loss >= points:
                    falls += chance
            self._known[points] = Worth(falls, lost / self._full)
        return self._known[points]


# Returns the worth of a move of a combatant against a target, or None if the rules refuse it.
FindWorth = Callable[[Encounter, str, Move, str | None], Worth | None]


def worth_of_move(encounter: Encounter, who: str, move: Move, target: str | None) -> Worth | None:
    """Return the worth of a move against one target, or None if the rules refuse it.

    Without a target it is 0. A move with too many dice for exact odds counts as refused.
    """
    return worth_and_reads(encounter, who, move, target)[0]


def worth_and_reads(
    encounter: Encounter, who: str, move: Move, target: str | None
) -> tuple[Worth | None, tuple[Read, ...]]:
    """Return the worth of a move as `worth_of_move` does, and what the action read about the fight."""
    branches = _branches(encounter, who, move, target)
    if not branches.found:
        return None, branches.reads
    worth = worth_of(encounter, branches.found, target) if target else Worth(Fraction(0), Fraction(0))
    return worth, branches.reads


def any_points_and_reads(
    encounter: Encounter, who: str, move: Move, target: str, field: str
) -> tuple[AnyPoints | None, tuple[Read, ...]]:
    """Return the worth of a move for all points of the target, and what the action read about the fight.

    `field`: the field with its points, more here than any harm. None if each number of points needs a
    calculation of its own, such as for healing, and if the rules refuse the move.
    """
    branches = _branches(encounter, who, move, target, field)
    before, is_helpless = getattr(encounter.combatants[target].sheet, field), _is_helpless(encounter, target)
    losses: dict[tuple[int, bool], Fraction] = {}
    together = [(each.first, each.chances) for each in branches.summed]
    for chance, after in branches.found:
        together.append((after, {getattr(after.combatants[target].sheet, field): chance}))
    for after, chances in together:
        has_fallen = not is_helpless and not acts(after, target)
        for left, chance in chances.items():
            key = before - left, has_fallen
            losses[key] = losses.get(key, Fraction(0)) + chance
    if not losses or not all(0 <= 2 * loss < before for loss, _ in losses):
        return None, branches.reads
    return AnyPoints(field, full_points(encounter, target), losses), branches.reads


def _branches(encounter: Encounter, who: str, move: Move, target: str | None, summed: str = "") -> Branches:
    """Return the branches of a move; none if the rules refuse it or it has too many dice.

    `summed`: a field of the target; branches that differ only in it stay together.
    """
    action = encounter.game.action(move.action)
    if action is None:
        return Branches()
    try:
        options: Any = read(action.options, dict(move.options))
        return branches_of(encounter, action, who, target, options, MOST_BRANCHES, summed)
    except (TooManyDice, InputError):
        return Branches()


def worth_of(encounter: Encounter, branches: Sequence[Branch], who: str) -> Worth:
    """Return the worth of an action with these branches against a combatant that can act."""
    return worth_and_rest(encounter, branches, who)[0]


def worth_and_rest(
    encounter: Encounter, branches: Sequence[Branch], who: str
) -> tuple[Worth, tuple[Branch, ...]]:
    """Return the worth of an action, and the branches in which the combatant can still act.

    A combatant that could not act before is out of action when it has no points left.
    """
    before, full = points(encounter, who), full_points(encounter, who)
    is_helpless = _is_helpless(encounter, who)
    falls = loss = Fraction(0)
    rest: list[Branch] = []
    for branch in branches:
        chance, after = branch
        if points(after, who) if is_helpless else acts(after, who):
            rest.append(branch)
        else:
            falls += chance
        if lost := before - points(after, who):
            loss += chance * lost
    return Worth(falls, loss / max(1, full)), tuple(rest)


def acts(encounter: Encounter, who: str) -> bool:
    """Return whether a combatant can act."""
    return encounter.status(encounter.combatants[who]).acts


def stands(encounter: Encounter, who: str) -> bool:
    """Return whether a combatant is a target: it can act, or it is only held or stunned."""
    return acts(encounter, who) or _is_helpless(encounter, who)


def _is_helpless(encounter: Encounter, who: str) -> bool:
    """Return whether a combatant has points left but cannot act."""
    status = encounter.status(encounter.combatants[who])
    return status.in_order and not status.acts and points(encounter, who) > 0


def points(encounter: Encounter, who: str) -> int:
    """Return what is left of the fields whose loss is harm; nothing below 0 counts."""
    sheet = encounter.combatants[who].sheet
    return sum(max(0, int(getattr(sheet, field))) for field in encounter.game.harm_fields)


def full_points(encounter: Encounter, who: str) -> int:
    """Return the fields whose loss is harm when they are full, as far as a meter says so."""
    sheet, game = encounter.combatants[who].sheet, encounter.game
    full = {meter.now: meter.full for meter in game.meters}
    return sum(max(0, int(getattr(sheet, full.get(field, field)))) for field in game.harm_fields)
