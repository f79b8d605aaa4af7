"""Conditions that effects give, and effects that conditions give."""

import pytest

from systems.encounter.campaign_rules import with_campaign_rules
from systems.errors import Wrong
from tests.systems.effects.creatures import GAME, MIRA, effect_fight

GRASP = {
    "name": "Grasp",
    "when": "hit",
    "condition": "grappled",
    "escape": 14,
    "ends_when": ["source_falls"],
}
GAZE = {
    "name": "Gaze",
    "when": "hit",
    "save": "constitution",
    "dc": 12,
    "condition": "restrained",
    "again": ["end"],
    "worse": "petrified",
}


def monster(*effects):
    return {
        "max_hp": 30,
        "defence": 12,
        "attack": 6,
        "effects": list(effects),
        "weapons": [{"name": "touch", "damage": "1d4"}],
    }


def test_a_save_at_the_end_of_a_turn_ends_the_condition_or_makes_it_worse():
    fight = effect_fight("add mira", "add medusa", "start dice=20,1", medusa=monster(GAZE))
    fight.do("attack mira by medusa dice=15,3,4")
    assert fight.conditions("mira") == ["restrained"]
    fight.do("next dice=3")
    assert fight.conditions("mira") == ["petrified"]
    other = effect_fight("add mira", "add medusa", "start dice=20,1", medusa=monster(GAZE))
    other.do("attack mira by medusa dice=15,3,4")
    other.do("next dice=17")
    assert other.conditions("mira") == []


def test_two_grapples_end_each_with_its_source():
    fight = effect_fight("add mira", "add aboleth x2", "start", aboleth=monster(GRASP))
    fight.do("attack mira by aboleth-1 dice=15,3")
    fight.do("attack mira by aboleth-2 dice=15,3")
    assert fight.conditions("mira") == ["grappled", "grappled"]
    fight.do("damage aboleth-1 99")
    assert fight.conditions("mira") == ["grappled"]


def test_damage_calls_for_a_save_of_concentration_against_10_or_half():
    fight = effect_fight("add mira", "add goblin", "start dice=20,1", "condition mira concentrating")
    said = fight.text("damage mira 8 dice=10")
    assert "Concentration: Mira succeeds" in said
    assert fight.conditions("mira") == ["concentrating"]
    said = fight.text("damage mira 24 dice=11")
    assert "Constitution save 11 against 12." in said
    assert fight.conditions("mira") == []


def test_concentration_ends_when_its_bearer_falls():
    fight = effect_fight("add mira", "add goblin", "start dice=20,1", "condition mira concentrating")
    fight.do("damage mira 99")
    assert fight.conditions("mira") == []


def test_what_a_concentrating_source_gave_ends_with_its_concentration():
    hold = {"name": "Hold", "when": "asked", "condition": "held", "concentration": True}
    fight = effect_fight("add mira", "add mage", "start dice=20,1", mage=monster(hold))
    fight.do("condition mage concentrating")
    fight.do("effect mira effect=hold by mage")
    assert fight.conditions("mira") == ["held"]
    fight.do("damage mage 6 dice=3")
    assert fight.conditions("mira") == []


def test_an_immune_combatant_does_not_get_the_condition():
    fight = effect_fight(
        "add mira",
        "add medusa",
        "start dice=20,1",
        medusa=monster(GAZE),
        mira={**MIRA, "immunities": ["restrained"]},
    )
    assert "immune" in fight.text("attack mira by medusa dice=15,3,4")
    assert fight.conditions("mira") == []


def test_a_save_avoids_healing_newcomers_and_reminders_if_the_line_says_so():
    feast = {"name": "Feast", "when": "asked", "who": "target", "save": "will", "dc": 12, "avoids_all": True}
    line = {**feast, "damage": ["1d4"], "drain": True, "bring": "goblin", "remind": "it laughs"}
    lines = ("add mira", "add imp", "start dice=20,1", "damage imp 10")
    fight = effect_fight(*lines, imp=monster(line))
    assert (
        fight.text("effect mira effect=feast by imp dice=15")
        == "Imp's Feast: Mira succeeds. Will save 15 against 12."
    )
    assert len(fight.encounter.progress.ids) == 2
    other = effect_fight(*lines, imp=monster(line))
    said = other.text("effect mira effect=feast by imp dice=3,4")
    assert "It laughs" in said
    assert "Goblin joins the fight" in said
    on_hit = {**feast, "when": "hit", "condition": "prone", "remind": "it laughs"}
    third = effect_fight(*lines, imp=monster(on_hit))
    assert "it laughs" not in third.text("attack mira by imp dice=15,3,15")
    assert "it laughs" in third.text("attack mira by imp dice=15,3,3")


def test_a_split_divides_the_hit_points_among_all_parts():
    split = {"name": "Split", "when": "damaged", "types": ["slashing"], "bring": "itself", "halves": True}
    fight = effect_fight("add mira", "add ooze", "start dice=20,1", ooze=monster(split))
    fight.do("attack ooze by mira dice=15,4")
    assert [combatant.sheet.hp for combatant in fight.encounter][1:] == [11, 11]
    fight.do("undo")
    assert len(fight.encounter.progress.ids) == 2
    fight.do("set ooze hp 6")
    fight.do("attack ooze by mira dice=15,2")
    assert [combatant.sheet.hp for combatant in fight.encounter][1:] == [1]


