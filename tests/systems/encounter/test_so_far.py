"""The points so far, followed event by event, against the recap of the whole fight."""

from random import Random

import pytest

from systems.encounter.events import Event
from systems.encounter.history import Events, history
from systems.encounter.recap import recap_of
from systems.encounter.so_far import SoFar
from systems.errors import Misread, Refused, Wrong
from systems.frozen import evolve
from tests.systems.fight import GAMES, Fight
from tests.systems.walks import line_for


def followed(fight: Fight, so_far: SoFar, most: int = 1_000) -> None:
    while not so_far.follow(fight.log, most):
        pass


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(3))
def test_the_points_so_far_are_those_of_the_recap_after_every_command(game: str, seed: int) -> None:
    random = Random(seed)
    fight = Fight(game, "add okado", "add guard x2", "start")
    so_far = SoFar(fight.game.harm_fields)
    for _ in range(40):
        line = random.choice([line_for(fight, random), line_for(fight, random), "undo", "redo"])
        try:
            fight.do(line)
        except (Refused, Wrong, Misread):
            continue
        if random.random() < 0.5:
            followed(fight, so_far, random.choice((1, 3, 1_000)))
            recap = recap_of(fight.encounter, fight.log)
            assert so_far.totals.dealt == {who: lost for who, lost in recap.dealt.items() if lost}, line
            assert so_far.totals.taken == {who: lost for who, lost in recap.taken.items() if lost}, line
            heaviest = max((blow.lost for blow in recap.blows if blow.by and not blow.to_itself), default=0)
            assert (so_far.totals.heaviest.lost if so_far.totals.heaviest else 0) == heaviest, line


def test_amended_events_and_undoing_everything_are_followed() -> None:
    fight = Fight("atlantis", "add okado", "add guard x2", "start", "damage guard-1 20")
    so_far = SoFar(fight.game.harm_fields)
    followed(fight, so_far)
    assert so_far.totals.taken == {"guard-1": 20}
    fight.do("undo 2")
    followed(fight, so_far)
    assert so_far.totals.taken == {}
    fight.do("redo 2")
    followed(fight, so_far)
    assert so_far.totals.taken == {"guard-1": 20}


def test_a_long_fight_is_read_in_parts_and_the_earlier_totals_stay_until_it_is_read() -> None:
    fight = Fight("atlantis", "add okado", "add guard x2", "start")
    so_far = SoFar(fight.game.harm_fields)
    followed(fight, so_far)
    for _ in range(5):
        fight.do("damage guard-1 1")
    assert not so_far.follow(fight.log, 2)
    assert so_far.totals.taken == {}
    assert not so_far.follow(fight.log, 2)
    assert so_far.follow(fight.log, 2)
    assert so_far.totals.taken == {"guard-1": 5}


def test_each_event_of_a_long_fight_is_read_once() -> None:
    fight = Fight("atlantis", "add okado", "add guard x2", "start")
    for _ in range(40):
        fight.do("damage guard-1 1")
    read: list[int] = []

    class Counting(Events):
        def _at(self, at: int) -> Event:
            read.append(at)
            return super()._at(at)

    log = history(Counting(fight.log.events))
    read.clear()
    so_far = SoFar(fight.game.harm_fields)
    while not so_far.follow(log, 5):
        pass
    assert so_far.totals.taken == {"guard-1": 40}
    # The next part is looked for once more at the end of each part.
    assert len(read) <= len(log.events) * 6 / 5


def test_a_batch_that_is_undone_around_the_event_of_a_seat_is_taken_back() -> None:
    fight = Fight("atlantis", "add okado", "add guard x2", "start")
    first = len(fight.log.events) + 1
    for who, batch, target in (("gm", first, 1), ("okado", 0, 2), ("gm", first, 1)):
        done = fight.done(f"damage guard-{target} 2")
        fight.keep(evolve(done, who=who, batch=batch))
    so_far = SoFar(fight.game.harm_fields)
    followed(fight, so_far)
    assert so_far.totals.taken == {"guard-1": 4, "guard-2": 2}
    fight.do("undo")
    followed(fight, so_far)
    assert so_far.totals.taken == {"guard-2": 2}
    fight.do("redo")
    followed(fight, so_far)
    assert so_far.totals.taken == {"guard-1": 4, "guard-2": 2}
