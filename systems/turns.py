"""Turns and rounds: the start of the fight, the next turn, the sides style, extra turns.

One rule carries all of it: the next turn is that of the first combatant after the present one whose
turn this round is not over; when nobody is left a new round begins. So nobody is skipped or comes
up twice, whatever is moved, removed, killed or revived in between.
"""

from collections.abc import Sequence

from systems.contract import PLAYERS
from systems.durations import end_of_turn, start_of_round, start_of_turn
from systems.encounter import Combatant, Encounter
from systems.initiative import join_order, roll_initiative
from systems.play import Play, Refused
from systems.words import listed


def start(play: Play) -> None:
    """Begin round 1 with the first one's turn. Raises Refused when it has begun or nobody is there."""
    course = play.encounter.course
    if course.over:
        raise Refused("the fight is over; undo brings it back")
    if course.round:
        raise Refused(f"the fight has begun already, it is round {course.round}")
    here = [one for one in play.encounter if not one.place.arrives and not one.place.waits]
    if not any(play.encounter.status(one).in_order for one in here):
        raise Refused("nobody is there whose turn could come; add somebody first")
    order = _first_order(play, here)
    play.encounter = play.encounter.with_course(order=tuple(order), round=1)
    _tag(play)
    play.say("The fight begins, round 1.")
    open_next(play)


def _first_order(play: Play, here: Sequence[Combatant]) -> list[str]:
    if play.encounter.style == "initiative":
        return roll_initiative(play, [one.id for one in here])
    if play.encounter.course.ordered:
        return [one for one in play.encounter.course.order if one in {each.id for each in here}]
    return [one.id for one in sorted(here, key=lambda one: one.side != PLAYERS)]


def _tag(play: Play) -> None:
    """The tags follow the order once, when the fight begins, and stay from then on."""
    for tag, one in enumerate(play.encounter.in_line(), 1):
        if one.place.tag != tag:
            play.put(one.placed(tag=tag))


def turn_of(encounter: Encounter, who: str) -> tuple[str, ...]:
    """Everybody who shares that turn: the group, or the one alone."""
    group = encounter.combatants[who].place.group
    if not group:
        return (who,)
    return tuple(
        one
        for one in encounter.course.order
        if encounter.combatants[one].place.group == group and _can_come(encounter, one)
    ) or (who,)


def _can_come(encounter: Encounter, who: str) -> bool:
    one = encounter.combatants[who]
    return encounter.status(one).in_order and not one.place.waits


def anybody_left(encounter: Encounter) -> bool:
    """Whether somebody's turn can still come, now or with the next round's arrivals."""
    coming = encounter.course.round + 1
    return any(_can_come(encounter, one) for one in encounter.course.order) or any(
        one.place.arrives == coming for one in encounter
    )


def _due(encounter: Encounter) -> list[str]:
    """Those whose turn of this round is still to come, from the present one onwards."""
    course = encounter.course
    order = list(course.order)
    after = order.index(course.turn) if course.turn in order else -1
    rest = [*order[after + 1 :], *order[: after + 1]]
    return [
        who
        for who in rest
        if _can_come(encounter, who) and encounter.combatants[who].place.done < course.round
    ]


def next_turn(play: Play, by: str | None = None) -> None:
    """End a turn and begin the next. Raises Refused when the turn is not that one's to end."""
    course = play.encounter.course
    if not course.round:
        raise Refused("the fight has not begun; start it first")
    if course.over:
        raise Refused("the fight is over; undo brings it back")
    if not anybody_left(play.encounter):
        raise Refused("nobody is left whose turn could come")
    if by is not None:
        _check_own(play.encounter, by)
        play.encounter = play.encounter.with_course(turn=by)
    _close(play)
    open_next(play)


def _check_own(encounter: Encounter, by: str) -> None:
    """Whether the turn is theirs to end: the present one's, or in the sides style anybody's of the side."""
    one = encounter.combatants[by]
    if encounter.style == "sides" and not encounter.course.interrupted:
        if one.side != encounter.course.side:
            raise Refused(f"it is not {one.name}'s side that has the turn")
        if one.place.done >= encounter.course.round or not _can_come(encounter, by):
            raise Refused(f"{one.name} has no turn to end in this round")
    elif encounter.course.turn is None or by not in turn_of(encounter, encounter.course.turn):
        raise Refused(f"it is not {one.name}'s turn")


