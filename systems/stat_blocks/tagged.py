"""Read creatures from JSON with tagged prose, such as `{@hit 5} to hit`, of 2014 or 2024."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from systems.contract.stat_block import ABILITIES, BlockSection, StatBlock
from systems.stat_blocks.plain_data import (
    SIZES,
    BlockBuilder,
    Data,
    listed,
    table,
    tables,
    text,
    texts,
    whole,
)
from systems.stat_blocks.tags import without_tags
from systems.text import clean, plain_word, shown

_SECTIONS: tuple[tuple[str, BlockSection], ...] = (
    *(("trait", "trait"), ("action", "action"), ("bonus", "bonus_action"), ("reaction", "reaction")),
    *(("legendary", "legendary"), ("mythic", "mythic"), ("lair", "lair"), ("lairActions", "lair")),
)
_SHOWN_AS: dict[str, BlockSection] = {"action": "action", "bonus": "bonus_action", "reaction": "reaction"}
_ALIGNMENTS = {
    "L": "lawful",
    "N": "neutral",
    "NX": "neutral",
    "NY": "neutral",
    "C": "chaotic",
    "G": "good",
    "E": "evil",
    "U": "unaligned",
    "A": "any alignment",
}
_WAYS = ("walk", "fly", "swim", "climb", "burrow")
_MOST_DEPTH = 12  # of entries inside entries


def is_creature(data: object) -> bool:
    """Return whether plain data is a creature with tagged prose."""
    known = table(data)
    named = "name" in known and any(key in known for key in ("str", "ac", "hp", "trait", "action", "_copy"))
    return named and not any(key in known for key in ("armor_class", "hit_points", "ability_scores"))


def creature(data: Data) -> StatBlock:
    """Return a creature. Raises Wrong if it has no name."""
    made = BlockBuilder(data.get("name"))
    if copied := text(table(data.get("_copy")).get("name")):
        made.miss(f"copy of {copied}", "it only names another creature; import that one, too")
    _kind(made, data)
    _armour_class(made, data.get("ac"))
    _hit_points(made, data.get("hp"))
    _speed(made, data.get("speed"))
    made.scores({ability: data.get(ability[:3]) for ability in ABILITIES})
    made.modifiers("saves", "save", dict(_bonuses(table(data.get("save")))))
    made.modifiers("skills", "skill", dict(_bonuses(table(data.get("skill")))))
    if table(data.get("skill")).get("other"):
        made.miss("skill: a choice", "a choice of skills is left out")
    for key, field in (
        ("resist", "resistances"),
        ("immune", "immunities"),
        ("vulnerable", "vulnerabilities"),
    ):
        for words in _damage(data.get(key), key):
            made.read(field, key, words)
    for words in _damage(data.get("conditionImmune"), "conditionImmune"):
        made.read("condition_immunities", "condition immune", words)
    _words(made, data)
    _prose(made, data)
    return made.block()


def _kind(made: BlockBuilder, data: Data) -> None:
    sizes = [SIZES.get(each.upper(), each.casefold()) for each in texts(data.get("size"))]
    if sizes:
        made.put("size", sizes[0], f"size {' or '.join(sizes)}")
    if len(sizes) > 1:
        made.found.assume(f"size {' or '.join(sizes)}", f"the first of these sizes, {sizes[0]}")
    given = data.get("type")
    type = table(given).get("type", given)
    types = [text(each) for each in listed(table(type).get("choose", type))]
    if types and types[0]:
        made.put("type", types[0].casefold(), f"type {' or '.join(types)}")
    if len(types) > 1:
        made.found.assume(f"type {' or '.join(types)}", f"the first of these types, {types[0]}")
    tags = [
        " ".join(filter(None, (text(table(tag).get("prefix")), text(table(tag).get("tag", tag)))))
        for tag in listed(table(given).get("tags"))
    ]
    words = [f"({', '.join(tags)})" if tags else "", _alignment(data.get("alignment"))]
    made.put("kind", ", ".join(filter(None, words)), "alignment")


def _alignment(given: object) -> str:
    if isinstance(given, str):
        return clean(given)
    marks = [
        mark
        for each in listed(given)
        for mark in listed(table(each).get("alignment", each))
        if isinstance(mark, str)
    ]
    if "NX" in marks or len(marks) > 2:
        return "any alignment"
    return " ".join(dict.fromkeys(_ALIGNMENTS.get(mark, clean(mark)) for mark in marks))


def _armour_class(made: BlockBuilder, given: object) -> None:
    for place, each in enumerate(listed(given)):
        number = whole(table(each).get("ac", each))
        special = text(table(each).get("special")) or text(table(each).get("condition"))
        words = clean(without_tags(special or text(each)), 80)
        if number is not None and place == 0:
            made.put("armour_class", number, f"ac {number}")
            if special:
                made.found.assume(f"ac {number} {words}", f"armour class {number} always")
        elif place == 0 and (leading := re.match(r"[0-9]{1,2}", words)):
            made.put("armour_class", int(leading[0]), f"ac {words}")
            made.found.assume(f"ac {words}", f"armour class {leading[0]}")
        else:
            made.miss(
                f"ac {number if number is not None else ''} {words}", "another armour class is left out"
            )


def _hit_points(made: BlockBuilder, given: object) -> None:
    if (number := whole(given)) is not None:
        made.put("hit_points", number, f"hp {number}")
        return
    hit_points = table(given)
    average, formula = whole(hit_points.get("average")), text(hit_points.get("formula"))
    if average is not None:
        made.put("hit_points", average, f"hp {average} {formula}".strip())
        made.put("hit_dice", formula.replace(" ", ""), f"hp {average} {formula}")
    elif special := text(hit_points.get("special")):
        if (leading := re.match(r"[0-9]{1,4}\b", special)) is not None:
            made.put("hit_points", int(leading[0]), f"hp {special}")
            if special != leading[0]:
                made.found.assume(f"hp {special}", f"hit points {leading[0]}")
        else:
            made.miss(f"hp {special}", "hit points are not a number")
    elif formula:
        made.read("hit_points", "hp", f"({formula})")


def _speed(made: BlockBuilder, given: object) -> None:
    if (number := whole(given)) is not None:
        made.put("speed", {"walk": number}, f"speed {number}")
    if table(given).get("alternate"):
        made.miss("speed: other ways", "other speeds are left out")
    for way in _WAYS:
        value = table(given).get(way)
        feet = whole(table(value).get("number", value))
        if value is True:  # as fast as on foot
            feet = whole(table(given).get("walk"))
        if feet is not None:
            made.put("speed", {way: feet}, f"speed {way} {feet}")
        condition = text(table(value).get("condition"))
        if condition and "hover" not in condition:
            made.miss(f"speed {way} {feet} {condition}", f"“{clean(condition, 60)}” is left out")


def _bonuses(given: Data) -> Iterator[tuple[str, object]]:
    """Yield the bonuses by name, those of a choice left out."""
    full = {ability[:3]: ability for ability in ABILITIES}
    for name, value in given.items():
        if not isinstance(value, list | dict):
            yield full.get(name, plain_word(name)), value


def _damage(given: object, key: str) -> Iterator[str]:
    """Yield lists of damage types or conditions as words."""
    plain = [text(each) for each in listed(given) if isinstance(each, str)]
    if plain:
        yield ", ".join(plain)
    for each in tables(given):
        inner = ", ".join(texts([one for one in listed(each.get(key)) if isinstance(one, str)]))
        before, note = text(each.get("preNote")), text(each.get("note"))
        words = " ".join(filter(None, (before, inner, note))) or text(each.get("special"))
        if words:
            yield words


def _words(made: BlockBuilder, data: Data) -> None:
    senses = texts(data.get("senses"))
    if (passive := text(data.get("passive"))) and not any("passive" in each for each in senses):
        senses.append(f"passive Perception {passive}")
    made.put("senses", without_tags(", ".join(senses)), f"senses {', '.join(senses)}")
    languages = ", ".join(texts(data.get("languages")))
    made.put("languages", without_tags(languages), f"languages {languages}")
    rating = data.get("cr")
    made.read("challenge", "cr", table(rating).get("cr", rating))
    made.number("proficiency", "proficiency bonus", whole(data.get("pb")))
    initiative = data.get("initiative")
    # `{"proficiency": 1}` adds the proficiency bonus, which follows from the challenge rating.
    made.number("initiative", "initiative", table(initiative).get("initiative", whole(initiative)))
    multiple = whole(table(initiative).get("proficiency"))
    if multiple and table(initiative).get("initiative") is None:
        dexterity = whole(data.get("dex"))
        bonus = _proficiency(made.found.values.get("challenge", ""))
        if dexterity is not None and bonus is not None:
            total = (dexterity - 10) // 2 + multiple * bonus
            made.put("initiative", total, f"initiative with {multiple} times the proficiency bonus")


def _proficiency(challenge: str) -> int | None:
    """Return the proficiency bonus that follows from a challenge rating."""
    if "/" in challenge:
        return 2
    return 2 + max(0, int(challenge) - 1) // 4 if challenge.isdecimal() else None


# Prose


def _prose(made: BlockBuilder, data: Data) -> None:
    for key, section in _SECTIONS:
        for each in listed(data.get(key)):
            if isinstance(each, Mapping):
                name = without_tags(text(each.get("name")))
                made.say(section, name, prose(each.get("entries", each.get("entry"))))
            else:
                made.say(section, "", prose(each))
    for each in tables(data.get("spellcasting")):
        section = _SHOWN_AS.get(text(each.get("displayAs")), "trait")
        made.say(section, each.get("name") or "Spellcasting", " ".join(_spells(each)))
    made.introduce("legendary", prose(data.get("legendaryHeader")))
    made.introduce("mythic", prose(data.get("mythicHeader")))
    for each in tables(data.get("variant")):
        made.miss(f"variant {text(each.get('name'))}", "a variant is left out")
    if group := text(table(data.get("legendaryGroup")).get("name")):
        made.miss(f"legendaryGroup {group}", "lair actions and regional effects are in another file")
    number = whole(data.get("legendaryActions"))
    if number and "legendary" not in made.introductions:
        made.introduce("legendary", f"{made.name} can take {number} legendary actions.")


def prose(entries: object, depth: int = 0) -> str:
    """Return entries inside entries as one text."""
    return " ".join(_sentences(entries, depth))


def _sentences(entries: object, depth: int) -> Iterator[str]:
    if depth > _MOST_DEPTH:
        return
    for each in listed(entries):
        if isinstance(each, list | tuple):  # a row of a table
            yield ", ".join(filter(None, (prose(cell, depth + 1) for cell in each)))
            continue
        if not isinstance(each, Mapping):
            if words := text(each):
                yield words
            continue
        inner = [each.get(key) for key in ("entries", "entry", "items", "rows") if each.get(key) is not None]
        words = " ".join(prose(part, depth + 1) for part in inner)
        name = text(each.get("name"))
        yield f"{name}. {words}" if name else words


_TIMES = {"daily": "/Day", "rest": "/Rest", "weekly": "/Week", "charges": " charges"}


def _spells(given: Data) -> Iterator[str]:
    """Yield the sentences of spellcasting, with its lists of spells."""
    yield prose(given.get("headerEntries"))
    if at_will := texts(given.get("will")):
        yield f"At Will: {', '.join(at_will)}."
    for key, words in _TIMES.items():
        for times, spells in table(given.get(key)).items():
            each = " Each" if times.endswith("e") else ""
            yield f"{clean(times.removesuffix('e'), 4)}{words}{each}: {', '.join(texts(spells))}."
    for level, held in table(given.get("spells")).items():
        spells = ", ".join(texts(table(held).get("spells")))
        slots = whole(table(held).get("slots"))
        head = "Cantrips (at will)" if level == "0" else f"Level {clean(level, 2)} ({slots or 0} slots)"
        yield f"{head}: {spells}."
    yield prose(given.get("footerEntries"))


def creatures(data: Any) -> list[Data]:
    """Return the creatures of a file: one, a list, or the `monster` list of a table."""
    if is_creature(data):
        return [data]
    given = table(data).get("monster", data)
    return [each for each in listed(given) if is_creature(each)]


def name_of(data: object) -> str:
    """Return the name of a creature for errors, or what is in its place."""
    return text(table(data).get("name")) or shown(data)
