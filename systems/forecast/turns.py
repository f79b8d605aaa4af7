"""Which foes act before a combatant's next turn, and which combatants act next."""

from collections.abc import Container, Sequence

from systems.encounter.model import Combatant, Encounter
from systems.encounter.schedule import next_in_round, sharing_turn


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
