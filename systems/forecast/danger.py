"""Danger: how likely a combatant is out of action before its next turn, if all foes go for it.

Every foe that acts before then uses on this combatant alone its action most likely to take it out, as often
in its turn as the game's policy allows. Conditions that tick, hooks, healing, movement and the reactions of
others are left out, and so are foes that flee now by habit; questions get their suggested answers. Hidden
foes and late arrivals count. What a game offers a foe at the end of another's turn, such as a legendary
action, is used on this combatant as well, once at the end of each turn until then, as long as the foe can pay
for it.
"""

from bisect import bisect_left
from collections.abc import Callable, Container, Hashable, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from typing import Any, TypeVar

from systems.commands.scenes import outcome_of, scene_of
from systems.contract.action import Action
from systems.contract.policy import Move
from systems.contract.table import Suggested
from systems.dice.sources import Dice
from systems.encounter.model import Combatant, Encounter
from systems.errors import InputError
from systems.forecast.branches import (
    Branch,
    Branches,
    branches_of,
    changed_fields,
    felt,
    hashable,
    sampled_branches,
)
from systems.forecast.found import Danger, Threat
from systems.forecast.habits import flees
from systems.forecast.moves import actions_in_turn, policy_of, spared_by, without_policy
from systems.forecast.points import MANY_POINTS, drained_field
from systems.forecast.turn_ends import TurnEndMove, acts_after_turns, is_ready_after_turns, moves_after_turn
from systems.forecast.turns import foes_before_turn, turns_before
from systems.forecast.worth import acts, full_points, worth_and_rest
from systems.frozen import frozen
from systems.odds import TooManyDice, spread_of
from systems.schema.conversion import read

# With more branches for one combatant, its danger is sampled.
MOST_BRANCHES = 200_000
PLAYS = 400  # random plays of an action that has too many dice for exact odds


def danger_of(
    encounter: Encounter, who: str, dice: Dice, acted: Container[str] = (), most: int = MOST_BRANCHES
) -> Danger | None:
    """Return the danger of a combatant, or None if it is out of action already.

    `dice`: random dice for what has more than `most` branches. `acted`: the combatants that have acted in the
    current turn, for games that do not count actions.
    """
    if not acts(encounter, who):
        return None
    try:
        return _danger(encounter, who, dice, acted, most)
    except Exception:
        if encounter.game.policy is None:
            raise
    # A policy that fails is replaced by the default one.
    return _danger(without_policy(encounter), who, dice, acted, most)


def _danger(encounter: Encounter, who: str, dice: Dice, acted: Container[str], most: int) -> Danger:
    try:
        return _Onslaught(encounter, who, dice, most, minds_all=False).danger(acted)
    except _ReadsOthers:
        # Then a condition may count that changes nothing by itself, and so may who exactly attacks.
        return _Onslaught(encounter, who, dice, most, minds_all=True).danger(acted)


@frozen(eq=False)
class _State:
    """A combatant at one moment; equal keys mean that nothing that counts differs."""

    combatant: Combatant
    key: Hashable


# The states of a combatant and of one of its foes.
_Pair = tuple[_State, _State]
_After = tuple[tuple[Fraction, _Pair], ...]
# The state of a combatant, then those of the foes that act after the turns of others.
_Together = tuple[_State, ...]
# Such states by their keys, each with its chance.
_Standing = dict[Hashable, tuple[Fraction, _Together]]


@frozen(eq=False)
class _Tried:
    """What follows from a move of a foe. Most moves are only compared: `find` yields the states if needed."""

    worth: tuple[Fraction, Fraction]
    foe: str
    find: Callable[[], _After]

    @cached_property
    def after(self) -> _After:
        """Return the pairs in which the combatant can still act, with their chances."""
        return self.find()


