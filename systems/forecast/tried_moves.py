"""The moves of foes against one combatant: how much harm each does, and what it leaves of both.

Each move is worked out once for all states in which nothing differs that counts.
"""

from collections.abc import Callable, Hashable
from fractions import Fraction
from functools import cached_property
from typing import Any

from systems.contract.action import Action
from systems.contract.policy import Move
from systems.dice.sources import Dice
from systems.encounter.model import ActiveCondition, Combatant, Encounter
from systems.errors import InputError
from systems.forecast.branches import (
    Branches,
    branches_of,
    changed_values,
    felt,
    sampled_branches,
)
from systems.forecast.points import MANY_POINTS, drained_field
from systems.forecast.situations import Losses, State, StatePair
from systems.forecast.worth import AnyPoints, Worth, acts, any_points, worth_of
from systems.frozen import frozen
from systems.odds import TooManyDice
from systems.schema.conversion import hashable, read

PLAYS = 400  # random plays of an action that has too many dice for exact odds
# Pairs in which the combatant can still act, unless it has no points left: for each loss its weight.
_After = tuple[tuple[StatePair, Losses], ...]


@frozen(eq=False)
class Tried:
    """What follows from a move of a foe. Most moves are only compared: `find` yields the states if needed.

    `whole`: the total of the weights, also of those in which the combatant is out of action.
    """

    foe: str
    whole: int
    worth: Worth | AnyPoints
    find: Callable[[], _After]

    @cached_property
    def after(self) -> _After:
        """Return the pairs in which the combatant can still act if its points are enough, by their losses."""
        return self.find()

    def harm(self, points: int) -> tuple[Fraction, Fraction]:
        """Return the chance to be out of action and the expected share lost, for a number of points left."""
        worth = self.worth.at(points) if isinstance(self.worth, AnyPoints) else self.worth
        return worth.falls, worth.share


class ReadsOthers(Exception):
    """More counts than the combatant and its foe."""


