"""Conditions of effects, in addition to the fifteen of the rules, and what they change."""

from collections.abc import Mapping

from systems.contract.condition import Condition
from systems.contract.display import Tone
from systems.contract.outcome import Role
from systems.effects.field import read_effects
from systems.srd5.sheet import VOCABULARY
from systems.text import spoken

NO_REACTIONS = "no_reactions"


def _mark(
    name: str, help: str, tone: Tone = "warning", label: str = "", begin: str = "", **change: object
) -> Condition:
    """Return a condition that changes rolls or numbers of its combatant. `begin`: such as has."""
    label = label or name.replace("_", " ")
    line = {"name": label, "when": "always", "change": change}
    lines = read_effects(VOCABULARY, line) if change else lambda: ()
    words = (f"{begin} {label}", f"no longer {begin} {label}") if begin else ("", "")
    return Condition(name, help, tone, lines=lines, label=label, begin_words=words[0], end_words=words[1])


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
    _mark("sure", "its next attack has advantage", "good", "sure of its aim", attacks="advantage"),
    _mark("war_cry", "attacks with advantage", "good", "roused", attacks="advantage"),
    _mark(
        "open", "the next attack against it has advantage", label="open to attack", attacks_on_it="advantage"
    ),
    _mark("outlined", "attacks against it have advantage", attacks_on_it="advantage"),
    _mark("averse", "attacks and checks with disadvantage", attacks="disadvantage", checks="disadvantage"),
    _mark("in_a_din", "attacks and checks with disadvantage", attacks="disadvantage", checks="disadvantage"),
    _mark("pestered", "disadvantage on saves to keep up concentration", concentration="disadvantage"),
    _mark("cannot_heal", "regains no hit points", label="unable to heal", healing="none"),
    _mark(
        "corroded_weapon", "1 less to hit with its weapon", label="a corroded weapon", begin="has", attacks=-1
    ),
    _mark("corroded_armor", "its armour protects less", label="corroded armour", begin="has"),
    _mark("infernal_wound", "bleeds until it is healed", label="an infernal wound", begin="has"),
    _mark(NO_REACTIONS, "takes no reactions", label="unable to react"),
    _mark("one_action", "takes an action or a bonus action, not both", label="left with one action"),
    _mark("move_or_act", "moves or takes an action, not both, and no bonus action", label="torn"),
    _mark("wordless", "casts no spells with words", label="unable to speak"),
    _mark("immobile", "its speed is 0"),
    _mark("resists_fire", "resistance to fire damage", "good", "resistance to fire", "has"),
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
    Condition(
        "dead_head",
        "how many heads are dead",
        counted=True,
        most=9,
        begin_words="loses a head",
        end_words="has no dead head",
    ),
    _place("in_darkness", "surrounded by darkness"),
    _place("in_sunlight", "in sunlight, for effects that depend on it"),
    _place("in_bright_light", "in bright light, for effects that depend on it"),
    _place("in_dim_light", "in dim light or darkness, for effects that depend on it"),
    _place("in_water", "in water, for effects that depend on it"),
    _place("in_running_water", "in running water, for effects that depend on it"),
    _place("inside_an_object", "inside an object, for effects that depend on it"),
)
_MARKED = {mark.name: mark for mark in MARKS}
# What one attack uses up, by the role of the combatant that has it and by the name of its line.
USED_UP: Mapping[Role, Mapping[str, str]] = {
    "actor": {_MARKED[name].label: name for name in ("shaken", "sure")},
    "target": {_MARKED[name].label: name for name in ("open",)},
}


def label_of(name: str) -> str:
    """Return a condition in words."""
    return _MARKED[name].label if name in _MARKED else spoken(name)


def begins(name: str) -> str:
    """Return the words for getting a condition, such as `is prone`."""
    own = _MARKED[name].begin_words if name in _MARKED else ""
    return own or f"is {label_of(name)}"
