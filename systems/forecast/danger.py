"""Danger: how likely a combatant is out of action before its next turn, if all foes go for it.

Every foe that acts before then uses on this combatant alone its action most likely to take it out, as often
in its turn as the game's policy allows. Conditions that tick, hooks, healing, movement and the reactions of
others are left out; questions get their suggested answers. Hidden foes and late arrivals count.
"""

from collections.abc import Container, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from systems.commands.scenes import outcome_of, scene_of
from systems.contract.policy import Move
from systems.contract.ruleset import Action
from systems.contract.table import Suggested
from systems.dice.sources import Dice
from systems.encounter.model import Combatant, Encounter
from systems.errors import InputError
from systems.forecast.branches import Branch, branches_of, hashable, sampled_branches, state_key
from systems.forecast.moves import actions_in_turn, policy_of
from systems.frozen import frozen
from systems.odds import TooManyDice, spread_of
from systems.schema.conversion import read
from systems.sheets import changed

# With more branches for one combatant, its danger is sampled.
MOST_BRANCHES = 200_000
MOST_STATES = 2_000
PLAYS = 400  # random plays of an action that has too many dice for exact odds


@frozen
class Threat:
    """What one foe adds to the danger: the chance that the combatant falls in this foe's turn.

    `action`: the action that it uses first. `options`: the values that it chose for it, such as a weapon.
    """

    who: str
    action: str
    options: tuple[tuple[str, object], ...]
    chance: Fraction


@frozen
class Danger:
    """The danger of one combatant, and what each foe adds to it, in the order of their turns."""

    who: str
    chance: Fraction
    threats: tuple[Threat, ...] = ()
    is_exact: bool = True


def danger_of(
    encounter: Encounter, who: str, dice: Dice, acted: Container[str] = (), most: int = MOST_BRANCHES
) -> Danger | None:
    """Return the danger of a combatant, or None if it is out of action already.

    `dice`: random dice for what has more than `most` branches. `acted`: the combatants that have acted in the
    current turn, for games that do not count actions.
    """
    if not encounter.status(encounter.combatants[who]).acts:
        return None
    return _Onslaught(encounter, who, dice, acted, most).danger()


class _Onslaught:
    """The states of one combatant while its foes act, one foe after the other."""

    def __init__(self, encounter: Encounter, who: str, dice: Dice, acted: Container[str], most: int) -> None:
        self._first, self._who, self._dice, self._acted = encounter, who, dice, acted
        self._left, self._is_exact = most, True
        self._known: dict[Hashable, tuple[Branch, ...]] = {}

    def danger(self) -> Danger:
        standing: dict[Hashable, Branch] = {(): (Fraction(1), self._first)}
        threats: list[Threat] = []
        for foe in foes_before_turn(self._first, self._who, self._acted):
            before = _together(standing)
            standing, moves = self._turn(foe, standing)
            added = before - _together(standing)
            if moves:
                threats.append(Threat(foe, moves[0].action, tuple(moves[0].options.items()), added))
        return Danger(self._who, 1 - _together(standing), tuple(threats), self._is_exact)

    def _turn(self, foe: str, standing: dict[Hashable, Branch]) -> tuple[dict[Hashable, Branch], list[Move]]:
        """Return the states in which the combatant still stands after a foe's turn, and the moves used."""
        game, house = self._first.game, self._first.house
        used: list[Move] = []
        over: list[Branch] = []
        going = [(chance, _refreshed(here, foe)) for chance, here in standing.values()]
        for _ in range(actions_in_turn(game, self._first.combatants[foe].sheet, house)):
            after: list[Branch] = []
            for chance, here in going:
                best = self._best(here, foe)
                if best is None:
                    over.append((chance, here))
                    continue
                used.append(best[0])
                after += [(chance * share, there) for share, there in best[1] if self._stands(there)]
            going = list(self._merged(after, foe).values())
            if not going:
                break
        # What a foe has spent in its turn matters to nobody after it.
        return self._merged([*over, *going], None), used

    def _best(self, here: Encounter, foe: str) -> tuple[Move, tuple[Branch, ...]] | None:
        """Return the move most likely to take the combatant out, with its branches, or None."""
        best: tuple[tuple[Fraction, Fraction], Move, tuple[Branch, ...]] | None = None
        sheet = here.combatants[foe].sheet
        for move in policy_of(here.game).moves(sheet, here.house):
            found = self._tried(here, foe, move)
            if not found:
                continue
            if move.first:
                return move, found
            worth = self._worth(here, found)
            if best is None or worth > best[0]:
                best = worth, move, found
        return best and best[1:]

    def _tried(self, here: Encounter, foe: str, move: Move) -> tuple[Branch, ...]:
        action = here.game.action(move.action)
        if action is None or move.aim == "fallen ally":
            return ()
        target = self._who if move.aim in ("foe", "foes") and action.targets != "none" else None
        # Equal foes do the same to equal states.
        people = here.combatants[foe], here.combatants[self._who]
        key = (move.action, hashable(move.options), *(self._state(person) for person in people), foe)
        if key not in self._known:
            try:
                options: Any = read(action.options, dict(move.options))
                self._known[key] = self._branches(here, action, foe, target, options)
            except InputError:
                self._known[key] = ()
        return self._known[key]

    def _branches(
        self, here: Encounter, action: Action, foe: str, target: str | None, options: Any
    ) -> tuple[Branch, ...]:
        """Return the branches of an action: all of them, or random plays if there are too many."""
        try:
            found = branches_of(here, action, foe, target, options, max(self._left, PLAYS))
            self._left -= len(found)
        except TooManyDice:
            self._is_exact = False
            return sampled_branches(here, action, foe, target, options, self._dice, PLAYS)
        return found

    def _state(self, person: Combatant) -> Hashable:
        return state_key(person, self._first.combatants[person.id])

    def _worth(self, here: Encounter, found: Sequence[Branch]) -> tuple[Fraction, Fraction]:
        """Return the chance to take the combatant out, and the expected loss of its main meter."""
        falls = sum((chance for chance, there in found if not self._stands(there)), Fraction(0))
        before = self._points(here)
        loss = sum((chance * (before - self._points(there)) for chance, there in found), Fraction(0))
        return falls, loss

    def _points(self, here: Encounter) -> int:
        fields = here.game.harm_fields
        return sum(getattr(here.combatants[self._who].sheet, field) for field in fields)

    def _stands(self, here: Encounter) -> bool:
        return here.status(here.combatants[self._who]).acts

    def _merged(self, branches: Iterable[Branch], foe: str | None) -> dict[Hashable, Branch]:
        """Return the branches by state; those in which the combatant and this foe are equal are one."""
        found: dict[Hashable, Branch] = {}
        for chance, here in branches:
            people = [here.combatants[who] for who in (self._who, foe) if who]
            key = tuple(map(self._state, people))
            known = found.get(key)
            found[key] = (chance + known[0], known[1]) if known else (chance, here)
        return found


