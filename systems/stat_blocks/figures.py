"""The labelled figures of a stat block: what each label is, and how its value is read."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from systems.contract.stat_block import ABILITIES, BlockLine
from systems.frozen import frozen
from systems.text import plain_word

SIZES = ("tiny", "small", "medium", "large", "huge", "gargantuan")
TYPES = (
    *("aberration", "beast", "celestial", "construct", "dragon", "elemental", "fey", "fiend", "giant"),
    *("humanoid", "monstrosity", "ooze", "plant", "undead"),
)
DAMAGE_TYPES = (
    *("acid", "bludgeoning", "cold", "fire", "force", "lightning", "necrotic", "piercing", "poison"),
    *("psychic", "radiant", "slashing", "thunder"),
)
CONDITIONS = (
    *("blinded", "charmed", "deafened", "exhaustion", "frightened", "grappled", "incapacitated", "invisible"),
    *("paralyzed", "petrified", "poisoned", "prone", "restrained", "stunned", "unconscious"),
)
# Words for a condition that differ from its name.
CONDITION_WORDS = {
    "paralysed": "paralyzed",
    "exhausted": "exhaustion",
    "blind": "blinded",
    "deaf": "deafened",
}
SKILLS = (
    *("acrobatics", "animal handling", "arcana", "athletics", "deception", "history", "insight"),
    *("intimidation", "investigation", "medicine", "nature", "perception", "performance", "persuasion"),
    *("religion", "sleight of hand", "stealth", "survival"),
)
_WALKING = {
    "walking": "walk",
    "flying": "fly",
    "swimming": "swim",
    "climbing": "climb",
    "burrowing": "burrow",
}
ABILITY_WORDS = {ability[:3]: ability for ability in ABILITIES}
ABILITY = (
    r"(?:str(?:ength)?|dex(?:terity)?|con(?:stitution)?|int(?:elligence)?|wis(?:dom)?|cha(?:risma)?)\b\.?"
)
DICE = r"[0-9]{1,3} ?[dD] ?[0-9]{1,3}"
FEET_PER_METRE = 5 / 1.5


class FoundFigures:
    """The figures of one creature while its lines are read."""

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}
        self.sources: dict[str, str] = {}
        self.lines: list[BlockLine] = []

    def keep(self, field: str, value: Any, source: str) -> None:
        """Keep a figure with its source; a table of figures is merged with the earlier one."""
        if isinstance(value, Mapping):
            known: dict[str, Any] = self.values.setdefault(field, {})
            for name, figure in value.items():
                known.setdefault(name, figure)
                self.sources.setdefault(f"{field}.{name}", source)
        elif isinstance(value, tuple):
            self.values[field] = (*self.values.get(field, ()), *value)
        else:
            self.values.setdefault(field, value)
        earlier = self.sources.get(field, "")
        if source not in earlier:
            self.sources[field] = f"{earlier}; {source}" if earlier else source

    def assume(self, text: str, assumed: str, becomes: str = "") -> None:
        """Report an assumption about a piece of text."""
        self.lines.append(BlockLine(text, becomes, assumed))

    def miss(self, text: str, problem: str) -> None:
        """Report a piece of text that was not understood."""
        self.lines.append(BlockLine(text, problem=problem))


# Keeps the figure at the beginning of a text after a label, and returns the rest of the text.
ReadFigure = Callable[["FoundFigures", str, str], str]


@frozen
class Label:
    """A label of a stat block.

    `start`: matches it if a value follows. `read`: keeps the value and returns the rest of the line, which
    belongs to something else.
    """

    kind: str
    start: re.Pattern[str]
    read: ReadFigure


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)


# One figure


_AC = _pattern(r"[\s:=]{0,4}([0-9]{1,2})\b(?:\s?\(([^()]{0,90})\))?")


def _armour_class(found: FoundFigures, label: str, value: str) -> str:
    match = _AC.match(value)
    if match is None:
        return _not_read(found, label, value)
    found.keep("armour_class", int(match[1]), f"{label} {match[0].strip(' :')}")
    more = match[2] or ""
    rest = value[match.end() :]
    if re.search("[0-9]", more):
        found.assume(f"{label} {match[0].strip(' :')}", f"armour class {match[1]} without “{more}”")
    if other := re.match(r"\s*(?:,|or|/)\s*[0-9]{1,2} [^,;]{3,60}", rest):
        found.assume(other[0].strip(" ,"), f"armour class {match[1]} without this")
        rest = rest[other.end() :]
    return rest


_HP = _pattern(
    rf"[\s:=]{{0,4}}([0-9]{{1,4}})(?:\s?/\s?[0-9]{{1,4}})?\b"
    rf"(?:\s?[\[(]?\s?({DICE}(?:\s?[+-]\s?[0-9]{{1,4}})?)\s?[\])]?)?"
)


def _hit_points(found: FoundFigures, label: str, value: str) -> str:
    match = _HP.match(value)
    if match is None:
        only_dice = re.match(rf"[\s:=(]{{0,4}}({DICE}(?:\s?[+-]\s?[0-9]{{1,4}})?)\)?", value)
        if only_dice is None:
            return _not_read(found, label, value)
        dice, source = plain_dice(only_dice[1]), f"{label} {only_dice[0].strip(' :')}"
        found.keep("hit_points", average(dice), source)
        found.keep("hit_dice", dice, source)
        found.assume(source, f"the average of {dice}", f"hit points {average(dice)}")
        return value[only_dice.end() :]
    hit_points, source = int(match[1]), f"{label} {match[0].strip(' :')}"
    found.keep("hit_points", hit_points, source)
    if match[2]:
        dice = plain_dice(match[2])
        found.keep("hit_dice", dice, source)
        if average(dice) != hit_points:
            found.assume(source, f"{hit_points} as written; {dice} is {average(dice)} on average")
    rest = value[match.end() :]
    if rest.lstrip()[:1] == "(" and ")" in rest:
        note, _, rest = rest.partition(")")
        found.miss(f"{source} {note.strip()})", "what the brackets say is left out")
    return rest


def plain_dice(text: str) -> str:
    """Return dice without blanks: `2d6 + 3` as `2d6+3`."""
    return re.sub(r"\s", "", text).lower()


def average(dice: str) -> int:
    """Return the average of dice such as `2d8+1d4-1`, rounded down."""
    twice = 0
    for sign, number, sides in re.findall(r"([+-]?)([0-9]+)(?:d([0-9]+))?", dice):
        amount = int(number) * (int(sides) + 1) if sides else 2 * int(number)
        twice += -amount if sign == "-" else amount
    return max(1 if "d" in dice else 0, twice // 2)


def _whole_number(field: str, pattern: re.Pattern[str]) -> ReadFigure:
    """Return a function that reads the number in a field's value."""

    def read(found: FoundFigures, label: str, value: str) -> str:
        match = pattern.match(value)
        if match is None:
            return _not_read(found, label, value)
        found.keep(field, int(match[1]), f"{label} {match[0].strip(' :')}")
        return value[match.end() :]

    return read


