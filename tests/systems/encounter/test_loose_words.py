"""Words of an action without an option's name, and other words that a command understands in any order."""

import pytest
from hypothesis import given
from hypothesis import strategies as some

from systems.commands.start import Start
from systems.commands.table import read_command
from systems.contract.action import Action
from systems.contract.outcome import Outcome
from systems.errors import Misread, Refused
from systems.frozen import evolve
from systems.schema.fields import choice, declare, whole
from tests.systems.fight import Fight
from tests.systems.toy import TOY, toy


def fight(game="atlantis"):
    here = Fight(game)
    for line in ("add okado", "add guard x2", "start"):
        here.do(line)
    return here


def meant(here, line):
    """The targets and the options of an action's line."""
    act = read_command(here.encounter, line).intent
    return act.targets, dict(act.options)


@pytest.mark.parametrize(
    "line", ["attack guard-1 sword half", "attack guard-1 half swo", "attack sword guard-1 half"]
)
def test_each_word_of_an_action_is_sorted_by_its_kind(line):
    here = fight()
    assert meant(here, f"{line} by okado") == ("guard-1", {"weapon": "sword", "coverage": "half"})


@pytest.mark.parametrize("line", ["power guard fire lance", "power fire lance guard", "power guard fire lan"])
def test_the_words_of_one_name_belong_together(line):
    here = fight("srd5")
    here.do('set okado powers."fire lance" "save dexterity, dc 13, damage 2d6 fire"')
    assert meant(here, f"{line} by okado".replace("guard", "guard-1")) == ("guard-1", {"power": "fire lance"})


def test_a_number_goes_to_the_option_that_needs_one():
    here = fight()
    assert meant(here, "check melee 13 by okado") == ("", {"ability": "melee", "threshold": "13"})
    assert meant(here, "check 13 mel by okado") == ("", {"threshold": "13", "ability": "melee"})


def test_options_with_the_same_values_are_given_in_their_order():
    here = fight()
    options = {"ability": "melee", "defence_ability": "dodge"}
    assert meant(here, "contest guard-1 melee dodge by okado") == ("guard-1", options)


def test_a_flag_is_given_by_its_name():
    here = fight()
    assert meant(here, "check melee 13 spends-action by okado")[1]["spends_action"] == "yes"


def test_a_name_of_several_words_goes_before_the_options_after_it():
    here = fight()
    assert meant(here, "attack Guard 2 sword by okado") == ("Guard 2", {"weapon": "sword"})


def test_a_number_of_squares_is_that_many_straight_steps():
    here = fight("xcom")
    here.do("move 7 by okado")
    assert "7 squares" in here.log.events[-1].text


@pytest.mark.parametrize(
    ("line", "word", "said"),
    [
        ("attack guard-1 twice by okado", "twice", "one word too many"),
        ("attack 1 3 by okado", "3", "separate several targets with commas"),
        ("attack guard-1 swrod by okado", "swrod", "did you mean sword?"),
        ("attack guard-1 sw by okado", "sw", "one word too many"),
        ("attack guard-1 pa by okado", "pa", "one word too many"),
    ],
)
def test_a_word_that_fits_nothing_is_refused_at_its_position(line, word, said):
    with pytest.raises(Misread, match=said) as misread:
        read_command(fight().encounter, line)
    assert line[misread.value.start : misread.value.end] == word


def test_a_word_that_could_be_a_combatant_or_an_option_is_refused_with_both():
    here = fight()
    here.do("add guard as Melvin")
    with pytest.raises(Misread, match='"mel" could be Melvin or ability melee'):
        read_command(here.encounter, "check mel 13 by okado")


@pytest.mark.parametrize(
    "line", ["add 4 guards", "add 4 guard", "add guards x4", "add 4x guards", "add guard 4"]
)
def test_several_combatants_join_with_words_in_any_order(line):
    here = Fight("atlantis")
    here.do(line)
    assert [combatant.name for combatant in here.encounter] == ["Guard 1", "Guard 2", "Guard 3", "Guard 4"]


def test_the_number_of_a_party_or_of_a_second_number_is_refused():
    here = Fight("atlantis")
    with pytest.raises(Misread, match="both say how many join"):
        here.do("add 4 guards x2")
    with pytest.raises(Refused, match='no "guards"; did you mean Guard'):
        here.do("add guards")


@given(some.sampled_from([" ", ", ", ",", " , "]))
def test_initiative_totals_are_given_with_or_without_commas(between):
    here = Fight("arden")
    for line in ("add okado", "add guard x2"):
        here.do(line)
    line = f"start okado 14{between}guard-1 9{between}3 2"
    assert read_command(here.encounter, line).intent == Start(
        totals=(("okado", 14), ("guard-1", 9), ("3", 2))
    )


@pytest.mark.parametrize("line", ["check melee difficult by okado", "check diff mel by okado"])
def test_a_threshold_may_be_the_word_of_the_rules(line):
    here = fight()
    here.do(line)
    assert "against 50" in here.log.events[-1].text


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("check lore hard by okado", 'has no ability "lore"; it has '),
        ("check lore 25 by okado", 'has no ability "lore"; it has '),
        ("check mlee 25 by okado", "did you mean melee?"),
        ("check melee hard by okado", '"hard" is one word too many'),
    ],
)
def test_a_check_of_an_ability_that_is_not_on_the_sheet_says_so(line, says):
    here = fight()
    with pytest.raises(Misread) as error:
        read_command(here.encounter, line)
    assert says in str(error.value)


@declare
class Tally:
    times: int = whole(1, 9, 1, takes_number=True)
    against: int = whole(1, 99)


def test_a_number_goes_to_a_needed_option_before_one_that_may_be_left_out():
    tally = Action("tally", "", lambda scene, table: Outcome({}), Tally, targets="many")
    here = Fight(evolve(TOY, actions=(*TOY.actions, tally)), style="manual")
    here.roster = toy().roster
    for line in ("add ada", "add orc", "start"):
        here.do(line)
    assert meant(here, "tally orc 30 2 by ada") == ("orc", {"against": "30", "times": "2"})


@declare
class Paint:
    front: str = choice(("grey", "green"), "grey")
    back: str = choice(("grass", "grey", "gold"), "gold")


def test_a_word_that_several_options_take_is_refused_with_all_of_them():
    game = evolve(TOY, actions=(*TOY.actions, Action("paint", "", lambda scene, table: Outcome({}), Paint)))
    here = Fight(game, style="manual")
    here.roster = toy().roster
    for line in ("add ada", "start"):
        here.do(line)
    with pytest.raises(Misread, match='"gre" could be front grey, front green or back grey'):
        here.do("paint gre by ada")
