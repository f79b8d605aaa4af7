"""The creatures that come with any game fit every way of rolling."""

import tomllib
from pathlib import Path

import pytest

from systems import simple
from systems.requests import odds

from .play import GAME, play

FOLDER = Path(simple.__file__).parent / "creatures"
WAYS = ("over", "under", "bands", "pool")


def creature(name):
    plain = tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))
    return {key: value for key, value in plain.items() if key not in ("format", "level", "tags", "side")}


def chance(actor, target, roll):
    request = {"action": "attack", "actor": actor, "target": target, "house": {"roll": roll}}
    return odds(GAME, request)["facts"]["hit"].get("true", 0)


@pytest.mark.parametrize("roll", WAYS)
def test_a_goblin_and_a_hero_hit_each_other_now_and_then(roll):
    hero, goblin = creature("hero"), creature("goblin")
    assert 0.4 <= chance(hero, goblin, roll) <= 0.9
    assert 0.3 <= chance(goblin, hero, roll) <= 0.8


@pytest.mark.parametrize("roll", WAYS)
def test_a_dragon_is_harder_to_hit_and_hits_more_than_a_goblin(roll):
    hero, goblin, dragon = creature("hero"), creature("goblin"), creature("young-dragon")
    assert chance(hero, dragon, roll) < chance(hero, goblin, roll)
    assert chance(dragon, hero, roll) > chance(goblin, hero, roll)
    assert chance(hero, dragon, roll) > 0.05


def test_all_creatures_state_that_they_use_the_stats_of_a_d20_game():
    assert all(creature(path.stem)["d20_figures"] is True for path in FOLDER.glob("*.toml"))


def test_to_roll_under_with_a_d100_they_are_as_good_as_with_a_d20():
    hero, goblin = creature("hero"), creature("goblin")
    assert chance(hero, goblin, "under") == pytest.approx(chance(hero, goblin, "over"), abs=0.05)
    answer = play("attack", [65, 3], actor=hero, target=goblin, house={"roll": "under"})
    assert (answer["facts"]["value"], answer["facts"]["needed"], answer["facts"]["hit"]) == (65, 65, True)
    assert answer["terms"][0]["note"] == "+5 of a d20 game"
