"""Powers: actions without an attack roll, with a save, damage, healing and conditions."""

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any, Literal

from systems.contract.action import Action, Refusal, Scene
from systems.contract.damage import NO_DAMAGE, DamageTally
from systems.contract.interrupt import Interrupted
from systems.contract.outcome import EndedCondition, Explanation, Outcome, Step, Term, owned, refuse
from systems.contract.table import Blow, Table
from systems.errors import Wrong
from systems.frozen import evolve, frozen
from systems.schema.conversion import replace
from systems.schema.fields import choice, declare, declare_field, dice, flag, text, whole
from systems.schema.naming import Naming
from systems.schema.types import ListOf, Whole
from systems.srd5 import costs
from systems.srd5.after import Aftermath, Amounts, aftermath, hurt_of
from systems.srd5.attack import HIT_FACTS
from systems.srd5.attack_words import body_words, fell_words, gave_words, reminders, save_words, told_words
from systems.srd5.body import (
    HurtVitals,
    Vitals,
    body_of,
    concentration_asks,
    concentration_due,
    ends_with,
    given,
    has,
    healed,
    hurt,
    is_dead,
)
from systems.srd5.damage import (
    DamageDice,
    DamageDone,
    Defence,
    amounts_done,
    averages,
    defence_of,
    prepare_damage,
    rolls_of,
    stay_up,
    throw_damage,
    throw_sums,
)
from systems.srd5.house import House
from systems.srd5.levels import counts_singly, left_in_odds, levels_of, types_apart
from systems.srd5.saves import (
    PreparedSave,
    Save,
    SaveResult,
    prepare_save,
    throw_prepared,
)
from systems.srd5.saving import save_with_options
from systems.srd5.sheet import ITSELF, NO_CONCENTRATION, Power, Sheet, damage_texts, power_of, read_amount
from systems.srd5.spells import at_slot, slot_notes, slot_of, slot_option, with_darts
from systems.srd5.words import (
    ONLY,
    STOPPED,
    WithEffects,
    halted,
    halted_outcome,
    name_used,
    no_use,
    noted_use,
    rules_out,
    with_effects,
)
from systems.text import plain_number, sentence


def _kept(sheet: Sheet) -> Collection[str]:
    """Return the powers that are for the turns of others."""
    return [power.name for power in sheet.powers if power.kind in ("legendary", "reaction")]


def _rank(power: Power) -> tuple[bool, int]:
    """Return the place of a power in a list: by its slot, those for the turns of others last."""
    return power.kind == "legendary", slot_of(power)


@declare
class PowerOptions:
    power: str | None = text(
        None,
        "a power of the sheet by name",
        when_absent="the first",
        remembered="actor",
        naming=Naming("powers", free=False, needs="power", kept=_kept, rank=_rank),
    )
    advantage: int = whole(0, 9, 0, "how many things help the target's save")
    disadvantage: int = whole(0, 9, 0, "how many things hinder it")
    modifier: int = whole(-99, 99, 0, "added to it")
    cover: str = choice(
        ("none", "half", "three_quarters"), "none", "2 or 5 more in a Dexterity save (SRD-14)"
    )
    fail: bool = flag(False, "the target chooses to fail (SRD-09)", one_off=True)
    legendary_resistance: bool = flag(
        False, "a failed save becomes a success, for a legendary resistance (SRD-76)", one_off=True
    )
    spend: bool = flag(True, "no: nothing is spent, as for a further target")
    slot: int | None = slot_option()
    extra_damage: tuple[str, ...] = damage_texts(
        "further damage; in a fight, a higher slot adds that of its spell by itself"
    )
    rolled: tuple[int, ...] | None = declare_field(
        ListOf(Whole(0, 999)),
        None,
        "sums rolled for another target, one for each damage text (SRD-31)",
        one_off=True,
    )
    gives: bool = flag(True, "no: conditions are left out (R32)")
    charmer: bool = flag(False, "the target has charmed the actor (SRD-49)")
    bonus_dice: str | None = dice(None, "dice added to the save")
    penalty_dice: str | None = dice(None, "dice taken from the save")


Use = Scene[Sheet, PowerOptions, House]
_NONE = DamageDone(0)


@frozen(eq=False)
class ReadyPower:
    """A power before any roll."""

    power: Power
    rolls: tuple[DamageDice, ...]
    sums: tuple[int, ...] | None
    save: PreparedSave | None
    body: Vitals
    healing: Blow | None
    changes: dict[str, object]
    known: dict[tuple[Vitals, int, bool, bool], HurtVitals]
    effects: WithEffects
    darts: int


