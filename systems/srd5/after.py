"""What effects do after a hit or a failed save: healing, lowered maximums, conditions that end, death."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from systems.contract.action import Scene
from systems.contract.marked_text import possessive
from systems.contract.outcome import EndedCondition, Hurt, Role
from systems.contract.table import Table
from systems.frozen import frozen
from systems.schema.conversion import replace
from systems.srd5.body import body_of, healed, is_dead
from systems.srd5.sheet import Sheet

if TYPE_CHECKING:
    from systems.effects.words import EffectLine

Amounts = Sequence[tuple[str, int]]
LOWERED = {"max_hp": "max_hp_lost", "strength": "strength_lost"}


@frozen(eq=False)
class Aftermath:
    """The sheets of both sides after the effects of an attack or a power, conditions that end, and words."""

    actor: Sheet
    target: Sheet
    ends: tuple[EndedCondition, ...] = ()
    words: tuple[str, ...] = ()

    def changes(self, before: Sheet, role: Role) -> dict[str, object]:
        """Return the fields that differ from a sheet before."""
        after = self.actor if role == "actor" else self.target
        if after is before:
            return {}
        names = ("hp", "temp_hp", "max_hp", "max_hp_lost", "strength", "strength_lost", "death_failures")
        return {name: now for name in names if (now := getattr(after, name)) != getattr(before, name)}


def hurt_of(amounts: Amounts, total: int, role: Role = "target") -> tuple[Hurt, ...]:
    """Return the damage of each type as effects see it; without types if they do not add up."""
    by_type: dict[str, int] = {}
    for type, amount in amounts:
        by_type[type] = by_type.get(type, 0) + amount
    known = sum(by_type.values()) == total
    return (Hurt(role, total, tuple(by_type.items()) if known else ()),) if total else ()


def aftermath(
    scene: Scene[Sheet, Any, Any],
    table: Table,
    lines: Iterable["EffectLine"],
    amounts: Amounts,
    so_far: Aftermath,
) -> Aftermath:
    """Return what these lines do after damage of these types."""
    for line in lines:
        so_far = _after(scene, table, line, amounts, so_far)
    return so_far


def slain(sheet: Sheet) -> dict[str, object]:
    """Return the changes of a sheet whose owner dies at once."""
    return {"hp": 0} if sheet.dies_at_zero else {"hp": 0, "death_failures": 3}


def restored(sheet: Sheet, *, long: bool) -> Sheet:
    """Return a sheet after a rest, which restores what was lowered; the maximum needs a long rest."""
    changes: dict[str, object] = {}
    for name, lost in LOWERED.items():
        if getattr(sheet, lost) and (long or name != "max_hp"):
            changes |= {name: getattr(sheet, name) + getattr(sheet, lost), lost: 0}
    return replace(sheet, **changes) if changes else sheet


def _after(
    scene: Scene[Sheet, Any, Any], table: Table, line: "EffectLine", amounts: Amounts, so_far: Aftermath
) -> Aftermath:
    actor, target = so_far.actor, so_far.target
    words, ends = list(so_far.words), list(so_far.ends)
    own = line.affected == "self"
    name = scene.actor_name if own else scene.target_name
    damage = sum(amount for type, amount in amounts if not line.types or type in line.types)
    if line.lowers is not None and not is_dead(body_of(target)):
        amount = table.roll(line.amount, line.name, "actor") if line.amount else damage
        target = _lowered(target, line.lowers, amount)
        lowered = f"{possessive(scene.target_name)} {_LABELS[line.lowers]}"
        words += [f"{lowered} falls by {amount}"] if amount else []
    if line.slays:
        target = replace(target, **slain(target))
        words.append(f"{scene.target_name} dies")
    if line.drain and damage:
        actor, gained = _gains(actor, damage)
        words.append(f"{scene.actor_name} regains {gained}")
    if line.heal is not None:
        amount = max(0, table.roll(line.heal, f"healing, {line.name}", "actor"))
        side, gained = _gains(actor if own else target, amount)
        actor, target = (side, target) if own else (actor, side)
        words.append(f"{name} regains {gained}")
    if line.temp_hp is not None:
        amount = max(0, table.roll(line.temp_hp, f"temporary hit points, {line.name}", "actor"))
        side = actor if own else target
        side = replace(side, temp_hp=max(side.temp_hp, amount))
        actor, target = (side, target) if own else (actor, side)
        words.append(f"{name} gains {amount} temporary hit points")
    if line.ends:
        ends.append(EndedCondition("actor" if own else "target", line.ends))
    return Aftermath(actor, target, tuple(ends), tuple(words))


_LABELS = {"max_hp": "hit point maximum", "strength": "Strength"}


def _gains(sheet: Sheet, amount: int) -> tuple[Sheet, int]:
    after, gained = healed(body_of(sheet), amount)
    return replace(sheet, **after.changes()), gained


def _lowered(sheet: Sheet, name: str, amount: int) -> Sheet:
    """Return a sheet with a lowered maximum or ability; at 0 its owner is dead."""
    value, lost = getattr(sheet, name), LOWERED[name]
    least = 0 if name == "max_hp" else 1
    fallen = min(amount, value - least)
    after = replace(sheet, **{name: value - fallen, lost: getattr(sheet, lost) + fallen})
    if name == "max_hp":
        return replace(after, hp=min(after.hp, after.max_hp))
    return replace(after, **slain(after)) if amount >= value else after
