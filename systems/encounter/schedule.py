"""Whose turn it is to come: asked of an encounter, nothing is changed.

One rule carries all of it: the next turn is that of the first combatant after the present one whose
turn this round is not over. So nobody is skipped or comes up twice, whatever is moved, removed, killed
or revived in between.
"""

from collections.abc import Container, Iterator

from systems.encounter.model import Combatant, Encounter


def can_come(encounter: Encounter, who: str) -> bool:
    """Whether the turn of `who` comes up: it is there, does not wait and is not out of the fight."""
    one = encounter.combatants[who]
    return not one.place.waits and not one.place.arrives and encounter.status(one).in_order


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


def group_of(encounter: Encounter, who: str) -> tuple[str, ...]:
    """Everybody whose turn begins with that of `who`: the group, or the one alone."""
    group = encounter.combatants[who].place.group
    if not group:
        return (who,)
    members = (one for one in encounter.course.order if encounter.combatants[one].place.group == group)
    return tuple(one for one in members if can_come(encounter, one)) or (who,)


def sharing(encounter: Encounter, who: str) -> tuple[str, ...]:
    """Those whose turn began with that of `who` and runs, fallen or not. An extra turn is not shared."""
    group, number = encounter.combatants[who].place.group, encounter.course.round
    if not group or encounter.course.interrupted:
        return (who,)
    places = {one.id: one.place for one in encounter}
    return tuple(
        one
        for one, place in places.items()
        if one == who
        or (place.group == group and place.begun == number and place.done < number and not place.waits)
    )


def first_due(encounter: Encounter, besides: Container[str] = ()) -> str | None:
    """Whose turn of this round comes first, leaving out `besides`; None when the round is done.

    From the present turn onwards; in the sides style all of one side before any of the next.
    """
    number, people = encounter.course.round, encounter.combatants
    for who in _from_here(encounter):
        if people[who].place.done < number and who not in besides and can_come(encounter, who):
            return who
    return None


def _from_here(encounter: Encounter) -> Iterator[str]:
    """The order as it goes on from the present turn, all the way round."""
    course = encounter.course
    if encounter.style != "sides":
        after = course.order.index(course.turn) + 1 if course.turn in course.order else 0
        yield from course.order[after:]
        yield from course.order[:after]
        return
    by_side: dict[str, list[str]] = {}
    for who in course.order:
        by_side.setdefault(encounter.combatants[who].side, []).append(who)
    sides = list(by_side)
    at = sides.index(course.side) if course.side in by_side and course.turn is not None else 0
    for side in (*sides[at:], *sides[:at]):
        yield from by_side[side]


def following(encounter: Encounter) -> Combatant | None:
    """Who comes after the present turn in this round, if anybody does."""
    course = encounter.course
    if course.interrupted not in (None, course.turn):
        return encounter.combatants[str(course.interrupted)]
    now = sharing(encounter, course.turn) if course.turn else ()
    who = first_due(encounter, now)
    return None if who is None else encounter.combatants[who]
