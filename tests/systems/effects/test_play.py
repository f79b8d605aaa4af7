"""Effects in a fight: at their moments, after damage, with odds, undo and amendments."""

import pytest

from systems.encounter.recap import recap_of
from systems.errors import Refused
from systems.odds import facts_odds
from systems.requests import read_request
from tests.systems.effects.creatures import GAME, TYRANT, effect_fight
from tests.systems.simple.play import by_hand


def test_a_goblin_adds_a_die_to_a_hit_with_advantage_only():
    fight = effect_fight("add mira", "add goblin", "start", "next")
    assert "for 5 (hp 40 → 35)" in fight.text("attack mira by goblin dice=15,3")
    said = fight.text("attack mira edge=1 by goblin dice=15,2,3,4")
    assert "for 9 (hp 35 → 26)" in said
    assert "9 slashing damage" in said


def test_pack_tactics_ask_for_an_ally_that_can_act_near_the_target():
    fight = effect_fight("add mira", "add goblin x2", "start")
    assert len(fight.do("attack mira by goblin-1 dice=2").rolls) == 1
    fight.do("near goblin-2 mira")
    assert "the better of two" in str(fight.do("attack mira by goblin-1 dice=2,3").results)
    fight.do("condition goblin-2 stunned")
    assert len(fight.do("attack mira by goblin-1 dice=2").rolls) == 1


def test_a_troll_regenerates_unless_fire_has_stopped_it():
    fight = effect_fight("add mira", "add troll", "start dice=20,2", "attack troll by mira dice=15,8")
    assert "Regeneration: Troll regains 10 (hp 73 → 83)." in fight.text("next")
    fight.do("next")
    said = fight.text("attack troll weapon=torch by mira dice=15,3")
    assert "Troll's Regeneration is stopped." in said
    assert "Troll's Regeneration does nothing this time." in fight.text("next")
    assert fight.sheet("troll").hp == 80
    fight.do("next")
    fight.do("next")
    assert fight.sheet("troll").hp == 84


def test_damage_by_hand_stops_a_regeneration_if_it_has_the_type():
    fight = effect_fight("add mira", "add troll", "start dice=20,2", "damage troll 20 type=fire")
    fight.do("next")
    assert fight.sheet("troll").hp == 64


def test_an_aura_burns_the_foes_that_are_near_when_their_turns_begin():
    fight = effect_fight("add mira", "add bo", "add tyrant", "start dice=20,19,1", "near tyrant bo")
    said = fight.text("next dice=3,4")
    assert "Tyrant's Burning Aura: Bo takes 7 fire damage (hp 40 → 33)." in said
    assert fight.sheet("mira").hp == 40


def test_a_condition_after_a_hit_depends_on_the_target_s_save():
    fight = effect_fight("add mira", "add tyrant", "start dice=20,1", "next")
    said = fight.text("attack mira by tyrant dice=12,3,4,5")
    assert "for 11 (hp 40 → 29), frightened." in said
    assert "wisdom save 6 against 14" in said
    assert fight.conditions("mira") == ["frightened"]
    fight.do("next")
    assert "Mira is no longer frightened." in fight.text("next")
    assert "frightened" not in fight.text("attack mira by tyrant dice=12,3,4,18").split(".")[0]


def test_an_effect_after_damage_reaches_the_attacker():
    fight = effect_fight("add mira", "add tyrant", "start dice=20,1")
    said = fight.text("attack tyrant by mira dice=18,4,2")
    assert "Tyrant's Ember Scales: Mira takes 2 fire damage (hp 40 → 38)." in said


def test_a_breath_is_used_up_and_recharges_at_the_start_of_a_turn():
    fight = effect_fight("add mira", "add bo", "add tyrant", "start dice=20,19,1")
    event = fight.do('effect mira,bo effect="fire breath" by tyrant dice=2,1,2,3,4,5,6,19')
    assert (fight.sheet("mira").hp, fight.sheet("bo").hp) == (19, 30)  # one roll of damage, half for Bo
    assert [roll.why for roll in event.rolls][-1] == "dexterity save, Fire Breath"
    with pytest.raises(Refused, match="cannot use Fire Breath again"):
        fight.do('effect mira effect="fire breath" by tyrant')
    fight.do("next")
    assert "Fire Breath does not recharge" in fight.text("next dice=4")
    for line in ("next", "next"):
        fight.do(line)
    assert "Fire Breath is ready again" in fight.text("next dice=5")


