"""An attack: the ledger's rows, the rulings, the house rules and the refusals, one by one."""

import pytest

from .asking import BOW, GUARD, OKADO, TAMSIN, attacked


def facts(*args, **named):
    return attacked(*args, **named)["facts"]


def test_the_fight_in_the_text_ends_as_described():
    first = attacked(GUARD, OKADO, dice=[13])
    assert (first["facts"]["total"], first["facts"]["hit"]) == (49, False)
    second = attacked({**GUARD, "abilities": {"melee": 34}}, first["target"], dice=[17])
    assert (second["facts"]["resistance"], second["facts"]["success"]) == (48, 3)
    assert facts(dice=[15])["success"] == 32


@pytest.mark.parametrize(
    ("success", "times"),
    [(0, 0), (1, 1), (10, 1), (11, 2), (25, 2), (26, 3), (50, 3), (51, 4), (75, 4), (76, 5)],
)
def test_success_multiplies_the_damage_by_its_row(success, times):
    found = facts(
        {**OKADO, "abilities": {"melee": 53}}, GUARD, dice=[10], defence="none", modifier=success - 38
    )
    assert (found["success"], found["multiplier"], found["damage"]) == (success, times, 15 * times)
    assert found["hit"] is (success > 0)


def test_a_success_of_exactly_zero_misses():
    assert facts(dice=[10], defence="none", modifier=-38)["hit"] is False


def test_a_success_of_52_deals_four_times_the_damage_unlike_the_old_example():
    second = {**OKADO, "attacks_made": 1, "attacks_per_round": 2}
    found = facts(second, {"abilities": {"melee": 34}}, dice=[20, 18])
    assert (found["success"], found["multiplier"]) == (52, 4)


def test_the_first_twenty_is_critical_and_has_no_further_effect():
    found = attacked(dice=[20, 3])
    assert found["facts"]["critical"] is True
    assert found["facts"]["luck"] == 23
    assert ", critical," in found["text"]
    assert facts(dice=[19])["critical"] is False


def test_the_second_die_is_read_as_it_falls():
    assert facts(dice=[20, 20])["luck"] == 40
    assert facts(dice=[1, 1])["luck"] == -1


# The weapon


def test_without_a_name_the_first_weapon_strikes_and_without_weapons_the_fist():
    two = {**OKADO, "weapons": [{"name": "club", "damage": 10}, {"name": "sword", "damage": 15}]}
    assert facts(two, dice=[10], defence="none")["damage"] == 30
    assert facts({"abilities": {"brawl": 30}}, {}, dice=[10])["damage"] == 10


def test_punch_is_always_available_and_uses_brawl():
    assert facts({**OKADO, "abilities": {"brawl": 50}}, {}, dice=[10], weapon="punch")["damage"] == 15


def test_of_two_weapons_of_one_name_the_first_counts():
    two = {**OKADO, "weapons": [{"name": "sword", "damage": 1}, {"name": "sword", "damage": 9}]}
    assert facts(two, dice=[10], weapon="sword", defence="none")["damage"] == 3


def test_an_untrained_weapon_is_wielded_with_a_trait():
    clumsy = {"traits": {"body": 12, "mind": 30}, "weapons": [{"name": "sword", "damage": 15}]}
    assert facts(clumsy, {}, dice=[10])["total"] == 22
    assert facts(clumsy, {}, dice=[10], trait="mind")["total"] == 40
    assert facts({"weapons": clumsy["weapons"]}, {}, dice=[10])["total"] == 10


# The resistance


def test_the_weapons_own_ability_resists_without_a_die_and_counts_as_used():
    found = attacked(dice=[10])
    assert found["facts"]["resistance"] == 36
    assert found["target"]["passive_used"] == 1
    assert len(found["rolls"]) == 1


@pytest.mark.parametrize(("score", "resistance", "used"), [(24, 25, 0), (25, 25, 0), (26, 26, 1)])
def test_a_passive_ability_replaces_the_25_only_when_it_is_higher(score, resistance, used):
    found = attacked(target={"abilities": {"melee": score}}, dice=[10])
    assert (found["facts"]["resistance"], found["target"]["passive_used"]) == (resistance, used)


def test_without_the_floor_a_low_ability_replaces_the_25_too():
    found = attacked(target={"abilities": {"melee": 4}}, dice=[10], house={"passive_floor": False})
    assert (found["facts"]["resistance"], found["target"]["passive_used"]) == (4, 1)


def test_an_ability_that_is_not_on_the_sheet_resists_nothing_even_without_the_floor():
    target = {"traits": {"body": 90}}
    found = attacked(target=target, dice=[10], defence_ability="dodge", house={"passive_floor": False})
    assert (found["facts"]["resistance"], found["target"]["passive_used"]) == (25, 0)


