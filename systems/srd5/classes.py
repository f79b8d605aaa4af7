"""Characters typed as one line, `Mira fighter 5, second wind 1/short rest`: what a class and a level give."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from systems.errors import Wrong
from systems.srd5.sheet import (
    ABILITIES,
    AMOUNT,
    DAMAGE_TYPES,
    GIVABLE,
    ITSELF,
    SKILLS,
    USUAL_DAMAGE,
    modifier,
)
from systems.srd5.spell_effects import effect_of
from systems.srd5.spells import SPELLS, cast_by
from systems.srd5.weapons import as_usual
from systems.text import NEAR, find_word, nearest, shown, spoken

# The hit die of each class, and the two saves in which it is proficient.
CLASSES = {
    "barbarian": (12, "strength", "constitution"),
    "bard": (8, "dexterity", "charisma"),
    "cleric": (8, "wisdom", "charisma"),
    "druid": (8, "intelligence", "wisdom"),
    "fighter": (10, "strength", "constitution"),
    "monk": (8, "strength", "dexterity"),
    "paladin": (10, "wisdom", "charisma"),
    "ranger": (10, "strength", "dexterity"),
    "rogue": (8, "dexterity", "intelligence"),
    "sorcerer": (6, "constitution", "charisma"),
    "warlock": (8, "wisdom", "charisma"),
    "wizard": (6, "intelligence", "wisdom"),
}
# The ability with which each class casts.
_CASTS = {
    **dict.fromkeys(("bard", "paladin", "sorcerer", "warlock"), "charisma"),
    **dict.fromkeys(("cleric", "druid", "ranger"), "wisdom"),
    "wizard": "intelligence",
}
_FULL_CASTERS = ("bard", "cleric", "druid", "sorcerer", "wizard")
_HALF_CASTERS = ("paladin", "ranger")
# Spell slots of levels 1 to 9, by the level of a full caster.
_SLOTS = (
    *("2", "3", "42", "43", "432", "433", "4331", "4332", "43331", "43332"),
    *("433321", "433321", "4333211", "4333211", "43332111", "43332111"),
    *("433321111", "433331111", "433332111", "433332211"),
)
# Words before a number that are near the name of a class.
_NO_CLASSES = ("range", "ranged", "fight")
_ALIKE, _SHORT = 0.86, 5  # how near a misspelling is, and the letters of a name that is not checked for one
_CLASS = re.compile(rf"({'|'.join(CLASSES)}) ([1-9]|1[0-9]|20)", re.IGNORECASE)
_SCORE = re.compile(r"(str|dex|con|int|wis|cha) ([1-9]|[12][0-9]|30)", re.IGNORECASE)
_ARMOUR = re.compile(r"armou?r class ([0-9]{1,2})", re.IGNORECASE)
_HIT_POINTS = re.compile(r"(?:max(?:imum)? )?hit points ([0-9]{1,3})", re.IGNORECASE)
_SPEED = re.compile(
    r"(?:speed|(fly|swim|climb|burrow)(?: speed)?) ([1-4]?[0-9]{1,2}|500)(?: ?(?:ft\.?|feet))?", re.IGNORECASE
)
_BONUS = r"([+-]?[0-9]{1,2})"
_SAVE = re.compile(
    rf"({'|'.join(ABILITIES)}|str|dex|con|int|wis|cha) (?:save|saving throw) {_BONUS}", re.IGNORECASE
)
_SKILL = re.compile(rf"([a-z ]{{5,20}}) {_BONUS}", re.IGNORECASE)
_DEFENCE = re.compile(
    r"(resists|(?:resistant|immune|vulnerable|resistance|immunity|vulnerability) to) ([a-z ]+)", re.IGNORECASE
)
_CLASS_AFTER = re.compile(rf"level ([0-9]{{1,3}}) ({'|'.join(CLASSES)})", re.IGNORECASE)
_LEVELS = re.compile(r"([a-z]{4,12}) ([0-9]{1,3})", re.IGNORECASE)
_COUNTED = re.compile(r"([^\d,]+?) ([1-9][0-9]?) ?/ ?(?:(short|long)(?: rest)?|day|rest)", re.IGNORECASE)
_SEVERAL = re.compile(r"(?:multiattack ([2-9])|([2-9]) attacks|extra attack)", re.IGNORECASE)
# Features that only people read: `sneak attack 4d6`, `passive perception 14`, `cunning action`.
_READ = re.compile(
    r"[^\d,]{3,40} [0-9]{1,2}d[0-9]{1,2}|passive [a-z]+ [0-9]{1,2}|cunning action", re.IGNORECASE
)
_RANGED = re.compile(
    rf"([^\d,+]{{2,40}}?) ([+-][0-9]{{1,2}}) ({AMOUNT})(?: ([a-z]+))?"
    r" range ([0-9]{1,4})(?:/([0-9]{1,4}))?",
    re.IGNORECASE,
)
# Features of classes that work on their user alone.
_OWN_FEATURES = frozenset(
    (
        *("second wind", "action surge", "rage", "wild shape", "arcane recovery", "natural recovery"),
        *("patient defense", "step of the wind", "indomitable", "adrenaline rush", "stone's endurance"),
        *("innate sorcery", "relentless endurance", "large form", "celestial revelation"),
    )
)
_FIRST = "the first attack"  # of a multiattack, until all attacks are known
_HEALS = re.compile(rf"(.+?) heals ({AMOUNT})(?: slot ([1-9]))?", re.IGNORECASE)
_SPELL = re.compile(r"([^\W\d_][^\d,]{2,40}?)(?: slot ([1-9]))?")
_SAVED = re.compile(
    rf"(.+?) dc ([0-9]{{1,2}}) ([a-z]{{3,}})(?: ({AMOUNT})(?: ([a-z]+))?)?( half)?"
    rf"(?: ({'|'.join(GIVABLE)}))?(?: slot ([1-9]))?",
    re.IGNORECASE,
)


def line_part(text: str) -> Mapping[str, Any] | None:
    """Return the fields that a part of a line gives: a class, a score, a counted feature or a spell.

    Raises Wrong for a class or a spell that is misspelt, and for a level that no class has.
    """
    if found := _CLASS_AFTER.fullmatch(text):
        text = f"{found[2]} {found[1]}"
    if classes := _classes(text):
        return {"traits": classes}
    if found := _LEVELS.fullmatch(text):
        _check_class(found[1], int(found[2]))
    if found := _SEVERAL.fullmatch(text):
        return {"multiattack": [{"name": _FIRST, "times": int(found[1] or found[2] or 2)}]}
    if found := _RANGED.fullmatch(text):
        return _shot(found)
    if found := _ARMOUR.fullmatch(text):
        return {"ac": int(found[1])}
    if found := _HIT_POINTS.fullmatch(text):
        return {"max_hp": int(found[1])}
    if found := _SPEED.fullmatch(text):
        return {"speed": {(found[1] or "walk").casefold(): int(found[2])}}
    if found := _SAVE.fullmatch(text):
        return {"saves": {_ability(found[1]): int(found[2])}}
    if (found := _SKILL.fullmatch(text)) and (skill := _skill(found[1], text)):
        return {"skills": [{"name": skill, "bonus": int(found[2])}]}
    if found := _DEFENCE.fullmatch(text):
        return _defence(found[1].casefold(), found[2].casefold())
    if found := _SCORE.fullmatch(text):
        return {_ability(found[1]): int(found[2])}
    if found := _COUNTED.fullmatch(text):
        rest = "short_rest" if (found[3] or "").casefold() == "short" else "long_rest"
        power = {"name": found[1], "uses_per_day": int(found[2]), **_own(found[1])}
        return {"powers": [power if rest == "long_rest" else {**power, "back_after": rest}]}
    if found := _HEALS.fullmatch(text):
        return {"powers": [{"name": found[1], "healing": found[2], **_slot(found[3]), **_own(found[1])}]}
    if found := _SAVED.fullmatch(text):
        return _saved(found)
    if found := _SPELL.fullmatch(text):
        if spell := SPELLS.find(found[1]):
            return {"powers": [{"name": spell.name, **_slot(found[2])}]}
        if len(found[1]) > _SHORT and (near := nearest(found[1], SPELLS.names.values(), _ALIKE)):
            raise _misspelt(found[1], near, text)
    return {"traits": [text]} if _READ.fullmatch(text) else None


def _classes(text: str) -> list[str]:
    """Return the classes and levels of `fighter 5` or `fighter 3/rogue 2`, or []."""
    found = [_CLASS.fullmatch(part.strip()) for part in text.split("/")]
    return [f"{each[1].casefold()} {each[2]}" for each in found if each] if all(found) else []


def _ability(begin: str) -> str:
    """Return the ability whose name begins like this, such as `wis`."""
    return next(name for name in ABILITIES if name.startswith(begin.casefold()))


def _skill(word: str, text: str) -> str | None:
    """Return the skill of this name, or None. Raises Wrong for one that is misspelt."""
    if found := find_word(word, SKILLS):
        return found
    if near := nearest(word, [spoken(skill) for skill in SKILLS], _ALIKE):
        raise _misspelt(word, near, text)
    return None


def _defence(verb: str, words: str) -> Mapping[str, Any] | None:
    """Return a resistance, immunity or vulnerability, such as `resistant to fire and cold`.

    Raises Wrong for a type that is misspelt.
    """
    fields = {"resist": "resistances", "immun": "immunities", "vulner": "vulnerabilities"}
    field = next(name for begin, name in fields.items() if verb.startswith(begin))
    named = [word for word in words.split() if word != "and"]
    if all(word in DAMAGE_TYPES for word in named):
        return {field: named}
    if field == "immunities" and all(word in GIVABLE for word in named):
        return {"condition_immunities": named}
    for word in named:
        if word not in DAMAGE_TYPES and (near := nearest(word, DAMAGE_TYPES, _ALIKE)):
            raise _misspelt(word, near, f"{verb} {words}")
    return None


def _own(name: str) -> dict[str, str]:
    """Return the area of a feature that works on its user alone."""
    return {"area": ITSELF} if name.casefold() in _OWN_FEATURES else {}


def _check_class(word: str, level: int) -> None:
    """Raise Wrong for a misspelt class, and for a class with a level that it does not have."""
    name = word.casefold()
    if name in CLASSES:
        raise Wrong("", f"a {name} has a level from 1 to 20, got {level}")
    if 0 < level <= 20 and name not in _NO_CLASSES and (near := nearest(name, CLASSES, NEAR)):
        raise _misspelt(word, near, f"{word} {level}")


def _misspelt(word: str, near: str, text: str) -> Wrong:
    says = f"{shown(word)} is not known here; did you mean {near}?"
    return Wrong("", says, suggestion=text.replace(word, near), word=word)


def _shot(found: re.Match[str]) -> Mapping[str, Any] | None:
    """Return an attack with its ranges: `longbow +7 1d8+4 range 150/600`, or one of them."""
    type = (found[4] or USUAL_DAMAGE).casefold()
    if type not in DAMAGE_TYPES:
        return None
    ranges = {"kind": "ranged", "range": int(found[5])}
    if found[6]:
        ranges["long_range"] = int(found[6])
    attack = {"name": found[1], "to_hit": int(found[2]), "damage": [f"{found[3]} {type}"], **ranges}
    return {"attacks": [attack]}


def _with_spells(fields: Mapping[str, Any], ability: str, proficiency: int) -> dict[str, Any]:
    """Return the fields with each spell that was named alone as its attack or power."""
    score = modifier(fields.get(ability, 10))
    dc, known = 8 + proficiency + score, list[dict[str, Any]]()
    found: dict[str, Any] = {"powers": [], "attacks": list(fields.get("attacks", ()))}
    for power in fields.get("powers", ()):
        spell = SPELLS.find(power["name"]) if set(power) <= {"name", "slot"} else None
        name, entry = cast_by(spell, score, proficiency, power.get("slot", 0)) if spell else ("powers", power)
        found[name].append(entry)
        known += [effect] if spell and (effect := effect_of(spell.name, dc)) else []
    if known:
        found["effects"] = [*fields.get("effects", ()), *known]
    return {**fields, **{name: entries for name, entries in found.items() if entries or name in fields}}


def _saved(found: re.Match[str]) -> Mapping[str, Any] | None:
    """Return a power with a save, such as `fireball dc 15 dex 8d6 fire half slot 3`."""
    known = [ability for ability in ABILITIES if ability.startswith(found[3].casefold())]
    type = (found[5] or USUAL_DAMAGE).casefold()
    if len(known) != 1 or type not in DAMAGE_TYPES:
        return None
    power: dict[str, Any] = {"name": found[1], "save": known[0], "dc": int(found[2]), "magical": True}
    if found[4]:
        power["damage"] = [f"{found[4]} {type}"]
    if found[6]:
        power["half"] = True
    if found[7]:
        power["conditions"] = [found[7].casefold()]
    return {"powers": [{**power, **_slot(found[8])}]}


def _slot(level: str | None) -> dict[str, int]:
    return {"slot": int(level)} if level else {}


def line_whole(fields: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the fields of a line with all that its classes, its level and its weapons give (SRD-90)."""
    fields = _with_weapons(fields)
    classes = [found for trait in fields.get("traits", ()) if (found := _CLASS.fullmatch(trait))]
    level = sum(int(found[2]) for found in classes)
    if not 0 < level <= 20:
        return fields
    levels = [(found[1], int(found[2])) for found in classes]
    proficiency = fields.get("proficiency", 2 + (level - 1) // 4)
    scores = {ability: modifier(fields.get(ability, 10)) for ability in ABILITIES}
    saves = {ability: scores[ability] + proficiency for ability in CLASSES[levels[0][0]][1:]}
    given = {
        "level": level,
        "proficiency": proficiency,
        "saves": {**saves, **fields.get("saves", {})},
        "hit_dice": _hit_dice(levels),
        "max_hp": _hit_points(levels, scores["constitution"]),
    }
    if slots := _spell_slots(levels):
        given["spell_slots"] = slots
    ability = next((_CASTS[name] for name, _ in levels if name in _CASTS), "intelligence")
    known = _with_spells(fields, ability, proficiency)
    return {**given, **{name: value for name, value in known.items() if name != "saves"}}


def _with_weapons(fields: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the fields with the facts of usual weapons, and with the attack that a multiattack means."""
    found: dict[str, Any] = dict(fields)
    if attacks := [as_usual(attack) for attack in fields.get("attacks", ())]:
        found["attacks"] = attacks
    first = attacks[0]["name"] if attacks else "unarmed"
    if several := fields.get("multiattack"):
        found["multiattack"] = [
            {**each, "name": first} if each["name"] == _FIRST else each for each in several
        ]
    return found


def _hit_dice(levels: Sequence[tuple[str, int]]) -> list[dict[str, Any]]:
    dice: dict[int, int] = {}
    for name, level in levels:
        sides = int(CLASSES[name][0])
        dice[sides] = dice.get(sides, 0) + level
    return [{"name": f"d{sides}", "die": f"d{sides}", "total": total} for sides, total in dice.items()]


def _hit_points(levels: Sequence[tuple[str, int]], constitution: int) -> int:
    """Return the whole first die, then the average of each further one, rounded up."""
    points = sum(level * (int(CLASSES[name][0]) // 2 + 1 + constitution) for name, level in levels)
    sides = int(CLASSES[levels[0][0]][0])
    return max(1, points + sides // 2 - 1)


def _spell_slots(levels: Sequence[tuple[str, int]]) -> list[dict[str, Any]]:
    """Return the spell slots of all classes; those of a warlock come back after a short rest (SRD-77)."""
    full = sum(level for name, level in levels if name in _FULL_CASTERS)
    full += sum((level + 1) // 2 for name, level in levels if name in _HALF_CASTERS)
    many = _SLOTS[min(20, full) - 1] if full else ""
    found: list[dict[str, Any]] = [
        {"name": f"level {at}", "level": at, "total": int(total)} for at, total in enumerate(many, 1)
    ]
    pact = sum(level for name, level in levels if name == "warlock")
    if pact:
        total = 1 if pact == 1 else 2 if pact < 11 else 3 if pact < 17 else 4
        of = min(5, (pact + 1) // 2)
        found.append({"name": "pact", "level": of, "total": total, "back_after": "short_rest"})
    return found
