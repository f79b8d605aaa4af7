"""Choose what a combatant does with its turn: every move that the rules allow, its worth, and the best."""

from collections.abc import Callable, Container, Iterator, Sequence
from fractions import Fraction
from typing import Literal

from systems.contract.policy import Move
from systems.encounter.model import Combatant, Encounter
from systems.forecast.habits import LEAVE, flees, flight_of, has, is_flight, preferred
from systems.forecast.moves import policy_of, spared_by
from systems.forecast.turn_ends import moves_after_turn
from systems.forecast.worth import FindWorth, Worth, points, stands, worth_of_move
from systems.frozen import frozen

# What a combatant looks for: any target, the best worth, or the end of the weakest.
Temper = Literal["careless", "sensible", "ruthless"]
# For the ruthless, moves whose chances to take a target out differ by no more are alike.
_ALIKE = Fraction(1, 20)
_ON_FOES = ("foe", "foes", "all foes")


@frozen
class TurnChoice:
    """A move of a combatant on these targets, with its worth.

    `falls`: the chance that the first target can't act afterwards; for a friend, that it can act again.
    `worth`: the expected share of the main meter, plus that chance, over all targets.
    """

    who: str
    move: Move
    targets: tuple[str, ...]
    falls: Fraction
    worth: Fraction

    @property
    def worth_per_turn(self) -> Fraction:
        """Return the worth, shared among the turns that the move costs."""
        return self.worth if self.move.turns == 1 else self.worth / self.move.turns


def choices_of(encounter: Encounter, who: str, worth_of_move: FindWorth = worth_of_move) -> list[TurnChoice]:
    """Return every move that the rules allow a combatant now, with its worth, in the policy's order.

    A move that comes first, such as reloading an empty gun, is the only one, and so is flight. Moves with too
    many dice for exact odds are left out. `worth_of_move`: a function that may remember worths.
    """
    flight = flight_of(encounter, who)
    if flight is not None:
        return [TurnChoice(who, flight, (), Fraction(0), Fraction(0))]
    return moves_of(encounter, who, worth_of_move)


def moves_of(encounter: Encounter, who: str, worth_of_move: FindWorth = worth_of_move) -> list[TurnChoice]:
    """Return the choices of a combatant as `choices_of` does, without flight."""
    found: list[TurnChoice] = []
    aims = _Aims(encounter, who)
    for move in policy_of(encounter.game).moves(encounter.combatants[who].sheet, encounter.house):
        for targets in aims.of(move):
            choice = valued(encounter, who, move, targets, worth_of_move)
            if choice is not None and move.first:
                return [choice]
            found += [choice] if choice is not None else []
    helps = [choice for choice in found if choice.move.aim == "fallen ally" and choice.worth > 0]
    return helps if helps and has(encounter.combatants[who], "helps the fallen first") else found


def choices_after_turn(
    encounter: Encounter,
    who: str,
    ended: str,
    spent: Container[str] = (),
    worth_of_move: FindWorth = worth_of_move,
) -> list[tuple[str, TurnChoice]]:
    """Return what a combatant could usefully do at the end of another's turn, such as a legendary action.

    Each with the word for what it spends then. `spent`: what it has spent at the end of this turn.
    """
    found: list[tuple[str, TurnChoice]] = []
    aims = _Aims(encounter, who)
    for turn_end in () if flees(encounter, who) else moves_after_turn(encounter, who, ended):
        if turn_end.spends in spent:
            continue
        for targets in aims.of(turn_end.move):
            if turn_end.target in ("", *targets[:1]):
                choice = valued(encounter, who, turn_end.move, targets, worth_of_move)
                # Without a use now, it is kept for later.
                found += [(turn_end.spends, choice)] if choice is not None and choice.worth > 0 else []
    return found


