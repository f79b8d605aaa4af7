"""Resolve a move or a dash, square by square."""

from systems.contract.action import Action, Refusal, Scene
from systems.contract.outcome import Explanation, Outcome, Step, Term, optional_term, refuse
from systems.contract.table import Table
from systems.errors import Wrong
from systems.schema.fields import choice, declare, flag, listing
from systems.schema.types import Choice, Flag, Whole
from systems.text import plain_number
from systems.xcom.house import House
from systems.xcom.sheet import COVERS, Sheet
from systems.xcom.turns import cannot, counted

STRAIGHT, DIAGONAL = "o", "d"


@declare
class MoveOptions:
    steps: tuple[str, ...] = listing(
        Choice((STRAIGHT, DIAGONAL)),
        (),
        "squares entered: o straight, d diagonal, or a number of straight ones (XCM-67, XCM-68)",
        counted=STRAIGHT,
    )
    rough: tuple[bool, ...] = listing(
        Flag(), (), "for each step, whether the square is rough: double the cost (XCM-71)"
    )
    move_actions: tuple[int, ...] = listing(
        Whole(0, 99),
        (),
        "mobility spent on the way: 4 to change equipment or take an item (heavy weapons 6 or 8), "
        "10 to pick a person up, 2 to put one down (XCM-69 to XCM-74)",
    )
    cover: str | None = choice(
        COVERS, None, "the cover after the move; without it the cover stays (XCM-46)", when_absent="stays"
    )
    dash: bool = flag(False, "both actions for twice the mobility, +30 Dodge against reactions (XCM-43)")


Moving = Scene[Sheet, MoveOptions, House]


def step_costs(steps: tuple[str, ...], rough: tuple[bool, ...]) -> tuple[int, ...]:
    """Return the cost of each square: 1 straight, diagonals 2, 1, 2, 1, doubled if rough (R21, R22).

    Diagonals alternate over the whole movement, whatever squares come between them.
    """
    costs, diagonals = [], 0
    for at, step in enumerate(steps):
        cost = 1
        if step == DIAGONAL:
            cost = 2 - diagonals % 2
            diagonals += 1
        costs.append(cost * 2 if at < len(rough) and rough[at] else cost)
    return tuple(costs)


def move(scene: Moving, table: Table) -> Outcome:
    """Resolve a move (core action) or dash (full action); unused points are lost (XCM-42, 43, R23, R25)."""
    actor, options = scene.actor, scene.options
    if len(options.rough) > len(options.steps):
        raise Wrong("options.rough", f"expected at most one entry per step, {len(options.steps)} in all")
    needed = 2 if options.dash else 1
    if refused := cannot(actor, scene.actor_name, needed, "dash" if options.dash else "move"):
        return refused
    costs = step_costs(options.steps, options.rough)
    cost = sum(costs) + sum(options.move_actions)
    mobility = actor.mobility * needed
    facts = {
        "cost": cost,
        "costs": costs,
        "mobility": mobility,
        "allowed": cost <= mobility,
        "left": mobility - cost,
    }
    if cost > mobility:
        sentence = f"{scene.actor_name} has mobility {mobility} to spend, and the way costs {cost}."
        return refuse("mobility", sentence, **facts)
    return _moved(scene, facts, actor.actions_left - needed)


def _moved(scene: Moving, facts: dict[str, object], actions_left: int) -> Outcome:
    actor, dash = scene.actor, scene.options.dash
    cover = scene.options.cover or actor.cover
    changes: dict[str, object] = {"actions_left": actions_left}
    if dash:
        changes["dashing"] = True
    if cover != actor.cover:
        changes["cover"] = cover

    def tell() -> Explanation:
        squares = len(scene.options.steps)
        way = f"{squares} square{'' if squares == 1 else 's'}"
        behind = f", now {cover_words(cover)}"
        if cover == actor.cover:
            behind = "" if cover == "none" or not squares else f", still {cover_words(cover)}"
        text = (
            f"{scene.who_acts} {'dashes' if dash else 'moves'} {way}{behind}, {counted(actions_left)} left."
        )
        numbers = f"Cost {facts['cost']}, mobility {facts['mobility']}."
        left = Step("left", str(facts["left"]), f"of {facts['mobility']}; lost with the action")
        action = "XCM-43" if dash else "XCM-42"
        rules = (action, "XCM-67", "XCM-68", "XCM-71")
        return Explanation(text, _terms(scene), (left,), rules, arithmetic=numbers)

    return Outcome(facts, {"actor": changes}, tell, moves=("actor",))


def cover_words(cover: str) -> str:
    """Return the cover in words: `in the open` or `behind half cover`."""
    return "in the open" if cover == "none" else f"behind {cover} cover"


def _terms(scene: Moving) -> tuple[Term, ...]:
    """Return the terms of the cost: each kind of square, and actions on the way."""
    options = scene.options
    straight = options.steps.count(STRAIGHT)
    diagonals = len(options.steps) - straight
    smooth, real = step_costs(options.steps, ()), step_costs(options.steps, options.rough)
    actions = ", ".join(plain_number(cost) for cost in options.move_actions)
    return (
        Term("straight squares", straight),
        *optional_term("diagonal squares", sum(smooth) - straight, f"{diagonals}, at 2 and 1 in turn"),
        *optional_term("rough squares", sum(real) - sum(smooth), "double"),
        *((Term("on the way", sum(options.move_actions), actions),) if actions else ()),
    )


MOVE = Action(
    "move",
    "Move (core action) or dash (full action).",
    move,
    MoveOptions,
    facts={
        "cost": "in all",
        "costs": "list with one cost per step",
        "mobility": "points to spend",
        "allowed": "cost within them",
        "left": "mobility - cost",
    },
    refusals=(
        Refusal("status", "the actor is down"),
        Refusal("actions", "too few actions left (1, dash 2)"),
        Refusal("mobility", "cost above the points; the other facts are given too"),
    ),
    group="turn",
    rules=("XCM-42", "XCM-43", "XCM-67", "XCM-68", "XCM-71", "XCM-72", "XCM-73", "XCM-74"),
    total="cost",
    letter="m",
)
