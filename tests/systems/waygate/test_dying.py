"""Falling, dying by turns, healing, and the next character."""

import pytest

from .play import SWORD, facts, play


def after(action, dice=(), options=None, house=None, **actor):
    return play(action, dice, actor=actor, options=options or {}, house=house or {})["actor"]


@pytest.mark.parametrize(
    ("hp", "max_hp", "rounds", "house", "status"),
    [
        (1, 30, 99, {}, "conscious"),
        (0, 30, 99, {}, "unconscious"),
        (-14, 30, 0, {}, "unconscious"),
        (-15, 30, 0, {}, "dead"),
        (-15, 31, 0, {}, "unconscious"),
        (-15, 31, 0, {"half_health": "down"}, "dead"),
        (0, 1, 0, {"half_health": "down"}, "unconscious"),
        (-1, 1, 0, {"half_health": "down"}, "dead"),
        (-1, 30, 2, {}, "unconscious"),
        (-1, 30, 3, {}, "dead"),
        (-1, 30, 4, {}, "dead"),
        (-1, 30, 1, {"dying_rounds": 1}, "dead"),
    ],
)
def test_the_status_follows_from_the_values(hp, max_hp, rounds, house, status):
    answer = play("status", actor={"hp": hp, "max_hp": max_hp, "rounds_below_zero": rounds}, house=house)
    assert answer["actor"]["status"] == status
    assert answer["facts"] == {
        "can_act": status == "conscious",
        "dying": hp < 0 and status == "unconscious",
    }


def test_falling_from_0_or_more_begins_a_new_count():
    assert (
        after("harm", options={"amount": 1}, hp=0, max_hp=30, rounds_below_zero=2)["rounds_below_zero"] == 0
    )
    assert (
        after("harm", options={"amount": 1}, hp=-1, max_hp=30, rounds_below_zero=2)["rounds_below_zero"] == 2
    )
    assert (
        after("harm", options={"amount": 1}, hp=5, max_hp=30, rounds_below_zero=2)["rounds_below_zero"] == 2
    )


def test_falling_in_an_attack_begins_a_new_count_too():
    target = {"hp": 1, "max_hp": 30, "rounds_below_zero": 2, "armor": 0}
    answer = play("attack", [10, 4], actor={"weapons": [SWORD]}, target=target)
    assert (answer["target"]["hp"], answer["target"]["rounds_below_zero"]) == (-3, 0)


def test_no_harm_changes_nothing():
    assert after("harm", options={"amount": 0}, hp=-1, max_hp=9, rounds_below_zero=1)["hp"] == -1


def test_hit_points_stop_at_the_end_of_their_range():
    assert after("harm", options={"amount": 999}, hp=-500, max_hp=999)["hp"] == -999


def test_healing_stops_at_the_maximum_and_never_lowers():
    assert facts("heal", actor={"hp": 28, "max_hp": 30}, options={"amount": 9}) == {"healed": 2}
    answer = play("heal", actor={"hp": 40, "max_hp": 30}, options={"amount": 9})
    assert (answer["facts"]["healed"], answer["actor"]["hp"]) == (0, 40)


def test_healing_to_below_0_continues_the_count():
    healed = after("heal", options={"amount": 3}, hp=-5, max_hp=30, rounds_below_zero=2)
    assert (healed["hp"], healed["rounds_below_zero"], healed["status"]) == (-2, 2, "unconscious")


@pytest.mark.parametrize("amount", [5, 6])
def test_healing_to_0_or_more_clears_the_count(amount):
    healed = after("heal", options={"amount": amount}, hp=-5, max_hp=30, rounds_below_zero=2)
    assert (healed["hp"], healed["rounds_below_zero"]) == (amount - 5, 0)


def test_healing_refuses_the_dead_and_says_so():
    answer = play("heal", actor={"hp": -1, "rounds_below_zero": 3, "max_hp": 30}, options={"amount": 9})
    assert answer["facts"] == {"refused": "dead"}
    assert answer["actor"]["hp"] == -1


@pytest.mark.parametrize("hp", [0, 5, -15])
def test_no_die_is_rolled_for_the_conscious_the_stable_and_the_dead(hp):
    answer = play("turn_start", actor={"hp": hp, "max_hp": 30})
    assert answer["facts"] == {"rolled": False, "can_act": hp > 0, "cause": "none"}
    assert answer["actor"]["rounds_below_zero"] == 0


def test_death_by_half_comes_before_death_by_turns_and_the_turn_still_counts():
    answer = play("turn_start", [4], actor={"hp": -12, "max_hp": 30, "rounds_below_zero": 2})
    assert answer["facts"] == {"rolled": True, "damage": 4, "can_act": False, "cause": "half"}
    assert (answer["actor"]["hp"], answer["actor"]["rounds_below_zero"]) == (-16, 3)


def test_the_house_may_give_the_dying_more_or_fewer_turns():
    dying = {"hp": -1, "max_hp": 90}
    assert facts("turn_start", [1], actor=dying, house={"dying_rounds": 1})["cause"] == "rounds"
    late = {**dying, "rounds_below_zero": 8}
    assert facts("turn_start", [1], actor=late, house={"dying_rounds": 10})["cause"] == "none"


def test_an_hour_kills_only_below_0():
    assert facts("hour_passes", actor={"hp": 3}) == {"died": False}
    assert after("hour_passes", hp=-1, max_hp=30, house={"dying_rounds": 7})["rounds_below_zero"] == 7
    dead = play("hour_passes", actor={"hp": -20, "max_hp": 30})
    assert (dead["facts"]["died"], dead["actor"]["rounds_below_zero"]) == (False, 3)


def test_a_death_by_turns_or_hours_points_to_the_mark():
    dying = {"hp": -1, "max_hp": 30, "rounds_below_zero": 2, "aether_marks": 1}
    assert play("turn_start", [1], actor=dying)["asks"]
    assert play("hour_passes", actor=dying)["asks"]
    assert play("harm", actor=dying, options={"amount": 30})["asks"]
    assert not play("turn_start", [1], actor={**dying, "rounds_below_zero": 1})["asks"]


def test_no_combatant_holds_two_marks():
    answer = play("award_mark", actor={"aether_marks": 1})
    assert (answer["facts"], answer["actor"]["aether_marks"]) == ({"awarded": False}, 1)


@pytest.mark.parametrize(("level", "new"), [(1, 1), (2, 1), (9, 8)])
def test_a_new_character_begins_a_level_lower_but_not_under_1(level, new):
    answer = play("new_character_level", actor={"level": level})
    assert (answer["facts"], answer["actor"]["level"]) == ({"level": new}, level)
    assert sum(term["value"] for term in answer["terms"]) == new
