"""The character sheet of The Ages of Arden, and its status."""

from systems.contract import sheet as contract
from systems.contract.sheet import Section, Templates
from systems.schema.fields import Entry, choice, declare, entries, flag, listing, table, text, whole
from systems.schema.naming import Naming
from systems.schema.types import Whole

# The abilities that the rules use, and more for checks (APD-16, APD-20). A sheet may list others; a missing
# one is 0.
ABILITIES = (
    *("attack", "defense", "agility", "endurance", "precision", "perception", "speed"),
    *("charm", "knowledge", "reason", "willpower"),
)
AWARENESS = ("aware", "alert", "flat_footed", "unconscious")


@declare
class Weapon(Entry):
    """One weapon: its bonus to the effectiveness at each range (APD-20)."""

    LINE = ("bands", "ability")

    name: str = text()
    ability: str = text(
        "attack",
        "the ability that wields it in a striking attack (APD-46)",
        naming=Naming("abilities", also=ABILITIES),
    )
    bands: tuple[int, int, int] = listing(
        Whole(-20, 40),
        (0, 0, 0),
        "effectiveness at 1 space, 2 spaces, 3 and more (APD-20)",
        lengths=(3,),
        label="effectiveness",
    )


@declare
class Sheet(contract.Sheet):
    """One character or creature."""

    abilities: dict[str, int] = table(
        Whole(-20, 40),
        "name and value; a missing one is 0. The rules use attack, defense, agility, endurance, "
        "precision, perception and speed (APD-16)",
        suggested=ABILITIES,
    )
    max_hp: int = whole(1, 999, 5, "health points when unhurt")
    hp: int = whole(0, 999, help="health points now", same_as="max_hp")
    max_ap: int = whole(1, 99, 5, "action points when fresh", label="max AP")
    capacity: int = whole(
        1,
        99,
        help="the most action points for now (APD-37)",
        same_as="max_ap",
        lasts="encounter",
        label="AP capacity",
    )
    ap: int = whole(0, 99, help="action points now", same_as="capacity", lasts="encounter", label="AP")
    exhausted: bool = flag(False, "the capacity was halved in this encounter (APD-37)", lasts="encounter")
    armor: int = whole(0, 99, 0, "subtracted from the effectiveness of attacks (APD-06)", label="armour")
    awareness: str = choice(
        AWARENESS, "aware", "its awareness of its enemies (APD-49 to APD-52)", lasts="encounter"
    )
    restrained: bool = flag(False, "held by a grapple (APD-47)", lasts="encounter")
    weapons: tuple[Weapon, ...] = entries(Weapon, "the first is the default")
    moves: int = whole(0, 99, 0, "move actions this turn; the first is free (APD-29)", lasts="turn")
    minors: int = whole(0, 99, 0, "minor actions this turn; two are free (APD-33)", lasts="turn")
    acted: bool = flag(False, "a major action was taken this turn (APD-41)", lasts="turn")
    turn_over: bool = flag(False, "no more actions this turn (APD-36 to APD-39)", lasts="turn")


SECTIONS = (
    Section("Health and action points", ("max_hp", "hp", "armor", "max_ap", "capacity", "ap", "exhausted")),
    Section("Abilities", ("abilities",)),
    Section("Weapons", ("weapons",)),
    Section("In the encounter", ("awareness", "restrained")),
)
_USUAL = ("attack", "defense", "agility", "endurance", "precision", "perception", "speed")
TEMPLATES = Templates(
    player={
        "abilities": dict.fromkeys(_USUAL, 3),
        "max_hp": 6,
        "armor": 1,
        "weapons": [{"name": "sword", "bands": [3, 1, 0]}],
    },
    creature={
        "abilities": dict.fromkeys(_USUAL, 2),
        "max_hp": 4,
        "max_ap": 4,
        "weapons": [{"name": "club", "bands": [1, 0, 0]}],
    },
    fighting=("abilities.attack", "abilities.precision"),
    gear=("weapons", "armor"),
)


def score(sheet: Sheet, ability: str) -> int:
    """Return the value of an ability; 0 if it is not listed."""
    return sheet.abilities.get(ability, 0)


def is_unconscious(sheet: Sheet) -> bool:
    """Return whether a character is unconscious, by health points or otherwise (APD-52, R17)."""
    return sheet.hp == 0 or sheet.awareness == "unconscious"


def awareness_now(sheet: Sheet) -> str:
    """Return the awareness that counts: without health points a character is aware of nothing (R17)."""
    return "unconscious" if is_unconscious(sheet) else sheet.awareness


def sheet_status(sheet: Sheet) -> str:
    """Return `unconscious`, `restrained` or `active`."""
    if is_unconscious(sheet):
        return "unconscious"
    return "restrained" if sheet.restrained else "active"
