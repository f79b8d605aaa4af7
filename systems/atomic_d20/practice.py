"""Resolve the day's hour of practice, and begin a new day."""

from systems.atomic_d20.house import House
from systems.atomic_d20.sheet import Sheet
from systems.contract.action import Action, Refusal, Scene
from systems.contract.outcome import Explanation, Outcome, refuse
from systems.contract.table import Table
from systems.schema.fields import NoOptions, declare, listing
from systems.schema.types import Text
from systems.text import listed


@declare
class PracticeOptions:
    maneuvers: tuple[str, ...] = listing(
        Text(), (), "the manoeuvres that are practised, by name", label="manoeuvres"
    )


def practice(scene: Scene[Sheet, PracticeOptions, House], table: Table) -> Outcome:
    """Replace the practised manoeuvres by the named ones (ATO-14, ATO-15, R5)."""
    name, names, most = scene.actor_name, scene.options.maneuvers, scene.house.practice_limit
    if scene.actor.practiced_today:
        return refuse("once_per_day", f"{name} has practised today already.")
    if len(names) > most:
        return refuse("limit", f"{name} may practise at most {most} manoeuvres a day, not {len(names)}.")

    def tell() -> Explanation:
        return Explanation(
            f"{scene.who_acts} practises {listed(names) or 'nothing'}.", rules=("ATO-14", "ATO-15")
        )

    changes = {"practiced": names, "practiced_today": True}
    return Outcome({"practiced": len(names)}, {"actor": changes}, tell)


def new_day(scene: Scene[Sheet, NoOptions, House], table: Table) -> Outcome:
    """Allow practice and the healing of a minor wound again (ATO-14, ATO-45)."""
    explanation = Explanation(f"A new day for {scene.actor_name}.", rules=("ATO-14", "ATO-45"))
    return Outcome({}, {"actor": {"practiced_today": False, "healed_today": False}}, lambda: explanation)


PRACTICE = Action(
    "practice",
    "Spend the day's hour of practice.",
    practice,
    PracticeOptions,
    facts={"practiced": "the number of manoeuvres"},
    refusals=(
        Refusal("once_per_day", "the actor has practised today"),
        Refusal("limit", "more than practice_limit"),
    ),
    group="camp",
    rules=("ATO-14", "ATO-15"),
    letter="p",
)
NEW_DAY = Action(
    "new_day",
    "Begin a new day, which allows practice and natural healing again.",
    new_day,
    group="camp",
    rules=("ATO-14", "ATO-45"),
)
