"""Dangers as tables of JSON, to print them."""

from collections.abc import Iterable
from typing import Any

from systems.forecast.found import Danger, Threat

_DIGITS = 4


def plain_dangers(found: Iterable[Danger]) -> dict[str, Any]:
    """Return dangers as they are printed, by combatant."""
    return {danger.who: _plain(danger) for danger in found}


def _plain(danger: Danger) -> dict[str, Any]:
    shares = [_plain_threat(threat) for threat in danger.threats if threat.chance]
    return {"chance": round(float(danger.chance), _DIGITS), "exact": danger.is_exact, "by": shares}


def _plain_threat(threat: Threat) -> dict[str, Any]:
    share = {"who": threat.who, "action": threat.action, "chance": round(float(threat.chance), _DIGITS)}
    return {**share, "uses": threat.uses} if threat.uses else share