def test_each_passive_resistance_of_the_round_lowers_the_next():
    assert facts(target={**GUARD, "passive_used": 2}, dice=[10])["resistance"] == 26
    assert facts(target={**GUARD, "passive_used": 3}, dice=[10])["resistance"] == 25


def test_a_flat_penalty_is_taken_once():
    flat = {"passive_penalty": "flat"}
    assert facts(target={**GUARD, "passive_used": 3}, dice=[10], house=flat)["resistance"] == 31
    assert facts(target=GUARD, dice=[10], house=flat)["resistance"] == 36


def test_wounds_lower_the_passive_resistance_before_it_is_compared():
    assert facts(target={**GUARD, "life": 34}, dice=[10])["resistance"] == 31
    assert facts(target={**GUARD, "life": 5}, dice=[10])["resistance"] == 26
    assert facts(target={"abilities": {"melee": 35}, "life": 20}, dice=[10])["resistance"] == 25


def test_skill_with_a_bow_resists_no_arrow_unless_an_ability_is_named():
    archer = {"abilities": {"missile": 60, "dodge": 40}}
    assert facts(TAMSIN, archer, dice=[10])["resistance"] == 25
    assert facts(TAMSIN, archer, dice=[10], defence_ability="dodge")["resistance"] == 40
    assert facts(TAMSIN, archer, dice=[10], defence="passive")["resistance"] == 60


def test_an_active_defence_rolls_second_and_spends_the_action():
    found = attacked(target=OKADO, dice=[15, 8], defence="active", defence_ability="dodge")
    assert found["facts"]["resistance"] == 38
    assert found["target"]["action_spent"] is True
    assert found["target"]["passive_used"] == 0
    assert [one["why"] for one in found["rolls"]] == ["sword", "dodge"]


def test_an_active_defence_may_be_worse_than_25():
    assert facts(dice=[15, 1, 20], defence="active")["resistance"] == 16


def test_an_active_defence_with_an_unknown_ability_rolls_the_trait():
    target = {"traits": {"body": 12, "spirit": 3}, "life": 39}
    assert facts(target=target, dice=[15, 10], defence="active")["resistance"] == 17
    assert facts(target=target, dice=[15, 10], defence="active", defence_trait="spirit")["resistance"] == 8


@pytest.mark.parametrize("spent", [{"action_spent": True}, {"attacks_made": 1}])
def test_a_combatant_that_has_acted_this_round_defends_passively(spent):
    found = attacked(target={**GUARD, **spent}, dice=[10], defence="active")
    assert found["facts"]["active_refused"] is True
    assert found["facts"]["resistance"] == 36
    assert found["target"]["passive_used"] == 1
    low = facts(target={"abilities": {"melee": 3}, **spent}, dice=[10], defence="active")
    assert (low["active_refused"], low["resistance"]) == (True, 25)


@pytest.mark.parametrize("state", [{"life": 0}, {"life": -31}, {"slain": True}])
@pytest.mark.parametrize("defence", ["none", "passive", "active"])
def test_an_unconscious_combatant_opposes_nothing(state, defence):
    found = attacked(target={**GUARD, **state, "action_spent": True}, dice=[10], defence=defence)
    assert (found["facts"]["resistance"], found["facts"]["active_refused"]) == (25, False)
    assert found["target"]["passive_used"] == 0


def test_the_ability_that_opposes_may_be_spelled_in_any_case():
    assert facts(target=OKADO, dice=[10], defence_ability="Dodge")["resistance"] == 30
    assert facts(target=OKADO, dice=[10, 5], defence="active", defence_ability="Dodge")["resistance"] == 35


# What is added


@pytest.mark.parametrize(
    ("size", "added"), [("tiny", -10), ("small", -5), ("medium", 0), ("big", 5), ("huge", 10)]
)
def test_the_size_of_the_target_counts_for_the_attacker(size, added):
    assert facts(target={"size": size}, dice=[10])["total"] == 63 + added
    assert facts(target={}, dice=[10], size=size)["total"] == 63 + added


@pytest.mark.parametrize(
    ("metres", "added"),
    [(0, 0), (15, 0), (16, -5), (30, -5), (31, -10), (45, -10), (46, -15), (100, -15), (101, -25)],
)
def test_distance_counts_for_ranged_weapons_alone(metres, added):
    far = {**TAMSIN, "weapons": [{**BOW, "max_range": 200}]}
    assert facts(far, dice=[10], distance=metres)["total"] == 55 + added
    assert facts(dice=[10], distance=metres)["total"] == 63


