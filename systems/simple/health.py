"""Losing and restoring hit points, rest, and the status of a sheet."""

from collections.abc import Sequence

from systems.contract.action import Action, Refusal, Scene
from systems.contract.marked_text import as_health, as_status
from systems.contract.outcome import Ask, Explanation, Hurt, Outcome, Role, Step, Term, optional_term, refuse
from systems.contract.ruleset import Rest
from systems.contract.table import Table
from systems.schema.conversion import replace
from systems.schema.fields import NoOptions, declare, flag, text, whole
from systems.simple.counters import refill_changes
from systems.simple.damage import steps_against
from systems.simple.house import House
from systems.simple.sheet import LEAST_HP, MOST, Sheet, defence_of, life_status
from systems.text import before_and_after, plain_number, sentence


@declare
class HarmOptions:
    amount: int = whole(0, MOST, help="points")
    armour: bool = flag(False, "armour is subtracted (R6)")
    type: str | None = text(
        None, "the type of the damage, such as fire; resistances count (R15)", when_absent="none"
    )


@declare
class HealOptions:
    amount: int = whole(0, MOST, help="points")
    temporary: bool = flag(False, "as temporary hit points; the higher number counts (R7)")


def hp_loss_changes(sheet: Sheet, amount: int, house: House) -> dict[str, object]:
    """Return the sheet's changes after a loss of hit points, temporary ones first (R7, R8)."""
    if not amount:
        return {}
    first = min(amount, sheet.temporary_hp)
    least = LEAST_HP if house.below_zero else min(0, sheet.hp)
    changes: dict[str, object] = {"hp": max(least, sheet.hp - (amount - first))}
    return {"temporary_hp": sheet.temporary_hp - first, **changes} if first else changes


def healing_changes(sheet: Sheet, amount: int) -> dict[str, object]:
    """Return the sheet's changes after healing, up to the maximum (R7); none for the dead."""
    return {} if sheet.dead else {"hp": max(sheet.hp, min(sheet.max_hp, sheet.hp + amount))}


def temporary_changes(sheet: Sheet, amount: int) -> dict[str, object]:
    """Return the sheet's changes when it gets temporary hit points, of which the most count (R7)."""
    return {} if sheet.dead else {"temporary_hp": max(sheet.temporary_hp, amount)}


def hp_moved(before: Sheet, after: Sheet) -> str:
    """Return `hp 30 → 22`, with the temporary ones if they changed."""
    moved = []
    if before.temporary_hp != after.temporary_hp:
        moved.append(f"temporary hp {before_and_after(before.temporary_hp, after.temporary_hp)}")
    if before.hp != after.hp:
        moved.append(f"hp {as_health(before.hp, after.hp)}")
    return ", ".join(moved)


def hp_words(before: Sheet, after: Sheet) -> str:
    """Return ` (hp 30 → 22)`, and the status if it changed."""
    moved = hp_moved(before, after)
    words = f" ({moved})" if moved else ""
    if life_status(after) != life_status(before):
        words += f", {as_status(life_status(after))}"
    return words


def hp_steps(before: Sheet, after: Sheet) -> tuple[Step, ...]:
    """Return the explanation's step for changed hit points, or none."""
    moved = hp_moved(before, after)
    return (Step("hit points", moved.removeprefix("hp "), life_status(after)),) if moved else ()


def down_question(before: Sheet, after: Sheet, name: str, role: Role = "actor") -> tuple[Ask, ...]:
    """Return the question of what happens to a hero who goes down, for the game master (R8)."""
    if life_status(after) != "down" or life_status(before) == "down":
        return ()
    says = "down: dying, or out of the fight; the game master decides."
    return (Ask(f"{name} is {says}", several=f"{{names}} are {says}", about=role),)


def harm(scene: Scene[Sheet, HarmOptions, House], table: Table) -> Outcome:
    """Take hit points for any reason (R6, R7)."""
    actor, amount = scene.actor, scene.options.amount
    through = max(0, amount - actor.armour) if scene.options.armour else amount
    damage, resisted = through, list[Term]()
    for step in steps_against(actor, scene.options.type):
        resisted.append(Term(step.label, step.worth(damage) - damage))
        damage = step.worth(damage)
    changes = hp_loss_changes(actor, damage, scene.house)
    after = replace(actor, **changes)

    def tell() -> Explanation:
        kind = f" {scene.options.type} damage" if scene.options.type else ""
        text = f"{scene.actor_name} takes {damage}{kind}{hp_words(actor, after)}."
        absorbed = amount - through
        numbers = sentence(f"{amount} damage", f"armour {absorbed}" if absorbed else "", *_labels(resisted))
        counts = "taken off" if scene.options.armour else "does not count"
        armour = (Term("armour", through - amount, counts),) if actor.armour else ()
        terms = (Term("amount", amount), *armour, *resisted)
        arithmetic = numbers if absorbed or resisted else ""
        return Explanation(text, terms, hp_steps(actor, after), HARM.rules, arithmetic=arithmetic)

    return Outcome(
        {"damage": damage},
        {"actor": changes},
        tell,
        asks=down_question(actor, after, scene.actor_name),
        hurt=(Hurt("actor", damage, ((scene.options.type or "", damage),)),),
    )


