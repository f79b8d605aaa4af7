"""Print a creature of SRD 5.2 as a stat block in the layout of 2014 or 2024, with what must be read back.

The sentences are our own; names and figures are those of the creature's file.
"""

from collections.abc import Mapping
from typing import Any

from systems.srd5.sheet import ABILITIES, modifier
from systems.stat_blocks.figures import average

_WORDS = ("", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_SECTIONS = {"action": "Actions", "bonus_action": "Bonus Actions", "reaction": "Reactions"}
_SECTIONS |= {"legendary": "Legendary Actions"}
# What is read back unchanged from either layout.
SAME = (
    *("name", "ac", "max_hp", *ABILITIES, "speed", "size", "type", "cr", "resistances", "immunities"),
    *("vulnerabilities", "condition_immunities", "multiattack", "hit_dice", "legendary_actions", "skills"),
    *("magic_resistance", "pack_tactics", "undead_fortitude", "regeneration", "regeneration_stopped_by"),
    *("regenerates_at_zero", "traits", "legendary_resistances", "evasion"),
)


def printed_2014(creature: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return the stat block in the layout of 2014, and the fields to read back."""
    hp, dice = _hit_points(creature)
    scores = [creature[ability] for ability in ABILITIES]
    saves = [f"{name[:3].title()} {bonus:+d}" for name, bonus in creature["saves"].items()]
    lines = [
        creature["name"],
        f"{creature['size'].title()} {creature['type']}, any alignment",
        f"Armor Class {creature['ac']} (natural armor)",
        f"Hit Points {hp} ({dice})",
        f"Speed {_speed(creature, str.lower)}",
        "STR DEX CON INT WIS CHA",
        " ".join(f"{score} ({modifier(score):+d})" for score in scores).replace("-", "\N{MINUS SIGN}"),
        f"Saving Throws {', '.join(saves)}",
        *_skills(creature),
        *_listed("Damage Vulnerabilities ", creature.get("vulnerabilities")),
        *_listed("Damage Resistances ", creature.get("resistances")),
        *_listed("Damage Immunities ", creature.get("immunities")),
        *_listed("Condition Immunities ", creature.get("condition_immunities")),
        "Senses darkvision 60 ft., passive Perception 10",
        "Languages Common",
        f"Challenge {creature['cr']} (1,000 XP)",
        *(f"{name}. {text}" for name, text in _traits(creature, is_old=True)),
    ]
    lines += _sections(creature, is_old=True)
    return "\n".join(lines), _wanted(creature, is_old=True)


def printed_2024(creature: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return the stat block in the layout of 2024, and the fields to read back."""
    hp, dice = _hit_points(creature)
    rows = [
        f"{a[:3].title()} {creature[a]} {modifier(creature[a]):+d} {creature['saves'][a]:+d}"
        for a in ABILITIES
    ]
    immune = [_words(creature.get(name, ())).title() for name in ("immunities", "condition_immunities")]
    lines = [
        creature["name"],
        f"{creature['size'].title()} {creature['type'].title()}, Neutral",
        f"AC {creature['ac']} Initiative {creature['initiative']:+d} ({10 + creature['initiative']})",
        f"HP {hp} ({dice})",
        f"Speed {_speed(creature, str.title)}",
        "MOD SAVE MOD SAVE MOD SAVE",
        " ".join(rows[:3]).replace("-", "\N{MINUS SIGN}"),
        " ".join(rows[3:]).replace("-", "\N{MINUS SIGN}"),
        *_skills(creature),
        *_listed("Vulnerabilities ", creature.get("vulnerabilities")),
        *_listed("Resistances ", creature.get("resistances")),
        *_listed("Immunities ", ["; ".join(filter(None, immune))] if any(immune) else None),
        "Senses Darkvision 60 ft.; Passive Perception 10",
        "Languages Common",
        f"CR {creature['cr']} (XP 1,000; PB {creature['proficiency']:+d})",
        *(["Traits"] if creature.get("traits") else []),
        *(f"{name}. {text}" for name, text in _traits(creature, is_old=False)),
    ]
    lines += _sections(creature, is_old=False)
    return "\n".join(lines), _wanted(creature, is_old=False)


def _hit_points(creature: Mapping[str, Any]) -> tuple[int, str]:
    dice = creature["hit_dice"][0]
    amount = f"{dice['total']}{dice['die']}"
    plus = dice["total"] * modifier(creature["constitution"])
    return creature["max_hp"], f"{amount} {'+' if plus > 0 else '-'} {abs(plus)}" if plus else amount


def _speed(creature: Mapping[str, Any], way: Any) -> str:
    return ", ".join(
        f"{feet} ft." if name == "walk" else f"{way(name)} {feet} ft."
        for name, feet in creature["speed"].items()
    )


def _skills(creature: Mapping[str, Any]) -> list[str]:
    skills = creature.get("skills", ())
    names = [f"{each['name'].replace('_', ' ').title()} {each['bonus']:+d}" for each in skills]
    return _listed("Skills ", names)


def _words(names: Any) -> str:
    return ", ".join(names)


def _listed(label: str, names: Any) -> list[str]:
    return [f"{label}{_words(names)}"] if names else []


def _traits(creature: Mapping[str, Any], *, is_old: bool) -> list[tuple[str, str]]:
    texts = {
        "Magic Resistance": "It has advantage on saving throws against spells and other magical effects.",
        "Pack Tactics": "It has advantage on an attack roll if one of its allies is near the target.",
        "Undead Fortitude": "If damage would fell it, a Constitution saving throw keeps it at 1 hit point.",
        "Evasion": "It takes no damage instead of half damage from such an effect.",
    }
    if creature.get("regeneration"):
        stopped = " or ".join(creature.get("regeneration_stopped_by", ()))
        texts["Regeneration"] = (
            f"It regains {creature['regeneration']} hit points at the start of its turn."
            + (
                f" If it takes {stopped} damage, this does not work at the start of its next turn."
                if stopped
                else ""
            )
            + (
                " It dies only if it starts its turn with 0 hit points."
                if creature.get("regenerates_at_zero")
                else ""
            )
        )
    return [
        (name, texts.get(name.partition(" (")[0], "It does as the name says."))
        for name in creature.get("traits", ())
    ]


def _sections(creature: Mapping[str, Any], *, is_old: bool) -> list[str]:
    found: dict[str, list[str]] = {kind: [] for kind in _SECTIONS}
    if several := creature.get("multiattack"):
        found["action"].append(_multiattack(several, is_old=is_old))
    found["action"] += [_attack(each, is_old=is_old) for each in creature.get("attacks", ())]
    traits = {name.partition(" (")[0] for name in creature.get("traits", ())}
    for power in creature.get("powers", ()):
        if power["name"] not in traits and power["name"] != "Spellcasting":
            found[power.get("kind", "action")].append(_power(power, is_old=is_old))
    lines: list[str] = []
    for kind, texts in found.items():
        if texts:
            lines.append(_SECTIONS[kind])
            if kind == "legendary":
                number = creature["legendary_actions"]
                old, new = f"It can take {number} legendary actions.", f"Legendary Action Uses: {number}."
                lines.append(old if is_old else new)
            lines += texts
    return lines


def _multiattack(several: Any, *, is_old: bool) -> str:
    if is_old and len(several) > 1:
        parts = " and ".join(
            f"{_WORDS[each.get('times', 1)]} with its {each['name'].lower()}" for each in several
        )
        total = _WORDS[min(9, sum(each.get("times", 1) for each in several))]
        return f"Multiattack. It makes {total} attacks: {parts}."
    parts = " and ".join(
        f"{_WORDS[each.get('times', 1)]} {each['name']} attack{'s' * (each.get('times', 1) > 1)}"
        for each in several
    )
    return f"Multiattack. It makes {parts}."


def _amount(text: str) -> str:
    if "d" not in text:
        return text
    return f"{average(text)} ({text.replace('+', ' + ').replace('-', ' - ')})"


def _damage(texts: Any, *, is_old: bool) -> str:
    parts = [text.partition(" ") for text in texts]
    return " plus ".join(
        f"{_amount(amount)} {type if is_old else type.title()} damage" for amount, _, type in parts
    )


def _conditions(names: Any, escape: int | None, *, is_old: bool) -> str:
    def words(name: str) -> str:
        more = f" (escape DC {escape})" if escape and name == "grappled" else ""
        if name == "exhaustion":
            return "gains 1 Exhaustion level"
        return f"is {name}{more}" if is_old else f"has the {name.title()} condition{more}"

    return ", and it ".join(words(name) for name in names)


def _attack(attack: Mapping[str, Any], *, is_old: bool) -> str:
    kind = {"either": "Melee or Ranged"}.get(attack.get("kind", "melee"), attack.get("kind", "melee").title())
    far = (
        f"range {attack.get('range')}"
        + (f"/{attack['long_range']}" if "long_range" in attack else "")
        + " ft."
    )
    places = [f"reach {attack['reach']} ft."] if "reach" in attack else []
    places += [far] if "range" in attack else []
    where = ", ".join([" or ".join(places)] if places else [])
    hit = _damage(attack.get("damage", ()), is_old=is_old)
    if attack.get("conditions"):
        given = _conditions(attack["conditions"], attack.get("escape_dc"), is_old=is_old)
        hit += f"{', and ' if hit else ''}the target {given}"
    if attack.get("save") and attack.get("save_conditions"):
        name, what = attack["save"].title(), ", and it is ".join(attack["save_conditions"])
        hit += f". The target must succeed on a DC {attack['save_dc']} {name} saving throw or be {what}"
    head = f"{attack['name']}{_limits(attack)}."
    if is_old:
        return f"{head} {kind} Weapon Attack: {attack['to_hit']:+d} to hit, {where}, one target. Hit: {hit}."
    return f"{head} {kind} Attack Roll: {attack['to_hit']:+d}, {where} Hit: {hit}."


def _limits(entry: Mapping[str, Any]) -> str:
    if entry.get("recharge"):
        return f" (Recharge {entry['recharge']}\N{EN DASH}6)" if entry["recharge"] < 6 else " (Recharge 6)"
    if entry.get("uses_per_day") and not entry.get("back_after"):
        return f" ({entry['uses_per_day']}/Day)"
    return f" (Costs {entry['cost']} Actions)" if entry.get("cost", 1) > 1 else ""


def _power(power: Mapping[str, Any], *, is_old: bool) -> str:
    head = f"{power['name']}{_limits(power)}."
    area = power.get("area")
    where = f"each creature in a {_area(area)}" if area else "one creature within 60 feet"
    given = _conditions(power.get("conditions", ()), power.get("escape_dc"), is_old=is_old)
    damage = _damage(power.get("damage", ()), is_old=is_old)
    if not power.get("save"):
        words = [f"The target takes {damage}."] if damage else []
        words += [f"The target {given}."] if given else []
        return f"{head} {' '.join(words) or 'It does as the name says.'}"
    name, dc = power["save"].title(), power["dc"]
    if is_old:
        if damage:
            text = f"{where.capitalize()} must make a DC {dc} {name} saving throw, taking {damage}"
            text += " on a failed save"
            text += ", or half as much damage on a successful one." if power.get("half") else "."
            return f"{head} {text}" + (f" On a failed save, the target {given}." if given else "")
        failure = f"or the target {given}" if given else "or suffer"
        return f"{head} {where.capitalize()} must succeed on a DC {dc} {name} saving throw {failure}."
    failure = (
        ". ".join(filter(None, (damage, f"The target {given}" if given else ""))) or "The target is lost"
    )
    success = " Success: Half damage." if power.get("half") else ""
    return f"{head} {name} Saving Throw: DC {dc}, {where}. Failure: {failure}.{success}"


def _area(area: str) -> str:
    shape, _, more = area.partition(", ")
    if more.endswith("wide"):
        return f"{shape.partition('-')[0]}-foot-long, {more.split()[0]}-foot-wide Line"
    if more.endswith("high"):
        feet = shape.split("-")[0]
        return f"{feet}-foot-radius, {more.split()[0]}-foot-high Cylinder"
    return shape


def _wanted(creature: Mapping[str, Any], *, is_old: bool) -> dict[str, Any]:
    """Return the fields that the printed text holds."""
    found = {name: creature[name] for name in SAME if name in creature}
    found["saves"] = creature["saves"]
    if several := creature.get("multiattack"):
        found["multiattack"] = [{"times": 1, **each} for each in several]
    if "Magic Resistance" not in creature.get("traits", ()):
        found.pop("magic_resistance", None)
    if not is_old:
        found |= {"initiative": creature["initiative"], "proficiency": creature["proficiency"]}
    fields = ("name", "to_hit", "kind", "reach", "range", "long_range", "damage", "conditions", "escape_dc")
    save = ("save", "save_dc", "save_conditions")
    found["attacks"] = [
        {
            k: v
            for k, v in each.items()
            if k in fields or (k in save and each.get("save_conditions")) or k == "recharge"
        }
        for each in creature.get("attacks", ())
    ]
    if not found["attacks"]:
        del found["attacks"]
    traits = {name.partition(" (")[0] for name in creature.get("traits", ())}
    keys = (
        "name",
        "kind",
        "save",
        "dc",
        "half",
        "damage",
        "conditions",
        "escape_dc",
        "area",
        "recharge",
        "uses_per_day",
        "cost",
    )
    powers = [
        each
        for each in creature.get("powers", ())
        if each["name"] not in traits and each["name"] != "Spellcasting"
    ]
    order = list(_SECTIONS)
    powers.sort(key=lambda each: order.index(each.get("kind", "action")))
    printed = [
        {
            k: v
            for k, v in each.items()
            if k in keys
            and (each.get("save") or k != "area")
            and (k != "uses_per_day" or not each.get("back_after"))
        }
        for each in powers
    ]
    if printed:
        found["powers"] = printed
    return found
