"""A stat block as a sheet of SRD 5.2: figures, attacks, powers, traits, and effects for what lasts."""

import re
from collections.abc import Sequence
from typing import Any

from systems.contract.stat_block import (
    ABILITIES,
    BlockCondition,
    BlockDamage,
    BlockLine,
    BlockSheet,
    Feature,
    StatBlock,
)
from systems.contract.stat_block_words import (
    NOT_UNDERSTOOD,
    USUAL_LEGENDARY,
    figure_lines,
    free_name,
    legendary_actions,
    notes_text,
    shortened,
    usual_damage_type,
)
from systems.srd5.sheet import (
    AMOUNT,
    DAMAGE_TYPES,
    GIVABLE,
    RATINGS,
    SIZES,
    SKILLS,
    SPEEDS,
    TYPES,
)
from systems.text import plain_word, signed

MOST_REMINDER = 120
_ONE_ATTACK = re.compile(r"\bmakes? (?:one|an?) ([a-z][a-z' -]{1,40}?) attacks?\b", re.IGNORECASE)
_KINDS = {
    "bonus_action": "bonus_action",
    "reaction": "reaction",
    "legendary": "legendary",
    "mythic": "legendary",
}
_FLAGS = ("pack_tactics", "magic_resistance", "evasion", "undead_fortitude")


def sheet_of(block: StatBlock, features: Sequence[Feature]) -> BlockSheet:
    """Return the plain sheet of a stat block and the report."""
    return _Sheet(block).read(features)


