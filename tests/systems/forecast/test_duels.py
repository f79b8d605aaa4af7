"""Forecasts of duels agree with exact chances that come from the rules alone."""

from math import sqrt

import pytest

from systems.forecast.fight import play_fight
from systems.forecast.known_worths import KnownWorths
from systems.forecast.tally import Forecast, Tally
from systems.frozen import evolve
from systems.schema.conversion import read
from tests.systems.fight import GAMES, PEOPLE, Fight
from tests.systems.forecast.duels import DUELS, solved
from tests.systems.forecast.test_fight import dice

FIGHTS = 100


def duel_of(game: str) -> Fight:
    """Return the duel of a game at its first turn."""
    fight = Fight(game)
    for who, given in zip(("okado", "guard"), DUELS[game].sheets, strict=True):
        sheet = read(fight.game.sheet, {**PEOPLE[game][who], **given})
        fight.roster[who] = evolve(fight.roster[who], sheet=sheet)
        fight.do(f"add {who}")
    fight.do("start")
    return fight


def forecast_of(fight: Fight, fights: int) -> Forecast:
    worths, tally = KnownWorths(), Tally(fight.encounter)
    for seed in range(fights):
        tally.add(
            ("sensible", "sensible"),
            play_fight(fight.encounter, fight.roster, dice(seed), "sensible", worths),
        )
    return tally.forecast()


@pytest.mark.parametrize("game", GAMES)
def test_a_forecast_duel_is_won_as_often_and_takes_as_long_as_the_rules_alone_say(game: str) -> None:
    fight = duel_of(game)
    exact = solved(DUELS[game], player_begins=fight.turn == "okado")
    found = forecast_of(fight, FIGHTS)
    odds = found.tempers["sensible"]
    assert 0.2 < exact.win < 0.9
    assert abs(odds.win - exact.win) < 1.5 * odds.margin
    assert (found.falls["guard"], found.falls["okado"]) == (odds.won, FIGHTS - odds.won)
    mean = sum(number * chance for number, chance in exact.rounds.items())
    variance = sum((number - mean) ** 2 * chance for number, chance in exact.rounds.items())
    assert abs(found.mean_rounds - mean) < 3 * sqrt(variance / FIGHTS)
