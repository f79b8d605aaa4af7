"""The table of spells, and a spell as an attack or a power of one caster."""

from collections import Counter
from collections.abc import Sequence
from typing import Any, TypeVar

from systems.contract.tables import GameTable
from systems.schema.conversion import replace
from systems.schema.fields import Entry, choice, declare, declare_field, flag, listing, text, whole
from systems.schema.types import Choice
from systems.srd5.sheet import (
    ABILITIES,
    GIVABLE,
    Amount,
    AmountText,
    Attack,
    Power,
    Sheet,
    damage_texts,
    read_amount,
)

Cast = TypeVar("Cast", bound=Attack | Power)
_ORDINALS = tuple((f"{level}{'stndrd'[2 * level - 2 : 2 * level] or 'th'}", level) for level in range(1, 10))


@declare
class Spell(Entry):
    """A spell: its level, its save or attack, and its effect at that level."""

    name: str = text()
    level: int = whole(0, 9, 0, "its level; 0: a cantrip")
    kind: str = choice(("action", "bonus_action", "reaction", "long"), "action", "the time it takes")
    attack: str | None = choice(("melee", "ranged"), None, "it needs an attack roll")
    save: str | None = choice(ABILITIES, None, "the save against it")
    half: bool = flag(False, "half damage when saved")
    damage: tuple[str, ...] = damage_texts("such as 8d6 fire")
    per_slot: tuple[str, ...] = damage_texts("added for each slot level above its own")
    healing: str | None = declare_field(AmountText(), None, "hit points given back")
    per_slot_healing: str | None = declare_field(
        AmountText(), None, "added for each slot level above its own"
    )
    adds_modifier: bool = flag(False, "the caster's modifier is added to its first amount")
    conditions: tuple[str, ...] = listing(Choice(GIVABLE), (), "given when the save fails")
    later_conditions: tuple[str, ...] = listing(Choice(GIVABLE), (), "may follow later")
    range: int = whole(0, 9999, 0, "feet", unit="feet")
    area: str | None = text(None, "its area in words")
    targets: int = whole(0, 99, 0, "how many targets; 0: by its area, or one")
    per_slot_targets: int = whole(0, 9, 0, "further targets for each slot level above its own")
    rays: int = whole(0, 9, 0, "attacks or darts of one casting")
    per_slot_rays: int = whole(0, 9, 0, "further ones for each slot level above its own")
    rounds: int = whole(0, 99_999, 0, "how long it lasts at most", unit="rounds")
    concentration: bool = flag(False, "the caster concentrates on it")
    remind: str | None = text(None, "a reminder for the game master")


SPELLS = GameTable("spells", Spell, "the spells that the creatures cast")


def cast_by(spell: Spell, modifier: int, proficiency: int, level: int = 0) -> tuple[str, dict[str, Any]]:
    """Return the list of the sheet that a spell of a caster belongs to, and its entry (SRD-77).

    `modifier`: of the caster's ability. `level`: of the slot; by default the spell's own.
    """
    slot = max(spell.level, level)
    above = slot - spell.level
    entry: dict[str, Any] = {"name": spell.name}
    added = modifier if spell.adds_modifier else 0
    damage = _raised(spell.damage, spell.per_slot, above, added)
    if damage:
        entry["damage"] = damage
    if slot:
        entry["slot"] = slot
    if spell.conditions:
        entry["conditions"] = list(spell.conditions)
    if spell.later_conditions:
        entry["later_conditions"] = list(spell.later_conditions)
    entry["magical"] = True
    if spell.attack is not None:
        entry["to_hit"] = modifier + proficiency
        if spell.attack == "ranged":
            entry |= {"kind": "ranged", "range": spell.range}
        return "attacks", entry
    if spell.kind in ("bonus_action", "reaction"):
        entry["kind"] = spell.kind
    if spell.save is not None:
        entry |= {"save": spell.save, "dc": 8 + proficiency + modifier}
        if spell.half:
            entry["half"] = True
    if spell.healing is not None:
        healing = _sum([spell.healing, *([spell.per_slot_healing] * above if spell.per_slot_healing else [])])
        entry["healing"] = _text(Amount(healing.dice, healing.plus + added))
    if spell.rays:
        entry["darts"] = spell.rays + above * spell.per_slot_rays
    if spell.area:
        entry["area"] = spell.area
    if spell.concentration:
        entry["concentration"] = True
    return "powers", entry


