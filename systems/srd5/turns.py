"""What a turn is made of: its hooks, the simple actions of it, recharge, legendary actions and initiative."""

from typing import Any

from systems.contract.action import Action, Refusal, Scene
from systems.contract.marked_text import as_status
from systems.contract.outcome import Ask, Explanation, Outcome, refuse
from systems.contract.ruleset import Initiative
from systems.contract.table import Chance, Table
from systems.frozen import evolve
from systems.schema.conversion import replace
from systems.schema.fields import NoOptions, choice, declare, flag, whole
from systems.srd5 import costs
from systems.srd5.attack_words import body_words
from systems.srd5.body import (
    body_of,
    can_act,
    has,
    has_death_saves,
    healed,
    is_dead,
    lives_on,
    walking_speed,
    without,
)
from systems.srd5.checks import InitiativeOptions, initiative_d20
from systems.srd5.house import House
from systems.srd5.rolls import roll, ungraded
from systems.srd5.sheet import Attack, Power, Sheet, ability_modifier
from systems.text import listed, sentence

Turn = Scene[Sheet, NoOptions, House]


@declare
class HelpOptions:
    test: str = choice(
        ("attack", "check"),
        "attack",
        "attack: the next attack roll against this enemy has advantage; check: this friend's next check has",
    )
    end: bool = flag(False, "takes it back, because the helper's next turn has come (R22)")


@declare
class LegendaryOptions:
    cost: int = whole(1, 9, 1, "legendary actions")


def _recharging(sheet: Sheet) -> list[Attack | Power]:
    """Return what is spent and recharges, attacks first."""
    entries: tuple[Attack | Power, ...] = (*sheet.attacks, *sheet.powers)
    return [entry for entry in entries if entry.spent and entry.recharge]


def legendary_back(sheet: Sheet) -> int:
    """Return the legendary actions at the start of a turn; more than usual stay (SRD-75)."""
    return max(sheet.legendary_actions_left, sheet.legendary_actions)


# Hooks.


def turn_start(scene: Turn, table: Table) -> Outcome:
    """Bring back the reaction and legendary actions, and regenerate, or die (SRD-75, SRD-88, SRD-89, R29)."""
    actor, before = scene.actor, body_of(scene.actor)
    regenerates = not actor.regeneration_stopped and actor.regeneration
    after, gained = healed(before, actor.regeneration) if regenerates else (before, 0)
    died = not gained and before.hp == 0 and actor.dies_at_zero and lives_on(actor) and not is_dead(before)
    after = evolve(after, regeneration_stopped=False, death_failures=3 if died else after.death_failures)
    due, spent = has_death_saves(after), [] if is_dead(after) else _recharging(actor)
    changes = {
        **after.changes(),
        "reaction_used": False,
        "dodging": False,
        "readied": False,
        "legendary_actions_left": legendary_back(actor),
    }
    facts = {
        "regenerated": gained,
        "died": died,
        "can_act": can_act(after),
        "death_save_due": due,
        "recharges": len(spent),
    }

    def tell() -> Explanation:
        if died:
            text = f"{scene.actor_name} does not regenerate, {as_status('dead', 'dies')}."
            return Explanation(text, rules=("SRD-88",))
        if gained:
            text = f"{scene.actor_name} regenerates {gained}{body_words(before, after)}."
            return Explanation(text, rules=("SRD-88",))
        return Explanation("")

    says = f"{scene.actor_name} is dying: a death save is due."
    asks = (Ask(says, "death_save", "actor", due=True),) if due else ()
    if spent:
        names = listed([entry.name for entry in spent])
        asks = (*asks, Ask(f"{scene.actor_name} may recharge {names}.", "recharge", "actor", due=True))
    return Outcome(facts, {"actor": changes}, tell, asks)


def turn_end(scene: Turn, table: Table) -> Outcome:
    """End disengaging (SRD-65)."""
    return Outcome({}, {"actor": {"disengaged": False}})


def round_start(scene: Turn, table: Table) -> Outcome:
    """Do nothing: the rules tie nothing to a round."""
    return Outcome({})


def encounter_end(scene: Turn, table: Table) -> Outcome:
    """End what lasts no longer than the fight."""
    flags = (
        *("reaction_used", "dodging", "disengaged", "readied", "distracted", "helped"),
        "regeneration_stopped",
    )
    actor = scene.actor
    changes: dict[str, object] = dict.fromkeys(flags, False)
    return Outcome({}, {"actor": {**changes, "legendary_actions_left": legendary_back(actor)}})


# Simple actions of a turn.


