"""Calculate a character's bonus under one of the book's variants of progression."""

from systems.atomic_d20.house import House
from systems.atomic_d20.sheet import Sheet
from systems.contract.action import Action, Refusal, Scene
from systems.contract.outcome import Explanation, Outcome, refuse
from systems.contract.table import Table
from systems.schema.fields import choice, declare
from systems.text import signed

LEVELS = ("none", "apprentice", "journeyman", "master")
RELATIONS = ("hc_expertise", "hc", "aspect_in", "aspect_out", "untrained")
_RELATION_WORDS = {
    "hc_expertise": "expertise within the high concept",
    "hc": "the high concept",
    "aspect_in": "an aspect within the high concept",
    "aspect_out": "an aspect outside the high concept",
    "untrained": "nothing trained",
}
# Bonus for each level under variants 2 to 4 (R24).
_FULL = 3
# Bonus for each level by the field of the roll; other fields get none (ATO-61 to ATO-63, R26).
_PER_LEVEL = {
    "1": {"hc": 2, "aspect_in": 1, "aspect_out": 1},
    "2": {"hc": _FULL, "aspect_in": _FULL},
    "3": {"hc": _FULL, "aspect_in": _FULL, "aspect_out": _FULL},
}
# Percentage of the full bonus for each level (ATO-64, R25).
_PERCENT = {"aspect_in": 150, "hc": 100, "aspect_out": 50}

_RULES = {
    "character_1": "ATO-59",
    "1": "ATO-61",
    "2": "ATO-62",
    "3": "ATO-63",
    "4": "ATO-64",
    "5": "ATO-65",
}


@declare
class ProgressionOptions:
    level: str = choice(LEVELS, help="0, 1, 2 or 3 boons (ATO-53)")
    relation: str = choice(
        RELATIONS, help="the field of the roll; hc expertise counts as hc except in character 1"
    )


def progression_bonus(variant: str, level: str, relation: str) -> int:
    """Return the bonus under `character_1` or progression `1` to `5` (ATO-59, ATO-61 to ATO-65)."""
    if variant == "character_1":
        return {"hc_expertise": 2, "hc": 1}.get(relation, 0)
    within = "hc" if relation == "hc_expertise" else relation
    rank = LEVELS.index(level)
    if variant == "4":
        return _FULL * rank * _PERCENT.get(within, 0) // 100
    return rank * _PER_LEVEL.get(variant, {}).get(within, 0)


def progression(scene: Scene[Sheet, ProgressionOptions, House], table: Table) -> Outcome:
    """Report the bonus of the chosen variant; no dice."""
    variant, options = scene.house.progression, scene.options
    if variant == "sheet":
        return refuse("house_rule", "This table uses no progression: the bonuses are on the sheet.")
    value = progression_bonus(variant, options.level, options.relation)

    def tell() -> Explanation:
        under = _RELATION_WORDS[options.relation]
        words = f"{scene.who_acts} adds {signed(value)}: {options.level}, {under}."
        return Explanation(words, rules=(_RULES[variant],))

    return Outcome({"bonus": value}, tell=tell)


PROGRESSION = Action(
    "progression",
    "Report the bonus of a progression variant (house rule progression).",
    progression,
    ProgressionOptions,
    facts={"bonus": "the bonus of the variant"},
    refusals=(Refusal("house_rule", "progression is sheet"),),
    group="camp",
    rules=("ATO-53", "ATO-59", "ATO-61", "ATO-62", "ATO-63", "ATO-64", "ATO-65"),
)
