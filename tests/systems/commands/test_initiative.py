"""The start of a fight and its order: dice, totals, places set by hand."""

import pytest

from systems.contract.ruleset import Initiative
from systems.encounter.schedule import (
    waiting,
)
from systems.errors import Misread, Refused
from systems.frozen import evolve
from tests.systems.fight import Fight
from tests.systems.toy import toy
from tests.systems.turns import FOUR, turns


def test_the_game_masters_order_begins_with_the_players_as_they_joined():
    fight = toy("add orc", "add ada", "add bo", "start")
    assert turns(fight, 4) == ["ada", "bo", "orc", "ada"]
    assert fight.round == 2


def test_initiative_dice_fall_in_the_order_of_adding_and_then_come_the_roll_offs():
    fight = toy("add ada", "add bo", "add orc x2", style="initiative")
    event = fight.do("start dice=5,12,5,20,2,6")
    assert [roll.of for roll in event.rolls] == ["ada", "bo", "orc-1", "orc-2", "ada", "orc-1"]
    assert turns(fight, 4) == ["orc-2", "bo", "orc-1", "ada"]


def low_first() -> Fight:
    """Ada, Bo and two orcs in a game where low numbers come first; Bo and the second orc are equal."""
    rule = Initiative(lambda sheet, table: table.d(10, "initiative"), roll_off=6, first="low")
    fight = toy()
    fight.game = evolve(fight.game, initiative=lambda house: rule)
    fight.encounter = evolve(fight.encounter, game=fight.game, style="initiative")
    for line in ("add ada", "add bo", "add orc x2", "start dice=9,4,2,4,3,5"):
        fight.do(line)
    return fight


def test_the_low_die_wins_a_roll_off_if_low_initiative_comes_first():
    fight = low_first()
    assert [combatant.state.initiative for combatant in fight.encounter.in_line()] == [2, 4, 4, 9]
    assert turns(fight, 4) == ["orc-1", "bo", "orc-2", "ada"]


def test_low_initiative_comes_first_for_newcomers_delays_and_set_scores_too():
    fight = low_first()
    fight.do("add orc as Late dice=3")
    assert fight.encounter.progress.order == ("orc-1", "late", "bo", "orc-2", "ada")
    fight.do("order ada 1")
    assert fight.encounter.progress.order[0] == "ada"
    fight.do("delay bo")
    fight.do("delay late")
    assert waiting(fight.encounter) == ("late", "bo")


@pytest.mark.parametrize(
    ("dice", "said"), [("5,12", "too few dice"), ("1,2,3,4,5", "too many dice"), ("21,1", "d20")]
)
def test_initiative_dice_that_cannot_be_are_refused_and_nothing_has_begun(dice, said):
    fight = toy("add ada", "add bo", "add orc x2", style="initiative")
    with pytest.raises(Refused, match=said):
        fight.do(f"start dice={dice}")
    assert fight.round == 0


def test_a_score_that_the_game_master_has_set_is_not_rolled_again():
    fight = toy("add ada", "add orc", "order ada 15", "start dice=18", style="initiative")
    assert turns(fight, 2) == ["orc", "ada"]


def test_an_order_set_by_hand_before_the_fight_sticks_in_every_style():
    for style in ("manual", "initiative", "sides"):
        fight = toy("add ada", "add bo", "add orc", "order orc before ada", "start", style=style)
        assert fight.encounter.progress.order == ("orc", "ada", "bo")


def test_start_is_refused_with_nobody_there_twice_and_after_the_end():
    with pytest.raises(Refused, match="no combatant can take a turn"):
        toy("start")
    fight = toy(*FOUR)
    with pytest.raises(Refused, match="has begun already"):
        fight.do("start")
    fight.do("end")
    with pytest.raises(Refused, match="over"):
        fight.do("start")


def test_initiative_is_set_by_its_own_name_before_the_fight_and_in_it():
    fight = toy("add ada", "add bo", "initiative ada 4", "start dice=10", style="initiative")
    assert fight.encounter.progress.order == ("bo", "ada")
    event = fight.do("initiative ada 15")
    assert (event.command, event.text) == ("initiative", "Ada has initiative 15.")
    assert fight.encounter.progress.order == ("ada", "bo")
    assert fight.text("undo") == "Undone: Ada's initiative."
    assert fight.encounter.progress.order == ("bo", "ada")


