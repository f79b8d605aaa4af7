"""What an action is worth: the harm that it is expected to do, and the chance to take its target out."""

from bisect import bisect_left
from collections.abc import Callable, Hashable, Mapping
from fractions import Fraction
from functools import cached_property
from itertools import accumulate

from systems.commands.scenes import condition_lines
from systems.contract.fight import Read
from systems.contract.policy import Move
from systems.encounter.model import Encounter
from systems.errors import InputError
from systems.forecast.branches import Branch, Branches, branches_of, changed_values
from systems.forecast.moves import options_of
from systems.frozen import evolve, field, frozen
from systems.odds import TooManyDice
from systems.schema.conversion import hashable

MOST_BRANCHES = 20_000


# The results of an action with their weights, each as the changed fields of the actor's sheet.
ActorResults = tuple[tuple[int, Mapping[str, object]], ...]


@frozen
class Worth:
    """The worth of an action against one combatant.

    `falls`: the chance that it can no longer act afterwards. `share`: the expected part of its main meter
    that it loses, from 0 to 1; negative if it gains. `harms`: the chance that it loses anything, or falls.
    `left`: what the action leaves of the actor, if known.
    """

    falls: Fraction
    share: Fraction
    harms: Fraction = field(default=Fraction(0), eq=False)
    left: ActorResults | None = field(default=None, eq=False)

    @cached_property
    def whole(self) -> Fraction:
        """Return both together."""
        return self.falls + self.share


class AnyPoints:
    """The worth of an action against a target for all numbers of points that it may have left.

    `losses`: for each loss of points, and whether it is out of action anyway, the weight out of `whole`.
    `left`: what the action leaves of the actor, if known.
    """

    __slots__ = (
        "_fallen",
        "_harms",
        "_known",
        "_losses",
        "_lost",
        "_scale",
        "_weights",
        "_whole",
        "field",
        "left",
    )

    def __init__(self, field: str, full: int, losses: Mapping[tuple[int, bool], int], whole: int) -> None:
        self.field, self._whole, self._scale = field, whole, whole * max(1, full)
        self.left: ActorResults | None = None
        found = sorted((loss, weight, falls) for (loss, falls), weight in losses.items())
        self._losses = [loss for loss, _, _ in found]
        # Sums over the losses before each place: of their weights, of the points lost, and of the falls.
        self._weights = [*accumulate((weight for _, weight, _ in found), initial=0)]
        self._lost = [*accumulate((weight * loss for loss, weight, _ in found), initial=0)]
        self._fallen = [*accumulate((weight * falls for _, weight, falls in found), initial=0)]
        self._harms = sum(weight for loss, weight, falls in found if loss or falls)
        self._known: dict[int, Worth] = {}

    def at(self, points: int) -> Worth:
        """Return the worth against a target with these points left."""
        if points not in self._known:
            place = bisect_left(self._losses, points)
            taken = self._weights[-1] - self._weights[place]
            self._known[points] = Worth(
                Fraction(self._fallen[place] + taken, self._whole),
                Fraction(self._lost[place] + taken * points, self._scale),
                Fraction(self._harms, self._whole),
                self.left,
            )
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
    worth = worth_of(encounter, branches, target) if target else Worth(Fraction(0), Fraction(0))
    return evolve(worth, left=_left(encounter, branches, who)), branches.reads


def any_points_and_reads(
    encounter: Encounter, who: str, move: Move, target: str, field: str
) -> tuple[AnyPoints | None, tuple[Read, ...]]:
    """Return the worth of a move for all points of the target, and what the action read about the fight.

    `field`: the field with its points, more here than any harm. None if each number of points needs a
    calculation of its own, such as for healing, and if the rules refuse the move.
    """
    branches = _branches(encounter, who, move, target, field)
    found = any_points(encounter, branches, target, field)
    if found is not None and not any(_asks_for_fall(encounter, each) for each in (who, target)):
        found.left = _left(encounter, branches, who)
    return found, branches.reads


def _asks_for_fall(encounter: Encounter, who: str) -> bool:
    """Return whether a combatant has an effect that happens when the points of a target are gone."""
    rules, combatant = encounter.game.effects, encounter.combatants[who]
    if rules is None:
        return False
    lines = (*rules.lines(combatant.sheet), *condition_lines(encounter, combatant))
    return any(line.when == "zero" for line in lines)


