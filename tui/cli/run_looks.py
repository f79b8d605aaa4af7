"""Lines of `affray run` that only read the fight: forecast, danger and recap.

Each is answered with one sentence, and with the fields that the verb of the same name prints as JSON.
"""

from collections.abc import Callable, Mapping
from typing import Any

from systems.encounter.recap import recap_of
from tui.cli.output import printable
from tui.cli.recap import plain_recap
from tui.display.danger import danger_lines
from tui.display.forecast import forecast_summary, turned_words
from tui.display.order_lines import fight_line
from tui.session.dangers import dangers_for
from tui.session.forecasts import SEED, calculated_turning, forecaster_of, recap_fights, typed_fights
from tui.session.live_fight import live_fight
from tui.session.opening import OpenEncounter
from tui.session.plain_dangers import plain_dangers
from tui.session.plain_forecasts import plain_forecast, plain_turning

Fields = dict[str, Any]


def looked(fight: OpenEncounter, line: str) -> Fields | None:
    """Return the answer to a line that only reads the fight, else None. Raises Refused."""
    word, _, rest = line.partition(" ")
    look = _LOOKS.get(word.casefold())
    return None if look is None else printable(look(fight, rest.strip()))


def _forecast(fight: OpenEncounter, rest: str) -> Fields:
    """Return how likely the players win; after the fight, where it turned."""
    session, fights = fight.session, typed_fights(rest)
    if session.encounter.progress.over:
        return _chances(fight, fights)
    forecaster = forecaster_of(live_fight(session))
    for _ in forecaster.play(fights):
        pass
    forecast = forecaster.forecast()
    return {"text": forecast_summary(forecast), "forecast": plain_forecast(forecast, fight.encounter, SEED)}


def _chances(fight: OpenEncounter, fights: int) -> Fields:
    session = fight.session
    turning = calculated_turning(session, fights)
    text = turned_words(session.log, turning)
    return {"text": text, "chances": plain_turning(turning)}


def _danger(fight: OpenEncounter, rest: str) -> Fields:
    """Return how likely each character, or the named one, falls before its next turn."""
    encounter = fight.session.encounter
    found = dangers_for(live_fight(fight.session), rest)
    return {"text": ". ".join(danger_lines(encounter, found)), "danger": plain_dangers(found)}


def _recap(fight: OpenEncounter, rest: str) -> Fields:
    """Return the recap of the fight so far, with the players' chances if they are asked for."""
    session, fights = fight.session, recap_fights(rest)
    recap = plain_recap(fight, recap_of(session.encounter, session.log))
    chances = _chances(fight, fights) if fights else {"text": fight_line(session.encounter)}
    return {**chances, "recap": recap}


_LOOKS: Mapping[str, Callable[[OpenEncounter, str], Fields]] = {
    "forecast": _forecast,
    "danger": _danger,
    "recap": _recap,
}
