"""Initiative: rolling it, its ties, and where a newcomer stands."""

from collections.abc import Sequence

from systems.contract import Initiative
from systems.encounter import Encounter
from systems.play import Play
from systems.words import listed, plain_number

# A game without initiative of its own, at a table that wants some.
_PLAIN = Initiative(lambda sheet, table: table.d(20, "initiative"))


def roll_initiative(play: Play, ids: Sequence[str]) -> list[str]:
    """Everybody's score in the order given, then the tie rule, then roll-offs. High scores first."""
    rule = play.encounter.game.initiative or _PLAIN
    keys: dict[str, tuple[int, ...]] = {}
    for who in ids:
        play.table.people = {"actor": who}
        one = play.one(who)
        score = rule.score(one.sheet, play.table)
        play.put(one.placed(initiative=max(-9_999, min(9_999, score))))
        keys[who] = (score, rule.tie(one.sheet))
    while rule.roll_off and (tied := _tied(keys)):
        for who in tied:
            play.table.people = {"actor": who}
            keys[who] = (*keys[who], play.table.d(rule.roll_off, "initiative, tied"))
    play.say(listed(f"{play.one(who).name} {plain_number(keys[who][0])}" for who in ids) + ".")
    return sorted(ids, key=lambda who: keys[who], reverse=True)


def _tied(keys: dict[str, tuple[int, ...]]) -> list[str]:
    """Those who share their place with somebody, in the order given."""
    found = list(keys.values())
    return [who for who, key in keys.items() if found.count(key) > 1]


def join_order(play: Play, who: str) -> None:
    """Put one into the order of a running fight; a slot that has passed waits for the next round."""
    course = play.encounter.course
    if not course.round:
        if course.ordered:
            play.encounter = play.encounter.with_course(order=(*course.order, who))
        return
    order = [one for one in course.order if one != who]
    if play.encounter.style == "initiative":
        roll_initiative(play, [who])
        place_by_initiative(play, who)
    else:
        play.encounter = play.encounter.with_course(order=(*order, who))
    if passed(play.encounter, who):
        play.put(play.one(who).placed(done=course.round))


def place_by_initiative(play: Play, who: str) -> None:
    """Behind everybody with the same or a higher score."""
    score = play.one(who).place.initiative or 0
    order = [one for one in play.encounter.course.order if one != who]
    behind = [at for at, one in enumerate(order, 1) if (play.one(one).place.initiative or 0) >= score]
    order.insert(behind[-1] if behind else 0, who)
    play.encounter = play.encounter.with_course(order=tuple(order))


def passed(encounter: Encounter, who: str) -> bool:
    """Whether the slot of `who` lies before the present turn."""
    order, turn = encounter.course.order, encounter.course.turn
    return turn in order and who in order and order.index(who) < order.index(turn or "")
