"""The sheet of SRD 5.2: its vocabulary, its fields and the lists of entries on it."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Unpack

from systems.contract import sheet as contract
from systems.contract.sheet import Section, Templates
from systems.effects.field import effect_lines
from systems.effects.meaning import Vocabulary
from systems.errors import Wrong, unknown
from systems.frozen import frozen
from systems.schema.conversion import entry_named, entry_or_first
from systems.schema.fields import (
    Entry,
    FieldDetails,
    choice,
    declare,
    declare_field,
    entries,
    flag,
    listing,
    table,
    text,
    whole,
)
from systems.schema.naming import Naming
from systems.schema.types import Choice, SpacedList, Text, Whole
from systems.text import nearest, shown

ABILITIES = ("strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma")
DAMAGE_TYPES = (
    *("acid", "bludgeoning", "cold", "fire", "force", "lightning", "necrotic"),
    *("piercing", "poison", "psychic", "radiant", "slashing", "thunder"),
)
SKILLS = {
    **dict.fromkeys(("acrobatics", "sleight_of_hand", "stealth"), "dexterity"),
    "athletics": "strength",
    **dict.fromkeys(("arcana", "history", "investigation", "nature", "religion"), "intelligence"),
    **dict.fromkeys(("animal_handling", "insight", "medicine", "perception", "survival"), "wisdom"),
    **dict.fromkeys(("deception", "intimidation", "performance", "persuasion"), "charisma"),
}
CONDITION_NAMES = (
    *("blinded", "charmed", "deafened", "frightened", "grappled", "incapacitated", "invisible"),
    *("paralyzed", "petrified", "poisoned", "prone", "restrained", "stunned", "unconscious"),
)
GIVABLE = (*CONDITION_NAMES, "exhaustion")
SIZES = ("tiny", "small", "medium", "large", "huge", "gargantuan")
TYPES = (
    *("aberration", "beast", "celestial", "construct", "dragon", "elemental", "fey"),
    *("fiend", "giant", "humanoid", "monstrosity", "ooze", "plant", "undead"),
)
RATINGS = ("none", "0", "1/8", "1/4", "1/2", *map(str, range(1, 31)))
SPEEDS = ("walk", "fly", "swim", "climb", "burrow")
RESTS_AFTER = ("long_rest", "short_rest")
DICE = ("d4", "d6", "d8", "d10", "d12", "d20")
NO_CONCENTRATION = "none"
ITSELF = "self"  # the area of a power that works on its user alone
NO_FORM = "own"
# The words of effects that count here.
VOCABULARY = Vocabulary(
    changes=(
        *("attacks", "attacks_on_it", "ac", "saves", "checks", "concentration", "healing"),
        "temp_hp",
        "opportunity_attacks",
    ),
    saves=(*ABILITIES, *SKILLS),
    reads_saves=True,
    damage_types=DAMAGE_TYPES,
    creature_types=TYPES,
)
MOST_EXHAUSTION = 6
USUAL_DAMAGE = "slashing"

_DICE = r"[1-9][0-9]?d(?:4|6|8|10|12|20)"
AMOUNT = rf"(?:{_DICE}(?:\+{_DICE})*(?:[+-][0-9]{{1,3}})?|[0-9]{{1,3}})"


@frozen
class AmountText:
    """An amount: dice joined by + with a number after a sign, or a number alone, such as `2d8+1d4-1`."""

    expected = "an amount such as 2d8+3 or 7"
    examples = ("2d8+3", "7", "1d4-2", "1d6+1d4")  # for the general laws

    def check(self, value: object, path: str = "") -> str:
        if not isinstance(value, str) or not re.fullmatch(AMOUNT, value):
            raise Wrong(path, f"expected {self.expected}, got {shown(value)}", code="wrong_type")
        return value

    def typed(self, word: str, path: str = "") -> str:
        return self.check(_plain(word), path)


@frozen
class DamageWords:
    """An amount, one blank, and a damage type, such as `2d8+1d4-1 fire`."""

    expected = "damage such as 2d6+3 slashing or 1 piercing"
    examples = ("2d6+3 slashing", "1 piercing", "1d8 fire", "1d4-2 poison", "1d10 radiant", "3d6 fire")

    def check(self, value: object, path: str = "") -> str:
        amount, blank, type = value.partition(" ") if isinstance(value, str) else ("", "", "")
        if blank and type in DAMAGE_TYPES and re.fullmatch(AMOUNT, amount):
            return str(value)
        known = f"{type!r} is no damage type" if type and type not in DAMAGE_TYPES else ""
        near = nearest(type, DAMAGE_TYPES) if known else ""
        says = f"expected {self.expected}, got {shown(value)}"
        if known and re.fullmatch(AMOUNT, amount):
            says += f": {known}" + (f"; did you mean {near}?" if near else "")
        raise Wrong(path, says, code="wrong_type", suggestion=near)

    def typed(self, word: str, path: str = "") -> str:
        return self.check(" ".join(_plain(word).split()), path)


@frozen
class DamageWordsList(SpacedList):
    """A list of damage texts. In a typed line an amount without a type is slashing damage."""

    def words_taken(self, words: Sequence[str]) -> int:
        taken = 0
        while taken < len(words) and re.fullmatch(AMOUNT, _plain(words[taken])):
            taken += 1
            if taken < len(words) and words[taken].casefold() in DAMAGE_TYPES:
                taken += 1
        return max(1, taken)

    def typed(self, word: str, path: str = "") -> tuple[str, ...]:
        found: list[str] = []
        for part in re.split(r"[,\s]+", _plain(word).strip("[] ")):
            if found and " " not in found[-1] and not re.fullmatch(AMOUNT, part):
                found[-1] += f" {part.casefold()}"
            elif part:
                found.append(part)
        texts = [text if " " in text else f"{text} {USUAL_DAMAGE}" for text in found]
        return tuple(self.item.typed(text, path) for text in texts)


def _plain(word: str) -> str:
    return word.replace("\N{MINUS SIGN}", "-")


@frozen
class Amount:
    """A read amount: its dice as (number, sides) in the order written, and the number added."""

    dice: tuple[tuple[int, int], ...]
    plus: int


@lru_cache(maxsize=1024)
def read_amount(words: str) -> Amount:
    """Return the dice and the number of `2d8+1d4-1`, of a text that has been checked."""
    found = re.fullmatch(rf"({_DICE}(?:\+{_DICE})*)?([+-]?[0-9]{{1,3}})?", words)
    assert found is not None
    parts = found[1].split("+") if found[1] else ()
    dice = tuple((int(part.split("d")[0]), int(part.split("d")[1])) for part in parts)
    return Amount(dice, int(found[2] or 0))


def damage_texts(help: str, **details: Unpack[FieldDetails]) -> Any:
    """Declare a list of damage texts."""
    return declare_field(DamageWordsList(DamageWords()), (), help, **details)


def conditions_given(help: str) -> Any:
    """Declare a list of conditions that may hold exhaustion, too."""
    return listing(Choice(GIVABLE), (), help)


def _modifier_of_dexterity(sheet: Any) -> int:
    return modifier(sheet.dexterity)


@declare
class Skill(Entry):
    """A skill with its whole bonus."""

    LINE = ("bonus",)

    name: str = text()
    bonus: int = whole(-20, 40, help="the whole bonus")


@declare
class Attack(Entry):
    """An attack of the sheet: its bonus, its reach and range, its damage, and what a hit brings."""

    SIGNED = "to_hit"
    LINE = ("damage",)

    name: str = text()
    to_hit: int = whole(-10, 40, help="added to the d20")
    kind: str = choice(
        ("melee", "ranged", "either"), "melee", "either: melee within the reach, ranged beyond it"
    )
    reach: int = whole(0, 999, 5, "feet, in melee", unit="feet")
    range: int = whole(0, 9999, 0, "feet, of a ranged attack", unit="feet")
    long_range: int = whole(
        0, 9999, help="feet; beyond the range with disadvantage (SRD-15)", same_as="range", unit="feet"
    )
    damage: tuple[str, ...] = damage_texts("such as 2d6+3 slashing")
    conditions: tuple[str, ...] = conditions_given("given by a hit")
    escape_dc: int = whole(0, 40, 0, "of a grapple that a hit gives", label="escape")
    critical_from: int = whole(2, 20, 20, "least face of a critical hit (R6)")
    save: str | None = choice(ABILITIES, None, "the save that a hit brings (SRD-94)")
    save_dc: int = whole(0, 40, 10, "what that save must reach")
    save_damage: tuple[str, ...] = damage_texts("when the save fails")
    save_half: bool = flag(False, "half of that on a success")
    save_conditions: tuple[str, ...] = conditions_given("given when the save fails")
    later_conditions: tuple[str, ...] = conditions_given("may follow later; nothing gives them (R19)")
    magical: bool = flag(False, "magic resistance helps against its save (R28)")
    recharge: int = whole(0, 6, 0, "least face of the d6 that brings it back; 0: never spent (SRD-73)")
    spent: bool = flag(False, "used and not yet back", lasts="rest")
    uses_per_day: int = whole(0, 99, 0, "0: not counted (SRD-74)", label="uses")
    used: int = whole(0, 99, 0, "how many of them are used", lasts="rest", supply="used")
    back_after: str = choice(RESTS_AFTER, "long_rest", "the rest that brings the uses back")
    slot: int = whole(0, 9, 0, "least level of the spell slot that it costs; 0: none (SRD-77)")


@declare
class Power(Entry):
    """A power used without an attack roll: a spell, a breath, an aura, healing, or a counted feature."""

    name: str = text()
    kind: str = choice(("action", "bonus_action", "reaction", "legendary"), "action", "what it takes")
    cost: int = whole(1, 9, 1, "legendary actions, of a legendary power")
    save: str | None = choice(ABILITIES, None, "the save against it; absent: no save")
    dc: int = whole(0, 40, 10, "what the save must reach")
    damage: tuple[str, ...] = damage_texts("such as 8d6 fire; of one dart, if it has darts")
    darts: int = whole(0, 20, 0, "in a fight, darts of one use, each at any target; 0: none")
    half: bool = flag(False, "half damage when saved (SRD-30)")
    healing: str | None = declare_field(AmountText(), None, "hit points given to the target, such as 2d8+3")
    conditions: tuple[str, ...] = conditions_given("given when the save fails, or without a save")
    escape_dc: int = whole(0, 40, 0, "of a grapple that it gives", label="escape")
    later_conditions: tuple[str, ...] = conditions_given("may follow later; nothing gives them (R19)")
    area: str | None = text(None, "its area in words; self: it works on its user alone")
    magical: bool = flag(False, "magic resistance helps against its save (R28)")
    concentration: bool = flag(False, "the user concentrates on it (SRD-78)")
    recharge: int = whole(0, 6, 0, "least face of the d6 that brings it back; 0: never spent (SRD-73)")
    spent: bool = flag(False, "used and not yet back", lasts="rest")
    uses_per_day: int = whole(0, 99, 0, "0: not counted (SRD-74)", label="uses")
    used: int = whole(0, 99, 0, "how many of them are used", lasts="rest", supply="used")
    back_after: str = choice(RESTS_AFTER, "long_rest", "the rest that brings the uses back")
    slot: int = whole(0, 9, 0, "least level of the spell slot that it costs; 0: none (SRD-77)")


@declare
class Several(Entry):
    """An attack of a multiattack and how many times it is made."""

    COUNTED = "times"

    name: str = text(naming=Naming("attacks", also=("unarmed",), free=False))
    times: int = whole(1, 9, 1, "how many times")


@declare
class OtherForm(Entry):
    """A form that a creature can take; what it does not name stays the same."""

    name: str = text()
    size: str | None = choice(SIZES, None, "its size", when_absent="as before")
    speed: dict[str, int] = table(Whole(0, 500), "feet for each kind of movement", names=SPEEDS)
    resistances: tuple[str, ...] = listing(Choice(DAMAGE_TYPES), (), "damage that is halved in this form")


@declare
class SpellSlots(Entry):
    """Spell slots of one level."""

    LINE = ("left/total",)

    name: str = text()
    level: int = whole(1, 9, help="level of the slots")
    total: int = whole(0, 9, help="slots after a rest")
    left: int = whole(
        0, 9, help="slots left", same_as="total", lasts="rest", supply="left", supply_of="spell slots"
    )
    back_after: str = choice(RESTS_AFTER, "long_rest", "the rest that brings them back")


@declare
class HitDice(Entry):
    """Hit dice of one kind."""

    LINE = ("left/total",)

    name: str = text()
    die: str = choice(DICE, help="the die")
    total: int = whole(0, 99, help="dice after a rest")
    left: int = whole(
        0, 99, help="dice left", same_as="total", lasts="rest", supply="left", supply_of="hit dice"
    )


def _score(of: str) -> Any:
    return whole(1, 30, 10, f"{of}; its modifier is the score less 10, halved and rounded down (SRD-01)")


@declare
class Sheet(contract.Sheet):
    """A creature or a character."""

    ac: int = whole(0, 99, 10, "armour class", label="AC")
    max_hp: int = whole(0, 999, 10, "hit points when unhurt; at 0 it is dead (SRD-44)")
    hp: int = whole(0, 999, help="hit points now", same_as="max_hp")
    max_hp_lost: int = whole(0, 999, 0, "by how much the maximum is lowered until a long rest", lasts="rest")
    temp_hp: int = whole(0, 999, 0, "temporary hit points (SRD-32)", lasts="rest", label="temporary hp")
    strength: int = _score("strength")
    dexterity: int = _score("dexterity")
    constitution: int = _score("constitution")
    intelligence: int = _score("intelligence")
    wisdom: int = _score("wisdom")
    charisma: int = _score("charisma")
    strength_lost: int = whole(0, 30, 0, "by how much Strength is lowered until a rest", lasts="rest")
    proficiency: int = whole(0, 10, 2, "proficiency bonus (SRD-90)")
    saves: dict[str, int] = table(
        Whole(-20, 40), "saving throws that are not the ability's modifier (SRD-08)", names=ABILITIES
    )
    skills: tuple[Skill, ...] = entries(Skill, "skills that are not their ability's modifier (SRD-07)")
    initiative: int = whole(
        -20,
        40,
        None,
        "added to the initiative roll (SRD-10)",
        when_absent="the Dexterity modifier",
        derive=_modifier_of_dexterity,
    )
    speed: dict[str, int] = table(
        Whole(0, 500), "feet for each kind of movement; walk is 30 if it is not given", names=SPEEDS
    )
    size: str = choice(SIZES, "medium", "its size (SRD-70)")
    type: str = choice(TYPES, "humanoid", "the type of creature")
    cr: str = choice(RATINGS, "none", "challenge rating of a creature (SRD-90)", label="CR")
    level: int = whole(0, 20, 0, "of a character; 0: a creature")
    forms: tuple[OtherForm, ...] = entries(OtherForm, "other forms that it can take")
    form: str = text(NO_FORM, "the form that it has taken; own: none of the other forms", lasts="rest")
    resistances: tuple[str, ...] = listing(
        Choice(DAMAGE_TYPES), (), "damage of these types is halved (SRD-27)"
    )
    immunities: tuple[str, ...] = listing(Choice(DAMAGE_TYPES), (), "no damage of these types (SRD-29)")
    absorbs: tuple[str, ...] = listing(Choice(DAMAGE_TYPES), (), "damage of these types heals it instead")
    vulnerabilities: tuple[str, ...] = listing(
        Choice(DAMAGE_TYPES), (), "damage of these types is doubled (SRD-28)"
    )
    condition_immunities: tuple[str, ...] = listing(
        Choice(GIVABLE), (), "conditions that it never has (SRD-63)"
    )
    conditions: tuple[str, ...] = listing(
        Choice(CONDITION_NAMES), (), "conditions that it has now", lasts="rest"
    )
    escape_dc: int = whole(0, 40, 0, "of the grapple it is in (SRD-72)", lasts="rest", label="escape")
    grapple_restrains: bool = flag(False, "restrained as long as it is grappled (R24)", lasts="rest")
    exhaustion: int = whole(0, 6, 0, "levels of exhaustion; dead at 6 (SRD-11)", lasts="rest")
    dies_at_zero: bool = flag(
        False, "dead at 0 hit points, as creatures are; else it falls and rolls death saves (R1)"
    )
    death_successes: int = whole(0, 3, 0, "death saves passed (SRD-39)", lasts="rest")
    death_failures: int = whole(0, 3, 0, "death saves failed; 3 at 0 hit points: dead", lasts="rest")
    stable: bool = flag(False, "at 0 hit points without death saves (SRD-46)", lasts="rest")
    knocked_out: bool = flag(
        False, "unconscious with hit points left, until it regains any or rests (SRD-36)", lasts="rest"
    )
    attacks: tuple[Attack, ...] = entries(Attack, "the first is used when none is named; see unarmed")
    powers: tuple[Power, ...] = entries(Power, "actions without an attack roll")
    multiattack: tuple[Several, ...] = entries(Several, "attacks of one action (SRD-22)")
    legendary_actions: int = whole(0, 9, 0, "legendary actions a round (SRD-75)")
    legendary_actions_left: int = whole(
        0, 9, help="legendary actions left", same_as="legendary_actions", lasts="round"
    )
    legendary_resistances: int = whole(0, 9, 0, "legendary resistances a day (SRD-76)")
    legendary_resistances_left: int = whole(
        0, 9, help="legendary resistances left", same_as="legendary_resistances", lasts="rest"
    )
    spell_slots: tuple[SpellSlots, ...] = entries(SpellSlots, "spell slots by level (SRD-77)")
    hit_dice: tuple[HitDice, ...] = entries(HitDice, "hit dice for short rests (SRD-81)")
    reaction_used: bool = flag(False, "the reaction is used (SRD-89)", lasts="round")
    concentrating: str = text(
        NO_CONCENTRATION, "the name of what it concentrates on; none: on nothing (SRD-78)", lasts="rest"
    )
    dodging: bool = flag(False, "dodges until its next turn starts (SRD-66)", lasts="round")
    disengaged: bool = flag(False, "provokes no opportunity attacks this turn (SRD-65)", lasts="turn")
    readied: bool = flag(False, "holds something ready until its next turn starts (SRD-69)", lasts="round")
    distracted: bool = flag(False, "the next attack roll against it has advantage (SRD-67)", lasts="round")
    helped: bool = flag(False, "its next ability check has advantage (SRD-67)", lasts="round")
    hidden_dc: int = whole(
        0, 99, 0, "total of the check by which it hid; above 0 it is unseen (SRD-68)", lasts="encounter"
    )
    regeneration: int = whole(0, 999, 0, "hit points at the start of its turn (SRD-88)")
    regeneration_stopped_by: tuple[str, ...] = listing(
        Choice(DAMAGE_TYPES), (), "types of damage that stop it for one turn"
    )
    regeneration_stopped: bool = flag(False, "not at the next start of its turn", lasts="round")
    regenerates_at_zero: bool = flag(
        False, "dies only when its turn starts at 0 and it does not regenerate (R29)"
    )
    magic_resistance: bool = flag(False, "advantage on saves against what is magical (SRD-84)")
    pack_tactics: bool = flag(False, "advantage with an able ally near the target (SRD-85)")
    evasion: bool = flag(False, "none instead of half damage, half instead of all (SRD-86)")
    undead_fortitude: bool = flag(False, "a Constitution save keeps it at 1 hit point (SRD-87)")
    traits: tuple[str, ...] = listing(Text(), (), "names of traits, for looking at")
    effects: tuple[Any, ...] = effect_lines(
        VOCABULARY,
        "what its attacks, powers and traits do in a fight",
    )


SECTIONS = (
    Section("Life", ("max_hp", "hp", "temp_hp", "ac", "initiative", "speed", "dies_at_zero")),
    Section("Abilities", (*ABILITIES, "proficiency", "saves", "skills")),
    Section("Kind", ("size", "type", "cr", "level", "forms", "traits")),
    Section("Attacks and powers", ("attacks", "multiattack", "powers", "effects", "spell_slots", "hit_dice")),
    Section(
        "Legendary",
        (
            "legendary_actions",
            "legendary_resistances",
            "legendary_resistances_left",
        ),
    ),
    Section(
        "Defences",
        (
            "resistances",
            "immunities",
            "absorbs",
            "vulnerabilities",
            "condition_immunities",
            "magic_resistance",
            "evasion",
            "undead_fortitude",
            "pack_tactics",
            "regeneration",
            "regeneration_stopped_by",
            "regenerates_at_zero",
        ),
    ),
    Section(
        "Conditions",
        (
            "conditions",
            "form",
            "max_hp_lost",
            "strength_lost",
            "exhaustion",
            "concentrating",
            "escape_dc",
            "grapple_restrains",
            "knocked_out",
            "death_successes",
            "death_failures",
            "stable",
            "hidden_dc",
        ),
    ),
)
TEMPLATES = Templates(
    player={
        "level": 1,
        "ac": 14,
        "max_hp": 10,
        "hit_dice": [{"name": "d8", "die": "d8", "total": 1}],
        "attacks": [{"name": "longsword", "to_hit": 4, "damage": ["1d8+2 slashing"]}],
    },
    creature={
        "cr": "1/4",
        "ac": 12,
        "max_hp": 7,
        "dies_at_zero": True,
        "attacks": [{"name": "claws", "to_hit": 4, "damage": ["1d6+2 slashing"]}],
    },
    gear=("attacks", "multiattack"),
)


def modifier(score: int) -> int:
    """Return the modifier of a score: less 10, halved, rounded down (SRD-01)."""
    return (score - 10) // 2


def ability_modifier(sheet: Sheet, ability: str) -> int:
    """Return the modifier of an ability."""
    score: int = getattr(sheet, ability)
    return modifier(score)


def save_bonus(sheet: Sheet, ability: str) -> int:
    """Return the bonus of a save: as listed, else the ability's modifier (SRD-08)."""
    listed = sheet.saves.get(ability)
    return ability_modifier(sheet, ability) if listed is None else listed


