"""Losing and regaining health, and the status of a sheet."""

from systems.contract.action import Action, Scene
from systems.contract.marked_text import as_change, as_status
from systems.contract.outcome import Ask, Explanation, Outcome, Role, Term, optional_term
from systems.contract.ruleset import Rest
from systems.contract.table import Table
from systems.schema.fields import NoOptions, declare, flag, whole
from systems.text import plain_number
from systems.xcom.damage import damage_numbers, falls, harm_words, health_after, health_step, through_armor
from systems.xcom.house import House
from systems.xcom.sheet import Sheet, can_act, health_status, psi_value
from systems.xcom.turns import counted


@declare
class HarmOptions:
    amount: int = whole(0, 999, help="points")
    armor: bool = flag(False, "armor is subtracted; at least 1 stays of an amount above 0 (XCM-65)")


@declare
class HealOptions:
    amount: int = whole(0, 999, help="points")


def fallen(before: Sheet, damage: int, name: str, role: Role = "actor") -> tuple[Ask, ...]:
    """Return the question about a combatant that has just gone down (XCM-75, R20)."""
    if not falls(before, damage):
        return ()
    says = "down: dead or bleeding out, as the game master decides."
    return (Ask(f"{name} is {says}", several=f"{{names}} are {says}", about=role),)


def harm(scene: Scene[Sheet, HarmOptions, House], table: Table) -> Outcome:
    """Take health for any reason, such as an explosion (XCM-65, XCM-66)."""
    actor, amount = scene.actor, scene.options.amount
    damage = through_armor(actor.armor, amount) if scene.options.armor and amount else amount

    def tell() -> Explanation:
        text = f"{scene.actor_name} takes {harm_words(actor, damage)}."
        numbers = f"{damage_numbers(amount, damage)}." if amount > damage else ""
        counts = "at least 1 stays" if scene.options.armor else "does not count"
        armor = (Term("armor", damage - amount, counts),) if actor.armor else ()
        terms = (Term("amount", amount), *armor)
        return Explanation(text, terms, (health_step(actor, damage),), HARM.rules, arithmetic=numbers)

    asks = fallen(actor, damage, scene.actor_name)
    changes = {"health": health_after(actor, damage)}
    return Outcome({"damage": damage}, {"actor": changes}, tell, asks=asks)


def heal(scene: Scene[Sheet, HealOptions, House], table: Table) -> Outcome:
    """Restore health, never above the maximum."""
    actor, amount = scene.actor, scene.options.amount
    healed = max(0, min(amount, actor.max_health - actor.health))
    health = actor.health + healed

    def tell() -> Explanation:
        risen = f", {as_status('up')} again" if actor.health <= 0 < health else ""
        moved = as_change("health", actor.health, health)
        terms = (
            Term("amount", amount),
            *optional_term("above the maximum", healed - amount, "does not count"),
        )
        return Explanation(f"{scene.actor_name} is healed by {healed}{moved}{risen}.", terms)

    return Outcome({"healed": healed}, {"actor": {"health": health}}, tell)


def status(scene: Scene[Sheet, NoOptions, House], table: Table) -> Outcome:
    """Report the status of a sheet; no dice (R20, R30)."""
    actor = scene.actor
    word = health_status(actor)
    facts = {"can_act": can_act(actor), "psi_value": psi_value(actor)}

    def tell() -> Explanation:
        health = f"Health {plain_number(actor.health)} of {actor.max_health}"
        text = f"{scene.actor_name} is {as_status(word)}."
        numbers = f"{health}, {counted(actor.actions_left)} left."
        return Explanation(text, rules=("XCM-23", "XCM-36", "XCM-75"), arithmetic=numbers)

    return Outcome(facts, tell=tell)


HARM = Action(
    "harm",
    "Health lost.",
    harm,
    HarmOptions,
    facts={"damage": "health lost"},
    group="health",
    rules=("XCM-65", "XCM-66"),
    amount="damage",
    total="damage",
)
HEAL = Action(
    "heal",
    "Restore health.",
    heal,
    HealOptions,
    facts={"healed": "health regained; never above max_health"},
    group="health",
    amount="healed",
    total="healed",
)
# The book has no healing between fights. The game master decides about a fallen soldier (R20).
RESTS = (Rest("rest", "a rest", restores={"health": "max_health"}),)
STATUS = Action(
    "status",
    "Report the status of a character; no dice.",
    status,
    facts={"can_act": "up and actions_left above 0", "psi_value": "psi with collar and amp"},
    group="check",
    rules=("XCM-23", "XCM-24", "XCM-75"),
)