def _labels(terms: Sequence[Term]) -> tuple[str, ...]:
    return tuple(f"{term.label} {plain_number(term.value)}" for term in terms)


def heal(scene: Scene[Sheet, HealOptions, House], table: Table) -> Outcome:
    """Restore hit points up to the maximum, or give temporary ones, of which the most count (R7)."""
    actor, amount = scene.actor, scene.options.amount
    if actor.dead:
        return refuse("dead", f"{scene.actor_name} is dead, and no healing helps.")
    if scene.options.temporary:
        healed = max(0, amount - actor.temporary_hp)
        changes: dict[str, object] = {"temporary_hp": actor.temporary_hp + healed}
        most = "has more already"
    else:
        healed = max(0, min(amount, actor.max_hp - actor.hp))
        changes = {"hp": actor.hp + healed}
        most = "above the maximum"
    after = replace(actor, **changes)

    def tell() -> Explanation:
        what = " temporary hit points" if scene.options.temporary else ""
        verb = "gains" if what else "is healed by"
        terms = (Term("amount", amount), *optional_term(most, healed - amount, "does not count"))
        text = f"{scene.actor_name} {verb} {healed}{what}{hp_words(actor, after)}."
        return Explanation(text, terms, (), HEAL.rules)

    return Outcome({"healed": healed}, {"actor": changes}, tell)


def rest(scene: Scene[Sheet, NoOptions, House], table: Table) -> Outcome:
    """Restore all hit points and counters; temporary hit points are lost (R7, R10)."""
    actor = scene.actor
    if actor.dead:
        return refuse("dead", f"{scene.actor_name} is dead, and no rest helps.")
    counters, which = refill_changes(actor, ("rest", "encounter", "round", "turn"))
    hp = max(actor.hp, actor.max_hp)
    after = replace(actor, hp=hp, temporary_hp=0)

    def tell() -> Explanation:
        full = f", {which}" if which else ""
        return Explanation(f"{scene.who_acts} rests{hp_words(actor, after)}{full}.", rules=REST.rules)

    changes = {"hp": hp, "temporary_hp": 0, **counters}
    return Outcome({"healed": hp - actor.hp}, {"actor": changes}, tell)


def status(scene: Scene[Sheet, NoOptions, House], table: Table) -> Outcome:
    """Return the facts of the sheet; no dice."""
    actor = scene.actor
    word, defence = life_status(actor), defence_of(actor, scene.house)

    def tell() -> Explanation:
        hp = f"hp {plain_number(actor.hp)} of {actor.max_hp}"
        temporary = f" and {actor.temporary_hp} temporary" if actor.temporary_hp else ""
        numbers = f"Defence {plain_number(defence)}, {hp}{temporary}."
        return Explanation(f"{scene.actor_name} is {as_status(word)}.", arithmetic=numbers)

    return Outcome({"can_act": word == "up", "defence": defence}, tell=tell)


HARM = Action(
    "harm",
    "Deal damage for any reason.",
    harm,
    HarmOptions,
    facts={"damage": "hit points lost, including temporary ones"},
    group="health",
    rules=("R6", "R7", "R8"),
    amount="damage",
    total="damage",
)
HEAL = Action(
    "heal",
    "Restore hit points, or give temporary ones.",
    heal,
    HealOptions,
    facts={"healed": "hit points restored, never above max_hp"},
    refusals=(Refusal("dead", "the actor is dead"),),
    group="health",
    rules=("R7",),
    amount="healed",
    total="healed",
)
REST = Action(
    "rest",
    "Rest: restore all hit points and counters.",
    rest,
    facts={"healed": "hit points gained"},
    refusals=(Refusal("dead", "the actor is dead"),),
    group="camp",
    rules=("R10",),
    letter="z",
)


def _no_rest(sheet: Sheet, house: House) -> str:
    return "dead" if life_status(sheet) == "dead" else ""


RESTS = (Rest("rest", "a rest", steps=(("rest", {}),), denied=_no_rest),)
STATUS = Action(
    "status",
    "Report the status of a character; no dice.",
    status,
    facts={"can_act": "up", "defence": "the number that attacks must reach, or their penalty"},
    group="check",
)