@pytest.mark.parametrize(("coverage", "added"), [("none", 0), ("part", -5), ("half", -10), ("sensible", -15)])
def test_coverage_counts_in_melee_too(coverage, added):
    assert facts(dice=[10], coverage=coverage)["total"] == 63 + added


def test_a_table_that_drops_the_modifiers_keeps_the_game_masters_number_and_the_second_attack():
    found = attacked(
        {**TAMSIN, "attacks_made": 1, "attacks_per_round": 2},
        {"size": "tiny"},
        dice=[10],
        distance=50,
        coverage="half",
        modifier=3,
        house={"use_modifiers": False},
    )
    assert found["facts"]["total"] == 45 + 10 - 5 + 3
    unused = {term["label"]: term for term in found["terms"] if term["value"] == 0}
    assert unused["distance"]["note"] == "excluded by the house rules"


def test_every_attack_after_the_first_is_at_minus_five_unless_said_otherwise():
    for made in (1, 2):
        later = {**OKADO, "attacks_made": made, "attacks_per_round": 3}
        assert facts(later, dice=[10])["total"] == 58
        assert facts(later, dice=[10], second_attack=False)["total"] == 63
    assert facts(dice=[10], second_attack=True)["total"] == 58


def test_wounds_count_for_the_attacker():
    assert facts({**OKADO, "life": 41}, dice=[10])["total"] == 58


# Range, armour, death


def test_beyond_its_range_a_shot_fails_without_a_die_and_is_still_an_attack():
    found = attacked(TAMSIN, {"action_spent": True}, dice=[], distance=91, defence="active")
    assert found["facts"] == {
        "auto_fail": True,
        "critical": False,
        "hit": False,
        "multiplier": 0,
        "damage": 0,
        "absorbed": 0,
        "taken": 0,
        "active_refused": False,
    }
    assert found["actor"]["attacks_made"] == 1
    assert facts(TAMSIN, dice=[10], distance=90)["auto_fail"] is False


def test_a_range_stays_a_range_without_modifiers():
    dropped = {"use_modifiers": False}
    assert facts(TAMSIN, dice=[], distance=91, house=dropped)["auto_fail"] is True


def test_a_melee_weapon_has_no_range_to_be_beyond():
    pike = {"name": "pike", "damage": 15, "max_range": 3}
    assert facts({**OKADO, "weapons": [pike]}, dice=[10], distance=50)["auto_fail"] is False


@pytest.mark.parametrize(("each", "pool", "absorbed"), [(4, 10, 4), (4, 3, 3), (99, 99, 45), (0, 10, 0)])
def test_armour_absorbs_the_least_of_damage_its_limit_and_its_pool(each, pool, absorbed):
    armour = {"max_armour_pool": 99, "armour_pool": pool, "armour_per_attack": each}
    found = attacked(target={**GUARD, **armour}, dice=[15])
    assert (found["facts"]["damage"], found["facts"]["absorbed"]) == (45, absorbed)
    assert found["facts"]["taken"] == 45 - absorbed
    assert found["target"]["armour_pool"] == pool - absorbed
    assert found["target"]["life"] == 45 - (45 - absorbed)


def test_minor_characters_are_dead_at_zero():
    assert attacked(target={**GUARD, "dies_at_zero": True}, dice=[15])["target"]["status"] == "dead"
    assert attacked(target=GUARD, dice=[15])["target"]["status"] == "unconscious"


def test_life_stops_at_the_limit_of_the_sheet():
    cannon = {**OKADO, "weapons": [{"name": "cannon", "damage": 999}]}
    found = attacked(cannon, GUARD, dice=[20, 20])
    assert found["target"]["life"] == -999
    assert "(life 45 → −999), dead" in found["text"]


# Refusals


@pytest.mark.parametrize(
    ("actor", "reason"),
    [
        ({"life": 0, "action_spent": True, "attacks_made": 9}, "status"),
        ({"slain": True}, "status"),
        ({"action_spent": True, "attacks_made": 9}, "action"),
        ({"attacks_made": 1}, "attacks"),
        ({"attacks_made": 2, "attacks_per_round": 2}, "attacks"),
    ],
)
def test_an_attack_is_refused_for_the_first_reason_that_holds(actor, reason):
    found = attacked({**TAMSIN, **actor}, dice=[], distance=500)
    assert found["facts"] == {"refused": reason}
    assert found["target"]["life"] == 45
    assert found["text"].endswith(".")


def test_the_rules_refuse_before_they_look_at_the_distance_but_after_the_weapon_is_found():
    assert facts({**TAMSIN, "life": -5}, dice=[], distance=500) == {"refused": "status"}
