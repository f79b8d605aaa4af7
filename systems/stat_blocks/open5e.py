"""Read creatures from the JSON of Open5e's interface, version 1 or 2."""

from collections.abc import Iterator
from typing import Any

from systems.contract.stat_block import ABILITIES, BlockSection, StatBlock
from systems.stat_blocks.figures import average
from systems.stat_blocks.plain_data import BlockBuilder, Data, listed, table, tables, text, texts, whole
from systems.text import clean, signed

_SECTIONS: dict[str, BlockSection] = {
    "ACTION": "action",
    "BONUS_ACTION": "bonus_action",
    "REACTION": "reaction",
    "LEGENDARY_ACTION": "legendary",
    "MYTHIC_ACTION": "mythic",
    "LAIR_ACTION": "lair",
}
_FIELDS: tuple[tuple[str, BlockSection], ...] = (
    *(("traits", "trait"), ("special_abilities", "trait"), ("bonus_actions", "bonus_action")),
    *(("reactions", "reaction"), ("legendary_actions", "legendary")),
)
_KINDS = (
    ("resistances", "resistances"),
    ("immunities", "immunities"),
    ("vulnerabilities", "vulnerabilities"),
)
_SENSES = ("darkvision", "blindsight", "tremorsense", "truesight")


def is_creature(data: object) -> bool:
    """Return whether plain data is a creature of Open5e."""
    known = table(data)
    return "name" in known and any(key in known for key in ("armor_class", "hit_points", "ability_scores"))


def creatures(data: object) -> list[Data]:
    """Return the creatures of one answer: one, a list, or the `results` of a page."""
    if is_creature(data):
        return [table(data)]
    return [each for each in listed(table(data).get("results", data)) if is_creature(each)]


def creature(data: Data) -> StatBlock:
    """Return a creature. Raises Wrong if it has no name."""
    made = BlockBuilder(data.get("name"))
    for field in ("size", "type"):
        made.put(field, _name(data.get(field)).casefold(), f"{field} {_name(data.get(field))}")
    subtype = text(data.get("subcategory")) or text(data.get("subtype"))
    words = [f"({subtype})" if subtype else "", text(data.get("alignment"))]
    made.put("kind", ", ".join(filter(None, words)), f"alignment {words[1]}")
    detail = text(data.get("armor_detail")) or text(data.get("armor_desc"))
    armour = data.get("armor_class")
    if whole(armour) is not None:
        made.read("armour_class", "armor_class", f"{whole(armour)} ({detail})" if detail else armour)
    else:
        made.number("armour_class", "armor_class", armour)
    made.number("hit_points", "hit_points", data.get("hit_points"))
    dice = text(data.get("hit_dice")).replace(" ", "").lower()
    made.put("hit_dice", dice, f"hit_dice {dice}")
    scores = table(data.get("ability_scores")) or data
    made.scores({ability: scores.get(ability) for ability in ABILITIES})
    made.number("initiative", "initiative_bonus", data.get("initiative_bonus"))
    made.number("proficiency", "proficiency_bonus", data.get("proficiency_bonus"))
    _speed(made, data)
    saves = table(data.get("saving_throws")) or {
        ability: bonus for ability in ABILITIES if (bonus := data.get(f"{ability}_save")) is not None
    }
    made.modifiers("saves", "saving_throws", saves)
    made.modifiers("skills", "skill_bonuses", table(data.get("skill_bonuses")) or table(data.get("skills")))
    _defences(made, data)
    senses = texts(data.get("senses")) or [
        f"{sense} {number} ft." for sense in _SENSES if (number := whole(data.get(f"{sense}_range")))
    ]
    if (passive := whole(data.get("passive_perception"))) is not None:
        senses.append(f"passive Perception {passive}")
    made.put("senses", ", ".join(senses), f"senses {', '.join(senses)}")
    languages = data.get("languages")
    spoken = text(table(languages).get("as_string")) or text(languages)
    made.put("languages", spoken, f"languages {spoken}")
    _challenge(made, data)
    _prose(made, data)
    return made.block()


def _name(given: object) -> str:
    """Return the name in a table with a name, or a text itself."""
    return text(table(given).get("name")) or text(given)


def _speed(made: BlockBuilder, data: Data) -> None:
    given = table(data.get("speed"))
    for way in ("walk", "fly", "swim", "climb", "burrow"):
        if feet := whole(given.get(way)):
            made.put("speed", {way: feet}, f"speed {way} {feet}")
    if not given:
        made.read("speed", "speed", data.get("speed"))


