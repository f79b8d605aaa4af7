"""Whether the number of points that a combatant has left changes nothing but how soon it falls.

Then what an action does to it is worked out once for all numbers of points.
"""

from collections.abc import Iterator
from typing import Any, Literal

from systems.commands.fights import known_interrupts
from systems.commands.scenes import condition_lines
from systems.encounter.model import Encounter
from systems.forecast.moves import policy_of

# More points than any harm; a sheet's field may hold fewer.
MANY_POINTS = 1_000_000
_STATES = ("hurt", "bloodied", "zero")
# The combatant that has an effect.
_Whose = Literal["its", "another's", "anybody's"]


def drained_field(encounter: Encounter, who: str, by: str | None = None) -> str:
    """Return the field of a combatant's sheet that harm only lowers; "" if more depends on its number.

    `by`: the combatant whose actions count; None for those of all its foes.
    """
    game, sheet = encounter.game, encounter.combatants[who].sheet
    name = policy_of(game).drained(sheet, encounter.house)
    if not name or game.harm_fields != (name,):
        return ""
    states = {*_STATES, *(status.name for status in game.statuses)}
    reads = any(_reads_points(line, whose, states) for line, whose in _lines(encounter, who, by))
    return "" if reads else name


def _lines(encounter: Encounter, who: str, by: str | None) -> Iterator[tuple[Any, _Whose]]:
    """Yield all effects that may count in the actions: those of sheets and those of conditions.

    Of the others in the fight, only those that could interrupt take part, with an aura or a reaction. Whoever
    has a condition of the game is not known.
    """
    rules = encounter.game.effects
    if rules is None:
        return
    side = encounter.combatants[who].side
    for combatant in encounter:
        acts = combatant.side != side if by is None else combatant.id == by
        whose: _Whose = "its" if combatant.id == who else "another's"
        lines = (*rules.lines(combatant.sheet), *condition_lines(encounter, combatant))
        if acts or combatant.id == who:
            yield from ((line, whose) for line in lines)
        elif known_interrupts(encounter, combatant):
            yield from ((line, whose) for line in lines if _counts_for_others(line))
    for condition in encounter.game.conditions:
        yield from ((line, "anybody's") for line in condition.lines())


def _counts_for_others(line: Any) -> bool:
    """Return whether an effect may take part in an action between two others."""
    return line.when == "always" or line.whose not in ("own", "target")


def _reads_points(line: Any, whose: _Whose, states: set[str]) -> bool:
    """Return whether an effect depends on the points of a combatant, or takes them in a way of its own."""
    asked = (*line.target_is, *line.target_is_not)
    if whose != "another's":
        asked = (*asked, *line.self_is, *line.self_is_not)
    return bool(line.hp_at_most or line.slays or line.lowers or not states.isdisjoint(asked))
