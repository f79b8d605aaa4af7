"""Reactions: what a game offers to other combatants after an action, or when a turn ends."""

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
    """A reaction: what a game offers to other combatants after an action, or when a turn ends.

    `after`: the name of an action, or TURN_END. `whose`: the foes, the allies, or all others. `ready(sheet,
    house)`: whether a combatant could react now; it runs for every combatant, so it must be quick.
    `offers(scene)`: the offers of a ready combatant. In that scene it is the actor, and the combatant it
    reacts to is the target; `options` are those of the action, `before` its facts (none at a turn's end).
    `by_itself(house)`: the first offer that the rules allow happens at once, without a question. A combatant
    has each reaction once in a turn. The actor and the target of an action don't need reactions: use the
    `asks` of its outcome.
    """

    name: str
    help: str
    after: str
    offers: Callable[[Any], tuple[Ask, ...]]
    whose: Literal["foes", "allies", "others"] = "foes"
    ready: Callable[[Any, Any], bool] = _always
    by_itself: Callable[[Any], bool] = _never
    rules: tuple[str, ...] = ()
