"""Counters: spending and refilling them."""

from collections.abc import Collection

from systems.contract.action import Action, Refusal, Scene
from systems.contract.outcome import Explanation, Outcome, refuse
from systems.contract.table import Table
from systems.schema.conversion import change_entry, replace
from systems.schema.fields import declare, text, whole
from systems.schema.naming import Naming
from systems.simple.house import House
from systems.simple.sheet import MOST, Counter, Sheet, counter_named
from systems.text import listed


@declare
class CounterOptions:
    counter: str = text(help="which counter", naming=Naming("counters", free=False, needs="counter"))
    amount: int = whole(1, MOST, 1, "the amount, or points", takes_number=True)


CounterScene = Scene[Sheet, CounterOptions, House]


def spend_changes(sheet: Sheet, counter: Counter, amount: int) -> dict[str, object]:
    """Return the sheet's changes when this amount of a counter is spent."""
    return {"counters": change_entry(sheet.counters, counter, now=max(0, counter.now - amount))}


def refill_changes(sheet: Sheet, when: Collection[str]) -> tuple[dict[str, object], str]:
    """Return the sheet's changes when counters refill at these moments, and which counters in words."""
    low = [counter for counter in sheet.counters if counter.refills in when and counter.now < counter.full]
    if not low:
        return {}, ""
    full = tuple(replace(each, now=each.full) if each in low else each for each in sheet.counters)
    return {"counters": full}, listed(f"{counter.name} {counter.full}" for counter in low)


def spend(scene: CounterScene, table: Table) -> Outcome:
    """Take something off a counter."""
    counter, amount = counter_named(scene.actor, scene.options.counter), scene.options.amount
    if counter.now < amount:
        says = f"{scene.actor_name} has {counter.now or 'no'} {counter.name} left"
        return refuse("counter", f"{says}{f' and needs {amount}' if amount > 1 else ''}.")
    left = counter.now - amount

    def tell() -> Explanation:
        return Explanation(f"{scene.who_acts} spends {amount} {counter.name}, {left} of {counter.full} left.")

    return Outcome({"left": left}, {"actor": spend_changes(scene.actor, counter, amount)}, tell)


def regain(scene: CounterScene, table: Table) -> Outcome:
    """Give something back to a counter, up to its maximum."""
    counter, amount = counter_named(scene.actor, scene.options.counter), scene.options.amount
    left = max(counter.now, min(counter.full, counter.now + amount))
    gained = left - counter.now

    def tell() -> Explanation:
        return Explanation(
            f"{scene.who_acts} regains {gained} {counter.name}, {left} of {counter.full} left."
        )

    changes = {"counters": change_entry(scene.actor.counters, counter, now=left)}
    return Outcome({"left": left}, {"actor": changes}, tell)


SPEND = Action(
    "spend",
    "Spend from a counter, such as mana.",
    spend,
    CounterOptions,
    facts={"left": "the rest of it"},
    refusals=(Refusal("counter", "there is not enough left"),),
    group="turn",
    letter="s",
    unable=True,
)
REGAIN = Action(
    "regain",
    "Refill a counter by an amount.",
    regain,
    CounterOptions,
    facts={"left": "the amount afterwards; never above full"},
    group="turn",
    letter="g",
    unable=True,
)