def _together(standing: Mapping[Hashable, Branch]) -> Fraction:
    """Return the chance of all these states together."""
    return sum((chance for chance, _ in standing.values()), Fraction(0))


def foes_before_turn(encounter: Encounter, who: str, acted: Container[str] = ()) -> tuple[str, ...]:
    """Return the foes that act before a combatant's next turn, in the order of their turns.

    Foes that arrive until then come last, and so do delaying foes.
    """
    progress, own = encounter.progress, encounter.combatants[who]
    order = [each for each in progress.order if each in encounter.combatants]
    if encounter.style == "sides":
        coming = _of_other_sides(encounter, own, order)
    else:
        at = order.index(progress.present) if progress.present in order else 0
        turning = [*order[at:], *order[:at]]
        if who in turning[1:]:
            coming = turning[: turning.index(who, 1)]
        else:
            coming = [each for each in turning if each != who]
        if progress.present not in order:
            coming = [each for each in coming if encounter.combatants[each].state.done < progress.round]
    late = [
        combatant.id
        for combatant in encounter
        if combatant.id not in coming
        and (0 < combatant.state.arrives <= progress.round + 1 or combatant.state.waits)
    ]
    return tuple(
        each
        for each in (*coming, *late)
        if encounter.combatants[each].side != own.side
        and each != who
        and encounter.status(encounter.combatants[each]).acts
        and not (each in acted and encounter.game.spent is None)
    )


def _of_other_sides(encounter: Encounter, own: Combatant, order: Sequence[str]) -> list[str]:
    """Return the members of other sides, except those whose turn is over while their side acts."""
    number, side = encounter.progress.round, encounter.progress.side
    people = [encounter.combatants[each] for each in order]
    return [
        each.id
        for each in people
        if each.side != own.side and not (each.side == side and each.state.done >= number)
    ]


def _refreshed(encounter: Encounter, foe: str) -> Encounter:
    """Return the encounter with what a foe's turn certainly restores, unless its turn has begun.

    Changes that depend on dice, such as a recharge, are left out.
    """
    combatant, action = encounter.combatants[foe], encounter.game.action("turn_start")
    progress = encounter.progress
    of_side = encounter.style == "sides" and progress.side == combatant.side
    is_turn = progress.present is not None and (of_side or progress.present == foe)
    if action is None or (is_turn and combatant.state.begun == progress.round):
        return encounter
    changes = _certain(encounter, action, foe)
    return encounter.with_combatants(
        Combatant(foe, combatant.state, changed(combatant.sheet, changes), combatant.conditions)
    )


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
