"""Overwatch: use the last action of a turn to shoot at a moving foe later (R18, R32)."""

from systems.contract.action import Action, Refusal, Scene
from systems.contract.outcome import Ask, Explanation, GivenCondition, Outcome, refuse
from systems.contract.reaction import Reaction
from systems.contract.table import Table
from systems.schema.fields import NoOptions
from systems.xcom.aim import weapon_of
from systems.xcom.house import House
from systems.xcom.movement import Moving
from systems.xcom.sheet import Sheet, Weapon, health_status
from systems.xcom.turns import cannot


def shooting_weapon(sheet: Sheet) -> Weapon | None:
    """Return the first weapon that can shoot and has rounds left, or None."""
    shooting = (weapon for weapon in sheet.weapons if not weapon.melee and weapon.area == "none")
    return next((weapon for weapon in shooting if weapon.count != 0), None)


def overwatch(scene: Scene[Sheet, NoOptions, House], table: Table) -> Outcome:
    """Go on overwatch: a final action that allows a shot before the next turn (XCM-37, R32)."""
    actor, name = scene.actor, scene.actor_name
    if refused := cannot(actor, name, 1, "go on overwatch"):
        return refused
    if shooting_weapon(actor) is None:
        return refuse("weapon", f"{name} has no weapon that shoots.")

    def tell() -> Explanation:
        text = f"{scene.who_acts} goes on overwatch: may shoot at a foe that moves, no action left."
        return Explanation(text, rules=OVERWATCH.rules)

    return Outcome(
        {"overwatch": True},
        {"actor": {"actions_left": 0, "overwatch": True}},
        tell,
        gives=(GivenCondition("actor", "overwatch", until="start"),),
    )


def _shots(scene: Moving) -> tuple[Ask, ...]:
    """Return the offer of a shot at the combatant that has moved, with the first weapon that can shoot."""
    weapon = shooting_weapon(scene.actor)
    if weapon is None:
        return ()
    named = {} if weapon is weapon_of(scene.actor, None) else {"weapon": weapon.name}
    text = f"{scene.actor_name} may shoot at {scene.target_name} from overwatch, which ends with the shot."
    return (Ask(text, "attack", target="target", options={**named, "reaction": True}),)


OVERWATCH = Action(
    "overwatch",
    "Wait, and shoot at a foe that moves: a final action.",
    overwatch,
    facts={"overwatch": "waits to shoot"},
    refusals=(
        Refusal("status", "the actor is down"),
        Refusal("actions", "no action left"),
        Refusal("weapon", "no weapon that shoots"),
    ),
    group="combat",
    letter="g",
    rules=("XCM-37", "R18", "R32"),
    verb="go on overwatch",
)
REACTION_SHOT = Reaction(
    "reaction_shot",
    "A combatant on overwatch may shoot at a foe that moves.",
    "move",
    _shots,
    ready=lambda sheet, house: sheet.overwatch and health_status(sheet) == "up",
    by_itself=lambda house: house.reaction_shots == "at_once",
    rules=("XCM-44", "R18", "R32"),
)
