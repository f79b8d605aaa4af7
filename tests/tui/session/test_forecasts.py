"""How the tempers share the fights of a forecast."""

from collections import Counter

import pytest

from systems.forecast.choice import Temper
from systems.forecast.fight import PlayedFight
from systems.forecast.tally import Forecast, Tempers
from tests.systems.fight import Fight
from tui.session.forecasts import Forecaster, Sharing

# How many of ten fights the players win in this invented fight, by the tempers of foes and players.
WON = {"careless": 10, "sensible": 5, "ruthless": 1}


def forecast(
    sharing: Sharing, fights: int, monkeypatch: pytest.MonkeyPatch
) -> tuple[Forecast, Counter[Tempers]]:
    """Return a forecast and how many fights it has played with each temper."""
    fight = Fight("simple", "add okado", "add guard")
    played: Counter[Tempers] = Counter()

    def note(forecaster: Forecaster, foes: Temper, players: Temper, number: int) -> PlayedFight:
        played[foes, players] += 1
        is_won = number % 10 < (WON[foes] if foes != "sensible" else 5)
        return PlayedFight("won" if is_won else "lost", fight.encounter, frozenset())

    monkeypatch.setattr(Forecaster, "_fight", note)
    forecaster = Forecaster(fight.encounter, fight.roster, 1, {}, sharing=sharing)
    assert [*forecaster.play(fights)][-1] == fights
    return forecaster.forecast(), played


def test_an_even_forecast_plays_each_fight_against_foes_of_each_temper(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found, played = forecast("evenly", 400, monkeypatch)
    assert found.fights == 400
    assert {played[temper, "sensible"] for temper in ("careless", "sensible", "ruthless")} == {400}
    assert {played["sensible", temper] for temper in ("careless", "ruthless")} == {225}


def test_the_page_has_the_sensible_chance_within_five_points_first_then_the_ends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found, played = forecast("sensible first", 380, monkeypatch)
    assert played["sensible", "sensible"] == 380 > 0.75 * played.total()
    assert found.band.margin < 0.16
    # The players' own tempers change nothing here, so they are not the ends.
    later, played = forecast("sensible first", 1000, monkeypatch)
    assert later.tempers["ruthless"].margin < 1.1 * later.tempers["sensible"].margin
    assert played["sensible", "careless"] < played["sensible", "sensible"] / 2


def test_the_line_narrows_the_band_first(monkeypatch: pytest.MonkeyPatch) -> None:
    found, played = forecast("by margin", 200, monkeypatch)
    assert played["sensible", "sensible"] == 200 < played.total()
    assert found.band.margin <= found.tempers["sensible"].margin * 1.1
    assert max(played.values()) == 200
