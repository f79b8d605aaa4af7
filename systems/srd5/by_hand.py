"""Conditions that the game master gives or takes by hand."""

from systems.contract.action import Action, Refusal, Scene
from systems.contract.outcome import Explanation, Outcome, refuse
from systems.contract.table import Table
from systems.schema.fields import choice, declare, flag, whole
from systems.srd5.body import body_of, conditions_given, given, is_dead, is_immune, without, woken
from systems.srd5.health import DEAD
from systems.srd5.house import House
from systems.srd5.sheet import GIVABLE, Sheet
from systems.text import spoken


@declare
class ConditionOptions:
    condition: str = choice(GIVABLE, help="the condition; exhaustion: one level")
    remove: bool = flag(False, "taken away")
    escape_dc: int = whole(0, 40, 0, "of a grapple")


def set_condition(scene: Scene[Sheet, ConditionOptions, House], table: Table) -> Outcome:
    """Give or take a condition by hand (SRD-48 to SRD-63)."""
    options, before, name = scene.options, body_of(scene.actor), scene.actor_name
    condition = options.condition
    if is_dead(before):
        return refuse("dead", f"{name} is dead.")
    if not options.remove and is_immune(before, condition):
        return refuse("immune", f"{name} is immune to {spoken(condition)}.")
    if options.remove and condition == "unconscious" and before.hp == 0:
        return refuse("zero_hp", f"{name} is unconscious as long as it has 0 hit points.")
    if not options.remove:
        after = given(before, (condition,), options.escape_dc)[0]
    elif condition == "unconscious":
        after = woken(before)
    else:
        after = without(before, condition)
    changed = after != before

    def tell() -> Explanation:
        now = "no longer" if options.remove else "now"
        words = f"exhaustion {after.exhaustion}" if condition == "exhaustion" else f"{now} {condition}"
        text = f"{name} is {words}." if condition != "exhaustion" else f"{name} has {words}."
        return Explanation(text if changed else f"Nothing changes for {name}.", rules=("SRD-63",))

    new = (condition,) if changed and not options.remove else ()
    return Outcome(
        {"changed": changed, "exhaustion": after.exhaustion},
        {"actor": after.changes()},
        tell,
        gives=conditions_given(new, "actor"),
    )


SET_CONDITION = Action(
    "set_condition",
    "Give or take a condition by hand.",
    set_condition,
    ConditionOptions,
    facts={"changed": "whether anything changed", "exhaustion": "levels now"},
    refusals=(
        DEAD,
        Refusal("immune", "given, and it is immune"),
        Refusal("zero_hp", "unconscious taken away at 0 hit points"),
    ),
    group="health",
    rules=("SRD-63",),
)