def _sums_given(scene: Use, rolls: tuple[DamageDice, ...]) -> tuple[int, ...] | None:
    """Return the sums that another target's roll gave, or None. Raises Wrong for another number of them."""
    if scene.before and "rolled" in scene.before:
        return tuple(scene.before["rolled"])
    sums = scene.options.rolled
    if sums is None:
        return None
    if len(sums) != len(rolls):
        raise Wrong(
            "options.rolled", f"expected {len(rolls)} sums, one for each damage text, got {len(sums)}"
        )
    return sums


@lru_cache(maxsize=8)
def _ready(scene: Use) -> ReadyPower | Outcome:
    """Return the prepared power, or a refusal. Raises Wrong before any refusal."""
    actor, options, name = scene.actor, scene.options, scene.actor_name
    own, body = power_of(actor, options.power), body_of(scene.target)
    effects = with_effects(scene, own)
    power, darts = effects.entry, _darts_here(scene, effects.entry)
    if darts:
        power = with_darts(power, darts)
    average = averages(actor, scene.house)
    rolls = rolls_of((*power.damage, *options.extra_damage), scene.house, False, average)
    sums = None if darts else _sums_given(scene, rolls)
    harms = power.save is not None or bool(power.damage) or bool(power.conditions)
    spends = options.spend and not scene.before
    if refused := costs.cannot_act(scene, f"use {power.name}"):
        return refused
    if is_dead(body) and (harms or power.healing):
        return refuse("target", f"{scene.target_name} is dead.")
    if options.charmer and harms and "charmed" in has(body_of(actor)):
        return refuse("charmed", f"{name} is charmed by {scene.target_name}.")
    if refused := no_use(scene, power.name) or _not_on_others(scene, own):
        return refused
    if spends:
        if power.kind == "reaction" and (refused := costs.no_reaction(scene)):
            return refused
        if power.kind == "legendary" and actor.legendary_actions_left < power.cost:
            return refuse("legendary_actions", f"{name} has too few legendary actions left.")
        if refused := costs.used_up(scene, actor, own):
            return refused
    if refused := costs.no_legendary(scene, scene.target, scene.target_name):
        return refused
    if power.healing and not harms and rules_out(scene, "target", "healing"):
        return refuse("healing", f"{scene.target_name} cannot be healed.")
    asked = _save_of(scene, power)
    save = prepare_save(body, asked, scene.house) if asked else None
    changes = {**_paid(scene, own), **noted_use(scene, own.name)} if spends else {}
    return ReadyPower(power, rolls, sums, save, body, _healing(power), changes, {}, effects, darts)


def _darts_here(scene: Use, power: Power) -> int:
    """Return how many darts of a power strike this target; 0 without darts, and outside a fight."""
    if not power.darts or scene.fight is None:
        return 0
    return scene.aimed if scene.places > 1 else power.darts


def number_of_darts(sheet: Sheet, options: PowerOptions) -> int:
    """Return how many darts a power has with these options; 0 without darts. Raises Wrong."""
    return at_slot(power_of(sheet, options.power), options.slot).darts


def _not_on_others(scene: Use, power: Power) -> Outcome | None:
    """Return the refusal of a power that works on its user alone, used on another combatant in a fight."""
    if not _is_for_its_user(scene.actor, power) or scene.fight is None or scene.actor_id == scene.target_id:
        return None
    return refuse("only", f"{scene.actor_name} can use {power.name} only on itself.")


def _healing(power: Power) -> Blow | None:
    """Return the dice of the healing, or None."""
    if power.healing is None:
        return None
    amount = read_amount(power.healing)
    return Blow(amount.dice, amount.plus, least=0)


def _paid(scene: Use, power: Power) -> dict[str, object]:
    """Return what the actor's sheet loses (SRD-73 to SRD-78)."""
    actor = scene.actor
    after = costs.paid(scene, actor, power, "powers")
    if power.kind == "reaction":
        after = replace(after, reaction_used=True)
    if power.kind == "legendary":
        after = replace(after, legendary_actions_left=actor.legendary_actions_left - power.cost)
    if power.concentration:
        after = replace(after, concentrating=power.name)
    fields = ("powers", "spell_slots", "reaction_used", "legendary_actions_left", "concentrating")
    return costs.changes_of(actor, after, *fields)


