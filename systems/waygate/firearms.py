"""Firing modes, jams and rounds; reloading and clearing a jam."""

from systems.contract.action import Action, Scene
from systems.contract.marked_text import possessive
from systems.contract.outcome import Ask, Explanation, Outcome, refuse
from systems.contract.table import Table
from systems.schema.conversion import change_entry
from systems.schema.fields import declare, text
from systems.schema.naming import Naming
from systems.text import before_and_after
from systems.waygate.house import House
from systems.waygate.sheet import Sheet, Weapon, weapon_of

MODE_BONUS = {"single": 0, "burst": 2, "auto": 4}
POINTS_PER_BULLET = 3


def mode_of(weapon: Weapon, asked: str | None) -> str:
    """Return the mode of a shot: the given one, single, or a firearm's first if it has no single (R35)."""
    if asked is not None:
        return asked
    if weapon.firearm and weapon.modes and "single" not in weapon.modes:
        return weapon.modes[0]
    return "single"


def shots_of(weapon: Weapon, mode: str) -> int:
    """Return the number of rounds that a shot uses (WAY-23, WAY-24, WAY-28)."""
    return {"single": 1, "burst": weapon.burst, "auto": weapon.clip}[mode]


def firing_refused(weapon: Weapon, mode: str, name: str) -> Outcome | None:
    """Return the first reason why the weapon cannot fire in this mode (WAY-16, WAY-22, WAY-25, WAY-29)."""
    if weapon.jammed:
        return refuse("jammed", f"{possessive(name)} {weapon.name} is jammed.")
    if mode not in weapon.modes:
        return refuse("mode", f"{possessive(name)} {weapon.name} has no {mode} mode.")
    if mode == "burst" and not weapon.burst:
        return refuse("mode", f"{possessive(name)} {weapon.name} has no burst number.")
    if mode == "auto" and not weapon.clip:
        return refuse("mode", f"{possessive(name)} {weapon.name} has no clip to empty.")
    held = f"{weapon.loaded} of {weapon.clip} rounds"
    if mode == "auto" and weapon.loaded < weapon.clip:
        return refuse("clip", f"{possessive(name)} {weapon.name} holds {held}; auto needs a full clip.")
    shots = shots_of(weapon, mode)
    if weapon.clip and weapon.loaded < shots:
        return refuse("ammo", f"{possessive(name)} {weapon.name} holds {held}; it would fire {shots}.")
    return None


def jams(weapon: Weapon, face: int) -> bool:
    """Return whether a firearm jams: on a 1 or 2, if maintained only on a 1 (WAY-16, WAY-17, R6)."""
    return weapon.firearm and face <= (1 if weapon.maintained else 2)


def shot_lost(weapon: Weapon, face: int, house: House) -> bool:
    """Return whether a jam prevents the shot and saves its rounds (R5)."""
    return jams(weapon, face) and (face == 1 or house.jam_blocks_shot)


def most_bullets(weapon: Weapon, mode: str, house: House) -> int:
    """Return the most bullets that can hit (WAY-27, WAY-31, R10, R12)."""
    shots = shots_of(weapon, mode)
    if mode == "auto" and house.auto_cap == "burst" and weapon.burst:
        return min(weapon.burst, shots)
    return shots


def bullets_of(margin: int, most: int) -> int:
    """Return the bullets that hit: one, and one for each full 3 above the armor rating (WAY-27, R10, R11)."""
    return min(most, 1 + max(0, margin) // POINTS_PER_BULLET)


def weapon_offers(weapon: Weapon, name: str) -> tuple[Ask, ...]:
    """Return the offer to clear a jam or, without one, to reload, if the weapon needs it."""
    options, called = {"weapon": weapon.name}, f"{possessive(name)} {weapon.name}"
    if weapon.jammed:
        takes = "one action" if weapon.maintained else "two actions"
        return (Ask(f"{called} is jammed; clearing it takes {takes}.", "unjam", options=options),)
    if weapon.clip and not weapon.loaded:
        return (Ask(f"{called} is empty.", "reload", options=options),)
    return ()


@declare
class ReloadOptions:
    weapon: str | None = text(
        None,
        "a weapon of the sheet by name",
        when_absent="the first",
        naming=Naming("weapons", having="clip", needs="weapon that reloads"),
    )


@declare
class UnjamOptions:
    weapon: str | None = text(
        None,
        "a weapon of the sheet by name",
        when_absent="the first",
        naming=Naming("weapons", having="jammed", needs="jammed weapon"),
    )


def reload(scene: Scene[Sheet, ReloadOptions, House], table: Table) -> Outcome:
    """Fill the clip (WAY-25, WAY-29). Rounds above its size stay in it."""
    actor = scene.actor
    weapon = weapon_of(actor, scene.options.weapon)
    loaded = max(weapon.clip, weapon.loaded)
    changes = {"weapons": change_entry(actor.weapons, weapon, loaded=loaded)}

    def tell() -> Explanation:
        rounds = before_and_after(weapon.loaded, loaded)
        text = f"{scene.who_acts} reloads the {weapon.name} ({rounds} rounds)."
        if not weapon.clip:
            counted = f"{possessive(scene.actor_name)} {weapon.name}"
            text = f"{counted} counts no rounds; there is nothing to reload."
        return Explanation(text, rules=("WAY-25", "WAY-29"))

    return Outcome({"loaded": loaded}, {"actor": changes}, tell)


def unjam(scene: Scene[Sheet, UnjamOptions, House], table: Table) -> Outcome:
    """Clear a jam (WAY-16)."""
    actor = scene.actor
    weapon = weapon_of(actor, scene.options.weapon)
    changes = {"weapons": change_entry(actor.weapons, weapon, jammed=False)}

    def tell() -> Explanation:
        done = f"clears the {weapon.name}" if weapon.jammed else f"finds no jam in the {weapon.name}"
        return Explanation(f"{scene.who_acts} {done}.", rules=("WAY-16",))

    return Outcome({"jammed": False}, {"actor": changes}, tell)


RELOAD = Action(
    "reload",
    "Fill the clip.",
    reload,
    ReloadOptions,
    facts={"loaded": "rounds afterwards"},
    group="combat",
    rules=("WAY-25", "WAY-29"),
    letter="l",
)
UNJAM = Action(
    "unjam",
    "Clear a jam.",
    unjam,
    UnjamOptions,
    facts={"jammed": "false"},
    group="combat",
    rules=("WAY-16",),
    letter="f",
)
