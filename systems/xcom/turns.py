"""The actions of a turn: their costs, and what each turn restores."""

from systems.contract.action import Action, Refusal, Scene
from systems.contract.marked_text import possessive
from systems.contract.outcome import Explanation, Outcome, refuse
from systems.contract.table import Table
from systems.schema.fields import NoOptions, choice, declare
from systems.xcom.house import House
from systems.xcom.sheet import Sheet, Weapon, health_status

KINDS = ("core", "final", "full", "free", "move_action")
NEEDED = {"core": 1, "final": 1, "full": 2, "free": 0, "move_action": 1}
RULES = {"core": "XCM-36", "final": "XCM-37", "full": "XCM-38", "free": "XCM-39", "move_action": "XCM-40"}


@declare
class ActOptions:
    kind: str = choice(
        KINDS,
        help="core costs 1, final all actions left (at least 1), full 2; free and move actions cost none, "
        "but a move action needs a turn that is not over",
    )


def counted(actions: int) -> str:
    """Return the number of actions in words: `2 actions`, `1 action`, `no action`."""
    return f"{actions or 'no'} action{'s' if actions > 1 else ''}"


def cannot(sheet: Sheet, name: str, needed: int, verb: str) -> Outcome | None:
    """Refuse a combatant that is down or has too few actions left (XCM-36 to XCM-38, R26, R30).

    `verb`: the action in words, such as `attack`.
    """
    if health_status(sheet) == "down":
        return refuse("status", f"{name} is down and cannot {verb}.")
    if sheet.actions_left < needed:
        left = counted(sheet.actions_left)
        wants = f" and needs {needed} to {verb}" if needed > 1 else f" this turn and cannot {verb}"
        return refuse("actions", f"{name} has {left} left{wants}.")
    return None


def spent_turn(sheet: Sheet, house: House) -> bool:
    """Return whether the combatant has no action left in this turn (XCM-36, XCM-37)."""
    return not sheet.actions_left


def nothing_left(weapon: Weapon, name: str) -> Outcome | None:
    """Refuse a counted weapon that is used up (R37)."""
    return refuse("ammo", f"{name} has no {weapon.name} left.") if weapon.count == 0 else None


def act(scene: Scene[Sheet, ActOptions, House], table: Table) -> Outcome:
    """Spend actions on something that has no action of its own here (XCM-36 to XCM-40)."""
    actor, kind = scene.actor, scene.options.kind
    what = kind.replace("_", " ") + ("" if kind == "move_action" else " action")
    if refused := cannot(actor, scene.actor_name, NEEDED[kind], f"take a {what}"):
        return refused
    cost = {"core": 1, "final": actor.actions_left, "full": 2}.get(kind, 0)
    left = actor.actions_left - cost

    def tell() -> Explanation:
        verb = "spends" if cost else "takes"
        return Explanation(f"{scene.who_acts} {verb} a {what}, {counted(left)} left.", rules=(RULES[kind],))

    return Outcome({"turn_over": left == 0}, {"actor": {"actions_left": left}}, tell)


def turn_start(scene: Scene[Sheet, NoOptions, House], table: Table) -> Outcome:
    """Begin a character's part of its side's turn: restore actions, end a dash (XCM-36, R18)."""
    actor = scene.actor

    def tell() -> Explanation:
        # Every combatant regains actions each turn, so that alone is not worth a line.
        text = f"{possessive(scene.actor_name)} dash is over." if actor.dashing else ""
        return Explanation(text, rules=TURN_START.rules)

    changes = {"actions_left": actor.actions_per_turn, "dashing": False, "overwatch": False}
    return Outcome({}, {"actor": changes}, tell)


ACT = Action(
    "act",
    "Spend actions on anything else.",
    act,
    ActOptions,
    facts={"turn_over": "no actions left"},
    refusals=(
        Refusal("status", "the actor is down"),
        Refusal("actions", "too few actions left (free never)"),
    ),
    group="turn",
    rules=("XCM-36", "XCM-37", "XCM-38", "XCM-39", "XCM-40"),
    title="other action",
    letter="f",
    verb="act",
)
TURN_START = Action(
    "turn_start",
    "A character's part of its side's turn begins.",
    turn_start,
    group="hook",
    rules=("XCM-36", "XCM-44"),
)
