"""Leaving the order and coming back, delay and return, and the game master's own order."""

from collections.abc import Iterable

from systems.contract import PLAYERS
from systems.encounter import Encounter
from systems.initiative import place_by_initiative
from systems.play import Play, Refused
from systems.turns import open_next
from systems.words import plain_number


def leave_order(play: Play, ids: Iterable[str]) -> None:
    """Take some out of the order; when it is the turn of one of them, the turn passes on."""
    gone = set(ids)
    course = play.encounter.course
    passes = course.turn in gone and bool(course.round) and not course.over
    if passes:
        # The place in the order decides who is next, so it passes on before it is given up.
        play.encounter = play.encounter.without_offers()
        for who in gone:
            play.put(play.one(who).placed(waits=True))
        open_next(play)
    order = tuple(one for one in play.encounter.course.order if one not in gone)
    play.encounter = play.encounter.with_course(order=order)
    if play.encounter.course.interrupted in gone:
        play.encounter = play.encounter.with_course(interrupted=None)


def delay(play: Play, who: str) -> None:
    """Wait with one's turn. Raises Refused before the fight and for one who waits already."""
    one = play.one(who)
    if not play.encounter.course.round or play.encounter.course.over:
        raise Refused("nobody can wait outside a fight")
    if one.place.waits:
        raise Refused(f"{one.name} waits already")
    play.say(f"{one.name} waits.")
    leave_order(play, [who])
    play.put(play.one(who).placed(waits=True))


def come_back(play: Play, who: str) -> None:
    """Back into the order right after the present turn. Raises Refused for one who does not wait."""
    one = play.one(who)
    if not one.place.waits:
        raise Refused(f"{one.name} does not wait")
    play.put(one.placed(waits=False))
    course = play.encounter.course
    order = [each for each in course.order if each != who]
    order.insert(order.index(course.turn) + 1 if course.turn in order else len(order), who)
    play.encounter = play.encounter.with_course(order=tuple(order))
    play.say(f"{one.name} is back in the order.")
    if course.turn is None and course.round:
        open_next(play)


def move(play: Play, who: str, beside: str, after: bool) -> None:
    """Put one before or after another; the order stays so. Raises Refused for one with oneself."""
    if who == beside:
        raise Refused(f"{play.one(who).name} cannot stand before or after itself")
    order = [one for one in _whole_order(play.encounter) if one != who]
    order.insert(order.index(beside) + after, who)
    play.encounter = play.encounter.with_course(order=tuple(order), ordered=True)
    word = "after" if after else "before"
    play.say(f"{play.one(who).name} comes {word} {play.one(beside).name}.")


def set_value(play: Play, who: str, value: int) -> None:
    """Give an initiative score, or the place in the order where there are no scores."""
    name = play.one(who).name
    if play.encounter.style == "initiative":
        play.put(play.one(who).placed(initiative=value))
        if play.encounter.course.round:
            place_by_initiative(play, who)
        play.say(f"{name} has initiative {plain_number(value)}.")
        return
    order = [one for one in _whole_order(play.encounter) if one != who]
    order.insert(max(0, min(value - 1, len(order))), who)
    play.encounter = play.encounter.with_course(order=tuple(order), ordered=True)
    play.say(f"{name} comes {order.index(who) + 1} in the order.")


def _whole_order(encounter: Encounter) -> tuple[str, ...]:
    """The order, or before the fight everybody as they joined, the players first."""
    if encounter.course.order or encounter.course.round:
        return encounter.course.order
    here = [one for one in encounter if not one.place.arrives]
    return tuple(one.id for one in sorted(here, key=lambda one: one.side != PLAYERS))
