"""The odds of SRD 5.2 equal an enumeration of all dice."""

from collections import defaultdict
from fractions import Fraction

import pytest

from systems import load
from systems.contract.table import Table
from systems.dice.scripted import ScriptedDice
from systems.dice.sources import NeedsFace
from systems.odds import facts_odds
from systems.requests import odds, read_request
from systems.schema.conversion import plain_of

SRD = load("srd5")
JAB = {"name": "jab", "to_hit": 9, "damage": ["1d4+1 piercing"]}
STING = {
    **JAB,
    "name": "sting",
    "save": "constitution",
    "save_dc": 12,
    "save_damage": ["1d4 poison"],
    "save_half": True,
    "save_conditions": ["poisoned"],
}
TRIP = {**JAB, "name": "trip", "damage": ["2 piercing"], "conditions": ["prone"]}
SAP = {
    **JAB,
    "name": "sap",
    "damage": ["2 piercing"],
    "save": "strength",
    "save_dc": 15,
    "save_conditions": ["restrained"],
}


def by_all_dice(action, scene):
    """Return fact -> value -> chance by running the action with every series of faces."""
    found = defaultdict(lambda: defaultdict(Fraction))
    waiting = [((), Fraction(1))]
    while waiting:
        faces, chance = waiting.pop()
        try:
            outcome = action.run(scene, Table(ScriptedDice(faces)))
        except NeedsFace as needs:
            sides = needs.request.sides
            waiting += [((*faces, face), chance / sides) for face in range(1, sides + 1)]
            continue
        for fact, value in outcome.facts.items():
            if value is not None:
                found[fact][value] += chance
    return {fact: dict(values) for fact, values in found.items()}


@pytest.mark.parametrize(
    ("attacks", "target"),
    [
        ([JAB, JAB], {"ac": 28, "max_hp": 7, "dies_at_zero": True}),
        ([JAB, JAB], {"ac": 26, "max_hp": 4, "temp_hp": 2, "resistances": ["piercing"]}),
        ([TRIP, JAB], {"ac": 28, "max_hp": 6, "dies_at_zero": True}),
        ([TRIP, TRIP], {"ac": 28, "max_hp": 5, "concentrating": "Web"}),
        ([JAB, JAB], {"ac": 27, "max_hp": 6, "undead_fortitude": True, "dies_at_zero": True}),
        ([STING], {"ac": 22, "max_hp": 5}),
        ([JAB, SAP], {"ac": 28, "max_hp": 5, "dies_at_zero": True, "legendary_resistances": 1}),
    ],
)
def test_the_odds_of_a_multiattack_are_those_of_all_its_dice(attacks, target):
    actor = {"attacks": list({each["name"]: each for each in attacks}.values())}
    options = {"weapons": [each["name"] for each in attacks]}
    options |= {"legendary_resistance": True} if "legendary_resistances" in target else {}
    request = {"action": "multiattack", "actor": actor, "target": target, "options": options}
    action, scene, _ = read_request(SRD, request)
    assert facts_odds(lambda table: action.run(scene, table)) == by_all_dice(action, scene)


@pytest.mark.parametrize(
    "request_",
    [
        {
            "action": "attack",
            "actor": {"attacks": [STING]},
            "target": {"ac": 20, "max_hp": 4, "concentrating": "Web"},
        },
        {
            "action": "attack",
            "actor": {"attacks": [{**JAB, "damage": ["1d4 fire", "1d4 radiant", "1d4 fire"]}]},
            "target": {"ac": 24, "max_hp": 5, "resistances": ["fire"], "vulnerabilities": ["radiant"]},
        },
        {
            "action": "attack",
            "actor": {"attacks": [{**JAB, "damage": ["1d4 fire", "1d4 cold"]}]},
            "target": {
                "ac": 24,
                "max_hp": 3,
                "dies_at_zero": True,
                "regeneration": 5,
                "regeneration_stopped_by": ["fire"],
                "immunities": ["fire"],
            },
        },
        {
            "action": "power",
            "actor": {"powers": [{"name": "ray", "save": "dexterity", "damage": ["2d4 fire"], "half": True}]},
            "target": {"max_hp": 4, "dodging": True, "evasion": True},
        },
        {
            "action": "check",
            "actor": {"strength": 14, "helped": True},
            "options": {"ability": "strength", "dc": 14, "bonus_dice": "1d4"},
        },
    ],
)
def test_the_odds_of_an_action_are_those_of_all_its_dice(request_):
    action, scene, _ = read_request(SRD, request_)
    found = facts_odds(lambda table: action.run(scene, table))
    assert {fact: plain_of(ways) for fact, ways in found.items()} == by_all_dice(action, scene)


def test_radiant_damage_bars_the_save_of_undead_fortitude_only_if_it_does_any():
    target = {"ac": 24, "max_hp": 2, "dies_at_zero": True, "undead_fortitude": True}
    jab = {**JAB, "damage": ["2 cold", "1d4-2 radiant"]}
    asked = {"action": "attack", "actor": {"attacks": [jab]}, "target": target}
    fell = odds(SRD, asked)["facts"]["fell"]
    # A hit without a critical on 15 to 19, no radiant damage on 1 and 2, then a save against 7.
    assert fell["fortitude"] == pytest.approx(5 / 20 * 2 / 4 * 14 / 20)
    assert fell["dead"] == pytest.approx(6 / 20 - fell["fortitude"])


def test_the_odds_of_a_rest_are_exact_for_any_number_of_hit_dice():
    actor = {"hp": 1, "max_hp": 999, "hit_dice": [{"name": "d8", "die": "d8", "total": 20}]}
    healed = odds(SRD, {"action": "short_rest", "actor": actor, "options": {"hit_dice": 20}})["facts"][
        "healed"
    ]
    assert healed["20"] == pytest.approx(8**-20)
    assert sum(healed.values()) == pytest.approx(1)
