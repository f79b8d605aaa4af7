"""Lines that say on whom, or when, an attack or a power can be used at all."""

from collections.abc import Sequence

from systems.contract.action import AnyScene
from systems.effects.conditions import EffectSide, applies
from systems.effects.meaning import EffectMeaning, is_among, lines_of
from systems.effects.words import EffectLine
from systems.text import spoken


def restriction(
    meaning: EffectMeaning, scene: AnyScene, name: str, owner: EffectSide, other: EffectSide
) -> str:
    """Return why an attack or power of this name cannot be used on `other`, as a sentence, or ""."""
    for line in lines_of(meaning, scene, owner.role):
        if line.only and is_among((name,), line.of) and not applies(meaning, line, scene, owner, other):
            return f"{owner.name} can use {name} only {_needed(line)}."
    return ""


def limits(meaning: EffectMeaning, scene: AnyScene, name: str) -> list[EffectLine]:
    """Return the lines of the actor that say how often an attack or power can be used."""
    own = lines_of(meaning, scene, "actor")
    return [line for line in own if line.only and line.once and is_among((name,), line.of)]


def _needed(line: EffectLine) -> str:
    """Return the conditions of a line in words."""
    target = [
        *([f"is {_either(line.target_is)}"] if line.target_is else ()),
        *([f"is not {_either(line.target_is_not)}"] if line.target_is_not else ()),
        *([f"is of the type {_either(line.target_type)}"] if line.target_type else ()),
        *([f"is not of the type {_either(line.target_type_not)}"] if line.target_type_not else ()),
        *([f"is {line.size} at most"] if line.size else ()),
        *(["is near"] if line.near else ()),
    ]
    own = [
        *([f"while it is {_either(line.self_is)}"] if line.self_is else ()),
        *([f"while it is not {_either(line.self_is_not)}"] if line.self_is_not else ()),
        *(["when the game master says so"] if line.said else ()),
        *([f"once each {line.once}"] if line.once else ()),
    ]
    on = f"on a target that {' and '.join(target)}" if target else ""
    return " and ".join(part for part in (on, *own) if part) or "at another time"


def _either(words: Sequence[str]) -> str:
    return " or ".join(spoken(word) for word in words)