def _defences(made: BlockBuilder, data: Data) -> None:
    given = table(data.get("resistances_and_immunities")) or data
    for word, field in _KINDS:
        shown = given.get(f"damage_{word}_display") or ", ".join(
            map(_name, listed(given.get(f"damage_{word}")))
        )
        made.read(field, f"damage_{word}", shown)
    conditions = given.get("condition_immunities_display")
    conditions = conditions or ", ".join(map(_name, listed(given.get("condition_immunities"))))
    made.read("condition_immunities", "condition_immunities", conditions)


def _challenge(made: BlockBuilder, data: Data) -> None:
    rating = text(data.get("challenge_rating_text")) or text(data.get("challenge_rating"))
    rating = rating or text(data.get("challenge_rating_decimal")) or text(data.get("cr"))
    if "." in rating:  # such as 0.250 or 5.000
        rating = rating.rstrip("0").rstrip(".") or "0"
    made.read("challenge", "challenge_rating", rating)


def _prose(made: BlockBuilder, data: Data) -> None:
    for key, section in _FIELDS:
        for each in tables(data.get(key)):
            made.say(section, _with_usage(each), _described(each))
    for each in tables(data.get("actions")):
        section = _SECTIONS.get(text(each.get("action_type")).upper(), "action")
        name = _with_usage(each)
        cost = whole(each.get("legendary_action_cost"))
        if section == "legendary" and cost and cost > 1 and "cost" not in name.casefold():
            name = f"{name} (Costs {cost} Actions)"
        made.say(section, name, _described(each))
    made.introduce("legendary", text(data.get("legendary_desc")))


def _with_usage(given: Data) -> str:
    """Return the name of an action, with how often it may be used."""
    name, limits = text(given.get("name")), table(given.get("usage_limits"))
    number, type = whole(limits.get("param")), text(limits.get("type"))
    if "(" in name or number is None:
        return name
    match type:
        case "RECHARGE_ON_ROLL":
            return f"{name} (Recharge {number}-6)" if number < 6 else f"{name} (Recharge 6)"
        case "PER_DAY":
            return f"{name} ({number}/Day)"
        case "RECHARGE_AFTER_REST":
            return f"{name} (Recharges after a Short or Long Rest)"
    return f"{name} ({clean(type.casefold().replace('_', ' '), 30)} {number})"


def _described(given: Data) -> str:
    """Return the prose of an action; if it has only figures, the same in words."""
    words = given.get("desc")
    prose = words if isinstance(words, str) else ""
    attacks = list(tables(given.get("attacks")))
    if not attacks or "hit" in prose.casefold():
        return prose
    return " ".join(filter(None, (prose, *map(_attack, attacks))))


def _attack(given: Data) -> str:
    reach, range, far = (whole(given.get(key)) for key in ("reach", "range", "long_range"))
    distance = f"range {range}/{far} ft." if range and far else f"range {range} ft." if range else ""
    near = f"reach {reach} ft." if reach else ""
    kind = "Melee or Ranged" if near and distance else "Ranged" if distance else "Melee"
    damage = " plus ".join(_amounts(given))
    where = " or ".join(filter(None, (near, distance)))
    bonus = signed(whole(given.get("to_hit_mod")) or 0).replace("\N{MINUS SIGN}", "-")
    head = f"{kind} Attack Roll: {bonus if bonus != '0' else '+0'}{', ' if where else ''}{where}"
    return f"{head.rstrip('.')}. Hit: {damage} damage." if damage else f"{head.rstrip('.')}."


def _amounts(given: Data) -> Iterator[str]:
    for extra in ("", "extra_"):
        count = whole(given.get(f"{extra}damage_die_count"))
        die = text(given.get(f"{extra}damage_die_type")).upper().removeprefix("D")
        bonus = whole(given.get(f"{extra}damage_bonus")) or 0
        type: Any = _name(given.get(f"{extra}damage_type")).casefold()
        if count and die.isdecimal():
            dice = f"{count}d{die}{f' + {bonus}' if bonus > 0 else f' - {-bonus}' if bonus else ''}"
            yield f"{average(dice.replace(' ', ''))} ({dice}) {type}".strip()
        elif bonus:
            yield f"{bonus} {type}".strip()