def _save_of(scene: Use, power: Power) -> Save | None:
    if power.save is None:
        return None
    return save_with_options(scene, power.save, power.dc, power.magical, "target")


def _share(body: Vitals, power: Power, saved: bool | None) -> str:
    """Return how much of the damage counts: all, half or none (SRD-30, SRD-86)."""
    if saved is None:
        return "all"
    evades = (
        power.half and power.save == "dexterity" and body.sheet.evasion and "incapacitated" not in has(body)
    )
    if saved:
        return "half" if power.half and not evades else "none"
    return "half" if evades else "all"


@frozen(eq=False)
class Used:
    """A power as it came out on its target."""

    body: Vitals
    sums: tuple[int, ...]
    tally: DamageTally
    fell: str
    saved: SaveResult | None
    gained: int
    gave: tuple[str, ...]
    amounts: Amounts

    @property
    def damage(self) -> int:
        """Return the damage; in odds, the level that it reaches."""
        return self.tally.least


def use(scene: Use, table: Table, ready: ReadyPower) -> Used:
    """Roll the save, the damage and the healing of a power."""
    saved = throw_prepared(table, ready.save) if ready.save else None
    body = saved.body if saved else ready.body
    passed = saved.passed if saved else None
    share, defence = _taken(body, ready.power, passed)
    sums: tuple[int, ...] = ()
    if (table.brief or table.only_changes) and ready.sums is None:
        # Only their sum counts, as far as the body tells no type apart.
        has_dice = share != "none" and bool(ready.rolls)
        done = _thrown(scene, table, ready, body, share == "half") if has_dice else _NONE
    else:
        sums = ready.sums if ready.sums is not None else throw_sums(table, ready.rolls)
        done = amounts_done(ready.rolls, sums, defence, body.sheet) if share != "none" else _NONE
        done = evolve(done, tally=NO_DAMAGE.plus(done.total))
    key = (body, done.total, done.stops, done.radiant)
    found = ready.known.get(key)
    if found is None:
        found = ready.known[key] = hurt(body, done.total, scene.house, False, False, done.stops, done.radiant)
    found, tally = stay_up(table, body, found, done.tally, scene.house, "target")
    body, gained = found.body, 0
    if done.absorbed:
        body, gained = healed(body, done.absorbed)
    if ready.healing is not None:
        blow = ready.healing
        body, gained = healed(body, table.blows(1, blow, "healing") if blow.dice else blow.worth(0))
    gave: tuple[str, ...] = ()
    if ready.power.conditions and not passed and scene.options.gives:
        body, gave = given(body, ready.power.conditions, ready.power.escape_dc)
    if ready.effects.marks and scene.options.gives and not is_dead(body):
        gave = (*gave, *ready.effects.marked(*_moment(passed)))
    return Used(body, sums, tally, found.fell, saved, gained, gave, done.amounts)


def _thrown(scene: Use, table: Table, ready: ReadyPower, body: Vitals, halved: bool) -> DamageDone:
    """Roll the damage of a power for odds, by levels if only its sum counts."""
    later = [line for lines in ready.effects.later.values() for line in lines]
    singly = ready.healing is not None or counts_singly(body, ready.rolls, later, halved=True)
    singly = singly or (table.only_changes and bool(body.temp_hp or later))
    levels = None if singly else levels_of(body, scene.house, True)
    damage = prepare_damage(ready.rolls, body, halved, types_apart(later))
    after = partial(levels_of, body, scene.house, True) if table.brief and ready.healing is None else None
    return throw_damage(table, damage, NO_DAMAGE, levels, after)


def _moment(passed: bool | None) -> tuple[str, ...]:
    """Return the moment of effects after a save: failed or saved; none without one."""
    return () if passed is None else ("saved" if passed else "failed",)


@lru_cache(maxsize=1024)
def _taken(body: Vitals, power: Power, passed: bool | None) -> tuple[str, Defence]:
    """Return how much of the damage counts, and the defence against it."""
    share = _share(body, power, passed)
    return share, defence_of(body, share == "half")


