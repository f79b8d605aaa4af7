"""Conditions: how long they last, when they end, and what they change."""

from random import Random

import pytest

from systems.contract.condition import Condition
from systems.dice.sources import RandomDice
from systems.encounter.durations import left
from systems.errors import Refused, Wrong
from systems.frozen import evolve
from systems.visibility.card import condition_lines
from systems.visibility.rows import row_maker
from tests.systems.fight import GAMES, Fight, load
from tests.systems.toy import TOY, toy

FOUR = ("add ada", "add bo", "add orc", "start")


def rounds(fight, number):
    """The texts of `next` until that many rounds are over."""
    texts, until = [], fight.round + number
    while fight.round < until:
        texts.append(fight.text("next"))
    return texts


# Durations


@pytest.mark.parametrize("number", [1, 2, 3])
def test_for_n_rounds_lasts_through_the_nth_round_and_the_next_that_ends_it_names_it(number):
    fight = toy(*FOUR, "next", f"condition orc dazed for {number} rounds")
    texts = rounds(fight, number - 1)
    assert fight.conditions("orc") == ["dazed"]
    assert not any("no longer" in text for text in texts)
    *before, last = rounds(fight, 1)
    assert not any("no longer" in text for text in before)
    assert "Orc is no longer dazed." in last
    assert fight.conditions("orc") == []


def test_rounds_set_before_the_fight_count_from_the_first():
    fight = toy("add ada", "condition ada dazed for 1 round", "start")
    assert fight.conditions("ada") == ["dazed"]
    assert "no longer dazed" in fight.text("next")


def test_until_the_start_of_a_turn_ends_when_that_turn_begins():
    fight = toy(*FOUR, "condition orc dazed until start of bo")
    assert "Orc is no longer dazed" in fight.text("next")


def test_until_the_start_of_the_present_turn_means_the_next_one():
    fight = toy(*FOUR, "condition orc dazed until start of ada")
    assert ["no longer" in fight.text("next") for _ in range(3)] == [False, False, True]


def test_until_the_end_of_a_turn_ends_when_that_turn_is_over():
    fight = toy(*FOUR, "condition orc dazed until end of bo")
    assert ["no longer" in fight.text("next") for _ in range(2)] == [False, True]


def test_until_the_end_of_the_present_turn_means_the_one_after():
    fight = toy(*FOUR, "condition orc dazed until end of ada")
    assert ["no longer" in fight.text("next") for _ in range(4)] == [False, False, False, True]


def test_the_turn_that_is_skipped_is_over_when_it_was_delayed_to_the_end_of_the_round():
    fight = toy(*FOUR, "condition orc dazed until end of ada", "delay", "return ada", "next")
    assert (fight.round, fight.turn) == (1, "ada")
    assert "no longer dazed" not in fight.text("next")
    while fight.turn != "ada":
        assert "no longer dazed" not in fight.text("next")
    assert fight.round == 2
    assert "no longer dazed" in fight.text("next")


@pytest.mark.parametrize("leaving", ["remove bo", "damage bo 50"])
@pytest.mark.parametrize("moment", ["start", "end"])
def test_a_condition_that_waits_for_a_dead_or_absent_combatant_ends_with_the_round(leaving, moment):
    fight = toy(*FOUR, f"condition orc dazed until {moment} of bo", leaving)
    texts = rounds(fight, 1)
    assert ["no longer dazed" in text for text in texts] == [False] * (len(texts) - 1) + [True]


def test_a_condition_set_again_takes_the_new_duration():
    fight = toy(*FOUR, "condition orc dazed for 1 round", "condition orc DAZED 3 for 3 rounds")
    assert fight.conditions("orc") == ["DAZED 3"]
    rounds(fight, 2)
    assert fight.conditions("orc") == ["DAZED 3"]


def test_the_remaining_time_is_given_in_words():
    fight = toy(*FOUR, "condition orc a for 2 rounds", "condition orc b until end of ada", "condition orc c")
    held = fight.encounter.combatants["orc"].conditions
    assert [left(fight.encounter, one) for one in held] == ["2 rounds", "until the end of Ada's turn", ""]
    rounds(fight, 1)
    held = fight.encounter.combatants["orc"].conditions
    assert left(fight.encounter, held[0]) == "1 round"


