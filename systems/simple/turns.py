"""Initiative, heroes, and the effects of turns, rounds and the end of a fight."""

from systems.contract.action import Action, Refusal, Scene
from systems.contract.outcome import Explanation, Hurt, Outcome, refuse
from systems.contract.ruleset import Initiative
from systems.contract.table import Table
from systems.schema.conversion import replace
from systems.schema.fields import NoOptions, declare, whole
from systems.simple.counters import refill_changes
from systems.simple.health import down_question, hp_loss_changes, hp_words
from systems.simple.house import House
from systems.simple.sheet import MOST, Sheet, life_status


def initiative(house: House) -> Initiative:
    """Return how initiative is rolled: the house's dice and the bonus, high or low first (R11).

    Equal scores go by the bonus, then by a d20 each until they differ.
    """
    is_low = house.initiative_first == "low"
    return Initiative(
        lambda sheet, table: table.roll(house.initiative_dice, "initiative") + sheet.initiative,
        tie=lambda sheet: -sheet.initiative if is_low else sheet.initiative,
        roll_off=20,
        first="low" if is_low else "high",
    )


def join(sheet: Sheet, is_player: bool) -> dict[str, object]:
    """Return the changes of the sheet: players' characters are heroes, others are not (R8)."""
    return {"hero": is_player}


@declare
class OngoingOptions:
    amount: int = whole(0, MOST, 0, "points: the value of the condition, 1 if it has none")


OngoingScene = Scene[Sheet, OngoingOptions, House]
PlainScene = Scene[Sheet, NoOptions, House]


def burn(scene: OngoingScene, table: Table) -> Outcome:
    """Take the hit points that fire, poison or a wound costs when a turn begins."""
    actor = scene.actor
    if life_status(actor) == "dead":
        return refuse("dead", f"{scene.actor_name} is dead.")
    damage = scene.options.amount
    changes = hp_loss_changes(actor, damage, scene.house)
    after = replace(actor, **changes)

    def tell() -> Explanation:
        return Explanation(f"{scene.actor_name} takes {damage} ongoing damage{hp_words(actor, after)}.")

    asks = down_question(actor, after, scene.actor_name)
    hurt = (Hurt("actor", damage),)
    return Outcome({"damage": damage}, {"actor": changes}, tell, asks=asks, hurt=hurt)


def regenerate(scene: OngoingScene, table: Table) -> Outcome:
    """Restore hit points that regenerate when a turn begins."""
    actor = scene.actor
    if life_status(actor) == "dead":
        return refuse("dead", f"{scene.actor_name} is dead.")
    healed = max(0, min(scene.options.amount, actor.max_hp - actor.hp))
    after = replace(actor, hp=actor.hp + healed)

    def tell() -> Explanation:
        moved = hp_words(actor, after)
        return Explanation(f"{scene.actor_name} regenerates {healed}{moved}." if healed else "")

    return Outcome({"healed": healed}, {"actor": {"hp": after.hp}}, tell)


def turn_start(scene: PlainScene, table: Table) -> Outcome:
    """Refill the counters of the turn."""
    return _refill(scene, ("turn",))


def round_start(scene: PlainScene, table: Table) -> Outcome:
    """Refill the counters of the round."""
    return _refill(scene, ("round",))


def encounter_end(scene: PlainScene, table: Table) -> Outcome:
    """Refill the counters of the encounter, the round and the turn."""
    return _refill(scene, ("encounter", "round", "turn"))


def _refill(scene: PlainScene, when: tuple[str, ...]) -> Outcome:
    """Refill counters; the explanation is empty if nothing had been spent."""
    changes, which = refill_changes(scene.actor, when)
    text = f"{scene.actor_name} has {which} again." if which else ""
    return Outcome({"refilled": bool(which)}, {"actor": changes}, lambda: Explanation(text))


_DEAD = (Refusal("dead", "the actor is dead"),)
BURN = Action(
    "burn",
    "Take damage from fire, poison or a wound at the start of a turn.",
    burn,
    OngoingOptions,
    facts={"damage": "hit points lost"},
    refusals=_DEAD,
    group="hook",
)
REGENERATE = Action(
    "regenerate",
    "Refill counters at the start of a turn.",
    regenerate,
    OngoingOptions,
    facts={"healed": "hit points regained; never above max_hp"},
    refusals=_DEAD,
    group="hook",
)
_REFILLED = {"refilled": "a counter was refilled"}
TURN_START = Action(
    "turn_start", "The start of the actor's own turn.", turn_start, facts=_REFILLED, group="hook"
)
ROUND_START = Action("round_start", "The start of a round.", round_start, facts=_REFILLED, group="hook")
ENCOUNTER_END = Action("encounter_end", "The end of the fight.", encounter_end, facts=_REFILLED, group="hook")
