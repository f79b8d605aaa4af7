"""The open-ended die, checks and contests."""

import pytest

from .asking import GUARD, OKADO, asked


def checked(*, dice, actor=OKADO, house=None, **options):
    return asked("check", actor, dice=dice, house=house, **options)["facts"]


@pytest.mark.parametrize(
    ("dice", "luck"), [([2], 2), ([19], 19), ([1, 1], -1), ([1, 20], -20), ([20, 1], 21), ([20, 20], 40)]
)
def test_the_die_is_open_at_both_ends_once(dice, luck):
    assert asked("roll", dice=dice)["facts"] == {"luck": luck}


def test_a_check_tells_all_its_facts():
    assert checked(dice=[13], ability="melee", threshold=50) == {
        "trained": True,
        "luck": 13,
        "total": 66,
        "success": 16,
        "passed": True,
        "may_learn": False,
    }


def test_a_tie_passes_unless_the_house_says_otherwise():
    assert checked(dice=[7], ability="melee", threshold=60)["passed"] is True
    strict = checked(dice=[7], ability="melee", threshold=60, house={"tie_passes": False})
    assert (strict["success"], strict["passed"]) == (0, False)


def test_the_untrained_roll_the_trait_that_is_named_or_nothing():
    assert checked(dice=[10], ability="athletics", threshold=22, trait="body")["total"] == 22
    assert checked(dice=[10], ability="athletics", threshold=22)["total"] == 10
    assert checked(dice=[10], ability="melee", threshold=22, trait="body")["total"] == 63


def test_only_a_passed_first_attempt_may_be_learned_from():
    passed = checked(dice=[13], ability="athletics", threshold=25, trait="body")
    assert (passed["passed"], passed["trained"], passed["may_learn"]) == (True, False, True)
    assert checked(dice=[12], ability="athletics", threshold=25, trait="body")["may_learn"] is False


def test_an_ability_of_zero_is_trained():
    assert (
        checked(actor={"abilities": {"lore": 0}}, dice=[10], ability="lore", threshold=5)["trained"] is True
    )


def test_an_ability_is_found_however_it_is_spelled_and_one_of_that_very_name_first():
    found = checked(dice=[10], ability="Melee", threshold=60)
    assert (found["trained"], found["total"]) == (True, 63)
    both = {"abilities": {"melee": 1, "Melee": 2}}
    assert checked(actor=both, dice=[10], ability="Melee", threshold=0)["total"] == 12


def test_wounds_and_the_game_masters_number_count():
    hurt = {**OKADO, "life": 1}
    assert (
        checked(actor=hurt, dice=[10], ability="melee", threshold=0, modifier=-3)["total"] == 53 + 10 - 15 - 3
    )


def test_results_are_not_cut_to_the_scale():
    assert checked(dice=[20, 20], ability="melee", threshold=-100, modifier=200)["success"] == 393


def test_a_contest_is_won_by_the_higher():
    found = asked("contest", OKADO, GUARD, dice=[10, 15], ability="melee")["facts"]
    assert found == {"total": 63, "opposed_total": 51, "success": 12, "winner": "actor"}
    assert asked("contest", GUARD, OKADO, dice=[10, 15], ability="melee")["facts"]["winner"] == "target"


def test_nobody_wins_a_tied_contest_whatever_the_house_says():
    for tie_passes in (True, False):
        house = {"tie_passes": tie_passes}
        found = asked("contest", OKADO, OKADO, dice=[10, 10], ability="melee", house=house)
        assert found["facts"]["winner"] == "none"
        assert "nobody wins" in found["text"]


def test_the_opponent_uses_the_same_ability_and_trait_unless_others_are_named():
    target = {"abilities": {"spot": 20}, "traits": {"body": 5, "mind": 8}}

    def opposed(**options):
        return asked("contest", OKADO, target, dice=[10, 10], ability="hide", **options)["facts"][
            "opposed_total"
        ]

    assert opposed() == 10
    assert opposed(trait="body") == 15
    assert opposed(trait="body", defence_trait="mind") == 18
    assert opposed(defence_ability="spot", trait="body") == 30


def test_a_contest_counts_the_wounds_of_both_and_the_modifier_of_one():
    actor, target = {**OKADO, "life": 41}, {**GUARD, "life": 34}
    found = asked("contest", actor, target, dice=[10, 10], ability="melee", modifier=7)["facts"]
    assert (found["total"], found["opposed_total"]) == (53 - 5 + 7 + 10, 36 - 5 + 10)
