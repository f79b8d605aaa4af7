"""Effects of creatures' lines in a fight: conditions, reminders, reactions, saves."""

import pytest

from systems import load
from systems.commands.scenes import scene_of
from systems.errors import Refused, Wrong
from systems.frozen import evolve
from systems.requests import odds
from systems.sheets import read_sheet
from systems.srd5.body import body_of
from systems.srd5.current import scene_now
from systems.text import as_sentence
from tests.systems.fight import Entry, Fight
from tests.systems.srd5.facing import HERO, SWORD, facing, sheet_of


def test_a_wolf_knocks_down_a_target_of_its_size_and_no_greater_one():
    fight = facing("wolf")
    fight.do("attack mira by wolf dice=15,3")
    assert fight.sheet("mira").conditions == ("prone",)
    assert fight.conditions("mira") == ["prone"]
    fight.do("undo")
    assert fight.sheet("mira").conditions == ()
    large = facing("wolf", size="large")
    large.do("attack mira by wolf dice=15,3")
    assert large.sheet("mira").conditions == ()


def test_a_request_answers_by_the_sheet_alone():
    request = {"action": "attack", "actor": sheet_of("wolf"), "target": {**HERO, "size": "huge"}}
    assert '["prone"]' in odds(Fight("srd5").game, request)["facts"]["gave"]


def test_a_goblin_does_more_damage_with_advantage():
    fight = facing("goblin-warrior")
    text = fight.text("attack mira weapon=scimitar by goblin-warrior advantage=1 dice=15,12,3,4")
    assert "for 9" in text
    fight.do("undo")
    assert "for 5" in fight.text("attack mira weapon=scimitar by goblin-warrior dice=15,3")


def test_a_goblin_with_advantage_doubles_all_dice_on_a_critical_hit():
    fight = facing("goblin-warrior")
    fight.do("attack mira weapon=scimitar by goblin-warrior advantage=1 dice=20,12,3,4,1,2")
    assert fight.sheet("mira").hp == 60 - 12


def test_a_gaze_of_a_medusa_holds_and_then_petrifies_at_the_end_of_the_turn():
    fight = facing("medusa")
    fight.do("power mira by medusa dice=2")
    assert fight.sheet("mira").conditions == ("restrained",)
    [held] = fight.encounter.combatants["mira"].conditions
    assert (held.name, held.save, held.difficulty, held.again) == ("restrained", "constitution", 13, ("end",))
    while fight.turn != "mira":
        fight.do("next")
    fight.do("next dice=2,1")
    assert fight.sheet("mira").conditions == ("petrified",)
    fight.do("undo")
    assert fight.sheet("mira").conditions == ("restrained",)


def test_a_wounded_berserker_attacks_with_advantage():
    fight = facing("berserker")
    fight.do("damage berserker 40")
    fight.do("attack mira by berserker dice=2,16,5")
    assert fight.sheet("mira").hp < 60


def test_a_multiattack_gives_conditions_as_its_attacks_do():
    fight = facing("assassin", max_hp=300, hp=300, ac=1)
    fight.do("multiattack mira by assassin")
    [held] = fight.encounter.combatants["mira"].conditions
    assert (held.name, held.until, held.of) == ("poisoned", "start", "assassin")


@pytest.mark.parametrize("creature", ["tarrasque", "vampire", "lich"])
def test_what_the_words_cannot_hold_is_a_reminder_that_the_game_master_can_call_up(creature):
    fight = facing(creature)
    reminders = [line for line in fight.sheet(creature).effects if line.remind and line.when == "asked"]
    assert reminders
    assert as_sentence(reminders[0].remind) in fight.text(
        f'effect {creature} effect="{reminders[0].name}" by {creature}'
    )


def test_the_fire_of_an_elemental_burns_those_near_it_at_the_end_of_its_turn():
    fight = facing("azer-sentinel")
    while fight.turn != "azer-sentinel":
        fight.do("next")
    fight.do("near mira azer-sentinel")
    fight.do("next dice=7")
    assert fight.sheet("mira").hp == 60 - 7


def test_an_attack_near_an_able_captain_has_advantage():
    fight = facing("hobgoblin-captain", "wolf")
    fight.do("near hobgoblin-captain wolf")
    fight.do("attack mira by wolf dice=2,16,3")
    assert fight.sheet("mira").hp < 60
    fight.do("undo")
    fight.do("condition hobgoblin-captain stunned")
    assert "misses" in fight.text("attack mira by wolf dice=2")


