"""Conditions of effects, in addition to the fifteen of the rules, and what they change."""

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


def _burning() -> Condition:
    line = {"name": "burning", "when": "start", "damage": ["1d4 fire"]}
    words = "takes 1d4 fire damage at the start of its turns; an action puts it out"
    return Condition("burning", words, "danger", lines=read_effects(VOCABULARY, line))


MARKS = (
    _mark("shielded", "armour class 5 higher", "good", ac=5),
    _mark("shimmering", "armour class 2 higher", "good", ac=2),
    _mark("sickened", "armour class 2 lower", ac=-2),
    _mark("blessed", "adds 1d4 to its attacks and saves", "good", attacks="1d4", saves="1d4"),
    _mark("baned", "takes 1d4 from its attacks and saves", attacks="-1d4", saves="-1d4"),
    _mark("shaken", "its next attack has disadvantage", attacks="disadvantage"),
    _mark("sure", "its next attack has advantage", "good", attacks="advantage"),
    _mark("war_cry", "attacks with advantage", "good", attacks="advantage"),
    _mark("open", "the next attack against it has advantage", attacks_on_it="advantage"),
    _mark("outlined", "attacks against it have advantage", attacks_on_it="advantage"),
    _mark("averse", "attacks and checks with disadvantage", attacks="disadvantage", checks="disadvantage"),
    _mark("in_a_din", "attacks and checks with disadvantage", attacks="disadvantage", checks="disadvantage"),
    _mark("pestered", "disadvantage on saves to keep up concentration", concentration="disadvantage"),
    _mark("cannot_heal", "regains no hit points", healing="none"),
    _mark("corroded_weapon", "1 less to hit with its weapon", attacks=-1),
    _burning(),
    Condition(
        "swallowed",
        "inside its swallower, with total cover",
        by_source=True,
        ends_when=("source_dies",),
        then="prone",
    ),
    Condition("engulfed", "inside its captor", by_source=True, ends_when=("source_dies",)),
    Condition("attached", "its attacker clings to it", by_source=True, ends_when=("source_falls",)),
    Condition("dead_head", "how many heads are dead", counted=True, most=9),
    _place("in_sunlight", "in sunlight, for effects that depend on it"),
    _place("in_bright_light", "in bright light, for effects that depend on it"),
    _place("in_dim_light", "in dim light or darkness, for effects that depend on it"),
    _place("in_water", "in water, for effects that depend on it"),
    _place("in_running_water", "in running water, for effects that depend on it"),
    _place("inside_an_object", "inside an object, for effects that depend on it"),
)