def at_slot(entry: Cast, level: int | None) -> Cast:
    """Return a spell of a sheet as a slot of a higher level casts it, by the table of spells (SRD-77)."""
    above = _above(entry, level)
    spell = SPELLS.find(entry.name) if above else None
    if spell is None:
        return entry
    changes: dict[str, Any] = {}
    if spell.per_slot:
        changes["damage"] = tuple(_raised(entry.damage, spell.per_slot, above, 0))
    if spell.per_slot_healing and (healing := getattr(entry, "healing", None)):
        changes["healing"] = _text(_sum([healing, *([spell.per_slot_healing] * above)]))
    if spell.per_slot_rays and (darts := getattr(entry, "darts", 0)):
        changes["darts"] = darts + above * spell.per_slot_rays
    return replace(entry, **changes) if changes else entry


def with_darts(power: Power, number: int) -> Power:
    """Return a power with the damage of all darts that strike one target."""
    return replace(power, damage=tuple(_raised(power.damage, power.damage, number - 1, 0)))


def _above(entry: Attack | Power, level: int | None) -> int:
    """Return how many levels a slot is above the least one of a spell."""
    return max(0, level - entry.slot) if entry.slot and level else 0


def rays_of(entry: Attack, level: int | None = None) -> int:
    """Return how many attacks one casting of a spell makes for a slot of this level; 1 without a slot."""
    spell = SPELLS.find(entry.name) if entry.slot else None
    return spell.rays + _above(entry, level) * spell.per_slot_rays if spell is not None and spell.rays else 1


def slot_notes(sheet: Sheet, entry: Attack | Power) -> dict[str, str]:
    """Return what each slot that is left makes of a spell: `10d6 fire, 1 of 2 left`."""
    spell = SPELLS.find(entry.name) if entry.slot else None
    found = {}
    for slots in sheet.spell_slots:
        if slots.left and slots.level >= entry.slot > 0:
            cast = at_slot(entry, slots.level)
            parts = [*cast.damage] if spell else []
            if spell and (healing := getattr(cast, "healing", None)):
                parts.append(f"heals {healing}")
            if spell and (more := _number_words(spell, slots.level - entry.slot)):
                parts.append(more)
            found[f"slot={slots.level}"] = ", ".join([*parts, f"{slots.left} of {slots.total} left"])
    return found


def _number_words(spell: Spell, above: int) -> str:
    """Return how many targets or rays a spell has, if a higher slot gives more."""
    targets, rays = spell.targets + above * spell.per_slot_targets, spell.rays + above * spell.per_slot_rays
    if spell.per_slot_targets:
        return f"{targets} targets" if targets > 1 else "1 target"
    return f"{rays} rays or darts" if spell.per_slot_rays else ""


def slot_of(entry: Attack | Power) -> int:
    """Return the level of the slot that an attack or a power costs; entries are listed by it."""
    return entry.slot


def slot_option() -> Any:
    """Declare the level of the spell slot, a number or `5th`."""
    return whole(
        1,
        9,
        None,
        "level of the spell slot",
        called=_ORDINALS,
        when_absent="the entry's slot",
        offers=_levels_left,
    )


def _levels_left(sheet: Any) -> tuple[str, ...]:
    """Return the levels of the spell slots that are left."""
    return tuple(dict.fromkeys(str(slots.level) for slots in sheet.spell_slots if slots.left))


def _raised(texts: Sequence[str], more: Sequence[str], times: int, added: int) -> list[str]:
    """Return damage texts with those of a higher slot put to the same type."""
    amounts: dict[str, list[str]] = {}
    for words in (*texts, *(list(more) * times)):
        amount, _, type = words.partition(" ")
        amounts.setdefault(type, []).append(amount)
    found = []
    for at, (type, parts) in enumerate(amounts.items()):
        whole = _sum(parts)
        found.append(f"{_text(Amount(whole.dice, whole.plus + (0 if at else added)))} {type}")
    return found


def _sum(texts: Sequence[str]) -> Amount:
    """Return several amounts as one."""
    dice: Counter[int] = Counter()
    parts = [read_amount(words) for words in texts]
    for part in parts:
        for number, sides in part.dice:
            dice[sides] += number
    return Amount(tuple((number, sides) for sides, number in dice.items()), sum(part.plus for part in parts))


def _text(amount: Amount) -> str:
    """Return an amount as text; a number alone is never below 0."""
    dice = "+".join(f"{number}d{sides}" for number, sides in amount.dice)
    if not dice:
        return str(max(0, amount.plus))
    return f"{dice}{amount.plus:+}" if amount.plus else dice