def test_initiative_is_the_place_in_an_order_without_scores():
    fight = toy("add ada", "add bo", "add orc", "start")
    assert fight.text("initiative orc 1") == "Orc comes 1st in the order."
    with pytest.raises(Misread, match="initiative"):
        fight.do("initiative orc high")


def test_an_amendment_carries_an_initiative_out_again():
    fight = toy("add ada", "add bo", "start dice=10,12", "initiative ada 15", "note x", style="initiative")
    fight.do("amend 4 initiative ada 3")
    assert fight.encounter.progress.order == ("bo", "ada")
    fight.do("amend 3 dice=10,2")
    assert fight.encounter.progress.order == ("ada", "bo")


def test_a_move_neither_skips_nor_repeats_a_turn_and_stays():
    fight = toy(*FOUR, "next", "order orc-2 before ada")
    assert turns(fight, 4) == ["bo", "orc-1", "orc-2", "orc-2"]
    assert fight.round == 2
    assert fight.encounter.progress.order == ("orc-2", "ada", "bo", "orc-1")


@pytest.mark.parametrize("style", ["manual", "initiative"])
def test_a_number_that_is_no_place_or_score_is_refused_or_means_the_end(style):
    fight = toy("add ada", "add bo", style=style)
    if style == "initiative":
        with pytest.raises(Refused, match="from -9999 to 9999"):
            fight.do("order ada 10000")
    else:
        assert fight.text("order ada 10000") == "Ada comes 2nd in the order."


def test_initiative_is_listed_in_turn_order():
    fight = Fight("simple", "add okado", "add tamsin", "add guard x2 as Wolf group")
    said = fight.text("start dice=3,18,11")
    assert said.startswith("Initiative: 20 Tamsin, 11 Wolf 1 and Wolf 2, 5 Okado.")


def test_the_initiative_of_hidden_combatants_has_its_own_sentence():
    fight = Fight("simple", "add okado", "add tamsin", "add guard as Wolf hidden")
    said = fight.text("start dice=3,18,11")
    assert said.startswith("Initiative: 20 Tamsin, 5 Okado. Wolf has initiative 11.")


def test_the_place_of_a_wrong_word_among_initiative_totals_is_known():
    fight = toy("add ada", "add orc")
    line = "start ada 14,orc many"
    with pytest.raises(Misread) as misread:
        fight.do(line)
    assert line[misread.value.start : misread.value.end] == "many"


def test_an_order_without_a_place_says_what_is_expected():
    fight = toy("add ada", "add orc")
    with pytest.raises(Misread, match=r"^the place: expected before, after or a number, got .last.$"):
        fight.do("order ada last")


AMBUSH = ("add okado", "add guard x2", "add guard hidden")


def test_the_surprised_roll_for_initiative_as_the_rules_say():
    fight = Fight("srd5", *AMBUSH)
    event = fight.do("start okado, guard-1 surprised, guard-2 14 dice=15,4,9,2,8")
    assert event.text.startswith(
        "Okado and Guard 1 are surprised. Initiative: 14 Guard 2, 6 Okado, 2 Guard 1."
    )
    assert event.options["surprised"] == ["okado", "guard-1"]
    assert fight.encounter.combatants["okado"].state.initiative == 6


def test_a_side_may_be_surprised_and_amending_keeps_it():
    fight = Fight("srd5", *AMBUSH)
    event = fight.do("start players surprised dice=15,4,9,9,9")
    fight.do(f"amend {event.n} dice=15,7,9,9,9")
    assert fight.encounter.combatants["okado"].state.initiative == 9


@pytest.mark.parametrize(
    ("game", "line", "says"),
    [
        ("srd5", "start okado 4 okado surprised", "Okado has an initiative already and rolls none"),
        ("srd5", "start nobody surprised", 'nobody here is called "nobody"'),
        ("waygate", "start okado surprised", "Enter the Waygate has no rule for surprise"),
    ],
)
def test_a_surprise_that_cannot_be_is_refused(game: str, line: str, says: str):
    with pytest.raises(Refused, match=f"(?i){says}"):
        Fight(game, "add okado", "add guard").do(line)
    with pytest.raises(Misread, match='the initiative of "okado": expected a whole number, got "guard"'):
        Fight(game, "add okado", "add guard").do("start okado guard 4")
