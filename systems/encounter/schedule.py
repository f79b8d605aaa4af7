"""Whose turn it is to come: asked of an encounter, nothing is changed.

One rule carries all of it: the next turn is that of the first combatant after the present one whose
turn this round is not over. So nobody is skipped or comes up twice, whatever is moved, removed, killed
or revived in between.
"""

from collections.abc import Container, Iterator

from systems.encounter.model import Combatant, Encounter


def can_come(encounter: Encounter, who: str) -> bool:
    """Whether the turn of `who` comes up: it is there, does not wait and is not out of the fight."""
    combatant = encounter.combatants[who]
    return not combatant.state.waits and not combatant.state.arrives and encounter.status(combatant).in_order


def may_act(encounter: Encounter, who: str) -> bool:
    """Whether the turn that runs is also that of `who`: to act in it, and to end it.

    In the sides style everybody of the side whose turn of this round is not over; else whoever shares
    the present turn.
    """
    progress, combatant = encounter.progress, encounter.combatants[who]
    if not progress.round or progress.over:
        return False
    if encounter.style != "sides" or progress.interrupted:
        return progress.turn is not None and who in sharing(encounter, progress.turn)
    return (
        combatant.side == progress.side and combatant.state.done < progress.round and can_come(encounter, who)
    )


def waiting(encounter: Encounter) -> tuple[str, ...]:
    """Those who delay their turn and could take it, the highest initiative first."""
    found = [
        combatant
        for combatant in encounter
        if combatant.state.waits and not combatant.state.arrives and encounter.status(combatant).in_order
    ]
    return tuple(
        combatant.id for combatant in sorted(found, key=lambda combatant: -(combatant.state.initiative or 0))
    )


def waited(encounter: Encounter, besides: Container[str] = ()) -> str | None:
    """Who gets the turn at the end of the round: the first of those who wait and had none in it."""
    number, combatants = encounter.progress.round, encounter.combatants
    return next(
        (who for who in waiting(encounter) if combatants[who].state.done < number and who not in besides),
        None,
    )


def anybody_left(encounter: Encounter) -> bool:
    """Whether somebody's turn can still come, now or with the next round's arrivals."""
    coming = encounter.progress.round + 1
    return any(can_come(encounter, who) for who in encounter.progress.order) or any(
        0 < combatant.state.arrives <= coming for combatant in encounter
    )


def anybody_acts(encounter: Encounter) -> bool:
    """Whether the turn can come to somebody who is able to act."""
    here = [who for who in encounter.progress.order if can_come(encounter, who)]
    return any(encounter.status(encounter.combatants[who]).acts for who in (*here, *waiting(encounter)))


def arrives_next(encounter: Encounter) -> Combatant | None:
    """Who of those that are still to come arrives first."""
    coming = [combatant for combatant in encounter if combatant.state.arrives]
    return min(coming, key=lambda combatant: combatant.state.arrives, default=None)


def group_of(encounter: Encounter, who: str) -> tuple[str, ...]:
    """Everybody whose turn begins with that of `who`: the group, or the one alone."""
    group = encounter.combatants[who].state.group
    if not group:
        return (who,)
    members = (who for who in encounter.progress.order if encounter.combatants[who].state.group == group)
    return tuple(who for who in members if can_come(encounter, who)) or (who,)


def sharing(encounter: Encounter, who: str) -> tuple[str, ...]:
    """Those whose turn began with that of `who` and runs, fallen or not. An extra turn is not shared."""
    group, number = encounter.combatants[who].state.group, encounter.progress.round
    if not group or encounter.progress.interrupted:
        return (who,)
    places = {combatant.id: combatant.state for combatant in encounter}
    return tuple(
        other
        for other, place in places.items()
        if other == who
        or (place.group == group and place.begun == number and place.done < number and not place.waits)
    )


def first_due(encounter: Encounter, besides: Container[str] = ()) -> str | None:
    """Whose turn of this round comes first, leaving out `besides`; None when the round is done.

    From the present turn onwards; in the sides style all of one side before any of the next.
    """
    number, people = encounter.progress.round, encounter.combatants
    for who in _from_here(encounter):
        if people[who].state.done < number and who not in besides and can_come(encounter, who):
            return who
    return None


def _from_here(encounter: Encounter) -> Iterator[str]:
    """The order as it goes on from the present turn, all the way round."""
    progress = encounter.progress
    if encounter.style != "sides":
        after = progress.order.index(progress.turn) + 1 if progress.turn in progress.order else 0
        yield from progress.order[after:]
        yield from progress.order[:after]
        return
    by_side: dict[str, list[str]] = {}
    for who in progress.order:
        by_side.setdefault(encounter.combatants[who].side, []).append(who)
    sides = list(by_side)
    at = sides.index(progress.side) if progress.side in by_side and progress.turn is not None else 0
    for side in (*sides[at:], *sides[:at]):
        yield from by_side[side]


def following(encounter: Encounter) -> Combatant | None:
    """Who acts after the present turn in this round, if anybody does; at its end whoever has waited."""
    progress = encounter.progress
    if progress.interrupted not in (None, progress.turn):
        return encounter.combatants[str(progress.interrupted)]
    passed = set(sharing(encounter, progress.turn)) if progress.turn else set()
    while who := first_due(encounter, passed):
        members = group_of(encounter, who)
        if any(encounter.status(encounter.combatants[member]).acts for member in members):
            break
        passed |= {who, *members}
    last = who or waited(encounter, passed)
    return None if last is None else encounter.combatants[last]
