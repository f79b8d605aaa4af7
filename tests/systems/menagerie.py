"""A game whose actions bring combatants, change their form, and send them away."""

from typing import Any

from systems.contract import sheet as contract
from systems.contract.action import Action, Scene
from systems.contract.cast import Became, Brought, SentAway
from systems.contract.condition import Condition
from systems.contract.display import Meter, StatusWord
from systems.contract.outcome import Explanation, GivenCondition, Outcome
from systems.contract.ruleset import AmountAction, Ruleset
from systems.contract.table import Table
from systems.schema.fields import NoOptions, declare, flag, whole
from tests.systems.fight import Entry, Fight

Here = Scene[Any, Any, Any]


@declare
class Sheet(contract.Sheet):
    hp: int = whole(-99, 99, 20)
    max_hp: int = whole(1, 99, 20)
    claws: int = whole(0, 20, 0)
    used: int = whole(0, 9, 0, lasts="turn")
    low: bool = flag(False)


@declare
class Amount:
    amount: int = whole(0, 99)


def _said(scene: Here, verb: str) -> Any:
    return lambda: Explanation(f"{scene.who_acts} {verb}.")


def _cleave(scene: Here, table: Table) -> Outcome:
    """Harm the target; a blow of 5 or more tears off a limb."""
    amount = table.d(10, "cleave")
    brings = (Brought("limb", by="target", changes={"hp": amount}),) if amount >= 5 else ()
    changes = {"target": {"hp": scene.target.hp - amount}}
    return Outcome({"damage": amount}, changes, _said(scene, f"cleaves for {amount}"), brings=brings)


def _split(scene: Here, table: Table) -> Outcome:
    half = scene.actor.hp // 2
    changes = {"actor": {"hp": scene.actor.hp - half}}
    return Outcome({}, changes, _said(scene, "splits"), brings=(Brought(changes={"hp": half}),))


def _call(scene: Here, table: Table) -> Outcome:
    """Bring two beasts for as long as the actor concentrates."""
    gives = (GivenCondition("actor", "focus"),)
    brings = (Brought("bear", count=2, sustained_by="focus"),)
    return Outcome({}, tell=_said(scene, "calls"), gives=gives, brings=brings)


def _shape(scene: Here, table: Table) -> Outcome:
    becomes = (Became("actor", "bear"),)
    return Outcome({}, {"actor": {"used": 1}}, _said(scene, "changes"), becomes=becomes)


def _unshape(scene: Here, table: Table) -> Outcome:
    return Outcome({}, tell=_said(scene, "changes"), becomes=(Became("actor", changes={"claws": 1}),))


def _banish(scene: Here, table: Table) -> Outcome:
    return Outcome({}, tell=_said(scene, "banishes"), sends=(SentAway("target", rounds=2),))


def _leave(scene: Here, table: Table) -> Outcome:
    return Outcome({}, tell=_said(scene, "steps out"), sends=(SentAway("actor"),))


def _hold_away(scene: Here, table: Table) -> Outcome:
    """Send the target away for as long as the actor concentrates."""
    gives = (GivenCondition("actor", "focus"),)
    sends = (SentAway("target", sustained_by="focus"),)
    return Outcome({}, tell=_said(scene, "concentrates"), gives=gives, sends=sends)


def _lose(scene: Here, table: Table) -> Outcome:
    return Outcome({}, {"actor": {"hp": scene.actor.hp - scene.options.amount}}, _said(scene, "is hurt"))


def _gain(scene: Here, table: Table) -> Outcome:
    return Outcome({}, {"actor": {"hp": scene.actor.hp + scene.options.amount}}, _said(scene, "is healed"))


def _action(name: str, run: Any, **how: Any) -> Action:
    return Action(name, "a deed", run, how.pop("options", NoOptions), **how)


MENAGERIE = Ruleset(
    contract=2,
    name="menagerie",
    title="Menagerie",
    credit="nobody",
    sheet=Sheet,
    actions=(
        _action("cleave", _cleave, targets="one", amount="damage", facts={"damage": ""}),
        _action("split", _split),
        _action("call", _call),
        _action("shape", _shape),
        _action("unshape", _unshape),
        _action("banish", _banish, targets="one"),
        _action("leave", _leave),
        _action("hold_away", _hold_away, targets="one"),
        _action("lose", _lose, options=Amount),
        _action("gain", _gain, options=Amount),
    ),
    default_action="cleave",
    status=lambda sheet, house: "up" if sheet.hp > 0 else "dead",
    statuses=(StatusWord("up"), StatusWord("dead", acts=False, in_order=False)),
    meters=(Meter("hp", "hp", "max_hp"),),
    seat_fields=("hp", "max_hp"),
    damage=AmountAction("lose"),
    heal=AmountAction("gain"),
    conditions=(Condition("prone", "lies low", field="low"), Condition("focus", "concentrates", acting=True)),
)


def menagerie(*lines: str) -> Fight:
    """Mira and Okado against a troll."""
    fight = Fight(MENAGERIE, style="manual")
    fight.roster = {
        "mira": Entry("Mira", "players", Sheet()),
        "okado": Entry("Okado", "players", Sheet()),
        "troll": Entry("Troll", "foes", Sheet(hp=40, max_hp=40)),
        "limb": Entry("Troll limb", "foes", Sheet(hp=5, max_hp=5)),
        "bear": Entry("Brown bear", "foes", Sheet(hp=30, max_hp=30, claws=6)),
    }
    for line in ("add mira", "add okado", "add troll", "start", *lines):
        fight.do(line)
    return fight
