"""Read creatures and characters from the JSON of Improved Initiative."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from systems.contract.stat_block import ABILITIES, BlockSection, StatBlock
from systems.frozen import frozen
from systems.stat_blocks.figures import SIZES, TYPES
from systems.stat_blocks.plain_data import BlockBuilder, Data, listed, table, tables, text, texts, whole
from systems.text import clean, plain_word

_SECTIONS: tuple[tuple[str, BlockSection], ...] = (
    *(("Traits", "trait"), ("Actions", "action"), ("BonusActions", "bonus_action")),
    *(("Reactions", "reaction"), ("LegendaryActions", "legendary"), ("MythicActions", "mythic")),
)
_FULL = {ability[:3]: ability for ability in ABILITIES}
_MOST_DEPTH = 12


@frozen
class FoundCreature:
    """The data of a creature, and whether it is a player's character."""

    data: Data
    is_player: bool = False


def is_creature(data: object) -> bool:
    """Return whether plain data is a creature of Improved Initiative."""
    known = table(data)
    return "Name" in known and sum(key in known for key in ("HP", "AC", "Abilities", "Actions")) >= 2


def creatures(data: object) -> list[FoundCreature]:
    """Return all creatures and characters in a file: a library, an encounter, one character or creature.

    Equal ones, as in an encounter with three of a kind, are returned once.
    """
    found: list[FoundCreature] = []
    for held in _found(data, is_player=False, depth=0):
        if held not in found[-200:]:
            found.append(held)
    return found


def _found(data: object, *, is_player: bool, depth: int) -> Iterator[FoundCreature]:
    if is_creature(data):
        yield FoundCreature(table(data), is_player or bool(text(table(data).get("Player"))))
    elif depth < _MOST_DEPTH:
        is_one = "StatBlock" in table(data) and "CurrentHP" in table(data) and "LastUpdateMs" in table(data)
        inner = table(data).items() if isinstance(data, Mapping) else enumerate(listed(data))
        for key, value in inner:
            if isinstance(value, Mapping | list):
                of_player = is_player or is_one or "ersistentCharacter" in str(key)
                yield from _found(value, is_player=of_player, depth=depth + 1)


def creature(data: Data) -> StatBlock:
    """Return a creature or a character. Raises Wrong if it has no name."""
    made = BlockBuilder(data.get("Name"))
    _kind(made, text(data.get("Type")))
    for key, field, label in (("AC", "armour_class", "AC"), ("HP", "hit_points", "HP")):
        given = data.get(key)
        value, notes = table(given).get("Value", given if whole(given) is not None else None), ""
        if isinstance(given, Mapping):
            notes = text(given.get("Notes")).strip("() ")
        number = whole(value)
        if number is None and value is not None:
            made.number(field, label, value)
        elif number is not None:
            made.read(field, label, f"{number} ({notes})" if notes else str(number))
    made.scores({_FULL.get(str(key).casefold()[:3], ""): value for key, value in _items(data, "Abilities")})
    made.number("initiative", "InitiativeModifier", data.get("InitiativeModifier"))
    made.read("speed", "Speed", ", ".join(texts(data.get("Speed"))))
    made.modifiers("saves", "save", {_ability(name): bonus for name, bonus in _modifiers(data.get("Saves"))})
    made.modifiers("skills", "skill", dict(_modifiers(data.get("Skills"))))
    for key, field in (
        ("DamageVulnerabilities", "vulnerabilities"),
        ("DamageResistances", "resistances"),
        ("DamageImmunities", "immunities"),
        ("ConditionImmunities", "condition_immunities"),
    ):
        for words in texts(data.get(key)):
            made.read(field, key, words)
    for key, field in (("Senses", "senses"), ("Languages", "languages")):
        made.put(field, ", ".join(texts(data.get(key))), f"{key} {', '.join(texts(data.get(key)))}")
    # A character has its level in this place.
    made.read("challenge", "Challenge", data.get("Challenge"))
    for key, section in _SECTIONS:
        for each in tables(data.get(key)):
            usage = text(each.get("Usage"))
            name = f"{text(each.get('Name'))} ({usage})" if usage else each.get("Name")
            made.say(section, name, each.get("Content"))
    if description := text(data.get("Description")):
        made.say("trait", "Description", description)
    return made.block()


def _items(data: Data, key: str) -> Iterator[tuple[str, Any]]:
    return ((str(name), value) for name, value in table(data.get(key)).items())


def _kind(made: BlockBuilder, words: str) -> None:
    """Read `Medium humanoid (goblinoid), neutral evil`, as far as it is written this way."""
    source = f"Type {words}"
    first, _, rest = words.partition(" ")
    if first.casefold() in SIZES:
        made.put("size", first.casefold(), source)
        words = rest
    type = next((word for word in re.findall(r"[a-z]+", words.casefold()) if word in TYPES), "")
    made.put("type", type, source)
    made.put("kind", re.sub(rf"(?i)^{type}\b\s*", "", words).strip(" ,") if type else words, source)


def _modifiers(given: object) -> Iterator[tuple[str, object]]:
    for each in tables(given):
        if name := text(each.get("Name")):
            yield plain_word(clean(name, 40)), each.get("Modifier")


def _ability(name: str) -> str:
    return _FULL.get(name[:3], name)
