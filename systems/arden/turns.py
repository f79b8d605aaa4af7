"""A turn and its costs: action points, moves, minor actions, rest, and the changes between turns."""

from systems.arden.house import House
from systems.arden.sheet import Sheet, is_unconscious, score
from systems.contract.action import Action, Refusal, Scene
from systems.contract.marked_text import possessive
from systems.contract.outcome import Explanation, Outcome, refuse
from systems.contract.ruleset import Initiative
from systems.contract.table import Table
from systems.frozen import evolve
from systems.schema.conversion import replace
from systems.schema.fields import NoOptions, declare, whole
from systems.text import before_and_after

FREE_MOVES = 1
FREE_MINORS = 2
_STATUS = Refusal("status", "the actor is unconscious")
_TURN_OVER = Refusal("turn_over", "the actor's turn is over")
_AP = Refusal("ap", "too few action points")
TO_ACT = (_STATUS, _TURN_OVER, _AP)

WithoutOptions = Scene[Sheet, NoOptions, House]


def refused_unconscious(sheet: Sheet, name: str) -> Outcome | None:
    """Refuse an action of the unconscious (APD-52)."""
    return refuse("status", f"{name} is unconscious and cannot act.") if is_unconscious(sheet) else None


def refused_turn(sheet: Sheet, name: str) -> Outcome | None:
    """Refuse an action in a turn that is over (APD-36 to APD-39)."""
    if refused := refused_unconscious(sheet, name):
        return refused
    return refuse("turn_over", f"{possessive(name)} turn is over.") if sheet.turn_over else None


def spent_turn(sheet: Sheet, house: House) -> bool:
    """Return whether the combatant's turn is over (APD-36 to APD-39)."""
    return sheet.turn_over


def refused_cost(sheet: Sheet, name: str, cost: int) -> Outcome | None:
    """Refuse an action whose action point is missing (APD-01)."""
    return refuse("ap", f"{name} has no action point left.") if sheet.ap < cost else None


def refused_action(sheet: Sheet, name: str, *, encounter: bool) -> Outcome | None:
    """Refuse a standard action if the rules forbid it; outside encounters only for the unconscious (APD-31,
    APD-53).
    """
    if not encounter:
        return refused_unconscious(sheet, name)
    return refused_turn(sheet, name) or refused_cost(sheet, name, 1)


