"""The declared defence, and the start of a round. Atlantis rolls no initiative (R29)."""

from systems.atlantis.checks import die_term, hurt_term, luck, total_of
from systems.atlantis.health import life_after
from systems.atlantis.house import House
from systems.atlantis.sheet import Sheet, has_acted, life_status
from systems.contract.action import Action, Refusal, Scene
from systems.contract.marked_text import as_change, as_status
from systems.contract.outcome import Explanation, GivenCondition, Outcome, Step, Term, owned, refuse
from systems.contract.table import Table
from systems.schema.conversion import replace
from systems.schema.fields import NoOptions
from systems.text import plain_number

_NEEDED = 25
_BLEEDS = 10


def round_start(scene: Scene[Sheet, NoOptions, House], table: Table) -> Outcome:
    """Reset the counters; the unconscious make a Body check or lose 10 life (ATL-45, R24, R27, R28)."""
    actor, house = scene.actor, scene.house
    fresh = {"passive_used": 0, "attacks_made": 0, "action_spent": False}
    rolls = life_status(actor) == "unconscious" and (actor.is_pc or house.npc_bleeding == "roll")
    if not rolls:
        return Outcome({"rolled": False}, {"actor": fresh})
    terms = _terms(actor, house)
    value = luck(table, "body, unconscious", "actor")
    total = total_of(terms) + value
    passed = total >= _NEEDED if house.tie_passes else total > _NEEDED
    life = actor.life if passed else life_after(actor, _BLEEDS)

    def tell() -> Explanation:
        ended = "holds on" if passed else f"loses {_BLEEDS}{as_change('life', actor.life, life)}"
        if life_status(replace(actor, life=life)) == "dead":
            ended += f", {as_status('dead')}"
        return Explanation(
            f"{scene.actor_name} lies unconscious and {ended}.",
            owned("actor", *terms, die_term(value)),
            (Step("needed", str(_NEEDED)),),
            ("ATL-45",),
            arithmetic=f"{plain_number(total)} against {_NEEDED}.",
        )

    facts = {"rolled": True, "total": total, "passed": passed}
    return Outcome(facts, {"actor": {**fresh, "life": life}}, tell)


def _terms(sheet: Sheet, house: House) -> tuple[Term, ...]:
    """Return the terms added to the die: Body, and wounds if the house rules say so (R24)."""
    unhurt = Term("hurt", 0, "does not count in this check")
    body = Term("body", sheet.traits.get("body", 0))
    return (body, hurt_term(sheet) if house.wound_on_bleeding else unhurt)


def defend(scene: Scene[Sheet, NoOptions, House], table: Table) -> Outcome:
    """Keep the turn's action for an attack until the next turn begins (ATL-20, R13, R37)."""
    actor, name = scene.actor, scene.actor_name
    if life_status(actor) != "conscious":
        return refuse("status", f"{name} is {life_status(actor)} and cannot defend.")
    if has_acted(actor):
        return refuse("action", f"{name} has acted this round and cannot defend as well.")

    def tell() -> Explanation:
        return Explanation(f"{scene.who_acts} defends: the next attack meets a roll.", rules=DEFEND.rules)

    return Outcome(
        {"defending": True},
        {"actor": {"action_spent": True, "defending": True}},
        tell,
        gives=(GivenCondition("actor", "defending", until="start"),),
    )


DEFEND = Action(
    "defend",
    "Defend: spend the turn's action on an active defence against the next attack.",
    defend,
    facts={"defending": "the next attack meets an active defence"},
    refusals=(
        Refusal("status", "the actor is not conscious"),
        Refusal("action", "the actor has attacked this round, or spent the action"),
    ),
    group="combat",
    rules=("ATL-19", "ATL-20", "R13", "R37"),
    letter="p",
)
ROUND_START = Action(
    "round_start",
    "Begin a round for one character.",
    round_start,
    facts={
        "rolled": "a Body check was made (ATL-45)",
        "total": "only when rolled",
        "passed": "only when rolled",
    },
    group="hook",
    rules=("ATL-20", "ATL-24", "ATL-25", "ATL-45"),
)
