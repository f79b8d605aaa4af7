"""The character sheet of the XCOM-inspired game, and the status that follows from it."""

from systems.contract import sheet as contract
from systems.contract.outcome import Term
from systems.contract.sheet import Section, Templates
from systems.schema.conversion import change_entry
from systems.schema.fields import Entry, choice, declare, entries, flag, text, whole

COVERS = ("none", "half", "full")
COVER_DEFENSE = {"none": 0, "half": 20, "full": 40}
AREAS = ("none", "explosion", "gas")
COLLAR = -105
LOWEST_HEALTH = -999


@declare
class Weapon(Entry):
    """A weapon: its base damage, and the range that is rolled on top."""

    LINE = ("damage_base+damage_range",)
    SIGNED = "aim"
    COUNTED = "count"

    name: str = text()
    damage_base: int = whole(0, 99, help="damage before the roll (XCM-61)", label="damage")
    damage_range: int = whole(
        0, 6, 0, "highest roll on top; 0 adds nothing, 1 always adds 1 (XCM-05, R2)", label="range"
    )
    die: str = choice(("d12", "d10"), "d12", "rolled for a range of 2; other ranges have their own (R1)")
    melee: bool = flag(False, "+20 to hit, and cover does not count (XCM-51, R13)")
    proficient: bool = flag(True, "the bearer knows it; otherwise every hit only grazes (XCM-11)")
    crit: int = whole(-200, 200, 0, "added to Crit with this weapon (XCM-09)")
    aim: int = whole(-200, 200, 0, "added to Aim with this weapon (XCM-09)")
    area: str = choice(
        AREAS, "none", "a grenade: it affects several targets, by an explosion or by gas (R33)"
    )
    count: int | None = whole(
        0,
        99,
        None,
        "how many are left; each attack or throw spends one (R37)",
        when_absent="not counted",
        supply="left",
    )


@declare
class Sheet(contract.Sheet):
    """A character or creature. A missing attribute is 0 (XCM-08)."""

    aim: int = whole(-200, 400, 0, "coordination, first of all for attacks (XCM-10)")
    will: int = whole(-200, 400, 0, "talking, leading, withstanding psionics (XCM-12)")
    tech: int = whole(-200, 400, 0, "hacking, medicine, repair, knowledge (XCM-16)")
    psi: int = whole(-200, 400, 0, "psionic power, before collar and amp (XCM-21)", label="Psi")
    mobility: int = whole(0, 400, 0, "how far a move goes (XCM-42)", unit="squares")
    defense: int = whole(-200, 400, 0, "innate Defense, against every attack (XCM-26)")
    dodge: int = whole(-200, 400, 0, "chance to turn a hit into a graze (XCM-28)")
    crit: int = whole(-200, 400, 0, "chance to do more damage (XCM-31)")
    armor: int = whole(0, 99, 0, "subtracted from damage, 1 always stays (XCM-20, XCM-65)")
    max_health: int = whole(1, 999, 8, "Health when unhurt")
    health: int = whole(LOWEST_HEALTH, 999, help="Health now; down at 0 or less (R20)", same_as="max_health")
    weapons: tuple[Weapon, ...] = entries(Weapon, "the first is used when none is named")
    psionic: bool = flag(False, "a psionic: strong psionics in others do not daunt it (XCM-14)")
    collar: bool = flag(
        False, "wears a Psi collar: −105 to Psi, and no amp (XCM-23, R10)", label="Psi collar"
    )
    amp: int = whole(0, 200, 0, "what its Psi amp adds to Psi (XCM-24)", label="Psi amp")
    cover: str = choice(COVERS, "none", "its cover: +0, +20, +40 Defense (XCM-46)", lasts="encounter")
    marked: bool = flag(False, "ranged attacks on it get +15 (XCM-52)", lasts="encounter")
    dashing: bool = flag(False, "in a dash: +30 Dodge against reactions (XCM-44, R18)", lasts="turn")
    overwatch: bool = flag(False, "waits to shoot at a foe that moves (R32)", lasts="turn")
    actions_per_turn: int = whole(0, 9, 2, "core actions per turn (XCM-36)")
    actions_left: int = whole(
        0, 9, help="0: the turn is over (XCM-37)", same_as="actions_per_turn", lasts="turn"
    )


SECTIONS = (
    Section("Attributes", ("aim", "will", "tech", "psi", "mobility", "defense", "dodge", "crit")),
    Section("Health and armor", ("max_health", "health", "armor")),
    Section("Weapons", ("weapons",)),
    Section("Psionics", ("psionic", "collar", "amp")),
    Section("In the fight", ("actions_per_turn", "cover", "marked")),
)
TEMPLATES = Templates(
    player={
        "aim": 65,
        "will": 50,
        "tech": 40,
        "mobility": 12,
        "max_health": 8,
        "weapons": [{"name": "rifle", "damage_base": 2, "damage_range": 3}],
    },
    creature={
        "aim": 60,
        "will": 40,
        "mobility": 12,
        "max_health": 6,
        "weapons": [{"name": "rifle", "damage_base": 2, "damage_range": 2}],
    },
    fighting=("aim", "psi"),
    gear=("weapons", "armor"),
)


def spent(sheet: Sheet, weapon: Weapon) -> dict[str, object]:
    """Return the sheet's changes when a counted grenade or round is used (R37)."""
    if weapon.count is None:
        return {}
    return {"weapons": change_entry(sheet.weapons, weapon, count=max(0, weapon.count - 1))}


def health_status(sheet: Sheet) -> str:
    """Return `up` or `down` (XCM-75, R20)."""
    return "up" if sheet.health > 0 else "down"


def can_act(sheet: Sheet) -> bool:
    """Return whether the combatant is up and its turn is not over (XCM-37, R30)."""
    return health_status(sheet) == "up" and sheet.actions_left > 0


def psi_terms(sheet: Sheet) -> tuple[Term, ...]:
    """Return the terms of Psi: with the amp, or with the collar that blocks it (XCM-23, XCM-24, R10)."""
    terms = [Term("psi", sheet.psi)]
    if sheet.collar:
        terms.append(Term("collar", COLLAR))
    if sheet.amp:
        terms.append(Term("amp", 0, "the collar blocks it") if sheet.collar else Term("amp", sheet.amp))
    return tuple(terms)


def psi_value(sheet: Sheet) -> int:
    """Return the current value of Psi."""
    return sum(term.value for term in psi_terms(sheet))
