"""Where a fight turned: the chance after each round, and the event that moved it most."""

from systems.forecast.turning import PlayedMoment, Turning, WinChance, round_moments, turning_of
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
    for line in ("damage okado 1", "next", "next", "heal okado 3", "next", "next", "end", "share recap"):
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


def test_a_miss_and_a_condition_may_turn_a_fight_and_a_small_change_is_not_named() -> None:
    fight = Fight("simple", "add okado", "add guard", "start", "next", "next")
    missed = fight.do("attack guard by okado dice=1").n
    marked = fight.do("condition okado marked").n
    for line in ("next", "next", "next", "next", "end"):
        fight.do(line)

    def chance(turns: int, margin: float) -> Turning:
        def find(moment: PlayedMoment) -> WinChance:
            return WinChance(moment.round, moment.event, 0.9 if moment.event < turns else 0.5, margin)

        return turning_of(fight.encounter, fight.log, find, silent)

    assert chance(missed, 0.1).event == missed
    assert chance(marked, 0.1).event == marked
    assert chance(marked, 0.1).is_clear
    # Both chances may be off, so the step between them may be off by more than either.
    assert round(chance(marked, 0.1).margin) == 14
    assert not chance(marked, 0.3).is_clear
