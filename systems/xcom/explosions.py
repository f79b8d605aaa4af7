"""Resolve explosions and gas, which several targets resist with Defense checks (R33 to R35)."""

from collections.abc import Mapping

from systems.contract.action import Refusal, Scene
from systems.contract.area import Area, Resistance, area_action
from systems.contract.damage import Blow, DamagePart
from systems.contract.marked_text import as_status
from systems.contract.notation import notation
from systems.contract.outcome import Ask, GivenCondition, Outcome, Term, optional_term, refuse
from systems.errors import Wrong
from systems.schema.conversion import entry_named
from systems.schema.fields import declare, flag, text, whole
from systems.schema.naming import Naming
from systems.text import shown
from systems.xcom.checks import RESISTING
from systems.xcom.damage import damage_die, falls, health_after, health_moved
from systems.xcom.health import fallen
from systems.xcom.house import House
from systems.xcom.sheet import COVER_DEFENSE, Sheet, Weapon, spent
from systems.xcom.turns import cannot, nothing_left


@declare
class BlastOptions:
    weapon: str | None = text(
        None,
        "a grenade of the sheet by name",
        when_absent="the first of its kind",
        naming=Naming("weapons", having="area"),
        remembered="actor",
    )
    damage: str | None = notation(
        None,
        "the damage of a source that is on no sheet, such as 4 or 2d6",
        when_absent="that of the grenade",
    )
    difficulty: int = whole(-400, 400, 0, "added to the Defense check against it (XCM-27)")
    thrown: bool = flag(
        True, "a final action of the actor; no: a trap or a barrel, which costs no action (R33)"
    )


Blast = Scene[Sheet, BlastOptions, House]


def grenade_of(scene: Blast, area: str) -> Weapon | None:
    """Return the grenade that is thrown, or None. Raises Wrong if the sheet has no such grenade."""
    weapons, name = scene.actor.weapons, scene.options.weapon
    if scene.options.damage is not None:
        return None
    if name is not None:
        if (found := entry_named(weapons, name)) is None:
            raise Wrong("options.weapon", f"there is no {shown(name)} on the sheet")
        return found
    fitting = [weapon for weapon in weapons if weapon.area == area]
    return next((weapon for weapon in fitting if weapon.count != 0), next(iter(fitting), None))


def _dice(scene: Blast, area: str) -> Blow | str:
    """Return the damage dice: the base, and the divided die of the range, rounded up (XCM-05)."""
    grenade = grenade_of(scene, area)
    if grenade is None:
        return scene.options.damage or "0"
    die = damage_die(grenade)
    if die is None:
        return Blow((), plus=grenade.damage_base + grenade.damage_range)
    sides, divisor = die
    return Blow(((1, sides),), plus=grenade.damage_base, divided=divisor)


def _explosion(scene: Blast) -> tuple[DamagePart, ...]:
    return (DamagePart("", _dice(scene, "explosion"), less=scene.target.armor, least=1),)


def _gas(scene: Blast) -> tuple[DamagePart, ...]:
    return (DamagePart("", _dice(scene, "gas")),)


def _cover_term(scene: Blast) -> tuple[Term, ...]:
    """Return the term for cover against an explosion; it adds nothing except by house rule (R36)."""
    cover = scene.target.cover
    if cover == "none":
        return ()
    if not scene.house.cover_against_blasts:
        return (Term("cover", 0, f"{cover}, does not count against a blast"),)
    return (Term("cover", COVER_DEFENSE[cover], cover),)


def _resists(scene: Blast, *cover: Term) -> Resistance:
    """Return the Defense check of a target: Defense, 50 and the difficulty (XCM-27)."""
    against = (
        Term("defense", scene.target.defense),
        *cover,
        Term("base", RESISTING),
        *optional_term("difficulty", scene.options.difficulty),
    )
    needed = sum(term.value for term in against)
    return Resistance("defense", needed, "d100", under=True, against=against)


def _hurt(scene: Blast, damage: int) -> tuple[Mapping[str, object], str]:
    if not damage:
        return {}, ""
    return {"health": health_after(scene.target, damage)}, health_moved(scene.target, damage)


def _becomes(scene: Blast, damage: int) -> str:
    """Return that the damage takes the target down, or ""."""
    return as_status("down") if falls(scene.target, damage) else ""


def _asks(scene: Blast, damage: int) -> tuple[Ask, ...]:
    return fallen(scene.target, damage, scene.target_name, "target")


def _pays(scene: Blast, area: str) -> Mapping[str, object] | Outcome:
    """Return the changes that a throw costs, or a refusal (XCM-41, R33, R37).

    A throw is an attack, which is a final action, and uses up a counted grenade.
    """
    grenade = grenade_of(scene, area)
    if scene.options.damage is None and grenade is None:
        kind = "gas grenade" if area == "gas" else "grenade"
        return refuse(
            "grenade", f"{scene.actor_name} has no {kind}; for one of another kind, give its damage."
        )
    if not scene.options.thrown:
        return {}
    if refused := cannot(scene.actor, scene.actor_name, 1, "throw a grenade"):
        return refused
    if grenade is None:
        return {"actions_left": 0}
    return nothing_left(grenade, scene.actor_name) or {**spent(scene.actor, grenade), "actions_left": 0}


_REFUSALS = (
    Refusal("grenade", "the sheet has none of its kind, and no damage is given"),
    Refusal("status", "the actor is down, and it is thrown"),
    Refusal("actions", "no action left, and it is thrown"),
    Refusal("ammo", "a counted grenade is used up, and it is thrown"),
)
EXPLOSION = area_action(
    "explosion",
    "Set off a grenade or another explosion: resisting targets take half, and armor counts.",
    Area(
        _explosion,
        _hurt,
        resists=lambda scene: _resists(scene, *_cover_term(scene)),
        resisted="half",
        pays=lambda scene: _pays(scene, "explosion"),
        asks=_asks,
        becomes=_becomes,
    ),
    BlastOptions,
    refusals=_REFUSALS,
    rules=("XCM-27", "XCM-65", "R33", "R34", "R36"),
    letter="l",
    unable=True,
)
GAS = area_action(
    "gas",
    "Release gas or poison: resisting targets take nothing, and armor does not count.",
    Area(
        _gas,
        _hurt,
        resists=_resists,
        resisted="nothing",
        gives=lambda scene: (GivenCondition("target", "poisoned"),),
        pays=lambda scene: _pays(scene, "gas"),
        asks=_asks,
        becomes=_becomes,
    ),
    BlastOptions,
    refusals=_REFUSALS,
    rules=("XCM-27", "R33", "R35"),
    letter="i",
    unable=True,
)
