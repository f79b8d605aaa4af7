"""The character sheet of Enter the Waygate, and the status that follows from it."""

from systems.contract import sheet as contract
from systems.contract.sheet import Section, Templates
from systems.schema.conversion import entry_meant, entry_or_first
from systems.schema.fields import Entry, choice, declare, dice, entries, flag, listing, text, whole
from systems.schema.types import Choice
from systems.waygate.house import House

Score = int  # the sheet has fields that are called int and str
ATTRIBUTES = ("str", "dex", "vit", "wp", "int", "cha", "magic")
ATTRIBUTE_WORDS = {
    "str": "Str",
    "dex": "Dex",
    "vit": "Vit",
    "wp": "WP",
    "int": "Int",
    "cha": "Cha",
    "magic": "Magic",
}
KINDS = ("melee", "finesse", "ranged")
MODES = ("single", "burst", "auto")
LEAST_HP = -999
BARE_ARMOR = 8


@declare
class Skill(Entry):
    """A skill: its attribute and level of training (WAY-06, WAY-07)."""

    LINE = ("attribute", "training")

    name: str = text()
    attribute: str = choice(ATTRIBUTES, help="the attribute that it uses")
    training: int = whole(-9, 9, 0, "untrained −2, basic 0, learned 1, skilled 2, master 3 (WAY-N8)")


@declare
class Weapon(Entry):
    """A weapon. Modes, clip and rounds count for any weapon that has them (R32)."""

    LINE = ("damage+damage_mod", "kind")
    SIGNED = "hit_mod"

    name: str = text()
    damage: str = dice(help="the dice of one blow or bullet")
    kind: str = choice(KINDS, "melee", "melee uses Str, finesse and ranged use Dex (WAY-13 to WAY-15)")
    hit_mod: int = whole(-99, 99, 0, "added to the hit test", label="to hit")
    damage_mod: int = whole(-99, 99, 0, "added to the damage of each blow or bullet", label="damage bonus")
    firearm: bool = flag(False, "can jam (WAY-16)")
    modes: tuple[str, ...] = listing(Choice(MODES), ("single",), "its firing modes (WAY-22)")
    burst: int = whole(0, 99, 0, "shots of a burst (WAY-24)", label="burst of")
    clip: int = whole(0, 999, 0, "rounds when full; 0: rounds are not counted")
    loaded: int = whole(0, 999, help="rounds in it", same_as="clip", supply="left", supply_of="rounds")
    maintained: bool = flag(False, "weapon maintenance: only a 1 jams it (WAY-17)")
    jammed: bool = flag(False, "cannot fire until the jam is cleared")


@declare
class Spell(Entry):
    """A spell. It attacks only if it has damage, and heals only if it has healing."""

    LINE = ("damage",)

    name: str = text()
    damage: str | None = dice(None, "the dice of its damage")
    healing: str | None = dice(None, "the dice of its healing (R37)")
    mystic: int | None = whole(1, 99, None, "the value of its Mystic Test; absent: no test (WAY-N4)")


@declare
class Sheet(contract.Sheet):
    """A character or creature."""

    str: Score = whole(-20, 40, 0, "Strength", label="Str")
    dex: Score = whole(-20, 40, 0, "Dexterity", label="Dex")
    vit: Score = whole(-20, 40, 0, "Vitality", label="Vit")
    wp: Score = whole(-20, 40, 0, "Willpower", label="WP")
    int: Score = whole(-20, 40, 0, "Intelligence", label="Int")
    cha: Score = whole(-20, 40, 0, "Charisma", label="Cha")
    magic: Score = whole(-20, 40, 0, "Magic", label="Magic")
    max_hp: Score = whole(1, 999, 10, "hit points when unhurt")
    hp: Score = whole(LEAST_HP, 999, help="hit points now", same_as="max_hp")
    armor: Score = whole(0, 99, BARE_ARMOR, "the armor rating as a whole: 8 + Dex + armor value (WAY-N2)")
    level: Score = whole(1, 99, 1, "character level")
    aether_marks: Score = whole(0, 1, 0, "at most one (WAY-51)", label="Aether Marks", supply="left")
    rounds_below_zero: Score = whole(0, 99, 0, "own turns begun below 0 (WAY-44)", label="turns below 0")
    brought_back: bool = flag(False, "was brought back from death by a mark, which works once (WAY-53)")
    skills: tuple[Skill, ...] = entries(Skill, "skills by name")
    weapons: tuple[Weapon, ...] = entries(Weapon, "the first is used when none is named")
    spells: tuple[Spell, ...] = entries(Spell, "the first is cast when none is named")


SECTIONS = (
    Section("Attributes", ("str", "dex", "vit", "wp", "int", "cha", "magic")),
    Section("Life", ("level", "max_hp", "hp", "armor", "rounds_below_zero", "aether_marks", "brought_back")),
    Section("Skills", ("skills",)),
    Section("Weapons", ("weapons",)),
    Section("Spells", ("spells",)),
)
TEMPLATES = Templates(
    player={
        "str": 2,
        "dex": 2,
        "vit": 2,
        "wp": 1,
        "int": 1,
        "cha": 1,
        "max_hp": 13,
        "armor": 12,
        "skills": [{"name": "athletics", "attribute": "str", "training": 1}],
        "weapons": [{"name": "long sword", "damage": "2d6"}],
    },
    creature={
        "str": 2,
        "dex": 2,
        "vit": 1,
        "max_hp": 10,
        "armor": 10,
        "weapons": [{"name": "claws", "damage": "1d6"}],
    },
    gear=("weapons", "spells", "armor"),
)


def attribute_of(sheet: Sheet, attribute: str | None) -> int:
    """Return the attribute's value, or 0 for None."""
    return int(getattr(sheet, attribute)) if attribute else 0


def skill_of(sheet: Sheet, name: str, path: str = "options.skill") -> Skill:
    """Return the skill of that name. Raises Wrong with the option's path if the sheet has none."""
    return entry_meant(sheet.skills, name, "skill", path)


def weapon_of(sheet: Sheet, name: str | None) -> Weapon:
    """Return the named weapon, or the first. Raises Wrong if the sheet has none."""
    return entry_or_first(sheet.weapons, name, "weapon")


def spell_of(sheet: Sheet, name: str) -> Spell:
    """Return the spell of that name. Raises Wrong if the sheet has none."""
    return entry_meant(sheet.spells, name, "spell")


def deadly_loss(max_hp: int, house: House) -> int:
    """Return how far below 0 kills: half of the maximum, exact or rounded down, at least 1 (WAY-43, R22)."""
    return max(1, max_hp // 2 if house.half_health == "down" else (max_hp + 1) // 2)


def status_of(hp: int, max_hp: int, rounds: int, house: House) -> str:
    """Return `conscious`, `unconscious` or `dead` for these values (WAY-40, WAY-43, WAY-44)."""
    if hp > 0:
        return "conscious"
    dead = hp < 0 and (-hp >= deadly_loss(max_hp, house) or rounds >= house.dying_rounds)
    return "dead" if dead else "unconscious"


def life_status(sheet: Sheet, house: House) -> str:
    """Return the status of a sheet: `conscious`, `unconscious` or `dead`."""
    return status_of(sheet.hp, sheet.max_hp, sheet.rounds_below_zero, house)


def is_dying(sheet: Sheet, house: House) -> bool:
    """Return whether a character is below 0 and not dead, so that it loses 1d4 each turn (WAY-42, WAY-44)."""
    return sheet.hp < 0 and life_status(sheet, house) != "dead"