@frozen(eq=False)
class _AnyPoints:
    """What follows from a move whatever is left of the combatant's points.

    `full`: its points when it is unhurt. `after`: for each loss of points, and whether the combatant is out
    of action even so, the states of both with many points, and the chance.
    """

    full: int
    after: tuple[tuple[Fraction, tuple[int, bool, _Pair]], ...]

    @cached_property
    def _sums(self) -> tuple[list[int], list[Fraction], list[Fraction], list[Fraction]]:
        """Return the losses in order and, for those before each place: their chances, sums, and falls."""
        found = sorted((loss, chance, falls) for chance, (loss, falls, _) in self.after)
        chances = accumulate((chance for _, chance, _ in found), initial=Fraction(0))
        lost = accumulate((chance * loss for loss, chance, _ in found), initial=Fraction(0))
        fallen = accumulate((chance * falls for _, chance, falls in found), initial=Fraction(0))
        return [loss for loss, _, _ in found], [*chances], [*lost], [*fallen]

    def worth(self, points: int) -> tuple[Fraction, Fraction]:
        """Return the chance to be out of action and the expected share lost, for a number of points left."""
        losses, chances, lost, fallen = self._sums
        place = bisect_left(losses, points)
        gone = chances[-1] - chances[place]
        return fallen[place] + gone, (lost[place] + points * gone) / max(1, self.full)


class _ReadsOthers(Exception):
    """More counts than the combatant and its foe."""