def power(scene: Use, table: Table) -> Outcome:
    """Use a power against one target (SRD-30, SRD-31, SRD-77, SRD-78, SRD-86)."""
    ready = _ready(scene)
    if isinstance(ready, Outcome):
        return ready
    if (stopped := halted(scene, table)).turned:
        known = {"saved": True, **name_used(scene, table, "power", ready.power.name)}
        return halted_outcome(scene, ready.power.name, known, ready.changes, stopped)
    used = use(scene, table, ready)
    facts: dict[str, Any] = {}
    if used.saved is not None:
        facts = {
            "dc": ready.power.dc,
            **used.saved.facts,
            "saved": used.saved.passed,
            "resisted": used.saved.resisted,
        }
    damage = used.damage
    facts |= {
        "rolled": used.sums,
        "damage": used.tally.sum,
        "fell": used.fell,
        "concentration_dc": concentration_due(used.body, damage),
        "healed": used.gained,
        "gave": used.gave,
        **name_used(scene, table, "power", ready.power.name),
    }
    moments = _moment(used.saved.passed if used.saved else None)
    more = _aftermath(scene, table, ready, used, moments)
    left = left_in_odds(table, ready.body, used.body, used.fell, used.tally)
    changes = {
        "actor": {**ready.changes, **more.changes(scene.actor, "actor")},
        "target": {**used.body.changes(), **(left or {}), **more.changes(scene.target, "target")},
    }
    return Outcome(
        facts,
        changes,
        lambda: _told(scene, ready, used, stopped, more.words),
        concentration_asks(scene.target_name, used.body, facts["concentration_dc"], damage, "target"),
        degree="" if used.saved is None else "resisted" if used.saved.passed else "hit",
        gives=ready.effects.gives(used.gave),
        ends=(*_no_longer_kept_up(scene, ready, used), *more.ends),
        hurt=hurt_of(used.amounts, damage),
        interruptions=stopped.used,
        moves=ready.effects.moved(*moments),
    )


def _no_longer_kept_up(scene: Use, ready: ReadyPower, used: Used) -> tuple[EndedCondition, ...]:
    """Return the conditions that end with the concentration of the actor or the target (SRD-78)."""
    begins = ready.power.concentration and scene.options.spend and not scene.before
    own = ends_with(scene.actor, "", "actor") if begins else ()
    return (*own, *ends_with(scene.target, used.body.concentrating, "target"))


def _aftermath(scene: Use, table: Table, ready: ReadyPower, used: Used, moments: Sequence[str]) -> Aftermath:
    """Return what effects do after the power."""
    lines = ready.effects.follow(*moments)
    if not lines:
        return Aftermath(scene.actor, scene.target)
    # A creature that uses a power on itself has one sheet.
    before = replace(scene.target, **used.body.changes())
    actor = replace(scene.actor, **ready.changes)
    return aftermath(scene, table, lines, used.amounts, Aftermath(actor, before))


def _told(
    scene: Use, ready: ReadyPower, used: Used, stopped: Interrupted, more: tuple[str, ...] = ()
) -> Explanation:
    target, entry = scene.target_name, ready.power
    on_itself = scene.actor_id and scene.actor_id == scene.target_id
    parts = [f"{scene.who_acts} uses {entry.name}" + ("" if on_itself else f" on {target}")]
    change = body_words(ready.body, used.body)
    if ready.rolls:
        parts.append(f" for {used.damage}" if used.damage else ", no damage")
    if used.gained:
        points = f"regains {used.gained} hit {'point' if used.gained == 1 else 'points'}"
        parts.append(f" and {points}" if on_itself else f", who {points}")
    text = "".join((*parts, change, fell_words(used.fell), "."))
    numbers = [each.met for each in stopped.used if each.met]
    steps = [*stopped.steps]
    terms: tuple[Term, ...] = ()
    if used.saved is not None and entry.save:
        text += " " + save_words(target, entry.save, used.saved)
        steps.append(Step("DC", str(entry.dc), of="actor"))
        if used.saved.rolled:
            numbers.append(f"{plain_number(used.saved.rolled.total)} against {entry.dc}")
            terms = owned("target", *used.saved.rolled.terms)
    if used.gave:
        text += " " + gave_words(target, used.gave)
    text += told_words(more)
    text += reminders(ready.effects, *_moment(used.saved.passed if used.saved else None))
    if ready.rolls:
        rolled = " and ".join(map(str, used.sums))
        if ready.darts:
            numbers.append("1 dart" if ready.darts == 1 else f"{ready.darts} darts")
        numbers.append(f"{rolled} rolled, {used.damage} damage")
        steps.append(Step("damage rolled", rolled, of="actor"))
        steps.append(Step("damage", str(used.damage), f"{rolled} rolled"))
    arithmetic = sentence(*numbers) if numbers else ""
    return Explanation(text, terms, tuple(steps), ("SRD-30",), arithmetic=arithmetic)


