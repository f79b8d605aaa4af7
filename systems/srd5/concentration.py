"""The save that keeps up concentration after damage."""

from systems.contract.action import Action, Refusal, Scene
from systems.contract.outcome import Explanation, Outcome, Step, refuse
from systems.contract.table import Table
from systems.frozen import evolve
from systems.schema.fields import declare, flag, whole
from systems.srd5.body import body_of, concentrates, concentration_dc, ends_with
from systems.srd5.house import House
from systems.srd5.rolls import RollOptions, with_dice
from systems.srd5.saves import Save, throw_save, told_save
from systems.srd5.sheet import NO_CONCENTRATION, Sheet
from systems.srd5.words import help_with


@declare
class ConcentrationOptions(RollOptions):
    damage: int = whole(0, 999, help="hit points of damage taken at once")
    fail: bool = flag(False, "it lets go", one_off=True)


def concentration(scene: Scene[Sheet, ConcentrationOptions, House], table: Table) -> Outcome:
    """Keep up concentration after damage, or lose it (SRD-79)."""
    options, before, name = scene.options, body_of(scene.actor), scene.actor_name
    if not concentrates(before):
        return refuse("concentration", f"{name} concentrates on nothing.")
    dc = concentration_dc(options.damage)
    changed = [help_with(scene, "actor", word) for word in ("saves", "concentration")]
    dice = [die for each in changed for die in each.dice]
    save = Save(
        "constitution",
        dc,
        options.advantage + sum(each.advantages for each in changed),
        options.disadvantage + sum(each.disadvantages for each in changed),
        (*(term for each in changed for term in each.terms), *scene.option_terms("modifier")),
        fail=options.fail,
        bonus_dice=with_dice(options.bonus_dice, dice, taken=False),
        penalty_dice=with_dice(options.penalty_dice, dice, taken=True),
        of="actor",
    )
    saved = throw_save(table, before, save, scene.house)
    after = before if saved.passed else evolve(before, concentrating=NO_CONCENTRATION)

    def tell() -> Explanation:
        how = "keeps" if saved.passed else "loses"
        text = f"{scene.who_acts} {how} concentration on {before.concentrating}."
        steps = (Step("DC", str(dc)),) if saved.rolled else ()
        return told_save(text, saved, "actor", dc, steps, "SRD-79")

    facts = {"dc": dc, **saved.facts, "saved": saved.passed}
    ends = ends_with(scene.actor, after.concentrating, "actor")
    degree = "passed" if saved.passed else "failed"
    return Outcome(facts, {"actor": after.changes()}, tell, degree=degree, ends=ends)


CONCENTRATION = Action(
    "concentration",
    "Keep up concentration after damage.",
    concentration,
    ConcentrationOptions,
    facts={
        "dc": "half the damage, at least 10, at most 30",
        "roll": "advantage, disadvantage or normal; only when a d20 fell, as face and total",
        "face": "the die that counts; only when a d20 fell",
        "total": "of the save; only when a d20 fell",
        "saved": "the save succeeded",
    },
    refusals=(Refusal("concentration", "it concentrates on nothing"),),
    group="health",
    rules=("SRD-79",),
    success="saved",
    against="dc",
    needs="at_least",
)
