"""Harm, healing, repairing, the killing blow, the status and the start of a round."""

import pytest

from .asking import GUARD, OKADO, asked


@pytest.mark.parametrize(
    ("life", "status"), [(1, "conscious"), (0, "unconscious"), (-30, "unconscious"), (-31, "dead")]
)
def test_the_status_follows_the_life_points(life, status):
    assert asked("status", {"life": life})["actor"]["status"] == status


def test_the_slain_and_minor_characters_at_zero_are_dead():
    assert asked("status", {"slain": True})["actor"]["status"] == "dead"
    assert asked("status", {"dies_at_zero": True, "life": 0})["actor"]["status"] == "dead"
    assert asked("status", {"dies_at_zero": True, "life": 1})["actor"]["status"] == "conscious"


@pytest.mark.parametrize(
    ("lost", "penalty"),
    [(0, 0), (10, 0), (11, -5), (25, -5), (26, -10), (50, -10), (51, -15), (75, -15), (76, -20)],
)
def test_the_wound_penalty_goes_by_the_life_points_lost(lost, penalty):
    found = asked("status", {"max_life": 100, "life": 100 - lost})["facts"]
    assert found == {"can_act": True, "lost": lost, "wound_penalty": penalty}


def test_life_above_the_maximum_is_no_loss():
    assert asked("status", {"max_life": 10, "life": 30})["facts"]["lost"] == 0


def test_harm_goes_past_armour_unless_it_counts():
    armoured = {**GUARD, "max_armour_pool": 10, "armour_per_attack": 4}
    past = asked("harm", armoured, amount=7)
    assert past["facts"] == {"damage": 7, "absorbed": 0, "taken": 7}
    through = asked("harm", armoured, amount=7, armour=True)
    assert through["facts"] == {"damage": 7, "absorbed": 4, "taken": 3}
    assert (through["actor"]["life"], through["actor"]["armour_pool"]) == (42, 6)


def test_healing_stops_at_the_maximum_and_never_lowers():
    assert asked("heal", {**GUARD, "life": 40}, amount=20)["facts"]["healed"] == 5
    over = asked("heal", {**GUARD, "life": 60}, amount=20)
    assert (over["facts"]["healed"], over["actor"]["life"]) == (0, 60)


def test_healing_wakes_the_unconscious_and_is_refused_to_the_dead():
    assert asked("heal", {**GUARD, "life": -5}, amount=6)["actor"]["status"] == "conscious"
    for dead in ({"life": -31}, {"slain": True}, {"life": 0, "dies_at_zero": True}):
        assert asked("heal", dead, amount=6)["facts"] == {"refused": "dead"}


def test_mending_stops_at_the_whole_pool_and_never_lowers():
    worn = {"max_armour_pool": 10, "armour_pool": 7}
    assert asked("repair", worn, amount=9)["facts"]["repaired"] == 3
    over = asked("repair", {"max_armour_pool": 10, "armour_pool": 12}, amount=9)
    assert (over["facts"]["repaired"], over["actor"]["armour_pool"]) == (0, 12)


def test_the_coup_de_grace_kills_and_leaves_the_life_points():
    done = asked("coup_de_grace", OKADO, {"life": -4}, dice=[])
    assert done["facts"] == {"slain": True}
    assert (done["target"]["slain"], done["target"]["life"], done["target"]["status"]) == (True, -4, "dead")
    assert done["actor"]["attacks_made"] == 0


@pytest.mark.parametrize("target", [{}, {"life": -31}, {"life": 0, "dies_at_zero": True}])
def test_only_the_unconscious_get_the_coup_de_grace(target):
    refused = asked("coup_de_grace", OKADO, target, dice=[])
    assert refused["facts"] == {"refused": "status"}
    assert refused["target"]["slain"] is False


def began(*, dice, house=None, **actor):
    return asked("round_start", {"traits": {"body": 12}, **actor}, dice=dice, house=house)


@pytest.mark.parametrize("life", [50, -5, -40])
def test_a_round_counts_afresh_for_everybody(life):
    spent = {"passive_used": 3, "attacks_made": 2, "action_spent": True}
    after = began(dice=[10] if life == -5 else [], life=life, **spent)["actor"]
    assert (after["passive_used"], after["attacks_made"], after["action_spent"]) == (0, 0, False)


def test_conscious_and_dead_combatants_make_no_check():
    assert began(dice=[], life=1)["facts"] == {"rolled": False}
    assert began(dice=[], life=-31)["facts"] == {"rolled": False}


def test_the_unconscious_check_their_body_or_lose_ten():
    assert began(dice=[13], life=-5)["facts"] == {"rolled": True, "total": 25, "passed": True}
    failed = began(dice=[12], life=-25)
    assert (failed["facts"]["passed"], failed["actor"]["life"], failed["actor"]["status"]) == (
        False,
        -35,
        "dead",
    )


def test_a_tie_in_the_check_follows_the_house():
    assert began(dice=[13], life=-5, house={"tie_passes": False})["facts"]["passed"] is False


def test_combatants_other_than_player_characters_check_only_by_house_rule():
    assert began(dice=[], life=-5, is_pc=False)["facts"] == {"rolled": False}
    assert began(dice=[12], life=-5, is_pc=False, house={"npc_bleeding": "roll"})["actor"]["life"] == -15


def test_wounds_count_in_the_check_only_by_house_rule():
    assert began(dice=[13], life=-5)["facts"]["total"] == 25
    wounded = began(dice=[13], life=-5, house={"wound_on_bleeding": True})
    assert wounded["facts"]["total"] == 10
    assert sum(term["value"] for term in wounded["terms"]) == 10
