"""Death outside combat, the return from it, and the next character after a permanent death."""

from systems.contract.action import Action, Refusal, Scene
from systems.contract.marked_text import as_status, possessive
from systems.contract.outcome import Ask, Explanation, Outcome, Term, refuse
from systems.contract.table import Table
from systems.schema.conversion import change_entry, replace
from systems.schema.fields import NoOptions, combatant, declare, whole
from systems.text import listed
from systems.waygate.health import hp_steps
from systems.waygate.house import House
from systems.waygate.marks import back_from_death
from systems.waygate.sheet import (
    ATTRIBUTE_WORDS,
    ATTRIBUTES,
    Sheet,
    Skill,
    attribute_of,
    is_dying,
    life_status,
    skill_of,
)

UNTRAINED = -2


def hour_passes(scene: Scene[Sheet, NoOptions, House], table: Table) -> Outcome:
    """Let an hour pass outside combat, which kills below 0; exactly 0 is stable (WAY-45, R21, R24)."""
    actor, house = scene.actor, scene.house
    died = is_dying(actor, house)
    changes = {"rounds_below_zero": house.dying_rounds} if actor.hp < 0 else {}

    def tell() -> Explanation:
        end = f"still below 0, {as_status('dead')}" if died else "nothing changes"
        return Explanation(f"More than an hour passes for {scene.actor_name}: {end}.", rules=("WAY-45",))

    asks = back_from_death(actor, changes, house, scene.actor_name, "actor")
    return Outcome({"died": died}, {"actor": changes}, tell, asks)


def new_character_level(scene: Scene[Sheet, NoOptions, House], table: Table) -> Outcome:
    """Return the level of a new character after a permanent death: one lower, at least 1 (WAY-48)."""
    level = scene.actor.level
    new = max(1, level - 1)

    def tell() -> Explanation:
        lower = Term("one lower", new - level, "" if new < level else "never under 1")
        text = f"A new character after {scene.actor_name} begins at level {new}."
        return Explanation(text, (Term("level", level), lower), rules=("WAY-48",))

    return Outcome({"level": new}, tell=tell)


@declare
class ReturnOptions:
    hp: int = whole(1, 999, 1, "hit points after the return; the book gives no number (R36)")
    mark_of: str | None = combatant(
        None, "the combatant that spends its Aether Mark", when_absent="its own", one_off=True
    )


Returning = Scene[Sheet, ReturnOptions, House]


def bring_back(scene: Returning, table: Table) -> Outcome:
    """Bring back the dead with an Aether Mark, once and at a price (WAY-53, WAY-N9, R36)."""
    actor, name = scene.actor, scene.actor_name
    giver = scene.others.get("mark_of")
    held = giver.sheet.aether_marks if giver else actor.aether_marks
    if refused := _stays_dead(scene, held, giver.name if giver else name):
        return refused
    weaker = _two_attributes(table)
    skills, suffer = _two_skills(scene, table)
    known = {skill.name for skill in skills}
    changes: dict[str, object] = {
        "hp": min(scene.options.hp, actor.max_hp),
        "rounds_below_zero": 0,
        "brought_back": True,
        "skills": skills,
        **{attribute: attribute_of(actor, attribute) - 1 for attribute in weaker},
    }
    spent: dict[str, object] = {"aether_marks": held - 1}
    after = replace(actor, **changes)

    def tell() -> Explanation:
        lost = [f"{ATTRIBUTE_WORDS[attribute]} −1" for attribute in weaker]
        lost += [f"{skill} a step lower" if skill in known else f"{skill} lost" for skill in suffer]
        whose = f"{possessive(giver.name)} Aether Mark" if giver else "the Aether Mark"
        text = f"{whose[0].upper()}{whose[1:]} brings {name} back at {after.hp} hp: {listed(lost)}."
        return Explanation(text, (), hp_steps(actor, after, scene.house), ("WAY-53", "WAY-N9"))

    return Outcome(
        {"attributes": weaker, "skills": suffer},
        {"actor": changes, "mark_of": spent} if giver else {"actor": {**changes, **spent}},
        tell,
        (Ask(f"{name} makes one more Fate roll.", by="actor"),),
    )


def _stays_dead(scene: Returning, held: int, whose: str) -> Outcome | None:
    if life_status(scene.actor, scene.house) != "dead":
        return refuse("status", f"{scene.actor_name} is not dead.")
    if scene.actor.brought_back:
        return refuse(
            "again", f"{scene.actor_name} has been brought back by a mark before, which works only once."
        )
    return None if held else refuse("mark", f"{whose} has no Aether Mark to spend.")


def _two_attributes(table: Table) -> tuple[str, ...]:
    """Return two random attributes: a d7 picks the first, a d6 the second among the rest."""
    left, lowered = list(ATTRIBUTES), list[str]()
    for _ in range(2):
        named = " ".join(f"{at} {ATTRIBUTE_WORDS[attribute]}" for at, attribute in enumerate(left, 1))
        lowered.append(left.pop(table.d(len(left), f"attribute to lower: {named}") - 1))
    return tuple(lowered)


def _two_skills(scene: Returning, table: Table) -> tuple[tuple[Skill, ...], tuple[str, ...]]:
    """Return the skills left, and the names of up to two that are lowered, or lost if untrained."""
    skills, suffer = scene.actor.skills, list[str]()
    for still in (2, 1):
        names = [skill.name for skill in skills if skill.name not in suffer]
        if not names:
            break
        name = names[0]
        if len(names) > still:
            name = table.choose(
                f"Which skill of {scene.actor_name} is lowered?", names, suggest=name, id="skill"
            )
        suffer.append(name)
        skill = skill_of(scene.actor, name)
        if skill.training <= UNTRAINED:
            skills = tuple(other for other in skills if other is not skill)
        else:
            skills = change_entry(skills, skill, training=skill.training - 1)
    return skills, tuple(suffer)


BRING_BACK = Action(
    "bring_back",
    "Bring back the dead with an Aether Mark, once and at a price.",
    bring_back,
    ReturnOptions,
    facts={
        "attributes": "two at random, each 1 lower",
        "skills": "up to two chosen ones, each a step lower, or lost if untrained",
    },
    refusals=(
        Refusal("status", "the actor is not dead"),
        Refusal("again", "it has been brought back before"),
        Refusal("mark", "there is no mark to spend"),
    ),
    group="health",
    rules=("WAY-47", "WAY-53", "WAY-N9"),
    title="return from death",
)
HOUR_PASSES = Action(
    "hour_passes",
    "Let more than an hour pass outside combat.",
    hour_passes,
    facts={"died": "it was below 0 and not dead yet"},
    group="camp",
    rules=("WAY-45",),
    title="wait of an hour",
)
NEW_CHARACTER_LEVEL = Action(
    "new_character_level",
    "Calculate the level of a new character after a permanent death.",
    new_character_level,
    facts={"level": "one lower than the actor's, at least 1; the sheet does not change"},
    group="camp",
    rules=("WAY-48",),
    total="level",
    title="new character's level",
)
