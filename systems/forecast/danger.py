"""Danger: how likely a combatant is out of action before its next turn, if all foes go for it.

Every foe that acts before then uses on this combatant alone its action most likely to take it out, as often
in its turn as the game's policy allows. Conditions that tick, hooks, healing, movement and the reactions of
others are left out, and so are foes that flee now by habit; questions get their suggested answers. Hidden
foes count, and so do late arrivals that may act before that turn. What a turn or a new round restores without
dice is restored. What a game offers a foe at the end of another's turn, such as a legendary action, is used
on this combatant as well, once at the end of each turn until then, as long as the foe can pay for it.
"""

from collections.abc import Callable, Container, Hashable, Iterable, Mapping
from fractions import Fraction
from math import lcm
from typing import Any

from systems.commands.scenes import outcome_of, scene_of
from systems.contract.action import Action
from systems.contract.policy import Move
from systems.contract.table import Suggested
from systems.dice.sources import Dice
from systems.encounter.model import Combatant, Encounter
from systems.errors import InputError
from systems.forecast.found import Danger, Threat
from systems.forecast.habits import flees
from systems.forecast.moves import actions_left, by_policy, name_used, policy_of, spared_by
from systems.forecast.situations import Situation, Situations, State, StatePair, Ways
from systems.forecast.tried_moves import ReadsOthers, Tried, TriedMoves
from systems.forecast.turn_ends import TurnEndMove, acts_after_turns, is_ready_after_turns, moves_after_turn
from systems.forecast.turns import foes_before_turn, has_turn_now, is_turn_over, turns_before
from systems.forecast.worth import acts
from systems.frozen import frozen
from systems.odds import TooManyDice, spread_of

# With more branches for one combatant, its danger is sampled.
MOST_BRANCHES = 200_000
_NOTHING_DONE: Mapping[str, int] = {}


def danger_of(
    encounter: Encounter,
    who: str,
    dice: Dice,
    done: Mapping[str, int] = _NOTHING_DONE,
    most: int = MOST_BRANCHES,
) -> Danger | None:
    """Return the danger of a combatant, or None if it is out of action already.

    `dice`: random dice for what has more than `most` branches. `done`: how many actions each combatant has
    carried out in the current turn.
    """
    if not acts(encounter, who):
        return None
    return by_policy(encounter, lambda here: _danger(here, who, dice, done, most))


def _danger(encounter: Encounter, who: str, dice: Dice, done: Mapping[str, int], most: int) -> Danger:
    try:
        tries = TriedMoves(encounter, who, dice, most, minds_all=False)
        return _Onslaught(encounter, who, tries, done).danger()
    except ReadsOthers:
        # Then a condition may count that changes nothing by itself, and so may who exactly attacks.
        tries = TriedMoves(encounter, who, dice, most, minds_all=True)
        return _Onslaught(encounter, who, tries, done).danger()


@frozen(eq=False)
class _Choice:
    """The move that a foe uses. `spends`: what it spends at the end of a turn, "" in its own turn."""

    move: Move
    tried: Tried
    spends: str = ""


# Returns what a foe uses in a situation against these points, or None.
_Choose = Callable[[Situation, int], _Choice | None]


