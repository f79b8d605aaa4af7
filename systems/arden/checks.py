"""Checks against a DC, fixed or set by another's ability (APD-21 to APD-24)."""

from functools import lru_cache

from systems.arden.awareness import opposed_terms
from systems.arden.house import House
from systems.arden.rolls import (
    DEFENCE_MODIFIER,
    MODIFIER,
    NO_ENCOUNTER,
    PROFICIENCY,
    SPECIALTY,
    SPLIT_MINOR,
    Core,
    all_terms,
    core,
    core_roll,
    core_steps,
    numbers,
    score_terms,
)
from systems.arden.sheet import ABILITIES, Sheet
from systems.arden.turns import TO_ACT, refused_action, spend, spent_rules, spent_words
from systems.contract.action import Action, Scene
from systems.contract.marked_text import possessive
from systems.contract.outcome import Explanation, Outcome, Term, optional_term, refuse
from systems.contract.table import Table
from systems.errors import Wrong
from systems.schema.conversion import replace
from systems.schema.fields import declare, flag, text, whole
from systems.schema.naming import Naming


@declare
class CheckOptions:
    ability: str = text(help="the ability rolled", naming=Naming("abilities", also=ABILITIES, free=False))
    dc: int | None = whole(
        -99, 199, None, "the number that the score must beat (APD-22); overrides defence", takes_number=True
    )
    defence: str | None = text(
        None,
        "opposed: DC 10 and this ability of the target, whatever its awareness (APD-24)",
        naming=Naming("abilities", of="target", also=ABILITIES, free=False),
    )
    defence_modifier: int = DEFENCE_MODIFIER
    effect_modifier: int = whole(-99, 99, 0, "equipment, added to the effectiveness (APD-19)")
    modifier: int = MODIFIER
    proficiency: int = PROFICIENCY
    specialty: int = SPECIALTY
    split_minor: bool = SPLIT_MINOR
    encounter: bool = flag(True, NO_ENCOUNTER, out_of_turn=False)


Check = Scene[Sheet, CheckOptions, House]


@lru_cache(maxsize=8)
def _core_of_check(scene: Check) -> Core:
    """Return the sums of a check; neither armour nor awareness counts (R32). Raises Wrong without a DC."""
    options = scene.options
    if options.dc is not None:
        against: tuple[Term, ...] = (Term("given", options.dc),)
    elif options.defence is not None:
        opposed = opposed_terms(scene.target, options.defence)
        against = (*opposed, *scene.option_terms("defence_modifier", "modifier"))
    else:
        raise Wrong("options.dc", "is needed: give a DC, or with defence the target's ability that opposes")
    gear = optional_term("equipment", options.effect_modifier)
    adds = score_terms(scene, options.ability)
    return core(adds, against, gear, split=options.split_minor, house=scene.house)


def check(scene: Check, table: Table) -> Outcome:
    """Check against a DC, or against an ability of the target (APD-21 to APD-24, R30, R32)."""
    rolling = _core_of_check(scene)
    actor, options, house = scene.actor, scene.options, scene.house
    if refused := refused_action(actor, scene.actor_name, encounter=options.encounter):
        if refused.refused == "turn_over":
            outside = "for a check outside the turn, set encounter to no"
            return refuse("turn_over", f"{possessive(scene.actor_name)} turn is over; {outside}.")
        return refused
    rolled = core_roll(rolling, table, options.ability)
    degree = rolled.degree
    changes: dict[str, object] = {}
    if options.encounter:
        changes = {"acted": True, **spend(actor, 1, house, missed=degree.missed)}

    def tell() -> Explanation:
        verb = "passes" if degree.hit else "fails" if degree.missed else "matches the DC of"
        opponent = f" against {scene.target_name}" if options.dc is None else ""
        after = replace(actor, **changes)
        did = f"{scene.who_acts} {verb} the {options.ability} check{opponent}"
        words = f"{did}.{spent_words(actor, after)}"
        against = "APD-22" if options.dc is not None else "APD-24"
        rules = ("APD-02", "APD-08", against, *spent_rules(actor, after))
        return Explanation(
            words,
            all_terms(rolling, rolled),
            core_steps(rolling, rolled),
            rules,
            arithmetic=f"{numbers(rolling, rolled)}.",
        )

    facts = {
        "score": rolled.score,
        "dc": rolling.dc,
        "effectiveness": rolled.effectiveness,
        "result": degree.result,
        "passed": degree.hit,
        "damage": 0,
        "counter": False,
    }
    return Outcome(facts, {"actor": changes}, tell, degree=degree.result)


CHECK = Action(
    "check",
    "Check an ability against a DC, or against an ability of the target: 1 action point in an encounter.",
    check,
    CheckOptions,
    targets="optional",
    facts={
        "score": "die + ability + modifier + proficiency + specialty, less 2 with split_minor",
        "dc": "the number that the score is compared with",
        "effectiveness": "die + effect_modifier (the die less 2 with split_minor, see split_scope)",
        "result": "hit, critical_hit, perfect_hit, match, miss or critical_miss",
        "passed": "the result is one of the three hits",
        "damage": "0",
        "counter": "false: nobody strikes back at a check (R30)",
    },
    refusals=TO_ACT,
    group="check",
    rules=("APD-21", "APD-22", "APD-24", "APD-31"),
    success="passed",
    against="dc",
    total="score",
    letter="t",
    verb="make a check",
)