class _Sheet:
    """The sheet of one stat block while it is made."""

    def __init__(self, block: StatBlock) -> None:
        self.block = block
        self.fields: dict[str, Any] = {}
        self.lines: list[BlockLine] = []
        self.notes: list[str] = []
        self.effects: list[dict[str, Any]] = []

    def read(self, features: Sequence[Feature]) -> BlockSheet:
        self._figures()
        titles = [paragraph.name for paragraph in self.block.paragraphs]
        for title, feature in zip(titles, features, strict=True):
            self._feature(title, feature)
        for feature in features:
            if feature.multiattack or "multiattack" in feature.name.casefold():
                self._multiattack(feature)
        self._legendary(features)
        fields = {**self.fields, "dies_at_zero": True}
        if self.effects:
            fields["effects"] = self.effects
        if self.notes:
            fields["notes"] = notes_text(self.notes)
        return BlockSheet(fields, tuple(self.lines))

    # Figures

    def _figures(self) -> None:
        block, fields = self.block, self.fields
        becomes: dict[str, str] = {}
        numbers = (("ac", "armour_class"), ("max_hp", "hit_points"), ("initiative", "initiative"))
        for name, source in numbers:
            number = getattr(block, source)
            if number is not None:
                fields[name] = number
                becomes[source] = f"{name.replace('_', ' ')} {number}"
        for ability in ABILITIES:
            if ability in block.abilities:
                fields[ability] = block.abilities[ability]
                becomes[f"abilities.{ability}"] = f"{ability} {block.abilities[ability]}"
        if block.saves:
            fields["saves"] = dict(block.saves)
            becomes["saves"] = _listed("saves", block.saves)
        if block.skills:
            fields["skills"] = [{"name": name, "bonus": bonus} for name, bonus in block.skills.items()]
            becomes["skills"] = _listed("skills", block.skills)
            self._assume_unknown(block.skills, SKILLS, "skill")
        speeds = {way: feet for way, feet in block.speed.items() if way in SPEEDS}
        if speeds:
            fields["speed"] = speeds
            becomes["speed"] = "speed " + ", ".join(f"{way} {feet}" for way, feet in speeds.items())
        for name, value, known in (("size", block.size, SIZES), ("type", block.type, TYPES)):
            if value in known:
                fields[name] = value
                becomes[name] = f"{name} {value}"
        if block.challenge in RATINGS:
            fields["cr"] = block.challenge
            becomes["challenge"] = f"CR {block.challenge}"
        elif block.challenge:
            self.lines.append(
                BlockLine(block.sources.get("challenge", ""), problem="no such challenge rating")
            )
        self._proficiency(becomes)
        self._hit_dice(becomes)
        for name in ("resistances", "immunities", "vulnerabilities"):
            self._damage_types(name, becomes)
        given = tuple(dict.fromkeys(name for name in block.condition_immunities if name in GIVABLE))
        if given:
            fields["condition_immunities"] = list(given)
            becomes["condition_immunities"] = "condition immunities " + ", ".join(given)
        for name in ("senses", "languages", "gear"):
            if value := getattr(block, name):
                self.notes.append(f"{name.title()}: {value}")
                becomes[name] = "a note"
        self.lines += figure_lines(block, becomes)

    def _assume_unknown(self, names: Sequence[str] | Any, known: Any, kind: str) -> None:
        for name in names:
            if name not in known:
                self.lines.append(BlockLine(name, f"{kind} {name}", f"{name} is a {kind} of its own"))

    def _proficiency(self, becomes: dict[str, str]) -> None:
        rating = self.block.challenge
        if self.block.proficiency is not None:
            self.fields["proficiency"] = self.block.proficiency
            becomes["proficiency"] = f"proficiency {signed(self.block.proficiency)}"
        elif rating in RATINGS:
            bonus = 2 + max(0, int(rating) - 1) // 4 if rating.isdigit() else 2
            self.fields["proficiency"] = bonus
            source = self.block.sources.get("challenge", "")
            self.lines.append(
                BlockLine(source, f"proficiency {signed(bonus)}", "as the challenge rating says")
            )

    def _hit_dice(self, becomes: dict[str, str]) -> None:
        found = re.match(r"([0-9]{1,2})d(4|6|8|10|12|20)\b", self.block.hit_dice)
        if found:
            die = f"d{found[2]}"
            self.fields["hit_dice"] = [{"name": die, "die": die, "total": int(found[1])}]
            becomes["hit_dice"] = f"hit dice {found[1]}{die}"

    def _damage_types(self, name: str, becomes: dict[str, str]) -> None:
        words: tuple[str, ...] = getattr(self.block, name)
        types = list(dict.fromkeys(word for word in words if word in DAMAGE_TYPES))
        if types:
            self.fields[name] = types
            becomes[name] = f"{name} {', '.join(types)}"
        for word in words:
            if word not in DAMAGE_TYPES:
                self.notes.append(f"{name.title()}: {word}")
                self.lines.append(
                    BlockLine(f"{name.title()} {word}", "a note", problem="no type of damage alone")
                )

    # Paragraphs

    def _feature(self, title: str, feature: Feature) -> None:
        name = _name(feature)
        if "multiattack" in name.casefold():
            return
        becomes: list[str] = []
        if feature.section in ("trait", "lair"):
            self._trait(title, feature, becomes)
        if feature.attack is not None:
            becomes.append(self._attack(feature, name))
        elif attack := self._used_attack(feature):
            becomes.append(self._legendary_use(feature, name, attack))
        elif feature.section not in ("trait", "lair") or feature.save or feature.damage or feature.spells:
            becomes.append(self._power(feature, name))
        if feature.aura is not None:
            damage = self._damages(feature.aura.damage, name)
            who = {"who": "others"} if feature.aura.whose == "own" else {"whose": "others"}
            self._effect(name, {"when": feature.aura.when, **who, "near": True, "damage": damage})
            becomes.append(f"effect {', '.join(damage)} within {feature.aura.feet} feet")
        text = shortened(f"{title}. {feature.text}" if feature.text else title)
        self.lines.append(BlockLine(text, "; ".join(filter(None, becomes)) or "a note"))
        self.lines += feature.lines
        self._left(feature, name)

    def _used_attack(self, feature: Feature) -> str | None:
        """Return the attack of the sheet that a legendary action carries out, if it only names one."""
        if _KINDS.get(feature.section) != "legendary" or feature.save or feature.damage:
            return None
        found = _ONE_ATTACK.search(feature.text)
        if found is None:
            return None
        wanted = found[1].casefold().rstrip("s")
        names = (str(each["name"]) for each in self.fields.get("attacks", ()))
        return next((name for name in names if name.casefold().rstrip("s") == wanted), None)

    def _legendary_use(self, feature: Feature, name: str, attack: str) -> str:
        """Add an effect that carries out an attack after another combatant's turn, for legendary actions."""
        line = {"when": "end", "whose": "others", "spends": "legendary", "use": attack, "offered": True}
        self._effect(name, line | ({"cost": feature.cost} if feature.cost > 1 else {}))
        return f"legendary action {name}: {attack}"

    def _left(self, feature: Feature, name: str) -> None:
        """Keep the unread part as a note, and as a reminder when the power is used."""
        if not feature.left:
            return
        self.notes.append(f"{name}: {feature.left}")
        self.lines.append(BlockLine(shortened(feature.left), "a note", problem=NOT_UNDERSTOOD))
        if feature.section not in ("trait", "lair") and (feature.attack is None):
            self._effect(
                name, {"of": [name], "when": "used", "remind": shortened(feature.left, MOST_REMINDER)}
            )

    def _trait(self, title: str, feature: Feature, becomes: list[str]) -> None:
        self.fields.setdefault("traits", []).append(title.strip(" .") or "trait")
        becomes.append(f"trait {title}")
        for flag in _FLAGS:
            if flag in feature.known:
                self.fields[flag] = True
                becomes.append(flag.replace("_", " "))
        if "legendary_resistance" in feature.known:
            number = feature.uses or USUAL_LEGENDARY
            self.fields["legendary_resistances"] = number
            becomes.append(f"legendary resistances {number}")
            if not feature.uses:
                self.lines.append(BlockLine(title, becomes[-1], "the usual number a day"))
        if feature.regeneration:
            self.fields["regeneration"] = feature.regeneration
            becomes.append(f"regeneration {feature.regeneration}")
            if feature.stopped_by:
                self.fields["regeneration_stopped_by"] = list(feature.stopped_by)
                becomes.append(f"stopped by {', '.join(feature.stopped_by)}")
            if "regenerates_at_zero" in feature.known:
                self.fields["regenerates_at_zero"] = True
                becomes.append("also at 0 hit points")

    def _attack(self, feature: Feature, name: str) -> str:
        attack = feature.attack
        assert attack is not None
        name = self._free("attacks", name)
        damage = self._damages([each for each in attack.damage if not each.roll], name)
        entry: dict[str, Any] = {"name": name, "to_hit": attack.to_hit}
        if attack.kind != "melee":
            entry["kind"] = attack.kind
        given = {"reach": attack.reach, "range": attack.range, "long_range": attack.long_range}
        entry |= {field: value for field, value in given.items() if value is not None}
        if damage:
            entry["damage"] = damage
        if attack.conditions:
            entry["conditions"] = [each.name for each in attack.conditions]
            if escape := _escape(attack.conditions):
                entry["escape_dc"] = escape
        if save := feature.save:
            entry |= {"save": save.ability, "save_dc": save.dc}
            if save.damage:
                entry["save_damage"] = self._damages(save.damage, name)
            if save.half:
                entry["save_half"] = True
            if save.conditions:
                entry["save_conditions"] = [each.name for each in save.conditions]
            if save.worse:
                entry["later_conditions"] = [each.name for each in save.worse]
        entry |= _limits(feature)
        self.fields.setdefault("attacks", []).append(entry)
        for part in (each for each in attack.damage if each.roll):
            extra = self._damages([part], name)
            self._effect(name, {"of": [name], "when": "hit", "roll": part.roll, "damage": extra})
        for each in attack.conditions:
            self._lasting(name, "hit", each)
        for each in feature.save.conditions if feature.save else ():
            self._lasting(name, "failed", each)
        if feature.section not in ("trait", "action", "lair"):
            self._power(feature, name, is_attack=True)
        return _attack_words(entry)

    def _power(self, feature: Feature, name: str, *, is_attack: bool = False) -> str:
        """Add a power; `is_attack`: its attack roll is an attack of the sheet, which it only names."""
        name = self._free("powers", name)
        entry: dict[str, Any] = {"name": name}
        if kind := _KINDS.get(feature.section):
            entry["kind"] = kind
        if kind == "legendary" and feature.cost > 1:
            entry["cost"] = feature.cost
        save = None if is_attack else feature.save
        conditions: tuple[BlockCondition, ...] = ()
        if save:
            entry |= {"save": save.ability, "dc": save.dc}
            conditions = save.conditions
            if save.half:
                entry["half"] = True
            if save.worse:
                entry["later_conditions"] = [each.name for each in save.worse]
        elif not is_attack:
            conditions = feature.conditions
        damage = () if is_attack else save.damage if save else feature.damage
        if damage:
            entry["damage"] = self._damages(damage, name)
        if feature.healing and not is_attack:
            entry["healing"] = feature.healing
        if conditions:
            entry["conditions"] = [each.name for each in conditions]
            if escape := _escape(conditions):
                entry["escape_dc"] = escape
        if feature.area:
            entry["area"] = feature.area
        entry |= _limits(feature)
        self.fields.setdefault("powers", []).append(entry)
        for each in conditions:
            self._lasting(name, "failed" if save else "used", each)
        if feature.raises_ac:
            by = {"by": "melee"} if "melee" in feature.text.casefold() else {}
            change = {"ac": feature.raises_ac}
            self._effect(name, {"of": [name], "when": "attacked", **by, "change": change})
        words = [_power_words(entry)]
        for spell, uses in feature.spells:
            self.fields["powers"].append(
                {
                    "name": self._free("powers", spell),
                    "magical": True,
                    **({"uses_per_day": uses} if uses else {}),
                }
            )
            words.append(spell)
        return ", ".join(words)

    def _lasting(self, name: str, when: str, condition: BlockCondition) -> None:
        """Add an effect for a condition that not every target gets, or that ends by itself."""
        line = condition.limits
        if when != "failed":
            line.pop("again", None)
        if condition.name == "grappled":
            line.pop("escape", None)
        if line:
            self._effect(name, {"of": [name], "when": when, "condition": condition.name, **line})

    def _effect(self, name: str, line: dict[str, Any]) -> None:
        """Add an effect under a name that is free."""
        taken = [each["name"] for each in self.effects]
        self.effects.append({"name": free_name(name, taken), **line})

    def _free(self, field: str, name: str) -> str:
        return free_name(name, [each["name"] for each in self.fields.get(field, ())])

    def _damages(self, damage: Sequence[BlockDamage], name: str) -> list[str]:
        """Return damage as the sheet has it; a missing type is that of such a weapon."""
        found: list[str] = []
        for part in damage:
            amount, type = part.amount, part.type
            if not re.fullmatch(AMOUNT, amount):
                self.lines.append(BlockLine(amount, problem=f"{amount} is no amount of damage in this game"))
                continue
            if not type:
                type = usual_damage_type(name)
                self.lines.append(BlockLine(amount, f"{amount} {type}", "the usual type of such an attack"))
            found.append(f"{amount} {type}")
        return found

    def _multiattack(self, feature: Feature) -> None:
        attacks = self.fields.get("attacks", [])
        found: dict[str, int] = {}
        for wanted, times in feature.multiattack:
            name = _matching(wanted, attacks)
            if name is None:
                self.lines.append(
                    BlockLine(shortened(feature.text), problem=f"no attack {wanted or 'at all'} was found")
                )
                continue
            found[name] = found.get(name, 0) + times
            if not wanted or wanted.startswith("*"):
                assumed = f"all of them with {name}"
                self.lines.append(BlockLine(shortened(feature.text), f"{name} x{times}", assumed))
        if found:
            self.fields["multiattack"] = [{"name": name, "times": times} for name, times in found.items()]
            words = ", ".join(f"{name} x{times}" for name, times in found.items())
            self.lines.append(BlockLine(shortened(f"{feature.name}. {feature.text}"), f"multiattack {words}"))
        elif not feature.multiattack:
            self.notes.append(f"{feature.name}: {feature.text}")
            self.lines.append(
                BlockLine(shortened(feature.text), "a note", problem="no attack that it names was found")
            )
        self.lines += feature.lines
        if feature.left and feature.multiattack:
            self.notes.append(f"{feature.name}: {feature.left}")
            self.lines.append(BlockLine(shortened(feature.left), "a note", problem=NOT_UNDERSTOOD))

    def _legendary(self, features: Sequence[Feature]) -> None:
        number, line = legendary_actions(self.block, features)
        if line is not None:
            self.fields["legendary_actions"] = number
            self.lines.append(line)
        for section, words in self.block.introductions.items():
            if section != "legendary":
                self.notes.append(words)
                self.lines.append(BlockLine(shortened(words), "a note"))


