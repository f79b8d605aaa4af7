"""Dangers and likely actions as tables of JSON, to print them and to send them to another process."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from systems.forecast.found import Danger, LikelyAction, Threat


def plain_dangers(found: Iterable[Danger], digits: int = 4) -> dict[str, Any]:
    """Return dangers as tables of JSON, by combatant."""
    return {danger.who: _plain(danger, digits) for danger in found}


def _plain(danger: Danger, digits: int) -> dict[str, Any]:
    shares = [_plain_threat(threat, digits) for threat in danger.threats if threat.chance]
    return {"chance": round(float(danger.chance), digits), "exact": danger.is_exact, "by": shares}


def _plain_threat(threat: Threat, digits: int) -> dict[str, Any]:
    share = {"who": threat.who, "action": threat.action, "chance": round(float(threat.chance), digits)}
    return {**share, "uses": threat.uses} if threat.uses else share


def read_dangers(plain: Mapping[str, Any]) -> dict[str, Danger]:
    """Return the dangers that `plain_dangers` has made tables of, by combatant."""
    return {who: _read(who, found) for who, found in plain.items()}


def _read(who: str, plain: Mapping[str, Any]) -> Danger:
    threats = [
        Threat(share["who"], share["action"], (), Fraction(str(share["chance"])), share.get("uses", ""))
        for share in plain["by"]
    ]
    return Danger(who, Fraction(str(plain["chance"])), tuple(threats), plain["exact"])


def plain_likely(found: Iterable[LikelyAction]) -> list[dict[str, Any]]:
    """Return likely actions as tables of JSON."""
    return [
        {
            "who": likely.who,
            "action": likely.action,
            "targets": likely.targets,
            "options": likely.options,
            "works": _number(likely.works),
            "drops": _number(likely.drops),
        }
        for likely in found
    ]


def read_likely(plain: Iterable[Mapping[str, Any]]) -> tuple[LikelyAction, ...]:
    """Return the likely actions that `plain_likely` has made tables of."""
    return tuple(
        LikelyAction(
            each["who"],
            each["action"],
            tuple(each["targets"]),
            tuple(each["options"]),
            _chance(each["works"]),
            _chance(each["drops"]),
        )
        for each in plain
    )


def _number(chance: Fraction | None) -> float | None:
    return None if chance is None else float(chance)


def _chance(number: float | None) -> Fraction | None:
    return None if number is None else Fraction(str(number))
