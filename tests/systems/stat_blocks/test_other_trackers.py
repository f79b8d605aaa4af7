"""The JSON and XML of other trackers as stat blocks, each figure with the piece that states it."""

from copy import deepcopy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from systems.errors import Wrong
from systems.stat_blocks import fight_club, improved_initiative, open5e, tagged
from tests.systems.stat_blocks.other_trackers import (
    CHARACTER,
    ENCOUNTER,
    IMPROVED_INITIATIVE,
    OPEN5E,
    PAGE,
    TAGGED_2014,
    TAGGED_2024,
)


def problems(block):
    return [line.text for line in block.lines if line.problem]


def prose(block):
    return {(each.section, each.name): each.text for each in block.paragraphs}


def test_a_tagged_creature_of_2014_keeps_every_figure_and_its_tags_in_the_prose():
    found = tagged.creature(TAGGED_2014)
    assert (found.name, found.size, found.type, found.kind) == (
        "Mire Gnasher",
        "large",
        "beast",
        "(swampkin), neutral evil",
    )
    assert (found.armour_class, found.hit_points, found.hit_dice) == (15, 52, "7d10+14")
    assert found.speed == {"walk": 30, "swim": 40}
    assert [*found.abilities.values()] == [18, 12, 14, 3, 11, 5]
    assert (found.saves, found.skills) == ({"constitution": 4}, {"sleight_of_hand": 5})
    assert found.resistances == ("cold", "bludgeoning, piercing from nonmagical attacks")
    assert (found.immunities, found.condition_immunities) == (("poison",), ("prone", "poisoned"))
    assert found.senses == "darkvision 60 ft., passive Perception 12"
    assert (found.languages, found.challenge) == ("Mirish", "1/4")
    assert prose(found) == {
        ("trait", "Slippery"): "It slips away. Mud. Twice. 1, up",
        ("action", "Bite"): "{@atk mw} {@hit 6} to hit. {@h}13 ({@damage 2d8 + 4}) damage.",
        ("legendary", "Tail"): "It hits.",
    }
    assert problems(found) == ["ac 17 while submerged", "speed swim 40 (in mud)"]
    assert found.introductions == {"legendary": "Mire Gnasher can take 3 legendary actions."}
    assert [line.assumed for line in found.lines if line.assumed] == ["3 legendary actions, the usual number"]
    assert found.sources["hit_points"] == "hp 52 7d10 + 14"


def test_a_tagged_creature_of_2024_gets_its_initiative_from_its_proficiency():
    found = tagged.creature(TAGGED_2024)
    assert (found.initiative, found.challenge, found.size) == (5, "5", "medium")
    assert found.speed == {"walk": 30, "fly": 30}
    assert prose(found)["action", "Spellcasting"].split() == "It casts. 2/Day Each: {@spell Fly}.".split()
    assert [line.assumed for line in found.lines] == ["the first of these sizes, medium"]


def test_a_copy_of_another_creature_says_that_the_other_is_missing():
    found = tagged.creature({"name": "Elder Gnasher", "_copy": {"name": "Mire Gnasher", "source": "OWN"}})
    assert problems(found) == ["copy of Mire Gnasher"]


def test_improved_initiative_s_creatures_characters_and_encounters_are_found_once_each():
    found = improved_initiative.creature(IMPROVED_INITIATIVE)
    assert (found.name, found.size, found.type, found.kind) == ("Bog Hag", "medium", "fey", "chaotic evil")
    assert (found.armour_class, found.hit_points, found.hit_dice, found.initiative) == (14, 45, "6d8+18", 1)
    assert found.speed == {"walk": 30, "swim": 20}
    assert [*found.abilities.values()] == [16, 12, 16, 13, 14, 15]
    assert (found.saves, found.skills) == ({"wisdom": 4}, {"animal_handling": 6})
    assert (found.vulnerabilities, found.condition_immunities) == (("fire",), ("charmed",))
    assert ("action", "Claws (Recharge 5-6)") in prose(found)
    assert problems(found) == []
    assert [held.data["Name"] for held in improved_initiative.creatures(ENCOUNTER)] == ["Bog Hag"]
    assert [held.is_player for held in improved_initiative.creatures([CHARACTER, IMPROVED_INITIATIVE])] == [
        True,
        False,
    ]