def test_immunity_and_resistance_change_damage_by_its_type():
    fight = effect_fight("add mira", "add tyrant", "start dice=20,1")
    assert "for 0" in fight.text("attack tyrant weapon=torch by mira dice=19,3")
    assert "takes 0 fire damage" in fight.text("damage tyrant 12 type=fire")


def test_effects_are_undone_and_redone_with_their_command():
    fight = effect_fight("add mira", "add tyrant", "near tyrant mira", "start dice=20,1,2,3")
    before = fight.plain
    fight.do("attack tyrant by mira dice=18,4,2")
    after = fight.plain
    fight.do("undo")
    assert {**fight.plain, "offers": []} == {**before, "offers": []}
    fight.do("redo")
    assert {**fight.plain, "offers": []} == {**after, "offers": []}
    assert fight.folded() == fight.plain


def test_an_amended_attack_runs_its_effects_again():
    fight = effect_fight("add mira", "add tyrant", "start dice=20,1", "attack tyrant by mira dice=18,4,2")
    assert fight.sheet("mira").hp == 38
    fight.do("amend 4 dice=2")
    assert fight.sheet("mira").hp == 40
    assert fight.sheet("tyrant").hp == 120


def test_two_effects_that_set_each_other_off_are_refused_with_their_names():
    thorns = {**TYRANT, "effects": [TYRANT["effects"][2]]}
    fight = effect_fight(
        "add tyrant",
        "add rival",
        "start dice=1,2",
        rival={**thorns, "immunities": []},
        tyrant={**thorns, "immunities": []},
    )
    before = fight.plain
    with pytest.raises(Refused, match=r"Ember Scales of (Rival|Tyrant) and .* set each other off"):
        fight.do("attack rival edge=9 by tyrant dice=" + ",".join(["19", "19"] + ["3"] * 40))
    assert fight.plain == before


NASTY = {"name": "Nasty", "when": "hit", "roll": "advantage", "damage": ["1d3 slashing"]}
VENOM = {"name": "Venom", "when": "hit", "save": "body", "dc": 3, "half": True, "damage": ["1d4 poison"]}
DREAD = {"name": "Dread", "when": "hit", "save": "mind", "dc": 4, "condition": "frightened"}
AIM = {"name": "Aim", "when": "always", "change": {"attacks": 1, "damage": 1}}


@pytest.mark.parametrize(("edge", "effects"), [(0, [VENOM, DREAD, AIM]), (1, [NASTY, DREAD])])
def test_the_odds_of_an_attack_with_effects_are_exact(edge, effects):
    weapons = [{"name": "fang", "damage": "1d2", "type": "slashing"}]
    target = {"defence": 6, "saves": {"mind": 1}, "resistances": ["slashing"], "vulnerabilities": ["poison"]}
    request = {
        "action": "attack",
        "actor": {"attack": 3, "weapons": weapons, "effects": effects},
        "target": target,
        "options": {"edge": edge},
        "house": {"dice": "1d4", "critical": "none"},
    }
    expected, found = by_hand(request), odds_of(request)
    for fact in ("hit", "damage", "frightened"):
        assert found[fact] == expected[fact], fact


def odds_of(request):
    action, scene, _ = read_request(GAME, request)
    return facts_odds(lambda table: action.run(scene, table))


def test_the_recap_names_the_effects_that_were_used():
    fight = effect_fight("add mira", "add tyrant", "start dice=20,1", "attack tyrant by mira dice=18,4,2")
    recap = recap_of(fight.encounter, fight.log)
    assert [(total.name, total.lost) for total in recap.actions] == [("", 7), ("Ember Scales", 2)]


def test_an_effect_on_its_own_owner_has_no_target():
    grit = {"name": "Grit", "when": "damaged", "whose": "any", "heal": "2"}
    boss = {"max_hp": 40, "defence": 12, "effects": [grit]}
    event = effect_fight("add mira", "add boss", "start dice=20,1", boss=boss).do("damage boss 3")
    assert event.text.endswith("Grit: Boss regains 2 (hp 37 → 39).")
    assert event.results[-1].target is None
