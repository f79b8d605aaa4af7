"""Initiative, and the effects at the start and end of a turn."""

from collections.abc import Callable

from systems.contract.action import Action, Refusal, Scene
from systems.contract.outcome import EndedCondition, Explanation, Outcome, Step, owned, refuse
from systems.contract.ruleset import Initiative
from systems.contract.table import Blow, Table
from systems.schema.conversion import replace
from systems.schema.fields import NoOptions, declare, flag, whole
from systems.text import plain_number
from systems.waygate.checks import passes
from systems.waygate.firearms import weapon_offers
from systems.waygate.health import fall_rules, hp_steps, hp_words, lost
from systems.waygate.house import House
from systems.waygate.marks import back_from_death, die_terms, mark_spent, mark_words, test_die
from systems.waygate.sheet import Sheet, deadly_loss, is_dying, life_status
from systems.waygate.terms import attribute_term

STUN_ENDS = 14


def initiative(sheet: Sheet, table: Table) -> int:
    """Return initiative: d20 + Dex, highest first (WAY-N1, R31)."""
    return table.d(20, "initiative") + sheet.dex


# Ties are broken by Dex, then by a d6 each until they differ (WAY-N1).
INITIATIVE = Initiative(initiative, tie=lambda sheet: int(sheet.dex), roll_off=6)


@declare
class OngoingOptions:
    dice_number: int | None = whole(1, 99, None, "the number of d4", when_absent="the condition's, else 1")


Ongoing = Scene[Sheet, OngoingOptions, House]


def bleed(scene: Ongoing, table: Table) -> Outcome:
    """Apply bleeding at the start of a turn (WAY-N11)."""
    return _ongoing(scene, table, "bleeding", "bleeds")


def burn(scene: Ongoing, table: Table) -> Outcome:
    """Apply fire at the start of a turn (WAY-N11)."""
    return _ongoing(scene, table, "burned", "burns")


def _ongoing(scene: Ongoing, table: Table, why: str, does: str) -> Outcome:
    """Deal 1d4, or as many d4 as the condition's value, to anyone not dead (WAY-41)."""
    actor, house, name = scene.actor, scene.house, scene.actor_name
    if life_status(actor, house) == "dead":
        return refuse("dead", f"{name} is dead and {does} no more.")
    damage = table.blows(1, Blow(((scene.options.dice_number or 1, 4),)), why)
    changes = lost(actor, damage)
    after = replace(actor, **changes)

    def tell() -> Explanation:
        text = f"{name} {does} for {damage}{hp_words(actor, after, house)}."
        return Explanation(
            text, (), hp_steps(actor, after, house), ("WAY-N11", *fall_rules(actor, after, house))
        )

    asks = back_from_death(actor, changes, house, name, "actor")
    return Outcome({"damage": damage}, {"actor": changes}, tell, asks)


def turn_start(scene: Scene[Sheet, NoOptions, House], table: Table) -> Outcome:
    """Apply dying: below 0, each own turn costs 1d4 and counts towards death (WAY-41 to WAY-44, R21, R23).

    The order is: the die, then death by half of the maximum, then the count of turns.
    """
    actor, house = scene.actor, scene.house
    if not is_dying(actor, house):
        able = life_status(actor, house) == "conscious"
        weapons = actor.weapons if able else ()
        asks = tuple(ask for weapon in weapons for ask in weapon_offers(weapon, scene.actor_name))
        return Outcome({"rolled": False, "can_act": able, "cause": "none"}, asks=asks)
    face = table.d(4, "dying")
    changes = {"hp": actor.hp - face, "rounds_below_zero": actor.rounds_below_zero + 1}
    after = replace(actor, **changes)
    cause = "none"
    if -after.hp >= deadly_loss(actor.max_hp, house):
        cause = "half"
    elif after.rounds_below_zero >= house.dying_rounds:
        cause = "rounds"

    def tell() -> Explanation:
        text = f"{scene.actor_name} lies dying and loses {face}{hp_words(actor, after, house)}."
        count = f"Turn {after.rounds_below_zero} of {house.dying_rounds} below 0"
        reasons = {"half": "Half of the maximum below 0", "rounds": count, "none": count}
        steps = hp_steps(actor, after, house)
        rules = ("WAY-42", "WAY-43" if cause == "half" else "WAY-44")
        return Explanation(text, (), steps, rules, arithmetic=f"{reasons[cause]}.")

    facts = {"rolled": True, "damage": face, "can_act": False, "cause": cause}
    asks = back_from_death(actor, changes, house, scene.actor_name, "actor")
    return Outcome(facts, {"actor": changes}, tell, asks, "dying" if cause == "none" else "dead")


@declare
class TurnEndOptions:
    stunned: bool = flag(False, "has the condition stunned, which a Vit test can end")


def turn_end(scene: Scene[Sheet, TurnEndOptions, House], table: Table) -> Outcome:
    """Roll the Vit test above 13 that ends being stunned (WAY-N11)."""
    actor, name = scene.actor, scene.actor_name
    if not scene.options.stunned or life_status(actor, scene.house) != "conscious":
        return Outcome({"rolled": False})
    vit = attribute_term(actor, "vit")

    def shaken(face: int) -> bool:
        return passes(face, vit.value + face, STUN_ENDS, reaction=False)

    face, marked = test_die(
        table,
        actor,
        None,
        "Vit, stunned",
        lambda face: (
            "" if shaken(face) else f"Stunned: Vit {plain_number(vit.value + face)} against {STUN_ENDS}"
        ),
    )
    total, passed = vit.value + face, shaken(face)

    def tell() -> Explanation:
        done = "shakes off the stun" if passed else "stays stunned"
        text = f"{name} {done}.{mark_words(name, marked)}"
        numbers = f"Vit test {plain_number(total)} against {STUN_ENDS}."
        steps = (Step("threshold", str(STUN_ENDS), "above 13"),)
        terms = owned("actor", vit, *die_terms(face, marked))
        return Explanation(text, terms, steps, ("WAY-N11",), arithmetic=numbers)

    facts = {"rolled": True, "total": total, "passed": passed}
    ends = (EndedCondition("actor", "stunned"),) if passed else ()
    return Outcome(facts, {"actor": mark_spent(actor, marked)}, tell, ends=ends)


TURN_END = Action(
    "turn_end",
    "The end of the actor's own turn.",
    turn_end,
    TurnEndOptions,
    facts={
        "rolled": "a Vit test against being stunned was made",
        "total": "die + Vit; only when rolled",
        "passed": "no longer stunned; only when rolled",
    },
    group="hook",
    rules=("WAY-N11",),
)
TURN_START = Action(
    "turn_start",
    "The start of the actor's own turn.",
    turn_start,
    facts={
        "rolled": "a die for dying was rolled",
        "damage": "its face; only when rolled",
        "can_act": "hp above 0 at the start",
        "cause": "the cause of death: half, rounds, none",
    },
    group="hook",
    rules=("WAY-41", "WAY-42", "WAY-43", "WAY-44"),
)


def _each_turn(name: str, help: str, run: Callable[[Ongoing, Table], Outcome]) -> Action:
    """Declare an action that a condition runs on its bearer at the start of each turn."""
    return Action(
        name,
        help,
        run,
        OngoingOptions,
        facts={"damage": "the sum of the d4"},
        refusals=(Refusal("dead", "the actor is dead"),),
        group="hook",
        rules=("WAY-41", "WAY-N11"),
    )


BLEED = _each_turn("bleed", "Apply bleeding at the start of a turn.", bleed)
BURN = _each_turn("burn", "Apply fire at the start of a turn.", burn)
