"""What players learn of the effects of others."""

from systems.commands.preview import preview
from systems.visibility.sight import seen_encounter
from systems.visibility.viewer import Viewer
from tests.systems.effects.creatures import GAME, MIRA, effect_fight

SHIELD = {"name": "Ember Shield", "when": "attacked", "change": {"ac": 5}}
AURA = {"name": "Aura", "when": "start", "whose": "foes", "damage": ["2d4 fire"]}
BOSS = {"max_hp": 40, "defence": 12, "attack": 6, "effects": [SHIELD, AURA]}


def test_the_odds_at_a_seat_leave_out_a_shield_that_a_foe_has_not_shown():
    fight = effect_fight("add mira", "add boss", "start dice=20,1,1,1", boss=BOSS)
    attack = GAME.action("attack")
    here = seen_encounter(fight.encounter, Viewer(frozenset({"mira"})))
    assert preview(fight.encounter, attack, "mira", "boss", attack.options()).works < 0.6
    assert preview(here, attack, "mira", "boss", attack.options()).works == 0.75


def test_players_keep_their_own_effects():
    mira = {**MIRA, "effects": [AURA]}
    fight = effect_fight("add mira", "add bo", "add boss", "start", mira=mira, boss=BOSS)
    here = seen_encounter(fight.encounter, Viewer(frozenset({"bo"})))
    assert [line.name for line in here.combatants["mira"].sheet.effects] == ["Aura"]


def test_players_read_what_a_hidden_boss_s_aura_does_to_them_and_not_whose_it_is():
    fight = effect_fight("add mira", "add bo", "add boss", "hide boss", "start dice=20,19,1,1,1", boss=BOSS)
    event = fight.do("next dice=2,3")
    told = [each.public[0] for each in event.sentences if each.public]
    assert "Something unseen: 5 damage to Bo." in [str(words) for words in told]
    assert not any("Aura" in words for words in told)


def test_players_read_of_a_condition_that_a_hidden_combatant_gives_by_hand():
    fight = effect_fight("add mira", "add bo", "add boss", "hide boss", "start dice=20,19,1,1,1", boss=BOSS)
    event = fight.do('condition mira,bo "cursed" by boss')
    [told] = [each.public for each in event.sentences if each.public]
    assert (str(told[0]), told[1]) == ("Something unseen: Mira and Bo are now cursed.", ("mira", "bo"))
    secret = fight.do('condition mira "doomed" secret by boss')
    assert not any(each.public for each in secret.sentences)
