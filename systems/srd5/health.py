"""Harm, healing, temporary hit points, and the status of a creature."""

from systems.contract.action import Action, Refusal, Scene
from systems.contract.marked_text import as_status
from systems.contract.outcome import Explanation, Outcome, refuse
from systems.contract.table import Table
from systems.frozen import evolve
from systems.schema.fields import NoOptions, choice, declare, flag, whole
from systems.srd5.after import hurt_of
from systems.srd5.attack import HIT_FACTS
from systems.srd5.attack_words import body_words, fell_words
from systems.srd5.body import (
    body_of,
    can_act,
    concentration_asks,
    concentration_due,
    ends_with,
    has_death_saves,
    healed,
    is_bloodied,
    is_dead,
    is_unseen,
    status_of,
    walking_speed,
)
from systems.srd5.damage import DamageDone, defence_of, suffer
from systems.srd5.house import House
from systems.srd5.sheet import DAMAGE_TYPES, Sheet
from systems.srd5.words import rules_out
from systems.text import sentence


@declare
class HarmOptions:
    amount: int = whole(0, 999, help="hit points")
    type: str | None = choice(DAMAGE_TYPES, None, "the damage type", when_absent="of no type")
    critical: bool = flag(False, "of a critical hit: at 0 hit points it fails twice (SRD-42)", one_off=True)
    reduction: int = whole(0, 999, 0, "taken off before all else (SRD-26)")
    halved: bool = flag(False, "then halved, before resistance (R3)")


@declare
class HealOptions:
    amount: int = whole(0, 999, help="hit points")


@declare
class TemporaryOptions:
    amount: int = whole(0, 999, help="hit points")
    replace: bool = flag(False, "the new ones even where they are fewer (R9)")


def harm(scene: Scene[Sheet, HarmOptions, House], table: Table) -> Outcome:
    """Do damage from anything else (SRD-26 to SRD-32, SRD-38 to SRD-43)."""
    options, before = scene.options, body_of(scene.actor)
    amount = max(0, options.amount - options.reduction)
    type = options.type or ""
    damage = defence_of(before, options.halved).worth(type, amount)
    absorbs = type in scene.actor.absorbs
    damage = 0 if absorbs else damage
    done = DamageDone(damage, damage > 0 and type in scene.actor.regeneration_stopped_by, type == "radiant")
    found = suffer(table, before, done, scene.house, of="actor", critical=options.critical)
    if absorbs:
        found = evolve(found, body=healed(found.body, amount // 2 if options.halved else amount)[0])
    due = concentration_due(found.body, damage)
    facts = {"damage": damage, "fell": found.fell, "concentration_dc": due}

    def tell() -> Explanation:
        words = body_words(before, found.body)
        text = f"{scene.actor_name} takes {damage} damage{words}{fell_words(found.fell)}."
        kind = f" {type}" if type else ""
        numbers = sentence(f"{options.amount}{kind} damage done") if damage != options.amount else ""
        return Explanation(text, rules=("SRD-26",), arithmetic=numbers)

    asks = concentration_asks(scene.actor_name, found.body, due, damage, "actor")
    degree, harmed = "hit" if damage else "miss", hurt_of(((type, damage),), damage, "actor")
    ends = ends_with(scene.actor, found.body.concentrating, "actor")
    return Outcome(facts, {"actor": found.body.changes()}, tell, asks, degree, hurt=harmed, ends=ends)


def heal(scene: Scene[Sheet, HealOptions, House], table: Table) -> Outcome:
    """Give hit points back (SRD-34, SRD-47)."""
    before = body_of(scene.actor)
    if is_dead(before):
        return refuse("dead", f"{scene.actor_name} is dead, and the dead are not healed.")
    if rules_out(scene, "actor", "healing"):
        return refuse("healing", f"{scene.actor_name} cannot be healed.")
    after, gained = healed(before, scene.options.amount)

    def tell() -> Explanation:
        text = f"{scene.actor_name} is healed by {gained}{body_words(before, after)}."
        return Explanation(text, rules=("SRD-34",))

    return Outcome({"healed": gained}, {"actor": after.changes()}, tell)


def temporary(scene: Scene[Sheet, TemporaryOptions, House], table: Table) -> Outcome:
    """Give temporary hit points, which do not add up (SRD-33, R9)."""
    actor, options = scene.actor, scene.options
    if is_dead(body_of(actor)):
        return refuse("dead", f"{scene.actor_name} is dead.")
    if rules_out(scene, "actor", "temp_hp"):
        return refuse("healing", f"{scene.actor_name} cannot have temporary hit points.")
    now = options.amount if options.replace else max(actor.temp_hp, options.amount)

    def tell() -> Explanation:
        text = f"{scene.actor_name} has {now} temporary hit points."
        return Explanation(text, rules=("SRD-33",))

    facts = {"temp_hp": now, "gained": now - actor.temp_hp}
    return Outcome(facts, {"actor": {"temp_hp": now}}, tell)


def status_report(scene: Scene[Sheet, NoOptions, House], table: Table) -> Outcome:
    """Say what the sheet amounts to (SRD-35, SRD-92)."""
    body = body_of(scene.actor)
    facts = {
        "can_act": can_act(body),
        "speed": walking_speed(body),
        "bloodied": is_bloodied(body) and not is_dead(body),
        "death_save_due": has_death_saves(body),
        "unseen": is_unseen(body, scene.actor.hidden_dc),
    }

    def tell() -> Explanation:
        text = f"{scene.actor_name} is {as_status(status_of(body))}, speed {facts['speed']} feet."
        return Explanation(text, rules=("SRD-35",))

    return Outcome(facts, {}, tell)


def status(sheet: Sheet, house: House) -> str:
    """Return the status of a sheet."""
    return status_of(body_of(sheet))


DEAD = Refusal("dead", "it is dead")


_NO_HEALING = Refusal("healing", "an effect rules it out")


ZERO = Refusal("zero_hp", "at 0 hit points")


HARM = Action(
    "harm",
    "Damage from anything else.",
    harm,
    HarmOptions,
    facts=HIT_FACTS,
    group="health",
    rules=("SRD-26", "SRD-32", "SRD-42"),
    amount="damage",
)


HEAL = Action(
    "heal",
    "Give hit points back.",
    heal,
    HealOptions,
    facts={"healed": "hit points gained, never above the maximum"},
    refusals=(DEAD, _NO_HEALING),
    group="health",
    rules=("SRD-34", "SRD-47"),
)


TEMPORARY = Action(
    "temporary",
    "Give temporary hit points.",
    temporary,
    TemporaryOptions,
    facts={"temp_hp": "temporary hit points now", "gained": "may be below 0 with replace"},
    refusals=(DEAD, _NO_HEALING),
    group="health",
    rules=("SRD-33",),
    title="temporary hit points",
)


STATUS = Action(
    "status",
    "Say what the sheet amounts to; no dice.",
    status_report,
    NoOptions,
    facts={
        "can_act": "not incapacitated, at 0 or dead",
        "speed": "walking, in feet, with conditions and exhaustion",
        "bloodied": "half of the maximum or fewer, and not dead",
        "death_save_due": "a death save is due",
        "unseen": "invisible or hidden",
    },
    group="check",
    rules=("SRD-35", "SRD-92"),
    unable=True,
)
