"""Curves of values over a fight: every change counts, and known events are not read again."""

import marshal
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as some

from systems.encounter.history import Event, Events, history
from systems.encounter.timeline import Timeline
from tests.systems.fight import Fight
from tests.systems.toy import toy

FOUR = ("add ada", "add bo", "add orc x2", "start")


def hurt(*amounts: int) -> Fight:
    return toy(*FOUR, *[f"damage orc-1 {one}" for one in amounts])


def test_a_curve_runs_from_the_first_value_to_the_present_one():
    fight = hurt(3, 2)
    assert Timeline().sampled(fight.log, "orc-1", "hp", 5, 100)[-3:] == [10, 7, 5]


def test_the_curve_of_an_unchanged_value_is_flat():
    fight = hurt(3)
    assert set(Timeline().sampled(fight.log, "bo", "hp", 10, 100)) == {10}
    assert set(Timeline().sampled(toy().log, "bo", "hp", 10, 100)) == {10}


def test_a_combatant_that_returns_starts_a_new_curve():
    fight = hurt(3)
    fight.do("remove orc-1")
    fight.do("undo")
    assert Timeline().sampled(fight.log, "orc-1", "hp", 7, 100) == [7]


def test_a_curve_grows_with_the_fight_and_is_rebuilt_for_another_log():
    fight, curves = hurt(3), Timeline()
    before = fight.log
    curves.points(before)
    fight.do("damage orc-1 2")
    assert curves.points(fight.log) == Timeline().points(fight.log)
    other = hurt(1, 1, 1, 1)
    assert curves.points(other.log) == Timeline().points(other.log)
    assert curves.points(before) == Timeline().points(before)


class Counted(Sequence[Event]):
    """Events that record which of them were read."""

    def __init__(self, events: Sequence[Event]) -> None:
        self.events, self.asked = events, set()

    def __len__(self) -> int:
        return len(self.events)

    def __getitem__(self, at):
        self.asked.add(at)
        return self.events[at]


@given(amounts=some.lists(some.integers(1, 3), min_size=1, max_size=12), data=some.data())
def test_known_points_are_not_calculated_again(amounts, data):
    fight = hurt(*amounts)
    events = list(fight.log.events)
    count = data.draw(some.integers(1, len(events)))
    known = marshal.loads(marshal.dumps(Timeline().points(history(events[:count]))))
    past = Counted(events)
    log = history(Events(past), history(events[:count]).known)
    past.asked.clear()
    curves = Timeline(known, events[count - 1])
    assert curves.points(log) == Timeline().points(fight.log)
    assert past.asked <= {*range(count - 1, len(events))}
