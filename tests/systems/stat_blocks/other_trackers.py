"""Our own creatures in the formats of other trackers."""

import json
from typing import Any

TAGGED_2014: dict[str, Any] = {
    "name": "Mire Gnasher",
    "source": "OWN",
    "size": ["L"],
    "type": {"type": "beast", "tags": ["swampkin"]},
    "alignment": ["N", "E"],
    "ac": [{"ac": 15, "from": ["natural armor"]}, {"ac": 17, "condition": "while submerged"}],
    "hp": {"average": 52, "formula": "7d10 + 14"},
    "speed": {"walk": 30, "swim": {"number": 40, "condition": "(in mud)"}},
    "str": 18,
    "dex": 12,
    "con": 14,
    "int": 3,
    "wis": 11,
    "cha": 5,
    "save": {"con": "+4"},
    "skill": {"sleight of hand": "+5"},
    "senses": ["darkvision 60 ft."],
    "passive": 12,
    "languages": ["Mirish"],
    "cr": "1/4",
    "resist": ["cold", {"resist": ["bludgeoning", "piercing"], "note": "from nonmagical attacks"}],
    "immune": ["poison"],
    "conditionImmune": ["prone", "poisoned"],
    "trait": [
        {
            "name": "Slippery",
            "entries": [
                "It slips away.",
                {"type": "list", "items": [{"name": "Mud", "entry": "Twice."}]},
                {"type": "table", "rows": [["1", "up"]]},
            ],
        }
    ],
    "action": [
        {"name": "Bite", "entries": ["{@atk mw} {@hit 6} to hit. {@h}13 ({@damage 2d8 + 4}) damage."]}
    ],
    "legendary": [{"name": "Tail", "entries": ["It hits."]}],
}
TAGGED_2024: dict[str, Any] = {
    "name": "Ash Warden",
    "size": ["M", "L"],
    "type": "undead",
    "alignment": ["U"],
    "ac": [16],
    "hp": {"average": 60, "formula": "8d8 + 24"},
    "speed": {"walk": 30, "fly": True},
    "initiative": {"proficiency": 1},
    "dex": 14,
    "cr": {"cr": "5", "xp": 1800},
    "action": [{"name": "Smother {@recharge 5}", "entries": ["{@actSave con} {@dc 14}, one creature."]}],
    "spellcasting": [
        {
            "name": "Spellcasting",
            "headerEntries": ["It casts."],
            "daily": {"2e": ["{@spell Fly}"]},
            "displayAs": "action",
        },
    ],
}
IMPROVED_INITIATIVE: dict[str, Any] = {
    "Id": "x1",
    "Name": "Bog Hag",
    "Type": "Medium fey, chaotic evil",
    "HP": {"Value": 45, "Notes": "(6d8+18)"},
    "AC": {"Value": "14", "Notes": "(natural armor)"},
    "InitiativeModifier": 1,
    "Speed": ["30 ft.", "swim 20 ft."],
    "Abilities": {"Str": 16, "Dex": 12, "Con": 16, "Int": 13, "Wis": 14, "Cha": 15},
    "DamageVulnerabilities": ["fire"],
    "ConditionImmunities": ["charmed"],
    "Saves": [{"Name": "Wis", "Modifier": 4}],
    "Skills": [{"Name": "Animal Handling", "Modifier": 6}],
    "Senses": ["passive Perception 12"],
    "Languages": ["Common"],
    "Challenge": "2",
    "Actions": [{"Name": "Claws", "Usage": "Recharge 5-6", "Content": "Melee Weapon Attack: +5 to hit."}],
    "Player": "",
}
CHARACTER = {"Id": "p1", "Name": "Mirelle", "CurrentHP": 3, "LastUpdateMs": 1}
CHARACTER |= {"StatBlock": {**IMPROVED_INITIATIVE, "Name": "Mirelle", "Player": "player"}}
LIBRARY = {
    "ImprovedInitiative.Creatures": json.dumps(["x1"]),
    "ImprovedInitiative.Creatures.x1": json.dumps(IMPROVED_INITIATIVE),
    "ImprovedInitiative.PersistentCharacters.p1": json.dumps(CHARACTER),
}
ENCOUNTER = {
    "Name": "At the bog",
    "Combatants": [{"StatBlock": IMPROVED_INITIATIVE, "CurrentHP": hp} for hp in (45, 20)],
}
OPEN5E: dict[str, Any] = {
    "key": "own_cinder",
    "name": "Cinder Imp",
    "type": {"name": "Fiend"},
    "size": {"name": "Tiny"},
    "challenge_rating_decimal": "0.500",
    "alignment": "lawful evil",
    "languages": {"as_string": "Infernal"},
    "armor_class": 13,
    "armor_detail": "natural armor",
    "hit_points": 11,
    "hit_dice": "3d4+3",
    "ability_scores": {"strength": 6, "dexterity": 17},
    "initiative_bonus": 3,
    "saving_throws": {"dexterity": 5},
    "skill_bonuses": {"stealth": 5},
    "passive_perception": 11,
    "resistances_and_immunities": {
        "damage_immunities_display": "fire, poison",
        "damage_resistances": [{"name": "Cold"}],
        "condition_immunities_display": "poisoned",
    },
    "darkvision_range": 120.0,
    "speed": {"walk": 20, "unit": "feet", "fly": 40},
    "actions": [
        {
            "name": "Sting",
            "desc": "",
            "action_type": "BONUS_ACTION",
            "attacks": [
                {
                    "to_hit_mod": 5,
                    "reach": 5,
                    "damage_die_count": 1,
                    "damage_die_type": "D4",
                    "damage_bonus": 3,
                    "damage_type": {"name": "Piercing"},
                }
            ],
        },
        {
            "name": "Burst",
            "desc": "All burn.",
            "action_type": "ACTION",
            "usage_limits": {"type": "RECHARGE_ON_ROLL", "param": 5},
        },
    ],
    "traits": [{"name": "Ward", "desc": "It is warded."}],
}
PAGE = {"count": 1, "next": None, "results": [OPEN5E]}
FIGHT_CLUB = """<?xml version="1.0" encoding="UTF-8"?>
<compendium version="5"><item><name>Rope</name></item><monster>
<name>Rust Hound</name><size>M</size><type>monstrosity (hound)</type><alignment>unaligned</alignment>
<ac>14 (natural armor)</ac><hp>27 (5d8+5)</hp><speed>40 ft., climb 20 ft.</speed>
<str>13</str><dex>12</dex><con>13</con><int>2</int><wis>11</wis><cha>6</cha>
<save>Con +3</save><skill>Perception +3</skill><resist>acid</resist><immune/>
<senses>darkvision 60 ft.</senses><passive>13</passive><languages/><cr>1/2</cr>
<trait><name>Iron Scent</name><text>It smells iron.</text><text/><text>Also rust.</text></trait>
<action><name>Bite</name><text>It bites.</text><attack>Bite|3|1d8+1</attack></action>
<legendary><name>Legendary Actions</name><text>It can take 2 legendary actions.</text></legendary>
</monster></compendium>
"""
BLOCK = """Gnarl
Small humanoid (goblinoid), neutral evil
Armor Class 15 (leather armor, shield)
Hit Points 7 (2d6)
Speed 30 ft.
STR DEX CON INT WIS CHA
8 (-1) 14 (+2) 10 (+0) 10 (+0) 8 (-1) 8 (-1)
Skills Stealth +6
Senses darkvision 60 ft., passive Perception 9
Languages Common, Goblin
Challenge 1/4 (50 XP)
Actions
Scimitar. Melee Weapon Attack: +4 to hit, reach 5 ft., one target. Hit: 5 (1d6 + 2) slashing damage.
"""
