"""Learning by use: abilities that succeeded before they were learned (ATL-17)."""

from systems.atlantis.attack import multiplier_of
from systems.atlantis.house import House
from systems.atlantis.sheet import Sheet, life_status, trained
from systems.contract.action import Action, Refusal, Scene
from systems.contract.outcome import Ask, Explanation, Outcome, Term, refuse
from systems.contract.table import Table
from systems.schema.fields import NoOptions, declare, text, whole
from systems.text import find_word


@declare
class LearnOptions:
    ability: str | None = text(None, "the ability to learn", when_absent="the first that may be")
    score: int | None = whole(
        0, 100, None, "its first value", when_absent="1 to 5 by a d100, as abilities grow (R39)"
    )


def learn(scene: Scene[Sheet, LearnOptions, House], table: Table) -> Outcome:
    """Add an ability that was used with success to the sheet (ATL-17, R39)."""
    actor, name, score = scene.actor, scene.actor_name, scene.options.score
    ability = scene.options.ability or next(iter(actor.may_learn), None)
    if ability is None:
        return refuse("untried", f"{name} has nothing to learn: no success yet without an ability.")
    if trained(actor, ability) is not None:
        return refuse("learned", f"{name} has learned {ability} already.")
    tried = find_word(ability, actor.may_learn)
    if tried is None:
        return refuse("untried", f"{name} has had no success with {ability} yet.")
    face = table.d(100, f"learning {tried}") if score is None else None
    begins = multiplier_of(face) if face is not None else score or 0
    changes = {
        "abilities": {**actor.abilities, tried: begins},
        "may_learn": tuple(other for other in actor.may_learn if other != tried),
    }

    def tell() -> Explanation:
        how = "the game master's number" if face is None else f"a d100 of {face}"
        terms = (Term(tried, begins, how),)
        return Explanation(f"{scene.who_acts} learns {tried}: {begins}.", terms, (), ("ATL-17", "R39"))

    return Outcome({"ability": tried, "score": begins}, {"actor": changes}, tell)


def encounter_end(scene: Scene[Sheet, NoOptions, House], table: Table) -> Outcome:
    """Offer what may be learned (ATL-17)."""
    ready = () if life_status(scene.actor) == "dead" else scene.actor.may_learn
    asks = tuple(
        Ask(f"{scene.actor_name} may learn {ability}.", "learn", options={"ability": ability})
        for ability in ready
    )
    return Outcome({"may_learn": len(ready)}, asks=asks)


LEARN = Action(
    "learn",
    "Learn an ability that succeeded before it was learned.",
    learn,
    LearnOptions,
    facts={"ability": "the ability learned", "score": "its first value"},
    refusals=(
        Refusal("learned", "the ability is on the sheet"),
        Refusal("untried", "it may not be learned yet"),
    ),
    group="camp",
    rules=("ATL-17", "R39"),
    total="score",
)
ENCOUNTER_END = Action(
    "encounter_end",
    "Offer a character the abilities that it may learn.",
    encounter_end,
    facts={"may_learn": "how many abilities may be learned"},
    group="hook",
    rules=("ATL-17",),
)