def test_damage_calls_for_the_save_of_a_condition_that_lasts_until_damage():
    fight = facing("aboleth")
    fight.do('power mira power="Dominate Mind" by aboleth dice=2')
    assert fight.sheet("mira").conditions == ("charmed",)
    fight.do("damage mira 3 dice=20")
    assert fight.sheet("mira").conditions == ()


def test_a_parry_turns_a_close_hit_into_a_miss_once_a_round():
    fight = facing("knight", attacks=[SWORD], multiattack=[{"name": "sword", "times": 3}])
    assert "misses knight" in fight.text("attack knight by mira dice=14")
    assert fight.sheet("knight").reaction_used
    assert "hits knight" in fight.text("attack knight by mira dice=14,4")
    fight = facing("knight", attacks=[SWORD], multiattack=[{"name": "sword", "times": 3}])
    assert "1 of 3 attacks" in fight.text("multiattack knight by mira dice=14,14,4,2")


def test_a_parry_is_no_use_against_arrows_nor_against_a_hit_that_beats_it():
    fight = facing("knight", attacks=[{**SWORD, "kind": "ranged", "range": 60}])
    assert "hits knight" in fight.text("attack knight distance=30 by mira dice=14,4")
    fight = facing("knight", attacks=[SWORD])
    assert "hits knight" in fight.text("attack knight by mira dice=17,4")
    assert not fight.sheet("knight").reaction_used


def test_a_magic_shield_stays_up_for_the_attacks_that_follow_and_costs_a_use():
    fight = facing("mage", attacks=[SWORD], multiattack=[{"name": "sword", "times": 3}])
    assert "misses mage with every attack" in fight.text("multiattack mage by mira dice=14,14,2")
    assert fight.conditions("mage") == ["shielded"]
    assert next(power for power in fight.sheet("mage").powers if power.used).name == "Protective Magic"
    assert "misses" in fight.text("attack mage by mira dice=14")
    fight.do("undo")
    fight.do("undo")
    assert fight.conditions("mage") == []


def test_a_chuul_paralyzes_only_what_it_holds():
    fight = facing("chuul", ac=5, max_hp=200)
    with pytest.raises(Refused, match="only on a target that is grappled by it"):
        fight.do('power mira power="Paralyzing Tentacles" by chuul')
    fight.do("attack mira by chuul dice=15,3")
    fight.do('power mira power="Paralyzing Tentacles" by chuul dice=2')
    assert "poisoned" in fight.sheet("mira").conditions


def test_a_boar_does_more_after_a_charge_but_not_to_a_large_target():
    fight = facing("boar", ac=5)
    fight.do("attack mira charge=yes by boar dice=15,3,4")
    assert (fight.sheet("mira").hp, fight.sheet("mira").conditions) == (60 - 3 - 4 - 1, ("prone",))
    fight.do("undo")
    fight.do("attack mira by boar dice=15,3")
    assert fight.sheet("mira").hp == 60 - 3 - 1


def test_only_the_effects_on_an_attack_itself_see_what_attacks_before_it_have_done():
    claw = {**SWORD, "name": "claw", "damage": ["2 slashing"]}
    rage = {"name": "rage", "when": "hit", "of": ["claw"], "target_is": ["bloodied"], "damage": ["9 fire"]}
    fight = facing("wolf", attacks=[SWORD, claw], effects=[rage])
    action = fight.game.action("multiattack")
    scene = scene_of(fight.encounter, action, "mira", "wolf", action.options(weapons=("sword", "claw")))
    hurt = evolve(body_of(scene.target), hp=1)
    assert scene_now(scene, "sword", hurt, False) is scene  # so that what follows from it is worked out once
    assert scene_now(scene, "claw", hurt, False).target.hp == 1


def test_a_drider_in_sunlight_attacks_and_checks_with_disadvantage():
    fight = facing("drider")
    fight.do("condition drider in_sunlight")
    assert "misses" in fight.text("attack mira by drider dice=18,2")
    assert "rolls 4" in fight.text("check ability=strength by drider dice=18,1")


def test_a_wounded_berserker_saves_with_advantage():
    fight = facing("berserker", "medusa")
    fight.do("damage berserker 40")
    fight.do("power berserker by medusa dice=2,15")
    assert fight.sheet("berserker").conditions == ()


def test_a_push_parts_the_target_from_those_near_it():
    fight = facing("tough-boss", ac=5)
    fight.do("near mira tough-boss")
    assert "Mira is pushed 10 feet" in fight.text("attack mira weapon=warhammer by tough-boss dice=15,3,3")
    assert fight.encounter.neighbours(fight.encounter.combatants["mira"]) == ()