def _simple(scene: Turn, doing: str, done: str, rule: str, **changes: object) -> Outcome:
    if refused := costs.cannot_act(scene, doing):
        return refused
    explanation = f"{scene.who_acts} {done}."
    return Outcome({}, {"actor": changes}, lambda: Explanation(explanation, rules=(rule,)))


def dodge(scene: Turn, table: Table) -> Outcome:
    """Dodge until the next turn starts (SRD-66)."""
    return _simple(scene, "dodge", "dodges", "SRD-66", dodging=True)


def disengage(scene: Turn, table: Table) -> Outcome:
    """Provoke no opportunity attacks this turn (SRD-65)."""
    return _simple(scene, "disengage", "disengages", "SRD-65", disengaged=True)


def hold_ready(scene: Turn, table: Table) -> Outcome:
    """Hold something ready for the reaction (SRD-69)."""
    return _simple(scene, "ready anything", "holds something ready", "SRD-69", readied=True)


def dash(scene: Turn, table: Table) -> Outcome:
    """Move as far again (SRD-64)."""
    if refused := costs.cannot_act(scene, "dash"):
        return refused
    speed = walking_speed(body_of(scene.actor))
    text = f"{scene.who_acts} dashes: {speed} feet more."
    return Outcome({"speed": speed}, {}, lambda: Explanation(text, rules=("SRD-64",)))


