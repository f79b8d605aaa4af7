"""When conditions end: after so many rounds, or at the start or end of somebody's turn."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import attrs

from systems.bearing import without_condition
from systems.encounter import FOREVER, Encounter, Held
from systems.fields import replace

if TYPE_CHECKING:
    from systems.play import Play


def for_rounds(encounter: Encounter, held: Held, rounds: int) -> Held:
    """Lasting through this round and `rounds` - 1 more."""
    return replace(held, last_round=min(FOREVER, max(1, encounter.course.round) + rounds - 1))


def until_turn(encounter: Encounter, held: Held, moment: str, of: str) -> Held:
    """Lasting until the start or the end of a turn that is not the one that runs now."""
    skips = 1 if moment == "end" and encounter.course.turn == of else 0
    return replace(held, until=moment, of=of, skips=skips)


def start_of_round(play: "Play") -> None:
    """A round begins: what lasted so many rounds is over, and what waited for one who is gone."""
    number = play.encounter.course.round
    people = play.encounter.combatants

    def is_over(held: Held) -> bool:
        if held.last_round is not None and held.last_round < number:
            return True
        return held.of is not None and (
            held.of not in people or not play.encounter.status(people[held.of]).in_order
        )

    _end_all(play, is_over)


def start_of_turn(play: "Play", who: str) -> None:
    """The turn of `who` begins: what lasted until then is over, and the turn that was skipped as well."""
    _end_all(play, lambda held: held.until == "start" and held.of == who)
    _unskip(play, who)


def end_of_turn(play: "Play", who: str) -> None:
    """The turn of `who` ends: what lasted until then is over, unless it was set in this very turn."""
    _end_all(play, lambda held: held.until == "end" and held.of == who and not held.skips)
    _unskip(play, who)


def _unskip(play: "Play", who: str) -> None:
    """The turn in which conditions were set until the end of another is over."""
    for one in play.encounter:
        if any(held.skips and held.of == who for held in one.conditions):
            kept = (replace(held, skips=0) if held.of == who else held for held in one.conditions)
            play.put(attrs.evolve(one, conditions=tuple(kept)))


def _end_all(play: "Play", is_over: Callable[[Held], bool]) -> None:
    for one in list(play.encounter):
        for held in one.conditions:
            if is_over(held):
                play.put(without_condition(play.encounter, play.one(one.id), held.name))
                play.say(f"{one.name} is no longer {held.label}.")


def left(encounter: Encounter, held: Held) -> str:
    """How long it still lasts, for the screen: `2 rounds`, `until the end of Okado's turn`, or nothing."""
    if held.last_round is not None:
        rounds = max(1, held.last_round - max(1, encounter.course.round) + 1)
        return f"{rounds} round{'' if rounds == 1 else 's'}"
    if held.of is not None and held.until is not None:
        one = encounter.combatants.get(held.of)
        return f"until the {held.until} of {one.name if one else held.of}'s turn"
    return ""
