"""What attacks and powers cost: recharge, uses a day, spell slots, and the refusals when they are used up."""

from typing import Any

from systems.contract.action import Refusal, Scene
from systems.contract.marked_text import possessive
from systems.contract.outcome import Outcome, refuse
from systems.schema.conversion import change_entry, replace
from systems.srd5.body import body_of, can_act, is_dead
from systems.srd5.marks import NO_REACTIONS
from systems.srd5.sheet import Attack, Power, Sheet, slots_of

STATUS = Refusal("status", "the actor is incapacitated, at 0 hit points or dead")
TARGET = Refusal("target", "the target is dead")
CHARMED = Refusal("charmed", "the actor is charmed, and the target is its charmer")
SPENT = Refusal("spent", "it is spent and has not recharged")
USES = Refusal("uses", "all its uses are used")
SLOT_LEVEL = Refusal("slot_level", "the slot is below the least level")
SLOTS = Refusal("slots", "no spell slot of that level is left")
LEGENDARY = Refusal("legendary_resistance", "the combatant that saves has no legendary resistance left")


def cannot_act(scene: Scene[Sheet, Any, Any], doing: str) -> Outcome | None:
    """Return the refusal of an actor that is incapacitated, at 0 hit points or dead."""
    body = body_of(scene.actor)
    if can_act(body):
        return None
    state = "dead" if is_dead(body) else "down" if body.hp == 0 else "incapacitated"
    return refuse("status", f"{scene.actor_name} is {state} and cannot {doing}.")


def no_legendary(scene: Scene[Sheet, Any, Any], sheet: Sheet, name: str) -> Outcome | None:
    """Return the refusal of a legendary resistance that is not left."""
    if not scene.options.legendary_resistance or sheet.legendary_resistances_left:
        return None
    return refuse("legendary_resistance", f"{name} has no legendary resistance left.")


def no_reaction(scene: Scene[Sheet, Any, Any]) -> Outcome | None:
    """Return the refusal of a reaction that is used, or that a condition takes away (SRD-89)."""
    if scene.actor.reaction_used:
        return refuse("reaction", f"{scene.actor_name} has used the reaction.")
    person = scene.fight.person(scene.actor_id) if scene.fight is not None else None
    if person is not None and person.has(NO_REACTIONS):
        return refuse("reaction", f"{scene.actor_name} takes no reactions now.")
    return None


def has_cost(entry: Attack | Power) -> bool:
    """Return whether a use of an attack or a power costs something, or is spent already."""
    return bool(entry.recharge or entry.spent or entry.uses_per_day or entry.slot)


def used_up(scene: Scene[Sheet, Any, Any], sheet: Sheet, entry: Attack | Power) -> Outcome | None:
    """Return the refusal of an attack or a power that is spent, used up, or lacks its slot."""
    name = scene.actor_name
    if entry.spent:
        return refuse("spent", f"{possessive(name)} {entry.name} has not recharged.")
    if entry.uses_per_day and entry.used >= entry.uses_per_day:
        return refuse("uses", f"{name} has no use of {entry.name} left.")
    if not entry.slot:
        return None
    level = slot_level(scene, entry)
    if level < entry.slot:
        return refuse("slot_level", f"{entry.name} needs a spell slot of level {entry.slot} or above.")
    if slots_of(sheet, level) is None:
        return refuse("slots", f"{name} has no spell slot of level {level} left.")
    return None


def slot_level(scene: Scene[Sheet, Any, Any], entry: Attack | Power) -> int:
    """Return the level of the spell slot that is spent: the option, else the entry's."""
    given: int | None = getattr(scene.options, "slot", None)
    return entry.slot if given is None else given


def paid(scene: Scene[Sheet, Any, Any], sheet: Sheet, entry: Attack | Power, field: str) -> Sheet:
    """Return the sheet that has paid for an entry of `field` (SRD-73, SRD-74, SRD-77)."""
    spent: dict[str, object] = {}
    if entry.recharge:
        spent["spent"] = True
    if entry.uses_per_day:
        spent["used"] = entry.used + 1
    changes: dict[str, object] = {}
    if spent and entry in getattr(sheet, field):
        changes[field] = change_entry(getattr(sheet, field), entry, **spent)
    if entry.slot and (slots := slots_of(sheet, slot_level(scene, entry))):
        changes["spell_slots"] = change_entry(sheet.spell_slots, slots, left=slots.left - 1)
    return replace(sheet, **changes) if changes else sheet


def changes_of(before: Sheet, after: Sheet, *fields: str) -> dict[str, object]:
    """Return the fields that differ between two sheets."""
    return {name: now for name in fields if (now := getattr(after, name)) != getattr(before, name)}