def skill_bonus(sheet: Sheet, skill: str) -> int:
    """Return the bonus of one of the 18 skills: as listed, else its ability's modifier (SRD-07)."""
    listed = entry_named(sheet.skills, skill)
    return ability_modifier(sheet, SKILLS[skill]) if listed is None else listed.bonus


def unarmed_of(sheet: Sheet) -> Attack:
    """Return the unarmed strike that everybody has (SRD-21)."""
    strength = ability_modifier(sheet, "strength")
    damage = (f"{max(0, 1 + strength)} bludgeoning",)
    return Attack(name="unarmed", to_hit=strength + sheet.proficiency, damage=damage)


def attack_of(sheet: Sheet, name: str | None, path: str = "options.weapon") -> Attack:
    """Return the named attack, the first, or the unarmed strike. Raises Wrong for an unknown name."""
    if name is None:
        return sheet.attacks[0] if sheet.attacks else unarmed_of(sheet)
    found = entry_named(sheet.attacks, name)
    if found is None and name == "unarmed":
        return unarmed_of(sheet)
    if found is None:
        known = [*(attack.name for attack in sheet.attacks), "unarmed"]
        raise unknown(path, f"no attack {shown(name)}", name, known)
    return found


def power_of(sheet: Sheet, name: str | None) -> Power:
    """Return the named power, or the first. Raises Wrong if there is none."""
    return entry_or_first(sheet.powers, name, "power")


def slots_of(sheet: Sheet, level: int) -> SpellSlots | None:
    """Return the first entry of spell slots of a level with one left (SRD-77)."""
    found: Sequence[SpellSlots] = sheet.spell_slots
    return next((slots for slots in found if slots.level == level and slots.left > 0), None)
