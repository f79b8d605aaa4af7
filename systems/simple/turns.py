"""Initiative, heroes, and the effects of turns, rounds and the end of a fight."""

from systems.contract.action import Action, Scene
from systems.contract.outcome import Explanation, Outcome
from systems.contract.ruleset import Initiative
from systems.contract.table import Table
from systems.schema.fields import NoOptions
from systems.simple.counters import refill_changes
from systems.simple.house import House
from systems.simple.sheet import Sheet


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


PlainScene = Scene[Sheet, NoOptions, House]


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


_REFILLED = {"refilled": "a counter was refilled"}
TURN_START = Action(
    "turn_start", "The start of the actor's own turn.", turn_start, facts=_REFILLED, group="hook"
)
ROUND_START = Action("round_start", "The start of a round.", round_start, facts=_REFILLED, group="hook")
ENCOUNTER_END = Action("encounter_end", "The end of the fight.", encounter_end, facts=_REFILLED, group="hook")