def chosen(
    encounter: Encounter, choices: Sequence[TurnChoice], temper: Temper, pick: Callable[[int], int]
) -> TurnChoice | None:
    """Return what a combatant of this temper does, or None if there is nothing to do.

    `pick(n)` returns a random number from 0 to n − 1; only the careless use it.
    """
    if not choices:
        return None
    if has(encounter.combatants[choices[0].who], "strikes at random"):
        temper = "careless"
    match temper:
        case "careless":
            targets = list(dict.fromkeys(choice.targets for choice in choices))
            aimed = targets[pick(len(targets))]
            return _best([choice for choice in choices if choice.targets == aimed])
        case "ruthless":
            blows = [choice for choice in choices if choice.move.aim in _ON_FOES] or choices
            weakest = min(blows, key=lambda choice: _weakness(encounter, choice)).targets[:1]
            there = [choice for choice in blows if choice.targets[:1] == weakest]
            likeliest = max(choice.falls for choice in there)
            return _best([choice for choice in there if choice.falls >= likeliest - _ALIKE])
    return _best(choices)


def _best(choices: Sequence[TurnChoice]) -> TurnChoice:
    return max(choices, key=lambda choice: (choice.worth_per_turn, choice.falls))


def _weakness(encounter: Encounter, choice: TurnChoice) -> tuple[int, Fraction, Fraction]:
    """Return what is less for a weaker target; of equally weak ones, for the one that is easier to harm."""
    left = points(encounter, choice.targets[0]) if choice.targets else 0
    return left, -choice.falls, -choice.worth_per_turn


class _Aims:
    """The targets that the moves of a combatant could have now."""

    def __init__(self, encounter: Encounter, who: str) -> None:
        self._encounter, self._own = encounter, encounter.combatants[who]
        self._present = [each for each in encounter.in_line() if not each.state.arrives]
        foes = (each for each in self._present if each.side != self._own.side)
        self._standing = [each for each in foes if stands(encounter, each.id)]
        self._spared = spared_by(encounter, who)

    def of(self, move: Move) -> Iterator[tuple[str, ...]]:
        """Yield the targets of a move.

        An area reaches the foes that are near its first target. None is used where it would reach an ally or
        a combatant to be spared.
        """
        encounter, own = self._encounter, self._own
        match move.aim:
            case "itself":
                yield ()
            case "all foes":
                if self._standing:
                    yield tuple(each.id for each in self._standing)
            case "fallen ally":
                yield from ((each.id,) for each in self._present if _is_fallen_ally(encounter, own, each))
            case _:
                targets = [each for each in self._standing if each.id not in self._spared]
                for foe in preferred(encounter, own.id, targets):
                    near = encounter.neighbours(foe) if move.aim == "foes" else ()
                    if any(_is_ally(encounter, own, each) or each.id in self._spared for each in near):
                        continue
                    yield (foe.id, *(each.id for each in near if each in self._standing))


def _is_ally(encounter: Encounter, own: Combatant, other: Combatant) -> bool:
    return other.side == own.side and other.id != own.id and stands(encounter, other.id)


def _is_fallen_ally(encounter: Encounter, own: Combatant, other: Combatant) -> bool:
    return other.side == own.side and other.id != own.id and not stands(encounter, other.id)


def valued(
    encounter: Encounter,
    who: str,
    move: Move,
    targets: tuple[str, ...],
    worth_of_move: FindWorth = worth_of_move,
) -> TurnChoice | None:
    """Return a move with its worth, or None if the rules refuse it."""
    if is_flight(move):
        is_held = bool(encounter.neighbours(encounter.combatants[who]))
        is_possible = is_held or move == LEAVE
        return TurnChoice(who, move, (), Fraction(0), Fraction(0)) if is_possible else None
    if not targets:
        is_possible = worth_of_move(encounter, who, move, None) is not None
        return TurnChoice(who, move, (), Fraction(0), Fraction(0)) if is_possible else None
    each: list[Worth] = []
    for target in targets:
        worth = worth_of_move(encounter, who, move, target)
        if worth is None:
            return None
        each.append(worth)
    if move.aim == "fallen ally":
        falls = 1 - each[0].falls
        return TurnChoice(who, move, targets, falls, falls - each[0].share)
    whole = each[0].whole if len(each) == 1 else sum((worth.whole for worth in each), Fraction(0))
    return TurnChoice(who, move, targets, each[0].falls, whole)
