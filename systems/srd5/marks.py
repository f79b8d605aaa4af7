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


MARKS = (_mark("shielded", "armour class 5 higher", "good", ac=5),)
