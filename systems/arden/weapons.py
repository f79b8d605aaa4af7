"""The parts of an attack before the die: weapon, style, options, and sums."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from systems.arden.awareness import MOST_DC, defence_terms
from systems.arden.house import House
from systems.arden.rolls import (
    DEFENCE_MODIFIER,
    ENCOUNTER,
    MODIFIER,
    PROFICIENCY,
    SPECIALTY,
    SPLIT_MINOR,
    Core,
    core,
    score_terms,
)
from systems.arden.sheet import ABILITIES, Sheet, Weapon
from systems.contract.action import Scene
from systems.contract.outcome import Term, optional_term
from systems.frozen import frozen
from systems.schema.conversion import entry_or_first
from systems.schema.fields import choice, declare, flag, text, whole
from systems.schema.naming import Naming
from systems.text import signed

UNARMED = Weapon(name="unarmed")


@frozen
class Style:
    """A way to attack: its default ability, the ability that opposes it, and its verbs."""

    ability: str | None
    defence: str
    hits: str
    misses: str
    rule: str


STYLES = {
    "striking": Style(None, "defense", "hits", "misses", "APD-46"),
    "grappling": Style("agility", "endurance", "grapples", "fails to grapple", "APD-47"),
    "piercing": Style("precision", "defense", "pierces", "misses", "APD-48"),
}


@declare
class CounterOptions:
    distance: int = whole(
        1, 99, 1, "spaces; chooses the weapon's band (APD-20)", remembered="between", unit="spaces"
    )
    style: str = choice(
        tuple(STYLES),
        "striking",
        "striking: damage (APD-46); grappling: holds, no damage (APD-47); piercing: at least 10 for the "
        "effectiveness of a hit, but a match misses (APD-48)",
    )
    weapon: str | None = text(
        None,
        "a weapon of the sheet by name, or unarmed",
        when_absent="the first weapon, else unarmed",
        remembered="aimed",
    )
    ability: str | None = text(
        None,
        "the ability rolled",
        when_absent="the weapon's; grappling: agility; piercing: precision",
        naming=Naming("abilities", also=ABILITIES, free=False),
    )
    defence: str | None = text(
        None,
        "the target's ability in the DC",
        when_absent="defense; grappling: endurance",
        naming=Naming("abilities", of="target", also=ABILITIES, free=False),
    )
    defence_modifier: int = DEFENCE_MODIFIER
    dc: int | None = whole(
        -99, 199, None, "a DC given by the game master; then neither defence nor awareness matters (R18)"
    )
    modifier: int = MODIFIER
    proficiency: int = PROFICIENCY
    specialty: int = SPECIALTY
    split_minor: bool = SPLIT_MINOR
    graduates_to: str | None = choice(
        ("alert", "aware"),
        None,
        "a flat-footed target's awareness after a miss (R25)",
        when_absent="alert",
    )


@declare
class AttackOptions(CounterOptions):
    in_target_range: bool | None = flag(
        None,
        "the target could strike back from where it is (APD-42, R35)",
        when_absent="true when distance is 1, else false",
    )
    perception_dc: int | None = whole(
        -99,
        MOST_DC,
        None,
        "the number that an alert target's Perception must beat before the blow (APD-50, R26)",
        when_absent="asked; else no check",
    )
    encounter: bool = ENCOUNTER


Strike = Scene[Sheet, Any, House]


def weapon_of(sheet: Sheet, name: str | None) -> Weapon:
    """Return the named weapon, or the default. Raises Wrong if the sheet has none of that name."""
    return entry_or_first(sheet.weapons, name, "weapon", UNARMED)


def band_of(weapon: Weapon, distance: int) -> int:
    """Return a weapon's bonus to the effectiveness at a distance in spaces (APD-20)."""
    return weapon.bands[min(distance, 3) - 1]


def strike_notes(scene: Strike) -> Mapping[str, str]:
    """Return the bonus of each weapon at this distance, shown next to the choice."""
    distance = scene.options.distance
    return {
        f"weapon={weapon.name}": f"effectiveness {signed(band_of(weapon, distance))} at {distance}"
        for weapon in scene.actor.weapons
    }


@lru_cache(maxsize=8)
def core_of_strike(scene: Strike) -> Core:
    """Return the sums of an attack (APD-06, APD-20, APD-24, APD-35, APD-46 to APD-48, R2, R18, R23, R33)."""
    actor, target, options = scene.actor, scene.target, scene.options
    weapon, style = weapon_of(actor, options.weapon), STYLES[options.style]
    if options.dc is not None:
        against: tuple[Term, ...] = (Term("given", options.dc),)
    else:
        defence = defence_terms(target, options.defence or style.defence, scene.house)
        against = (*defence, *scene.option_terms("defence_modifier", "modifier"))
    ability = options.ability or style.ability or weapon.ability
    gear = (Term(weapon.name, band_of(weapon, options.distance)), *optional_term("armour", -target.armor))
    return core(
        score_terms(scene, ability),
        against,
        gear,
        split=options.split_minor,
        house=scene.house,
        piercing=options.style == "piercing",
    )
