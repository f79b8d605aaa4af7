"""Resolve one attack, from the two totals to the wound."""

from functools import lru_cache

from systems.atomic_d20.checks import Bonus, bonus, boon_spent, roll_notes, spends_boon
from systems.atomic_d20.defence import (
    Defence,
    DefenceOptions,
    armour_counts,
    defence_of,
    defending_saves,
)
from systems.atomic_d20.house import House
from systems.atomic_d20.sheet import Sheet, Weapon, can_act
from systems.atomic_d20.wounds import (
    NO_WOUND,
    PLACE_FACT,
    WOUND_FACTS,
    Wound,
    death_asks,
    nonlethal_option,
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
from systems.contract.action import Action, Refusal, Scene
from systems.contract.outcome import Ask, Explanation, GivenCondition, Outcome, Step, Term, Whose, refuse
from systems.contract.table import Blow, Table, read_dice
from systems.frozen import frozen
from systems.schema.conversion import entry_or_first
from systems.schema.fields import declare, text, whole
from systems.text import plain_number, signed


@declare
class AttackOptions(DefenceOptions):
    weapon: str | None = text(
        None, "a weapon of the sheet by name", when_absent="the first", remembered="aimed"
    )
    damage_modifier: int = whole(-99, 99, 0, "added to the damage")
    use_stamina: bool | None = stamina_option()
    nonlethal: bool = nonlethal_option()


Attack = Scene[Sheet, AttackOptions, House]


def weapon_of(sheet: Sheet, name: str | None) -> Weapon:
    """Return the named weapon, or the first. Raises Wrong if the sheet has none, or none of that name."""
    return entry_or_first(sheet.weapons, name, "weapon")


@frozen(eq=False)
class AttackValues:
    """The values of an attack before any roll. The first defence is the default."""

    weapon: str
    defences: tuple[Defence, ...]
    blow: Blow


@lru_cache(maxsize=8)
def _ready(scene: Attack) -> AttackValues | Outcome:
    """Return the prepared attack, or a refusal (ATO-38, ATO-41).

    Raises Wrong before any refusal.
    """
    actor, options = scene.actor, scene.options
    weapon = weapon_of(actor, options.weapon)
    if not can_act(actor):
        return refuse("status", f"{scene.actor_name} is {actor.status} and cannot attack.")
    if options.nonlethal and weapon.firearm:
        return refuse("nonlethal", f"The {weapon.name} is a firearm and cannot be used to spare a life.")
    saves = defending_saves(scene.target, options)
    defences = tuple(defence_of(scene, save) for save in saves)
    return AttackValues(weapon.name, defences, _blow(scene, weapon))


def _blow(scene: Attack, weapon: Weapon) -> Blow:
    """Return the damage, at least 0, less the armour if armour is subtracted (ATO-69, R11)."""
    plus = weapon.damage_mod + scene.options.damage_modifier
    return Blow(read_dice(weapon.damage), plus - _soak(scene), least=0)


def _soak(scene: Attack) -> int:
    """Return the damage that armour absorbs (ATO-69, ATO-73)."""
    subtracted = scene.house.armor_mode == "subtraction" and armour_counts(scene.options)
    return scene.target.armor if subtracted else 0


def attack(scene: Attack, table: Table) -> Outcome:
    """Resolve one attack of the actor on the target (ATO-25, ATO-30 to ATO-43, ATO-69 to ATO-73, R1)."""
    ready = _ready(scene)
    if isinstance(ready, Outcome):
        return ready
    spent = spends_boon(scene, table)
    added = bonus(scene, spent)
    face = table.d(20, ready.weapon, "actor")
    defence = ready.defences[0] if len(ready.defences) == 1 else _chosen(scene, ready, table)
    met = _met(table, face + added.value - defence.value, scene.house)
    total, against = face + added.value, met + defence.value
    paid = boon_spent(scene.actor, spent)
    if total < against or (total == against and scene.house.ties == "defender"):
        return _missed(scene, added, face, defence, met, paid)
    severity, damage = table.grouped(ready.blow, severity_of, "damage", "actor")
    stamina = severity == "minor" and pays_with_stamina(
        table, scene.target, scene.house, scene.options.use_stamina, "target", scene.target_name
    )
    struck = _struck(scene, severity, stamina, face)
    facts = {
        "total": total,
        "defense_total": against,
        "hit": True,
        "damage": damage,
        "wound": severity,
        "paid_by": struck.wound.paid_by,
        "bane": severity == "major",
        "location": struck.place,
    }

    def tell() -> Explanation:
        return _told_hit(scene, added, face, defence, met, damage, struck)

    changes = {"actor": paid, "target": struck.wound.changes}
    return Outcome(facts, changes, tell, struck.asks, "hit", struck.gives)


def _met(table: Table, margin: int, house: House) -> int:
    """Roll the defence's die, which is beaten up to `margin`, at it only if the actor wins ties."""
    if not table.only_changes:
        return table.d(20, "defence", "target")
    beaten = margin if house.ties == "actor" else margin - 1
    return table.chance(beaten, 20, "defence", "target").face


def _chosen(scene: Attack, ready: AttackValues, table: Table) -> Defence:
    """Return the chosen defence. The target is asked only if enduring beats dodging (ATO-25)."""
    worth = {defence.save: signed(defence.value) for defence in ready.defences}
    ways = f"dodge with Reflex ({worth['reflex']}) or endure with Fortitude ({worth['fortitude']})"
    question = f"Does {scene.target_name} {ways}?"
    saves = tuple(worth)
    best = max(ready.defences, key=lambda defence: defence.value).save
    save = table.choose(question, saves, suggest=best, of="target", id="save")
    return next(defence for defence in ready.defences if defence.save == save)


@frozen(eq=False)
class Struck:
    """The consequences of one kind of hit, independent of the dice."""

    wound: Wound
    place: str | None
    asks: tuple[Ask, ...]
    gives: tuple[GivenCondition, ...]


@lru_cache(maxsize=256)
def _struck(scene: Attack, severity: str, stamina: bool, face: int) -> Struck:
    """Return the wound, its place, and further consequences (ATO-37, ATO-43, ATO-47)."""
    options = scene.options
    wound = wounded(
        scene.target, severity, options.track, scene.house, stamina=stamina, nonlethal=options.nonlethal
    )
    place = place_of(wound, face)
    asks = death_asks(wound, "target", scene.target_name)
    return Struck(wound, place, asks, place_given(wound, place, "target"))


def _missed(
    scene: Attack, added: Bonus, face: int, defence: Defence, met: int, paid: dict[str, object]
) -> Outcome:
    total, against = face + added.value, met + defence.value
    facts = {"total": total, "defense_total": against, "hit": False, "damage": 0, **NO_WOUND}

    def tell() -> Explanation:
        text = f"{scene.who_acts} misses {scene.target_name}.{added.words}"
        numbers = f"{_totals(total, against)}."
        return _explanation(added, face, text, numbers, (defence.step(met),), defence.rules)

    return Outcome(facts, {"actor": paid}, tell, degree="miss")


def _totals(total: int, against: int) -> str:
    return f"{plain_number(total)} against {plain_number(against)}"


def _told_hit(
    scene: Attack, added: Bonus, face: int, defence: Defence, met: int, damage: int, struck: Struck
) -> Explanation:
    totals = _totals(face + added.value, met + defence.value)
    where = f" in the {place_words(struck.place)}" if struck.place else ""
    text = f"{scene.who_acts} hits {scene.target_name}{where} for {wound_words(struck.wound)}.{added.words}"
    numbers = f"{totals}, {plain_number(damage)} damage."
    soak = (Step("armour", plain_number(-_soak(scene)), "off the damage"),) if _soak(scene) else ()
    located = place_steps(struck.place, face)
    subtracts = scene.house.armor_mode == "subtraction"
    # If the rules subtract armour, the damage that is known follows from the target's armour.
    of: Whose = "both" if subtracts else "options" if scene.options.damage_modifier else "actor"
    steps = (defence.step(met), *soak, *wound_steps(damage, struck.wound, of), *located)
    rules = (*defence.rules, *struck.wound.rules, *(("ATO-43",) if struck.place else ()))
    return _explanation(added, face, text, numbers, steps, rules)


def _explanation(
    added: Bonus, face: int, text: str, numbers: str, steps: tuple[Step, ...], rules: tuple[str, ...]
) -> Explanation:
    terms = (*added.terms, Term("d20", face, of="actor"))
    return Explanation(text, terms, steps, (*added.rules, *rules), arithmetic=numbers)


def _result_words(outcome: Outcome) -> str:
    wound = outcome.facts.get("wound", "none")
    return outcome.degree if wound == "none" else f"{wound} wound"


ATTACK = Action(
    "attack",
    "Attack against the target's defence roll.",
    attack,
    AttackOptions,
    targets="many",
    facts={
        "total": "the attacker's d20 and bonus",
        "defense_total": "d20 + save + armor + defence_modifier - the target's wound_banes",
        "hit": "total reaches defense_total (R1)",
        "damage": "0 on a miss; after subtraction at least 0",
        **WOUND_FACTS,
        **PLACE_FACT,
    },
    refusals=(
        Refusal("status", "the actor's status is not active, conscious or adrenaline"),
        Refusal("nonlethal", "nonlethal with a firearm (ATO-41)"),
    ),
    rules=("ATO-25", "ATO-28", "ATO-30", "ATO-34", "ATO-40", "ATO-43", "ATO-69", "ATO-70", "ATO-73"),
    success="hit",
    amount="damage",
    result_words=_result_words,
    against="defense_total",
    notes=roll_notes,
)
