"""Damage through armour, healing, repairs, the coup de grace, and the status of a sheet."""

from systems.atlantis.house import House
from systems.atlantis.sheet import Sheet, life_lost, life_status, wound_penalty
from systems.contract.action import Action, Refusal, Scene
from systems.contract.marked_text import as_change, as_health, as_status, possessive
from systems.contract.outcome import Explanation, Outcome, Step, refuse
from systems.contract.ruleset import Rest
from systems.contract.table import Table
from systems.frozen import frozen
from systems.schema.conversion import replace
from systems.schema.fields import NoOptions, declare, flag, whole
from systems.text import before_and_after, plain_number, sentence


@frozen
class Harm:
    """The effect of a blow: the damage, the part that the armour absorbs, and the rest, which is taken."""

    damage: int
    absorbed: int
    taken: int


def harm_through_armour(sheet: Sheet, damage: int) -> Harm:
    """Return the harm: armour absorbs up to its limit per attack and its pool (ATL-35 to ATL-38, R20)."""
    absorbed = min(damage, sheet.armour_per_attack, sheet.armour_pool)
    return Harm(damage, absorbed, damage - absorbed)


def harm_changes(sheet: Sheet, harm: Harm) -> dict[str, object]:
    """Return the sheet's changes after harm."""
    changes: dict[str, object] = {}
    if harm.taken:
        changes["life"] = life_after(sheet, harm.taken)
    if harm.absorbed:
        changes["armour_pool"] = sheet.armour_pool - harm.absorbed
    return changes


def life_after(sheet: Sheet, lost: int) -> int:
    """Return the life points after a loss; the sheet counts no lower than -999."""
    return max(-999, sheet.life - lost)


def harm_steps(before: Sheet, harm: Harm, after: Sheet) -> tuple[Step, ...]:
    """Return the steps of armour, life and the resulting states, line by line."""
    if not before.armour_pool:
        return life_steps(before, harm, after)
    left = before.armour_pool - harm.absorbed
    most = f"at most {before.armour_per_attack} a blow, {left} of {before.armour_pool} left in it"
    return (Step("armour", plain_number(-harm.absorbed), most), *life_steps(before, harm, after))


def life_steps(before: Sheet, harm: Harm, after: Sheet) -> tuple[Step, ...]:
    """Return the steps of life and the resulting states, if any life was lost."""
    if not harm.taken:
        return ()
    note = f"{life_lost(after)} lost: {plain_number(wound_penalty(after))} to everything"
    if life_status(after) != life_status(before):
        note = life_status(after)
    return (Step("life", as_health(before.life, after.life), note),)


def armour_words(harm: Harm) -> str:
    """Return `armour 4`, what the armour absorbed, or ""."""
    return f"armour {harm.absorbed}" if harm.absorbed else ""


def harm_words(before: Sheet, harm: Harm, after: Sheet) -> str:
    """Return ` 41 (life 45 → 4), hurt −10`: what the target takes, and what follows from it."""
    words = f" {harm.taken}{as_change('life', before.life, after.life)}"
    if life_status(after) != life_status(before):
        return f"{words}, {as_status(life_status(after))}"
    if wound_penalty(after) != wound_penalty(before):
        words += f", hurt {plain_number(wound_penalty(after))}"
    return words


@declare
class HarmOptions:
    amount: int = whole(0, 999, help="life points")
    armour: bool = flag(False, "the armour absorbs as in an attack")


@declare
class HealOptions:
    amount: int = whole(0, 999, help="life points")


@declare
class RepairOptions:
    amount: int = whole(0, 999, help="points of the armour pool")


def harm(scene: Scene[Sheet, HarmOptions, House], table: Table) -> Outcome:
    """Take life points for any reason (ATL-40)."""
    actor, amount, armour = scene.actor, scene.options.amount, scene.options.armour
    done = harm_through_armour(actor, amount) if armour else Harm(amount, 0, amount)
    changes = harm_changes(actor, done)

    def tell() -> Explanation:
        after = replace(actor, **changes)
        text = f"{scene.actor_name} takes{harm_words(actor, done, after)}."
        if not armour:
            return Explanation(text, (), life_steps(actor, done, after), ("ATL-40",))
        return Explanation(
            text,
            (),
            harm_steps(actor, done, after),
            ("ATL-40", "ATL-36", "ATL-37"),
            arithmetic=sentence(f"{amount} damage", armour_words(done)) if done.absorbed else "",
        )

    facts = {"damage": amount, "absorbed": done.absorbed, "taken": done.taken}
    return Outcome(facts, {"actor": changes}, tell)


