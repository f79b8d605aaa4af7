"""Conditions whose time is over: as a round begins, and as a turn begins or ends."""

from collections.abc import Callable

import attrs

from systems.commands.transaction import Transaction
from systems.encounter.model import ActiveCondition
from systems.schema.conversion import replace


def start_of_round(play: Transaction) -> None:
    """A round begins: what lasted so many rounds is over, and what waited for one who is gone."""
    number = play.encounter.progress.round
    people = play.encounter.combatants

    def is_over(held: ActiveCondition) -> bool:
        if held.last_round is not None and held.last_round < number:
            return True
        return held.of is not None and (
            held.of not in people or not play.encounter.status(people[held.of]).in_order
        )

    _end_all(play, is_over)


def start_of_turn(play: Transaction, who: str) -> None:
    """The turn of `who` begins: what lasted until then is over, and the turn that was skipped as well."""
    _end_all(play, lambda held: held.until == "start" and held.of == who)
    _unskip(play, who)
    _fade(play, who, "turn_start")


def end_of_turn(play: Transaction, who: str) -> None:
    """The turn of `who` ends: what lasted until then is over, unless it was set in this very turn."""
    _end_all(play, lambda held: held.until == "end" and held.of == who and not held.skips)
    _unskip(play, who)
    _fade(play, who, "turn_end")


def _unskip(play: Transaction, who: str) -> None:
    """The turn in which conditions were set until the end of another is over."""
    for combatant in play.encounter:
        if any(held.skips and held.of == who for held in combatant.conditions):
            kept = (replace(held, skips=0) if held.of == who else held for held in combatant.conditions)
            play.put(attrs.evolve(combatant, conditions=tuple(kept)))


def _fade(play: Transaction, who: str, moment: str) -> None:
    """What goes down by 1 at that moment of the turn of `who`."""
    for held in play.combatant(who).conditions:
        condition = play.encounter.game.condition(held.name)
        if condition and condition.fades == moment:
            play.end_condition(who, held, 1)
    play.tell_ended()


def _end_all(play: Transaction, is_over: Callable[[ActiveCondition], bool]) -> None:
    for combatant in list(play.encounter):
        for held in combatant.conditions:
            if is_over(held):
                play.end_condition(combatant.id, held)
    play.tell_ended()
