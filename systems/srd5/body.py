"""What happens to a creature: conditions, damage, falling, healing, and the state that follows.

A `Vitals` is the part of a sheet that an action can change in a creature. It is a small value, so results are
remembered for each body, and odds run fast.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from operator import attrgetter
from typing import Any

from systems.contract.outcome import Ask, EndedCondition, GivenCondition, Role
from systems.effects.meaning import is_among
from systems.frozen import evolve, frozen
from systems.srd5.house import House
from systems.srd5.sheet import GIVABLE, MOST_EXHAUSTION, NO_CONCENTRATION, Sheet

_HELPLESS = frozenset(("paralyzed", "petrified", "stunned", "unconscious"))
_HELD = frozenset(("grappled", "paralyzed", "petrified", "restrained", "unconscious"))
USUAL_WALK = 30
_REMEMBERED = 2048


@frozen
class Vitals:
    """The changeable part of a creature, and its sheet for all that stays; equal only for the same sheet."""

    sheet: Sheet
    hp: int
    temp_hp: int
    conditions: tuple[str, ...]
    escape_dc: int
    grapple_restrains: bool
    exhaustion: int
    death_successes: int
    death_failures: int
    stable: bool
    knocked_out: bool
    concentrating: str
    regeneration_stopped: bool
    legendary_resistances_left: int
    distracted: bool

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Vitals):
            return NotImplemented
        return self.sheet is other.sheet and _values(self) == _values(other)

    def __hash__(self) -> int:
        held = self.__dict__
        known: int | None = held.get("_hash")  # remembered results ask for it often
        if known is None:
            known = held["_hash"] = hash((id(self.sheet), _values(self)))
        return known

    def changes(self) -> dict[str, object]:
        """Return the fields of the sheet that differ."""
        fields = zip(FIELDS, _values(self), _values(self.sheet), strict=True)
        return {name: now for name, now, before in fields if now != before}


FIELDS = tuple(name for name in Vitals.__annotations__ if name != "sheet")
_values = attrgetter(*FIELDS)
# By the id of the sheet, which each body keeps alive.
_bodies: dict[int, Vitals] = {}


def body_of(sheet: Sheet) -> Vitals:
    """Return the body of a sheet as it is, made once for each sheet."""
    known = _bodies.get(id(sheet))
    if known is None:
        if len(_bodies) >= _REMEMBERED:
            _bodies.clear()
        known = _bodies[id(sheet)] = Vitals(sheet, *_values(sheet))
    return known


# What it is now.


@lru_cache(maxsize=_REMEMBERED)
def is_dead(body: Vitals) -> bool:
    """Return whether it is dead (SRD-37, SRD-40, SRD-44)."""
    sheet = body.sheet
    if sheet.max_hp == 0 or body.exhaustion == MOST_EXHAUSTION:
        return True
    if body.hp > 0:
        return False
    return body.death_failures == 3 or (sheet.dies_at_zero and not lives_on(sheet))


def lives_on(sheet: Sheet) -> bool:
    """Return whether it dies only when it does not regenerate (R29)."""
    return sheet.regeneration > 0 and sheet.regenerates_at_zero


@lru_cache(maxsize=_REMEMBERED)
def has(body: Vitals) -> frozenset[str]:
    """Return the conditions that have an effect now."""
    immune = body.sheet.condition_immunities
    found = {name for name in body.conditions if name not in immune}
    if "petrified" in found:
        found.discard("poisoned")
    out = body.hp == 0 or body.knocked_out
    if out:
        found.add("unconscious")
    if "unconscious" in found and "prone" not in immune:
        found.add("prone")
    if out or (not found.isdisjoint(_HELPLESS) and "incapacitated" not in immune):
        found.add("incapacitated")
    return frozenset(found)


def can_act(body: Vitals) -> bool:
    """Return whether it is neither dead nor incapacitated; at 0 hit points it is incapacitated."""
    return not is_dead(body) and "incapacitated" not in has(body)


def walking_speed(body: Vitals) -> int:
    """Return the walking speed now (SRD-92)."""
    if is_dead(body) or not has(body).isdisjoint(_HELD):
        return 0
    return max(0, usual_walk(body.sheet) - 5 * body.exhaustion)


def usual_walk(sheet: Sheet) -> int:
    """Return the walking speed without conditions."""
    return sheet.speed.get("walk", USUAL_WALK)


def held_by(body: Vitals) -> list[str]:
    """Return the conditions that keep it from moving, by name."""
    return sorted(has(body) & _HELD)


def dodging_helps(body: Vitals) -> bool:
    """Return whether it dodges and dodging helps (SRD-66, R22)."""
    return body.sheet.dodging and can_act(body) and walking_speed(body) > 0


def is_unseen(body: Vitals, hidden_dc: int) -> bool:
    """Return whether it is invisible or hidden (SRD-20, SRD-55, SRD-68)."""
    return hidden_dc > 0 or "invisible" in has(body)


def has_death_saves(body: Vitals) -> bool:
    """Return whether it has death saves to make (SRD-39)."""
    return body.hp == 0 and not body.stable and not body.sheet.dies_at_zero and not is_dead(body)


def is_bloodied(body: Vitals) -> bool:
    """Return whether it has half its hit points or fewer (SRD-35)."""
    return 2 * body.hp <= body.sheet.max_hp


def status_of(body: Vitals) -> str:
    """Return the status, the first that fits."""
    if is_dead(body):
        return "dead"
    if body.hp == 0:
        return "stable" if body.stable else "dying"
    held = has(body)
    for name in ("unconscious", "incapacitated"):
        if name in held:
            return name
    return "bloodied" if is_bloodied(body) else "active"


# Conditions given and taken.


def is_immune(body: Vitals, condition: str) -> bool:
    """Return whether a condition is never given to it (SRD-57, SRD-63)."""
    if condition in body.sheet.condition_immunities:
        return True
    return condition == "poisoned" and "petrified" in has(body)


@lru_cache(maxsize=_REMEMBERED)
def given(body: Vitals, conditions: tuple[str, ...], escape_dc: int) -> tuple[Vitals, tuple[str, ...]]:
    """Return the body with conditions of one hit, power or save, and the new ones (SRD-48, SRD-63)."""
    new: list[str] = []
    for condition in conditions:
        after = _given_one(body, condition, escape_dc)
        if after is not body:
            new.append(condition)
            body = after
    if "grappled" in new and "restrained" in new:
        body = evolve(body, grapple_restrains=True)
    return body, tuple(new)


def _given_one(body: Vitals, condition: str, escape_dc: int) -> Vitals:
    if condition not in GIVABLE or is_dead(body) or is_immune(body, condition):
        return body
    if condition == "exhaustion":
        return let_go(evolve(body, exhaustion=body.exhaustion + 1))
    if condition in body.conditions:
        return body
    found = evolve(body, conditions=(*body.conditions, condition))
    if condition == "unconscious" and "prone" not in found.conditions and not is_immune(body, "prone"):
        found = evolve(found, conditions=(*found.conditions, "prone"))
    if condition == "grappled":
        found = evolve(found, escape_dc=escape_dc)
    return let_go(found)


def let_go(body: Vitals) -> Vitals:
    """Return the body without its concentration if it cannot act (SRD-80)."""
    if body.concentrating == NO_CONCENTRATION or can_act(body):
        return body
    return evolve(body, concentrating=NO_CONCENTRATION)


def without(body: Vitals, condition: str) -> Vitals:
    """Return the body without a condition, or one level of exhaustion less; the same body if it has none."""
    if condition == "exhaustion":
        return evolve(body, exhaustion=body.exhaustion - 1) if body.exhaustion else body
    if condition not in body.conditions:
        return body
    gone = {condition}
    changes: dict[str, object] = {}
    if condition == "grappled":
        changes["escape_dc"] = 0
        if body.grapple_restrains:
            gone.add("restrained")
            changes["grapple_restrains"] = False
    kept = tuple(name for name in body.conditions if name not in gone)
    return evolve(body, conditions=kept, **changes)


def ended(body: Vitals, conditions: Iterable[str]) -> tuple[Vitals, tuple[str, ...]]:
    """Return the body without these conditions, as a save ends them, and the ended ones."""
    gone: list[str] = []
    for condition in conditions:
        if condition == "unconscious" and (body.hp == 0 or body.knocked_out):
            continue
        after = without(body, condition)
        if after is not body:
            gone.append(condition)
            body = after
    return body, tuple(gone)


# Hit points.


def woken(body: Vitals) -> Vitals:
    """Return the body awake: neither knocked out nor unconscious (SRD-36)."""
    return without(evolve(body, knocked_out=False), "unconscious")


@lru_cache(maxsize=_REMEMBERED)
def healed(body: Vitals, amount: int) -> tuple[Vitals, int]:
    """Return the body with hit points given back, and how many; the dead get none (SRD-34, SRD-47)."""
    gained = 0 if is_dead(body) else max(0, min(amount, body.sheet.max_hp - body.hp))
    if not gained:
        return body, 0
    after = evolve(
        body, hp=body.hp + gained, death_successes=0, death_failures=0, stable=False, knocked_out=False
    )
    if body.hp == 0 or body.knocked_out:
        after = without(after, "unconscious")
    return after, gained


@frozen
class HurtVitals:
    """What damage does to a body: the body after it, and how it fell.

    `holds`: undead fortitude keeps it at 1 hit point if its save is passed; `body` is then the body without
    that save.
    """

    body: Vitals
    fell: str = "none"
    holds: bool = False


def hurt_once(
    body: Vitals,
    damage: int,
    house: House,
    critical: bool = False,
    knock_out: bool = False,
    stops: bool = False,
    radiant: bool = False,
) -> HurtVitals:
    """Return what damage does, after resistance and the rest (SRD-32, SRD-36 to SRD-43, SRD-87).

    `stops`: some of it stops regeneration. `radiant`: some of it is radiant. A caller that remembers results
    itself uses this function, others `hurt`.
    """
    if damage == 0 or is_dead(body):
        return HurtVitals(body)
    sheet = body.sheet
    absorbed = min(body.temp_hp, damage)
    rest, over = damage - absorbed, damage - absorbed - body.hp
    found = body
    if absorbed or stops:
        left, stopped = body.temp_hp - absorbed, body.regeneration_stopped or stops
        found = evolve(body, temp_hp=left, regeneration_stopped=stopped)
    if body.hp == 0:
        return _hurt_at_zero(found, rest, house, critical)
    if over < 0:
        return HurtVitals(let_go(evolve(found, hp=body.hp - rest)))
    if knock_out:
        after = evolve(found, hp=1, knocked_out=True, conditions=_fallen(found))
        return HurtVitals(let_go(after), "knocked_out")
    holds = sheet.undead_fortitude and not critical and not radiant
    found = evolve(found, hp=0, knocked_out=False)
    if sheet.dies_at_zero and not lives_on(sheet):
        return HurtVitals(let_go(found), "dead", holds)
    if not sheet.dies_at_zero and over >= sheet.max_hp and house.massive_damage:
        return HurtVitals(let_go(evolve(found, death_failures=3)), "dead", holds)
    found = evolve(found, conditions=_fallen(found), death_successes=0, death_failures=0, stable=False)
    if house.exhaustion_at_zero and not sheet.dies_at_zero:
        found = _given_one(found, "exhaustion", 0)
    return HurtVitals(let_go(found), "dead" if is_dead(found) else "unconscious", holds)


hurt = lru_cache(maxsize=_REMEMBERED)(hurt_once)


def _hurt_at_zero(body: Vitals, rest: int, house: House, critical: bool) -> HurtVitals:
    """Return the failed death saves of a body that is hurt at 0 hit points (SRD-42, SRD-43, R7)."""
    if body.sheet.dies_at_zero:
        return HurtVitals(let_go(body))
    massive = house.massive_damage and rest >= body.sheet.max_hp
    failures = min(3, body.death_failures + (3 if massive else 2 if critical else 1))
    found = let_go(evolve(body, stable=False, death_failures=failures))
    return HurtVitals(found, "dead" if is_dead(found) else "none")


def held_up(hurt: HurtVitals, before: Vitals) -> HurtVitals:
    """Return the body at 1 hit point that undead fortitude keeps up (SRD-87)."""
    after = evolve(
        before, hp=1, temp_hp=hurt.body.temp_hp, regeneration_stopped=hurt.body.regeneration_stopped
    )
    return HurtVitals(let_go(after), "fortitude")


def _fallen(body: Vitals) -> tuple[str, ...]:
    """Return the conditions with unconscious and prone at the end; prone unless it is immune (R8)."""
    kept = body.conditions
    new = [name for name in ("unconscious", "prone") if name not in kept]
    if "prone" in new and is_immune(body, "prone"):
        new.remove("prone")
    return (*kept, *new)


def concentration_dc(damage: int) -> int:
    """Return what the save that keeps up concentration must reach (SRD-79)."""
    return max(10, min(30, damage // 2))


def concentration_due(body: Vitals, damage: int) -> int:
    """Return what the save must reach that damage asks of a body; 0 if it asks none (SRD-79, SRD-80)."""
    return concentration_dc(damage) if damage > 0 and concentrates(body) and not is_dead(body) else 0


def concentrates(body: Vitals) -> bool:
    """Return whether it concentrates on something."""
    return body.concentrating != NO_CONCENTRATION


def concentration_asks(name: str, body: Vitals, due: int, damage: int, by: Role) -> tuple[Ask, ...]:
    """Return the save that keeps up concentration, if one is due (SRD-79)."""
    if not due:
        return ()
    says = f"{name} concentrates on {body.concentrating}: a save of {due} keeps it up."
    return (Ask(says, "concentration", by, options={"damage": damage}, due=True),)


def keeps_up(sheet: Sheet) -> tuple[str, ...]:
    """Return the conditions that a combatant keeps up by concentration, also those of effects (SRD-78)."""
    now = sheet.concentrating
    if now == NO_CONCENTRATION:
        return ()
    powers = [power for power in sheet.powers if power.name == now and power.concentration]
    lines = [line for line in sheet.effects if is_among((now,), line.of) or line.name == now]
    named = [name for power in powers for name in (*power.conditions, *power.later_conditions)]
    named += [name for line in lines for name in (line.condition, line.worse) if name]
    return tuple(dict.fromkeys(named))


def ends_with(sheet: Sheet, now: str, role: Role) -> tuple[EndedCondition, ...]:
    """Return the conditions that end because a combatant no longer concentrates on the power that gave them.

    `now`: what it concentrates on from now on. `role`: its role.
    """
    names = () if sheet.concentrating == now else keeps_up(sheet)
    return tuple(EndedCondition("everybody", name, given_by=role) for name in names)


_NONE: Mapping[str, Any] = {}


def conditions_given(
    names: Iterable[str],
    who: str,
    lasting: Mapping[str, GivenCondition] = _NONE,
    brought: Mapping[str, tuple[GivenCondition, ...]] = _NONE,
) -> tuple[GivenCondition, ...]:
    """Return the conditions that the tracker shows; exhaustion is a number of the sheet.

    `lasting`: how long some of them last. `brought`: what some of them bring. Restrained ends with a grapple
    that comes with it (SRD-48).
    """
    given = [name for name in dict.fromkeys(names) if name != "exhaustion"]
    more = [each for name in given for each in brought.get(name, ())]
    named = {each.condition for each in more}
    if "grappled" in given and "restrained" in given and "restrained" not in named:
        restrained = lasting.get("restrained") or GivenCondition(who, "restrained")
        more.append(evolve(restrained, brought_by="grappled"))
        named.add("restrained")
    own = (lasting.get(name) or GivenCondition(who, name) for name in given if name not in named)
    return (*own, *more)