def stand(scene: Turn, table: Table) -> Outcome:
    """Get up for half the speed (SRD-91)."""
    actor, body, name = scene.actor, body_of(scene.actor), scene.actor_name
    if is_dead(body) or "unconscious" in has(body):
        return refuse("status", f"{name} is {'dead' if is_dead(body) else 'unconscious'} and cannot stand.")
    if "prone" not in actor.conditions:
        return refuse("prone", f"{name} is not prone.")
    speed = walking_speed(body)
    if not speed:
        return refuse("speed", f"{name} cannot get up with a speed of 0.")
    text = f"{scene.who_acts} stands up, for {speed // 2} feet."
    changes = {"actor": without(body, "prone").changes()}
    return Outcome({"cost": speed // 2}, changes, lambda: Explanation(text, rules=("SRD-91",)))


def help_other(scene: Scene[Sheet, HelpOptions, House], table: Table) -> Outcome:
    """Help a friend's next check, or the next attack against an enemy (SRD-67, R22)."""
    options, name, target = scene.options, scene.who_acts, scene.target_name
    if not options.end:
        if refused := costs.cannot_act(scene, "help"):
            return refused
        if is_dead(body_of(scene.target)):
            return refuse("target", f"{target} is dead.")
    field = "distracted" if options.test == "attack" else "helped"
    if options.end:
        text = f"{target} is no longer {field}."
    elif options.test == "attack":
        text = f"{name} distracts {target}."
    else:
        text = f"{name} helps {target}."
    changes = {"target": {field: not options.end}}
    return Outcome({}, changes, lambda: Explanation(text, rules=("SRD-67",)))


def recharge(scene: Turn, table: Table) -> Outcome:
    """Roll a d6 for everything that is spent and recharges (SRD-73)."""
    actor = scene.actor
    if is_dead(body_of(actor)):
        return refuse("dead", f"{scene.actor_name} is dead.")
    spent = _recharging(actor)

    def one(table: Table, at: int, back: tuple[int, ...], sum: Any) -> tuple[tuple[int, ...], Any, Chance]:
        result = table.chance(spent[at].recharge, 6, f"recharge of {spent[at].name}", over=True)
        return (*back, at) if result.passed else back, sum, result

    nothing: tuple[int, ...] = ()
    returned, _, results = table.in_steps(range(len(spent)), one, nothing)
    back = [spent[at] for at in returned]
    names = tuple(entry.name for entry in back)

    def freshened(entries: tuple[Any, ...]) -> tuple[Any, ...]:
        ids = {id(entry) for entry in back}
        return tuple(replace(each, spent=False) if id(each) in ids else each for each in entries)

    changes = {"attacks": freshened(actor.attacks), "powers": freshened(actor.powers)} if back else {}

    def tell() -> Explanation:
        if not spent:
            return Explanation(f"{scene.actor_name} has nothing to recharge.", rules=("SRD-73",))
        others = [entry.name for entry in spent if entry not in back]
        words = f"recharges {listed(names)}" if names else f"does not recharge {listed(others)}"
        rolled = zip(results, spent, strict=True)
        faces = ", ".join(f"{result.face} against {entry.recharge}" for result, entry in rolled)
        return Explanation(f"{scene.who_acts} {words}.", rules=("SRD-73",), arithmetic=sentence(faces))

    return Outcome({"rolled": len(spent), "recharged": names}, {"actor": changes}, tell)


def legendary(scene: Scene[Sheet, LegendaryOptions, House], table: Table) -> Outcome:
    """Spend legendary actions on something that is no power (SRD-75)."""
    actor, cost = scene.actor, scene.options.cost
    if refused := costs.cannot_act(scene, "take a legendary action"):
        return refused
    left = actor.legendary_actions_left - cost
    if left < 0:
        return refuse("legendary_actions", f"{scene.actor_name} has too few legendary actions left.")
    spent = "a legendary action" if cost == 1 else f"{cost} legendary actions"
    text = f"{scene.who_acts} spends {spent}, {left} left."
    changes = {"actor": {"legendary_actions_left": left}}
    return Outcome({"left": left}, changes, lambda: Explanation(text, rules=("SRD-75",)))


def score(sheet: Sheet, table: Table) -> int:
    """Return a rolled initiative (SRD-10)."""
    return _score(sheet, table, InitiativeOptions())


def surprised_score(sheet: Sheet, table: Table) -> int:
    """Return a rolled initiative of a surprised combatant (SRD-10)."""
    return _score(sheet, table, InitiativeOptions(surprised=True))


def _score(sheet: Sheet, table: Table, options: InitiativeOptions) -> int:
    scene: Scene[Sheet, InitiativeOptions, House] = Scene(sheet, sheet, options, House())
    total: int = roll(table, initiative_d20(scene), ungraded, "initiative").grade
    return total


INITIATIVE = Initiative(
    score, tie=lambda sheet: ability_modifier(sheet, "dexterity"), surprised=surprised_score
)
TURN_START = Action(
    "turn_start",
    "The start of the actor's turn.",
    turn_start,
    facts={
        "regenerated": "hit points",
        "died": "at 0, and it did not regenerate",
        "can_act": "it can act",
        "death_save_due": "a death save is due",
        "recharges": "how many dice the action recharge would roll",
    },
    group="hook",
    rules=("SRD-39", "SRD-73", "SRD-75", "SRD-88", "SRD-89"),
)
TURN_END = Action("turn_end", "The end of the actor's turn.", turn_end, group="hook", rules=("SRD-65",))
ROUND_START = Action("round_start", "A round begins: the rules tie nothing to it.", round_start, group="hook")
ENCOUNTER_END = Action("encounter_end", "The fight is over.", encounter_end, group="hook")
DODGE = Action(
    "dodge",
    "Attacks against it have disadvantage, its Dexterity saves advantage.",
    dodge,
    refusals=(costs.STATUS,),
    group="turn",
    rules=("SRD-66",),
    letter="f",
)
DISENGAGE = Action(
    "disengage",
    "No opportunity attacks against it this turn.",
    disengage,
    refusals=(costs.STATUS,),
    group="turn",
    rules=("SRD-65",),
)
HOLD_READY = Action(
    "hold_ready",
    "Hold something ready for the reaction.",
    hold_ready,
    refusals=(costs.STATUS,),
    group="turn",
    rules=("SRD-69",),
    title="hold ready",
    verb="ready anything",
)
DASH = Action(
    "dash",
    "Move as far again.",
    dash,
    facts={"speed": "feet gained: the walking speed now"},
    refusals=(costs.STATUS,),
    group="turn",
    rules=("SRD-64",),
)
STAND = Action(
    "stand",
    "Get up.",
    stand,
    facts={"cost": "half the walking speed"},
    refusals=(
        Refusal("status", "dead or unconscious"),
        Refusal("prone", "prone is not among its conditions"),
        Refusal("speed", "its speed is 0"),
    ),
    group="turn",
    rules=("SRD-91",),
    title="stand up",
    unable=True,
)
HELP = Action(
    "help",
    "Give advantage to another's next roll.",
    help_other,
    HelpOptions,
    targets="one",
    refusals=(costs.STATUS, costs.TARGET),
    group="turn",
    rules=("SRD-67",),
)
RECHARGE = Action(
    "recharge",
    "Roll a d6 for each attack and power that is spent and recharges.",
    recharge,
    facts={"rolled": "how many dice", "recharged": "the names that are back"},
    refusals=(Refusal("dead", "it is dead"),),
    group="turn",
    rules=("SRD-73",),
    unable=True,
    private=True,
)
LEGENDARY = Action(
    "legendary",
    "Spend legendary actions on something that is no power.",
    legendary,
    LegendaryOptions,
    facts={"left": "legendary actions left"},
    refusals=(costs.STATUS, Refusal("legendary_actions", "too few are left")),
    group="turn",
    rules=("SRD-75",),
    title="legendary action",
    letter="l",
    verb="take a legendary action",
)
