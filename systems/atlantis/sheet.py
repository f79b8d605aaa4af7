"""The character sheet of Atlantis, and its status."""

from systems.contract import sheet as contract
from systems.contract.outcome import Term
from systems.contract.sheet import Section, Templates
from systems.schema.fields import Entry, choice, declare, entries, flag, listing, table, text, whole
from systems.schema.naming import Naming
from systems.schema.types import Text, Whole
from systems.text import find_word

SIZES = ("tiny", "small", "medium", "big", "huge")
TRAITS = ("body", "mind", "spirit")
# Abilities that the text names; a campaign may use others.
ABILITIES = ("melee", "missile", "brawl", "dodge", "athletics", "perception", "stealth", "medicine")
WIELDS = ("melee", "missile", "brawl")  # abilities for fighting, even if a sheet does not list them


@declare
class Weapon(Entry):
    """One weapon. Damage is a fixed number (ATL-33)."""

    LINE = ("damage", "ability", "kind")

    name: str = text()
    damage: int = whole(0, 999, help="the fixed damage (ATL-33)")
    ability: str = text("melee", "the ability that wields it", naming=Naming("abilities", also=WIELDS))
    kind: str = choice(("melee", "ranged"), "melee", "distance counts for ranged weapons (ATL-30)")
    max_range: int | None = whole(
        0,
        9999,
        None,
        "ranged weapons only (ATL-31)",
        when_absent="no limit",
        label="range",
        unit="m",
    )


@declare
class Sheet(contract.Sheet):
    """One character or creature."""

    abilities: dict[str, int] = table(
        Whole(0, 100),
        "name and score (ATL-01); a missing one is untrained (ATL-16)",
        suggested=ABILITIES,
    )
    traits: dict[str, int] = table(
        Whole(0, 100), "body, mind, spirit; a missing one is 0 (ATL-02)", names=TRAITS
    )
    may_learn: tuple[str, ...] = listing(
        Text(), (), "abilities that were used with success before they were learned (ATL-17)"
    )
    max_life: int = whole(1, 999, 50, "life points when unhurt")
    life: int = whole(-999, 999, help="life points now", same_as="max_life")
    max_armour_pool: int = whole(0, 999, 0, "all that undamaged armour can absorb (ATL-36)")
    armour_pool: int = whole(
        0, 999, help="all that it can still absorb", same_as="max_armour_pool", supply="left"
    )
    armour_per_attack: int = whole(0, 999, 0, "the most it absorbs from one attack (ATL-37)")
    size: str = choice(SIZES, "medium", "its size as a target (ATL-28)")
    weapons: tuple[Weapon, ...] = entries(Weapon, "the first is the default")
    attacks_per_round: int = whole(1, 9, 1, "attacks allowed in a round (ATL-25)")
    is_pc: bool = flag(True, "a player character: rolls when unconscious (ATL-45)", label="player character")
    dies_at_zero: bool = flag(False, "a minor character: dead at 0 life points or less (R26)")
    slain: bool = flag(False, "killed by a coup de grace, whatever the life points (ATL-47)")
    passive_used: int = whole(0, 99, 0, "passive resistances already used this round (ATL-24)", lasts="round")
    action_spent: bool = flag(
        False, "this round's action went into an active defence or a check (ATL-20, R38)", lasts="round"
    )
    defending: bool = flag(
        False, "this turn's action went into a defence that waits for an attack (R37)", lasts="round"
    )
    attacks_made: int = whole(0, 99, 0, "attacks already made this round (ATL-25)", lasts="round")


SECTIONS = (
    Section(
        "Life and armour", ("max_life", "life", "max_armour_pool", "armour_pool", "armour_per_attack", "size")
    ),
    Section("Abilities", ("abilities", "may_learn")),
    Section("Traits", ("traits",)),
    Section("Fighting", ("attacks_per_round", "weapons")),
    Section("Life and death", ("is_pc", "dies_at_zero", "slain")),
)
TEMPLATES = Templates(
    player={
        "abilities": {"melee": 45, "dodge": 30, "perception": 30, "athletics": 20},
        "traits": {"body": 10, "mind": 10, "spirit": 10},
        "max_life": 50,
        "max_armour_pool": 20,
        "armour_per_attack": 6,
        "weapons": [{"name": "sword", "damage": 15, "ability": "melee"}],
    },
    creature={
        "abilities": {"melee": 35, "dodge": 15},
        "traits": {"body": 5},
        "max_life": 40,
        "max_armour_pool": 10,
        "armour_per_attack": 4,
        "weapons": [{"name": "spear", "damage": 15, "ability": "melee"}],
        "dies_at_zero": True,
    },
    fighting=("abilities.melee", "abilities.missile", "abilities.brawl"),
    gear=(
        "weapons",
        "max_armour_pool",
        "armour_per_attack",
    ),
)


def life_status(sheet: Sheet) -> str:
    """Return `dead`, `unconscious` or `conscious` (ATL-43, ATL-46, R26)."""
    if sheet.slain or sheet.life <= -31 or (sheet.dies_at_zero and sheet.life <= 0):
        return "dead"
    return "unconscious" if sheet.life <= 0 else "conscious"


def has_acted(sheet: Sheet) -> bool:
    """Return whether this round's action is used for a defence, a check or an attack (ATL-20, R14)."""
    return sheet.action_spent or sheet.attacks_made > 0


def life_lost(sheet: Sheet) -> int:
    """Return the life points below the maximum, at least 0."""
    return max(0, sheet.max_life - sheet.life)


def wound_penalty(sheet: Sheet) -> int:
    """Return 0, -5, -10, -15 or -20 by the life points lost (ATL-41, R7)."""
    lost = life_lost(sheet)
    return -5 * ((lost > 10) + (lost > 25) + (lost > 50) + (lost > 75))


def trained(sheet: Sheet, ability: str) -> str | None:
    """Return the ability as the sheet spells it, or None if it is not there."""
    return find_word(ability, sheet.abilities)


def learning(sheet: Sheet, ability: str) -> dict[str, object]:
    """Return the changes after a success: a player character without the ability may learn it (ATL-17)."""
    if not sheet.is_pc or trained(sheet, ability) or find_word(ability, sheet.may_learn):
        return {}
    return {"may_learn": (*sheet.may_learn, ability)}


def score_term(sheet: Sheet, ability: str, trait: str | None) -> Term:
    """Return the ability's score, or the trait's, or 0 (ATL-16)."""
    if own := trained(sheet, ability):
        return Term(own, sheet.abilities[own])
    value = sheet.traits.get(trait, 0) if trait else 0
    return Term(f"{trait or 'no trait'}, untrained in {ability}", value)
