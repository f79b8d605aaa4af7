"""Initiative, and what the start of a turn brings."""

from collections.abc import Callable

from systems.contract.outcome import Account, Outcome, refuse
from systems.contract.ruleset import Action, Initiative, Refusal, Scene
from systems.contract.table import Blow, Table
from systems.schema.conversion import replace
from systems.schema.fields import NoOptions, declare, whole
from systems.waygate.firearms import weapon_offers
from systems.waygate.health import fall_rules, hp_steps, hp_words, lost
from systems.waygate.house import House
from systems.waygate.marks import back_from_death
from systems.waygate.sheet import Sheet, deadly_loss, is_dying, life_status


def initiative(sheet: Sheet, table: Table) -> int:
    """d20 + Dex, high first (WAY-N1, R31)."""
    return table.d(20, "initiative") + sheet.dex


# Equal scores go by Dex, then by one d6 each until they differ (WAY-N1).
INITIATIVE = Initiative(initiative, tie=lambda sheet: int(sheet.dex), roll_off=6)


@declare
class OngoingOptions:
    dice_number: int | None = whole(1, 99, None, "how many d4 fall", when_absent="the condition's, else 1")


Ongoing = Scene[Sheet, OngoingOptions, House]


def bleed(scene: Ongoing, table: Table) -> Outcome:
    """What bleeding costs as a turn begins (WAY-N11)."""
    return _ongoing(scene, table, "bleeding", "bleeds")


def burn(scene: Ongoing, table: Table) -> Outcome:
    """What fire costs as a turn begins (WAY-N11)."""
    return _ongoing(scene, table, "burned", "burns")


def _ongoing(scene: Ongoing, table: Table, why: str, does: str) -> Outcome:
    """1d4, or as many as the condition says; the fallen suffer it too, the dead no more (WAY-41)."""
    actor, house, name = scene.actor, scene.house, scene.actor_name
    if life_status(actor, house) == "dead":
        return refuse("dead", f"{name} is dead and {does} no more.")
    damage = table.blows(1, Blow(((scene.options.dice_number or 1, 4),)), why)
    changes = lost(actor, damage)
    after = replace(actor, **changes)

    def tell() -> Account:
        text = f"{name} {does}: {damage} damage{hp_words(actor, after, house)}."
        return Account(text, (), hp_steps(actor, after, house), ("WAY-N11", *fall_rules(actor, after, house)))

    asks = back_from_death(actor, changes, house, name, "actor")
    return Outcome({"damage": damage}, {"actor": changes}, tell, asks)


def turn_start(scene: Scene[Sheet, NoOptions, House], table: Table) -> Outcome:
    """Below 0 each own turn costs 1d4 and brings death nearer (WAY-41 to WAY-44, R21, R23).

    First the die, then death by half of the maximum, then the count of turns.
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

    def tell() -> Account:
        text = f"{scene.actor_name} lies dying: {face} damage{hp_words(actor, after, house)}"
        count = f"turn {after.rounds_below_zero} of {house.dying_rounds} below 0"
        reasons = {"half": "half of the maximum below 0", "rounds": count, "none": count}
        steps = hp_steps(actor, after, house)
        rules = ("WAY-42", "WAY-43" if cause == "half" else "WAY-44")
        return Account(f"{text}, {reasons[cause]}.", (), steps, rules)

    facts = {"rolled": True, "damage": face, "can_act": False, "cause": cause}
    asks = back_from_death(actor, changes, house, scene.actor_name, "actor")
    return Outcome(facts, {"actor": changes}, tell, asks, cause)


TURN_START = Action(
    "turn_start",
    "The start of the actor's own turn.",
    turn_start,
    facts={
        "rolled": "a dying die fell",
        "damage": "its face; only when rolled",
        "can_act": "hp above 0 at the start",
        "cause": "what killed it now: half, rounds, none",
    },
    group="hook",
    rules=("WAY-41", "WAY-42", "WAY-43", "WAY-44"),
)


def _each_turn(name: str, help: str, run: Callable[[Ongoing, Table], Outcome]) -> Action:
    """What befalls the bearer of a condition as each turn begins."""
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


BLEED = _each_turn("bleed", "What bleeding costs at the start of a turn.", bleed)
BURN = _each_turn("burn", "What fire costs at the start of a turn.", burn)
