"""Death outside combat, and the character that comes after."""

from systems.contract.outcome import Account, Outcome, Term
from systems.contract.ruleset import Action, Scene
from systems.contract.table import Table
from systems.schema.fields import NoOptions
from systems.waygate.house import House
from systems.waygate.marks import back_from_death
from systems.waygate.sheet import Sheet, is_dying


def hour_passes(scene: Scene[Sheet, NoOptions, House], table: Table) -> Outcome:
    """More than an hour below 0 outside combat kills; exactly 0 is stable (WAY-45, R21, R24)."""
    actor, house = scene.actor, scene.house
    died = is_dying(actor, house)
    changes = {"rounds_below_zero": house.dying_rounds} if actor.hp < 0 else {}

    def tell() -> Account:
        end = "still below 0, dead" if died else "nothing changes"
        return Account(f"More than an hour passes for {scene.actor_name}: {end}.", rules=("WAY-45",))

    asks = back_from_death(actor, changes, house, scene.actor_name, "actor")
    return Outcome({"died": died}, {"actor": changes}, tell, asks)


def new_character_level(scene: Scene[Sheet, NoOptions, House], table: Table) -> Outcome:
    """Who follows one dead for good begins a level lower, never under 1 (WAY-48)."""
    level = scene.actor.level
    new = max(1, level - 1)

    def tell() -> Account:
        lower = Term("one lower", new - level, "" if new < level else "never under 1")
        text = f"A new character after {scene.actor_name} begins at level {new}."
        return Account(text, (Term("level", level), lower), rules=("WAY-48",))

    return Outcome({"level": new}, tell=tell)


HOUR_PASSES = Action(
    "hour_passes",
    "More than an hour goes by outside combat.",
    hour_passes,
    facts={"died": "it was below 0 and not dead yet"},
    group="camp",
    rules=("WAY-45",),
    title="hour that passes",
)
NEW_CHARACTER_LEVEL = Action(
    "new_character_level",
    "The level of a new character after a permanent death.",
    new_character_level,
    facts={"level": "one lower than the actor's, at least 1; the sheet does not change"},
    group="camp",
    rules=("WAY-48",),
    total="level",
    title="new character's level",
)
