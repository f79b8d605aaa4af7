"""Where a fight turned: the chance after each round, and the event that moved it most."""

from systems.forecast.turning import PlayedMoment, WinChance, round_moments, turning_of
from tests.systems.fight import Fight


def health(moment: PlayedMoment) -> WinChance:
    """A chance that is Okado's share of hit points, to compare exactly."""
    win = moment.encounter.combatants["okado"].sheet.hp / 20
    return WinChance(moment.round, moment.event, win, 0.0)


def silent(done: int, of: int) -> None:
    pass


def test_the_largest_change_belongs_to_the_event_that_caused_it() -> None:
    fight = Fight("simple", "add okado", "add guard", "start", "next", "next")
    fight.do("damage okado 2")
    heavy = fight.do("damage okado 12").n
    for line in ("damage okado 1", "next", "next", "heal okado 3", "next", "next", "end"):
        fight.do(line)
    told: list[tuple[int, int]] = []
    found = turning_of(fight.encounter, fight.log, health, lambda done, of: told.append((done, of)))
    assert [(each.round, each.win) for each in found.curve] == [(0, 1.0), (1, 1.0), (2, 0.25), (3, 0.4)]
    assert (found.event, round(found.points)) == (heavy, -60)
    assert told[0] == (0, 4)


def test_undone_events_are_no_moments() -> None:
    fight = Fight("simple", "add okado", "add guard", "start", "next", "damage okado 9", "undo", "next")
    assert [moment.round for moment in round_moments(fight.encounter, fight.log)] == [0, 1]
    found = turning_of(fight.encounter, fight.log, health, silent)
    assert (found.event, found.points) == (0, 0.0)
