"""One attack, from the two totals to the wound."""

from functools import lru_cache

import attrs

from systems.atomic_d20.checks import RollOptions, bonus
from systems.atomic_d20.house import House
from systems.atomic_d20.sheet import TRACKS, Sheet, Weapon, can_act
from systems.atomic_d20.wounds import (
    WOUND_FACTS,
    Wound,
    death_asks,
    location_of,
    pays_with_stamina,
    severity_of,
    wound_steps,
    wound_words,
    wounded,
)
from systems.contract import Account, Action, Gives, Outcome, Refusal, Scene, Step, Term, refuse
from systems.fields import choice, declare, entry_named, flag, text, whole
from systems.kinds import Wrong, shown
from systems.table import Blow, Table, read_dice
from systems.words import plain_number, suggestion

DEFENCES = ("reflex", "fortitude", "willpower")


@declare
class AttackOptions(RollOptions):
    weapon: str | None = text(None, "a weapon of the sheet by name", when_absent="the first")
    damage_modifier: int = whole(-99, 99, 0, "added to the damage")
    awareness: str | None = choice(
        ("aware", "flat_footed"),
        None,
        "flat_footed: the target's save does not count (ATO-73)",
        when_absent="aware; flat_footed when the target's status is not active, conscious or adrenaline",
    )
    touch: bool | None = flag(
        None,
        "armour does not count, in either armor_mode (ATO-73)",
        when_absent="false; true on the mental track",
    )
    defence: str | None = choice(
        DEFENCES,
        None,
        "the save that the target defends with: dodge, endure or resist (ATO-25)",
        when_absent="reflex; willpower on the mental track",
    )
    defence_modifier: int = whole(-99, 99, 0, "added to the defence")
    track: str = choice(TRACKS, "physical", "hearts or brains")
    use_stamina: bool | None = flag(
        None,
        "the wounded pays a minor wound with stamina while it has some (ATO-28)",
        when_absent="false",
    )
    nonlethal: bool = flag(False, "unconscious where it would be dying or catatonic (ATO-40)")


Attack = Scene[Sheet, AttackOptions, House]


def weapon_of(sheet: Sheet, name: str | None) -> Weapon:
    """The weapon that is meant. Raises Wrong when the sheet has none, or none of that name."""
    if not sheet.weapons:
        raise Wrong("options.weapon", "no weapon on the sheet to attack with")
    if name is None:
        return sheet.weapons[0]
    found = entry_named(sheet.weapons, name)
    if found is None:
        known = [one.name for one in sheet.weapons]
        raise Wrong("options.weapon", f"no weapon {shown(name)}{suggestion(name, known)}")
    return found


def attack(scene: Attack, table: Table) -> Outcome:
    """One attack of the actor on the target (ATO-25, ATO-30 to ATO-43, ATO-69 to ATO-73)."""
    if refused := _refused(scene):
        return refused
    face = table.d(20, weapon_of(scene.actor, scene.options.weapon).name, "actor")
    defence = _defence(scene, _defending_save(scene, table))
    defence_face = table.d(20, f"defence, {defence.save}", "target")
    total = face + bonus(scene).value
    against = defence_face + defence.value
    if total > against or (total == against and scene.house.ties == "actor"):
        return _hit(scene, table, Clash(face, total, defence, defence_face, against))
    return _missed(scene, Clash(face, total, defence, defence_face, against))


@lru_cache(maxsize=16)
def _refused(scene: Attack) -> Outcome | None:
    """Who cannot act attacks nobody; a firearm is never nonlethal (ATO-38, ATO-41, R33).

    Raises Wrong when there is no such weapon: errors come before refusals.
    """
    weapon = weapon_of(scene.actor, scene.options.weapon)
    if not can_act(scene.actor):
        return refuse("status", f"{scene.actor_name} is {scene.actor.status} and cannot attack.")
    if scene.options.nonlethal and weapon.firearm:
        return refuse("nonlethal", f"The {weapon.name} is a firearm and cannot be used to spare a life.")
    return None


@attrs.frozen(eq=False)
class Defence:
    """What is added to the target's die, and the save behind it."""

    save: str
    terms: tuple[Term, ...]
    value: int


@attrs.frozen(eq=False)
class Clash:
    """The two rolls of one attack."""

    face: int
    total: int
    defence: Defence
    defence_face: int
    against: int


def _unaware(scene: Attack) -> bool:
    """Told so, or lying dying, dead, unconscious or catatonic (ATO-73, R35)."""
    if scene.options.awareness is not None:
        return scene.options.awareness == "flat_footed"
    return not can_act(scene.target)


def _armour_counts(scene: Attack) -> bool:
    """Neither against a touch nor, unless told, against an attack on the mind (ATO-73, R36)."""
    touch = scene.options.touch
    return scene.options.track == "physical" if touch is None else not touch


def _defending_save(scene: Attack, table: Table) -> str:
    """Reflex, or Willpower on the mental track; asked where enduring is the better way (ATO-25, R36)."""
    options, target = scene.options, scene.target
    if options.defence is not None:
        return options.defence
    if options.track == "mental":
        return "willpower"
    if target.fortitude <= target.reflex or _unaware(scene):
        return "reflex"
    question = f"Does {scene.target_name} dodge with Reflex or endure with Fortitude?"
    return table.choose(question, ("reflex", "fortitude"), suggest="reflex", of="target")


