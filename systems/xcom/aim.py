"""Calculate the values of an attack before any roll: defense, target value, Dodge and Crit."""

from functools import lru_cache

from systems.contract.action import Scene
from systems.contract.outcome import Term, optional_term, owned
from systems.errors import Wrong
from systems.frozen import frozen
from systems.schema.conversion import entry_meant
from systems.schema.fields import choice, declare, flag, text, whole
from systems.text import plain_number
from systems.xcom.house import House
from systems.xcom.sheet import COVER_DEFENSE, COVERS, Sheet, Weapon

MELEE = 20
MARKED = 15
FLANKED_CRIT = 50
DASHING_DODGE = 30


@declare
class AttackOptions:
    weapon: str | None = text(
        None,
        "a weapon of the sheet by name",
        when_absent="the first that is not a grenade",
        remembered="aimed",
    )
    cover: str | None = choice(
        COVERS,
        None,
        "+0, +20, +40 defense against ranged attacks (XCM-47, XCM-48)",
        when_absent="the target's",
        remembered="aimed",
    )
    flanked: bool = flag(False, "cover does not count, Crit +50 (XCM-49, XCM-56)")
    modifier: int = whole(-400, 400, 0, "other bonuses and maluses to the target value")
    defence_modifier: int = whole(-400, 400, 0, "other defense of the target, such as 20 for smoke")
    crit_bonus: int = whole(-400, 400, 0, "Crit from the situation")
    reaction: bool = flag(
        False,
        "out of turn: costs no action; a dashing target has +30 Dodge (XCM-44, R18)",
        out_of_turn=True,
    )
    can_dodge: bool = flag(True, "the target sees it coming; otherwise Dodge counts 0 (XCM-30)")


Attack = Scene[Sheet, AttackOptions, House]


@frozen
class Aimed:
    """The values of an attack that are known before any roll."""

    weapon: Weapon
    terms: tuple[Term, ...]
    defense: int
    target_value: int
    dodge_value: int
    crit_value: int


def weapon_of(sheet: Sheet, name: str | None) -> Weapon:
    """Return the named weapon. Without a name, return the first that is aimed, else the first (R33).

    Raises Wrong if the sheet has no weapon of that name, or none at all.
    """
    if not sheet.weapons:
        raise Wrong("options.weapon", "there is no weapon on the sheet to attack with")
    if name is None:
        return next((weapon for weapon in sheet.weapons if weapon.area == "none"), sheet.weapons[0])
    return entry_meant(sheet.weapons, name, "weapon")


@lru_cache(maxsize=8)
def aimed(scene: Attack) -> Aimed:
    """Return defense, target value, Dodge and Crit of an attack. Raises Wrong if there is no weapon."""
    actor, target, options = scene.actor, scene.target, scene.options
    weapon = weapon_of(actor, options.weapon)
    defense = _defense_terms(scene, weapon)
    terms = (
        *owned(
            "actor",
            Term("aim", actor.aim),
            *optional_term(weapon.name, weapon.aim),
            *((Term("melee", MELEE),) if weapon.melee else ()),
        ),
        *(owned("target", _marked_term(weapon)) if target.marked else ()),
        *scene.option_terms("modifier"),
        *(Term(summand.label, -summand.value, summand.note, "target") for summand in defense),
    )
    terms = (*terms, *_limit(sum(term.value for term in terms), scene.house))
    flanked = is_flanked(scene, weapon)
    return Aimed(
        weapon,
        terms,
        defense=sum(term.value for term in defense),
        target_value=sum(term.value for term in terms),
        dodge_value=target.dodge + dash_dodge(scene) if options.can_dodge else 0,
        crit_value=actor.crit + weapon.crit + options.crit_bonus + (FLANKED_CRIT if flanked else 0),
    )


def cover_of(scene: Attack) -> str:
    """Return the cover of the target against this attack (XCM-46)."""
    return scene.options.cover or scene.target.cover


def is_flanked(scene: Attack, weapon: Weapon) -> bool:
    """Return whether the attack flanks: by its option, or by a house rule without cover (XCM-56, R11)."""
    exposed = scene.house.exposed_is_flanked and not weapon.melee and cover_of(scene) == "none"
    return scene.options.flanked or exposed


def _defense_terms(scene: Attack, weapon: Weapon) -> tuple[Term, ...]:
    """Return the terms of the target's defense (XCM-26, XCM-46 to XCM-49, R13)."""
    cover = cover_of(scene)
    stands = COVER_DEFENSE[cover]
    if weapon.melee:
        behind = Term("cover", 0, f"{cover}, does not count against melee")
    elif scene.options.flanked:
        behind = Term("cover", 0, f"{cover}, flanked")
    else:
        behind = Term("cover", stands, cover)
    return (
        Term("defense", scene.target.defense),
        *((behind,) if stands else ()),
        *scene.option_terms("defence_modifier", "other defense"),
    )


def _marked_term(weapon: Weapon) -> Term:
    """Return the term of a marked target, which helps ranged attacks (XCM-52, R13, R14)."""
    return Term("marked", 0, "only against ranged attacks") if weapon.melee else Term("marked", MARKED)


def _limit(value: int, house: House) -> tuple[Term, ...]:
    """Return the correction to the house's limits, or (). There are no limits by default (R3)."""
    if not house.hit_clamp:
        return ()
    lowest, highest = house.hit_clamp
    moved = max(lowest, min(value, highest)) - value
    return optional_term("limits", moved, f"{plain_number(lowest)} to {plain_number(highest)}")


def dash_dodge(scene: Attack) -> int:
    """Return the Dodge that a dashing target gains against reactions (XCM-44, R18)."""
    return DASHING_DODGE if scene.options.reaction and scene.target.dashing else 0
