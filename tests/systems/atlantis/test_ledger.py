"""The attack once more, written from the ledger as plain arithmetic, against the game's own."""

import random

from hypothesis import given

from systems.dice.sources import RandomDice
from systems.requests import resolve
from tests.laws import examples

from .asking import GAME, asked, requests

SIZES = {"tiny": -10, "small": -5, "medium": 0, "big": 5, "huge": 10}
COVERAGES = {"none": 0, "part": -5, "half": -10, "sensible": -15}
PUNCH = {"name": "punch", "damage": 5, "ability": "brawl"}


def banded(value, limits):
    return sum(value >= limit for limit in limits)


def state(sheet):
    if sheet["slain"] or sheet["life"] < -30 or (sheet["dies_at_zero"] and sheet["life"] < 1):
        return "dead"
    return "conscious" if sheet["life"] > 0 else "unconscious"


def wounds(sheet):
    return -5 * banded(sheet["max_life"] - sheet["life"], (11, 26, 51, 76))


def lucks(faces):
    """The contributions of the dice, one after another."""
    faces = list(faces)
    while faces:
        first = faces.pop(0)
        yield {1: 0, 20: 20}[first] + faces.pop(0) * {1: -1, 20: 1}[first] if first in (1, 20) else first


def weapon_of(actor, options):
    everything = [*actor["weapons"], PUNCH]
    name = options.get("weapon", everything[0]["name"])
    weapon = next(one for one in everything if one["name"] == name)
    return {"ability": "melee", "kind": "melee", "max_range": None, **weapon}


def added(actor, target, options, house, weapon):
    """What the attacker adds to the die."""
    total = actor["abilities"].get(weapon["ability"], actor["traits"].get(options.get("trait", "body"), 0))
    total += wounds(actor) + options.get("modifier", 0)
    total -= 5 * options.get("second_attack", actor["attacks_made"] > 0)
    if house.get("use_modifiers", True):
        total += SIZES[options.get("size", target["size"])] + COVERAGES[options.get("coverage", "none")]
        if weapon["kind"] == "ranged":
            total += (0, -5, -10, -15, -25)[banded(options.get("distance", 0), (16, 31, 46, 101))]
    return total


def opposed(target, options, house, weapon, luck):
    """Resistance, what it changes, and whether an active defence was refused."""
    ability = options.get("defence_ability", weapon["ability"])
    unnamed_shot = weapon["kind"] == "ranged" and "defence_ability" not in options
    kind = options.get("defence", "none" if unnamed_shot else "passive")
    if kind == "none" or state(target) != "conscious":
        return 25, {}, False
    spent = target["action_spent"] or target["attacks_made"] > 0
    if kind == "active" and not spent:
        trait = target["traits"].get(options.get("defence_trait", "body"), 0)
        return (
            target["abilities"].get(ability, trait) + wounds(target) + next(luck),
            {"action_spent": True},
            False,
        )
    used = target["passive_used"]
    times = min(used, 1) if house.get("passive_penalty") == "flat" else used
    value = target["abilities"].get(ability, -999) + wounds(target) - 5 * times
    if ability not in target["abilities"] or (house.get("passive_floor", True) and value <= 25):
        return 25, {}, kind == "active"
    return value, {"passive_used": min(99, used + 1)}, kind == "active"


@examples(60)
@given(requests("attack"))
def test_an_attack_agrees_with_the_ledger(request):
    # A defence that was declared before is a ruling of its own (R37), tested beside its action.
    request["target"].pop("defending", None)
    answer = resolve(GAME, request, RandomDice(random.Random(str(request))))
    actor = asked("status", request["actor"])["actor"]
    target = asked("status", request["target"])["actor"]
    options, house = request["options"], request["house"]
    weapon = weapon_of(actor, options)
    refusals = {
        "status": state(actor) != "conscious",
        "action": actor["action_spent"],
        "attacks": actor["attacks_made"] >= actor["attacks_per_round"],
    }
    facts = answer["facts"]
    if any(refusals.values()):
        assert facts == {"refused": next(reason for reason, holds in refusals.items() if holds)}
        return
    assert answer["actor"]["attacks_made"] == actor["attacks_made"] + 1
    far = weapon["max_range"] is not None and options.get("distance", 0) > weapon["max_range"]
    if weapon["kind"] == "ranged" and far:
        nothing = dict.fromkeys(("multiplier", "damage", "absorbed", "taken"), 0)
        assert facts == {
            "auto_fail": True,
            "critical": False,
            "hit": False,
            "active_refused": False,
            **nothing,
        }
        assert answer["target"] == target
        return
    luck = lucks([roll["face"] for roll in answer["rolls"]])
    value = next(luck)
    resistance, changes, active_refused = opposed(target, options, house, weapon, luck)
    total = added(actor, target, options, house, weapon) + value
    success = total - resistance
    multiplier = banded(success, (1, 11, 26, 51, 76))
    damage = weapon["damage"] * multiplier
    absorbed = min(damage, target["armour_per_attack"], target["armour_pool"])
    assert list(luck) == []
    assert facts == {
        "auto_fail": False,
        "luck": value,
        "critical": answer["rolls"][0]["face"] == 20,
        "total": total,
        "resistance": resistance,
        "success": success,
        "hit": success >= 1,
        "multiplier": multiplier,
        "damage": damage,
        "absorbed": absorbed,
        "taken": damage - absorbed,
        "active_refused": active_refused,
    }
    life = max(-999, target["life"] - damage + absorbed)
    pool = target["armour_pool"] - absorbed
    after = {**target, **changes, "life": life, "armour_pool": pool}
    assert answer["target"] == {**after, "status": state(after)}
