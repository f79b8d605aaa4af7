"""Measure how many whole fights a forecast plays in a second."""

from collections.abc import Iterator
from time import process_time

from tests.bench.world import Row, World
from tests.command import PREPARED, SAMPLES
from tui.session.forecasts import Forecaster
from tui.session.opening import open_fight

FIGHTS = 400
LEAST = {"srd5": 30}


def playing(world: World) -> Iterator[Row]:
    """Play each sample 400 times against sensible foes, nothing known before, in processor time."""
    for sample, encounter in PREPARED.items():
        session = open_fight(SAMPLES / sample, encounter, write=False).session
        forecaster = Forecaster(session.encounter, session.roster, 1, {}, ("sensible",), players=())
        began = process_time()
        for _ in forecaster.play(FIGHTS):
            pass
        speed = FIGHTS / (process_time() - began)
        forecast = forecaster.forecast()
        yield Row(
            f"whole fights a second, {session.game.name}, {len(session.encounter.combatants)} combatants",
            f"{LEAST.get(session.game.name, 100)}",
            f"{speed:.0f} ({forecast.mean_rounds:.1f} rounds, {forecast.tempers['sensible'].win:.0%} won)",
        )
