"""What the screens show of a combatant."""

from systems.schema.fields import fields_of
from systems.sheets import read_sheet

from .asking import GAME, GUARD

HOUSE = GAME.house()


def marks(**sheet):
    return [mark.text for mark in GAME.glance(read_sheet(GAME, sheet, "sheet"), HOUSE)]


def test_the_marks_show_armour_wounds_and_actions_used_this_round():
    assert marks() == []
    assert marks(max_armour_pool=10, armour_pool=4, life=39) == ["armour 4", "hurt −5"]
    assert marks(attacks_made=1, attacks_per_round=2, passive_used=3) == ["attacked 1/2", "resisted 3"]
    assert marks(armour_pool=8) == ["armour 8"]
    assert marks(action_spent=True) == ["action spent"]
    assert marks(life=0) == []


def test_a_turn_begins_with_the_important_facts():
    assert GAME.brief(GAME.sheet(), HOUSE) == ()
    assert GAME.brief(GAME.sheet(life=39), HOUSE) == ("Hurt: −5 to everything",)
    assert GAME.brief(GAME.sheet(life=0), HOUSE) == ("Unconscious, cannot act",)


def figures(**sheet):
    found = GAME.figures(read_sheet(GAME, {**GUARD, **sheet}, "sheet"), HOUSE)
    assert all(sum(term.value for term in one.terms) == one.value for one in found if one.terms)
    return {one.label: one.value for one in found}


def test_the_status_screen_works_out_abilities_and_the_passive_resistance():
    assert figures(weapons=[]) == {"life lost": 0, "melee": 36}
    assert figures() == {"life lost": 0, "melee": 36, "passive resistance": 36}
    hurt = figures(life=30, passive_used=1)
    assert hurt == {"life lost": 15, "melee": 31, "passive resistance": 26}
    assert "passive resistance" not in figures(life=-3)


def test_a_combatant_that_joins_the_players_side_is_a_player_character():
    assert GAME.join(GAME.sheet(), True) == {"is_pc": True}
    assert GAME.join(GAME.sheet(), False) == {"is_pc": False}


def test_the_declarations_of_the_game_are_consistent():
    known = set(fields_of(GAME.sheet))
    assert {name for meter in GAME.meters for name in (meter.now, meter.full)} <= known
    assert set(GAME.seat_fields) <= known
    for action in GAME.actions:
        assert {action.success, action.amount, action.against} <= {"", *action.facts}
    for condition in GAME.conditions:
        for effect in condition.effects:
            assert effect.option in fields_of(GAME.action(effect.action).options)
