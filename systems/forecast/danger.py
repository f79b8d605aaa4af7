"""Danger: how likely a combatant is out of action before its next turn, if all foes go for it.

Every foe that acts before then uses on this combatant alone its action most likely to take it out, as often
in its turn as the game's policy allows. Conditions that tick, hooks, healing, movement and the reactions of
others are left out; questions get their suggested answers. Hidden foes and late arrivals count.
"""

from collections.abc import Container, Hashable, Iterable, Mapping
from fractions import Fraction
from typing import Any

from systems.commands.scenes import outcome_of, scene_of
from systems.contract.action import Action
from systems.contract.policy import Move
from systems.contract.table import Suggested
from systems.dice.sources import Dice
from systems.encounter.model import Combatant, Encounter
from systems.errors import InputError
from systems.forecast.branches import Branches, branches_of, changed_fields, felt, hashable, sampled_branches
from systems.forecast.found import Danger, Threat
from systems.forecast.moves import actions_in_turn, policy_of
from systems.forecast.turns import foes_before_turn
from systems.forecast.worth import acts, worth_of
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
    quick = _Onslaught(encounter, who, dice, most, minds_all=False)
    found = quick.danger(acted)
    if not quick.reads_others:
        return found
    # Then a condition may count that changes nothing by itself, and so may who exactly attacks.
    return _Onslaught(encounter, who, dice, most, minds_all=True).danger(acted)


# A combatant and one of its foes as they are now.
_Pair = tuple[Combatant, Combatant]
_Standing = Mapping[Hashable, tuple[Fraction, Combatant]]


class _Onslaught:
    """The states of one combatant while its foes act, one foe after the other.

    States are equal if the changed fields of the sheets and the conditions that count are equal.
    `minds_all`: every condition counts, and equal foes are told apart. Effects as data may ask for any
    condition, so in a game with effects every condition counts at once.
    """

    def __init__(self, encounter: Encounter, who: str, dice: Dice, most: int, *, minds_all: bool) -> None:
        self._first, self._who, self._dice = encounter, who, dice
        self._left, self._is_exact, self._minds_all = most, True, minds_all
        self._known: dict[Hashable, tuple[tuple[Fraction, _Pair], ...]] = {}
        self._alike: dict[str, str] = {}
        self._minds_conditions = minds_all or encounter.game.effects is not None
        self.reads_others = False

    def danger(self, acted: Container[str]) -> Danger:
        here = self._first.combatants[self._who]
        standing: _Standing = {(): (Fraction(1), here)}
        threats: list[Threat] = []
        for foe in foes_before_turn(self._first, self._who, acted):
            before = _together(standing)
            standing, move = self._turn(foe, standing)
            if move:
                threats.append(
                    Threat(foe, move.action, tuple(move.options.items()), before - _together(standing))
                )
        return Danger(self._who, 1 - _together(standing), tuple(threats), self._is_exact)

    def _turn(self, foe: str, standing: _Standing) -> tuple[_Standing, Move | None]:
        """Return the states in which the combatant can still act after a foe's turn, and the first move."""
        attacker = refreshed(self._first, foe)
        first: Move | None = None
        over: list[tuple[Fraction, _Pair]] = []
        going = [(chance, (here, attacker)) for chance, here in standing.values()]
        for _ in range(actions_in_turn(self._first.game, attacker.sheet, self._first.house)):
            after: list[tuple[Fraction, _Pair]] = []
            for chance, pair in going:
                best = self._best(pair)
                if best is None:
                    over.append((chance, pair))
                    continue
                first = first or best[0]
                after += [(chance * share, then) for share, then in best[1] if self._stands(then[0])]
            going = [*_merged(after, lambda pair: (self._state(pair[0]), self._state(pair[1])))]
            if not going:
                break
        # What a foe has spent in its turn matters to nobody after it.
        left = _merged([*over, *going], lambda pair: self._state(pair[0]))
        return {self._state(pair[0]): (chance, pair[0]) for chance, pair in left}, first

    def _best(self, pair: _Pair) -> tuple[Move, tuple[tuple[Fraction, _Pair], ...]] | None:
        """Return the move most likely to take the combatant out, with what follows, or None."""
        best: tuple[tuple[Fraction, Fraction], Move, tuple[tuple[Fraction, _Pair], ...]] | None = None
        for move in policy_of(self._first.game).moves(pair[1].sheet, self._first.house):
            found = self._tried(pair, move)
            if found and move.first:
                return move, found
            if not found:
                continue
            here = self._first.with_combatants(*pair)
            after = [(chance, self._first.with_combatants(*then)) for chance, then in found]
            worth = worth_of(here, after, self._who)
            if best is None or (worth.falls, worth.share) > best[0]:
                best = (worth.falls, worth.share), move, found
        return best and best[1:]

    def _tried(self, pair: _Pair, move: Move) -> tuple[tuple[Fraction, _Pair], ...]:
        """Return what follows from a move; nothing if it is refused. Equal foes do equal things."""
        action = self._first.game.action(move.action)
        if action is None or move.aim == "fallen ally":
            return ()
        own, foe = pair
        key = (self._kind(foe), move.action, hashable(move.options), self._state(own), self._state(foe))
        if key not in self._known:
            here = self._first.with_combatants(own, foe)
            self._known[key] = tuple(
                (chance, (after.combatants[own.id], after.combatants[foe.id]))
                for chance, after in self._branches(here, action, move, foe.id).found
            )
        return tuple(
            (chance, (mine, Combatant(foe.id, foe.state, its.sheet, its.conditions)))
            for chance, (mine, its) in self._known[key]
        )

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
        self.reads_others = self.reads_others or reads_more
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

    def _state(self, combatant: Combatant) -> Hashable:
        conditions = combatant.conditions if self._minds_conditions else felt(self._first, combatant)
        return changed_fields(combatant, self._first.combatants[combatant.id]), conditions

    def _stands(self, combatant: Combatant) -> bool:
        return self._first.status(combatant).acts


def _merged(found: Iterable[tuple[Fraction, _Pair]], key: Any) -> list[tuple[Fraction, _Pair]]:
    """Return the states with equal keys as one."""
    merged: dict[Hashable, tuple[Fraction, _Pair]] = {}
    for chance, pair in found:
        state = key(pair)
        before = merged.get(state)
        merged[state] = (before[0] + chance, before[1]) if before else (chance, pair)
    return [*merged.values()]


def _together(standing: _Standing) -> Fraction:
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