def test_the_start_of_a_turn_names_the_combatants_conditions():
    fight = toy(*FOUR, "condition bo marked 2")
    assert fight.text("next") == "Bo's turn. Conditions: marked 2. Next: Orc."


# What they do


def test_a_condition_may_befall_its_bearer_each_turn():
    fight = toy(*FOUR, "condition bo bleeding")
    assert fight.text("next dice=3").startswith("Bo bleeds 3. Bo's turn.")
    assert fight.sheet("bo").hp == 7


def test_effects_change_the_options_of_both_sides_if_they_count():
    fight = toy(*FOUR, "condition ada sharp", "condition orc reckless 4")
    assert "strikes Orc: 7" in fight.text("strike orc dice=1")
    assert "strikes Orc: 3" in fight.text("strike orc far=yes dice=1")


MATHS = {
    "atlantis": "condition guard running",
    "waygate": "condition guard covered",
    "atomic_d20": "condition okado bane",
    "simple": "condition guard cover 2",
    "arden": "condition guard cover 3",
    "srd5": "condition okado exhaustion",
    "xcom": "condition guard smoke",
}


@pytest.mark.parametrize("game", GAMES)
def test_a_condition_of_a_game_shows_in_the_terms_of_its_maths(game):
    reckoned = []
    for condition in ("note nothing", MATHS[game]):
        fight = Fight(game, "add okado", "add guard", "start", condition)
        fight.dice = RandomDice(Random(7))
        event = fight.do("attack guard by okado")
        told = [line for result in event.results for line in (*result.terms, *result.steps)]
        reckoned.append({(one.label, one.value) for one in told})
    assert reckoned[0] != reckoned[1]


@pytest.mark.parametrize("game", GAMES)
def test_every_condition_of_a_game_sets_its_field_and_clears_it(game):
    fight = Fight(game, "add okado")
    for condition in fight.game.conditions:
        fight.do(f"condition okado {condition.name}")
        words = condition.label
        assert [held.name for held in fight.encounter.combatants["okado"].conditions] == [condition.name]
        if condition.field:
            assert condition.is_on(getattr(fight.sheet("okado"), condition.field))
        ends = condition.end_words or f"is no longer {words}"
        ends += f" and is {condition.then}" if condition.then else ""
        assert fight.text(f"clear okado {condition.name}") == f"Okado {ends}."
        if condition.field:
            assert not condition.is_on(getattr(fight.sheet("okado"), condition.field))
        with pytest.raises(Refused, match=f"has no condition {words}"):
            fight.do(f"clear okado {condition.name}")
        if condition.then:
            fight.do(f"clear okado {condition.then}")


def test_what_goes_along_with_a_condition_comes_and_goes_with_it():
    fight = Fight("arden", "add okado", "set okado max_ap 7", "set okado capacity 7")
    fight.do("condition okado exhausted")
    assert (fight.sheet("okado").exhausted, fight.sheet("okado").capacity) == (True, 3)
    fight.do("clear okado exhausted")
    assert (fight.sheet("okado").exhausted, fight.sheet("okado").capacity) == (False, 7)


def test_exhaustion_from_an_action_is_cleared_completely():
    fight = Fight("arden", "add okado", "set okado ap 1", "start")
    fight.do("move spaces=1 by okado")
    fight.do("move spaces=1 by okado")
    assert (fight.sheet("okado").exhausted, fight.sheet("okado").capacity) == (True, 2)
    fight.do("clear okado exhausted")
    assert (fight.sheet("okado").exhausted, fight.sheet("okado").capacity) == (False, 5)


@pytest.mark.parametrize("game", GAMES)
def test_free_conditions_work_in_every_game(game):
    fight = Fight(game, "add okado", "add guard x2", "start")
    assert (
        fight.text('condition guard-1,okado "on fire" 2 for 1 round')
        == "Guard 1 and Okado are on fire 2 for 1 round."
    )
    fight.do('clear guard-1 "On Fire"')
    assert fight.conditions("guard-1") == []
    assert any("Okado is no longer on fire" in text for text in rounds(fight, 1))


