"""The offers of a jam, an empty clip, Mayhem and a death, and healing spells."""

import pytest

from systems.commands.offers import alike, question_of
from systems.encounter.remembered import remembered_for, remembered_options
from systems.errors import Wrong
from systems.schema.conversion import read
from tests.systems.fight import Entry, Fight

from .play import FIREBOLT, GAME, RIFLE, SWORD, facts, play

HEALING = {"name": "minor heal", "healing": "1d6", "mystic": 8}


def fight_with(*lines, **sheet):
    """Villy, with the sheet, has the turn; the guard comes next."""
    fight = Fight("waygate")
    fight.roster["villy"] = Entry("Villy", "players", read(GAME.sheet, sheet))
    for line in ("add villy", "add guard", "start dice=20,1", *lines):
        fight.do(line)
    return fight


def commands(fight):
    return [offer.command for offer in fight.encounter.offers]


def test_a_jam_is_cleared_by_its_offer_now_or_as_the_turn_begins():
    fight = fight_with(weapons=[RIFLE])
    fight.do("attack guard dice=2")
    assert commands(fight) == ['unjam weapon="submachine gun" by villy']
    fight.do("next")
    assert commands(fight) == []
    assert "Villy's submachine gun is jammed; clearing it takes two actions." in fight.text("next")
    fight.do(commands(fight)[0])
    assert not fight.sheet("villy").weapons[0].jammed
    assert commands(fight) == []


def test_an_empty_clip_is_filled_by_its_offer():
    fight = fight_with(weapons=[{**RIFLE, "clip": 1, "modes": ["single"]}])
    fight.do("attack guard dice=3")
    fight.do(commands(fight)[0])
    assert fight.sheet("villy").weapons[0].loaded == 1


def test_a_weapon_without_a_clip_is_not_logged_as_reloaded():
    assert "nothing to reload" in fight_with(weapons=[SWORD]).text("reload by villy")


def test_a_combatant_that_cannot_act_gets_no_weapon_offers():
    fight = fight_with("set villy hp 0", "next", weapons=[{**RIFLE, "jammed": True}])
    fight.do("next")
    assert commands(fight) == []


def test_the_target_of_an_opposed_test_rolls_a_skill_named_by_its_beginning():
    fight = Fight("waygate")
    skilled = {"skills": [{"name": "awareness", "attribute": "wp", "training": 2}]}
    fight.roster["villy"] = Entry("Villy", "players", read(GAME.sheet, skilled))
    for line in ("add villy", "add guard", "start"):
        fight.do(line)
    told = fight.text("opposed villy attribute=str target_skill=aw by guard dice=3,9")
    assert "Villy's awareness" in told


def test_mayhem_offers_its_d100():
    fight = fight_with(magic=3, spells=[FIREBOLT])
    fight.do("attack guard spell=firebolt dice=1")
    assert commands(fight) == ["mayhem by villy"]
    told = fight.text("mayhem by villy dice=47")
    assert told == "Magical Mayhem around Villy: 47, its table says what happens."
    assert fight.done("mayhem dice=20").text.endswith("20, nothing happens.")


def test_the_offer_of_a_death_brings_back_with_a_mark():
    known = [{"name": "stealth", "attribute": "dex"}, {"name": "climb", "attribute": "str", "training": -2}]
    fight = fight_with("damage villy 20", max_hp=10, aether_marks=1, dex=3, skills=known)
    assert commands(fight) == ["bring_back by villy"]
    text = fight.text("bring_back by villy dice=2,6")
    assert text.startswith("The Aether Mark brings Villy back at 1 hp: ")
    assert "Dex −1, Magic −1, stealth a step lower and climb lost." in text
    sheet = fight.sheet("villy")
    assert (sheet.hp, sheet.dex, sheet.magic, sheet.aether_marks) == (1, 2, -1, 0)
    assert [(skill.name, skill.training) for skill in sheet.skills] == [("stealth", -1)]
    assert fight.encounter.status(fight.encounter.combatants["villy"]).name == "conscious"


def test_players_read_that_a_mark_out_of_sight_brings_a_character_back():
    fight = fight_with('add okado as "Vault rats"', "hide vault-rats", "damage villy 20", max_hp=10)
    event = fight.do("bring_back mark_of=vault-rats by villy dice=2,6")
    words = "Aether Mark brings Villy back at 1 hp: "
    assert event.text.startswith(f"Vault rats' {words}")
    assert str(event.sentences[0].public[0]).startswith(f"Something unseen's {words}")


def test_a_death_without_a_mark_offers_that_of_an_ally():
    fight = fight_with("add okado", "damage villy 20", max_hp=10)
    assert commands(fight) == ["bring_back mark_of=okado by villy"]
    assert fight.encounter.offers[-1].choose == ("mark_of",)
    fight.do("bring_back by villy")
    assert (fight.sheet("villy").hp, fight.sheet("okado").aether_marks) == (1, 0)
    fight.do("damage guard 99")
    assert "bring_back" not in [offer.action for offer in fight.encounter.offers]


def test_the_offer_to_bring_back_stays_while_it_is_possible():
    fight = fight_with("add okado", "damage villy 20", max_hp=10)
    offer = fight.encounter.offers[-1]
    for _ in range(4):
        fight.do("next")
        assert fight.encounter.offers[-1:] == (offer,)
    fight.do("set okado aether_marks 0")
    assert commands(fight) == []
    fight.do("undo")
    assert commands(fight) == ["bring_back mark_of=okado by villy"]
    fight.do("set villy hp 5")
    assert commands(fight) == []


