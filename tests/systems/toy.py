"""A game that counts how often it is called, for tests of the encounter around it."""

from typing import Any

from systems.contract import sheet as contract
from systems.contract.action import Action, Scene
from systems.contract.condition import Condition, Effect
from systems.contract.display import Meter, StatusWord
from systems.contract.outcome import Ask, Explanation, Outcome, refuse
from systems.contract.ruleset import AmountAction, Initiative, Ruleset
from systems.contract.table import Table
from systems.schema.fields import NoOptions, declare, flag, whole
from tests.systems.fight import Entry, Fight

Here = Scene[Any, Any, Any]
HOOKS = ("round_start", "turn_start", "turn_end", "encounter_end")


@declare
class Sheet(contract.Sheet):
    hp: int = whole(-99, 99, 10)
    round_start: int = whole(0, 999, 0)
    turn_start: int = whole(0, 999, 0)
    turn_end: int = whole(0, 999, 0)
    encounter_end: int = whole(0, 999, 0)
    low: bool = flag(False)


@declare
class Amount:
    amount: int = whole(0, 99)


@declare
class Strike:
    bonus: int = whole(-9, 9, 0)
    far: bool = flag(False)


def _counts(name: str) -> Action:
    def run(scene: Here, table: Table) -> Outcome:
        return Outcome({}, {"actor": {name: getattr(scene.actor, name) + 1}})

    return Action(name, "counted", run, group="hook")


def _harm(scene: Here, table: Table) -> Outcome:
    left = scene.actor.hp - scene.options.amount
    return Outcome({}, {"actor": {"hp": left}}, lambda: Explanation(f"{scene.actor_name}: {left} hp."))


def _heal(scene: Here, table: Table) -> Outcome:
    left = scene.actor.hp + scene.options.amount
    return Outcome({}, {"actor": {"hp": left}}, lambda: Explanation(f"{scene.actor_name}: {left} hp."))


def _strike(scene: Here, table: Table) -> Outcome:
    if scene.options.bonus < -8:
        return refuse("weak", f"{scene.actor_name} is too weak.")
    worth = table.d(6, "strike") + scene.options.bonus
    told = Explanation(f"{scene.actor_name} strikes {scene.target_name}: {worth}.")
    asks = (Ask("Strike again?", "strike", by="target", target="actor", options={"bonus": 3}),)
    return Outcome({"worth": worth}, {"target": {"hp": scene.target.hp - worth}}, lambda: told, asks)


def _again(scene: Here, table: Table) -> Outcome:
    return Outcome({}, tell=lambda: Explanation(f"{scene.actor_name} goes again."), extra_turn="actor")


def _bleed(scene: Here, table: Table) -> Outcome:
    face = table.d(4, "bleeding")
    told = Explanation(f"{scene.actor_name} bleeds {face}.")
    return Outcome({}, {"actor": {"hp": scene.actor.hp - face}}, lambda: told)


TOY = Ruleset(
    contract=2,
    name="toy",
    title="Toy",
    credit="nobody",
    sheet=Sheet,
    actions=(
        Action("strike", "a blow", _strike, Strike, targets="many", success="worth", amount="worth"),
        Action("again", "an extra turn", _again, NoOptions),
        Action("harm", "hp lost", _harm, Amount),
        Action("repair", "hp back", _heal, Amount),
        Action("bleed", "hp lost each turn", _bleed, group="hook"),
        *map(_counts, HOOKS),
    ),
    default_action="strike",
    status=lambda sheet, house: "up" if sheet.hp > 0 else "dead",
    statuses=(StatusWord("up"), StatusWord("dead", acts=False, in_order=False)),
    meters=(Meter("hp", "hp", "hp"),),
    damage=AmountAction("harm"),
    heal=AmountAction("repair"),
    conditions=(
        Condition("bleeding", "a d4 each turn", each_turn="bleed"),
        Condition("sharp", "+2", effects=(Effect("strike", "bonus", amount=2),)),
        Condition(
            "reckless",
            "the value, near",
            effects=(Effect("strike", "bonus", "target", when=lambda actor, options: not options.far),),
        ),
        Condition("prone", "lies low", field="low"),
    ),
    initiative=Initiative(lambda sheet, table: table.d(20, "initiative"), roll_off=6),
)


def toy(*lines: str, style: Any = "manual", game: Ruleset = TOY) -> Fight:
    """A fight of Ada and Bo against orcs."""
    fight = Fight(game, style=style)
    fight.roster = {
        "ada": Entry("Ada", "players", Sheet()),
        "bo": Entry("Bo", "players", Sheet()),
        "orc": Entry("Orc", "foes", Sheet()),
    }
    for line in lines:
        fight.do(line)
    return fight


def counts(fight: Fight, hook: str) -> dict[str, int]:
    """How often that hook was called for each."""
    return {one.id: getattr(one.sheet, hook) for one in fight.encounter}