def test_either_spelling_and_hyphens_name_the_same_condition():
    fight = Fight("arden", "add okado", "condition okado flat-footed")
    assert fight.conditions("okado") == ["flat-footed"]
    fight.do("clear okado Flat_Footed")
    free = Fight("atlantis", "add okado", "condition okado colored")
    assert free.text("clear okado coloured") == "Okado is no longer colored."


def test_a_field_that_changes_otherwise_ends_the_condition_that_stood_for_it():
    fight = Fight("xcom", "add okado", "condition okado full_cover")
    fight.do("condition okado half_cover")
    assert fight.conditions("okado") == ["half cover"]
    fight.do("set okado cover none")
    assert fight.conditions("okado") == []


def test_a_timed_condition_gives_its_field_back():
    fight = Fight("xcom", "add okado", "add guard", "start", "condition guard marked until start of okado")
    assert fight.sheet("guard").marked
    text = " ".join(rounds(fight, 1))
    assert "Guard is no longer marked." in text
    assert not fight.sheet("guard").marked


def test_clear_all_ends_everything_that_one_bears():
    fight = toy(*FOUR, "condition orc a", "condition orc prone")
    assert fight.text("clear orc all") == "Orc is no longer a. Orc is no longer prone."
    assert not fight.sheet("orc").low


# Which condition is meant


@pytest.mark.parametrize(
    ("game", "typed", "found"),
    [
        ("atlantis", "pro", "prone"),
        ("atlantis", "PRONE", "prone"),
        ("atlantis", "pr", "pr"),
        ("atlantis", '"pro"', "pro"),
        ("atlantis", '"Prone"', "prone"),
        ("atlantis", "marked", "marked"),
        ("arden", "flat-f", "flat-footed"),
        ("xcom", "full", "full cover"),
        ("xcom", "over", "on overwatch"),
    ],
)
def test_a_condition_is_the_games_by_three_letters_and_as_typed_in_quotes(game, typed, found):
    fight = Fight(game, "add okado")
    fight.do(f"condition okado {typed}")
    assert fight.conditions("okado") == [found]


def test_two_conditions_that_begin_alike_are_refused_with_both_names():
    fight = toy("add ada", 'condition ada "marked by wolves"', 'condition ada "marked by bears"')
    with pytest.raises(Refused, match="could be marked by wolves or marked by bears"):
        fight.do("clear ada marked")


@pytest.mark.parametrize(
    ("line", "label", "words"),
    [
        ("condition okado prone 2", "prone", "for 2 rounds"),
        ("condition okado prone 2 for 3 rounds", "prone 2", "for 3 rounds"),
        ("condition okado marked 2", "marked 2", ""),
    ],
)
def test_a_bare_number_is_rounds_if_the_condition_has_no_value(line, label, words):
    fight = Fight("atlantis", "add okado")
    assert fight.text(line) == " ".join(f"Okado is {label} {words}".split()) + "."
    assert fight.conditions("okado") == [label]


def test_a_number_is_the_value_if_the_condition_has_one():
    fight = Fight("waygate", "add okado", "condition okado bleed 2")
    assert fight.conditions("okado") == ["bleeding 2"]
    boon = Fight("atomic_d20", "add okado", "condition okado boon 2")
    assert boon.conditions("okado") == ["boon 2"]


def test_a_condition_is_cleared_by_the_beginning_of_what_is_borne():
    fight = Fight("atlantis", "add okado", "condition okado marked", "condition okado prone")
    fight.do("clear okado mar")
    fight.do("clear okado pro")
    assert fight.conditions("okado") == []


def test_the_value_of_a_condition_is_counted_up_and_down_and_keeps_source_and_end():
    fight = Fight("simple", "add okado", "add guard x2", "start")
    fight.do("condition guard-1 burning 2 for 3 rounds by okado")
    assert fight.text("count guard-1 burning +1") == "Guard 1 is now burning 3."
    held = fight.encounter.combatants["guard-1"].conditions[0]
    assert (held.value, held.source, held.last_round) == (3, "okado", 3)
    assert fight.text("count guard-1 burn -2") == "Guard 1 is now burning 1."
    assert fight.text("count guard-1 burning -1") == "Guard 1 is no longer burning 1."
    assert fight.conditions("guard-1") == []
    assert fight.text("undo") == "Undone: the count of Guard 1's burning."
    with pytest.raises((Refused, Wrong)):
        fight.do("count guard-2 burning +1")