def heal(scene: Scene[Sheet, HealOptions, House], table: Table) -> Outcome:
    """Restore life points, never above the maximum (ATL-44)."""
    actor = scene.actor
    if life_status(actor) == "dead":
        return refuse("dead", f"{scene.actor_name} is dead, and the dead stay dead.")
    healed = max(0, min(scene.options.amount, actor.max_life - actor.life))
    after = replace(actor, life=actor.life + healed)

    def tell() -> Explanation:
        moved = as_change("life", actor.life, after.life)
        woke = f", {as_status('conscious')} again" if life_status(after) != life_status(actor) else ""
        return Explanation(f"{scene.actor_name} is healed by {healed}{moved}{woke}.", rules=("ATL-44",))

    return Outcome({"healed": healed}, {"actor": {"life": after.life}}, tell)


def repair(scene: Scene[Sheet, RepairOptions, House], table: Table) -> Outcome:
    """Repair the armour, never above its whole pool (ATL-39)."""
    actor = scene.actor
    repaired = max(0, min(scene.options.amount, actor.max_armour_pool - actor.armour_pool))

    def tell() -> Explanation:
        moved = before_and_after(actor.armour_pool, actor.armour_pool + repaired)
        return Explanation(
            f"{possessive(scene.actor_name)} armour is repaired by {repaired} (armour {moved}).",
            rules=("ATL-39",),
        )

    return Outcome({"repaired": repaired}, {"actor": {"armour_pool": actor.armour_pool + repaired}}, tell)


def status(scene: Scene[Sheet, NoOptions, House], table: Table) -> Outcome:
    """Describe the sheet (ATL-41, ATL-43, ATL-46)."""
    actor = scene.actor
    word, lost, penalty = life_status(actor), life_lost(actor), wound_penalty(actor)

    def tell() -> Explanation:
        text = f"{scene.actor_name} is {as_status(word)}."
        return Explanation(
            text,
            rules=("ATL-41", "ATL-43", "ATL-46"),
            arithmetic=f"{lost} life lost, {plain_number(penalty)} to everything.",
        )

    return Outcome({"can_act": word == "conscious", "lost": lost, "wound_penalty": penalty}, tell=tell)


def no_rest(sheet: Sheet, house: House) -> str:
    """Return why rest does not help a character at 0 life points or less (ATL-44, ATL-46)."""
    match life_status(sheet):
        case "dead":
            return "dead"
        case "unconscious":
            return "unconscious, and only medicine, potions or spells help"
    return ""


def coup_de_grace(scene: Scene[Sheet, NoOptions, House], table: Table) -> Outcome:
    """Kill an unconscious target with an announced blow; no dice (ATL-47, R34)."""
    state = life_status(scene.target)
    if state != "unconscious":
        return refuse(
            "status", f"{scene.target_name} is {state}; only the unconscious can be killed this way."
        )
    text = f"{scene.who_acts} gives {scene.target_name} the coup de grace, {as_status('dead')}."
    explanation = Explanation(text, rules=("ATL-47",))
    return Outcome({"slain": True}, {"target": {"slain": True}}, lambda: explanation, degree="slain")


HARM = Action(
    "harm",
    "Take life points for any reason.",
    harm,
    HarmOptions,
    facts={"damage": "the amount", "absorbed": "by the armour", "taken": "damage - absorbed"},
    group="health",
    rules=("ATL-40",),
    amount="taken",
)
HEAL = Action(
    "heal",
    "Restore life points.",
    heal,
    HealOptions,
    facts={"healed": "life points restored, never above max_life"},
    refusals=(Refusal("dead", "the actor is dead"),),
    group="health",
    rules=("ATL-44",),
)
REPAIR = Action(
    "repair",
    "Repair the armour.",
    repair,
    RepairOptions,
    facts={"repaired": "armour restored, never above max_armour_pool"},
    group="camp",
    rules=("ATL-39",),
)
RESTS = (Rest("rest", "a rest", restores={"life": "max_life"}, denied=no_rest),)
STATUS = Action(
    "status",
    "Report the status of a character; no dice.",
    status,
    facts={
        "can_act": "conscious",
        "lost": "max_life - life, at least 0",
        "wound_penalty": "0, −5, −10, −15 or −20 (ATL-41)",
    },
    group="check",
    rules=("ATL-41", "ATL-43", "ATL-46"),
)
COUP_DE_GRACE = Action(
    "coup_de_grace",
    "Kill an unconscious target with an announced blow; no dice.",
    coup_de_grace,
    targets="one",
    facts={"slain": "true"},
    refusals=(Refusal("status", "the target is not unconscious"),),
    rules=("ATL-47",),
    letter="g",
    verb="give a coup de grace",
)
