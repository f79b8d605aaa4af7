"""The turns before a combatant's next one, the foes that act in them, and the combatants that act next."""

from collections.abc import Sequence

from systems.encounter.model import Combatant, Encounter
from systems.encounter.schedule import group_of, next_in_round, sharing_turn, sides_in_turn
from systems.frozen import frozen


@frozen
class TurnBefore:
    """A turn that ends before a combatant's next one: the ids of all that share it.

    `is_next_round`: it is a turn of the next round.
    """

    members: tuple[str, ...]
    is_next_round: bool = False


def foes_before_turn(encounter: Encounter, who: str) -> tuple[str, ...]:
    """Return the foes that act before a combatant's next turn, in the order of their turns."""
    side = encounter.combatants[who].side
    return tuple(
        each
        for turn in turns_before(encounter, who)
        for each in turn.members
        if encounter.combatants[each].side != side and encounter.status(encounter.combatants[each]).acts
    )


def turns_before(encounter: Encounter, who: str) -> tuple[TurnBefore, ...]:
    """Return the turns that end before a combatant's next turn.

    If it is the combatant's turn now, that turn is the first. Combatants that may arrive until then come
    last, and so do delaying ones.
    """
    coming = _coming(encounter, who)
    late = [
        combatant.id
        for combatant in encounter
        if combatant.id not in coming
        and combatant.id != who
        and (combatant.state.waits or _may_arrive_before(encounter, combatant, encounter.combatants[who]))
    ]
    turns: list[TurnBefore] = []
    left = [*coming, *late]
    while left:
        group = group_of(encounter, left[0])
        shared = tuple(each for each in left if each == left[0] or each in group)
        turns.append(TurnBefore(shared, is_turn_over(encounter, left[0])))
        left = [each for each in left if each not in shared]
    return tuple(turns)


def is_turn_over(encounter: Encounter, who: str) -> bool:
    """Return whether a combatant has no turn any more in this round: its next one is in a later round."""
    state, number = encounter.combatants[who].state, encounter.progress.round
    return state.arrives > number or state.done >= number


def has_turn_now(encounter: Encounter, who: str) -> bool:
    """Return whether it is the turn of a combatant, or of its side, and it is not over for it."""
    progress, combatant = encounter.progress, encounter.combatants[who]
    if progress.present is None or is_turn_over(encounter, who):
        return False
    of_side = encounter.style == "sides" and progress.side == combatant.side
    return of_side or who in group_of(encounter, progress.present)


def _may_arrive_before(encounter: Encounter, late: Combatant, own: Combatant) -> bool:
    """Return whether a combatant arrives with the next round and may act before this one's next turn.

    Without an initiative of its own yet, it may. In the game master's own order it comes last, and in turns
    of sides with its side.
    """
    if not 0 < late.state.arrives <= encounter.progress.round + 1:
        return False
    if not (is_turn_over(encounter, own.id) or has_turn_now(encounter, own.id)):
        # It still has a turn in this round.
        return False
    match encounter.style:
        case "initiative":
            rank, scores = encounter.initiative.rank, (late.state.initiative, own.state.initiative)
            return None in scores or rank(scores[0] or 0) >= rank(scores[1] or 0)
        case "sides":
            sides = sides_in_turn(encounter)
            return late.side in sides and sides.index(late.side) < sides.index(own.side)
    return False


def _coming(encounter: Encounter, who: str) -> list[str]:
    """Return the combatants in the order whose turns end before this one's next turn."""
    progress, own = encounter.progress, encounter.combatants[who]
    order = [each for each in progress.order if each in encounter.combatants]
    if encounter.style == "sides":
        return _of_sides(encounter, own, order)
    at = order.index(progress.present) if progress.present in order else 0
    turning = [*order[at:], *order[:at]]
    if who in turning[1:]:
        turning = turning[: turning.index(who, 1)]
    if progress.present not in order:
        turning = [each for each in turning if encounter.combatants[each].state.done < progress.round]
    return turning


def _of_sides(encounter: Encounter, own: Combatant, order: Sequence[str]) -> list[str]:
    """Return the members of the sides whose turns end before the next one of a combatant's side.

    The side in its turn comes first, without the members whose turn is over.
    """
    number, side = encounter.progress.round, encounter.progress.side
    sides = sides_in_turn(encounter)
    at = sides.index(side) if side in sides else 0
    turning = [*sides[at:], *sides[:at]]
    if own.side in turning[1:]:
        turning = turning[: turning.index(own.side, 1)]
    people = [encounter.combatants[each] for each in order]
    return [
        each.id
        for coming in turning
        for each in people
        if each.side == coming and not (coming == side and each.state.done >= number)
    ]


def next_to_act(encounter: Encounter, count: int) -> tuple[str, ...]:
    """Return the next combatants able to act after the present turn, in the order of their turns."""
    progress = encounter.progress
    if not progress.round or progress.over:
        return ()
    present = sharing_turn(encounter, progress.turn) if progress.turn is not None else ()
    found: list[str] = []
    after = encounter.with_progress(round=progress.round + 1, turn=None, side=None, interrupted=None)
    for here, passed in ((encounter, {*present}), (after, {*()})):
        while len(found) < count and (who := next_in_round(here, passed)) is not None:
            passed.add(who)
            if here.status(here.combatants[who]).acts and who not in found:
                found.append(who)
    return tuple(found)
