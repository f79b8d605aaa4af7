"""Resolve spells: manoeuvres that burn the caster when they fail."""

from systems.atomic_d20.checks import Bonus, ManeuverOptions, bonus, boon_spent, roll_notes, spends_boon
from systems.atomic_d20.house import House
from systems.atomic_d20.sheet import Sheet, can_act
from systems.atomic_d20.wounds import (
    NO_WOUND,
    PLACE_FACT,
    WOUND_FACTS,
    Wound,
    death_asks,
    pays_with_stamina,
    place_given,
    place_of,
    place_steps,
    place_words,
    severity_of,
    stamina_option,
    wound_steps,
    wound_words,
    wounded,
)
from systems.contract.action import Action, Refusal, Scene, SideEffect
from systems.contract.outcome import Ask, Explanation, Outcome, Step, Term, refuse
from systems.contract.table import Blow, Table
from systems.frozen import frozen
from systems.schema.fields import declare
from systems.text import plain_number, sentence

MIRACLE = "miraculous_recovery"
_EFFECTS = ("invert_target", "invert_effect", "random_effect", "random_target", MIRACLE, "none")
_BURN = Blow(((2, 6),))
# Questions for the game master after each kind of critical failure (ATO-22).
_TO_SETTLE = {
    "invert_target": "The spell turns on the wrong side: help for a foe, harm for a friend. For whom?",
    "invert_effect": "The spell has the opposite effect. What happens?",
    "random_effect": "The spell has another effect on its target. What happens?",
    "random_target": "The spell finds another target. Whom?",
}


@declare
class CastOptions(ManeuverOptions):
    use_stamina: bool | None = stamina_option()


Cast = Scene[Sheet, CastOptions, House]


@frozen(eq=False)
class Casting:
    """The roll of one spell and its results. `wound` is None if nothing burned."""

    added: Bonus
    face: int
    total: int
    passed: bool
    critical: bool
    effect: str
    damage: int
    wound: Wound | None

    @property
    def place(self) -> str | None:
        """Return the place of the spellburn, given by the spell's natural die (ATO-42, ATO-43, R16)."""
        return place_of(self.wound, self.face) if self.wound else None


def cast(scene: Cast, table: Table) -> Outcome:
    """Resolve a spell: d20, a d6 on a critical failure, then spellburn (ATO-18 to ATO-22, R7 to R10)."""
    if not can_act(scene.actor):
        return refuse("status", f"{scene.actor_name} is {scene.actor.status} and cannot cast.")
    options = scene.options
    spent = spends_boon(scene, table)
    added = bonus(scene, spent)
    face = table.d(20, options.maneuver or "spell", "actor")
    total = face + added.value
    failed = total < options.difficulty
    critical = failed and face == 1
    effect = _critical_effect(scene, table) if critical else "none"
    passed = not failed or effect == MIRACLE
    damage, wound = 0, None
    if not passed or scene.house.spellburn == "always":
        damage, wound = _burned(scene, table)
    done = Casting(added, face, total, passed, critical, effect, damage, wound)
    facts = {
        "bonus": added.value,
        "total": total,
        "passed": passed,
        "critical_failure": critical,
        "critical_effect": effect,
        "spellburn": wound is not None,
        "damage": damage,
        **(wound.facts if wound else NO_WOUND),
        "location": done.place,
    }
    changes = {**boon_spent(scene.actor, spent), **(wound.changes if wound else {})}
    return Outcome(
        facts,
        {"actor": changes},
        lambda: _explanation(scene, done),
        _asks(scene, done),
        degree="passed" if passed else "failed",
        gives=place_given(wound, done.place, "actor") if wound else (),
    )


def _critical_effect(scene: Cast, table: Table) -> str:
    """Roll the d6 of a critical failure; a 6 is rerolled or has no effect (ATO-22, R9)."""
    last = 5 if scene.house.critical_six == "reroll" else 6
    face, _ = table.until(lambda at: at.d(6, "critical failure", "actor"), lambda face: face <= last)
    return _EFFECTS[face - 1]


def _burned(scene: Cast, table: Table) -> tuple[int, Wound]:
    """Deal 2d6 to the caster, body or mind; stamina may pay for a minor wound (ATO-19, R7)."""
    actor, given = scene.actor, scene.options.use_stamina
    severity, damage = table.grouped(_BURN, severity_of, "spellburn", "actor")
    stamina = severity == "minor" and pays_with_stamina(
        table, actor, scene.house, given, "actor", scene.actor_name
    )
    return damage, wounded(actor, severity, scene.house.spellburn_track, scene.house, stamina=stamina)


def _asks(scene: Cast, done: Casting) -> tuple[Ask, ...]:
    settle = (Ask(_TO_SETTLE[done.effect]),) if done.effect in _TO_SETTLE else ()
    dying = death_asks(done.wound, "actor", scene.actor_name) if done.wound else ()
    return (*settle, *dying)


def _explanation(scene: Cast, done: Casting) -> Explanation:
    options, added = scene.options, done.added
    against = f"{plain_number(done.total)} against {plain_number(options.difficulty)}"
    verb = "casts" if done.passed else "fails to cast"
    words = f"{scene.who_acts} {verb} {options.maneuver or 'the spell'}"
    numbers = [against]
    steps = [
        Step("difficulty", plain_number(options.difficulty)),
        Step("degree", plain_number(done.total - options.difficulty)),
    ]
    if done.critical:
        effect = "nothing more" if done.effect == "none" else done.effect.replace("_", " ")
        words += f", critical failure: {effect}"
        steps.append(Step("critical failure", effect, "natural 1"))
    if done.wound:
        where = f" in the {place_words(done.place)}" if done.place else ""
        words += f". {scene.actor_name} takes spellburn{where}, {wound_words(done.wound)}"
        numbers.append(f"spellburn {done.damage}")
        steps += (*wound_steps(done.damage, done.wound), *place_steps(done.place, done.face))
    terms = (*added.terms, Term("d20", done.face, of="actor"))
    rules = ("ATO-18", *added.rules, *_rules(scene, done))
    return Explanation(f"{words}.{added.words}", terms, tuple(steps), rules, arithmetic=sentence(*numbers))


def _rules(scene: Cast, done: Casting) -> tuple[str, ...]:
    critical = ("ATO-22",) if done.critical else ()
    if done.wound is None:
        return critical
    burns = "ATO-20" if scene.house.spellburn == "always" else "ATO-19"
    placed = ("ATO-42", "ATO-43") if done.place else ()
    return (*critical, burns, *done.wound.rules, *placed)


CAST = Action(
    "cast",
    "A spell.",
    cast,
    CastOptions,
    facts={
        "bonus": "the sum of everything added to the die",
        "total": "die + bonus",
        "passed": "the spell works",
        "critical_failure": "face 1 and failed (R8)",
        "critical_effect": f"{', '.join(('none', *_EFFECTS[:-1]))} (then passed is true)",
        "spellburn": "the spell burned its caster",
        "damage": "of the spellburn, else 0",
        **WOUND_FACTS,
        **PLACE_FACT,
    },
    refusals=(Refusal("status", "the actor's status is not active, conscious or adrenaline"),),
    rules=("ATO-18", "ATO-19", "ATO-20", "ATO-22", "ATO-28"),
    success="passed",
    side_effects=(SideEffect("critical_failure", "a critical failure"),),
    notes=roll_notes,
    letter="s",
)
