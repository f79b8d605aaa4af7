"""Who is meant: ids, names, unique prefixes, tags, ranges of tags, a side, all."""

import re
from collections.abc import Iterable, Sequence

from systems.encounter.model import Combatant, Encounter
from systems.errors import Refused
from systems.text import listed, plain_word, shown, suggestion

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
        names = listed(encounter.combatants[one].name for one in found[:4]) + (" …" if len(found) > 4 else "")
        raise Refused(f"{shown(text)} names several: {names}")
    return encounter.combatants[found[0]]


def _meant(encounter: Encounter, word: str) -> Iterable[str]:
    """A tag or a range, `all`, an id, a side, a name, or the beginning of an id or a name."""
    people = encounter.combatants
    if tags := _TAGS.fullmatch(word):
        return _tagged(encounter, int(tags[1]), int(tags[2] or tags[1]))
    plain = plain_word(word)
    if plain == "all":
        return _here(encounter, list(encounter), word)
    if word in people:
        return (word,)
    if side := [one for one in encounter if plain_word(one.side) == plain]:
        return _here(encounter, side, word)
    if named := [one.id for one in encounter if plain in (plain_word(one.id), plain_word(one.name))]:
        return _only(word, named)
    if begun := [one.id for one in encounter if _starts(one, plain)]:
        return _only(word, begun)
    raise Refused(f"nobody here is called {shown(word)}{suggestion(word, people)}")


def _here(encounter: Encounter, those: Iterable[Combatant], word: str) -> Iterable[str]:
    """Those who have arrived. Raises Refused when that is nobody."""
    found = [one.id for one in those if not one.state.arrives]
    if not found:
        raise Refused(f"{shown(word)} names nobody who is here")
    return found


def _starts(one: Combatant, plain: str) -> bool:
    return plain_word(one.id).startswith(plain) or plain_word(one.name).startswith(plain)


def _only(word: str, found: list[str]) -> tuple[str, ...]:
    if len(found) > 1:
        some = listed(found[:5], "or") + (" …" if len(found) > 5 else "")
        raise Refused(f"{shown(word)} could be {some}")
    return tuple(found)


def _tagged(encounter: Encounter, first: int, last: int) -> Iterable[str]:
    """Those with tags from first to last. A single tag must be somebody's, a range must hold somebody."""
    if last < first:
        raise Refused(f"the range {first}-{last} runs backwards")
    found = [one for one in encounter if first <= one.state.tag <= last]
    if not found:
        tags = sorted(one.state.tag for one in encounter)
        there = f"; tags go from {tags[0]} to {tags[-1]}" if tags else "; nobody is in the fight"
        raise Refused(f"nobody has the tag {first}{there}")
    return [one.id for one in sorted(found, key=lambda one: one.state.tag)]


def arrived(one: Combatant) -> None:
    """Raises Refused for somebody who is still to come."""
    if one.state.arrives:
        raise Refused(f"{one.name} arrives in round {one.state.arrives}")


def present(encounter: Encounter, one: Combatant) -> None:
    """Raises Refused for somebody who has not arrived, or whose status takes it out of the fight."""
    arrived(one)
    word = encounter.status(one)
    if not word.in_order:
        raise Refused(f"{one.name} is {word.name}; choose another target")


def standing(encounter: Encounter, ids: Sequence[str]) -> tuple[str, ...]:
    """Those of several who are there and not out of the fight. Raises Refused when that is nobody."""
    people = encounter.combatants
    found = [one for one in ids if not people[one].state.arrives and encounter.status(people[one]).in_order]
    if not found:
        present(encounter, people[ids[0]])
    return tuple(found)
