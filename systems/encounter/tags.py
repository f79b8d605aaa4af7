"""Tags: the numbers that name combatants on the screen and in commands.

A hidden combatant or one still to arrive has a tag of another series: `h1`, `h2`, … So the tags of visible
combatants have no gap that gives it away. A combatant that was once visible keeps its number, and the game
master can use both of its tags.
"""

import re
from collections.abc import Iterable

from systems.encounter.model import Combatant, Encounter

_TAGS = r"(h?)([0-9]{1,5})(?:-h?([0-9]{1,5}))?"  # compiled when a tag is typed


def tagged(combatant: Combatant, others: Iterable[Combatant]) -> Combatant:
    """Return the combatant with the tag it needs now: the next free one if it has none of that series."""
    if not combatant.in_sight:
        if combatant.state.hidden_tag or combatant.state.tag:
            return combatant
        return combatant.with_state(hidden_tag=next_hidden_tag(others))
    return combatant if combatant.state.tag else combatant.with_state(tag=next_tag(others))


def next_tag(others: Iterable[Combatant]) -> int:
    """Return the number after the last ordinary tag in use."""
    return max((combatant.state.tag for combatant in others), default=0) + 1


def next_hidden_tag(others: Iterable[Combatant]) -> int:
    """Return the number after the last hidden tag in use."""
    return max((combatant.state.hidden_tag for combatant in others), default=0) + 1


def in_order(encounter: Encounter) -> list[Combatant]:
    """Return the combatants tagged for the start of a fight. Visible ones are numbered in turn order."""
    found: list[Combatant] = []
    for combatant in encounter.in_line():
        if not combatant.in_sight:
            number = combatant.state.hidden_tag or next_hidden_tag((*encounter, *found))
            found.append(combatant.with_state(tag=0, hidden_tag=number))
        else:
            found.append(
                combatant.with_state(tag=next_tag(combatant for combatant in found if combatant.state.tag))
            )
    return found


def with_tags(encounter: Encounter, word: str) -> list[Combatant] | None:
    """Return the combatants with the tags of a word such as `3`, `1-3` or `h2`, or None if it is not a tag.

    A plain number matches combatants that are or were visible. A range that runs backwards matches none.
    """
    read = re.fullmatch(_TAGS, word.casefold())
    if read is None:
        return None
    first, last = int(read[2]), int(read[3] or read[2])
    name = "hidden_tag" if read[1] else "tag"
    numbers = {combatant.id: getattr(combatant.state, name) for combatant in encounter}
    found = [
        combatant
        for combatant in encounter
        if numbers[combatant.id] and first <= numbers[combatant.id] <= last
    ]
    return sorted(found, key=lambda combatant: numbers[combatant.id])