def test_a_crab_holds_two_at_most():
    fight = facing("giant-crab", "wolf", "goblin-minion", ac=5)
    for who in ("wolf", "goblin-minion", "mira"):
        fight.do(f"attack {who} by giant-crab dice=19,1")
    assert [fight.sheet(who).conditions for who in ("wolf", "mira")] == [("grappled",), ()]


def test_nothing_heals_a_swarm_and_no_flying_owl_provokes():
    fight = facing("swarm-of-rats", "owl")
    fight.do("damage swarm-of-rats 3")
    with pytest.raises(Refused, match="cannot be healed"):
        fight.do("heal swarm-of-rats 2")
    with pytest.raises(Refused, match="never provokes"):
        fight.do("attack owl opportunity=yes by mira")


def test_the_second_attack_of_a_multiattack_sees_what_the_first_has_done():
    fight = facing("mimic", ac=5)
    fight.do("multiattack mira weapons=Pseudopod,Bite by mimic dice=15,3,3,2,16,4,4,5")
    assert fight.sheet("mira").hp == 60 - 9 - 16


def test_a_dragon_strikes_as_a_legendary_action_and_once_a_round_with_its_rays():
    fight = facing("adult-red-dragon", ac=10, max_hp=500)
    while fight.turn != "mira":
        fight.do("next")
    fight.do("next")
    offered = {offer.command for offer in fight.encounter.offers}
    assert 'effect effect="Fiery Rays" by adult-red-dragon' in offered
    assert "3 of 3 attacks" in fight.text(
        'effect mira effect="Fiery Rays" by adult-red-dragon dice=9,1,1,9,1,1,9,1,1'
    )
    with pytest.raises(Refused, match="again yet"):
        fight.do('effect mira effect="Fiery Rays" by adult-red-dragon')
    fight.do("effect mira effect=Pounce by adult-red-dragon")
    assert fight.sheet("adult-red-dragon").legendary_actions_left == 2


def test_a_legendary_power_with_a_limit_is_used_once_a_round():
    fight = facing("solar", max_hp=500)
    use = 'power mira power="Blinding Gaze" by solar'
    fight.do(use)
    with pytest.raises(Refused, match="only once each round"):
        fight.do(use)
    while fight.turn != "mira":
        fight.do("next")
    assert not any("Blinding Gaze" in offer.says for offer in fight.encounter.offers)
    fight.do("next")
    fight.do(use)


def test_a_goblin_hides_and_a_drider_casts_one_of_its_spells():
    fight = facing("goblin-warrior", "drider")
    fight.do('effect effect="Nimble Escape: hide" by goblin-warrior dice=19')
    assert fight.sheet("goblin-warrior").hidden_dc
    fight.do('effect mira effect="Magic of the Spider Queen: Web" by drider dice=2')
    assert fight.sheet("mira").conditions == ("restrained",)
    with pytest.raises(Refused, match="no Magic of the Spider Queen left"):
        fight.do('effect mira effect="Magic of the Spider Queen: Darkness" by drider')


def test_a_stench_asks_for_a_save_at_the_start_of_a_turn_until_it_is_passed():
    fight = facing("ghast")
    fight.do("near mira ghast")
    while fight.turn == "mira":
        fight.do("next")
    fight.do("next dice=2")
    assert fight.sheet("mira").conditions == ("poisoned",)
    fight.do("next")
    fight.do("next dice=20")
    assert "immune to Stench" in fight.conditions("mira")
    fight.do("next")
    assert "save" not in fight.text("next")


def test_a_mephit_bursts_when_it_falls():
    fight = facing("magma-mephit")
    fight.do("near mira magma-mephit")
    fight.do("damage magma-mephit 99 dice=2,3,4")
    assert fight.sheet("mira").hp == 60 - 7


def test_who_is_swallowed_is_hurt_each_turn_and_free_when_the_swallower_dies():
    fight = facing("giant-toad", ac=5, size="small")
    fight.do("attack mira by giant-toad dice=15,3,3,2")
    fight.do("power mira power=Swallow by giant-toad")
    assert set(fight.sheet("mira").conditions) == {"restrained", "blinded"}
    while fight.turn != "giant-toad":
        fight.do("next")
    before = fight.sheet("mira").hp
    fight.do("next dice=2,3,4")
    assert fight.sheet("mira").hp == before - 9
    fight.do("damage giant-toad 200")
    assert "swallowed" not in fight.conditions("mira")


def test_fire_makes_a_flesh_golem_averse_and_burning_hurts_each_turn():
    fight = facing("flesh-golem", "magmin", ac=5)
    fight.do("harm amount=3 type=fire by flesh-golem")
    assert fight.conditions("flesh-golem") == ["averse"]
    assert "misses" in fight.text("attack mira by flesh-golem dice=19,1")
    fight.do("attack mira by magmin dice=15,3,3")
    assert fight.conditions("mira") == ["burning"]


