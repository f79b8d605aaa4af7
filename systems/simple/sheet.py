"""The sheet for any game: what nearly every game has, and nothing else."""

from typing import Any

from systems.contract import sheet as contract
from systems.contract.notation import notation
from systems.contract.outcome import Term
from systems.contract.sheet import Section, Templates
from systems.dice.notation import maximum
from systems.effects.field import effect_lines
from systems.effects.meaning import Vocabulary
from systems.schema.conversion import entry_meant
from systems.schema.fields import Entry, choice, declare, entries, flag, listing, table, text, whole
from systems.schema.naming import Naming
from systems.schema.types import SingleWord, Whole
from systems.simple.house import USUAL_DICE, House
from systems.text import find_word, plain_word, signed

LEAST_HP = -999
VOCABULARY = Vocabulary(
    changes=("attacks", "attacks_on_it", "damage", "ac", "saves", "checks"),
    lacks=("by", "said", "only", "lowers", "amount", "slays", "own_conditions"),
)
MOST = 9999
REFILLS = ("rest", "encounter", "round", "turn", "never")
USUAL_SKILLS = ("athletics", "perception", "stealth", "persuasion", "lore", "medicine", "survival")
USUAL_SAVES = ("strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma")
SIZES = ("tiny", "small", "medium", "large", "huge", "gargantuan")
USUAL_DEFENCE = {"over": 10, "under": 0, "bands": 0, "pool": 1}


@declare
class Weapon(Entry):
    """One way to attack: a weapon, claws, a spell."""

    LINE = ("damage+damage_bonus",)
    SIGNED = "bonus"

    name: str = text()
    bonus: int | None = whole(
        -99,
        200,
        None,
        "the attack number of this weapon",
        when_absent="the sheet's attack",
        label="attack",
    )
    damage: str | None = notation(
        None, "the dice of a hit, such as 2d6, 1d8! or 4d6kh3", when_absent="no dice, only the damage bonus"
    )
    damage_bonus: int = whole(-99, 999, 0, "added to the damage")
    counter: str | None = text(
        None,
        "the counter that each use costs 1 of, such as arrows",
        when_absent="none",
        naming=Naming("counters", free=False),
        label="uses",
    )
    resist: str | None = text(
        None, "the skill that resists it as an area attack (R13)", when_absent="nothing resists"
    )
    type: str | None = text(None, "the type of its damage, such as fire", when_absent="none")
    difficulty: int | None = whole(
        -99,
        200,
        None,
        "the difficulty of resisting it",
        when_absent="10 over, 0 under and in bands, 1 in a pool",
    )
    resisted: str = choice(("half", "nothing", "all"), "half", "the damage that a resisting target takes")


@declare
class Counter(Entry):
    """Anything counted: mana, ammunition, luck, a legendary action."""

    LINE = ("now/full",)

    name: str = text()
    full: int = whole(0, MOST, 1, "the full amount")
    now: int = whole(0, MOST, help="the current value", same_as="full", supply="left")
    refills: str = choice(REFILLS, "rest", "when it refills: after a rest, or by itself")
    offered: bool = flag(False, "offered at the end of others' turns, such as a legendary action (R12)")

    @property
    def refills_in_fight(self) -> bool:
        return self.refills in ("turn", "round")


@declare
class Sheet(contract.Sheet):
    """One character or creature."""

    max_hp: int = whole(1, MOST, 10, "hit points when unhurt")
    hp: int = whole(LEAST_HP, MOST, help="hit points now", same_as="max_hp")
    temporary_hp: int = whole(0, MOST, 0, "lost before hit points (R7)", lasts="rest")
    defence: int | None = whole(
        -99,
        200,
        None,
        "the number that attacks on it must reach; under: subtracted from the attacker's skill; bands: from "
        "the total; pool: how many dice have to count",
        when_absent="10 over, 0 under and in bands, 1 in a pool",
    )
    armour: int = whole(0, 999, 0, "subtracted from the damage of each hit (R6)")
    attack: int = whole(
        -99, 200, 0, "added to attack rolls; under: the number to roll; pool: the number of dice"
    )
    initiative: int = whole(-99, 99, 0, "added to the initiative die")
    skills: dict[str, int] = table(Whole(-99, 200), "for checks, used like attack", suggested=USUAL_SKILLS)
    d20_figures: bool = flag(
        False,
        "attack, defence and skills are those of a d20 game; for other dice, Affray converts them (R14)",
    )
    weapons: tuple[Weapon, ...] = entries(Weapon, "the first is used when none is named")
    counters: tuple[Counter, ...] = entries(Counter, "resources that are spent and refill")
    saves: dict[str, int] = table(
        Whole(-99, 200),
        "bonuses of saving throws; a skill of that name otherwise (R15)",
        suggested=USUAL_SAVES,
    )
    resistances: tuple[str, ...] = listing(SingleWord(), (), "types of damage that it takes half of (R15)")
    immunities: tuple[str, ...] = listing(
        SingleWord(), (), "types of damage that do nothing to it, and conditions that it cannot get"
    )
    vulnerabilities: tuple[str, ...] = listing(SingleWord(), (), "types of damage that it takes twice")
    creature_types: tuple[str, ...] = listing(
        SingleWord(), (), "what it is, such as undead; effects may ask for it", formerly="types"
    )
    size: str = choice(SIZES, "medium", "its size; effects may ask for it")
    effects: tuple[Any, ...] = effect_lines(
        VOCABULARY,
        "what it does beyond its figures: auras, extra damage, regeneration (R15)",
    )
    hero: bool = flag(True, "at 0 hit points a hero is down, any other combatant dead (R8)")
    dead: bool = flag(False, "dead, whatever its hit points")
    stunned: bool = flag(False, "cannot act", lasts="encounter")


