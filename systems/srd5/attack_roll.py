"""The roll of an attack: its advantages and terms, the armour class, and when it hits."""

from functools import lru_cache
from typing import Any

from systems.contract.outcome import Term, optional_term, owned
from systems.srd5.aim import AttackAim
from systems.srd5.body import Vitals, body_of, dodging_helps, has, is_unseen
from systems.srd5.current import Strike
from systems.srd5.rolls import D20, exhaustion_term, way_of, with_dice
from systems.srd5.saves import COVER
from systems.srd5.sheet import Attack
from systems.srd5.words import before_roll

_EXPOSED = frozenset(("blinded", "paralyzed", "petrified", "restrained", "stunned", "unconscious"))


_HINDERED = frozenset(("blinded", "poisoned", "prone", "restrained"))


def _has_ally_near(scene: Strike) -> bool:
    """Return whether the game master has said that an able ally is near the target (SRD-85)."""
    fight = scene.fight
    return fight is not None and fight.ally_near(scene.actor_id, scene.target_id) is not None


@lru_cache(maxsize=64)
def d20_of_attack(scene: Strike, entry: Attack, aim: AttackAim, hidden: bool, body: Vitals) -> D20:
    """Return how the attack is rolled against a body: its way and its terms (SRD-04, SRD-05, SRD-12)."""
    actor, options, house = scene.actor, scene.options, scene.house
    mine, theirs = has(body_of(actor)), has(body)
    unseen = (hidden or "invisible" in mine) and not options.actor_seen
    flanks = house.flanking in ("advantage", "plus_two") and options.flanking and not aim.ranged
    changed = before_roll(scene, entry.name)
    beset = options.threatened if aim.ranged else False
    if beset is None:
        beset = aim.near and theirs.isdisjoint(("incapacitated", "blinded")) and not unseen
    advantages = (
        options.advantage,
        not theirs.isdisjoint(_EXPOSED),
        unseen,
        body.distracted,
        "prone" in theirs and aim.near,
        actor.pack_tactics and (options.ally_near or _has_ally_near(scene)),
        flanks and house.flanking == "advantage",
        changed is not None and changed.edge > 0,
    )
    target_unseen = is_unseen(body, body.sheet.hidden_dc) and not options.target_seen
    disadvantages = (
        options.disadvantage,
        not mine.isdisjoint(_HINDERED),
        "frightened" in mine and options.fear_in_sight,
        "grappled" in mine and not options.against_grappler,
        target_unseen,
        aim.far,
        "prone" in theirs and not aim.near,
        dodging_helps(body) and "blinded" not in theirs and not unseen,
        beset,
        changed is not None and changed.edge < 0,
    )
    terms = (
        Term(entry.name, entry.to_hit, of="actor"),
        *owned("both", *(changed.bonus if changed else ())),
        *owned("both", *optional_term("flanking", 2 if flanks and house.flanking == "plus_two" else 0)),
        *owned("actor", *exhaustion_term(actor.exhaustion)),
        *scene.option_terms("modifier"),
    )
    way = way_of(any(advantages), any(disadvantages))
    dice = [die for die, _ in changed.extra] if changed else []
    bonus = with_dice(options.bonus_dice, dice, taken=False)
    return D20(way, terms, bonus, with_dice(options.penalty_dice, dice, taken=True))


@lru_cache(maxsize=512)
def graded_attack(ac: int, critical_from: int, open_to_criticals: bool) -> Any:
    """Return the grade of an attack roll: miss, hit or critical (SRD-12, SRD-13, R6)."""

    def grade(face: int, total: int) -> str:
        if face == 1 or (face != 20 and total < ac):
            return "miss"
        return "critical" if open_to_criticals or face >= critical_from else "hit"

    return grade


def armour_class(scene: Strike, attack: str) -> int:
    """Return the armour class with cover (SRD-14) and what effects add against an attack of this name."""
    changed = before_roll(scene, attack)
    added = sum(term.value for term in changed.defence) if changed else 0
    return scene.target.ac + COVER.get(scene.options.cover, 0) + added
