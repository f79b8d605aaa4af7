"""Names of several words in the lines of a fight: read, completed and played."""

import pytest

from systems.commands.table import completions, read_command
from systems.errors import Refused
from tests.systems.fight import Fight


def fight():
    here = Fight("atlantis")
    for line in ('add guard as "Raider captain"', "add guard x2", "start"):
        here.do(line)
    return here


def comes(here, line):
    return [completion.text for completion in completions(here.encounter, {}, line)]


def test_an_unfinished_name_is_completed():
    here = fight()
    assert comes(here, "attack Raider ")[0] == "captain"
    assert comes(here, "attack 1 by Raider cap") == ["captain"]
    assert comes(here, "damage guard ")[:2] == ["2", "3"]
    assert comes(here, "condition Guard 1, Raider ")[0] == "captain"
    assert "captain" not in comes(here, "note Raider ")


def test_after_a_name_the_same_completions_follow_as_after_a_target():
    here = fight()
    assert comes(here, "set Raider captain li")[0] == "life"
    assert "prone" in comes(here, "condition Raider captain pr")
    assert comes(here, "attack Guard 2,gu") == ["2,guard-2", "2,guard-3"]
    assert "by" in comes(here, "attack Guard 1 ")


def test_names_of_several_words_are_read_whole():
    here = fight()
    assert read_command(here.encounter, "remove raider captain").intent.targets == "raider captain"
    assert here.text("damage Guard 2, Raider captain 4 by Guard 3")
    with pytest.raises(Refused, match='"Guard" could be Guard 2 or Guard 3'):
        here.do("heal Guard 1")


def test_the_values_of_a_field_that_has_only_a_few_are_completed():
    here = fight()
    assert comes(here, "set Guard 2 is_pc ") == ["yes", "no"]
    assert comes(here, "set Guard 2 size ") == ["tiny", "small", "medium", "big", "huge"]
    assert comes(here, "set Guard 2 life ") == []


def test_an_option_before_the_target_does_not_stop_the_target_from_being_completed():
    here = fight()
    assert comes(here, "attack distance=10 ")[:2] == comes(here, "attack ")[:2]
    assert "guard-3" in comes(here, "attack distance=10 ")
    assert "guard-3" not in comes(here, "attack guard-2 ")


def test_the_command_inside_an_amendment_is_completed_like_any_other():
    here = fight()
    assert comes(here, "amend 3 attack ") == comes(here, "attack ")
    assert comes(here, "amend 3 att") == ["attack"]


def test_a_command_of_the_tracker_is_completed_even_if_the_game_has_an_action_of_that_name():
    here = fight()
    assert here.game.action("heal") is not None
    assert "throw=" in comes(here, "heal 1 3 ")


def test_after_the_actor_the_targets_are_completed_and_no_second_actor():
    here = fight()
    for actor in ("guard-1", "Raider captain"):
        assert comes(here, f"attack by {actor} ") == comes(here, "attack ")
        assert "by" not in comes(here, f"attack guard-2 by {actor} ")
    assert "by" in comes(here, "attack guard-2 ")


@pytest.mark.parametrize("typed", ["re", '"re', "Red"])
def test_a_side_of_several_words_is_completed_with_or_without_quotes(typed):
    here = fight()
    here.do('add guard as Scout side="red band"')
    assert comes(here, f"damage {typed}") == ['"red band"']


@pytest.mark.parametrize(
    "before", ["condition guard-1 prone until end of", "order guard-1 after", "order guard-1 before"]
)
def test_a_name_of_several_words_is_completed_after_each_word_that_a_name_follows(before):
    assert comes(fight(), f"{before} Raider ")[:1] == ["captain"]


def test_a_condition_is_not_completed_with_the_values_of_the_field_of_its_name():
    here = Fight("arden", "add guard")
    assert comes(here, "set guard restrained ") == ["yes", "no"]
    assert "yes" not in comes(here, "condition guard restrained ")