class TriedMoves:
    """What follows from the moves of foes against one combatant.

    States are equal if the changed fields of the sheets and the conditions that count are equal. If the
    number of points that the combatant has left changes nothing but how soon it falls, all its states have
    many points, and the number left is given with each move. `minds_all`: every condition counts, and no two
    foes are equal. Effects as data may ask for any condition, so in a game with effects every condition
    counts at once. Raises ReadsOthers if more counts than that. `is_exact`: no move had too many dice.
    """

    def __init__(self, encounter: Encounter, who: str, dice: Dice, most: int, *, minds_all: bool) -> None:
        self._first, self._who, self._dice = encounter, who, dice
        self._left, self.is_exact, self._minds_all = most, True, minds_all
        self._minds_conditions = minds_all or encounter.game.effects is not None
        self._drained = drained_field(encounter, who)
        self._known: dict[Hashable, Tried | None] = {}
        self._alike: dict[str, str] = {}
        # The number of each state: numbers are found faster than sheets and conditions.
        self._numbers: dict[Hashable, int] = {}

    def state(self, combatant: Combatant) -> State:
        """Return the state of a combatant."""
        if self._drained and combatant.id == self._who:
            combatant = combatant.with_sheet({self._drained: MANY_POINTS})
        conditions = combatant.conditions if self._minds_conditions else felt(self._first, combatant)
        changed = changed_values(combatant, self._first.combatants[combatant.id])
        words = {name: _in_any_order(value) for name, value in changed.items()}
        key = hashable(words), _in_any_order(conditions)
        return State(combatant, self._numbers.setdefault(key, len(self._numbers)))

    def points(self, encounter: Encounter) -> int:
        """Return the points that the combatant has left; 1 if its state says how many."""
        return getattr(encounter.combatants[self._who].sheet, self._drained) if self._drained else 1

    def tried(self, pair: StatePair, points: int, move: Move) -> Tried | None:
        """Return what follows from a move for these points; None if it is refused."""
        action = self._first.game.action(move.action)
        if action is None or move.aim == "fallen ally":
            return None
        for_any = self._tried(pair, None, action, move) if self._drained else None
        return for_any or self._tried(pair, points, action, move)

    def _tried(self, pair: StatePair, points: int | None, action: Action, move: Move) -> Tried | None:
        """Return what follows from a move. Equal foes do equal things.

        `points`: None for all numbers of points; then also None if each number needs a calculation.
        """
        own, foe = pair
        case = move.action, hashable(move.options), own.key, foe.key, points
        kind, who = self._kind(foe.combatant), foe.combatant.id
        if (kind, case) not in self._known:
            self._known[kind, case] = self._worked_out(pair, points, action, move)
        known = self._known[kind, case]
        if known is not None and known.foe != who:
            if (who, case) not in self._known:
                self._known[who, case] = _of_equal(known, foe)
            return self._known[who, case]
        return known

    def _worked_out(self, pair: StatePair, points: int | None, action: Action, move: Move) -> Tried | None:
        own, foe = (state.combatant for state in pair)
        if points is not None and self._drained:
            own = own.with_sheet({self._drained: points})
        here = self._first.with_combatants(own, foe)
        branches = self._branches(here, action, move, foe.id, self._drained if points is None else "")
        worth: Worth | AnyPoints | None
        if points is None:
            worth = any_points(here, branches, self._who, self._drained)
        else:
            worth = worth_of(here, branches, self._who) if branches.found else None
        if worth is None:
            return None
        return Tried(foe.id, branches.whole, worth, lambda: self._after(self.points(here), branches, foe.id))

    def _after(self, before: int, branches: Branches, foe: str) -> _After:
        """Return the pairs in which the combatant can still act, with the losses of its points."""
        found: dict[Hashable, tuple[StatePair, dict[int, int]]] = {}
        together = [(after, {self.points(after): weight}) for weight, after in branches.found]
        for after, ways in (*together, *((each.first, each.ways) for each in branches.summed)):
            if not acts(after, self._who):
                continue
            own, its = self.state(after.combatants[self._who]), self.state(after.combatants[foe])
            losses = found.setdefault((own.key, its.key), ((own, its), {}))[1]
            for left, weight in ways.items():
                losses[before - left] = losses.get(before - left, 0) + weight
        return tuple((pair, tuple(sorted(losses.items()))) for pair, losses in found.values())

    def _branches(self, here: Encounter, action: Action, move: Move, foe: str, summed: str) -> Branches:
        """Return the branches of a move: all of them, or random plays if there are too many.

        `summed`: a field of the combatant; branches that differ only in it stay together.
        """
        target = None if move.aim == "itself" or action.targets == "none" else self._who
        try:
            options: Any = read(action.options, dict(move.options))
            try:
                found = branches_of(here, action, foe, target, options, max(self._left, PLAYS), summed)
                self._left -= len(found.found) + sum(len(each.ways) for each in found.summed)
            except TooManyDice:
                self.is_exact = False
                found = sampled_branches(here, action, foe, target, options, self._dice, PLAYS)
        except InputError:
            return Branches()
        reads_more = found.reads_others or (found.reads_pair and not self._minds_conditions)
        if reads_more and not self._minds_all:
            raise ReadsOthers
        return found

    def _kind(self, foe: Combatant) -> str:
        """Return the id of the first foe that began equal to this one."""
        if self._minds_all:
            return foe.id
        if foe.id not in self._alike:
            own = self._first.combatants[foe.id]
            known = (self._first.combatants[each] for each in self._alike.values())
            alike = (
                each.id for each in known if (each.sheet, each.conditions) == (own.sheet, own.conditions)
            )
            self._alike[foe.id] = next(alike, foe.id)
        return self._alike[foe.id]


def _in_any_order(value: object) -> object:
    """Return a key of conditions, or of the words for them on a sheet, whichever came first."""
    if isinstance(value, tuple) and len(value) > 1 and isinstance(value[0], str | ActiveCondition):
        return len(value), frozenset(value)
    return value


def _of_equal(known: Tried, foe: State) -> Tried:
    """Return what follows from the same move of an equal foe."""
    return Tried(
        foe.combatant.id,
        known.whole,
        known.worth,
        lambda: tuple((_as(foe, pair), losses) for pair, losses in known.after),
    )


def _as(foe: State, then: StatePair) -> StatePair:
    """Return what a foe's equal has left, as the state of this foe."""
    own, its = then
    is_same = its.combatant.sheet is foe.combatant.sheet
    if is_same and its.combatant.conditions == foe.combatant.conditions:
        return own, foe
    combatant = foe.combatant
    changed = Combatant(combatant.id, combatant.state, its.combatant.sheet, its.combatant.conditions)
    return own, State(changed, its.key)
