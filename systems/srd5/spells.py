"""The table of spells, and a spell as an attack or a power of one caster."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from systems.contract.tables import GameTable
from systems.schema.fields import Entry, choice, declare, declare_field, flag, listing, text, whole
from systems.schema.types import Choice
from systems.srd5.sheet import ABILITIES, GIVABLE, Amount, AmountText, damage_texts, read_amount


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
    rays: int = whole(0, 9, 0, "attacks or darts of one casting")
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
    if spell.area:
        entry["area"] = spell.area
    if spell.concentration:
        entry["concentration"] = True
    return "powers", entry


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
