"""Whose turn it is to come: asked of an encounter, nothing is changed.

One rule carries all of it: the next turn is that of the first combatant after the present one whose
turn this round is not over. So nobody is skipped or comes up twice, whatever is moved, removed, killed
or revived in between.
"""

from collections.abc import Sequence

from systems.encounter import Combatant, Encounter


def can_come(encounter: Encounter, who: str) -> bool:
    """Whether the turn of `who` comes up: neither out of the fight nor waiting."""
    one = encounter.combatants[who]
    return not one.place.waits and encounter.status(one).in_order


def anybody_left(encounter: Encounter) -> bool:
    """Whether somebody's turn can still come, now or with the next round's arrivals."""
    coming = encounter.course.round + 1
    return any(can_come(encounter, one) for one in encounter.course.order) or any(
        0 < one.place.arrives <= coming for one in encounter
    )


def arrives_next(encounter: Encounter) -> Combatant | None:
    """Who of those that are still to come arrives first."""
    coming = [one for one in encounter if one.place.arrives]
    return min(coming, key=lambda one: one.place.arrives, default=None)


def turn_of(encounter: Encounter, who: str) -> tuple[str, ...]:
    """Everybody who shares that turn: the group, or the one alone. An extra turn is not shared."""
    group = encounter.combatants[who].place.group
    if not group or encounter.course.interrupted:
        return (who,)
    members = (one for one in encounter.course.order if encounter.combatants[one].place.group == group)
    return tuple(one for one in members if can_come(encounter, one)) or (who,)


def due(encounter: Encounter) -> list[str]:
    """Those whose turn of this round is still to come, from the present one onwards."""
    course = encounter.course
    order = course.order
    after = order.index(course.turn) + 1 if course.turn in order else 0
    rest = (*order[after:], *order[:after])
    people = encounter.combatants
    return [who for who in rest if people[who].place.done < course.round and can_come(encounter, who)]


def first_of(encounter: Encounter, waiting: Sequence[str]) -> str:
    """Who of the due comes first: in the sides style all of one side before any of the next."""
    course = encounter.course
    if encounter.style != "sides":
        return waiting[0]
    sides = list(dict.fromkeys(encounter.combatants[one].side for one in course.order))
    if course.side in sides and course.turn is not None:
        at = sides.index(course.side)
        sides = [*sides[at:], *sides[:at]]
    rank = {side: at for at, side in enumerate(sides)}
    place = {who: at for at, who in enumerate(course.order)}
    return min(waiting, key=lambda who: (rank[encounter.combatants[who].side], place[who]))


def following(encounter: Encounter) -> Combatant | None:
    """Who comes after the present turn in this round, if anybody does."""
    course = encounter.course
    if course.interrupted:
        return encounter.combatants[course.interrupted]
    sharing = turn_of(encounter, course.turn) if course.turn else ()
    waiting = [one for one in due(encounter) if one not in sharing]
    return encounter.combatants[first_of(encounter, waiting)] if waiting else None
