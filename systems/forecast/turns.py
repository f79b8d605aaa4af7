"""The turns before a combatant's next one, the foes that act in them, and the combatants that act next."""

from collections.abc import Container, Sequence

from systems.encounter.model import Combatant, Encounter
from systems.encounter.schedule import group_of, next_in_round, sharing_turn


def foes_before_turn(encounter: Encounter, who: str, acted: Container[str] = ()) -> tuple[str, ...]:
    """Return the foes that act before a combatant's next turn, in the order of their turns.

    Foes that arrive until then come last, and so do delaying foes.
    """
    side = encounter.combatants[who].side
    return tuple(
        each
        for turn in turns_before(encounter, who)
        for each in turn
        if encounter.combatants[each].side != side
        and encounter.status(encounter.combatants[each]).acts
        and not (each in acted and encounter.game.spent is None)
    )


def turns_before(encounter: Encounter, who: str) -> tuple[tuple[str, ...], ...]:
    """Return the turns that end before a combatant's next turn, each as the ids of all that share it.

    If it is the combatant's turn now, that turn is the first. Combatants that arrive until then
    come last, and so do delaying ones.
    """
    coming = _coming(encounter, who)
    late = [
        combatant.id
        for combatant in encounter
        if combatant.id not in coming
        and combatant.id != who
        and (0 < combatant.state.arrives <= encounter.progress.round + 1 or combatant.state.waits)
    ]
    turns: list[tuple[str, ...]] = []
    left = [*coming, *late]
    while left:
        group = group_of(encounter, left[0])
        shared = tuple(each for each in left if each == left[0] or each in group)
        turns.append(shared)
        left = [each for each in left if each not in shared]
    return tuple(turns)


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
    """Return the members of a combatant's side that still act in the side's turn, then those of other sides.

    Members whose turn is over while their side acts are left out.
    """
    number, side = encounter.progress.round, encounter.progress.side
    people = [encounter.combatants[each] for each in order]
    left = [each for each in people if not (each.side == side and each.state.done >= number)]
    own_side = [each.id for each in left if each.side == own.side == side]
    return [*own_side, *(each.id for each in left if each.side != own.side)]


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