_initiative = _whole_number("initiative", _pattern(r"[\s:=]{0,4}([+-]?[0-9]{1,2})\b(?:\s?\([0-9]{1,2}\))?"))


_CR = _pattern(
    r"[\s:=]{0,4}(1/8|1/4|1/2|0?\.125|0?\.25|0?\.5|[0-9]{1,2}|\N{EM DASH}|-|none)(?![0-9/])"
    r"(?P<more>\s?[\[(][^()\[\]]{0,90}[\])]|,? ?[0-9][0-9,]{0,9} ?xp)?"
)
_DECIMAL = {"125": "1/8", "25": "1/4", "5": "1/2"}
_PB = _pattern(r"\bPB\s{0,2}:?\s{0,2}\+?([0-9]{1,2})")


def _challenge(found: FoundFigures, label: str, value: str) -> str:
    match = _CR.match(value)
    if match is None:
        return _not_read(found, label, value)
    rating, source = match[1], f"{label} {match[0].strip(' :')}"
    if rating in ("\N{EM DASH}", "-") or rating.casefold() == "none":
        rating = "none"
    elif "." in rating:
        rating = _DECIMAL[rating.partition(".")[2]]
    found.keep("challenge", rating, source)
    if bonus := _PB.search(match["more"] or ""):
        found.keep("proficiency", int(bonus[1]), source)
    return value[match.end() :]


_proficiency = _whole_number("proficiency", _pattern(r"[\s:=]{0,4}\+?([0-9]{1,2})\b"))


def _not_read(found: FoundFigures, label: str, value: str) -> str:
    found.miss(f"{label} {value}".strip(), f"{plain_label(label)} has no number that can be read")
    return ""


def plain_label(label: str) -> str:
    """Return a label as a sentence has it."""
    return label if label.isupper() else label.lower()


# Several figures