@lru_cache(maxsize=32)
def _defence(scene: Attack, save: str) -> Defence:
    """What is added to the defender's die (ATO-70, ATO-73, R22, R32, R35)."""
    target, options = scene.target, scene.options
    caught = _unaware(scene)
    terms = [Term(save, 0 if caught else getattr(target, save), "flat-footed" if caught else "")]
    if not _armour_counts(scene):
        terms.append(Term("armour", 0, "a touch, armour does not count"))
    elif scene.house.armor_mode == "subtraction":
        terms.append(Term("armour", 0, "taken off the damage instead"))
    else:
        terms.append(Term("armour", target.armor))
    if target.wound_banes:
        terms.append(Term("wounds", -target.wound_banes))
    if options.defence_modifier:
        terms.append(Term("modifier", options.defence_modifier))
    return Defence(save, tuple(terms), sum(term.value for term in terms))


@lru_cache(maxsize=16)
def _blow(scene: Attack) -> Blow:
    """The damage, less the armour where it is subtracted: then at least 0 (ATO-69)."""
    weapon = weapon_of(scene.actor, scene.options.weapon)
    plus = weapon.damage_mod + scene.options.damage_modifier
    if scene.house.armor_mode != "subtraction":
        return Blow(read_dice(weapon.damage), plus)
    soaked = scene.target.armor if _armour_counts(scene) else 0
    return Blow(read_dice(weapon.damage), plus - soaked, least=0)


@lru_cache(maxsize=64)
def _wound(scene: Attack, severity: str, stamina: bool) -> Wound:
    return wounded(scene.target, severity, scene.options.track, stamina, scene.options.nonlethal)


def _hit(scene: Attack, table: Table, clash: Clash) -> Outcome:
    """Damage, and the wound that it makes (ATO-30 to ATO-43)."""
    options, target = scene.options, scene.target
    damage = table.blows(1, _blow(scene), "damage", "actor")
    severity = severity_of(damage)
    stamina = pays_with_stamina(
        table, target, severity, given=options.use_stamina, of="target", name=scene.target_name
    )
    wound = _wound(scene, severity, stamina)
    localised = severity != "none" and options.track == "physical"
    place = location_of(clash.face) if localised else None
    facts = {
        "total": clash.total,
        "defense_total": clash.against,
        "hit": True,
        "damage": damage,
        "wound": severity,
        "paid_by": wound.paid_by,
        "bane": severity == "major",
        "location": place,
    }
    gives = (Gives("target", f"wounded_{place}"),) if severity == "major" and place else ()
    return Outcome(
        facts,
        {"target": wound.changes},
        lambda: _told_hit(scene, clash, damage, wound, place),
        death_asks(wound, "target", scene.target_name),
        "hit",
        gives,
    )


def _missed(scene: Attack, clash: Clash) -> Outcome:
    facts = {
        "total": clash.total,
        "defense_total": clash.against,
        "hit": False,
        "damage": 0,
        "wound": "none",
        "paid_by": "none",
        "bane": False,
    }

    def tell() -> Account:
        text = f"{scene.actor_name} misses {scene.target_name}: {_totals(clash)}."
        return _account(scene, clash, text, ())

    return Outcome(facts, tell=tell, degree="miss")


def _totals(clash: Clash) -> str:
    return f"{plain_number(clash.total)} against {plain_number(clash.against)}"


def _told_hit(scene: Attack, clash: Clash, damage: int, wound: Wound, place: str | None) -> Account:
    where = f" in the {place.replace('_', ' ')}" if place else ""
    text = (
        f"{scene.actor_name} hits {scene.target_name}{where}: {_totals(clash)}, "
        f"{plain_number(damage)} damage, {wound_words(wound)}."
    )
    soak = _soak_step(scene)
    located = (Step("location", place.replace("_", " "), f"natural {clash.face}"),) if place else ()
    return _account(scene, clash, text, (*soak, *wound_steps(damage, wound), *located))


def _soak_step(scene: Attack) -> tuple[Step, ...]:
    if scene.house.armor_mode != "subtraction" or not _armour_counts(scene):
        return ()
    return (Step("armour", plain_number(-scene.target.armor), "taken off the damage"),)


def _account(scene: Attack, clash: Clash, text: str, steps: tuple[Step, ...]) -> Account:
    """The attacker's terms, the defence line by line, and what came of it."""
    behind = (Step(one.label, plain_number(one.value), one.note) for one in clash.defence.terms)
    met = (
        Step("defence d20", str(clash.defence_face)),
        *behind,
        Step("defence", plain_number(clash.against)),
    )
    terms = (*bonus(scene).terms, Term("d20", clash.face))
    return Account(text, terms, (*met, *steps), ("ATO-25", "ATO-30", "ATO-34", "ATO-43", "ATO-70", "ATO-73"))


ATTACK = Action(
    "attack",
    "An attack against the target's defence roll.",
    attack,
    AttackOptions,
    targets="many",
    facts={
        "total": "the attacker's d20 and bonus",
        "defense_total": "d20 + save + armor + defence_modifier - the target's wound_banes",
        "hit": "total reaches defense_total (R1)",
        "damage": "0 on a miss; after subtraction at least 0",
        **WOUND_FACTS,
        "location": "from the attacker's die; only when a physical wound was made (ATO-43)",
    },
    refusals=(
        Refusal("status", "the actor's status is not active, conscious or adrenaline"),
        Refusal("nonlethal", "nonlethal with a firearm (ATO-41)"),
    ),
    rules=("ATO-25", "ATO-28", "ATO-30", "ATO-34", "ATO-40", "ATO-43", "ATO-70", "ATO-73"),
    success="hit",
    amount="damage",
    against="defense_total",
)