class _Onslaught:
    """Follows the states of one combatant while its foes act, one foe after the other."""

    def __init__(self, encounter: Encounter, who: str, tries: TriedMoves, done: Mapping[str, int]) -> None:
        self._first, self._who, self._tries, self._done = encounter, who, tries, done
        # The foes that may act after the turns of others, and their states once their own turn has begun.
        self._reacting: tuple[str, ...] = ()
        self._begun: dict[Hashable, State] = {}
        # States once the next round has begun.
        self._rounds: dict[Hashable, State] = {}
        self._best_known: dict[Hashable, _Choice | None] = {}
        self._turn_ends: dict[Hashable, tuple[TurnEndMove, ...]] = {}

    def _attacks(self, foe: str) -> bool:
        """Return whether a foe attacks the combatant at all: it neither flees nor has to spare it."""
        return not flees(self._first, foe) and self._who not in spared_by(self._first, foe)

    def danger(self) -> Danger:
        """Return the danger."""
        first, is_next_round = self._first, False
        acting = [foe for foe in foes_before_turn(first, self._who) if self._attacks(foe)]
        self._reacting = self._reacting_foes()
        own = [first.combatants[who] for who in (self._who, *self._reacting)]
        situations = Situations(1)
        situations.add(Situation(tuple(map(self._tries.state, own))), {self._tries.points(first): 1})
        moves: dict[str, Move] = {}
        chances: dict[str, Fraction] = {}

        def count(foe: str, found: tuple[Situations, Move | None]) -> Situations:
            after, move = found
            if move is not None:
                moves.setdefault(foe, move)
                chances[foe] = chances.get(foe, Fraction(0)) + situations.chance() - after.chance()
            return after

        for turn in turns_before(first, self._who):
            if turn.is_next_round and not is_next_round:
                is_next_round, situations = True, situations.changed(self._in_next_round)
            for foe in turn.members:
                if foe in acting:
                    situations = count(foe, self._turn(foe, situations))
            for foe in self._reacting:
                ended = next((each for each in turn.members if each != foe), None)
                if ended is not None and first.status(first.combatants[ended]).in_order:
                    situations = count(foe, self._after_turn(foe, ended, situations))
        threats = (
            Threat(foe, move.action, tuple(move.options.items()), chances[foe], name_used(first.game, move))
            for foe, move in moves.items()
        )
        return Danger(self._who, 1 - situations.chance(), tuple(threats), self._tries.is_exact)

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

    def _turn(self, foe: str, situations: Situations) -> tuple[Situations, Move | None]:
        """Return the states after a foe's turn, and its first move.

        What it has spent matters only if it acts after the turns of others.
        """
        reacts, attacker = foe in self._reacting, self._tries.state(refreshed(self._first, foe))
        place = 1 + (self._reacting.index(foe) if reacts else len(self._reacting))
        times = actions_left(self._first, attacker.combatant, self._done.get(foe, 0))

        def begun(situation: Situation) -> Situation:
            return situation.with_foe(place, self._refreshed(situation.states[place]) if reacts else attacker)

        def best(situation: Situation, points: int) -> _Choice | None:
            return self._best(situation.pair(place), points)

        after, first = _after_moves(situations.changed(begun), place, times, best)
        return (
            after if reacts else after.changed(lambda situation: Situation(situation.states[:place]))
        ), first

    def _after_turn(self, foe: str, ended: str, situations: Situations) -> tuple[Situations, Move | None]:
        """Return the states after what a foe does at the end of another's turn, and its first move."""
        place = 1 + self._reacting.index(foe)

        def best(situation: Situation, points: int) -> _Choice | None:
            return self._best_after_turn(situation.pair(place), points, ended, situation.spent)

        # Each of these moves spends something else.
        times = len(self._first.game.reactions)
        after, first = _after_moves(situations, place, times, best)
        return after.changed(lambda situation: Situation(situation.states)), first

    def _best_after_turn(
        self, pair: StatePair, points: int, ended: str, spent: Container[str]
    ) -> _Choice | None:
        """Return what a foe would best do at the end of a turn, with what follows; None if it does no harm.

        `spent`: what it has spent at this turn's end.
        """
        best: _Choice | None = None
        most = Fraction(0), Fraction(0)
        for turn_end in self._moves_after_turn(pair, ended):
            if turn_end.spends in spent or turn_end.target not in ("", self._who):
                continue
            tried = self._tries.tried(pair, points, turn_end.move)
            if tried is not None and (harm := tried.harm(points)) > most:
                best, most = _Choice(turn_end.move, tried, turn_end.spends), harm
        return best

    def _moves_after_turn(self, pair: StatePair, ended: str) -> tuple[TurnEndMove, ...]:
        """Return the moves of a foe at the end of another's turn."""
        own, foe = pair
        key = own.key, foe.combatant.id, foe.key, ended
        if key not in self._turn_ends:
            here = self._first.with_combatants(own.combatant, foe.combatant)
            self._turn_ends[key] = tuple(moves_after_turn(here, foe.combatant.id, ended))
        return self._turn_ends[key]

    def _refreshed(self, foe: State) -> State:
        """Return the state of a foe after its turn has begun."""
        known = self._begun.get((foe.combatant.id, foe.key))
        if known is None:
            here, who = self._first.with_combatants(foe.combatant), foe.combatant.id
            known = self._begun[who, foe.key] = self._tries.state(refreshed(here, who))
        return known

    def _in_next_round(self, situation: Situation) -> Situation:
        """Return a situation with what the next round certainly restores."""
        return Situation(tuple(map(self._of_next_round, situation.states)), situation.spent)

    def _of_next_round(self, state: State) -> State:
        known = self._rounds.get((state.combatant.id, state.key))
        if known is None:
            who = state.combatant.id
            restored = restored_by(self._first.with_combatants(state.combatant), "round_start", who)
            known = self._rounds[who, state.key] = self._tries.state(restored)
        return known

    def _best(self, pair: StatePair, points: int) -> _Choice | None:
        """Return the move most likely to take the combatant out, with what follows, or None."""
        own, foe = pair
        key = own.key, foe.combatant.id, foe.key, points
        if key not in self._best_known:
            self._best_known[key] = self._found_best(pair, points)
        return self._best_known[key]

    def _found_best(self, pair: StatePair, points: int) -> _Choice | None:
        best: _Choice | None = None
        most = Fraction(0), Fraction(0)
        for move in policy_of(self._first.game).moves(pair[1].combatant.sheet, self._first.house):
            tried = self._tries.tried(pair, points, move)
            if tried is None:
                continue
            if move.first:
                return _Choice(move, tried)
            harm = tried.harm(points)
            if best is None or harm > most:
                best, most = _Choice(move, tried), harm
        return best


