"""Dangers as tables of JSON, to print them and to send them to another process."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from systems.forecast.found import Danger, Threat


def plain_dangers(found: Iterable[Danger], digits: int = 4) -> dict[str, Any]:
    """Return dangers as tables of JSON, by combatant."""
    return {danger.who: _plain(danger, digits) for danger in found}


def _plain(danger: Danger, digits: int) -> dict[str, Any]:
    shares = [
        {"who": threat.who, "action": threat.action, "chance": round(float(threat.chance), digits)}
        for threat in danger.threats
        if threat.chance
    ]
    return {"chance": round(float(danger.chance), digits), "exact": danger.is_exact, "by": shares}


def read_dangers(plain: Mapping[str, Any]) -> dict[str, Danger]:
    """Return the dangers that `plain_dangers` has made tables of, by combatant."""
    return {who: _read(who, found) for who, found in plain.items()}


def _read(who: str, plain: Mapping[str, Any]) -> Danger:
    threats = [
        Threat(share["who"], share["action"], (), Fraction(str(share["chance"]))) for share in plain["by"]
    ]
    return Danger(who, Fraction(str(plain["chance"])), tuple(threats), plain["exact"])
