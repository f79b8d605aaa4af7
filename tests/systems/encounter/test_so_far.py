"""The points so far, followed event by event, against the recap of the whole fight."""

from random import Random

import pytest

from systems.encounter.recap import recap_of
from systems.encounter.so_far import SoFar
from systems.errors import Misread, Refused, Wrong
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