@pytest.mark.parametrize("game", GAMES)
def test_every_valued_condition_can_be_counted(game):
    fight = Fight(game, "add okado", "start")
    for condition in fight.game.conditions:
        if condition.takes_value:
            fight.do(f"condition okado {condition.name} 2")
            fight.do(f"count okado {condition.name} +1")
            fight.do(f"count okado {condition.name} -1")
            assert f"{condition.name.replace('_', ' ')} 2" in fight.conditions("okado")
            fight.do(f"clear okado {condition.name}")


def test_a_turn_reminds_of_what_ends_with_its_round():
    fight = Fight("simple", "add okado", "add guard", "start")
    fight.do(f"condition {fight.turn} prone for 1 round")
    bearer, other = fight.turn, next(each.id for each in fight.encounter if each.id != fight.turn)
    fight.do(f"condition {other} prone for 1 round")
    name = fight.encounter.combatants[other].name
    assert f"{name} is prone for this round only." in fight.text("next")
    assert fight.turn == other != bearer


@pytest.mark.parametrize("game", ["arden", "atomic_d20"])
def test_a_condition_is_called_the_same_in_the_log_the_row_and_on_the_card(game):
    fight = Fight(game, "add okado")
    fight.do("start")
    assert fight.text("condition okado flat-footed 2") == "Okado is flat-footed for 2 rounds."
    okado = fight.encounter.combatants["okado"]
    row = row_maker(fight.encounter).row(okado)
    assert any(word.text == "flat-footed 2r" for word in row.words)
    assert [line.label for line in condition_lines(fight.encounter, okado.conditions)] == ["flat-footed"]
    assert fight.text("clear okado flat_footed") == "Okado is no longer flat-footed."


def test_a_condition_that_is_a_choice_has_the_same_name_everywhere():
    assert load("arden").choice_words("flat_footed") == "flat-footed"
    assert load("arden").choice_words(False) == "no"
    assert load("arden").choice_words("not_known_here") == "not known here"


# Near misses


def test_a_free_condition_that_is_nearly_one_of_the_game_needs_quotes():
    fight = Fight("arden", "add okado", "add tamsin")
    with pytest.raises(Refused, match='unknown condition "alrt"; did you mean') as refused:
        fight.do("condition okado alrt")
    assert (refused.value.word, refused.value.suggestion) == ("alrt", "alert")
    fight.do('condition okado "alrt"')
    fight.do("condition tamsin hexed")
    assert (fight.conditions("okado"), fight.conditions("tamsin")) == (["alrt"], ["hexed"])


def test_a_dash_before_its_name_ends_a_condition_and_the_name_may_be_short():
    fight = Fight("atlantis", "add guard", "condition guard prone")
    assert fight.text("condition guard -pro") == "Guard is no longer prone."


def test_the_name_of_a_custom_condition_has_at_most_40_characters():
    fight = Fight("atlantis", "add guard", f"condition guard {'x' * 40}")
    assert fight.conditions("guard") == ["x" * 40]
    fight.do(f"condition guard {'y' * 41}")
    assert fight.conditions("guard")[1] == "y" * 39 + "…"


def test_the_end_of_a_fading_condition_is_told_before_what_the_turn_brings():
    dazed = Condition("dazed", "", valued=True, fades="turn_start")
    fight = Fight(evolve(TOY, conditions=(*TOY.conditions, dazed)), style="manual")
    fight.roster = toy().roster
    for line in ("add ada", "add bo", "start", "condition bo dazed 1", "condition bo bleeding"):
        fight.do(line)
    told = [sentence.text for sentence in fight.do("next dice=2").sentences]
    assert told[:3] == ["Bo is no longer dazed 1.", "Bo bleeds 2.", "Bo's turn."]
