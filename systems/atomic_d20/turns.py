"""The effects at the start and end of a turn, and the order of turns."""

from systems.atomic_d20.death import recover
from systems.atomic_d20.house import House
from systems.atomic_d20.sheet import Sheet, can_act
from systems.atomic_d20.wounds import death_ask
from systems.contract.action import Action, Scene
from systems.contract.marked_text import as_status
from systems.contract.outcome import Explanation, Outcome
from systems.contract.ruleset import Initiative, OrderStyle
from systems.contract.table import Table
from systems.schema.fields import NoOptions

Turn = Scene[Sheet, NoOptions, House]


def turn_start(scene: Turn, table: Table) -> Outcome:
    """Roll for a miraculous recovery, or ask a dying character for its choice (ATO-47, ATO-50)."""
    actor, name = scene.actor, scene.actor_name
    if actor.status != "dying" or actor.death_choice != "miraculous":
        text = f"{name} is dying and has not chosen: last words, adrenaline or a miraculous recovery?"
        undecided = actor.status == "dying" and actor.death_choice == "none"
        asks = (death_ask(text, "actor"),) if undecided else ()
        return Outcome({"rolled": False, "can_act": can_act(actor)}, asks=asks)
    rolled = recover(actor, scene.house, table)

    def tell() -> Explanation:
        text = f"{name} clings to life and {rolled.words}."
        return Explanation(text, rules=("ATO-50",), arithmetic=f"{rolled.face} rolled.")

    facts = {"rolled": True, "face": rolled.face, "can_act": rolled.status == "conscious"}
    return Outcome(facts, {"actor": rolled.changes}, tell, degree=rolled.status)


def turn_end(scene: Turn, table: Table) -> Outcome:
    """End adrenaline, which lasts one turn (ATO-49)."""
    if scene.actor.status != "adrenaline":
        return Outcome({"died": False})
    explanation = Explanation(
        f"The adrenaline leaves {scene.actor_name}, {as_status('dead')}.", rules=("ATO-49",)
    )
    return Outcome({"died": True}, {"actor": {"status": "dead"}}, lambda: explanation)


def order(house: House) -> OrderStyle:
    """Return the order style: the game master's order, or initiative by house rule (R21)."""
    return "initiative" if house.initiative == "reflex" else "manual"


def _initiative(sheet: Sheet, table: Table) -> int:
    """Return initiative: d20 + Reflex, less the banes of major wounds (ATO-35, R21)."""
    return table.d(20, "initiative", "actor") + sheet.reflex - sheet.wound_banes


INITIATIVE = Initiative(_initiative, tie=lambda sheet: sheet.reflex)
TURN_START = Action(
    "turn_start",
    "The start of the actor's turn.",
    turn_start,
    facts={
        "rolled": "dying with the choice miraculous (ATO-50)",
        "face": "only when rolled",
        "can_act": "status active, conscious or adrenaline",
    },
    group="hook",
    rules=("ATO-47", "ATO-50"),
)
TURN_END = Action(
    "turn_end",
    "The end of the actor's turn.",
    turn_end,
    facts={"died": "adrenaline ran out (ATO-49)"},
    group="hook",
    rules=("ATO-49",),
)
