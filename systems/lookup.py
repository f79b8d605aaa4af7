"""Who is meant: ids, names, unique prefixes, tags, ranges of tags, a side, all."""

import re
from collections.abc import Iterable

from systems.encounter import Combatant, Encounter
from systems.kinds import shown
from systems.play import Refused
from systems.words import listed, plain_word, suggestion

_TAGS = re.compile(r"([0-9]{1,5})(?:-([0-9]{1,5}))?")


def targets(encounter: Encounter, text: str) -> tuple[str, ...]:
    """The ids that TARGETS names, each once. Raises Refused with the word that names nobody."""
    found: dict[str, None] = {}
    for word in text.split(","):
        if word.strip():
            found |= dict.fromkeys(_meant(encounter, word.strip()))
    if not found:
        raise Refused(f"{shown(text)} names nobody")
    return tuple(found)


def single(encounter: Encounter, text: str) -> Combatant:
    """The one that a word names. Raises Refused when it names nobody or several."""
    found = targets(encounter, text)
    if len(found) > 1:
        names = listed(encounter.combatants[one].name for one in found[:4])
        raise Refused(f"{shown(text)} names several: {names}")
    return encounter.combatants[found[0]]


def _meant(encounter: Encounter, word: str) -> Iterable[str]:
    people = encounter.combatants
    if word in people:
        return (word,)
    if tags := _TAGS.fullmatch(word):
        return _tagged(encounter, int(tags[1]), int(tags[2] or tags[1]))
    plain = plain_word(word)
    if plain == "all":
        return tuple(one.id for one in encounter if not one.place.arrives)
    side = tuple(one.id for one in encounter if plain_word(one.side) == plain and not one.place.arrives)
    for same in (
        [one.id for one in encounter if plain_word(one.id) == plain or plain_word(one.name) == plain],
        list(side),
        [one.id for one in encounter if _starts(one, plain)],
    ):
        if same:
            return _only(encounter, word, same, whole_side=same == list(side))
    raise Refused(f"nobody here is called {shown(word)}{suggestion(word, people)}")


def _starts(one: Combatant, plain: str) -> bool:
    return plain_word(one.id).startswith(plain) or plain_word(one.name).startswith(plain)


def _only(encounter: Encounter, word: str, found: list[str], whole_side: bool) -> tuple[str, ...]:
    if len(found) > 1 and not whole_side:
        names = listed((encounter.combatants[one].id for one in found[:5]), "or")
        raise Refused(f"{shown(word)} could be {names}")
    return tuple(found)


def _tagged(encounter: Encounter, first: int, last: int) -> Iterable[str]:
    """Those with tags from first to last. A single tag must be somebody's, a range must hold somebody."""
    if last < first:
        raise Refused(f"the range {first}-{last} runs backwards")
    found = [one for one in encounter if first <= one.place.tag <= last]
    if not found:
        tags = sorted(one.place.tag for one in encounter)
        there = f"; tags go from {tags[0]} to {tags[-1]}" if tags else "; nobody is in the fight"
        raise Refused(f"nobody has the tag {first}{there}")
    return [one.id for one in sorted(found, key=lambda one: one.place.tag)]


def present(encounter: Encounter, one: Combatant) -> None:
    """Raises Refused for somebody who has not arrived, or whose status takes it out of the fight."""
    if one.place.arrives:
        raise Refused(f"{one.name} arrives in round {one.place.arrives}")
    word = encounter.status(one)
    if not word.in_order:
        raise Refused(f"{one.name} is {word.name}; choose another target")
