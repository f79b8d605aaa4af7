"""A game with pack tactics: a bite is easier if an ally of the actor is near the target."""

from typing import Any

from systems.contract import sheet as contract
from systems.contract.action import Action, Scene
from systems.contract.display import Meter, StatusWord
from systems.contract.marked_text import as_change
from systems.contract.outcome import Ask, Explanation, GivenCondition, Outcome, Term, owned
from systems.contract.reaction import TURN_END, Reaction
from systems.contract.ruleset import AmountAction, Ruleset
from systems.contract.table import Table
from systems.schema.fields import NoOptions, combatant, declare, whole
from tests.systems.fight import Entry, Fight

Here = Scene[Any, Any, Any]


@declare
class Sheet(contract.Sheet):
    hp: int = whole(-99, 99, 10)


@declare
class Amount:
    amount: int = whole(0, 99)


@declare
class Wail:
    helper: str | None = combatant(None, "who wails too")


def helper_of(scene: Here) -> str:
    """Return the name of an ally of the actor that can act and is near the target, or ""."""
    if scene.fight is None:
        return ""
    ally = scene.fight.ally_near(scene.actor_id, scene.target_id)
    return ally.name if ally else ""


def _bite(scene: Here, table: Table) -> Outcome:
    helper = helper_of(scene)
    face = table.d(20, "bite")
    total, amount = face + (5 if helper else 0), 4
    hit = total >= 12
    left = scene.target.hp - amount if hit else scene.target.hp
    with_help = f" with {helper}" if helper else ""

    def tell() -> Explanation:
        helped = (Term(f"pack tactics, {helper}", 5),) if helper else ()
        terms = owned("actor", Term("d20", face), *helped)
        change = as_change("hp", scene.target.hp, left)
        text = f"{scene.who_acts} bites {scene.target_name}{with_help}: {'hit' if hit else 'miss'}{change}."
        return Explanation(text, terms, arithmetic=f"{total} against 12{with_help}.")

    facts = {"hit": hit, "damage": amount if hit else 0, "total": total}
    return Outcome(facts, {"target": {"hp": left}} if hit else {}, tell, degree="hit" if hit else "miss")


def _wail(scene: Here, table: Table) -> Outcome:
    """Harm a target, and deafen it; a helper, if there is one, takes 1 as well."""
    left = scene.target.hp - 5
    helper = scene.others.get("helper")
    changes: dict[str, dict[str, object]] = {"target": {"hp": left}}
    if helper is not None:
        changes["helper"] = {"hp": helper.sheet.hp - 1}
    with_help = f" with {helper.name}" if helper else ""
    change = as_change("hp", scene.target.hp, left)
    text = f"{scene.who_acts} wails at {scene.target_name}{with_help}{change}."
    return Outcome({}, changes, lambda: Explanation(text), gives=(GivenCondition("target", "deaf"),))


def _run(scene: Here, table: Table) -> Outcome:
    return Outcome({}, tell=lambda: Explanation(f"{scene.who_acts} runs."), moves=("actor",))


def _lose(scene: Here, table: Table) -> Outcome:
    left = scene.actor.hp - scene.options.amount
    return Outcome({}, {"actor": {"hp": left}}, lambda: Explanation(f"{scene.actor_name} has {left} hp."))


def _gain(scene: Here, table: Table) -> Outcome:
    left = scene.actor.hp + scene.options.amount
    return Outcome({}, {"actor": {"hp": left}}, lambda: Explanation(f"{scene.actor_name} has {left} hp."))


def _howls(scene: Here) -> tuple[Ask, ...]:
    """Offer a howl to a combatant that has an ally near the one whose turn has ended."""
    helper = helper_of(scene)
    return (Ask(f"{scene.actor_name} may bite next to {helper}.", "bite", target="target"),) if helper else ()


PACK = Ruleset(
    contract=2,
    name="pack",
    title="Pack",
    credit="nobody",
    sheet=Sheet,
    actions=(
        Action(
            "bite",
            "a bite",
            _bite,
            NoOptions,
            targets="many",
            success="hit",
            amount="damage",
            facts={"hit": "", "damage": "", "total": ""},
        ),
        Action("run", "a move", _run, NoOptions),
        Action("wail", "an aura", _wail, Wail, targets="one", group="turn", itself=True),
        Action("lose", "hp lost", _lose, Amount),
        Action("gain", "hp back", _gain, Amount),
    ),
    default_action="bite",
    status=lambda sheet, house: "up" if sheet.hp > 0 else "dead",
    statuses=(StatusWord("up"), StatusWord("dead", acts=False, in_order=False)),
    meters=(Meter("hp", "hp", "hp"),),
    seat_fields=("hp",),
    damage=AmountAction("lose"),
    heal=AmountAction("gain"),
    reactions=(Reaction("howl", "at the end of a turn", TURN_END, _howls),),
)


def pack(*lines: str) -> Fight:
    """Ada and Bo against wolves."""
    fight = Fight(PACK, style="manual")
    fight.roster = {
        "ada": Entry("Ada", "players", Sheet()),
        "bo": Entry("Bo", "players", Sheet()),
        "wolf": Entry("Wolf", "foes", Sheet()),
    }
    for line in lines:
        fight.do(line)
    return fight


def place(fight: Fight, one: str, *others: str) -> None:
    """Say that combatants are near the first, without an event."""
    for other in others:
        for who, neighbour in ((one, other), (other, one)):
            combatant = fight.encounter.combatants[who]
            near = tuple(sorted({*combatant.state.near, neighbour}))
            fight.encounter = fight.encounter.with_combatants(combatant.with_state(near=near))
