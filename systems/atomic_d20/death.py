"""Resolve the last breaths of a dying character."""

from systems.atomic_d20.checks import SMALL
from systems.atomic_d20.house import House
from systems.atomic_d20.sheet import DEATH_CHOICES, Sheet
from systems.contract.action import Action, Refusal, Scene
from systems.contract.marked_text import as_status
from systems.contract.outcome import Explanation, GivenCondition, Outcome, refuse
from systems.contract.table import Table
from systems.frozen import frozen
from systems.schema.fields import choice, declare

BOON_MINUTES = 10
_WAKES = 19
_HOLDS_ON = 10


@declare
class DeathChoiceOptions:
    choice: str = choice(
        DEATH_CHOICES,
        help="a boon for the allies, a boon and an extra turn, or a d20 every turn (ATO-48 to ATO-50)",
    )


Dying = Scene[Sheet, DeathChoiceOptions, House]


@frozen(eq=False)
class Recovery:
    """One roll for a miraculous recovery: the face, the new status, and the changes."""

    face: int
    status: str
    changes: dict[str, object]

    @property
    def words(self) -> str:
        """Return how it ends: `holds on`, `is conscious again` or `dies`."""
        if self.status == "dying":
            return "holds on"
        if self.status == "conscious":
            return f"is {as_status(self.status)} again"
        return as_status(self.status, "dies")


def recover(sheet: Sheet, house: House, table: Table) -> Recovery:
    """Roll a d20: 19 and 20 conscious, 10 to 18 another turn, 1 to 9 dead (ATO-50, R18)."""
    face = table.d(20, "miraculous recovery", "actor")
    if face >= _WAKES:
        hearts = max(sheet.hearts, house.recovery_hearts)
        woken: dict[str, object] = {"status": "conscious", "death_choice": "none", "hearts": hearts}
        return Recovery(face, "conscious", woken)
    status = "dying" if face >= _HOLDS_ON else "dead"
    return Recovery(face, status, {"status": status, "death_choice": "miraculous"})


def death_choice(scene: Dying, table: Table) -> Outcome:
    """Choose how a dying character spends its last breaths, only once (ATO-47)."""
    actor, name = scene.actor, scene.actor_name
    if actor.status != "dying":
        return refuse("status", f"{name} is {actor.status}; only the dying have last breaths to spend.")
    if actor.death_choice != "none":
        return refuse("chosen", f"{name} has chosen already: {actor.death_choice.replace('_', ' ')}.")
    match scene.options.choice:
        case "last_words":
            return _last_words(scene)
        case "adrenaline":
            return _adrenaline(scene)
    return _miraculous(scene, table)


def _last_words(scene: Dying) -> Outcome:
    """Give each ally in earshot a small boon, then die (ATO-48, R4, R19)."""
    text = (
        f"{scene.who_acts} speaks last words and {as_status('dead', 'dies')}. "
        f"Allies in earshot have a boon of {SMALL} for {BOON_MINUTES} minutes."
    )
    return Outcome(
        {"ally_boon": SMALL, "boon_minutes": BOON_MINUTES},
        {"actor": {"status": "dead", "death_choice": "last_words"}},
        lambda: Explanation(text, rules=("ATO-47", "ATO-48")),
        gives=(GivenCondition("allies", "boon", SMALL),),
    )


def _adrenaline(scene: Dying) -> Outcome:
    """Give a small boon and an extra turn at once, with death at its end (ATO-49, R4)."""
    boon = f"a boon of {SMALL} and an extra turn now"
    text = f"{scene.who_acts} runs on {as_status('adrenaline')}: {boon}, death at its end."
    return Outcome(
        {"own_boon": SMALL, "extra_turn": True},
        {"actor": {"status": "adrenaline", "death_choice": "adrenaline"}},
        lambda: Explanation(text, rules=("ATO-47", "ATO-49")),
        gives=(GivenCondition("actor", "boon", SMALL),),
        extra_turn="actor",
    )


def _miraculous(scene: Dying, table: Table) -> Outcome:
    """Roll for a miraculous recovery; the first roll is at once (ATO-50, R17)."""
    rolled = recover(scene.actor, scene.house, table)

    def tell() -> Explanation:
        text = f"{scene.who_acts} fights for a miraculous recovery and {rolled.words}."
        return Explanation(text, rules=("ATO-47", "ATO-50"), arithmetic=f"{rolled.face} rolled.")

    facts = {"face": rolled.face, "can_act": rolled.status == "conscious"}
    return Outcome(facts, {"actor": rolled.changes}, tell, degree=rolled.status)


DEATH_CHOICE = Action(
    "death_choice",
    "Choose how to spend the last breaths.",
    death_choice,
    DeathChoiceOptions,
    facts={
        "ally_boon": "1, only with last_words",
        "boon_minutes": "10, only with last_words",
        "own_boon": "1, only with adrenaline",
        "extra_turn": "true, only with adrenaline",
        "face": "the d20, only with miraculous",
        "can_act": "face 19 or 20, only with miraculous",
    },
    refusals=(
        Refusal("status", "the actor is not dying"),
        Refusal("chosen", "death_choice is not none"),
    ),
    group="turn",
    rules=("ATO-47", "ATO-48", "ATO-49", "ATO-50"),
    title="choice in death",
    letter="l",
    unable=True,
)
