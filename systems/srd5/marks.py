"""Lasting things beside the fifteen conditions, with what they change while they last."""

from systems.contract.condition import Condition
from systems.contract.display import Tone
from systems.effects.field import read_effects
from systems.srd5.sheet import VOCABULARY


def _mark(name: str, help: str, tone: Tone = "warning", **change: object) -> Condition:
    """Return a condition that changes rolls or numbers of its combatant."""
    label = name.replace("_", " ")
    line = {"name": label, "when": "always", "change": change}
    return Condition(name, help, tone, lines=read_effects(VOCABULARY, line))


def _place(name: str, help: str) -> Condition:
    """Return a condition that says where a combatant is; effects of its sheet depend on it."""
    return Condition(name, help, "muted")


MARKS = (
    _mark("shielded", "armour class 5 higher", "good", ac=5),
    _place("in_sunlight", "in sunlight, for effects that depend on it"),
    _place("in_bright_light", "in bright light, for effects that depend on it"),
    _place("in_dim_light", "in dim light or darkness, for effects that depend on it"),
    _place("in_water", "in water, for effects that depend on it"),
    _place("in_running_water", "in running water, for effects that depend on it"),
)