def test_an_effect_names_a_save_that_the_game_has() -> None:
    given = {
        "effects": [{"name": "Glare", "when": "start", "save": "wisdm", "dc": 12, "condition": "frightened"}]
    }
    with pytest.raises(Wrong, match="no saving throw; did you mean wisdom"):
        read_sheet(load("srd5"), given, "sheet")


def test_a_sea_hag_s_glare_brings_down_the_hurt_whatever_they_resist():
    fight = facing("sea-hag", hp=15, immunities=["psychic"])
    fight.do("condition mira frightened by sea-hag")
    fight.do('power mira power="Death Glare" by sea-hag dice=1')
    assert fight.sheet("mira").hp == 0


def test_a_vampire_s_bite_lowers_the_maximum_by_its_necrotic_part_and_heals_it():
    fight = facing("vampire")
    fight.do("damage vampire 50")
    fight.do("condition mira grappled")
    fight.do("power mira power=Bite by vampire dice=2,1,4,4,4")
    mira, vampire = fight.sheet("mira"), fight.sheet("vampire")
    assert (mira.hp, mira.max_hp, mira.max_hp_lost) == (60 - 17, 60 - 12, 12)
    assert vampire.hp == vampire.max_hp - 50 + 12
    fight.do("undo")
    assert fight.sheet("mira").max_hp == 60
    fight.do("redo")
    fight.do("set_condition condition=grappled remove=yes by mira")
    fight.do("long_rest by mira")
    assert (fight.sheet("mira").hp, fight.sheet("mira").max_hp) == (60, 60)


def test_each_hit_of_a_multiattack_lowers_the_maximum():
    fight = facing("specter", ac=5)
    fight.do("multiattack mira weapons=life-drain,life-drain by specter dice=15,3,3,15,2,2")
    lost = fight.sheet("mira").max_hp_lost
    assert lost == 60 - fight.sheet("mira").hp > 0


def test_a_shadow_takes_strength_and_kills_at_zero():
    fight = facing("shadow", ac=5, strength=4)
    fight.do("attack mira by shadow dice=15,1,2")
    assert (fight.sheet("mira").strength, fight.sheet("mira").strength_lost) == (2, 2)
    fight.do("attack mira by shadow dice=15,1,2")
    assert fight.encounter.status(fight.encounter.combatants["mira"]).name == "dead"


def test_damage_of_several_types_sets_off_effects_of_one_type():
    fight = facing("flesh-golem", attacks=[{**SWORD, "to_hit": 9, "damage": ["1d8 slashing", "1d6 fire"]}])
    fight.do("attack flesh-golem by mira dice=15,3,2")
    assert fight.conditions("flesh-golem") == ["averse"]


def test_a_mummy_kills_those_that_it_brings_down():
    fight = facing("mummy", ac=5, max_hp=9)
    fight.do("attack mira by mummy dice=15,10,6,6,6")
    assert fight.encounter.status(fight.encounter.combatants["mira"]).name == "dead"


def test_a_werewolf_bites_as_a_wolf_and_shoots_as_a_human():
    fight = facing("werewolf", ac=5)
    fight.do("change_form form=wolf by werewolf")
    wolf = fight.sheet("werewolf")
    assert (wolf.form, wolf.speed) == ("wolf", {"walk": 40})
    with pytest.raises(Refused, match="only while it is not wolf form"):
        fight.do("attack mira weapon=longbow distance=60 by werewolf")
    fight.do("change_form form=humanoid by werewolf")
    fight.do("attack mira weapon=longbow distance=60 by werewolf dice=15,3,3")
    with pytest.raises(Refused, match="only while it is not humanoid form"):
        fight.do("attack mira weapon=bite by werewolf")
    fight.do("undo")
    fight.do("undo")
    assert fight.sheet("werewolf").form == "wolf"


def test_a_bloodied_pudding_splits_and_shares_its_hit_points():
    fight = facing("black-pudding")
    whole = fight.sheet("black-pudding").max_hp
    fight.do(f"damage black-pudding {whole - whole // 2}")
    puddings = [each for each in fight.encounter if each.name.startswith("black-pudding")]
    assert len(puddings) == 2
    assert sum(each.sheet.hp for each in puddings) == whole // 2


