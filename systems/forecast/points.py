"""Whether the number of points that a combatant has left changes nothing but how soon it falls.

Then what an action does to it is worked out once for all numbers of points.
"""

from collections.abc import Iterator
from typing import Any

from systems.commands.fights import known_interrupts
from systems.commands.scenes import condition_lines
from systems.encounter.model import Encounter
from systems.forecast.moves import policy_of

# More points than any harm; a sheet's field may hold fewer.
MANY_POINTS = 1_000_000
_STATES = ("hurt", "bloodied", "zero")


def drained_field(encounter: Encounter, who: str, by: str | None = None) -> str:
    """Return the field of a combatant's sheet that harm only lowers; "" if more depends on its number.

    `by`: the combatant whose actions count; None for those of all its foes.
    """
    game, sheet = encounter.game, encounter.combatants[who].sheet
    name = policy_of(game).drained(sheet, encounter.house)
    if not name or game.harm_fields != (name,):
        return ""
    states = {*_STATES, *(status.name for status in game.statuses)}
    return "" if any(_reads_points(line, states) for line in _lines(encounter, who, by)) else name


def _lines(encounter: Encounter, who: str, by: str | None) -> Iterator[Any]:
    """Yield all effects that may count in the actions: those of sheets and those of conditions.

    Of the others in the fight, only those that could interrupt take part, with an aura or a reaction.
    """
    rules = encounter.game.effects
    if rules is None:
        return
    side = encounter.combatants[who].side
    for combatant in encounter:
        acts = combatant.side != side if by is None else combatant.id == by
        if acts or combatant.id == who:
            yield from rules.lines(combatant.sheet)
            yield from condition_lines(encounter, combatant)
        elif known_interrupts(encounter, combatant):
            yield from (line for line in rules.lines(combatant.sheet) if _counts_for_others(line))
            yield from condition_lines(encounter, combatant)
    for condition in encounter.game.conditions:
        yield from condition.lines()


def _counts_for_others(line: Any) -> bool:
    """Return whether an effect may take part in an action between two others."""
    return line.when == "always" or line.whose not in ("own", "target")


def _reads_points(line: Any, states: set[str]) -> bool:
    """Return whether an effect depends on the points of a combatant, or takes them in a way of its own."""
    asked = (*line.self_is, *line.self_is_not, *line.target_is, *line.target_is_not)
    return bool(line.hp_at_most or line.slays or line.lowers or not states.isdisjoint(asked))
