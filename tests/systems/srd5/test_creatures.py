"""Every creature that the game ships: it loads, fights two rounds, and shows its odds."""

import tomllib
from pathlib import Path
from random import Random

import pytest

from systems import load
from systems.contract.action import Scene
from systems.contract.table import Suggested, Table
from systems.dice.sources import RandomDice
from systems.requests import odds
from systems.schema.conversion import plain_of
from systems.sheets import changed, read_sheet

SRD = load("srd5")
FOLDER = Path(__file__).parents[3] / "systems" / "srd5" / "creatures"
FILES = sorted(FOLDER.glob("*.toml"))
HERO = {"name": "Mira", "ac": 15, "max_hp": 60, "level": 5, "dexterity": 14}


def sheet_of(file):
    given = tomllib.loads(file.read_text("utf-8"))
    return {name: value for name, value in given.items() if name not in ("format", "tags")}


def act(table, name, actor, target, **options):
    """Return both sheets after an action, whatever it comes to."""
    action = SRD.action(name)
    scene = Scene(actor, target, action.options(**options), SRD.house(), "Creature", "Mira", True)
    outcome = action.run(scene, table)
    assert outcome.tell().text or outcome.refused is None
    return changed(actor, outcome.changes.get("actor", {})), changed(
        target, outcome.changes.get("target", {})
    )


def test_there_are_331_creatures():
    assert len(FILES) == 331


@pytest.mark.parametrize("initial", sorted({file.name[0] for file in FILES}))
def test_every_creature_fights_two_rounds_with_all_that_it_has(initial):
    for file in FILES:
        if not file.name.startswith(initial):
            continue
        table = Table(RandomDice(Random(file.stem)), Suggested())
        creature = read_sheet(SRD, sheet_of(file), file.stem)
        for _ in range(2):
            hero = read_sheet(SRD, HERO, "hero")
            for hook in ("turn_start", "recharge"):
                creature, _ = act(table, hook, creature, hero)
            for attack in creature.attacks:
                creature, hero = act(table, "attack", creature, hero, weapon=attack.name)
            for power in creature.powers:
                creature, hero = act(table, "power", creature, hero, power=power.name)
            if creature.multiattack:
                creature, hero = act(table, "multiattack", creature, hero)
        assert read_sheet(SRD, plain_of(creature), "") == creature


@pytest.mark.parametrize("initial", sorted({file.name[0] for file in FILES}))
def test_every_creature_shows_the_odds_of_its_first_attack_and_power(initial):
    for file in FILES:
        if file.name.startswith(initial):
            creature = sheet_of(file)
            for action in ("attack", *(("power",) if creature.get("powers") else ())):
                facts = odds(SRD, {"action": action, "actor": creature, "target": HERO})["facts"]
                assert sum(facts["fell"].values()) == pytest.approx(1)


def test_every_save_after_a_hit_of_a_creature_decides_something():
    idle = [
        f"{file.stem}: {attack.name}"
        for file in FILES
        for creature in [read_sheet(SRD, sheet_of(file), file.stem)]
        for attack in creature.attacks
        if attack.save and not attack.save_damage and not attack.save_conditions
        if not any(
            attack.name in line.of and (line.when in ("failed", "saved") or line.save or line.again)
            for line in creature.effects
        )
    ]
    assert not idle


def test_a_creature_has_the_figures_of_its_own_file():
    dragon = read_sheet(SRD, sheet_of(FOLDER / "adult-red-dragon.toml"), "")
    assert (dragon.ac, dragon.hp, dragon.cr, dragon.proficiency, dragon.initiative) == (19, 256, "17", 6, 12)
    assert (dragon.legendary_actions_left, dragon.legendary_resistances_left) == (3, 3)
    octopus = read_sheet(SRD, sheet_of(FOLDER / "octopus.toml"), "")
    assert (octopus.constitution, octopus.charisma, octopus.saves["constitution"]) == (11, 4, 0)


def test_an_invisible_stalker_is_invisible_to_whoever_cannot_see_it():
    request = {"action": "attack", "target": sheet_of(FOLDER / "invisible-stalker.toml"), "options": {}}
    assert set(odds(SRD, request)["facts"]["roll"]) == {"disadvantage"}
    request["options"] = {"target_seen": True}
    assert set(odds(SRD, request)["facts"]["roll"]) == {"normal"}
