"""The values of the game that the screens show."""

import random

import pytest

from systems.contract.table import Table
from systems.dice.scripted import ScriptedDice
from systems.dice.sources import RandomDice
from systems.schema.fields import fields_of
from systems.visibility.card import card
from tests.systems.fight import Fight

from .play import FIREBOLT, GAME, RIFLE, SWORD, scene_of


def sheet(**fields):
    return scene_of({"action": "status", "actor": fields})[1].actor


HOUSE = GAME.house()


@pytest.mark.parametrize(
    ("fields", "marks"),
    [
        ({}, ["AR 8"]),
        ({"weapons": [SWORD, {**RIFLE, "jammed": True}]}, ["AR 8", "submachine gun 30/30, jammed"]),
        ({"weapons": [{**RIFLE, "loaded": 0}]}, ["AR 8", "submachine gun 0/30"]),
        ({"hp": -1, "max_hp": 30, "rounds_below_zero": 2}, ["AR 8", "dying 2/3"]),
        ({"hp": 0}, ["AR 8", "stable"]),
        ({"hp": -9}, []),
        ({"aether_marks": 1, "armor": 14}, ["AR 14", "Aether Mark"]),
    ],
)
def test_a_glance_shows_armor_rounds_and_dying(fields, marks):
    assert [mark.text for mark in GAME.glance(sheet(**fields), HOUSE)] == marks


@pytest.mark.parametrize(
    ("fields", "lines"),
    [
        ({}, ()),
        ({"hp": 0}, ("Unconscious at 0, stable, cannot act",)),
        ({"hp": -1, "max_hp": 30}, ("Dying: 0 of 3 turns below 0, cannot act",)),
    ],
)
def test_the_briefing_names_dying_and_unconsciousness(fields, lines):
    assert GAME.brief(sheet(**fields), HOUSE) == lines


def test_every_calculated_value_is_the_sum_of_its_terms():
    full = sheet(
        str=3,
        dex=4,
        magic=2,
        armor=14,
        weapons=[SWORD, {**RIFLE, "hit_mod": 1}],
        spells=[FIREBOLT, {"name": "light"}],
        skills=[{"name": "climb", "attribute": "str", "training": 2}],
    )
    figures = GAME.figures(full, HOUSE)
    assert [one.value for one in figures] == [14, 4, -5, 3, 5, 2, 5]
    assert all(sum(term.value for term in one.terms) == one.value for one in figures if one.terms)


def test_initiative_is_d20_and_dex_with_ties_by_dex_and_a_d6():
    rolled = GAME.initiative
    assert rolled.score(sheet(dex=4), Table(ScriptedDice([9]))) == 13
    assert (rolled.tie(sheet(dex=4)), rolled.roll_off) == (4, 6)
    assert GAME.order(HOUSE) == "initiative"


def test_conditions_change_options_that_exist():
    for condition in GAME.conditions:
        for effect in condition.effects:
            assert effect.option in fields_of(GAME.action(effect.action).options)


def test_every_field_option_and_house_rule_has_help():
    classes = [GAME.sheet, GAME.house, *(action.options for action in GAME.actions)]
    assert all(field.help for one in classes for field in fields_of(one).values())


def test_random_dice_play_too():
    action, scene = scene_of({"action": "attack", "actor": {"weapons": [RIFLE]}})
    table = Table(RandomDice(random.Random(7)))
    assert action.run(scene, table).facts["face"] == table.rolls[0].face


def test_a_card_shows_the_armor_rating_once():
    fight = Fight("waygate", "add okado", "set okado armor 14", "set okado dex 4")
    shown = card(fight.encounter, fight.encounter.combatants["okado"])
    assert [figure.value for figure in shown.figures if figure.label == "armor"] == [14]
    assert "armor" not in dict(shown.fields)
    assert "AR 14" not in [mark.text for mark in shown.marks]
