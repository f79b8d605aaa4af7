"""The character sheet of Atomic D20, and the status that follows from it."""

from systems.contract import sheet as contract
from systems.contract.sheet import Section, Templates
from systems.schema.fields import Entry, choice, declare, dice, entries, flag, listing, text, whole
from systems.schema.types import Text

BONUSES = ("high_concept", "lineage", "expertise")
SAVES = ("fortitude", "reflex", "willpower", "perception", "stealth")
TRACKS = ("physical", "mental")
# The unit of each track. `max_hearts` and similar names are derived from it.
UNITS = {"physical": "hearts", "mental": "brains", "stamina": "stamina"}
DEATH_CHOICES = ("last_words", "adrenaline", "miraculous")
STATUS_WORDS = ("active", "dying", "adrenaline", "unconscious", "catatonic", "conscious", "dead")
_ACTING = ("active", "conscious", "adrenaline")


@declare
class Weapon(Entry):
    """A weapon. The book gives none, so its dice are the table's choice (ATO-78)."""

    LINE = ("damage+damage_mod",)

    name: str = text()
    damage: str = dice(help="the damage dice")
    damage_mod: int = whole(-99, 99, 0, "added to the damage", label="damage bonus")
    firearm: bool = flag(False, "cannot be nonlethal (ATO-41)")


@declare
class Sheet(contract.Sheet):
    """A character or creature."""

    high_concept: int = whole(-20, 40, 0, "bonus of the high concept (ATO-11)")
    lineage: int = whole(-20, 40, 0, "bonus of the lineage (ATO-12)")
    expertise: int = whole(-20, 40, 0, "bonus of the expertise (ATO-13)")
    high_concept_name: str | None = text(
        None, "the high concept in words, such as Black Knight (ATO-02)", label="concept"
    )
    lineage_name: str | None = text(None, "the lineage in words, such as Elf (ATO-02)", label="descent")
    expertise_name: str | None = text(None, "the expertise in words", label="expert in")
    fortitude: int = whole(-20, 40, 0, "save: what the body endures (ATO-05)")
    reflex: int = whole(-20, 40, 0, "save: dodging and blocking (ATO-05)")
    willpower: int = whole(-20, 40, 0, "save: the mind holds (ATO-05)")
    perception: int = whole(-20, 40, 0, "save: noticing (ATO-05)")
    stealth: int = whole(-20, 40, 0, "save: staying unseen (ATO-05)")
    armor: int = whole(-20, 40, 0, "the sum of all armour worn (ATO-08, R23)", label="armour")
    max_stamina: int = whole(0, 20, 1, "stamina when rested (ATO-27)")
    stamina: int = whole(0, 20, help="stamina left", same_as="max_stamina", supply="left")
    max_hearts: int = whole(1, 20, 3, "hearts when unhurt (ATO-27)")
    hearts: int = whole(0, 20, help="hearts left", same_as="max_hearts")
    max_brains: int = whole(1, 20, 3, "brains when unhurt (ATO-27)")
    brains: int = whole(0, 20, help="brains left", same_as="max_brains")
    minor_physical: int = whole(
        0, 20, 0, "hearts lost to minor wounds and not yet healed (ATO-45)", label="minor wounds of the body"
    )
    minor_mental: int = whole(
        0, 20, 0, "brains lost to minor wounds and not yet healed (ATO-45)", label="minor wounds of the mind"
    )
    wound_banes: int = whole(
        0,
        20,
        0,
        "major wounds not yet healed: each is a bane of 1 on every roll (ATO-35, ATO-55)",
        label="major wounds",
    )
    weapons: tuple[Weapon, ...] = entries(Weapon, "the first is used when none is named")
    practiced: tuple[str, ...] = listing(
        Text(), (), "names of the practised manoeuvres (ATO-07)", label="practised"
    )
    practiced_today: bool = flag(
        False, "the day's hour of practice is spent (ATO-14)", lasts="rest", label="practised today"
    )
    healed_today: bool = flag(False, "a minor wound was healed today (ATO-45)", lasts="rest")
    status: str = choice(STATUS_WORDS, "active", "the state of the character")
    death_choice: str = choice(("none", *DEATH_CHOICES), "none", "how the last breaths are spent (ATO-47)")
    boon: int = whole(
        0,
        9,
        0,
        "small boons saved from last words or adrenaline, each for one roll (ATO-48, ATO-49)",
        lasts="encounter",
        label="boons kept",
    )
    is_pc: bool = flag(
        True, "a player's character; house rules may treat foes otherwise (R38)", label="player character"
    )


SECTIONS = (
    Section(
        "Bonuses",
        (
            *("high_concept", "high_concept_name", "lineage", "lineage_name", "expertise", "expertise_name"),
            "boon",
        ),
    ),
    Section("Saves", ("fortitude", "reflex", "willpower", "perception", "stealth")),
    Section(
        "Hearts, brains and stamina",
        ("max_hearts", "hearts", "max_brains", "brains", "max_stamina", "stamina", "armor"),
    ),
    Section("Wounds", ("minor_physical", "minor_mental", "wound_banes", "status", "death_choice", "is_pc")),
    Section("Weapons", ("weapons",)),
    Section("Practice and rest", ("practiced", "practiced_today", "healed_today")),
)
TEMPLATES = Templates(
    player={
        "high_concept": 2,
        "lineage": 1,
        "expertise": 1,
        "fortitude": 1,
        "reflex": 1,
        "willpower": 1,
        "perception": 1,
        "armor": 1,
        "weapons": [{"name": "sword", "damage": "2d6"}],
    },
    creature={
        "high_concept": 1,
        "reflex": 1,
        "max_hearts": 1,
        "max_stamina": 0,
        "weapons": [{"name": "claws", "damage": "1d6"}],
    },
    gear=("weapons", "armor"),
)


def can_act(sheet: Sheet) -> bool:
    """Return whether the character can act: active, conscious after a recovery, or on adrenaline."""
    return sheet.status in _ACTING