def _escape(conditions: Sequence[BlockCondition]) -> int | None:
    """Return the number of escaping from a grapple."""
    return next((each.escape for each in conditions if each.escape and each.name == "grappled"), None)


def _name(feature: Feature) -> str:
    return feature.name[:80] or "unnamed"


def _limits(feature: Feature) -> dict[str, Any]:
    """Return what limits the use of an attack or a power."""
    found: dict[str, Any] = {}
    if feature.recharge:
        found["recharge"] = feature.recharge
    if feature.uses:
        found["uses_per_day"] = feature.uses
        if feature.back_after == "short_rest":
            found["back_after"] = "short_rest"
    return found


def _listed(name: str, figures: Any) -> str:
    return f"{name} " + ", ".join(
        f"{each.replace('_', ' ')} {signed(bonus)}" for each, bonus in figures.items()
    )


def _attack_words(entry: dict[str, Any]) -> str:
    words = [f"attack {entry['name']} {signed(entry['to_hit'])}", *entry.get("damage", ())]
    if "save" in entry:
        words.append(f"{entry['save']} save {entry['save_dc']}")
    words += (
        entry.get("conditions", ()) + entry.get("save_conditions", [])
        if entry.get("conditions")
        else entry.get("save_conditions", [])
    )
    return ", ".join(words)


