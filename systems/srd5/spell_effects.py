"""The effects of spells that a character knows by name; those of creatures are in the creatures' files."""

from collections.abc import Mapping
from typing import Any

_MINUTE = 10  # rounds
_FAILED: Mapping[str, Mapping[str, Any]] = {
    # What a failed save gives is that of the spell itself; here is how long it lasts, and what ends it.
    "Animal Friendship": {"target_type": ["beast"], "ends_when": ["damaged"]},
    "Charm Monster": {"rounds": 600, "ends_when": ["damaged"]},
    "Charm Person": {"target_type": ["humanoid"], "rounds": 600, "ends_when": ["damaged"]},
    "Entangle": {"rounds": _MINUTE},
    "Fear": {"rounds": _MINUTE},
    "Hold Monster": {"rounds": _MINUTE, "again": ["end"]},
    "Hold Person": {"target_type": ["humanoid"], "rounds": _MINUTE, "again": ["end"]},
    "Hypnotic Pattern": {"rounds": _MINUTE, "ends_when": ["damaged"]},
    "Sleep": {"rounds": _MINUTE, "again": ["end"], "worse": "unconscious"},
    "Telekinesis": {"until": "source_end"},
    "Web": {},
}
_OTHERS: Mapping[str, Mapping[str, Any]] = {
    "Bless": {"when": "used", "of": ["Bless"], "condition": "blessed", "rounds": _MINUTE},
    "Command": {"when": "failed", "of": ["Command"], "remind": "its next turn is one word: drop, flee, halt"},
    "Counterspell": {
        "when": "used",
        "whose": "foes",
        "of": ["spells"],
        "stops": True,
        "save": "constitution",
    },
    "Faerie Fire": {
        "when": "failed",
        "of": ["Faerie Fire"],
        "condition": "outlined",
        "rounds": _MINUTE,
    },
    "Guiding Bolt": {
        "when": "hit",
        "of": ["Guiding Bolt"],
        "condition": "open",
        "until": "source_end",
    },
    "Invisibility": {"when": "used", "of": ["Invisibility"], "condition": "invisible", "rounds": 600},
    "Misty Step": {"when": "used", "of": ["Misty Step"], "who": "self", "move": "teleports 30 feet"},
    "Ray of Sickness": {
        "when": "hit",
        "of": ["Ray of Sickness"],
        "own_conditions": True,
        "until": "source_end",
    },
    "Shield": {
        "when": "attacked",
        "of": ["Shield"],
        "condition": "shielded",
        "until": "source_start",
        "change": {"ac": 5},
    },
    "Thunderwave": {"when": "failed", "of": ["Thunderwave"], "move": "is pushed 10 feet"},
}


def effect_of(name: str, dc: int) -> dict[str, Any] | None:
    """Return the effect of a spell, or None. `dc`: the number of its caster for saves."""
    if (later := _FAILED.get(name)) is not None:
        return {"name": name, "when": "failed", "of": [name], "own_conditions": True, **later}
    if (effect := _OTHERS.get(name)) is None:
        return None
    return {"name": name, **effect, **({"dc": dc} if "save" in effect else {})}
