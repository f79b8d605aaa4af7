"""Conditions whose time is over: as a round begins, and as a turn begins or ends."""

from collections.abc import Callable

import attrs

from systems.commands.effects import without_condition
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


def end_of_turn(play: Transaction, who: str) -> None:
    """The turn of `who` ends: what lasted until then is over, unless it was set in this very turn."""
    _end_all(play, lambda held: held.until == "end" and held.of == who and not held.skips)
    _unskip(play, who)


def _unskip(play: Transaction, who: str) -> None:
    """The turn in which conditions were set until the end of another is over."""
    for one in play.encounter:
        if any(held.skips and held.of == who for held in one.conditions):
            kept = (replace(held, skips=0) if held.of == who else held for held in one.conditions)
            play.put(attrs.evolve(one, conditions=tuple(kept)))


def _end_all(play: Transaction, is_over: Callable[[ActiveCondition], bool]) -> None:
    for one in list(play.encounter):
        for held in one.conditions:
            if is_over(held):
                play.put(without_condition(play.encounter, play.one(one.id), held.name))
                play.say(
                    f"{one.name} is no longer {held.label}.", [one.id], seen="gm" if held.secret else None
                )
