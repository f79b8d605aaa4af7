"""Damage, healing, and the status of a sheet."""

from systems.arden.awareness import defence_terms
from systems.arden.house import House
from systems.arden.rolls import in_words
from systems.arden.sheet import Sheet, is_unconscious, sheet_status
from systems.contract.action import Action, Scene
from systems.contract.marked_text import as_change, as_status
from systems.contract.outcome import Explanation, Outcome, Step
from systems.contract.ruleset import Rest
from systems.contract.table import Table
from systems.schema.conversion import replace
from systems.schema.fields import NoOptions, declare, whole
from systems.text import plain_number


@declare
class HealthOptions:
    amount: int = whole(0, 999, help="health points")


Amount = Scene[Sheet, HealthOptions, House]


def harm(scene: Amount, table: Table) -> Outcome:
    """Take health points for any reason; they stop at 0 (R17)."""
    lost = min(scene.options.amount, scene.actor.hp)
    return _moved(scene, -lost, {"damage": lost}, f"takes {lost}")


def heal(scene: Amount, table: Table) -> Outcome:
    """Restore health points, never above the maximum."""
    gained = max(0, min(scene.options.amount, scene.actor.max_hp - scene.actor.hp))
    return _moved(scene, gained, {"healed": gained}, f"is healed by {gained}")


def _moved(scene: Amount, by: int, facts: dict[str, int], did: str) -> Outcome:
    before = scene.actor
    changes: dict[str, object] = {"hp": before.hp + by}

    def tell() -> Explanation:
        after = replace(before, **changes)
        words = f"{scene.actor_name} {did}{as_change('hp', before.hp, after.hp)}"
        if is_unconscious(before) != is_unconscious(after):
            words += f", {as_status('unconscious')}" if is_unconscious(after) else ", conscious again"
        return Explanation(f"{words}.", rules=("R17",))

    return Outcome(facts, {"actor": changes}, tell)


def status(scene: Scene[Sheet, NoOptions, House], table: Table) -> Outcome:
    """Describe the sheet (APD-49 to APD-52, R17)."""
    actor, word = scene.actor, sheet_status(scene.actor)
    terms = defence_terms(actor, "defense", scene.house)
    dc = sum(term.value for term in terms)

    def tell() -> Explanation:
        return Explanation(
            f"{scene.actor_name} is {as_status(word)}.",
            (),
            (Step("DC", plain_number(dc), in_words(terms)),),
            ("APD-49", "APD-51", "APD-52", "R17"),
            arithmetic=(
                f"DC {plain_number(dc)} to strike, hp {actor.hp} of {actor.max_hp}, "
                f"AP {actor.ap} of {actor.capacity}."
            ),
        )

    return Outcome({"can_act": word != "unconscious", "defense_dc": dc}, tell=tell)


HARM = Action(
    "harm",
    "Take health points for any reason.",
    harm,
    HealthOptions,
    facts={"damage": "health points lost"},
    group="health",
    rules=("R17",),
    amount="damage",
)
HEAL = Action(
    "heal",
    "Restore health points.",
    heal,
    HealthOptions,
    facts={"healed": "health points restored, never above max_hp"},
    group="health",
    rules=("R17",),
)
# The text has no healing between encounters; its rest takes a turn.
RESTS = (Rest("rest", "a rest", restores={"hp": "max_hp"}),)
STATUS = Action(
    "status",
    "Report the status of a character; no dice.",
    status,
    facts={"can_act": "not unconscious", "defense_dc": "the DC of striking it now"},
    group="check",
    rules=("APD-49", "APD-51", "APD-52", "R17"),
)
