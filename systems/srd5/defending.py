"""What the target of an attack does before the attack counts, such as a parry or a magic shield."""

from collections.abc import Mapping
from functools import lru_cache, partial
from typing import Any

from systems.contract.action import Scene
from systems.contract.interrupt import (
    NOT_INTERRUPTED,
    Interrupted,
    ReadyInterruption,
    enough_alone,
    interrupted,
    most_defence,
    ready_interruptions,
)
from systems.contract.interruption import UsedInterruption
from systems.contract.table import Table
from systems.frozen import evolve, frozen
from systems.schema.conversion import change_entry, entry_named
from systems.srd5.body import body_of, can_act
from systems.srd5.rolls import D20, Grade, Rolled, roll
from systems.srd5.sheet import Sheet, slots_of
from systems.text import listed

Defences = tuple[ReadyInterruption, ...]
NO_DEFENCES: Defences = ()
MELEE, RANGED = "melee", "ranged"


@lru_cache(maxsize=64)
def defences_against(
    scene: Scene[Sheet, Any, Any], ranged: bool, used: tuple[UsedInterruption, ...]
) -> Defences:
    """Return what combatants can do against an attack, without the reactions that have been `used`."""
    if scene.fight is None:
        return NO_DEFENCES
    kind = RANGED if ranged else MELEE
    ready = ready_interruptions(scene, "attacked")
    # Some of them have stopped a spell of the same action.
    spent = _spent_reactions(used, (*ready, *ready_interruptions(scene, "used"))) if used else frozenset()
    return tuple(
        each for each in ready if each.interruption.against in ("", kind) and each.reaction not in spent
    )


def _spent_reactions(used: tuple[UsedInterruption, ...], defences: Defences) -> frozenset[tuple[str, str]]:
    """Return the reactions that these interruptions have used up."""
    names = {(each.of, each.interrupt) for each in used}
    return frozenset(
        each.reaction for each in defences if (each.role or each.owner.id, each.interrupt.name) in names
    )


@frozen
class Windowed:
    """The grade of an attack, and how much more armour class would make it miss; 0: no amount would."""

    grade: str
    beaten_by: int = 0


@lru_cache(maxsize=512)
def _windowed(grade: Grade[str], ac: int, most: int) -> Grade[Windowed]:
    def window(face: int, total: int) -> Windowed:
        found = grade(face, total)
        margin = total - ac
        turns = found != "miss" and face != 20 and 0 <= margin < most
        return Windowed(found, margin + 1 if turns else 0)

    return window


def _in_words(defences: Defences, window: Windowed) -> str:
    """Return a grade with the defences that are enough against it: `hit, unless Shield`."""
    margin = window.beaten_by
    enough = [each.interruption.name for each in defences if margin and enough_alone(each, margin)]
    return f"{window.grade}, unless {listed(enough, 'or')}" if enough else window.grade


@frozen(eq=False)
class Defended:
    """An attack roll with what stopped it."""

    rolled: Rolled
    stopped: Interrupted = NOT_INTERRUPTED


def roll_against(
    table: Table, d20: D20, grade: Grade[str], ac: int, why: str, defences: Defences
) -> Defended:
    """Roll an attack, and ask for defences that can still turn the hit into a miss."""
    if not defences:
        return Defended(roll(table, d20, grade, why, needed=ac, words=str))
    graded = _windowed(grade, ac, most_defence(defences))
    rolled = roll(table, d20, graded, why, needed=ac, words=partial(_in_words, defences))
    stopped = interrupted(table, defences, rolled.grade.beaten_by)
    return Defended(evolve(rolled, grade="miss" if stopped.turned else rolled.grade.grade), stopped)


def raised_by(used: tuple[UsedInterruption, ...]) -> int:
    """Return how much the target's armour class stays raised for later attacks of the same action."""
    return sum(each.worth or 0 for each in used if each.gives and each.of == "target")


def cost_of_reaction(sheet: Sheet, line: Any) -> Mapping[str, object] | None:
    """Return what a reaction with a line of effects costs; None if its owner cannot take it (SRD-89)."""
    if sheet.reaction_used or not can_act(body_of(sheet)):
        return None
    changes: dict[str, object] = {"reaction_used": True}
    powers = sheet.powers
    # A line that stops an action names those of others in `of`.
    for name in (line.name,) if line.stops else line.of:
        power = entry_named(powers, name)
        if power is None:
            continue
        if power.slot:
            if (slots := slots_of(sheet, power.slot)) is None:
                return None
            changes["spell_slots"] = change_entry(sheet.spell_slots, slots, left=slots.left - 1)
        if not (power.uses_per_day or power.recharge):
            continue
        if power.spent or (power.uses_per_day and power.used >= power.uses_per_day):
            return None
        more = {"used": power.used + 1} if power.uses_per_day else {"spent": True}
        changes["powers"] = powers = change_entry(powers, power, **more)
    return changes
