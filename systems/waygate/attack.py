"""Resolve one attack, from the hit test to the hit points lost."""

from functools import lru_cache, partial
from typing import Any

from systems.contract.action import Action, Refusal, SideEffect
from systems.contract.marked_text import possessive
from systems.contract.outcome import Ask, Explanation, Outcome, Step, Whose, owned, refuse
from systems.contract.table import Table, die_note
from systems.schema.conversion import replace
from systems.text import plain_number, sentence, signed
from systems.waygate.firearms import firing_refused, most_bullets, shots_of
from systems.waygate.health import fall_rules, hp_steps, hp_words, lost
from systems.waygate.hit_test import (
    DAMAGE_RULE,
    HIT_RULE,
    Attack,
    AttackOptions,
    Strike,
    Verdict,
    in_melee,
    ready,
    verdict_of,
)
from systems.waygate.marks import (
    MARK_REFUSAL,
    back_from_death,
    die_terms,
    mark_refused,
    mark_spent,
    mark_words,
    test_die,
)
from systems.waygate.sheet import Sheet, life_status
from systems.waygate.spells import MAYHEM, MAYHEM_ASK, mayhem_note, mayhem_rules
from systems.waygate.terms import counted


def attack(scene: Attack, table: Table) -> Outcome:
    """Resolve a hit test and its damage (WAY-12 to WAY-35, WAY-54 to WAY-57)."""
    strike, use = ready(scene), scene.options.use_aether_mark
    if refused := _refused(scene):
        return refused

    face, marked = test_die(table, scene.actor, use, strike.name, partial(_failed, scene))
    verdict = verdict_of(scene, face)
    damage = 0
    if verdict.hit:
        with die_note("critical: the dice count twice" if verdict.blow.factor > 1 else ""):
            damage = table.blows(verdict.bullets, verdict.blow, f"{strike.name} damage")
    return _struck(scene, verdict, damage, marked)


@lru_cache(maxsize=64)
def _failed(scene: Attack, face: int) -> str:
    """Return in short why a face of the hit test fails, or ""."""
    seen = verdict_of(scene, face)
    if seen.hit and not seen.facts["mayhem"] and not seen.facts["jammed"]:
        return ""
    words = f"{plain_number(seen.facts['total'])} against armor {scene.target.armor}"
    words += ", the gun jams" if seen.facts["jammed"] else ""
    return words + (f", {MAYHEM}" if seen.facts["mayhem"] else "")


@lru_cache(maxsize=8)
def _refused(scene: Attack) -> Outcome | None:
    """Return the first reason that forbids the attack, or None (WAY-40, R27)."""
    strike, actor, name = ready(scene), scene.actor, scene.actor_name
    state = life_status(actor, scene.house)
    if state != "conscious":
        return refuse("status", f"{name} is {state} and cannot attack.")
    if strike.weapon and (refused := firing_refused(strike.weapon, strike.mode, name)):
        return refused
    return mark_refused(actor, scene.options.use_aether_mark, name)


# Odds do the same damage in many branches.
@lru_cache(maxsize=256)
def _harmed(scene: Attack, damage: int) -> tuple[dict[str, int], tuple[Ask, ...]]:
    """Return how this much damage changes the target, and the question if it dies."""
    changes = lost(scene.target, damage)
    return changes, back_from_death(scene.target, changes, scene.house, scene.target_name, "target")


def _struck(scene: Attack, verdict: Verdict, damage: int, marked: bool) -> Outcome:
    """Return the outcome of a verdict and its damage (WAY-40, WAY-43, R13 to R15)."""
    target = scene.target
    facts = {**verdict.facts, "damage": damage}
    actor_changes = mark_spent(scene.actor, marked)
    if verdict.weapons is not None:
        actor_changes["weapons"] = verdict.weapons
    changes, asks = _harmed(scene, damage)
    if facts["mayhem"]:
        asks += MAYHEM_ASK
    asks += verdict.offers

    def tell() -> Explanation:
        return _explanation(scene, verdict, facts, replace(target, **changes), marked)

    degree = "hit" if verdict.hit else "jam" if verdict.lost else "miss"
    return Outcome(facts, {"actor": actor_changes, "target": changes}, tell, asks, degree)


def _explanation(
    scene: Attack, verdict: Verdict, facts: dict[str, Any], after: Sheet, marked: bool
) -> Explanation:
    strike, armor = ready(scene), scene.target.armor
    text, numbers = _opening(scene, strike, verdict), [f"{facts['face']} rolled"]
    if not verdict.lost:
        total = f"{plain_number(facts['total'])} against armor {armor}"
        numbers = [f"{total}{_reasons(strike, verdict)}"]
    if verdict.hit:
        text += f" for {facts['damage']}{hp_words(scene.target, after, scene.house)}"
        if strike.mode != "single":
            numbers.append(f"{facts['bullets_hit']} of {_count(_fired(strike), 'bullet')} hit")
        numbers.append(f"{facts['damage']} damage")
    text += "."
    if strike.weapon and strike.weapon.clip:
        text += f" {_count(facts['loaded'], 'round')} left."
    text += " The gun jams." if facts["jammed"] and not verdict.lost else ""
    text += f" {MAYHEM}." if facts["mayhem"] else ""
    text += mark_words(scene.actor_name, marked)
    terms = owned("actor", *strike.terms, *die_terms(facts["face"], marked))
    steps = (*_steps(scene, strike, verdict, facts), *hp_steps(scene.target, after, scene.house))
    rules = (*_rules(strike, verdict, facts, marked), *fall_rules(scene.target, after, scene.house))
    return Explanation(text, terms, steps, rules, arithmetic=sentence(*numbers))