def _after_moves(
    going: Situations, place: int, times: int, choose: _Choose
) -> tuple[Situations, Move | None]:
    """Return the states after up to this many moves of the foe in this place, and the first move."""
    left, first = Situations(going.whole), None
    for _ in range(times):
        chosen: list[tuple[Situation, _Choice, Ways]] = []
        for situation, ways in going:
            for choice, some in _by_choice(situation, ways, choose):
                if choice is None:
                    left.add(situation, some)
                else:
                    chosen.append((situation, choice, some))
        if not chosen:
            return left, first
        first = first or chosen[0][1].move
        whole = lcm(*(choice.tried.whole for _, choice, _ in chosen))
        left.scale(whole)
        going = Situations(left.whole)
        for situation, choice, ways in chosen:
            for pair, losses in choice.tried.after:
                after = situation.after(place, pair, choice.spends)
                going.add_after(after, ways, losses, whole // choice.tried.whole)
    for situation, ways in going:
        left.add(situation, ways)
    left.reduce()
    return left, first


def _by_choice(situation: Situation, ways: Ways, choose: _Choose) -> Iterable[tuple[_Choice | None, Ways]]:
    """Return the choices of a foe, each with the weights of the points for which it is best."""
    found: dict[Hashable, tuple[_Choice | None, dict[int, int]]] = {}
    for points, weight in ways.items():
        choice = choose(situation, points)
        key = choice and (choice.tried, choice.spends)
        found.setdefault(key, (choice, {}))[1][points] = weight
    return found.values()


def refreshed(encounter: Encounter, foe: str) -> Combatant:
    """Return a foe with what its next turn certainly restores, and the next round if that turn is in it.

    Unchanged if its turn has begun.
    """
    combatant = encounter.combatants[foe]
    if has_turn_now(encounter, foe) and combatant.state.begun == encounter.progress.round:
        return combatant
    if is_turn_over(encounter, foe):
        encounter = encounter.with_combatants(restored_by(encounter, "round_start", foe))
    return restored_by(encounter, "turn_start", foe)


def restored_by(encounter: Encounter, hook: str, who: str) -> Combatant:
    """Return a combatant with what a hook certainly changes on its own sheet.

    Changes that depend on dice, such as a recharge, are left out.
    """
    combatant, action = encounter.combatants[who], encounter.game.action(hook)
    return combatant if action is None else combatant.with_sheet(_certain(encounter, action, who))


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