_SPEED = _pattern(
    r"[\s,;:(]{0,4}(?:(?P<way>walk|fly|swim|climb|burrow|walking|flying|swimming|climbing|burrowing)\s?:?\s)?"
    r"(?P<number>[0-9]{1,3}(?:[.,][0-9])?)\s?(?P<unit>ft\.?|feet|foot|m\b|metres|meters|'|sq\b\.?|squares)?"
    r"(?:\s(?P<after>walk|fly|swim|climb|burrow|walking|flying|swimming|climbing|burrowing)\b)?"
    r"(?P<more>\s?\([^()]{0,60}\))?\)?\.?"
)


def _speed(found: FoundFigures, label: str, value: str) -> str:
    speeds: dict[str, int] = {}
    place = 0
    value = re.sub(r"^[\s:=]+", "", value)
    while match := _SPEED.match(value, place):
        word = (match["way"] or match["after"] or "walk").casefold()
        way = _WALKING.get(word, word)
        if way in speeds or (place and not (match["way"] or match["after"])):
            break
        feet, unit = float(match["number"].replace(",", ".")), (match["unit"] or "").casefold()
        if unit in ("m", "metres", "meters"):
            feet = round(feet * FEET_PER_METRE / 5) * 5
            found.assume(match[0].strip(" ,"), "1.5 m are 5 feet", f"{way} {int(feet)} feet")
        elif unit.startswith("sq"):
            feet *= 5
            found.assume(match[0].strip(" ,"), "a square is 5 feet", f"{way} {int(feet)} feet")
        speeds[way] = int(feet)
        if (more := (match["more"] or "").strip(" ()")) and more.casefold() != "hover":
            found.miss(f"{label} {match[0].strip()}", f"“{more}” is left out")
        place = match.end()
        if value[place : place + 1] in (",", ";", ":"):
            place += 1
        elif not re.match(r"\s(?:walk|fly|swim|climb|burrow)", value[place : place + 8], re.IGNORECASE):
            break
    if not speeds:
        return _not_read(found, label, value)
    found.keep("speed", speeds, f"{label} {value[:place].strip(' ,;')}")
    return value[place:]


_SAVE = _pattern(rf"[\s,;:]{{0,4}}(?:and\s)?({ABILITY})\s?:?\s?([+-]\s?[0-9]{{1,2}})")


def _saves(found: FoundFigures, label: str, value: str) -> str:
    saves: dict[str, int] = {}
    place = 0
    while match := _SAVE.match(value, place):
        saves[ability(match[1])] = int(match[2].replace(" ", ""))
        place = match.end()
    if not saves:
        return _not_read(found, label, value)
    found.keep("saves", saves, f"{label} {value[:place].strip(' ,;')}")
    return value[place:]


def ability(word: str) -> str:
    """Return the ability that a name or its beginning means: `dex.` is dexterity."""
    return ABILITY_WORDS[word.casefold()[:3]]


def ability_in(word: str) -> str:
    """Return the ability that a word means, or ""."""
    return ABILITY_WORDS.get(word.casefold().strip(". ")[:3], "")


_SKILL = _pattern(
    r"[\s,;:]{0,4}(?:and\s)?([a-z][a-z' ]{2,30}?)\s?(?:\([a-z]{3,12}\)\s?)?:?\s?([+-]?\s?[0-9]{1,2})\b"
)


def _skills(found: FoundFigures, label: str, value: str) -> str:
    skills: dict[str, int] = {}
    place = 0
    value = re.sub(r"^[\s:=]+", "", value)
    while match := _SKILL.match(value, place):
        name = " ".join(match[1].split()).casefold()
        skills[plain_word(name)] = int(match[2].replace(" ", ""))
        place = match.end()
        if passive := re.match(r"\s?\([^()]{0,60}\)", value[place:]):
            place += passive.end()
        if name not in SKILLS:
            found.assume(f"{label} {match[0].strip(' ,')}", f"“{name}” is the name of a skill")
    if not skills:
        return _not_read(found, label, value)
    found.keep("skills", skills, f"{label} {value[:place].strip(' ,;')}")
    return value[place:]


_WITH_WORDS = re.compile(
    r"\b(?:from|that|while|when|except|made|unless|by|attacks?|nonmagical|in)\b", re.IGNORECASE
)


def _damage(field: str) -> ReadFigure:
    def read(found: FoundFigures, label: str, value: str) -> str:
        value, _, rest = value.partition(". ")
        value = value.strip(" :=.")
        types, conditions, others = damage_words(value)
        source = f"{label} {value}"
        if types or others:
            found.keep(field, (*types, *others), source)
        if conditions:
            found.keep("condition_immunities", conditions, source)
        if not (types or others or conditions):
            found.miss(source, "no type of damage that can be read")
        return rest

    return read