def _heading(scene: Use, facts: tuple[Mapping[str, Any], ...]) -> str:
    """Return the sentence before those of several targets; none for one."""
    if len(facts) < 2:
        return ""
    power = power_of(scene.actor, scene.options.power)
    name = power.name
    rolled = facts[0].get("rolled", ()) if facts and not power.darts else ()
    sums = f", {' and '.join(map(str, rolled))} rolled" if rolled else ""
    return f"{scene.who_acts} uses {name} on {len(facts)} targets{sums}."


def _is_for_its_user(sheet: Sheet, power: Power) -> bool:
    """Return whether a power works on its user alone, by its area or by all that its effects do."""
    if power.area == ITSELF:
        return True
    if power.save or power.damage or power.healing or power.conditions:
        return False
    lines = [line for line in sheet.effects if power.name in line.of]
    return bool(lines) and all(line.affected == "self" for line in lines)


def is_for_friends(sheet: Sheet, options: PowerOptions) -> bool | Literal["itself"]:
    """Return whether a power helps: it heals, or does no harm that the rules know."""
    power = power_of(sheet, options.power)
    if _is_for_its_user(sheet, power):
        return "itself"
    return not (power.save or power.damage or power.conditions)


def power_notes(scene: Use) -> dict[str, str]:
    """Return the healing of each power, what is left of it, and the spell that it ends (SRD-73 to SRD-78)."""
    found = {}
    for power in scene.actor.powers:
        parts = ["spent"] if power.spent else []
        if power.healing:
            parts.append(f"heals {power.healing}")
        if power.uses_per_day:
            parts.append(f"{max(0, power.uses_per_day - power.used)} of {power.uses_per_day} left")
        if power.slot:
            slots = [slots for slots in scene.actor.spell_slots if slots.level == power.slot]
            left, total = (sum(getattr(each, name) for each in slots) for name in ("left", "total"))
            parts.append(f"level {power.slot}: {left} of {total} slots left")
        if power.concentration and scene.actor.concentrating != NO_CONCENTRATION:
            parts.append(f"ends {scene.actor.concentrating}")
        if power.kind == "legendary":
            parts.append(f"{power.cost} of {scene.actor.legendary_actions_left} legendary actions")
        if parts:
            found[f"power={power.name}"] = ", ".join(parts)
    if not scene.actor.powers:
        return found
    return {**found, **slot_notes(scene.actor, power_of(scene.actor, scene.options.power))}


POWER = Action(
    "power",
    "Use a power: a spell, a breath, healing.",
    power,
    PowerOptions,
    targets="many",
    aims=number_of_darts,
    together=True,
    at_once=True,
    itself=True,
    friends=is_for_friends,
    facts={
        "dc": "of the save; only with a save, as saved and resisted",
        "roll": "advantage, disadvantage or normal; only when a d20 fell, as face and total",
        "face": "the die that counts; only when a d20 fell",
        "total": "of the save; only when a d20 fell",
        "saved": "the save succeeded; only with a save",
        "resisted": "a legendary resistance was spent; only with a save",
        "rolled": "the sum of each damage text before all else",
        **HIT_FACTS,
        "healed": "hit points given back",
        "gave": "the conditions that are new",
        "stopped": STOPPED,
        "power": "its name; only in a fight",
    },
    refusals=(
        costs.STATUS,
        Refusal("target", "the power has a save, damage, healing or conditions, and the target is dead"),
        Refusal("charmed", "charmer, the actor is charmed, and the power has a save, damage or conditions"),
        ONLY,
        Refusal("healing", "an effect of the target rules out healing"),
        Refusal("reaction", "of kind reaction, and the reaction is used"),
        Refusal("legendary_actions", "of kind legendary, and too few are left"),
        costs.SPENT,
        costs.USES,
        costs.SLOT_LEVEL,
        costs.SLOTS,
        costs.LEGENDARY,
    ),
    rules=("SRD-30", "SRD-31", "SRD-77", "SRD-78", "SRD-86"),
    success="saved",
    success_value=False,
    success_label="fails",
    amount="damage",
    heals="healed",
    against="dc",
    needs="at_least",
    notes=power_notes,
    heading=_heading,
    names_use="power",
    letter="p",
    verb="use a power",
)
