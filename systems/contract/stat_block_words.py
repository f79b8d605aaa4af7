"""What games share when they make a sheet of a stat block: lines of the report, free names, usual values."""

import re
from collections.abc import Iterable, Mapping, Sequence

from systems.contract.stat_block import BlockLine, Feature, StatBlock
from systems.text import plain_word

MOST_NOTES = 8_000  # characters
MOST_TEXT = 300  # of one line of the report
NOT_UNDERSTOOD = "not understood; kept as a note"
USUAL_LEGENDARY = 3
USUAL_DAMAGE = "slashing"
# The usual damage of an attack, for a line that names no type.
_DAMAGE_OF = {
    "piercing": "bite fang gore horn sting stinger spear bow shortbow longbow arrow crossbow dagger rapier "
    "pike javelin tusk spike beak dart trident quill pistol rifle knife tooth teeth",
    "bludgeoning": "slam fist club greatclub hammer warhammer mace staff quarterstaff tail hoof hooves kick "
    "punch unarmed tentacle rock maul flail ram stomp constrict wing headbutt crush",
}
_LEGENDARY = re.compile(
    r"\b([1-9]|one|two|three|four|five) legendary actions?|legendary action uses:? ?([1-9])", re.IGNORECASE
)
_WORDS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5}


def figure_lines(block: StatBlock, becomes: Mapping[str, str]) -> tuple[BlockLine, ...]:
    """Return the report on the figures of a block. `becomes`: the part of the sheet in words, by field."""
    known: dict[str, list[str]] = {}
    for field, words in becomes.items():
        if words:
            known.setdefault(block.sources.get(field) or words, []).append(words)
    return tuple(BlockLine(source, ", ".join(words)) for source, words in known.items())


def shortened(text: str, most: int = MOST_TEXT) -> str:
    """Return a text, cut to that many characters with an ellipsis."""
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}\N{HORIZONTAL ELLIPSIS}"


def notes_text(notes: Iterable[str]) -> str:
    """Return notes as one text, each of them once."""
    return "\n".join(dict.fromkeys(notes))[:MOST_NOTES]


def free_name(name: str, taken: Iterable[str]) -> str:
    """Return the name, with a number if it is taken."""
    known = {plain_word(each) for each in taken}
    if plain_word(name) not in known:
        return name
    return next(each for number in range(2, 999) if plain_word(each := f"{name} {number}") not in known)


def usual_damage_type(name: str) -> str:
    """Return the usual type of damage of an attack with this name."""
    words = set(re.findall("[a-z]+", name.casefold()))
    words |= {word.removesuffix("s") for word in words}
    return next((type for type, names in _DAMAGE_OF.items() if words & set(names.split())), USUAL_DAMAGE)


def legendary_actions(block: StatBlock, features: Sequence[Feature]) -> tuple[int, BlockLine | None]:
    """Return the number of legendary actions with its line of the report; 0 without any."""
    text = block.introductions.get("legendary", "")
    if found := _LEGENDARY.search(text):
        word = (found[1] or found[2]).casefold()
        number = _WORDS.get(word) or int(word)
        return number, BlockLine(shortened(text), f"legendary actions {number}")
    if any(feature.section == "legendary" for feature in features):
        words = f"legendary actions {USUAL_LEGENDARY}"
        return USUAL_LEGENDARY, BlockLine(shortened(text) or "Legendary Actions", words, "the usual number")
    return 0, None
