"""Attacks of a multiattack that are left when their target has fallen, for another target."""

from systems.commands.offers import is_quiet, to_take
from systems.visibility.build import view
from systems.visibility.viewer import Viewer
from tests.systems.fight import Fight
from tui.campaign.campaign import loaded_game

LEFT = "multiattack weapons=sword,bite by okado"


def three_attacks(*lines):
    fight = Fight("srd5", "add okado", "add guard x3")
    fight.do("set okado attacks.bite +9 1d6")
    fight.do('set okado multiattack.sword "x2"')
    fight.do('set okado multiattack.bite "x1"')
    for line in ("start dice=20,1,1,1", *lines):
        fight.do(line)
    return fight


def test_attacks_left_when_the_target_falls_are_offered_quietly_on_another():
    fight = three_attacks()
    event = fight.do("multiattack guard-1 by okado dice=18,8")
    assert "more attacks" not in event.text
    [offer] = to_take(fight.encounter)
    assert (offer.command, offer.target, is_quiet(fight.encounter, offer)) == (LEFT, None, True)
    assert offer.says == "Okado has 2 attacks left for another target: sword and bite."


def test_attacks_left_are_made_once_and_come_back_with_undo():
    fight = three_attacks("multiattack guard-1 by okado dice=18,8")
    text = fight.text("multiattack guard-2 weapons=sword,bite by okado dice=2,15,4")
    assert "1 of 2 attacks" in text
    assert not fight.encounter.offers
    fight.do("undo")
    assert [offer.command for offer in to_take(fight.encounter)] == [LEFT]
    fight.do("undo")
    assert not fight.encounter.offers


def test_attacks_left_again_are_offered_again():
    fight = three_attacks("multiattack guard-1 by okado dice=18,8")
    fight.do("multiattack guard-2 weapons=sword,bite by okado dice=18,8")
    assert [offer.command for offer in to_take(fight.encounter)] == ["multiattack weapons=bite by okado"]


def test_each_target_of_a_split_leaves_the_attacks_that_were_meant_for_it():
    fight = three_attacks("multiattack guard-1*2,guard-2 by okado dice=18,8,2")
    assert [offer.command for offer in to_take(fight.encounter)] == ["multiattack weapons=sword by okado"]


def test_a_whole_new_multiattack_is_not_the_attacks_left():
    fight = three_attacks("multiattack guard-1 by okado dice=18,8")
    assert "every attack" in fight.text("multiattack guard-2 by okado dice=2,2,2")
    assert [offer.command for offer in to_take(fight.encounter)] == [LEFT]


def test_attacks_left_end_with_the_turn():
    fight = three_attacks("multiattack guard-1 by okado dice=18,8", "next")
    assert not fight.encounter.offers


def test_no_attacks_are_left_without_another_target_in_sight():
    fight = Fight("srd5", "add okado", "add guard", "add guard hidden")
    fight.do('set okado multiattack.sword "x2"')
    fight.do("start dice=20,1,1")
    fight.do("multiattack guard by okado dice=18,8")
    assert not fight.encounter.offers


def test_a_player_is_offered_the_attacks_left():
    fight = three_attacks("multiattack guard-1 by okado dice=18,8")
    seen = view(fight.encounter, fight.log, Viewer(frozenset({"okado"})))
    assert [(offer.by, offer.is_open) for offer in seen.offers] == [("Okado", True)]


def test_rays_that_are_left_cost_no_further_slot():
    loaded_game("srd5")
    fight = Fight("srd5", "add okado", "add guard x2")
    fight.do('set okado attacks."Scorching Ray" "+9 2d6 fire, ranged, range 120, slot 2"')
    fight.do('set okado spell_slots.second "level 2, total 1"')
    fight.do("start dice=20,1,1")
    ray = '"Scorching Ray"'
    fight.do(f"multiattack guard-1 weapons={ray},{ray},{ray} by okado dice=18,6,6")
    [offer] = to_take(fight.encounter)
    assert offer.options["spend"] == "no"
    assert fight.sheet("okado").spell_slots[0].left == 0
    fight.do(f"{offer.command.replace('multiattack', 'multiattack guard-2')} dice=2,2")
    assert not fight.encounter.offers