def damage_words(value: str) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Return the types of damage in a list, the conditions, and parts with further words as they are."""
    types, conditions, others = list[str](), list[str](), list[str]()
    for part in value.split(";"):
        if _WITH_WORDS.search(part):
            # `cold, fire, and bludgeoning from weapons`: nothing says how far the words reach.
            others.append(" ".join(part.split()))
            continue
        for word in re.split(r",|\band\b|\bor\b|/", part):
            plain = word.strip(" .*").casefold().removesuffix(" damage")
            name = CONDITION_WORDS.get(plain, plain)
            if plain in DAMAGE_TYPES:
                types.append(plain)
            elif name in CONDITIONS:
                conditions.append(name)
            elif plain and plain not in ("none", "\N{EM DASH}", "-"):
                others.append(word.strip())
    return tuple(types), tuple(conditions), tuple(others)


def _conditions(found: FoundFigures, label: str, value: str) -> str:
    value = value.strip(" :=.")
    types, conditions, others = damage_words(value)
    if conditions:
        found.keep("condition_immunities", conditions, f"{label} {value}")
    for word in (*types, *others):
        found.miss(f"{label} {word}", "not the name of a condition")
    return ""


def _words(field: str) -> ReadFigure:
    def read(found: FoundFigures, label: str, value: str) -> str:
        value = value.strip(" :=")
        found.keep(field, value, f"{label} {value}")
        return ""

    return read


def _gear(found: FoundFigures, label: str, value: str) -> str:
    found.keep("gear", value.strip(" :="), f"{label} {value.strip(' :=')}")
    return ""


def _label(kind: str, words: str, value: str, read: ReadFigure) -> Label:
    """Declare a label: its words as a pattern, and how a value begins."""
    return Label(kind, re.compile(rf"(?:{words})(?=[\s:=.]{{0,4}}(?:{value}))"), read)


_LISTED = r"\s*[A-Za-z(\N{EM DASH}-]"
LABELS = (
    _label("armour_class", r"\b(?i:armou?r class|ac)\b", "[0-9]", _armour_class),
    _label("hit_points", r"\b(?i:hit points|hp)\b", r"\(?[0-9]", _hit_points),
    _label("speed", r"\b(?i:speed|spd|movement)\b", r"(?i:walk |walking |fly |swim )?[0-9]", _speed),
    _label("initiative", r"\b(?i:init(?:iative)?)\b", "[+-][0-9]", _initiative),
    _label("saves", r"\b(?i:saving throws?|saves?)\b", rf"(?i:{ABILITY})\s?:?\s?[+-]", _saves),
    _label(
        "skills",
        r"\b(?i:skills?)\b",
        r"[A-Za-z][A-Za-z' ]{2,30}\s?(?:\([A-Za-z]{3}\)\s?)?:?\s?[+-]?[0-9]",
        _skills,
    ),
    _label(
        "condition_immunities",
        r"\b(?:Condition|CONDITION|condition) (?i:immunit(?:y|ies))\b",
        _LISTED,
        _conditions,
    ),
    _label(
        "vulnerabilities",
        r"\b(?:(?i:damage vulnerabilit(?:y|ies))|Vulnerabilit(?:y|ies)|[Vv]uln\b\.?|[Vv]ulnerable(?: to)?\b)",
        _LISTED,
        _damage("vulnerabilities"),
    ),
    _label(
        "resistances",
        r"\b(?:(?i:damage resistances?)|Resistances?|Resists?|resists?\b|[Rr]esistant(?: to)?\b)",
        _LISTED,
        _damage("resistances"),
    ),
    _label(
        "immunities",
        r"\b(?:(?i:damage immunit(?:y|ies))|(?<!ondition )Immunit(?:y|ies)|[Ii]mmune(?: to)?\b)",
        _LISTED,
        _damage("immunities"),
    ),
    _label("senses", r"\b(?:Senses?|SENSES?)\b", _LISTED, _words("senses")),
    _label("languages", r"\b(?:Languages?|LANGUAGES?)\b", _LISTED, _words("languages")),
    _label("challenge", r"\b(?i:challenge(?: rating)?|cr)\b", r"[0-9.\N{EM DASH}]|-|none", _challenge),
    _label("proficiency", r"\b(?:(?i:proficiency bonus)|PB|Prof\.?)", r"\+?[0-9]", _proficiency),
    _label("gear", r"\bGear\b", "[A-Z]", _gear),
)
