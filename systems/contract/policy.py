"""A game's policy: what a combatant may sensibly do in its turn.

A game lists moves; the forecast values them with the odds of the very actions, and chooses. Without a policy
of its own, a game's combatants attack with each of their weapons.
"""

from collections.abc import Callable, Mapping
from typing import Any, Literal

from systems.frozen import frozen

Aim = Literal["foe", "foes", "all foes", "fallen ally", "itself"]


@frozen
class Move:
    """One thing that a combatant could do: an action with its options, and whom it is aimed at.

    `options`: values by name; the action's own defaults for the rest. `aim`: one foe, several foes near each
    other, all foes, a friend who cannot act, or the actor itself. `first`: it comes before anything else,
    such as reloading an empty gun or standing up. The first such move that the rules allow is taken. `turns`:
    how many turns it costs, such as two if a gun has to be loaded after it. A choice shares its worth among
    them.
    """

    action: str
    options: Mapping[str, object] = {}
    aim: Aim = "foe"
    first: bool = False
    turns: int = 1


@frozen
class Policy:
    """The moves of a sheet, and how many actions its turn has.

    `moves(sheet, house)`: in the order in which equally good ones are chosen. `times(sheet, house)`: the most
    actions in one turn; the rules may refuse the next one before. `is_area(sheet, options)`: whether an
    action that is offered at the end of another's turn strikes several, by its options. `free`: the actions
    that `times` adds to them when they are needed, such as standing up. `spares`: the conditions that keep a
    combatant from harming their source. `drained(sheet, house)`: the field of a target's sheet that all moves
    only lower. The number left in it changes nothing else, and with 0 or less the target cannot act.
    Then dangers and forecasts are calculated much faster. "" if more depends on it. `alike(sheet, house)`:
    values of fields that change no move's worth, such as one spell slot in place of several. A
    move takes the same from such a number, however great it is. Plans and forecasts use them when they
    compare sheets.
    """

    moves: Callable[[Any, Any], tuple[Move, ...]]
    times: Callable[[Any, Any], int] = lambda sheet, house: 1
    is_area: Callable[[Any, Mapping[str, object]], bool] = lambda sheet, options: False
    free: frozenset[str] = frozenset()
    spares: frozenset[str] = frozenset()
    drained: Callable[[Any, Any], str] = lambda sheet, house: ""
    alike: Callable[[Any, Any], Mapping[str, object]] = lambda sheet, house: {}