SECTIONS = (
    Section("Hit points", ("max_hp", "hp", "temporary_hp", "hero", "dead", "stunned")),
    Section("Fighting", ("defence", "armour", "attack", "initiative", "d20_figures")),
    Section("Skills", ("skills",)),
    Section("Weapons", ("weapons",)),
    Section("Counters", ("counters",)),
    Section("Defences", ("saves", "resistances", "immunities", "vulnerabilities", "creature_types", "size")),
    Section("Effects", ("effects",)),
)
_ATTACK = {"over": 4, "bands": 1, "pool": 4}


def templates(house: House) -> Templates:
    """Return the values of a new sheet for the table's way of rolling."""
    # Of dice that must stay under a skill, rather more than half do.
    under = maximum(house.dice or USUAL_DICE["under"]) * 6 // 10
    attack = _ATTACK.get(house.roll, under)
    hero = {"attack": attack, "max_hp": 20, "initiative": 1}
    foe = {"attack": attack, "max_hp": 8, "hero": False}
    return Templates(
        player={**hero, "weapons": [{"name": "sword", "damage": "1d8", "damage_bonus": 2}]},
        creature={**foe, "weapons": [{"name": "claws", "damage": "1d6"}]},
        fighting=("attack",),
        gear=("weapons", "armour"),
    )


UNARMED = Weapon(name="unarmed", damage="1d4")


def life_status(sheet: Sheet) -> str:
    """Return `up`, `stunned`, `down` or `dead` (R8)."""
    if sheet.dead or (sheet.hp <= 0 and not sheet.hero):
        return "dead"
    if sheet.hp <= 0:
        return "down"
    return "stunned" if sheet.stunned else "up"


def offered_weapons(sheet: Sheet) -> tuple[str, ...]:
    """Return the weapons that use an offered counter: they are reserved for the turns of others (R12)."""
    offered = {plain_word(counter.name) for counter in sheet.counters if counter.offered}
    return tuple(
        weapon.name for weapon in sheet.weapons if weapon.counter and plain_word(weapon.counter) in offered
    )


def own_weapons(sheet: Sheet) -> tuple[Weapon, ...]:
    """Return the weapons for the sheet's own turns, the default first."""
    offered = offered_weapons(sheet)
    return tuple(weapon for weapon in sheet.weapons if weapon.name not in offered)


def weapon_of(sheet: Sheet, name: str | None) -> Weapon:
    """Return the named weapon; without a name the first of its own turns, else unarmed.

    Raises Wrong for an unknown name.
    """
    if name is None:
        return next(iter(own_weapons(sheet)), UNARMED)
    return entry_meant((*sheet.weapons, UNARMED), name, "weapon")


def counter_of(sheet: Sheet, weapon: Weapon) -> Counter | None:
    """Return the counter that a weapon spends, if any. Raises Wrong if the sheet has none of that name."""
    return counter_named(sheet, weapon.counter, "actor.weapons.counter") if weapon.counter else None


def counter_named(sheet: Sheet, name: str, path: str = "options.counter") -> Counter:
    """Return the counter with this name. Raises Wrong, with the option's path, if the sheet has none."""
    return entry_meant(sheet.counters, name, "counter", path)


def rolled_with(sheet: Sheet, house: House, number: int) -> int:
    """Return an attack or a skill in the table's way: from the sheet, or converted from a d20's (R14).

    A bonus of 4 hits the usual 13 in 60 of 100 cases, so the skill to roll under is 60 of 100.
    """
    if not sheet.d20_figures:
        return number
    match house.roll:
        case "under":
            return maximum(house.rolled) * (number + 8) // 20
        case "bands":
            return (number - 2) // 2
        case "pool":
            return max(1, number)
    return number


def difficulty_set(sheet: Sheet, house: House, number: int) -> int:
    """Return a defence or a difficulty that a sheet sets, in the table's way (R14)."""
    if not sheet.d20_figures:
        return number
    match house.roll:
        case "under":
            return maximum(house.rolled) * (number - 13) // 20
        case "bands":
            return (number - 13) // 2
        case "pool":
            return 1 + max(0, (number - 11) // 3)
    return number


def skill_of(sheet: Sheet, house: House, name: str) -> int:
    """Return a skill in the table's way; a skill that is not on the sheet is 0."""
    known = find_word(name, sheet.skills)
    return rolled_with(sheet, house, sheet.skills[known] if known else 0)


def save_of(sheet: Sheet, house: House, name: str) -> int:
    """Return the bonus of a saving throw in the table's way; without one the skill of that name (R15)."""
    known = find_word(name, sheet.saves)
    return rolled_with(sheet, house, sheet.saves[known]) if known else skill_of(sheet, house, name)


def defence_of(sheet: Sheet, house: House) -> int:
    """Return the defence: the number to reach, or a penalty; the usual number by default."""
    if sheet.defence is None:
        return USUAL_DEFENCE[house.roll]
    return difficulty_set(sheet, house, sheet.defence)


def attack_term(sheet: Sheet, weapon: Weapon, house: House) -> Term:
    """Return the attack number: the weapon's own, else that of the sheet."""
    own = weapon.bonus
    number, label = (sheet.attack, "attack") if own is None else (own, weapon.name)
    reckoned = rolled_with(sheet, house, number)
    note = f"{signed(number)} of a d20 game" if reckoned != number else ""
    return Term(label, reckoned, note, "actor")