def test_a_giggling_target_loses_a_die_and_poison_hurts_each_turn():
    fight = facing("adult-copper-dragon", "pit-fiend", ac=5, max_hp=300)
    fight.do('power mira power="Giggling Magic" fail=yes by adult-copper-dragon')
    assert "rolls 4" in fight.text("check ability=charisma by mira dice=10,6")
    fight.do("attack mira weapon=Bite save_modifier=-99 by pit-fiend")
    before = fight.sheet("mira").hp
    while fight.turn != "mira":
        fight.do("next")
    assert "poisoned" in fight.sheet("mira").conditions
    assert 6 <= before - fight.sheet("mira").hp <= 36


def test_fire_heals_an_iron_golem_and_the_rest_of_the_damage_hurts_it():
    blade = {**SWORD, "to_hit": 20, "damage": ["1d8 slashing", "1d6 fire"]}
    fight = facing("iron-golem", attacks=[blade], multiattack=[{"name": "sword", "times": 2}])
    most = fight.sheet("iron-golem").max_hp
    fight.do("damage iron-golem 50")
    fight.do("attack iron-golem by mira dice=15,3,5")
    assert fight.sheet("iron-golem").hp == most - 50 - 3 + 5
    fight.do("multiattack iron-golem by mira dice=15,3,5,15,3,5")
    assert fight.sheet("iron-golem").hp == most - 50 - 9 + 15
    fight.do("harm amount=20 type=fire by iron-golem")
    assert fight.sheet("iron-golem").hp == most - 50 - 9 + 15 + 20


def test_slashing_damage_of_one_turn_cuts_off_a_limb_of_a_bloodied_troll():
    fight = facing("troll", attacks=[{**SWORD, "to_hit": 20, "damage": ["8 slashing", "4 fire"]}])
    limb = read_sheet(fight.game, sheet_of("troll-limb"), "")
    fight.roster = {**fight.roster, "troll-limb": Entry("Troll Limb", "foes", limb)}
    fight.do("damage troll 50")
    fight.do("attack troll by mira dice=15")
    assert len(list(fight.encounter)) == 2
    fight.do("attack troll by mira dice=15")
    assert [each.name for each in fight.encounter][-1] == "Troll Limb"
    assert fight.sheet("troll").exhaustion == 1
    fight.do("attack troll by mira dice=15")
    assert len(list(fight.encounter)) == 3
    fight.do("undo")
    fight.do("undo")
    assert len(list(fight.encounter)) == 2
    fight.do("next")
    fight.do("attack troll by mira dice=15")
    assert len(list(fight.encounter)) == 2


def test_a_spell_of_a_creature_lasts_and_asks_for_its_save_again():
    fight = facing("adult-silver-dragon", max_hp=300)
    fight.do('power mira power="Hold Monster" fail=yes by adult-silver-dragon')
    assert fight.sheet("mira").conditions == ("paralyzed",)
    fight.do("next dice=2")  # who cannot act loses the turn, and saves at its end
    assert fight.sheet("mira").conditions == ("paralyzed",)
    fight.do("next dice=20")
    assert fight.sheet("mira").conditions == ()


def test_the_three_roars_of_a_sphinx_are_its_three_uses_of_a_day():
    fight = facing("sphinx-of-valor", max_hp=300)
    for roar in ("First", "Second", "Third"):
        fight.do(f'effect mira effect="Roar: {roar} Roar" by sphinx-of-valor')
    with pytest.raises(Refused, match="Roar"):
        fight.do('effect mira effect="Roar: First Roar" by sphinx-of-valor')


def test_who_takes_no_reactions_does_not_parry():
    fight = facing("knight", attacks=[SWORD])
    fight.do("condition knight no_reactions")
    assert "hits knight" in fight.text("attack knight by mira dice=14,4")
    assert not fight.sheet("knight").reaction_used


def test_the_breath_of_a_copper_dragon_takes_the_reactions_of_who_fails():
    fight = facing("young-copper-dragon", max_hp=99, attacks=[SWORD])
    fight.do('power mira power="Slowing Breath" fail=yes by young-copper-dragon')
    assert fight.conditions("mira") == ["slowed by half", "unable to react", "left with one action"]
    fight.do("next")
    with pytest.raises(Refused, match="takes no reactions now"):
        fight.do("attack young-copper-dragon weapon=sword opportunity=yes by mira")
    fight.do("next")
    assert fight.conditions("mira") == []


def test_a_werewolf_never_curses_who_has_saved_against_its_curse():
    fight = facing("werewolf", ac=5, max_hp=99)
    fight.do("change_form form=wolf by werewolf")
    fight.do("attack mira weapon=bite by werewolf dice=15,1,1,20")
    fight.do("attack mira weapon=bite by werewolf dice=15,1,1,2")
    assert fight.conditions("mira") == ["immune to the curse"]
