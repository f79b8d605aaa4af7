"""Forecasts as tables of JSON, to print them."""

from typing import Any

from systems.forecast.tally import LEFT_OUT, Forecast
from systems.forecast.turning import Turning

_DIGITS = 4


def plain_forecast(forecast: Forecast, encounter: str, seed: int) -> dict[str, Any]:
    """Return a forecast as it is printed."""
    fights = max(1, forecast.fights)
    combatants: dict[str, Any] = {}
    for who, fell in forecast.falls.items():
        combatants[who] = {"falls": round(fell / fights, _DIGITS)}
        if used := forecast.used.get(who):
            combatants[who]["used"] = {name: round(many / fights, _DIGITS) for name, many in used.items()}
    plain = {
        "encounter": encounter,
        "fights": forecast.fights,
        "seed": seed,
        "tempers": {
            temper: {"win": round(odds.win, _DIGITS), "margin": round(odds.margin, _DIGITS)}
            for temper, odds in forecast.tempers.items()
        },
        "players": {
            temper: {"win": round(odds.win, _DIGITS), "margin": round(odds.margin, _DIGITS)}
            for temper, odds in forecast.players.items()
        },
        "rounds": {
            "mean": round(forecast.mean_rounds, 2),
            "p10": forecast.rounds_at(0.1),
            "p90": forecast.rounds_at(0.9),
        },
        "falls": round(forecast.any_player / fights, _DIGITS),
        "combatants": combatants,
        "left_out": list(LEFT_OUT),
    }
    if forecast.harmless:
        plain["harmless"] = forecast.harmless
    if forecast.too_long:
        plain["too_long"] = forecast.too_long
    return plain


def plain_turning(turning: Turning) -> dict[str, Any]:
    """Return where a fight turned, as it is printed."""
    return {
        "curve": [
            {
                "round": each.round,
                "n": each.event,
                "win": round(each.win, _DIGITS),
                "margin": round(each.margin, _DIGITS),
            }
            for each in turning.curve
        ],
        "turned": {
            "n": turning.event,
            "points": round(turning.points, 1),
            "margin": round(turning.margin, 1),
        }
        if turning.is_clear
        else None,
    }


def share_line(turning: Turning) -> str:
    """Return the command that shows the recap to the players, with the chances in it."""
    curve = ",".join(f"{each.round}:{round(100 * each.win)}" for each in turning.curve)
    turned = f" turned={turning.event}:{round(turning.points)}" if turning.is_clear else ""
    margin = round(100 * turning.curve_margin)
    return f"share recap chances={curve} margin={margin}{turned}" if turning.curve else "share recap"
