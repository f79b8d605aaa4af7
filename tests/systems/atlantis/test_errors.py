"""Requests that are wrong: each names its field, and is found before the rules refuse."""

import pytest

from systems.errors import Wrong
from systems.schema.fields import fields_of

from .asking import GAME, GUARD, OKADO, TAMSIN, asked, chances


def wrong_field(action, actor=None, target=None, **named):
    with pytest.raises(Wrong) as wrong:
        asked(action, actor, target, **named)
    return wrong.value.field


@pytest.mark.parametrize("actor", [OKADO, {**OKADO, "life": -5}, {**OKADO, "action_spent": True}])
def test_an_unknown_weapon_is_an_error_even_if_the_actor_cannot_attack(actor):
    assert wrong_field("attack", actor, GUARD, weapon="halberd") == "options.weapon"


@pytest.mark.parametrize(
    ("action", "options", "field"),
    [
        ("check", {"threshold": 25}, "options.ability"),
        ("check", {"ability": "melee"}, "options.threshold"),
        ("check", {"ability": "melee", "threshold": 301}, "options.threshold"),
        ("check", {"ability": "melee", "threshold": -101}, "options.threshold"),
        ("check", {"ability": "melee", "threshold": 25, "trait": "soul"}, "options.trait"),
        ("check", {"ability": "", "threshold": 25}, "options.ability"),
        ("check", {"ability": "melee", "threshold": 25.0}, "options.threshold"),
        ("contest", {}, "options.ability"),
        ("attack", {"distance": 15.5}, "options.distance"),
        ("attack", {"distance": -1}, "options.distance"),
        ("attack", {"defence": "dodge"}, "options.defence"),
        ("attack", {"coverage": "full"}, "options.coverage"),
        ("attack", {"size": "enormous"}, "options.size"),
        ("attack", {"modifier": 201}, "options.modifier"),
        ("attack", {"second_attack": 1}, "options.second_attack"),
        ("attack", {"defence_trait": None}, "options.defence_trait"),
        ("attack", {"armour": True}, "options.armour"),
        ("harm", {}, "options.amount"),
        ("harm", {"amount": 1000}, "options.amount"),
        ("harm", {"amount": True}, "options.amount"),
        ("heal", {"amount": "5"}, "options.amount"),
        ("repair", {"amount": -1}, "options.amount"),
        ("roll", {"luck": 1}, "options.luck"),
        ("coup_de_grace", {"weapon": "sword"}, "options.weapon"),
    ],
)
def test_an_invalid_option_is_named(action, options, field):
    assert wrong_field(action, OKADO, GUARD, **options) == field


@pytest.mark.parametrize(
    ("sheet", "field"),
    [
        ({"abilities": {"melee": 101}}, "actor.abilities.melee"),
        ({"traits": {"soul": 5}}, "actor.traits"),
        ({"traits": {"body": -1}}, "actor.traits.body"),
        ({"max_life": 0}, "actor.max_life"),
        ({"life": -1000}, "actor.life"),
        ({"size": "giant"}, "actor.size"),
        ({"weapons": [{"name": "sword"}]}, "actor.weapons[0].damage"),
        ({"weapons": [{"name": "sword", "damage": 1, "kind": "thrown"}]}, "actor.weapons[0].kind"),
        ({"weapons": {"sword": 15}}, "actor.weapons"),
        ({"attacks_per_round": 0}, "actor.attacks_per_round"),
        ({"is_pc": "yes"}, "actor.is_pc"),
        ({"hp": 5}, "actor.hp"),
        ({"status": 5}, "actor.status"),
    ],
)
def test_an_invalid_field_of_a_sheet_is_named(sheet, field):
    assert wrong_field("status", sheet) == field


@pytest.mark.parametrize(
    ("house", "field"),
    [
        ({"passive_penalty": "none"}, "house.passive_penalty"),
        ({"npc_bleeding": True}, "house.npc_bleeding"),
        ({"crits": True}, "house.crits"),
    ],
)
def test_an_invalid_house_rule_is_named(house, field):
    assert wrong_field("status", house=house) == field


def test_dice_must_be_neither_too_few_nor_too_many_nor_impossible():
    assert wrong_field("attack", OKADO, GUARD, dice=[]) == "dice"
    assert wrong_field("attack", OKADO, GUARD, dice=[20]) == "dice"
    assert wrong_field("attack", OKADO, GUARD, dice=[5, 5]) == "dice"
    assert wrong_field("attack", OKADO, GUARD, dice=[21]) == "dice[0]"
    assert wrong_field("attack", {**OKADO, "life": 0}, GUARD, dice=[5]) == "dice"
    assert wrong_field("attack", TAMSIN, GUARD, dice=[5], distance=91) == "dice"


def test_a_target_is_checked_even_if_the_action_takes_none():
    assert wrong_field("status", {}, {"life": "many"}) == "target.life"
    assert "target" not in asked("status", {}, {"life": 3})


def test_odds_take_no_dice():
    with pytest.raises(Wrong, match="odds take no dice"):
        chances({"action": "roll", "dice": [5]})


def test_a_status_that_comes_in_is_ignored():
    assert asked("status", {"status": "dead"})["actor"]["status"] == "conscious"


def test_every_option_and_field_has_a_help_text():
    for cls in (GAME.sheet, GAME.house, *(action.options for action in GAME.actions)):
        assert all(field.help for field in fields_of(cls).values())
