"""Display of the XCOM-inspired game: bars, marks, briefings and calculated values."""

from systems.contract.condition import Condition, Effect
from systems.contract.display import Figure, Mark, Meter, StatusWord, Tone
from systems.contract.outcome import Term, optional_term
from systems.text import plain_number
from systems.xcom.aim import MELEE
from systems.xcom.damage import raw_damage
from systems.xcom.house import House
from systems.xcom.movement import cover_words
from systems.xcom.sheet import (
    COVER_DEFENSE,
    Sheet,
    Weapon,
    health_status,
    psi_terms,
    psi_value,
)
from systems.xcom.turns import counted

SMOKE = 20
METERS = (Meter("health", "health", "max_health"),)
STATUSES = (StatusWord("up", "good"), StatusWord("down", "danger", acts=False, in_order=False))
CONDITIONS = (
    Condition("marked", "ranged attacks on it get +15", "warning", field="marked", rules=("XCM-52",)),
    Condition("dashing", "+30 Dodge against reactions", "accent", field="dashing", rules=("XCM-44",)),
    Condition(
        "half_cover",
        "+20 Defense against ranged attacks",
        "good",
        field="cover",
        on="half",
        off="none",
        rules=("XCM-47",),
    ),
    Condition(
        "full_cover",
        "+40 Defense against ranged attacks",
        "good",
        field="cover",
        on="full",
        off="none",
        rules=("XCM-48",),
    ),
    Condition("collared", "wears a Psi collar: −105, no amp", "muted", field="collar", rules=("XCM-23",)),
    Condition(
        "unaware",
        "does not see attacks coming: Dodge counts 0",
        "warning",
        effects=(Effect("attack", "can_dodge", "target", value=False),),
        rules=("XCM-30",),
    ),
    Condition(
        "smoke",
        "in smoke: +20 defense against attacks",
        "good",
        effects=(Effect("attack", "defence_modifier", "target", amount=SMOKE),),
        rules=("XCM-N4",),
        label="in smoke",
    ),
    Condition(
        "protected",
        "adds its value to defense, for example with an aid drone next to it",
        "good",
        effects=(Effect("attack", "defence_modifier", "target"),),
        rules=("XCM-46", "XCM-N4"),
    ),
    Condition(
        "overwatch",
        "may shoot at a foe that moves, until its next turn begins (R32)",
        "accent",
        field="overwatch",
        foreseen=False,
        acting=True,
        rules=("R18", "R32"),
        label="on overwatch",
    ),
    Condition(
        "poisoned", "the game master decides its effect, until it is cleared (R35)", "danger", rules=("R35",)
    ),
    Condition("bleeding_out", "down and dying; the game master decides how long", "danger", rules=("R20",)),
)


def status(sheet: Sheet, house: House) -> str:
    return health_status(sheet)


def glance(sheet: Sheet, house: House) -> tuple[Mark, ...]:
    """Return the short marks of a sheet: actions left, cover, and conditions that change the odds."""
    marks = []
    if health_status(sheet) == "up" and sheet.actions_left != sheet.actions_per_turn:
        tone: Tone = "plain" if sheet.actions_left else "muted"
        marks.append(Mark(counted(sheet.actions_left), tone, tells="actions_left", column="actions"))
    if sheet.cover != "none":
        marks.append(Mark(f"{sheet.cover} cover", "good", tells="cover", column="cover"))
    if sheet.marked:
        marks.append(Mark("marked", "notice"))
    if sheet.overwatch:
        marks.append(Mark("on overwatch", "accent"))
    if sheet.dashing:
        marks.append(Mark("dashing", "accent"))
    if sheet.collar:
        marks.append(Mark("collar", "muted"))
    return tuple(marks)


def brief(sheet: Sheet, house: House) -> tuple[str, ...]:
    if health_status(sheet) == "down":
        return ("Down, cannot act",)
    lines = []
    if sheet.marked:
        lines.append("Marked: +15 to ranged attacks on it")
    if sheet.cover == "none" and house.exposed_is_flanked:
        lines.append("In the open: flanked by ranged attacks")
    return tuple(lines)


def figures(sheet: Sheet, house: House) -> tuple[Figure, ...]:
    """Return the calculated values: weapons, defense with cover, movement and Psi."""
    cover = COVER_DEFENSE[sheet.cover]
    terms = (Term("innate", sheet.defense), *optional_term("cover", cover, sheet.cover))
    note = f"{cover_words(sheet.cover)}; {plain_number(sheet.defense)} against melee"
    psionic = sheet.psionic or sheet.psi or sheet.amp or sheet.collar
    return (
        *(_weapon_figure(sheet, weapon) for weapon in sheet.weapons if weapon.area == "none"),
        Figure("defense", sheet.defense + cover, terms, note),
        Figure("dash", sheet.mobility * 2, note=f"{sheet.mobility} a move"),
        *((Figure("psi", psi_value(sheet), psi_terms(sheet)),) if psionic else ()),
    )


def _weapon_figure(sheet: Sheet, weapon: Weapon) -> Figure:
    terms = (
        Term("aim", sheet.aim),
        *optional_term(weapon.name, weapon.aim),
        *((Term("melee", MELEE),) if weapon.melee else ()),
    )
    note = f"{_spread(weapon, 'hit')} damage, critical {_spread(weapon, 'critical')}"
    if crit := sheet.crit + weapon.crit:
        note += f", crit {plain_number(crit)}"
    if not weapon.proficient:
        note = f"{_spread(weapon, 'graze')} damage, not proficient: grazes at most"
    return Figure(weapon.name, sum(term.value for term in terms), terms, note)


def _spread(weapon: Weapon, result: str) -> str:
    """Return the least and most damage before armor, such as `3 to 5`."""
    least = raw_damage(weapon, min(1, weapon.damage_range), result)
    most = raw_damage(weapon, weapon.damage_range, result)
    return str(least) if least == most else f"{least} to {most}"