def _power_words(entry: dict[str, Any]) -> str:
    words = [f"power {entry['name']}"]
    if "save" in entry:
        words.append(f"{entry['save']} save {entry['dc']}" + (" for half" if entry.get("half") else ""))
    words += [*entry.get("damage", ()), *entry.get("conditions", ())]
    for field in ("area", "healing"):
        if field in entry:
            words.append(f"{entry[field]}" if field == "area" else f"heals {entry[field]}")
    if "recharge" in entry:
        words.append(f"recharge {entry['recharge']}-6")
    if "uses_per_day" in entry:
        words.append(f"{entry['uses_per_day']} uses")
    return ", ".join(words)


def _matching(wanted: str, attacks: Sequence[dict[str, Any]]) -> str | None:
    """Return the attack that a multiattack means."""
    if wanted in ("", "*melee", "*ranged"):
        kind = wanted[1:]
        fitting = [each for each in attacks if not kind or each.get("kind", "melee") in (kind, "either")]
        return str(fitting[0]["name"]) if fitting else None
    plain = _singular(wanted)
    for fits in (
        lambda name: name == plain,
        lambda name: name.startswith(plain) or plain.startswith(name),
        lambda name: set(plain.split("_")) & set(name.split("_")),
    ):
        for each in attacks:
            if fits(_singular(each["name"])):
                return str(each["name"])
    return None


def _singular(name: str) -> str:
    plain = plain_word(re.sub(r"\([^()]*\)", "", name).strip())
    return plain.removesuffix("s") if len(plain) > 3 else plain
