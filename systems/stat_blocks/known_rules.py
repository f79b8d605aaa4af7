"""Rules that many creatures share, known by the name of a paragraph: pack tactics, regeneration, parry."""

import re
from typing import Any

from systems.stat_blocks.figures import DAMAGE_TYPES
from systems.stat_blocks.passage import TYPES, Passage, any_case

_KNOWN = {
    "pack_tactics": ("pack tactics", r"advantage"),
    "magic_resistance": ("magic resistance", r"advantage"),
    "evasion": ("evasion", r"half|no damage"),
    "undead_fortitude": ("undead fortitude", r"\b1 hit point|constitution"),
}
_REGAINS = any_case(r"\bregains? ([0-9]{1,3}) (?:hit points|hp)\b")
_STOPPED = any_case(rf"\btakes? ((?:{TYPES})(?:(?:,| or|, or) (?:{TYPES})){{0,4}}) damage")
_ADDS_TO_AC = any_case(r"\badds? ([0-9]{1,2}) to (?:its|his|her|their|the target's) (?:AC|armou?r class)\b")
_SURVIVES = any_case(r"\bdies only if\b|\bonly (?:dies|die) if\b|doesn't die unless")


def known_rules(reading: Passage, kind: str) -> dict[str, Any]:
    """Return the rules that a game knows by the name of the paragraph."""
    for rule, (name, words) in _KNOWN.items():
        if kind.startswith(name) and (not reading.text or re.search(words, reading.text, re.IGNORECASE)):
            reading.used(0, len(reading.rest))
            return {"known": frozenset((rule,))}
    if kind.startswith("legendary resistance"):
        reading.used(0, len(reading.rest))
        return {"known": frozenset(("legendary_resistance",))}
    if "regenerat" in kind:
        found = _REGAINS.search(reading.text) or re.match(r"([0-9]{1,3})\b", reading.text)
        if not found:
            return {}
        values: dict[str, Any] = {"regeneration": int(found[1])}
        if stopped := _STOPPED.search(reading.text):
            values["stopped_by"] = tuple(
                type for type in DAMAGE_TYPES if re.search(rf"\b{type}\b", stopped[1], re.IGNORECASE)
            )
        known = {"regenerates_at_zero"} if _SURVIVES.search(reading.text) else set()
        reading.used(0, len(reading.rest))
        return {**values, "known": frozenset(known)}
    return {}


def parry(reading: Passage) -> dict[str, Any]:
    found = _ADDS_TO_AC.search(reading.text)
    if not found:
        return {}
    if "its AC" in found[0] or "his AC" in found[0] or "her AC" in found[0]:
        reading.used(0, len(reading.rest))
        return {"raises_ac": int(found[1])}
    return {}
