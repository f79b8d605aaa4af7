"""Lists of attacks and of spells: what a multiattack makes, and what a caster knows."""

import re
from collections.abc import Iterator
from typing import Any

from systems.stat_blocks.passage import NUMBER, NUMBERS, Passage, any_case

_WITH = any_case(
    rf"\b({NUMBER})(?: (?:melee |ranged |weapon )?attacks?)?(?: made)? with (?:its|his|her|their|an?|the"
    rf") ([a-z][\w' -]{{1,40}}?)(?=[,.;:(]|\band\b|\bor\b|\bonly\b|$)"
)
_NAMED_ATTACKS = re.compile(
    rf"\b(?i:({NUMBER})) ((?:[A-Z][\w'-]*|of|the)(?: (?:[A-Z][\w'-]*|of|the|or)){{0,6}}|[a-z][\w' -]"
    rf"{{1,30}}?) attacks?\b"
)
_USING = any_case(
    r"\b(?:makes? )?("
    + NUMBER
    + r") attacks?,? (?:using|with) (?:its )?([\w' ,-]{2,80}?)(?: in any combination|\.|$)"
)
_ALTERNATIVE = any_case(
    rf",? or (?:(?:it|the [\w' -]{{1,30}}) (?:can )?makes? |else )?(?=(?:{NUMBER}) )|\. (?:or"
    rf"|alternatively)\b"
)
_LONGEST_LIST = 80
_PLAIN = any_case(
    rf"\b({NUMBER}) (?:(melee|ranged)(?: (?:weapon|spell))?(?: or ranged)? |weapon )?attacks?\b"
)
_COUNTED = any_case(rf"(?:({NUMBER})\s?x?\s)?([a-z][a-z' -]{{1,30}}?)(?:\s?\(?x\s?([1-9])\)?)?(?: attacks?)?")


def multiattack(reading: Passage) -> Iterator[tuple[str, int]]:
    """Yield the attacks of a multiattack by name, each with its number; "" for any attack."""
    text = reading.text
    if other := _ALTERNATIVE.search(text):
        reading.assume(text[other.start() :].strip(" ,."), "the first of the alternatives counts")
        text = text[: other.start()]
    colon = text.find(":")
    stop = text.find(".", colon)
    if colon >= 0 and (listed := list(_WITH.finditer(text, colon, stop if stop >= 0 else len(text)))):
        for found in listed:
            reading.used(*found.span())
            yield found[2].strip(), _count(found[1])
        reading.take(any_case(rf"[^.:]{{0,80}}\b(?:{NUMBER})(?: melee| ranged)? attacks?:"))
        return
    places = list(_NAMED_ATTACKS.finditer(text))
    named = [
        found
        for found in places
        if not re.fullmatch(
            r"(?:melee|ranged|weapon|melee weapon|ranged weapon|spell|of its)", found[2], re.IGNORECASE
        )
    ]
    if not named and (using := _USING.search(text)):
        names = [name.strip() for name in re.split(r",|\bor\b|\band\b", using[2]) if name.strip()]
        reading.used(*using.span())
        if len(names) > 1:
            reading.assume(using[0], f"all with {names[0]}; you may choose another attack each time")
        yield names[0], _count(using[1])
        return
    with_its = list(_WITH.finditer(text))
    for found in named or with_its:
        name = found[2].strip()
        reading.used(*found.span())
        if " or " in name:
            reading.assume(found[0], f"{name.split(' or ')[0]}; you may choose the other each time")
            name = name.split(" or ")[0]
        yield name.removeprefix("with its "), _count(found[1])
    if named or with_its:
        return
    if plain := reading.take(_PLAIN):
        found = plain
        yield (found[2] or "").casefold() and f"*{found[2].casefold()}", _count(found[1])
        return
    yield from _listed_attacks(reading)


def _listed_attacks(reading: Passage) -> Iterator[tuple[str, int]]:
    """Yield the attacks of a list such as `bite, claw x2` or `two claws and one bite`."""
    text = re.sub(r"^[1-9] ?(?=\()", "", reading.text).strip("(). ")
    parts = [part.strip() for part in re.split(r",|\+|\band\b", text) if part.strip()]
    counted = [_COUNTED.fullmatch(part) for part in parts]
    if len(text) > _LONGEST_LIST or not all(counted):
        return
    reading.used(0, len(reading.text))
    for found in counted:
        if found:
            yield found[2].strip(), _count(found[1] or found[3] or "1")


def _count(word: str) -> int:
    return NUMBERS.get(word.casefold()) or int(word)


# Spells


_FREQUENCY = any_case(
    r"\b(at will|constant|(?:([1-9])/(?:day|rest))(?: each)?|cantrips?(?: \(at will\))?|([1-9])(?:st|nd|rd"
    r"|th)[- ]level(?: \(([0-9]) slots?\))?)\s?:"
)


def spellcasting(reading: Passage) -> dict[str, Any]:
    """Return the spells of a creature with their uses a day."""
    parts = list(_FREQUENCY.finditer(reading.text))
    spells: list[tuple[str, int]] = []
    for at, part in enumerate(parts):
        end = parts[at + 1].start() if at + 1 < len(parts) else len(reading.text)
        if part[3]:
            continue  # spell slots are left to the game master
        for name in re.split(r",|;", reading.text[part.end() : end].split(". ")[0]):
            plain = re.sub(r"\([^()]{0,60}\)|[*.]", "", name).strip()
            if 2 < len(plain) <= 40:
                spells.append((plain[:1].upper() + plain[1:], int(part[2] or 0)))
        reading.used(part.start(), end)
    return {"spells": tuple(spells)} if spells else {}