def test_getting_free_is_offered_quietly_in_the_turn_of_the_combatant_that_is_held():
    sheet = {**MIRA, "skills": {"athletics": 3}}
    fight = effect_fight("add mira", "add aboleth", "start dice=20,1", aboleth=monster(GRASP), mira=sheet)
    fight.do("next")
    fight.do("attack mira by aboleth dice=15,3")
    assert fight.text("next") == "Round 2. Mira's turn. Conditions: grappled. Next: Aboleth."
    [offer] = fight.encounter.offers
    assert offer.command == "check skill=athletics difficulty=14 ends=grappled by mira"
    fight.do("check skill=stealth by mira dice=20")
    assert (fight.conditions("mira"), len(fight.encounter.offers)) == (["grappled"], 1)
    before = fight.plain
    said = fight.text(f"{offer.command} dice=12")
    assert "Mira is no longer grappled." in said
    assert fight.encounter.offers == ()
    fight.do("undo")
    assert {**fight.plain, "offers": []} == {**before, "offers": []}
    fight.do("clear mira grappled")
    assert fight.encounter.offers == ()


def house_game(*lines, **condition):
    return with_campaign_rules(GAME, {"condition": [{"name": "bleeding", **condition, "lines": list(lines)}]})


def test_a_house_condition_of_the_campaign_uses_the_words_of_effects():
    game = house_game({"name": "Bleeding", "when": "start", "damage": ["1d4"]})
    fight = effect_fight("add mira", "add goblin", game=game)
    fight.do("start dice=20,1")
    fight.do("condition goblin bleeding")
    assert "Bleeding: Goblin takes 3 damage (hp 10 → 7)." in fight.text("next dice=3")


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (
            {"name": "A", "when": "strat", "damage": ["1"]},
            "condition[0].lines[0].when: expected one of always",
        ),
        ({"name": "A", "when": "start"}, "condition[0].lines[0].when: the line has no effect"),
        (
            {"name": "A", "when": "start", "damage": ["1"], "uses": 2},
            "condition[0].lines[0].uses: is for creatures",
        ),
    ],
)
def test_a_mistake_in_a_house_condition_names_its_place(line, says):
    with pytest.raises(Wrong) as wrong:
        house_game(line)
    assert says in str(wrong.value)


BURN = {
    "name": "Ignite",
    "when": "asked",
    "condition": "on fire",
    "tick": ["1d6 fire"],
    "change": {"ac": -2, "attacks": "disadvantage"},
    "until": "source_end",
}


def burning_fight(effect=BURN, **sheets):
    fight = effect_fight("add mira", "add imp", "start dice=20,1", imp=monster(effect), **sheets)
    fight.do("effect mira effect=ignite by imp")
    return fight


def test_a_condition_of_a_creature_s_file_carries_its_damage_and_its_changes():
    fight = burning_fight()
    assert fight.conditions("mira") == ["on fire"]
    assert "Imp hits Mira with touch" in fight.text("attack mira by imp dice=6,1")  # 12 against 14 - 2
    assert "the worse of two" in str(fight.do("attack imp by mira dice=12,3").results)
    fight.do("next")
    assert fight.conditions("mira") == ["on fire"]
    assert "Mira is no longer on fire." in fight.text("next")
    other = burning_fight({**BURN, "until": "target_end"})
    other.do("next")
    said = other.text("next dice=4")
    assert "On fire: Mira takes 4 fire damage (hp 40 → 36)." in said
    other.do("undo")
    assert other.folded() == other.plain
    assert fight.folded() == fight.plain


def test_the_damage_of_a_condition_may_come_at_the_end_of_a_turn_and_meets_resistance():
    effect = {**BURN, "tick_at": "end", "until": "target_end"}
    fight = burning_fight(effect, mira={**MIRA, "resistances": ["fire"]})
    assert "Mira takes 2 fire damage (hp 40 → 38)" in fight.text("next dice=4")


def test_a_house_condition_says_its_damage_and_its_changes_without_lines():
    parts = {"name": "soaked", "tick": ["1d4 cold"], "change": {"ac": -2}}
    game = with_campaign_rules(GAME, {"condition": [parts]})
    fight = effect_fight("add mira", "add goblin", game=game)
    fight.do("start dice=20,1")
    fight.do("condition goblin soaked")
    assert "Mira hits Goblin" in fight.text("attack goblin by mira dice=7,2")
    assert "Soaked: Goblin takes 3 cold damage" in fight.text("next dice=3")


@pytest.mark.parametrize(
    ("part", "says"),
    [
        ({"tick": ["1d4 fire cold"]}, 'condition[0].tick: "1d4 fire cold" names several types'),
        ({"change": {"luck": 2}}, 'condition[0].change: "luck" is not a name that fits'),
        ({"tick_at": "end"}, "condition[0].tick at: needs tick, the damage"),
    ],
)
def test_a_mistake_in_what_a_house_condition_does_names_its_field(part, says):
    with pytest.raises(Wrong) as wrong:
        with_campaign_rules(GAME, {"condition": [{"name": "soaked", **part}]})
    assert says in str(wrong.value)
