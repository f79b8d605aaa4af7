"""A game of four actions that satisfies every law, to be broken in one place or another."""

from typing import Any

from systems.contract import sheet as contract
from systems.contract.action import Action, Refusal, Scene
from systems.contract.condition import Condition, Effect
from systems.contract.display import Meter, StatusWord
from systems.contract.outcome import Explanation, Outcome, Term, refuse
from systems.contract.ruleset import AmountAction, Initiative, Ruleset
from systems.contract.table import Table
from systems.errors import Wrong
from systems.frozen import evolve
from systems.schema.fields import declare, flag, text, whole

Here = Scene[Any, Any, Any]


@declare
class Sheet(contract.Sheet):
    hp: int = whole(0, 9, 5, "hit points")
    skill: int = whole(0, 9, 2, "added to the die")
    stones: int = whole(0, 9, 3, "left to throw")
    prone: bool = flag(False, "lies on the ground")


@declare
class ThrowOptions:
    stone: str | None = text(None, "flint or chalk", when_absent="flint")
    modifier: int = whole(-9, 9, 0)


@declare
class Amount:
    amount: int = whole(0, 99)


def throw(scene: Here, table: Table) -> Outcome:
    """Roll a d6 and add the skill; 7 hits for one hit point, two with a six."""
    actor, target, options = scene.actor, scene.target, scene.options
    if options.stone not in (None, "flint", "chalk"):
        raise Wrong("options.stone", f"no stone {options.stone}")
    if not actor.stones:
        return refuse("stones", f"{scene.actor_name} has no stone left.")
    face = table.d(6, "throw")
    terms = (Term("skill", actor.skill), Term("modifier", options.modifier), Term("d6", face))
    total = sum(term.value for term in terms)
    damage = (2 if face == 6 else 1) if total >= 7 else 0
    return Outcome(
        {"total": total, "hit": damage > 0, "damage": damage},
        {"actor": {"stones": actor.stones - 1}, "target": {"hp": target.hp - damage} if damage else {}},
        lambda: Explanation(f"{scene.actor_name} throws: {total}, {damage} damage.", terms),
    )


def _changed_hp(by: int) -> Any:
    def run(scene: Here, table: Table) -> Outcome:
        left = max(0, min(9, scene.actor.hp + by * scene.options.amount))
        return Outcome({}, {"actor": {"hp": left}}, lambda: Explanation(f"{scene.actor_name}: {left} hp."))

    return run


def _status(scene: Here, table: Table) -> Outcome:
    return Outcome({}, tell=lambda: Explanation(f"{scene.actor_name} has {scene.actor.hp} hp."))


SMALL = Ruleset(
    contract=2,
    name="small",
    title="Small",
    credit="nobody",
    sheet=Sheet,
    actions=(
        Action(
            "throw",
            "Throw a stone.",
            throw,
            ThrowOptions,
            targets="one",
            facts={"total": "die and skill", "hit": "7 or more", "damage": "hit points"},
            refusals=(Refusal("stones", "none left"),),
            success="hit",
            amount="damage",
        ),
        Action("harm", "Hit points lost.", _changed_hp(-1), Amount, group="health"),
        Action("heal", "Hit points back.", _changed_hp(1), Amount, group="health"),
        Action("status", "As it is.", _status, group="check"),
    ),
    default_action="throw",
    status=lambda sheet, house: "up" if sheet.hp else "down",
    statuses=(StatusWord("up"), StatusWord("down", acts=False)),
    meters=(Meter("hp", "hp", "hp"),),
    damage=AmountAction("harm"),
    heal=AmountAction("heal"),
    conditions=(
        Condition("dizzy", "throws at -2", effects=(Effect("throw", "modifier", amount=-2),)),
        Condition("prone", "lies on the ground", field="prone"),
    ),
    order=lambda house: "initiative",
    initiative=Initiative(lambda sheet, table: table.d(6, "initiative") + sheet.skill),
)


def small(**parts: Any) -> Ruleset:
    """Return the game with some parts changed."""
    return evolve(SMALL, **parts)


def with_throw(run: Any, **parts: Any) -> Ruleset:
    """Return the game with another function for its throw."""
    return small(
        actions=tuple(
            evolve(action, run=run, **parts) if action.name == "throw" else action for action in SMALL.actions
        )
    )