def test_the_sentence_above_legendary_actions_is_no_action():
    said = {"Name": "", "Content": "The hag can take 2 legendary actions."}
    acts = {"LegendaryActions": [said, {"Name": "Claw", "Content": "It claws."}]}
    found = improved_initiative.creature({**IMPROVED_INITIATIVE, **acts})
    assert found.introductions == {"legendary": "The hag can take 2 legendary actions."}
    assert prose(found)["legendary", "Claw"] == "It claws."


def test_open5e_s_figures_become_prose_if_an_action_has_none():
    found = open5e.creature(open5e.creatures(PAGE)[0])
    assert (found.size, found.type, found.kind) == ("tiny", "fiend", "lawful evil")
    assert (found.armour_class, found.hit_points, found.hit_dice) == (13, 11, "3d4+3")
    assert (found.challenge, found.initiative, found.speed) == ("1/2", 3, {"walk": 20, "fly": 40})
    assert (found.resistances, found.immunities) == (("cold",), ("fire", "poison"))
    assert found.senses == "darkvision 120 ft., passive Perception 11"
    assert prose(found) == {
        ("trait", "Ward"): "It is warded.",
        ("bonus_action", "Sting"): ("Melee Attack Roll: +5, reach 5 ft. Hit: 5 (1d4 + 3) piercing damage."),
        ("action", "Burst (Recharge 5-6)"): "All burn.",
    }


def test_the_first_version_of_open5e_is_read_too():
    old = {"name": "Imp", "armor_class": 12, "strength": 6, "dexterity_save": 5, "challenge_rating": "1/4"}
    found = open5e.creature({**old, "special_abilities": [{"name": "Ward", "desc": "Warded."}]})
    assert (found.abilities, found.saves, found.challenge) == ({"strength": 6}, {"dexterity": 5}, "1/4")
    assert prose(found) == {("trait", "Ward"): "Warded."}


def test_fight_club_s_monster_is_read_with_its_attacks():
    found = fight_club.creature(
        {
            "name": ["Rust Hound"],
            "size": ["M"],
            "type": ["monstrosity (hound)"],
            "alignment": ["unaligned"],
            "ac": ["14 (natural armor)"],
            "hp": ["27 (5d8+5)"],
            "speed": ["40 ft., climb 20 ft."],
            "dex": ["12"],
            "save": ["Con +3"],
            "immune": [""],
            "cr": ["1/2"],
            "action": [{"name": ["Bite"], "text": ["It bites."], "attack": ["Bite|3|1d8+1"]}],
            "legendary": [{"name": ["Legendary Actions"], "text": ["It can take 2 legendary actions."]}],
        }
    )
    assert (found.armour_class, found.hit_points, found.challenge) == (14, 27, "1/2")
    assert (found.type, found.kind) == ("monstrosity", "(hound), unaligned")
    assert found.speed == {"walk": 40, "climb": 20}
    assert (found.saves, found.abilities) == ({"constitution": 3}, {"dexterity": 12})
    assert prose(found) == {("action", "Bite"): "It bites. Melee Attack Roll: +3. Hit: 1d8+1 damage."}
    assert found.introductions == {"legendary": "It can take 2 legendary actions."}


@pytest.mark.parametrize("mapping", [tagged, improved_initiative, open5e, fight_club])
def test_a_creature_without_a_name_is_refused(mapping):
    with pytest.raises(Wrong, match="the name of a creature"):
        mapping.creature({"name": 7.5j, "Name": []})


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)
SAMPLES = (
    *((tagged, TAGGED_2014), (tagged, TAGGED_2024), (improved_initiative, IMPROVED_INITIATIVE)),
    (open5e, OPEN5E),
)


@given(data=st.data())
def test_any_value_in_any_place_is_read_or_reported_and_never_an_error(data):
    mapping, sample = data.draw(st.sampled_from(SAMPLES))
    changed = deepcopy(sample)
    for _ in range(data.draw(st.integers(1, 3))):
        key = data.draw(st.sampled_from(sorted(set(changed) - {"name", "Name"})))
        changed[key] = data.draw(ANYTHING)
    block = mapping.creature(changed)
    assert block.name == sample.get("name", sample.get("Name"))
    assert all(isinstance(score, int) for score in block.abilities.values())
