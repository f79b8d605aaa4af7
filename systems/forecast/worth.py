"""What an action is worth: the harm that it is expected to do, and the chance to take its target out."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

from systems.contract.fight import Read
from systems.contract.policy import Move
from systems.encounter.model import Encounter
from systems.errors import InputError
from systems.forecast.branches import Branch, branches_of
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
    action = encounter.game.action(move.action)
    if action is None:
        return None, ()
    try:
        options: Any = read(action.options, dict(move.options))
        branches = branches_of(encounter, action, who, target, options, MOST_BRANCHES)
    except (TooManyDice, InputError):
        return None, ()
    if not branches.found:
        return None, branches.reads
    worth = worth_of(encounter, branches.found, target) if target else Worth(Fraction(0), Fraction(0))
    return worth, branches.reads


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
