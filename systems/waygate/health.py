"""Losing and regaining hit points, and the status of a sheet."""

from systems.contract.action import Action, Refusal, Scene
from systems.contract.marked_text import as_change, as_health, as_status
from systems.contract.outcome import Explanation, Outcome, Step, refuse
from systems.contract.ruleset import Rest
from systems.contract.table import Table
from systems.schema.conversion import replace
from systems.schema.fields import NoOptions, declare, whole
from systems.text import plain_number
from systems.waygate.house import House
from systems.waygate.marks import back_from_death
from systems.waygate.sheet import LEAST_HP, Sheet, is_dying, life_status


@declare
class AmountOptions:
    amount: int = whole(0, 999, help="hit points")


Amount = Scene[Sheet, AmountOptions, House]


def lost(sheet: Sheet, amount: int) -> dict[str, int]:
    """Return the changes from lost hit points; falling below 0 restarts the turn count (WAY-40, R25, R26)."""
    if not amount:
        return {}
    hp = max(LEAST_HP, sheet.hp - amount)
    return {"hp": hp, "rounds_below_zero": 0} if sheet.hp >= 0 > hp else {"hp": hp}


def hp_moved(before: Sheet, after: Sheet) -> str:
    """Return the hit points before and after, such as `30 → 22`."""
    return as_health(before.hp, after.hp)


def hp_words(before: Sheet, after: Sheet, house: House) -> str:
    """Return ` (hp 30 → 22)`, followed by the new status if it changed."""
    words = as_change("hp", before.hp, after.hp)
    if life_status(after, house) != life_status(before, house):
        words += f", {as_status(life_status(after, house))}"
    return words


def hp_steps(before: Sheet, after: Sheet, house: House) -> tuple[Step, ...]:
    """Return the explanation line for changed hit points, or ()."""
    if after.hp == before.hp:
        return ()
    return (Step("hp", hp_moved(before, after), life_status(after, house)),)


def fall_rules(before: Sheet, after: Sheet, house: House) -> tuple[str, ...]:
    """Return the rule by which lost hit points changed the status, or ()."""
    word = life_status(after, house)
    if word == life_status(before, house):
        return ()
    return ("WAY-43",) if word == "dead" else ("WAY-40",)


def harm(scene: Amount, table: Table) -> Outcome:
    """Take hit points for any reason (WAY-40, WAY-43, R26)."""
    actor, house, amount = scene.actor, scene.house, scene.options.amount
    changes = lost(actor, amount)
    after = replace(actor, **changes)

    def tell() -> Explanation:
        text = f"{scene.actor_name} takes {amount}{hp_words(actor, after, house)}."
        return Explanation(text, (), hp_steps(actor, after, house), fall_rules(actor, after, house))

    asks = back_from_death(actor, changes, house, scene.actor_name, "actor")
    return Outcome({"damage": amount}, {"actor": changes}, tell, asks)


def gained(sheet: Sheet, amount: int) -> int:
    """Return how many of these hit points can be regained: never above the maximum."""
    return max(0, min(amount, sheet.max_hp - sheet.hp))


def healed_by(sheet: Sheet, points: int) -> dict[str, int]:
    """Return the changes from regained hit points; dying ends at 0 (WAY-46, R25)."""
    hp = sheet.hp + points
    return {"hp": hp, "rounds_below_zero": 0} if hp >= 0 else {"hp": hp}


def healed_words(before: Sheet, after: Sheet, house: House) -> str:
    """Return the words for healing, such as `healed by 4 (hp −4 → 0), stable`."""
    words = f"healed by {after.hp - before.hp}{hp_words(before, after, house)}"
    return f"{words}, stable" if after.hp == 0 and before.hp < 0 else words


def beyond_healing(sheet: Sheet, house: House, name: str) -> Outcome | None:
    """Refuse to heal the dead (WAY-47)."""
    if life_status(sheet, house) != "dead":
        return None
    return refuse("dead", f"{name} is dead, and ordinary healing does not help.")


def heal(scene: Amount, table: Table) -> Outcome:
    """Restore hit points, never above the maximum (WAY-46, WAY-47, R25)."""
    actor, house = scene.actor, scene.house
    if refused := beyond_healing(actor, house, scene.actor_name):
        return refused
    healed = gained(actor, scene.options.amount)
    changes = healed_by(actor, healed)
    after = replace(actor, **changes)

    def tell() -> Explanation:
        text = f"{scene.actor_name} is {healed_words(actor, after, house)}."
        return Explanation(text, (), hp_steps(actor, after, house), ("WAY-46",) if actor.hp < 0 else ())

    return Outcome({"healed": healed}, {"actor": changes}, tell)


def status(scene: Scene[Sheet, NoOptions, House], table: Table) -> Outcome:
    """Report the status of a sheet (WAY-40, WAY-42 to WAY-44)."""
    actor, house = scene.actor, scene.house
    word, dying = life_status(actor, house), is_dying(actor, house)

    def tell() -> Explanation:
        text = f"{scene.actor_name} is {as_status(word)}{', dying' if dying else ''}."
        numbers = f"Hit points {plain_number(actor.hp)} of {actor.max_hp}"
        if dying:
            numbers += f", {actor.rounds_below_zero} of {house.dying_rounds} turns below 0"
        return Explanation(text, rules=("WAY-40", "WAY-43", "WAY-44"), arithmetic=f"{numbers}.")

    return Outcome({"can_act": word == "conscious", "dying": dying}, tell=tell)


HARM = Action(
    "harm",
    "Deal damage for any reason.",
    harm,
    AmountOptions,
    facts={"damage": "the amount"},
    group="health",
    rules=("WAY-40", "WAY-43"),
    amount="damage",
)
HEAL = Action(
    "heal",
    "Restore hit points.",
    heal,
    AmountOptions,
    facts={"healed": "hit points regained; never above max_hp"},
    refusals=(Refusal("dead", "the actor is dead"),),
    group="health",
    rules=("WAY-46",),
)


def _no_rest(sheet: Sheet, house: House) -> str:
    """Return why rest cannot help the dead or dying, or "" (WAY-45)."""
    if life_status(sheet, house) == "dead":
        return "dead"
    return "dying, and an hour without healing is death" if is_dying(sheet, house) else ""


# The book has no healing by rest; the game master decides whether a rest heals.
RESTS = (Rest("rest", "a rest", restores={"hp": "max_hp"}, denied=_no_rest),)
STATUS = Action(
    "status",
    "Report the status of a character; no dice.",
    status,
    facts={"can_act": "conscious", "dying": "below 0 and not dead"},
    group="check",
    rules=("WAY-40", "WAY-43", "WAY-44"),
)