class _Onslaught:
    """The states of one combatant while its foes act, one foe after the other.

    States are equal if the changed fields of the sheets and the conditions that count are equal.
    `minds_all`: every condition counts, and equal foes are told apart. Effects as data may ask for any
    condition, so in a game with effects every condition counts at once. Raises _ReadsOthers if more counts
    than that.
    """

    def __init__(self, encounter: Encounter, who: str, dice: Dice, most: int, *, minds_all: bool) -> None:
        self._first, self._who, self._dice = encounter, who, dice
        self._left, self._is_exact, self._minds_all = most, True, minds_all
        self._known: dict[Hashable, _Tried | None] = {}
        self._alike: dict[str, str] = {}
        # The number of each state: numbers are found faster than sheets and conditions.
        self._numbers: dict[Hashable, int] = {}
        # The foes that may act after the turns of others, and their states once their own turn has begun.
        self._reacting: tuple[str, ...] = ()
        self._begun: dict[Hashable, _State] = {}
        self._minds_conditions = minds_all or encounter.game.effects is not None
        self._drained = drained_field(encounter, who)
        # What follows from moves whatever is left of the points, and states by their points.
        self._any_points: dict[Hashable, _AnyPoints | None] = {}
        self._by_points: dict[Hashable, _State] = {}

    def _attacks(self, foe: str) -> bool:
        """Return whether a foe attacks the combatant at all: it neither flees nor has to spare it."""
        return not flees(self._first, foe) and self._who not in spared_by(self._first, foe)

    def danger(self, acted: Container[str]) -> Danger:
        here, first = self._state(self._first.combatants[self._who]), self._first
        acting = [foe for foe in foes_before_turn(first, self._who, acted) if self._attacks(foe)]
        self._reacting = self._reacting_foes()
        states = (here, *(self._state(first.combatants[foe]) for foe in self._reacting))
        standing: _Standing = {_keys(states): (Fraction(1), states)}
        moves: dict[str, Move] = {}
        chances: dict[str, Fraction] = {}

        def count(foe: str, move: Move | None, before: Fraction) -> None:
            if move is not None:
                moves.setdefault(foe, move)
                chances[foe] = chances.get(foe, Fraction(0)) + before - _sum(standing)

        for turn in turns_before(first, self._who):
            for foe in turn:
                if foe in acting:
                    before = _sum(standing)
                    standing, move = self._turn(foe, standing)
                    count(foe, move, before)
            for foe in self._reacting:
                ended = next((each for each in turn if each != foe), None)
                if ended is not None and first.status(first.combatants[ended]).in_order:
                    before = _sum(standing)
                    standing, move = self._after_turn(foe, ended, standing)
                    count(foe, move, before)
        threats = (
            Threat(foe, move.action, tuple(move.options.items()), chances[foe]) for foe, move in moves.items()
        )
        return Danger(self._who, 1 - _sum(standing), tuple(threats), self._is_exact)

    def _reacting_foes(self) -> tuple[str, ...]:
        """Return the foes that may act after the turns of others, now or once their own turn has begun."""
        first = self._first
        if not acts_after_turns(first.game):
            return ()
        side = first.combatants[self._who].side
        return tuple(
            foe.id
            for foe in first.in_line()
            if foe.side != side
            and not foe.state.arrives
            and first.status(foe).acts
            and self._attacks(foe.id)
            and (
                is_ready_after_turns(first, foe.id)
                or is_ready_after_turns(first.with_combatants(refreshed(first, foe.id)), foe.id)
            )
        )

    def _turn(self, foe: str, standing: _Standing) -> tuple[_Standing, Move | None]:
        """Return the states in which the combatant can still act after a foe's turn, and the first move."""
        place = 1 + self._reacting.index(foe) if foe in self._reacting else 0
        attacker = self._state(refreshed(self._first, foe))
        first: Move | None = None
        left: _Standing = {}
        going = [
            (chance, (attacker if not place else self._refreshed(states[place])), states)
            for chance, states in standing.values()
        ]
        for _ in range(self._actions(attacker)):
            after: dict[Hashable, tuple[Fraction, tuple[_State, _Together]]] = {}
            for chance, own, states in going:
                best = self._best((states[0], own))
                if best is None:
                    _keep(left, chance, states, place, own)
                    continue
                move, tried = best
                first = first or move
                rest = states[1:]
                keys = tuple(each.key for each in rest)
                for share, (here, then) in tried.after:
                    _add(after, (here.key, then.key, keys), chance * share, (then, (here, *rest)))
            going = [(chance, own, states) for chance, (own, states) in after.values()]
            if not going:
                break
        for chance, own, states in going:
            _keep(left, chance, states, place, own)
        return left, first

    def _after_turn(self, foe: str, ended: str, standing: _Standing) -> tuple[_Standing, Move | None]:
        """Return the states after what a foe does at the end of another's turn, and its first move."""
        place, first = 1 + self._reacting.index(foe), None
        going = [(chance, states, frozenset[str]()) for chance, states in standing.values()]
        left: _Standing = {}
        while going:
            after: dict[Hashable, tuple[Fraction, tuple[_Together, frozenset[str]]]] = {}
            for chance, states, spent in going:
                best = self._best_after_turn((states[0], states[place]), ended, spent)
                if best is None:
                    _add(left, _keys(states), chance, states)
                    continue
                turn_end, tried = best
                first, now = first or turn_end.move, spent | {turn_end.spends}
                for share, (here, then) in tried.after:
                    found = (here, *states[1:place], then, *states[place + 1 :])
                    _add(after, (_keys(found), now), chance * share, (found, now))
            going = [(chance, states, spent) for chance, (states, spent) in after.values()]
        return left, first

    def _best_after_turn(
        self, pair: _Pair, ended: str, spent: Container[str]
    ) -> tuple[TurnEndMove, _Tried] | None:
        """Return what a foe would best do at the end of a turn, with what follows; None if it does no harm.

        `spent`: what it has spent at this turn's end.
        """
        here = self._first.with_combatants(*(state.combatant for state in pair))
        best: tuple[TurnEndMove, _Tried] | None = None
        most = Fraction(0), Fraction(0)
        for turn_end in moves_after_turn(here, pair[1].combatant.id, ended):
            if turn_end.spends in spent or turn_end.target not in ("", self._who):
                continue
            found = self._tried(pair, turn_end.move)
            if found is not None and found.worth > most:
                best, most = (turn_end, found), found.worth
        return best

    def _refreshed(self, foe: _State) -> _State:
        """Return the state of a foe after its turn has begun."""
        known = self._begun.get((foe.combatant.id, foe.key))
        if known is None:
            here = self._first.with_combatants(foe.combatant)
            known = self._begun[foe.combatant.id, foe.key] = self._state(refreshed(here, foe.combatant.id))
        return known

    def _actions(self, attacker: _State) -> int:
        return actions_in_turn(self._first.game, attacker.combatant.sheet, self._first.house)

    def _best(self, pair: _Pair) -> tuple[Move, _Tried] | None:
        """Return the move most likely to take the combatant out, with what follows, or None."""
        best: tuple[Move, _Tried] | None = None
        for move in policy_of(self._first.game).moves(pair[1].combatant.sheet, self._first.house):
            found = self._tried(pair, move)
            if found is None:
                continue
            if move.first:
                return move, found
            if best is None or found.worth > best[1].worth:
                best = move, found
        return best

    def _tried(self, pair: _Pair, move: Move) -> _Tried | None:
        """Return what follows from a move; None if it is refused. Equal foes do equal things."""
        action = self._first.game.action(move.action)
        if action is None or move.aim == "fallen ally":
            return None
        own, foe = pair
        key = (self._kind(foe.combatant), move.action, hashable(move.options), own.key, foe.key)
        if key not in self._known:
            whole = self._whole(own, foe, action, move) if self._drained else None
            if whole is not None:
                self._known[key] = self._with_points(whole, own, foe.combatant.id)
            else:
                here = self._first.with_combatants(own.combatant, foe.combatant)
                found = self._branches(here, action, move, foe.combatant.id).found
                self._known[key] = self._kept(here, found, foe.combatant.id) if found else None
        known = self._known[key]
        if known is None or known.foe == foe.combatant.id:
            return known
        of_equal = known
        return _Tried(
            known.worth,
            foe.combatant.id,
            lambda: tuple((share, self._as(foe, then)) for share, then in of_equal.after),
        )

    def _whole(self, own: _State, foe: _State, action: Action, move: Move) -> "_AnyPoints | None":
        """Return what follows from a move for all numbers of points; None if each needs a calculation."""
        full = self._at_points(own, MANY_POINTS)
        key = (self._kind(foe.combatant), move.action, hashable(move.options), full.key, foe.key)
        if key not in self._any_points:
            here = self._first.with_combatants(full.combatant, foe.combatant)
            found = self._branches(here, action, move, foe.combatant.id).found
            self._any_points[key] = self._losses(here, found, foe.combatant.id)
        return self._any_points[key]

    def _losses(self, here: Encounter, found: Sequence[Branch], foe: str) -> "_AnyPoints | None":
        points = getattr(here.combatants[self._who].sheet, self._drained)
        after: dict[Hashable, tuple[Fraction, tuple[int, bool, _Pair]]] = {}
        for chance, there in found:
            own = there.combatants[self._who]
            loss = points - getattr(own.sheet, self._drained)
            if not 0 <= 2 * loss < points:
                return None
            falls = not acts(there, self._who)
            pair = self._at_points(self._state(own), MANY_POINTS), self._state(there.combatants[foe])
            key = (loss, falls, pair[0].key, pair[1].key)
            _add(after, key, chance, (loss, falls, pair))
        return _AnyPoints(full_points(here, self._who), tuple(after.values())) if found else None

    def _with_points(self, whole: "_AnyPoints", own: _State, foe: str) -> _Tried:
        """Return what follows from a move for a combatant with these points."""
        points = getattr(own.combatant.sheet, self._drained)

        def find() -> _After:
            return tuple(
                (chance, (self._at_points(then, points - loss), its))
                for chance, (loss, has_fallen, (then, its)) in whole.after
                if not has_fallen and loss < points
            )

        return _Tried(whole.worth(points), foe, find)

    def _at_points(self, own: _State, points: int) -> _State:
        """Return the state of the combatant with so many points."""
        key = own.key, points
        if key not in self._by_points:
            self._by_points[key] = self._state(own.combatant.with_sheet({self._drained: points}))
        return self._by_points[key]

    def _kept(self, here: Encounter, found: Sequence[Branch], foe: str) -> _Tried:
        worth, rest = worth_and_rest(here, found, self._who)

        def find() -> _After:
            return tuple(
                (chance, (self._state(after.combatants[self._who]), self._state(after.combatants[foe])))
                for chance, after in rest
            )

        return _Tried((worth.falls, worth.share), foe, find)

    def _as(self, foe: _State, then: _Pair) -> _Pair:
        """Return what a foe's equal has left, as the state of this foe."""
        own, its = then
        is_same = its.combatant.sheet is foe.combatant.sheet
        if is_same and its.combatant.conditions == foe.combatant.conditions:
            return own, foe
        combatant = foe.combatant
        changed = Combatant(combatant.id, combatant.state, its.combatant.sheet, its.combatant.conditions)
        return own, _State(changed, its.key)

    def _branches(self, here: Encounter, action: Action, move: Move, foe: str) -> Branches:
        """Return the branches of a move: all of them, or random plays if there are too many."""
        target = None if move.aim == "itself" or action.targets == "none" else self._who
        try:
            options: Any = read(action.options, dict(move.options))
            try:
                found = branches_of(here, action, foe, target, options, max(self._left, PLAYS))
                self._left -= len(found.found)
            except TooManyDice:
                self._is_exact = False
                found = sampled_branches(here, action, foe, target, options, self._dice, PLAYS)
        except InputError:
            return Branches()
        reads_more = found.reads_others or (found.reads_pair and not self._minds_conditions)
        if reads_more and not self._minds_all:
            raise _ReadsOthers
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

    def _state(self, combatant: Combatant) -> _State:
        conditions = combatant.conditions if self._minds_conditions else felt(self._first, combatant)
        changed = changed_fields(combatant, self._first.combatants[combatant.id]), conditions
        return _State(combatant, self._numbers.setdefault(changed, len(self._numbers)))