def half_capacity(max_ap: int, house: House) -> int:
    """Return half of the action points, at least 1 (APD-37, R9)."""
    return max(1, (max_ap + (house.ap_half_rounding == "up")) // 2)


def capacity_with_exhaustion(sheet: Sheet, house: House, exhausted: bool) -> dict[str, object]:
    """Return the changes to the capacity with exhaustion, or without it again (APD-37, R10)."""
    return {"capacity": half_capacity(sheet.max_ap, house) if exhausted else sheet.max_ap}


def spend(sheet: Sheet, cost: int, house: House, *, missed: bool = False) -> dict[str, object]:
    """Return the sheet's changes after paying for an action.

    A miss ends the turn. So does paying the last action point, which also halves the capacity once in an
    encounter (APD-37, APD-38, R10, R11). Free actions change nothing at 0 points.
    """
    ap = sheet.ap - cost
    paid_out = cost > 0 and ap == 0
    changes: dict[str, object] = {"ap": ap}
    if missed or paid_out:
        changes["turn_over"] = True
    if paid_out and not sheet.exhausted:
        changes |= {"exhausted": True, **capacity_with_exhaustion(sheet, house, exhausted=True)}
    return changes


def spent_words(before: Sheet, after: Sheet) -> str:
    """Return ` 4 AP left.`, ` Turn over.`, or what follows from having no action points left."""
    if after == before:
        return ""
    if after.ap or after.ap == before.ap:
        return " Turn over." if after.turn_over else f" {after.ap} AP left."
    tired = after.exhausted and not before.exhausted
    return " Out of AP, turn over." + (f" Exhausted: at most {after.capacity} AP for now." if tired else "")


def spent_rules(before: Sheet, after: Sheet) -> tuple[str, ...]:
    """Return the rule about running out of action points, if it applied."""
    return ("APD-37",) if after.ap != before.ap and not after.ap else ()


def regained(sheet: Sheet) -> int:
    """Return the action points after one returns, never above the capacity (APD-40, APD-41)."""
    return 1 if sheet.ap < sheet.capacity else 0


@declare
class MoveOptions:
    spaces: int = whole(0, 999, help="at most the ability speed (APD-32)")


def move(scene: Scene[Sheet, MoveOptions, House], table: Table) -> Outcome:
    """Move; the first move of a turn is free (APD-29, APD-32, R8)."""
    actor, spaces, name = scene.actor, scene.options.spaces, scene.actor_name
    cost = 0 if actor.moves < FREE_MOVES else 1
    if refused := refused_turn(actor, name):
        return refused
    if spaces > score(actor, "speed"):
        reach = max(0, score(actor, "speed"))
        return refuse("speed", f"{name} moves {reach} spaces at most, not {spaces}.")
    if refused := refused_cost(actor, name, cost):
        return refused
    changes = {"moves": actor.moves + 1, "acted": True, **spend(actor, cost, scene.house)}
    did = f"moves {spaces} space{'' if spaces == 1 else 's'}"
    return evolve(_paid(scene, changes, cost, did, "R8" if cost else "APD-29"), moves=("actor",))


def minor(scene: WithoutOptions, table: Table) -> Outcome:
    """Take a minor action; two in a turn are free (APD-33, APD-34, R31)."""
    actor, name = scene.actor, scene.actor_name
    cost = 0 if actor.minors < FREE_MINORS else 1
    if refused := refused_turn(actor, name) or refused_cost(actor, name, cost):
        return refused
    changes = {"minors": actor.minors + 1, **spend(actor, cost, scene.house)}
    return _paid(scene, changes, cost, "takes a minor action", "APD-34" if cost else "APD-33")


def _paid(
    scene: WithoutOptions | Scene[Sheet, MoveOptions, House],
    changes: dict[str, object],
    cost: int,
    did: str,
    rule: str,
) -> Outcome:
    """Return the outcome of a move or a minor action: a cost of 0 or 1, no dice."""

    def tell() -> Explanation:
        price = " for 1 AP" if cost else ", free"
        before, after = scene.actor, replace(scene.actor, **changes)
        text = f"{scene.who_acts} {did}{price}.{spent_words(before, after)}"
        return Explanation(text, rules=(rule, *spent_rules(before, after)))

    return Outcome({"cost": cost}, {"actor": changes}, tell)


def rest(scene: WithoutOptions, table: Table) -> Outcome:
    """Spend the turn resting: 1 action point now, 1 more between turns (APD-41, R13)."""
    actor, name = scene.actor, scene.actor_name
    if refused := refused_turn(actor, name):
        return refused
    if actor.acted:
        return refuse("acted", f"{name} has taken a major action this turn and cannot rest.")
    return _recovered(scene, f"{scene.who_acts} rests", "APD-41")


def turn_end(scene: WithoutOptions, table: Table) -> Outcome:
    """End the turn, and return the action point between turns (APD-36, APD-40, R12)."""
    if not regained(scene.actor):
        return Outcome({"regained": 0}, {"actor": {"turn_over": True}})
    return _recovered(scene, f"{scene.actor_name} ends the turn", "APD-40")


def _recovered(scene: WithoutOptions, did: str, rule: str) -> Outcome:
    actor = scene.actor
    gain = regained(actor)

    def tell() -> Explanation:
        most = "no more while exhausted" if actor.exhausted else "full"
        moved = f"AP {before_and_after(actor.ap, actor.ap + gain)}" if gain else f"AP {actor.ap}, {most}"
        return Explanation(f"{did} ({moved}).", rules=(rule,))

    changes: dict[str, object] = {"ap": actor.ap + gain, "turn_over": True}
    return Outcome({"regained": gain}, {"actor": changes}, tell)


def turn_start(scene: WithoutOptions, table: Table) -> Outcome:
    """Forget the actions of the last turn (APD-28)."""
    return Outcome({}, {"actor": {"moves": 0, "minors": 0, "acted": False, "turn_over": False}})


def encounter_end(scene: WithoutOptions, table: Table) -> Outcome:
    """Restore the capacity (R10)."""
    actor = scene.actor

    def tell() -> Explanation:
        return Explanation(f"{scene.actor_name} recovers from exhaustion.", rules=("APD-37", "R10"))

    changes = {"exhausted": False, **capacity_with_exhaustion(actor, scene.house, exhausted=False)}
    return Outcome({}, {"actor": changes}, tell) if actor.exhausted else Outcome({}, {"actor": changes})


def initiative(sheet: Sheet, table: Table) -> int:
    """Roll a d20 and add speed (APD-26)."""
    return table.d(20, "initiative") + score(sheet, "speed")


INITIATIVE = Initiative(initiative, tie=lambda sheet: score(sheet, "speed"))

_COST = {"cost": "action points spent: 0 or 1"}
_REGAINED = {"regained": "action points that returned: 0 or 1"}
MOVE = Action(
    "move",
    "Move; the first move of a turn is free, others cost 1 action point.",
    move,
    MoveOptions,
    facts=_COST,
    refusals=(_STATUS, _TURN_OVER, Refusal("speed", "more spaces than the ability speed"), _AP),
    group="turn",
    rules=("APD-29", "APD-32", "R8"),
    letter="m",
)
MINOR = Action(
    "minor",
    "Take a minor action; two a turn are free, others cost 1 action point.",
    minor,
    facts=_COST,
    refusals=TO_ACT,
    group="turn",
    rules=("APD-33", "APD-34", "R31"),
    title="minor action",
    letter="i",
    verb="take a minor action",
)
REST = Action(
    "rest",
    "Spend the turn resting.",
    rest,
    facts=_REGAINED,
    refusals=(_STATUS, _TURN_OVER, Refusal("acted", "a major action was taken this turn")),
    group="turn",
    rules=("APD-41", "R13"),
    letter="z",
)
TURN_START = Action(
    "turn_start", "The start of the actor's turn.", turn_start, group="hook", rules=("APD-28",)
)
TURN_END = Action(
    "turn_end",
    "The end of the actor's turn and the recovery between turns.",
    turn_end,
    facts=_REGAINED,
    group="hook",
    rules=("APD-36", "APD-40", "R12"),
)
ENCOUNTER_END = Action(
    "encounter_end", "End the encounter.", encounter_end, group="hook", rules=("APD-37", "R10")
)
