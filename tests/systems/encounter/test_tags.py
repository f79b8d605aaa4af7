"""Each combatant has one number for the whole fight, and hidden combatants leave no trace in the numbers."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from systems.encounter.serialize import plain, read_encounter
from systems.errors import InputError, Refused
from tests.laws import examples
from tests.systems.fight import Fight, through_toml


def tags(fight: Fight) -> dict[str, str]:
    return {combatant.name: combatant.tag for combatant in fight.encounter}


def ids(fight: Fight) -> dict[str, str]:
    return {combatant.id: combatant.tag for combatant in fight.encounter}


# Numbers that are names


def test_creatures_are_numbered_on_across_kinds_and_players_characters_come_after_them():
    fight = Fight("atlantis", "add okado", "add guard x8", "add tamsin", "add guard x2 as Wolf")
    names = [*(f"Guard {at}" for at in range(1, 9)), "Wolf 9", "Wolf 10"]
    assert tags(fight) == {name: str(at) for at, name in enumerate(names, 1)} | {
        "Okado": "11",
        "Tamsin": "12",
    }
    assert ids(fight)["wolf-10"] == "10"
    before = tags(fight)
    fight.do("start")
    assert tags(fight) == before


def test_a_number_does_not_change_when_the_order_does():
    fight = Fight("simple", "add okado", "add guard x2", "start dice=3,18,10", "order guard-2 before guard-1")
    assert tags(fight) == {"Guard 1": "1", "Guard 2": "2", "Okado": "3"}


def test_the_numbers_of_players_characters_are_final_at_the_start():
    fight = Fight("atlantis", "add okado", "add guard", "start", "add guard as Wolf", "add tamsin")
    assert tags(fight) == {"Guard": "1", "Okado": "2", "Wolf": "3", "Tamsin": "4"}
    fight.do("undo 3")
    fight.do("add guard as Wolf")
    assert tags(fight) == {"Guard": "1", "Wolf": "2", "Okado": "3"}


def test_a_single_wolf_keeps_its_name_when_a_second_one_comes():
    fight = Fight("atlantis", "add guard as Wolf", "add guard as Wolf", "add guard x1 as Bear")
    assert tags(fight) == {"Wolf": "1", "Wolf 2": "2", "Bear": "3"}
    assert list(ids(fight)) == ["wolf", "wolf-2", "bear"]


def test_a_name_that_ends_in_a_number_is_followed_by_the_tag():
    fight = Fight("atlantis", "add guard x2 as Imp", 'add guard as "Unit 7"', 'add guard x2 as "Unit 7"')
    assert list(tags(fight)) == ["Imp 1", "Imp 2", "Unit 7 (3)", "Unit 7 (4)", "Unit 7 (5)"]
    assert list(ids(fight))[2:] == ["unit-7-3", "unit-7-4", "unit-7-5"]
    fight.do("add guard x2 as Unit")
    assert list(ids(fight))[5:] == ["unit-6", "unit-7"]
    assert fight.text("hide 7") == "Unit 7 is hidden now."


def test_a_players_character_with_such_a_name_shows_the_number_that_it_has_now():
    fight = Fight("atlantis", 'add okado as "Unit 7"', "add guard x2")
    assert tags(fight) == {"Unit 7 (3)": "3", "Guard 1": "1", "Guard 2": "2"}
    fight.do("start")
    fight.do("add guard")
    assert tags(fight)["Unit 7 (3)"] == "3"
    assert "unit-7" in ids(fight)


def test_allies_that_share_a_name_are_numbered_like_creatures():
    fight = Fight("atlantis", "add okado", "add guard x2 side=players", "add guard as Wolf")
    assert tags(fight) == {"Guard 1": "1", "Guard 2": "2", "Wolf": "3", "Okado": "4"}


# Nothing is used twice


def test_no_number_or_name_is_used_again_after_its_combatant_has_left():
    fight = Fight("atlantis", "add okado", "add guard", "add guard x2", "remove 1,3", "add guard")
    assert tags(fight) == {"Guard 2": "2", "Guard 4": "4", "Okado": "5"}
    fight.do("remove all")
    fight.do("add guard")
    assert ids(fight) == {"guard-5": "5"}


def test_undoing_the_addition_frees_its_number_and_name():
    fight = Fight("atlantis", "add guard", "add guard x2", "remove 3", "undo 2", "add guard")
    assert ids(fight) == {"guard": "1", "guard-2": "2"}


def test_a_players_character_comes_back_as_itself():
    fight = Fight("atlantis", "add okado", "add guard", "start", "remove okado", "add guard", "add okado")
    assert ids(fight) == {"guard": "1", "okado": "2", "guard-3": "3"}
    fight.do("remove okado")
    fight.do("add okado hidden")
    assert ids(fight)["okado_h1"] == "h1"
    fight.do("reveal okado")
    assert (tags(fight)["Okado"], fight.folded()) == ("2", fight.plain)


def test_a_hidden_number_is_not_used_again_either():
    fight = Fight("atlantis", "add guard hidden", "remove h1", "add guard hidden")
    assert ids(fight) == {"guard_h2": "h2"}
    assert tags(fight) == {"Guard h2": "h2"}


def test_another_name_stays_when_the_number_becomes_final():
    fight = Fight("atlantis", "add okado", "add guard hidden", "set okado name Dorn", "set h1 name Shade")
    fight.do("add guard x2")
    fight.do("start")
    fight.do("reveal h1")
    assert tags(fight) == {"Dorn": "3", "Shade": "4", "Guard 1": "1", "Guard 2": "2"}


LINES = (
    "add guard",
    "add guard x2",
    "add guard x2 as Wolf",
    "add guard as Wolf hidden",
    "add guard hidden",
    "add guard in round 2",
    "add tamsin",
    "add okado",
    'add guard as "Unit 7"',
    "remove 1",
    "remove 3",
    "remove h1",
    "remove okado",
    "hide 2",
    "hide okado",
    "reveal all",
    "reveal h2",
    "start",
    "next",
    "back",
    "undo",
)


@given(random=st.integers(0, 2**32).map(Random), style=st.sampled_from([None, "sides", "manual"]))
@examples(40)
def test_no_combatant_ever_has_the_number_name_or_id_of_another(random, style):
    fight = Fight("simple", style=style)
    numbers: dict[str, str] = {}
    for _ in range(25):
        line = random.choice(LINES)
        try:
            fight.do(line)
        except InputError:
            continue
        if line == "undo":
            numbers = {}  # what an undone addition had is free again
        assert len({each.name for each in fight.encounter}) == len(fight.encounter.combatants)
        for each in fight.encounter:
            final = fight.round or not fight.encounter.is_player(each)
            if each.in_sight and final:
                assert numbers.setdefault(each.id, each.tag) == each.tag
                if each.name[-1:].isdecimal() and each.state.plain_name is None:
                    assert each.name.endswith((each.tag, f"({each.tag})"))
        assert len({*numbers.values()}) == len(numbers)
        assert fight.folded() == fight.plain


# Out of sight


def test_the_tag_and_name_of_a_hidden_combatant_leave_no_gap():
    fight = Fight("atlantis", "add okado", "add guard x2 hidden", "add guard x2", "start")
    assert tags(fight) == {"Okado": "3", "Guard h1": "h1", "Guard h2": "h2", "Guard 1": "1", "Guard 2": "2"}
    fight.do("add guard hidden")
    fight.do("add guard")
    assert tags(fight)["Guard 4"] == "4"
    assert tags(fight)["Guard h3"] == "h3"


def test_a_reveal_gives_the_next_number_and_name_and_the_old_ones_stay_valid():
    fight = Fight("atlantis", "add okado", "add guard x2", "start", "add guard hidden")
    assert fight.text("reveal h1") == "Guard 4 is in sight now."
    assert ids(fight)["guard_h1"] == "4"
    for word in ("h1", "4", "guard_h1", '"Guard 4"'):
        assert fight.text(f"damage {word} 1").startswith("Guard 4 ")
    fight.do("undo")
    fight.do("undo 4")
    assert tags(fight)["Guard h1"] == "h1"


def test_a_visible_combatant_keeps_its_name_and_tag_while_hidden_and_after():
    fight = Fight("atlantis", "add okado", "add guard x3", "start", "hide guard-3")
    assert tags(fight)["Guard 3"] == "h1"
    assert fight.text("damage 3 1").startswith("Guard 3 ")
    fight.do("add guard")
    assert tags(fight)["Guard 5"] == "5"
    fight.do("reveal h1")
    assert tags(fight)["Guard 3"] == "3"


def test_a_visible_wolf_is_named_as_if_there_were_no_hidden_one():
    fight = Fight("atlantis", "add okado", "add guard hidden")
    assert tags(fight)["Guard"] == "h1"
    fight.do("add guard")
    assert tags(fight) == {"Okado": "2", "Guard h1": "h1", "Guard": "1"}
    fight.do("reveal h1")
    assert tags(fight) == {"Okado": "3", "Guard": "1", "Guard 2": "2"}


def test_a_visible_combatant_never_gets_the_id_of_a_hidden_one():
    fight = Fight("atlantis", "add guard hidden")
    fight.do('add guard as "Guard h1"')
    fight.do('add guard as "guard_h1"')
    assert len(fight.encounter.combatants) == 3


def test_a_players_character_hidden_while_preparing_leaves_no_gap():
    fight = Fight("atlantis", "add okado", "add tamsin", "add guard", "hide okado", "start")
    assert tags(fight) == {"Okado": "h1", "Tamsin": "2", "Guard": "1"}
    fight.do("reveal okado")
    assert tags(fight)["Okado"] == "3"


def test_an_arriving_combatant_gets_the_next_number_and_keeps_it_over_a_step_back():
    fight = Fight("atlantis", "add okado", "add guard x2", "add guard in round 2", "add guard", "start")
    assert tags(fight) == {"Okado": "4", "Guard 1": "1", "Guard 2": "2", "Guard h1": "h1", "Guard 3": "3"}
    assert "guard_h1" in fight.encounter.combatants
    for _ in range(4):
        fight.do("next")
    assert fight.round == 2
    assert tags(fight)["Guard 5"] == "5"
    assert fight.text("damage h1 1").startswith("Guard 5 ")
    while fight.round == 2:
        fight.do("back")
    assert ids(fight)["guard_h1"] == "h1"
    fight.do("add guard")
    assert tags(fight)["Guard 6"] == "6"
    while fight.round == 1:
        fight.do("next")
    assert (tags(fight)["Guard 5"], tags(fight)["Guard 6"]) == ("5", "6")


def test_a_late_combatant_has_a_number_from_its_arrival_in_the_first_round():
    fight = Fight("atlantis", "add okado", "add guard in round 1", "add guard as Wolf")
    assert ids(fight) == {"okado": "2", "guard_h1": "h1", "wolf": "1"}
    fight.do("start")
    assert ids(fight) == {"okado": "3", "guard_h1": "2", "wolf": "1"}


def test_a_hidden_combatant_can_be_revealed_before_it_arrives():
    fight = Fight("atlantis", "add okado", "add guard hidden in round 2", "start")
    event = fight.do("reveal h1")
    assert event.text == "Guard will be in sight on arrival."
    assert event.sentences[0].seen == ("guard_h1",)
    fight.do("add guard")
    assert fight.text("next")
    assert "Guard 3 arrives." in fight.text("next")
    assert tags(fight) == {"Okado": "1", "Guard 3": "3", "Guard": "2"}


def test_a_range_of_hidden_tags_names_hidden_combatants():
    fight = Fight("atlantis", "add okado", "add guard x3 hidden", "start")
    fight.do("damage h1-2 3")
    assert [fight.sheet(f"guard_h{number}").life for number in (1, 2, 3)] == [42, 42, 45]
    with pytest.raises(Refused, match="nobody has the tag h7"):
        fight.do("damage h7 3")
    with pytest.raises(Refused, match="runs backwards"):
        fight.do("damage h3-1 3")


def test_combatants_revealed_together_are_numbered_together():
    fight = Fight("simple", "add okado", "add guard x3 as Wolf in round 2", "start", "add guard x2 hidden")
    assert "Wolf 2, Wolf 3 and Wolf 4 arrive." in fight.text("next")
    assert fight.text("reveal h4,h5") == "Guard 5 and Guard 6 are in sight now."
    assert fight.folded() == fight.plain


# Files


def test_an_opening_says_by_which_rules_its_fight_is_numbered():
    fight = Fight("atlantis", "add okado", "add guard x2")
    opening = through_toml(plain(fight.encounter))
    assert opening["numbering"] == 2
    again = read_encounter(fight.game, fight.house, None, opening)
    assert plain(again) == opening
    older = {name: value for name, value in opening.items() if name not in ("numbering", "numbered")}
    assert read_encounter(fight.game, fight.house, None, older).progress.numbering == 1


def test_an_opening_written_by_hand_may_leave_out_the_numbers():
    game = Fight("atlantis").game
    people = [
        {"id": "okado", "name": "Okado", "side": "players", "sheet": {}},
        {"id": "guard", "name": "Guard", "sheet": {}},
        {"id": "wolf_h1", "name": "Wolf", "hidden": True, "sheet": {}},
        {"id": "imp", "name": "Imp", "sheet": {}},
    ]
    found = read_encounter(game, game.house(), None, {"numbering": 2, "combatant": people})
    assert {each.id: each.tag for each in found} == {"okado": "3", "guard": "1", "wolf_h1": "h1", "imp": "2"}


def test_the_first_creature_of_an_older_fight_has_the_number_1():
    fight = Fight()
    fight.encounter = fight.encounter.with_progress(numbering=1)
    fight.opening = plain(fight.encounter)
    fight.do("add guard")
    assert fight.encounter.combatants["guard"].tag == "1"
