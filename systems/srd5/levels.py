"""The sums of damage at which a creature changes; in odds, sums between two of them are one branch."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from systems.contract.action import Scene
from systems.contract.damage import DamageTally, Levels
from systems.contract.table import Table
from systems.frozen import evolve
from systems.srd5.body import Vitals
from systems.srd5.damage import DamageDice, defence_of, is_uncertain, rolls_of
from systems.srd5.house import House
from systems.srd5.sheet import Sheet

if TYPE_CHECKING:
    from systems.effects.words import EffectLine

_UNARMED = "1 bludgeoning"


@lru_cache(maxsize=512)
def levels_of(body: Vitals, house: House, first: bool, lost: int = 0) -> Levels:
    """Return the sums of further damage at which more changes than the number of hit points.

    `first`: it has not been hurt before by the same action. `lost`: by how much its maximum falls.
    """
    most = body.sheet.max_hp
    if body.hp == 0:
        found = {1, body.temp_hp, body.temp_hp + most}
    else:
        points = body.hp + body.temp_hp
        found = {1} if first else set()
        found |= {body.temp_hp, body.temp_hp + 1} if body.temp_hp else set()
        found |= {points - max(0, most - lost) // 2, points}
        found |= {points + most} if house.massive_damage and not body.sheet.dies_at_zero else set()
    return tuple(sorted(level for level in found if level > 0))


def hurt_by_sum(body: Vitals, fell: str, more: int) -> Vitals:
    """Return a body that was hurt by a level of damage, after `more` damage of the same level.

    `fell`: how it fell; then no hit points are left to lose.
    """
    if not more or fell != "none":
        return body
    absorbed = min(body.temp_hp, more)
    return evolve(body, temp_hp=body.temp_hp - absorbed, hp=body.hp - (more - absorbed))


def left_in_odds(
    table: Table, before: Vitals, after: Vitals, fell: str, tally: DamageTally
) -> dict[str, object] | None:
    """Return the hit points left after each sum of a branch, in odds to which only changes matter.

    None if each sum needs a branch of its own. `after`: the body after the level that all sums have reached.
    """
    if not table.only_changes or before.temp_hp:
        return None
    return {} if fell != "none" else {"hp": tally.left_of(after.hp)}


def counts_singly(
    body: Vitals, rolls: Sequence[DamageDice], later: Iterable["EffectLine"] = (), *, halved: bool = False
) -> bool:
    """Return whether more than the sum of the damage counts for a body, so that there are no levels.

    `rolls`: the dice of the damage. `later`: effects that follow it. `halved`: a save may halve it.
    """
    sheet = body.sheet
    if not {roll.type for roll in rolls}.isdisjoint(sheet.absorbs):
        return True
    if is_uncertain(rolls, defence_of(body, halved), sheet.regeneration_stopped_by):
        return True
    return any(line.lowers or ((line.heal or line.temp_hp) and line.affected != "self") for line in later)


def types_apart(later: Iterable["EffectLine"]) -> tuple[str, ...]:
    """Return the types of damage by which effects lower the maximum."""
    return tuple(dict.fromkeys(type for line in later if line.lowers == "max_hp" for type in line.types))


def rolls_of_actor(scene: Scene[Sheet, Any, House]) -> tuple[DamageDice, ...]:
    """Return the dice of all damage that the attacks of an actor and its effects can do."""
    sheet = scene.actor
    texts = {_UNARMED}
    for entry in sheet.attacks:
        texts |= {*entry.damage, *entry.save_damage}
    for line in (*sheet.effects, *scene.actor_lines):
        texts |= {*line.damage}
    return rolls_of(tuple(sorted(texts)), scene.house)
