"""The order in which a forecast plays its fights."""

from collections import Counter

import pytest

from systems.forecast.choice import Temper
from systems.forecast.fight import PlayedFight
from tests.systems.fight import Fight
from tui.session.forecasts import Forecaster


@pytest.mark.parametrize(
    ("evenly", "counts"),
    [(True, {"foes": 400, "players": 225}), (False, {"foes": 94, "players": 94})],
)
def test_most_fights_are_sensible_unless_a_forecast_is_even(
    evenly: bool, counts: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    fight = Fight("simple", "add okado", "add guard")
    played: Counter[tuple[Temper, Temper]] = Counter()

    def note(forecaster: Forecaster, foes: Temper, players: Temper) -> PlayedFight:
        played[foes, players] += 1
        return PlayedFight("won", fight.encounter, frozenset())

    monkeypatch.setattr(Forecaster, "_fight", note)
    forecaster = Forecaster(fight.encounter, fight.roster, 1, {}, evenly=evenly)
    assert [*forecaster.play(50)][-1] == 50
    assert set(played.values()) == {50}
    assert [*forecaster.play(350)][-1] == 350
    assert played["sensible", "sensible"] == forecaster.forecast().fights == 400
    for temper in ("careless", "ruthless"):
        assert abs(played[temper, "sensible"] - counts["foes"]) <= 1
        assert abs(played["sensible", temper] - counts["players"]) <= 1