def _rules(strike: Strike, verdict: Verdict, facts: dict[str, Any], marked: bool) -> tuple[str, ...]:
    face, hit = facts["face"], verdict.hit
    short = strike.mystic is not None and facts["total"] < strike.mystic
    return counted(
        {
            HIT_RULE[strike.kind]: True,
            "WAY-16": facts["jammed"],
            **mayhem_rules(face, facts["mayhem"]),
            "WAY-21": face not in (1, 20) and not verdict.lost and not short,
            "WAY-26": strike.mode == "burst",
            "WAY-27": strike.mode == "burst" and hit,
            "WAY-30": strike.mode == "auto",
            "WAY-31": strike.mode == "auto" and hit,
            DAMAGE_RULE[strike.kind]: hit,
            "WAY-49": marked,
            "WAY-55": face == 20,
            "WAY-56": face == 20,
            "WAY-57": face == 1,
            "WAY-N4": short and face not in (1, 20),
        }
    )


def _opening(scene: Attack, strike: Strike, verdict: Verdict) -> str:
    """Return the beginning of the sentence: actor, hit or miss, target and weapon."""
    who, whom = scene.who_acts, scene.target_name
    if verdict.lost:
        return f"{possessive(who)} {strike.name} jams before the shot at {whom}"
    means = strike.name if strike.mode == "single" else f"{strike.name} ({strike.mode})"
    return f"{who} {'hits' if verdict.hit else 'misses'} {whom} with {means}"


def _reasons(strike: Strike, verdict: Verdict) -> str:
    """Return the words for a result that the armor rating alone did not decide, or ""."""
    face, total = verdict.facts["face"], verdict.facts["total"]
    if face == 20:
        return ", a natural 20"
    if face == 1:
        return ", a natural 1"
    short = strike.mystic is not None and total < strike.mystic
    return f", short of its Mystic Test {strike.mystic}" if short else ""


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _fired(strike: Strike) -> int:
    return shots_of(strike.weapon, strike.mode) if strike.weapon else 1


def _steps(scene: Attack, strike: Strike, verdict: Verdict, facts: dict[str, Any]) -> tuple[Step, ...]:
    """Return the lines of the explanation after the total."""
    house = scene.house
    beat = "or equal" if house.hit_on == "meet" else "to be beaten"
    steps = [
        Step("armor rating", str(scene.target.armor), beat, of="both"),
        Step("margin", signed(facts["margin"]), "the shot is lost" if verdict.lost else ""),
    ]
    if strike.mystic is not None:
        steps.append(Step("Mystic Test", str(strike.mystic), "to be reached"))
    if strike.weapon is None:
        steps.append(Step(MAYHEM, "yes" if facts["mayhem"] else "no", mayhem_note(strike.mystic, house)))
    if verdict.hit and strike.weapon and strike.mode != "single":
        most = most_bullets(strike.weapon, strike.mode, house)
        steps.append(Step("bullets", str(verdict.bullets), f"1, and 1 for each full 3 above; at most {most}"))
    if verdict.hit:
        of: Whose = "options" if scene.options.damage_modifier else "actor"
        steps.append(Step("damage", str(facts["damage"]), _damage_note(strike, verdict), of=of))
    return tuple(steps)


def _damage_note(strike: Strike, verdict: Verdict) -> str:
    """Return the damage formula, such as `twice 2d6, Str +3, each bullet`."""
    dice = f"twice {strike.dice}" if verdict.blow.factor > 1 else strike.dice
    added = "".join(f", {term.label} {signed(term.value)}" for term in strike.damage_terms)
    return f"{dice}{added}{', each bullet' if verdict.bullets > 1 else ''}"


ATTACK = Action(
    "attack",
    "Attack with a weapon or a spell: a hit test and its damage.",
    attack,
    AttackOptions,
    targets="many",
    facts={
        "face": "the die that counts",
        "total": "die + attribute + modifiers",
        "margin": "total - target.armor",
        "hit": "true/false",
        "critical": "face 20",
        "jammed": "this attack jammed the firearm",
        "mayhem": "Magical Mayhem; read from the face and the total, also on a hit",
        "bullets_hit": "0 on a miss, 1 for blows and single shots",
        "damage": "sum over the bullets, each at least 0",
        "loaded": "rounds left; only for weapons with a clip",
    },
    refusals=(
        Refusal("status", "the actor is not conscious"),
        Refusal("jammed", "the weapon is jammed"),
        Refusal(
            "mode",
            "the mode is not among the weapon's, a burst without a burst number, auto without a clip",
        ),
        Refusal("clip", "auto and the clip is not full"),
        Refusal("ammo", "fewer rounds than the shots to fire"),
        MARK_REFUSAL,
    ),
    group="combat",
    rules=("WAY-12", "WAY-21", "WAY-32", "WAY-55"),
    success="hit",
    amount="damage",
    side_effects=(
        SideEffect("jammed", "the gun jams", degree="jam"),
        SideEffect("mayhem", MAYHEM),
        SideEffect("critical", "critical"),
    ),
    close=lambda scene: in_melee(scene.actor, scene.options),
)
