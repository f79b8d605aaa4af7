"""Read creatures from the XML of Fight Club, given as plain data: each element as a table of lists."""

import re

from systems.contract.stat_block import ABILITIES, BlockSection, StatBlock
from systems.stat_blocks.plain_data import SIZES, BlockBuilder, Data, tables, text, texts

_SECTIONS: tuple[tuple[str, BlockSection], ...] = (
    *(("trait", "trait"), ("action", "action"), ("bonus", "bonus_action"), ("reaction", "reaction")),
    *(("legendary", "legendary"), ("mythic", "mythic"), ("lair", "lair")),
)
_FIELDS = (
    *(("ac", "armour_class"), ("hp", "hit_points"), ("speed", "speed"), ("save", "saves")),
    *(("skill", "skills"), ("resist", "resistances"), ("vulnerable", "vulnerabilities")),
    *(("immune", "immunities"), ("conditionImmune", "condition_immunities"), ("cr", "challenge")),
)
_FIGURES = re.compile(r"^(.*?)\|([+-]?[0-9]{0,3})\|([0-9d+\- ]{0,20})$")


def creature(data: Data) -> StatBlock:
    """Return a creature. Raises Wrong if it has no name."""
    made = BlockBuilder(_first(data, "name"))
    size = SIZES.get(_first(data, "size").upper(), _first(data, "size").casefold())
    made.put("size", size, f"size {size}")
    type, _, rest = _first(data, "type").partition(" ")
    made.put("type", type.strip(",").casefold(), f"type {_first(data, 'type')}")
    words = [word for word in (rest.partition(",")[0].strip(), _first(data, "alignment")) if word]
    made.put("kind", ", ".join(words), f"type {_first(data, 'type')}")
    for tag, field in _FIELDS:
        made.read(field, tag, ", ".join(texts(data.get(tag))))
    made.scores({ability: _first(data, ability[:3]) for ability in ABILITIES})
    made.number("initiative", "init", _first(data, "init"))
    senses = ", ".join(texts(data.get("senses")))
    if (passive := _first(data, "passive")) and "passive" not in senses.casefold():
        senses = f"{senses}, passive Perception {passive}".strip(", ")
    made.put("senses", senses, f"senses {senses}")
    languages = ", ".join(texts(data.get("languages")))
    made.put("languages", languages, f"languages {languages}")
    for tag, section in _SECTIONS:
        for each in tables(data.get(tag)):
            _paragraph(made, section, each)
    return made.block()


def _first(data: Data, tag: str) -> str:
    return next(iter(texts(data.get(tag))), "")


def _paragraph(made: BlockBuilder, section: BlockSection, given: Data) -> None:
    name, prose = _first(given, "name"), " ".join(texts(given.get("text")))
    attacks = texts(given.get("attack"))
    if attacks and "hit" not in prose.casefold():
        prose = " ".join(filter(None, (prose, *map(_attack, attacks))))
    made.say(section, name, prose)


def _attack(figures: str) -> str:
    """Return `Bite|4|1d6+2` as prose."""
    found = _FIGURES.match(text(figures))
    if found is None:
        return ""
    bonus = f"{int(found[2]):+d}" if found[2].strip("+-") else ""
    hit = f"Melee Attack Roll: {bonus}." if bonus else ""
    return f"{hit} Hit: {found[3].strip()} damage.".strip() if found[3].strip() else hit
