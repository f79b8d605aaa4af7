"""The habits of a creature, which say how it chooses. `systems.contract.sheet.HABITS` lists them.

There is no map, so a creature that flees first gets away from the foes that are near it. As soon as none of
them is, it leaves the fight.
"""

from collections.abc import Sequence

from systems.contract.policy import Move
from systems.encounter.model import Combatant, Encounter
from systems.forecast.worth import acts, full_points, points

# The moves of a creature that flees. They are commands of every game.
GET_AWAY = Move("apart", {}, "itself", first=True)
LEAVE = Move("flee", {}, "itself", first=True)


def has(combatant: Combatant, habit: str) -> bool:
    """Return whether a combatant has a habit."""
    habits: Sequence[str] | None = combatant.sheet.habits
    return habits is not None and habit in habits


def flight_of(encounter: Encounter, who: str) -> Move | None:
    """Return the move of a combatant that flees now; None if it does not."""
    if not flees(encounter, who):
        return None
    combatant = encounter.combatants[who]
    is_held = any(
        near.side != combatant.side and acts(encounter, near.id) for near in encounter.neighbours(combatant)
    )
    return GET_AWAY if is_held else LEAVE


def is_flight(move: Move) -> bool:
    """Return whether a creature flees by this move, which ends what it does in its turn."""
    return move.action in (GET_AWAY.action, LEAVE.action)


def flees(encounter: Encounter, who: str) -> bool:
    """Return whether a combatant flees now: at half of its points, or as the last of several on its side."""
    combatant = encounter.combatants[who]
    if not combatant.sheet.habits:
        return False
    if has(combatant, "flees when bloodied") and 2 * points(encounter, who) <= full_points(encounter, who):
        return True
    if not has(combatant, "flees when alone"):
        return False
    others = [other for other in encounter if other.side == combatant.side and other.id != who]
    return bool(others) and not any(acts(encounter, other.id) and not other.state.away for other in others)


def preferred(encounter: Encounter, who: str, foes: Sequence[Combatant]) -> Sequence[Combatant]:
    """Return the foes that a combatant goes for, by its habits; all of them without such a habit."""
    combatant = encounter.combatants[who]
    if not combatant.sheet.habits or not foes:
        return foes
    if has(combatant, "fights those near it"):
        near = {other.id for other in encounter.neighbours(combatant)}
        foes = [foe for foe in foes if foe.id in near] or foes
    if has(combatant, "swarms the weakest"):
        fewest = min(points(encounter, foe.id) for foe in foes)
        return [foe for foe in foes if points(encounter, foe.id) == fewest]
    if has(combatant, "goes for the strongest"):
        most = max(points(encounter, foe.id) for foe in foes)
        return [foe for foe in foes if points(encounter, foe.id) == most]
    return foes