def test_another_ally_is_asked_for_a_mark_if_the_first_one_has_none_left():
    fight = fight_with("add okado", "add tamsin", "damage villy 20", max_hp=10)
    first, second = fight.encounter.offers[-1].options["mark_of"], "okado"
    assert first == "tamsin"
    fight.do(f"set {first} aether_marks 0")
    assert commands(fight) == [f"bring_back mark_of={second} by villy"]
    fight.do("next")
    fight.do("bring_back by villy dice=1,1")
    assert (fight.sheet("villy").hp, fight.sheet(second).aether_marks) == (1, 0)


def test_several_deaths_are_one_question():
    fight = fight_with("add okado", "add tamsin", "damage villy,okado 40", max_hp=10)
    first, second = fight.encounter.offers
    assert alike(fight.encounter, first) == (first, second)
    says = "Villy and Okado die; an Aether Mark can bring each of them back at a price."
    assert question_of(fight.encounter, alike(fight.encounter, second)) == says
    # What a player decides is for that player alone, so each has a sentence.
    event = fight.log.event(len(fight.log.events))
    told = {each.text: each.seen for each in event.sentences}
    asked = {text: seen for text, seen in told.items() if "Aether Mark" in text}
    assert list(asked.values()) == [("villy",), ("okado",)]


def test_a_death_offers_nothing_if_the_side_has_no_mark():
    fight = fight_with("add okado", "set okado aether_marks 0", "set guard aether_marks 1", max_hp=10)
    fight.do("damage villy 20")
    assert commands(fight) == []


def test_the_mark_of_a_hidden_ally_is_not_offered():
    fight = fight_with("add okado", "hide okado", "damage villy 20", max_hp=10)
    assert commands(fight) == []


def test_the_mark_of_another_combatant_brings_back_as_well():
    fight = fight_with("add okado", "damage villy 20", max_hp=10)
    assert "Okado's Aether Mark brings Villy back" in fight.text("bring_back by villy mark_of=okado")
    assert fight.sheet("okado").aether_marks == 0


@pytest.mark.parametrize(
    ("sheet", "reason"),
    [
        ({"hp": 3, "aether_marks": 1}, "status"),
        ({"hp": -9, "brought_back": True, "aether_marks": 1}, "again"),
        ({"hp": -9}, "mark"),
    ],
)
def test_a_return_from_death_is_refused_without_a_death_a_mark_or_twice(sheet, reason):
    assert facts("bring_back", actor=sheet) == {"refused": reason}


def test_a_second_death_with_a_mark_offers_no_return():
    assert play("harm", actor={"aether_marks": 1, "brought_back": True}, options={"amount": 99})["asks"] == []


def test_a_healing_spell_heals_its_target_if_its_mystic_test_is_reached():
    fight = fight_with("damage guard 7", magic=2, spells=[FIREBOLT, HEALING])
    assert fight.text("healing_spell guard dice=6,4") == (
        "Villy casts minor heal. Guard is healed by 4 (hp 2 → 6). 8 against 8."
    )
    assert fight.text("healing_spell guard dice=5") == (
        "Villy fails to cast minor heal on Guard. 7 against 8."
    )
    assert fight.sheet("guard").hp == 6


def test_a_healing_spell_heals_its_caster_and_never_above_the_maximum():
    fight = fight_with("damage villy 2", spells=[{**HEALING, "mystic": 5}])
    assert fight.text("healing_spell villy dice=12,6").startswith(
        "Villy casts minor heal. Villy is healed by 2 (hp 8 → 10)."
    )


@pytest.mark.parametrize(
    ("actor", "target", "reason"), [({"hp": 0}, {}, "status"), ({}, {"hp": -9}, "dead"), ({}, {}, "mark")]
)
def test_a_healing_spell_is_refused_to_the_unconscious_on_the_dead_and_without_the_mark(
    actor, target, reason
):
    options = {"use_aether_mark": True}
    found = facts("healing_spell", actor={**actor, "spells": [HEALING]}, target=target, options=options)
    assert found == {"refused": reason}


def test_a_caster_without_a_healing_spell_gets_a_clear_refusal():
    assert facts("healing_spell", actor={"spells": [FIREBOLT]}) == {"refused": "spell"}
    with pytest.raises(Wrong, match="cannot heal"):
        facts("healing_spell", actor={"spells": [FIREBOLT]}, target={}, options={"spell": "firebolt"})


def test_a_healing_spell_that_reads_half_of_its_test_brings_mayhem():
    answer = play("healing_spell", [4], actor={"spells": [HEALING]})
    assert answer["facts"]["mayhem"] is True
    assert answer["asks"][0]["action"] == "mayhem"


def test_the_spell_of_an_attack_is_not_the_one_that_heals_next():
    fight = fight_with(magic=3, spells=[FIREBOLT, HEALING])
    fight.do("attack guard spell=firebolt dice=1")
    action = GAME.action("healing_spell")
    assert remembered_options(fight.log.newest(), fight.encounter, action, "villy") == {}
    fight.do('healing_spell villy spell="minor heal" dice=12,3')
    again = remembered_options(fight.log.newest(), fight.encounter, action, "villy")
    assert remembered_for(again, "guard") == {"spell": "minor heal"}
