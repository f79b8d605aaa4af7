"""Reactions: what a game offers to others after an action or when a turn ends, and before a roll counts."""

from collections.abc import Callable, Mapping
from typing import Any, Literal

from systems.contract.outcome import Ask
from systems.frozen import frozen

TURN_END = "turn_end"
LEAVING = "leaving"
# When a combatant has a used reaction again: at the end of any turn, in a new round, or in its next turn.
UsableAgain = Literal["turn", "round", "own_turn"]


def _always(sheet: Any, house: Any) -> bool:
    return True


def _never(house: Any) -> bool:
    return False


def _unnamed(sheet: Any, house: Any) -> str:
    return ""


@frozen
class Reaction:
    """A reaction: what a game offers to other combatants after an action, or when a turn ends.

    `after`: the name of an action or of a hook of a turn's beginning, TURN_END, or LEAVING: a combatant
    leaves others near it, and these may react. `whose`: the foes, the allies, or all others.
    `ready(sheet, house)`: whether a combatant could react now; it runs for every combatant, so it must be
    quick.
    `offers(scene)`: the offers of a ready combatant. In that scene it is the actor, and the combatant it
    reacts to is the target; `options` are those of the action, `before` its facts (none at a turn's end).
    `by_itself(house)`: the first offer that the rules allow happens at once, without a question. `quiet`: its
    offers are listed, and the log says nothing until one is taken. `menu(sheet, house)`: what several offers
    of one combatant are called together, such as `3 legendary actions`. `again`: when a combatant has a used
    reaction again; by default at the end of the turn. `spends`: reactions with the same word here are used
    together, such as all that cost the one reaction of a round; by default its own name.
    `late(sheet, house)`: for a reaction at a turn's end: what its combatant gets back if its own turn has
    begun before it reacts, such as the legendary action that this cost. Its first action in that turn ends
    these offers. The actor and the target of an action don't need reactions: use the `asks` of its outcome.
    """

    name: str
    help: str
    after: str
    offers: Callable[[Any], tuple[Ask, ...]]
    whose: Literal["foes", "allies", "others"] = "foes"
    ready: Callable[[Any, Any], bool] = _always
    by_itself: Callable[[Any], bool] = _never
    rules: tuple[str, ...] = ()
    quiet: bool = False
    menu: Callable[[Any, Any], str] = _unnamed
    again: UsableAgain = "turn"
    spends: str = ""
    late: Callable[[Any, Any], Mapping[str, object]] | None = None


@frozen
class Interrupt:
    """A kind of interruption: the moment, and which combatants may have it.

    `moment`: a word with which the game's actions name it, such as `attacked`. `whose`: the target's own, the
    actor's own, that of the target's friends (others on its side), of its foes (others, without the actor),
    of all others, or of the actor's opponents, the target included. `ready(sheet, house)` runs for every such
    combatant, so it must be quick. `offers(scene, owner)`: each `Interruption` (interrupt.py) that a ready
    combatant can use; `scene` is that of the interrupted action, `owner` the combatant (fight.py). `again`,
    `spends`: see Reaction.
    """

    name: str
    help: str
    moment: str
    offers: Callable[[Any, Any], tuple[Any, ...]]
    whose: Literal["target", "actor", "friends", "foes", "others", "opponents"] = "target"
    ready: Callable[[Any, Any], bool] = _always
    rules: tuple[str, ...] = ()
    again: UsableAgain = "turn"
    spends: str = ""
