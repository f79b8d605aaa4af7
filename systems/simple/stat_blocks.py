"""A stat block as a sheet for any game: figures of a d20 game, weapons, and effects for the rest."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from systems.contract.stat_block import ABILITIES, BlockCondition, BlockLine, BlockSheet, Feature, StatBlock
from systems.contract.stat_block_words import (
    NOT_UNDERSTOOD,
    figure_lines,
    free_name,
    legendary_actions,
    notes_text,
    shortened,
)
from systems.simple.sheet import SIZES
from systems.text import signed

LEGENDARY = "legendary actions"
_SPLIT = re.compile(r"([0-9]{1,2}d[0-9]{1,3}(?:\+[0-9]{1,2}d[0-9]{1,3})*)?([+-]?[0-9]{1,3})?")


def sheet_of(block: StatBlock, features: Sequence[Feature]) -> BlockSheet:
    """Return the plain sheet of a stat block and the report."""
    return _SheetOfAnyGame(block).read(features)


class _SheetOfAnyGame:
    """The sheet of one stat block while it is made."""

    def __init__(self, block: StatBlock) -> None:
        self.block = block
        self.fields: dict[str, Any] = {"d20_figures": True, "hero": False}
        self.lines: list[BlockLine] = []
        self.notes: list[str] = []
        self.weapons: list[dict[str, Any]] = []
        self.effects: list[dict[str, Any]] = []

    def read(self, features: Sequence[Feature]) -> BlockSheet:
        self._figures()
        number, line = legendary_actions(self.block, features)
        if line is not None:
            self.fields["counters"] = [
                {"name": LEGENDARY, "full": number, "refills": "turn", "offered": True}
            ]
            self.lines.append(line)
        for paragraph, feature in zip(self.block.paragraphs, features, strict=True):
            self._feature(paragraph.name, feature)
        fields = dict(self.fields)
        if self.weapons:
            fields |= {"attack": max(each["bonus"] for each in self.weapons), "weapons": self.weapons}
        if self.effects:
            fields["effects"] = self.effects
        if self.notes:
            fields["notes"] = notes_text(self.notes)
        return BlockSheet(fields, tuple(self.lines))

    def _figures(self) -> None:
        block, fields = self.block, self.fields
        becomes: dict[str, str] = {}
        if block.hit_points is not None:
            fields["max_hp"] = block.hit_points
            becomes["hit_points"] = f"max hp {block.hit_points}"
        if block.armour_class is not None:
            fields["defence"] = block.armour_class
            becomes["armour_class"] = f"defence {block.armour_class}"
        modifiers = {name: (score - 10) // 2 for name, score in block.abilities.items() if name in ABILITIES}
        if block.initiative is not None:
            fields["initiative"] = block.initiative
            becomes["initiative"] = f"initiative {signed(block.initiative)}"
        elif "dexterity" in modifiers:
            fields["initiative"] = modifiers["dexterity"]
        saves = {**modifiers, **block.saves}
        if saves:
            fields["saves"] = saves
            for name, bonus in saves.items():
                becomes[f"abilities.{name}"] = f"{name} save {signed(bonus)}"
        if block.skills:
            fields["skills"] = dict(block.skills)
            skills = (f"{name.replace('_', ' ')} {signed(bonus)}" for name, bonus in block.skills.items())
            becomes["skills"] = f"skills {', '.join(skills)}"
        for name in ("resistances", "immunities", "vulnerabilities"):
            self._types(name, becomes)
        if block.size in SIZES:
            fields["size"] = block.size
            becomes["size"] = f"size {block.size}"
        if block.type:
            fields["creature_types"] = [block.type]
            becomes["type"] = f"creature type {block.type}"
        rest = {
            "speed": _speed(block.speed),
            "senses": block.senses,
            "languages": block.languages,
            "gear": block.gear,
        }
        for name, words in {**rest, "challenge": block.challenge}.items():
            if words:
                self.notes.append(f"{name.title()}: {words}")
                becomes[name] = "a note"
        self.lines += figure_lines(block, becomes)

    def _types(self, name: str, becomes: dict[str, str]) -> None:
        words: tuple[str, ...] = getattr(self.block, name)
        if name == "immunities":
            words += self.block.condition_immunities
        single = [word for word in dict.fromkeys(words) if word.isalpha()]
        if single:
            self.fields[name] = single
            source = name if name in self.block.sources else "condition_immunities"
            becomes[source] = f"{name} {', '.join(single)}"
        for word in words:
            if not word.isalpha():
                self.notes.append(f"{name.title()}: {word}")
                self.lines.append(BlockLine(f"{name.title()} {word}", "a note", problem=NOT_UNDERSTOOD))

    # Paragraphs

    def _feature(self, title: str, feature: Feature) -> None:
        name = feature.name[:80] or "unnamed"
        becomes = [*self._attack(feature, name), *self._lines_of(feature, name)]
        text = shortened(f"{title}. {feature.text}" if feature.text else title)
        self.lines += feature.lines
        left = feature.left
        if not becomes:
            # The game has no such thing: multiattack, spells, magic resistance.
            left = feature.text or title
        self.lines.append(BlockLine(text, "; ".join(becomes) or "a note"))
        if left:
            self.notes.append(f"{name}: {left}")
            self.lines.append(BlockLine(shortened(left), "a note", problem=NOT_UNDERSTOOD))

    def _attack(self, feature: Feature, name: str) -> list[str]:
        attack = feature.attack
        if attack is None:
            return []
        name = free_name(name, [each["name"] for each in self.weapons])
        weapon: dict[str, Any] = {"name": name, "bonus": attack.to_hit}
        if attack.damage:
            weapon |= _amount(attack.damage[0].amount)
            if attack.damage[0].type:
                weapon["type"] = attack.damage[0].type
        if feature.section == "legendary":
            weapon["counter"] = LEGENDARY
        self.weapons.append(weapon)
        words = [f"weapon {name} {signed(attack.to_hit)}"]
        for part in attack.damage[1:]:
            if part.roll:
                line = {"when": "hit", "of": [name], "roll": part.roll, "damage": _damages([part])}
                words.append(self._effect(name, line))
        if extra := _damages([each for each in attack.damage[1:] if not each.roll]):
            words.append(self._effect(name, {"when": "hit", "of": [name], "damage": extra}))
        words += [
            self._effect(name, {"when": "hit", "of": [name], **_condition(each)})
            for each in attack.conditions
        ]
        if feature.save:
            words.append(self._save(feature, name, {"when": "hit", "of": [name]}))
        return words

    def _lines_of(self, feature: Feature, name: str) -> list[str]:
        """Add the effects of a paragraph; return them in words."""
        words: list[str] = []
        if feature.attack is None:
            limits: dict[str, Any] = {"uses": feature.uses} if feature.uses else {}
            if feature.recharge:
                limits = {"recharge": feature.recharge}
            asked = {"when": "asked", **limits}
            if feature.save:
                words.append(self._save(feature, name, asked))
            elif damage := _damages(feature.damage):
                words.append(self._effect(name, {**asked, "damage": damage}))
            elif feature.conditions:
                words.append(self._effect(name, {**asked, **_condition(feature.conditions[0])}))
            if feature.healing:
                words.append(self._effect(name, {**asked, "heal": feature.healing}))
        if feature.regeneration:
            stopped = {"stopped_by": list(feature.stopped_by)} if feature.stopped_by else {}
            words.append(self._effect(name, {"when": "start", "heal": str(feature.regeneration), **stopped}))
        if "pack_tactics" in feature.known:
            change = {"change": {"attacks": "advantage"}}
            words.append(self._effect(name, {"when": "always", "ally_near": True, **change}))
        if feature.raises_ac:
            words.append(self._effect(name, {"when": "attacked", "change": {"ac": feature.raises_ac}}))
        if feature.aura is not None:
            who = {"who": "others"} if feature.aura.whose == "own" else {"whose": "others"}
            damage = _damages(feature.aura.damage)
            words.append(
                self._effect(name, {"when": feature.aura.when, **who, "near": True, "damage": damage})
            )
        return words

    def _save(self, feature: Feature, name: str, line: Mapping[str, Any]) -> str:
        """Add the effect of a saving throw; further conditions are its reminder."""
        save = feature.save
        assert save is not None
        found: dict[str, Any] = {**line, "save": save.ability, "dc": save.dc}
        if damage := _damages(save.damage):
            found["damage"] = damage
            if save.half:
                found["half"] = True
        more = [each.name for each in (*save.conditions[1:], *save.worse)]
        if save.conditions:
            found |= _condition(save.conditions[0])
        if more:
            found["remind"] = shortened(f"also {', '.join(more)}", 120)
        if not damage and not save.conditions:
            # A save without a result that the game knows is a reminder.
            found = {**line, "remind": shortened(f"DC {save.dc} {save.ability} save: {feature.text}", 120)}
        return self._effect(name, found)

    def _effect(self, name: str, line: Mapping[str, Any]) -> str:
        name = free_name(name, [each["name"] for each in self.effects])
        self.effects.append({"name": name, **line})
        words = [f"effect {name}", *line.get("damage", ())]
        if "save" in line:
            words.append(f"{line['save']} save {line['dc']}" + (" for half" if line.get("half") else ""))
        words += [str(line[field]) for field in ("condition", "heal") if field in line]
        return ", ".join(words)


def _condition(condition: BlockCondition) -> dict[str, Any]:
    """Return a condition as a line of effects gives it."""
    return {"condition": condition.name, **condition.limits}


def _damages(damage: Sequence[Any]) -> list[str]:
    return [f"{each.amount} {each.type}".strip() for each in damage]


def _amount(text: str) -> dict[str, Any]:
    """Return the dice and the bonus of a weapon's damage."""
    found = _SPLIT.fullmatch(text)
    if found is None:
        return {"damage": text}
    dice = {"damage": found[1]} if found[1] else {}
    return {**dice, **({"damage_bonus": int(found[2])} if found[2] else {})}


def _speed(speeds: Mapping[str, int]) -> str:
    return ", ".join(f"{way} {feet}" for way, feet in speeds.items())
