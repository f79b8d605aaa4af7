"""A creature's stat block as values: its figures and paragraphs, and what a game makes of them.

`systems.stat_blocks` reads these values from pasted text; an importer of another tracker's file makes them
from its data. A game with `Ruleset.stat_blocks` turns them into its own sheet.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

from systems.frozen import frozen

BlockSection = Literal["trait", "action", "bonus_action", "reaction", "legendary", "mythic", "lair"]
ABILITIES = ("strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma")


@frozen
class BlockLine:
    """One line of the report on a stat block: a piece of its text, and what it became.

    `becomes`: the part of the sheet in words; "" for nothing. `assumed`: an assumption about it, in words.
    `problem`: the reason why it was not understood; such a piece is kept as a note.
    """

    text: str
    becomes: str = ""
    assumed: str = ""
    problem: str = ""


@frozen
class Paragraph:
    """A trait, an action or another named paragraph, as prose or as tagged text such as `{@hit 5}`."""

    section: BlockSection
    name: str
    text: str = ""


@frozen
class StatBlock:
    """A creature as its stat block describes it, before any game has read it.

    `type`: the type of creature, such as `undead`; `kind`: the rest of that line, such as `(goblinoid),
    neutral evil`. A figure that the block does not state is None or empty. `hit_dice`: such as `2d8+4`.
    `speed`: feet for each kind of movement. `skills`: by lower-case name with underscores. `resistances`,
    `immunities`, `vulnerabilities`: types of damage, one each; an entry with further words, such as
    `bludgeoning from nonmagical attacks`, is kept whole. `challenge`: such as `1/4`. `introductions`: the
    sentences below the heading of a section, such as the number of legendary actions.
    `sources`: the piece of text from which a field was read, by field; `abilities.strength` for one ability.
    `lines`: what the reader itself assumed or did not understand.
    """

    name: str
    size: str = ""
    type: str = ""
    kind: str = ""
    armour_class: int | None = None
    hit_points: int | None = None
    hit_dice: str = ""
    speed: Mapping[str, int] = {}
    abilities: Mapping[str, int] = {}
    saves: Mapping[str, int] = {}
    skills: Mapping[str, int] = {}
    resistances: tuple[str, ...] = ()
    immunities: tuple[str, ...] = ()
    vulnerabilities: tuple[str, ...] = ()
    condition_immunities: tuple[str, ...] = ()
    senses: str = ""
    languages: str = ""
    gear: str = ""
    challenge: str = ""
    proficiency: int | None = None
    initiative: int | None = None
    paragraphs: tuple[Paragraph, ...] = ()
    introductions: Mapping[BlockSection, str] = {}
    sources: Mapping[str, str] = {}
    lines: tuple[BlockLine, ...] = ()


@frozen
class BlockDamage:
    """Damage of an attack or an effect: `amount` such as `2d6+3` or `7`, and its type or "".

    `roll`: how the attack roll must have been made for it, such as `advantage`.
    """

    amount: str
    type: str = ""
    roll: str = ""


@frozen
class BlockCondition:
    """A condition that an attack or a failed save gives, and what ends it.

    `until`: the end as effects have it, such as `source_start`. `rounds`: how long it lasts. `again`: when
    the save is rolled again, such as `end` of a turn. `escape`: the number of an attempt to get free. `size`:
    the largest size of a target that gets it.
    """

    name: str
    size: str = ""
    until: str = ""
    rounds: int | None = None
    again: tuple[str, ...] = ()
    escape: int | None = None

    @property
    def limits(self) -> dict[str, Any]:
        """Return what ends it and who gets it, as a line of effects has these fields."""
        rounds = None if self.until else self.rounds
        found = {"size": self.size, "until": self.until, "rounds": rounds, "again": [*self.again]}
        return {name: value for name, value in {**found, "escape": self.escape}.items() if value}


@frozen
class BlockAttack:
    """An attack roll: its bonus, whether it is melee, ranged or either, its distances, and its damage."""

    to_hit: int
    kind: Literal["melee", "ranged", "either"] = "melee"
    reach: int | None = None
    range: int | None = None
    long_range: int | None = None
    damage: tuple[BlockDamage, ...] = ()
    conditions: tuple[BlockCondition, ...] = ()


@frozen
class BlockSave:
    """A saving throw: its ability, its number, and what follows a failure.

    `half`: a success halves the damage. `worse`: the conditions that follow a second failure.
    """

    ability: str
    dc: int
    damage: tuple[BlockDamage, ...] = ()
    half: bool = False
    conditions: tuple[BlockCondition, ...] = ()
    worse: tuple[BlockCondition, ...] = ()


@frozen
class BlockAura:
    """Damage to all within some feet, at the start or end of the owner's turn or of that of the others."""

    when: Literal["start", "end"]
    whose: Literal["own", "others"]
    feet: int
    damage: tuple[BlockDamage, ...] = ()


@frozen
class Feature:
    """A paragraph as its prose was understood.

    `name`: without marks such as `(Recharge 5-6)`. `text`: the prose without tags. `area`: in words.
    `recharge`: the lowest face that restores it, 0 without one. `uses`: how often until `back_after`, a day
    or a rest; 0: not counted. `cost`: of a legendary action. `multiattack`: names of attacks, each with its
    number; `*melee` is any melee attack and "" any attack. `healing`: an amount for the target.
    `regeneration`: hit points at the start of its turn. `stopped_by`: types of damage that stop it.
    `raises_ac`: what a reaction adds to the armour class. `known`: names of rules that the paragraph is known
    to be, such as `pack_tactics`. `spells`: names of spells, each with its uses a day, 0 for at will. `left`:
    the part of the prose that was not understood. `lines`: the assumptions.
    """

    section: BlockSection
    name: str
    text: str
    attack: BlockAttack | None = None
    save: BlockSave | None = None
    damage: tuple[BlockDamage, ...] = ()
    conditions: tuple[BlockCondition, ...] = ()
    healing: str = ""
    area: str = ""
    recharge: int = 0
    uses: int = 0
    back_after: Literal["", "day", "long_rest", "short_rest"] = ""
    cost: int = 1
    multiattack: tuple[tuple[str, int], ...] = ()
    regeneration: int = 0
    stopped_by: tuple[str, ...] = ()
    known: frozenset[str] = frozenset()
    spells: tuple[tuple[str, int], ...] = ()
    raises_ac: int = 0
    aura: "BlockAura | None" = None
    left: str = ""
    lines: tuple[BlockLine, ...] = ()


@frozen
class BlockSheet:
    """The sheet of a stat block: plain fields as the game's TOML holds them, and the report."""

    fields: Mapping[str, Any]
    lines: tuple[BlockLine, ...]


StatBlockReader = Callable[[StatBlock, Sequence[Feature]], BlockSheet]