def _left(encounter: Encounter, branches: Branches, who: str) -> ActorResults | None:
    """Return what an action leaves of its actor; None if it changes more than the actor's sheet."""
    own = encounter.combatants[who]
    weights: dict[Hashable, int] = {}
    changes: dict[Hashable, Mapping[str, object]] = {}
    # By the identity of values that are slow to compare. The branches hold them.
    keys: dict[Hashable, Hashable] = {}
    for weight, after in (
        *branches.found,
        *((sum(each.ways.values()), each.first) for each in branches.summed),
    ):
        then = after.combatants.get(who)
        if then is None or then.state != own.state or then.conditions != own.conditions:
            return None
        changed = changed_values(then, own)
        ids = (*changed, *map(id, changed.values()))
        if ids not in keys:
            keys[ids] = hashable(changed)
        key = keys[ids]
        weights[key] = weights.get(key, 0) + weight
        changes.setdefault(key, changed)
    return tuple((weights[key], changed) for key, changed in changes.items())


def any_points(encounter: Encounter, branches: Branches, target: str, field: str) -> AnyPoints | None:
    """Return the worth of an action with these branches for all points of the target, as above."""
    before, is_helpless = getattr(encounter.combatants[target].sheet, field), _is_helpless(encounter, target)
    losses: dict[tuple[int, bool], int] = {}
    together = [(each.first, each.ways) for each in branches.summed]
    for weight, after in branches.found:
        together.append((after, {getattr(after.combatants[target].sheet, field): weight}))
    for after, ways in together:
        has_fallen = not is_helpless and not acts(after, target)
        for left, weight in ways.items():
            key = before - left, has_fallen
            losses[key] = losses.get(key, 0) + weight
    if not losses or not all(0 <= 2 * loss < before for loss, _ in losses):
        return None
    return AnyPoints(field, full_points(encounter, target), losses, branches.whole)


def _branches(encounter: Encounter, who: str, move: Move, target: str | None, summed: str = "") -> Branches:
    """Return the branches of a move; none if the rules refuse it or it has too many dice.

    `summed`: a field of the target; branches that differ only in it stay together.
    """
    action = encounter.game.action(move.action)
    if action is None:
        return Branches()
    try:
        return branches_of(encounter, action, who, target, options_of(action, move), MOST_BRANCHES, summed)
    except (TooManyDice, InputError):
        return Branches()


def worth_of(encounter: Encounter, branches: Branches, who: str) -> Worth:
    """Return the worth of an action with these branches against a combatant that can act."""
    return worth_and_rest(encounter, branches, who)[0]


def worth_and_rest(encounter: Encounter, branches: Branches, who: str) -> tuple[Worth, tuple[Branch, ...]]:
    """Return the worth of an action, and the branches in which the combatant can still act.

    A combatant that could not act before is out of action when it has no points left.
    """
    before, full = points(encounter, who), full_points(encounter, who)
    is_helpless = _is_helpless(encounter, who)
    falls = loss = harms = 0
    rest: list[Branch] = []
    for branch in branches.found:
        weight, after = branch
        stays, lost = (
            _has_points(after, who) if is_helpless else acts(after, who),
            before - points(after, who),
        )
        if stays:
            rest.append(branch)
        else:
            falls += weight
        loss += weight * lost
        harms += 0 if stays and lost <= 0 else weight
    whole = branches.whole
    share = Fraction(loss, whole * max(1, full))
    return Worth(Fraction(falls, whole), share, Fraction(harms, whole)), tuple(rest)


def acts(encounter: Encounter, who: str) -> bool:
    """Return whether a combatant can act."""
    return encounter.status(encounter.combatants[who]).acts


def stands(encounter: Encounter, who: str) -> bool:
    """Return whether a combatant is a target: it can act, or it is only held or stunned."""
    return acts(encounter, who) or _is_helpless(encounter, who)


def _is_helpless(encounter: Encounter, who: str) -> bool:
    """Return whether a combatant has points left but cannot act."""
    status = encounter.status(encounter.combatants[who])
    return status.in_order and not status.acts and _has_points(encounter, who)


def _has_points(encounter: Encounter, who: str) -> bool:
    """Return whether no meter of harm is empty: no brains help a combatant without hearts."""
    game, sheet = encounter.game, encounter.combatants[who].sheet
    meters = (meter.of(sheet) for meter in game.meters if meter.now in game.harm_fields)
    return points(encounter, who) > 0 and all(left is None or left[0] > 0 for left in meters)


def points(encounter: Encounter, who: str) -> int:
    """Return what is left of the fields whose loss is harm; nothing below 0 counts."""
    sheet = encounter.combatants[who].sheet
    return sum(max(0, int(getattr(sheet, field))) for field in encounter.game.harm_fields)


def full_points(encounter: Encounter, who: str) -> int:
    """Return the fields whose loss is harm when they are full, as far as a meter says so."""
    sheet, game = encounter.combatants[who].sheet, encounter.game
    full = {meter.now: meter.full for meter in game.meters}
    return sum(max(0, int(getattr(sheet, full.get(field, field)))) for field in game.harm_fields)