S = TypeVar("S")


def _add(states: dict[Hashable, tuple[Fraction, S]], key: Hashable, chance: Fraction, state: S) -> None:
    """Add a state with its chance; equal states are one."""
    before = states.get(key)
    states[key] = (before[0] + chance, before[1]) if before else (chance, state)


def _keep(standing: _Standing, chance: Fraction, states: _Together, place: int, own: _State) -> None:
    """Add states after a foe's turn. What it has spent matters only if it acts after the turns of others."""
    kept = (*states[:place], own, *states[place + 1 :]) if place else states
    _add(standing, _keys(kept), chance, kept)


def _keys(states: _Together) -> Hashable:
    return tuple(state.key for state in states)


def _sum(standing: _Standing) -> Fraction:
    """Return the chance of all these states together."""
    return sum((chance for chance, _ in standing.values()), Fraction(0))


def refreshed(encounter: Encounter, foe: str) -> Combatant:
    """Return a foe with what its turn certainly restores, unless its turn has begun.

    Changes that depend on dice, such as a recharge, are left out.
    """
    combatant, action = encounter.combatants[foe], encounter.game.action("turn_start")
    progress = encounter.progress
    of_side = encounter.style == "sides" and progress.side == combatant.side
    is_turn = progress.present is not None and (of_side or progress.present == foe)
    if action is None or (is_turn and combatant.state.begun == progress.round):
        return combatant
    return combatant.with_sheet(_certain(encounter, action, foe))


def _certain(encounter: Encounter, action: Action, foe: str) -> dict[str, Any]:
    """Return the changes of a hook to its own combatant that all rolls share."""
    scene = scene_of(encounter, action, foe, None, action.options())
    try:
        outcomes = spread_of(lambda table: outcome_of(action, scene, table), lambda each: each, Suggested())
    except (TooManyDice, InputError):
        return {}
    first, *rest = [outcome.changes.get("actor", {}) for outcome in outcomes]
    return {
        name: value
        for name, value in first.items()
        if all(name in other and other[name] == value for other in rest)
    }
