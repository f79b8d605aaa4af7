"""Reactions: what a game lays before others when somebody has acted, or when somebody's turn ends."""

from collections.abc import Callable
from typing import Any, Literal

from systems.contract.outcome import Ask
from systems.frozen import frozen

TURN_END = "turn_end"


def _always(sheet: Any, house: Any) -> bool:
    return True


def _never(house: Any) -> bool:
    return False


@frozen
class Reaction:
    """A reaction: what a game lays before others after somebody's action, or when somebody's turn ends.

    `after`: the name of an action, or TURN_END. `whose`: who may react: the foes, the allies, or all others.
    `ready(sheet, house)`: whether somebody could react now; everybody is asked, so it has to be quick.
    `offers(scene)`: what lies before somebody who could. In the scene that one is the actor and whoever it
    reacts to the target; `options` are those of what was done, `before` its facts (none at a turn's end).
    `by_itself(house)`: the first of them that the rules allow is done at once, and nobody is asked.
    One combatant has a reaction once in a turn. What the actor and the target of an action may do about it
    needs none of this: that is for the `asks` of its outcome.
    """

    name: str
    help: str
    after: str
    offers: Callable[[Any], tuple[Ask, ...]]
    whose: Literal["foes", "allies", "others"] = "foes"
    ready: Callable[[Any, Any], bool] = _always
    by_itself: Callable[[Any], bool] = _never
    rules: tuple[str, ...] = ()