def _close(play: Play) -> None:
    """The turn that runs is over: its hook, its conditions, its offers."""
    play.encounter = play.encounter.without_offers()
    turn = play.encounter.course.turn
    if turn is None:
        return
    for who in turn_of(play.encounter, turn):
        play.hook("turn_end", who)
        end_of_turn(play, who)
        if not play.encounter.course.interrupted:
            play.put(play.one(who).placed(done=play.encounter.course.round))


def open_next(play: Play) -> None:
    """Give the turn to whoever comes next, through a new round when this one is done."""
    course = play.encounter.course
    if course.interrupted and course.interrupted in play.encounter.combatants:
        back = course.interrupted
        play.encounter = play.encounter.with_course(turn=back, interrupted=None)
        if _can_come(play.encounter, back):
            play.say(f"{play.one(back).name}'s turn goes on.")
            return
    while anybody_left(play.encounter):
        if due := _due(play.encounter):
            _begin(play, _of_the_side(play.encounter, due))
            return
        _new_round(play)
    play.encounter = play.encounter.with_course(turn=None, interrupted=None)
    play.say("Nobody is left whose turn could come.")


def _of_the_side(encounter: Encounter, due: Sequence[str]) -> str:
    """Who of the due comes first: in the sides style all of one side before any of the next."""
    if encounter.style != "sides":
        return due[0]
    sides = list(dict.fromkeys(encounter.combatants[one].side for one in encounter.course.order))
    if encounter.course.side in sides and encounter.course.turn is not None:
        at = sides.index(encounter.course.side)
        sides = [*sides[at:], *sides[:at]]
    first = {side: at for at, side in enumerate(sides)}
    in_order = sorted(due, key=encounter.course.order.index)
    return min(in_order, key=lambda who: first[encounter.combatants[who].side])


def _new_round(play: Play) -> None:
    number = play.encounter.course.round + 1
    play.encounter = play.encounter.with_course(round=number, turn=None, interrupted=None, side=None)
    play.say(f"Round {number}.")
    for one in [one for one in play.encounter if one.place.arrives == number]:
        play.put(one.placed(arrives=0))
        play.say(f"{one.name} arrives.")
        join_order(play, one.id)
    start_of_round(play)
    for one in list(play.encounter):
        if not one.place.arrives:
            play.hook("round_start", one.id)


def _begin(play: Play, who: str) -> None:
    """The turn of `who` begins; in the sides style that of its whole side, when the side changes."""
    one = play.one(who)
    new_side = play.encounter.style == "sides" and one.side != play.encounter.course.side
    play.encounter = play.encounter.with_course(turn=who, side=one.side)
    beginning = turn_of(play.encounter, who)
    if play.encounter.style == "sides":
        side = [each for each in play.encounter.course.order if play.one(each).side == one.side]
        beginning = tuple(side) if new_side else ()
        if new_side:
            play.say(f"The {one.side} have the turn.")
    for each in beginning:
        if play.one(each).place.begun < play.encounter.course.round and _can_come(play.encounter, each):
            play.put(play.one(each).placed(begun=play.encounter.course.round))
            start_of_turn(play, each)
            play.hook("turn_start", each)
    play.say(_briefing(play.encounter, who))


def _briefing(encounter: Encounter, who: str) -> str:
    """`Okado's turn. Hurt: −5 to everything. Next: Guard 1.`"""
    one = encounter.combatants[who]
    lines = [f"{one.name}'s turn", *encounter.game.brief(one.sheet, encounter.house)]
    # What stands for a field of the sheet is the game's to tell.
    own = [encounter.game.condition(held.name) for held in one.conditions]
    told = [
        held.label for held, known in zip(one.conditions, own, strict=True) if not (known and known.field)
    ]
    if told:
        lines.append("Bears " + listed(told))
    follows = next((each for each in _due(encounter) if each != who), None)
    if follows:
        lines.append(f"Next: {encounter.combatants[follows].name}")
    return ". ".join(line.rstrip(".") for line in lines) + "."


def following(encounter: Encounter) -> Combatant | None:
    """Who comes after the present turn in this round, if anybody does."""
    due = [one for one in _due(encounter) if one != encounter.course.turn]
    return encounter.combatants[_of_the_side(encounter, due)] if due else None
