"""Rulings, house rules, refusals and errors that the written examples do not cover."""

import pytest

from systems.errors import Wrong
from systems.requests import resolve

from .asking import GAME, PSION, RANGER, RIFLE, SWORD, ask, facts

CRITICAL = {**RANGER, "crit": 50}
DODGER = {"dodge": 30, "max_health": 20}


def with_weapon(**changes):
    return {**RANGER, "weapons": [{**RIFLE, **changes}]}


# Target value


@pytest.mark.parametrize(("cover", "defense"), [("none", 10), ("half", 30), ("full", 50)])
def test_cover_and_innate_defense_add_up_against_ranged_attacks(cover, defense):
    seen = facts("attack", target={"defense": 10, "cover": cover}, dice=[100])
    assert (seen["defense"], seen["target_value"]) == (defense, 65 - defense)


def test_innate_defense_counts_against_melee_and_cover_does_not():
    seen = facts("attack", target={"defense": 10, "cover": "full"}, weapon="sword", dice=[100])
    assert (seen["defense"], seen["target_value"]) == (10, 75)


def test_a_flanked_target_keeps_its_innate_and_other_defense():
    seen = facts(
        "attack",
        target={"defense": 10, "cover": "full"},
        flanked=True,
        defence_modifier=20,
        dice=[100],
    )
    assert seen["defense"] == 30


def test_the_cover_option_replaces_the_cover_on_the_sheet():
    assert facts("attack", target={"cover": "full"}, cover="none", dice=[100])["defense"] == 0


def test_a_mark_helps_ranged_attacks_only():
    assert facts("attack", target={"marked": True}, dice=[100])["target_value"] == 80
    assert facts("attack", target={"marked": True}, weapon="sword", dice=[100])["target_value"] == 85


def test_the_modifier_helps_the_attacker_and_the_defence_modifier_the_target():
    seen = facts("attack", modifier=7, defence_modifier=10, dice=[100])
    assert (seen["target_value"], seen["defense"]) == (62, 10)


def test_negative_defense_makes_the_target_easier_to_hit():
    assert facts("attack", target={"defense": -20}, dice=[85, 1])["hit"]


def test_a_target_value_of_a_hundred_never_misses_but_is_still_rolled():
    answer = ask("attack", {**RANGER, "aim": 150}, dice=[100, 1])
    assert answer["facts"]["hit"]
    assert [roll["sides"] for roll in answer["rolls"]] == [100, 12]


def test_the_house_limits_hold_a_target_value_from_both_ends():
    house = {"hit_clamp": [5, 95]}
    high = ask("attack", {**RANGER, "aim": 150}, house=house, dice=[96])
    low = ask("attack", {**RANGER, "aim": -50}, house=house, dice=[5, 1])
    assert (high["facts"]["target_value"], high["facts"]["hit"]) == (95, False)
    assert (low["facts"]["target_value"], low["facts"]["hit"]) == (5, True)
    assert sum(term["value"] for term in high["terms"]) == 95


def test_house_limits_that_are_equal_leave_one_target_value():
    assert facts("attack", house={"hit_clamp": [50, 50]}, dice=[51])["target_value"] == 50


def test_the_house_limits_do_not_change_a_value_within_them():
    assert facts("attack", house={"hit_clamp": [5, 95]}, dice=[66])["target_value"] == 65


# Dodge and Crit


def test_a_flank_creates_a_crit_value():
    assert facts("attack", flanked=True, dice=[1, 50, 1])["result"] == "critical"


def test_a_flank_counts_for_melee_too():
    assert facts("attack", weapon="sword", flanked=True, dice=[1, 50, 1])["result"] == "critical"


def test_without_the_house_rule_the_exposed_are_not_flanked():
    assert facts("attack", dice=[1, 1])["crit_value"] == 0


def test_with_the_house_rule_only_ranged_attacks_flank_the_exposed():
    house = {"exposed_is_flanked": True}
    assert facts("attack", house=house, dice=[1, 51, 1])["crit_value"] == 50
    assert facts("attack", house=house, weapon="sword", dice=[1, 1])["crit_value"] == 0


def test_with_the_house_rule_cover_protects_from_being_flanked():
    house = {"exposed_is_flanked": True}
    assert facts("attack", target={"cover": "half"}, house=house, dice=[1, 1])["crit_value"] == 0
    assert (
        facts("attack", target={"cover": "half"}, house=house, cover="none", dice=[100])["crit_value"] == 50
    )
    assert facts("attack", house=house, cover="full", dice=[100])["crit_value"] == 0


def test_a_flank_is_counted_once_for_the_exposed():
    assert facts("attack", house={"exposed_is_flanked": True}, flanked=True, dice=[100])["crit_value"] == 50


def test_crit_adds_up_from_sheet_weapon_situation_and_flank():
    actor = {**with_weapon(crit=10), "crit": 5}
    assert facts("attack", actor, crit_bonus=20, flanked=True, dice=[100])["crit_value"] == 85


def test_no_die_is_rolled_for_a_crit_or_dodge_of_zero_or_less():
    answer = ask("attack", {**RANGER, "crit": -50}, {"dodge": -5}, flanked=True, dice=[1, 1])
    assert [roll["sides"] for roll in answer["rolls"]] == [100, 12]
    assert (answer["facts"]["dodge_value"], answer["facts"]["crit_value"]) == (-5, 0)


def test_dodge_and_crit_values_are_reported_on_a_miss_too():
    seen = facts("attack", CRITICAL, DODGER, dice=[66])
    assert (seen["dodge_value"], seen["crit_value"], seen["result"]) == (30, 50, "miss")
    assert (seen["rolled"], seen["raw"], seen["damage"]) == (0, 0, 0)


def test_a_dash_helps_against_reactions_on_top_of_dodge():
    target = {**DODGER, "dashing": True}
    assert facts("attack", target=target, reaction=True, dice=[100])["dodge_value"] == 60
    assert facts("attack", target=target, dice=[100])["dodge_value"] == 30
    assert facts("attack", target=DODGER, reaction=True, dice=[100])["dodge_value"] == 30


def test_an_unaware_target_has_no_dodge_even_in_a_dash():
    target = {**DODGER, "dashing": True}
    assert facts("attack", target=target, reaction=True, can_dodge=False, dice=[1, 1])["dodge_value"] == 0


@pytest.mark.parametrize(
    ("dodge", "crit", "proficient", "result"),
    [
        (31, 51, True, "hit"),
        (30, 51, True, "graze"),
        (31, 50, True, "critical"),
        (30, 50, True, "hit"),
        (31, 51, False, "graze"),
        (31, 50, False, "graze"),
        (30, 50, False, "graze"),
    ],
)
def test_dodge_and_crit_decide_the_result_of_a_hit(dodge, crit, proficient, result):
    actor = {**with_weapon(proficient=proficient), "crit": 50}
    assert facts("attack", actor, DODGER, dice=[1, dodge, crit, 12])["result"] == result


def test_an_unproficient_dodged_hit_is_a_miss_without_a_damage_die():
    answer = ask("attack", {**with_weapon(proficient=False), "crit": 50}, DODGER, dice=[1, 30, 51])
    assert answer["facts"]["result"] == "miss"
    assert not answer["facts"]["hit"]
    assert answer["facts"]["raw"] == 0
    assert answer["target"]["health"] == 20


def test_an_unproficient_critical_adds_no_range():
    seen = facts("attack", {**with_weapon(proficient=False), "crit": 50}, dice=[1, 50, 12])
    assert (seen["rolled"], seen["raw"]) == (3, 3)


# Damage


def test_a_range_of_one_always_adds_one_and_rolls_nothing():
    answer = ask("attack", {**with_weapon(damage_range=1), "crit": 50}, dice=[1, 50])
    assert (answer["facts"]["rolled"], answer["facts"]["raw"]) == (1, 4)


def test_the_die_of_the_sheet_counts_only_for_a_range_of_two():
    answer = ask("attack", with_weapon(damage_range=3, die="d10"), dice=[1, 12])
    assert answer["rolls"][-1]["sides"] == 12
    answer = ask("attack", with_weapon(damage_range=5, die="d12"), dice=[1, 10])
    assert answer["rolls"][-1]["sides"] == 10


def test_a_hit_that_does_nothing_before_armor_still_does_one():
    answer = ask("attack", with_weapon(damage_base=0, damage_range=0), {"armor": 5}, dice=[1])
    assert (answer["facts"]["raw"], answer["facts"]["damage"]) == (0, 1)
    assert answer["target"]["health"] == 7


def test_a_graze_is_halved_before_armor():
    seen = facts("attack", target={"dodge": 30, "armor": 1}, dice=[1, 30, 12])
    assert (seen["rolled"], seen["raw"], seen["damage"]) == (3, 3, 2)


def test_a_fallen_combatant_may_be_shot_again():
    assert ask("attack", target={"health": -3}, dice=[1, 1])["target"]["health"] == -6


# The actions of a turn


def test_an_attack_uses_all_remaining_actions():
    assert ask("attack", {**RANGER, "actions_left": 3}, dice=[100])["actor"]["actions_left"] == 0


def test_a_reaction_spends_no_action():
    assert ask("attack", reaction=True, dice=[100])["actor"]["actions_left"] == 2


@pytest.mark.parametrize(
    ("action", "options"),
    [
        ("attack", {}),
        ("attack", {"reaction": True}),
        ("move", {}),
        ("act", {"kind": "core"}),
        ("act", {"kind": "free"}),
        ("act", {"kind": "move_action"}),
    ],
)
def test_a_fallen_combatant_does_not_act(action, options):
    answer = ask(action, {**RANGER, "health": 0, "actions_left": 0}, **options)
    assert answer["facts"] == {"refused": "status"}
    assert answer["rolls"] == []


@pytest.mark.parametrize(
    ("kind", "left", "after"),
    [
        ("core", 2, 1),
        ("core", 0, None),
        ("final", 3, 0),
        ("final", 0, None),
        ("full", 3, 1),
        ("full", 1, None),
        ("free", 0, 0),
        ("move_action", 1, 1),
        ("move_action", 0, None),
    ],
)
def test_each_kind_of_action_has_its_price(kind, left, after):
    answer = ask("act", {"actions_left": left}, kind=kind)
    if after is None:
        assert answer["facts"] == {"refused": "actions"}
        assert answer["actor"]["actions_left"] == left
    else:
        assert answer["facts"] == {"turn_over": after == 0}
        assert answer["actor"]["actions_left"] == after


def test_a_turn_gives_back_actions_and_ends_a_dash_for_the_fallen_too():
    answer = ask("turn_start", {"health": -1, "dashing": True, "actions_left": 0, "actions_per_turn": 3})
    assert answer["facts"] == {}
    assert (answer["actor"]["actions_left"], answer["actor"]["dashing"]) == (3, False)


# Movement


def test_diagonals_alternate_across_straight_squares_and_restart_with_each_move():
    assert facts("move", steps=list("dodod"))["costs"] == [2, 1, 1, 1, 2]
    again = ask("move", ask("move", steps=["d"])["actor"], steps=["d"])
    assert again["facts"]["costs"] == [2]


def test_rough_squares_cost_double_and_missing_entries_are_smooth():
    assert facts("move", steps=list("ood"), rough=[True])["costs"] == [2, 1, 2]


def test_a_dash_takes_two_actions_and_leaves_the_third():
    answer = ask("move", {**RANGER, "actions_left": 3}, dash=True, steps=["o"] * 24)
    assert (answer["actor"]["actions_left"], answer["actor"]["dashing"]) == (1, True)
    assert answer["facts"]["mobility"] == 24


def test_a_plain_move_does_not_end_an_earlier_dash():
    assert ask("move", {"dashing": True})["actor"]["dashing"]


def test_move_actions_are_paid_from_the_same_points():
    answer = ask("move", steps=["o"] * 3, move_actions=[10])
    assert answer["facts"] == {
        "refused": "mobility",
        "cost": 13,
        "costs": [1, 1, 1],
        "mobility": 12,
        "allowed": False,
        "left": -1,
    }
    assert answer["actor"]["actions_left"] == 2


def test_too_few_actions_are_found_before_too_little_mobility():
    answer = ask("move", {**RANGER, "actions_left": 1}, dash=True, steps=["o"] * 99)
    assert answer["facts"] == {"refused": "actions"}


# Checks


@pytest.mark.parametrize(
    ("attribute", "expected"),
    [("aim", 65), ("will", 50), ("tech", 40), ("psi", 0), ("defense", 50), ("dodge", 50), ("crit", 0)],
)
def test_a_check_starts_at_fifty_only_for_defense_and_dodge(attribute, expected):
    assert facts("check", attribute=attribute, dice=[1])["target_value"] == expected


def test_a_given_base_replaces_the_fifty():
    assert facts("check", {"defense": 15}, attribute="defense", base=0, dice=[1])["target_value"] == 15


def test_proficiency_matters_only_for_equipment_and_tech():
    assert facts("check", attribute="tech", proficient=False, dice=[1])["target_value"] == 40
    seen = facts("check", attribute="aim", equipment=True, proficient=False, dice=[1])
    assert seen["target_value"] == 65


def test_tech_of_exactly_fifty_may_be_tried_and_forty_nine_not():
    assert "refused" not in facts(
        "check", {"tech": 50}, attribute="tech", equipment=True, proficient=False, dice=[1]
    )
    refused = ask("check", {"tech": 49}, attribute="tech", base=50, equipment=True, proficient=False)
    assert refused["facts"] == {"refused": "proficiency"}


@pytest.mark.parametrize(("distance", "penalty"), [(0, 0), (24, 0), (25, -5), (60, -10), (400, -80)])
def test_only_full_quarters_of_distance_count(distance, penalty):
    assert facts("social", distance=distance, dice=[1])["penalty"] == penalty


def test_strong_psionics_daunt_only_combatants_without_psionics():
    assert facts("social", strong_psionic=True, dice=[1])["penalty"] == -5
    assert facts("social", PSION, strong_psionic=True, dice=[1])["penalty"] == 0


# Psionics


def test_a_target_of_weak_will_helps_the_psionic():
    assert facts("psi", PSION, {"will": 20}, dice=[1])["target_value"] == 100


@pytest.mark.parametrize(
    ("target", "options", "value"),
    [
        (None, {}, 70),
        ({}, {}, 70),
        ({"will": 65}, {}, 55),
        ({"name": "Ranger"}, {}, 120),
        ({"will": 65}, {"contested": False}, 70),
        (None, {"contested": True}, 120),
    ],
)
def test_a_skill_is_contested_when_a_target_is_named(target, options, value):
    assert facts("psi", PSION, target, dice=[1], **options)["target_value"] == value


def test_the_collar_blocks_the_amp_and_takes_its_own():
    worn = {**PSION, "amp": 40, "collar": True}
    assert facts("psi", worn, difficulty=-20, dice=[1])["target_value"] == -55
    assert facts("check", worn, attribute="psi", dice=[1])["target_value"] == -35
    assert facts("status", worn)["psi_value"] == -35
    assert facts("status", {**worn, "collar": False})["psi_value"] == 110


def test_a_skill_changes_no_sheet():
    answer = ask("psi", PSION, RANGER, dice=[1])
    assert answer["actor"]["actions_left"] == 2
    assert answer["target"]["health"] == 8


# Health


@pytest.mark.parametrize(
    ("amount", "armor", "lost"), [(5, False, 5), (5, True, 3), (2, True, 1), (1, True, 1), (0, True, 0)]
)
def test_harm_considers_armor_only_by_option_and_leaves_at_least_one(amount, armor, lost):
    answer = ask("harm", {"armor": 2}, amount=amount, armor=armor)
    assert answer["facts"] == {"damage": lost}
    assert answer["actor"]["health"] == 8 - lost


def test_health_stops_at_the_end_of_its_range_and_is_reported_so():
    harmed = ask("harm", {"health": -900}, amount=999)
    assert harmed["actor"]["health"] == -999
    assert harmed["text"].endswith("(health −900 → −999).")
    shot = ask("attack", target={"health": -998}, dice=[1, 12])
    assert shot["target"]["health"] == -999
    assert shot["text"].startswith("Ranger hits target for 5 (health −998 → −999).")


@pytest.mark.parametrize(("health", "amount", "healed"), [(-3, 5, 5), (6, 5, 2), (8, 5, 0), (12, 5, 0)])
def test_healing_stops_at_the_maximum_and_never_lowers_health(health, amount, healed):
    answer = ask("heal", {"health": health}, amount=amount)
    assert answer["facts"] == {"healed": healed}
    assert answer["actor"]["health"] == health + healed


@pytest.mark.parametrize(
    ("health", "left", "can_act", "status"),
    [(1, 1, True, "up"), (1, 0, False, "up"), (0, 2, False, "down"), (-1, 2, False, "down")],
)
def test_the_status_says_whether_the_combatant_can_act(health, left, can_act, status):
    answer = ask("status", {"health": health, "actions_left": left})
    assert answer["facts"] == {"can_act": can_act, "psi_value": 0}
    assert answer["actor"]["status"] == status


# Wrong requests


@pytest.mark.parametrize(
    ("field", "request_"),
    [
        ("options.weapon", {"action": "attack", "actor": {"health": 0}}),
        ("options.weapon", {"action": "attack", "options": {"weapon": "bow"}}),
        ("options.weapon", {"action": "attack", "actor": {"actions_left": 0}, "options": {"weapon": "bow"}}),
        ("options.weapon", {"action": "attack", "options": {"weapon": ""}}),
        ("options.cover", {"action": "attack", "options": {"cover": "low"}}),
        ("options.modifier", {"action": "attack", "options": {"modifier": 401}}),
        ("options.coverage", {"action": "attack", "options": {"coverage": "half"}}),
        ("options.rough", {"action": "move", "actor": {"health": 0}, "options": {"rough": [True]}}),
        ("options.steps[1]", {"action": "move", "options": {"steps": ["o", "x"]}}),
        ("options.move_actions[0]", {"action": "move", "options": {"move_actions": [100]}}),
        ("options.kind", {"action": "act"}),
        ("options.kind", {"action": "act", "options": {"kind": "half"}}),
        ("options.attribute", {"action": "check"}),
        ("options.attribute", {"action": "check", "options": {"attribute": "armor"}}),
        ("options.base", {"action": "check", "options": {"attribute": "aim", "base": None}}),
        ("options.contested", {"action": "psi", "options": {"contested": None}}),
        ("options.distance", {"action": "social", "options": {"distance": 401}}),
        ("options.amount", {"action": "harm"}),
        ("options.amount", {"action": "heal", "options": {"amount": -1}}),
        ("house.hit_clamp", {"action": "attack", "house": {"hit_clamp": [5]}}),
        ("house.hit_clamp", {"action": "status", "house": {"hit_clamp": [6, 5]}}),
        ("house.exposed", {"action": "attack", "house": {"exposed": True}}),
        ("actor.weapons[0].damage_range", {"action": "status", "actor": with_weapon(damage_range=7)}),
        ("actor.weapons[0].damage_base", {"action": "status", "actor": {"weapons": [{"name": "bow"}]}}),
        ("actor.mobility", {"action": "status", "actor": {"mobility": -1}}),
        ("target.cover", {"action": "status", "target": {"cover": "low"}}),
    ],
)
def test_an_invalid_value_is_an_error_with_its_field(field, request_):
    actor = {"weapons": [RIFLE, SWORD]} if field != "options.weapon" or "options" in request_ else {}
    whole = {**request_, "actor": {**actor, **request_.get("actor", {})}}
    with pytest.raises(Wrong) as error:
        resolve(GAME, whole, None)
    assert error.value.field == field


def test_a_refused_attack_takes_no_dice():
    with pytest.raises(Wrong) as error:
        ask("attack", {**RANGER, "actions_left": 0}, dice=[1])
    assert error.value.field == "dice"


def test_the_first_weapon_of_a_name_counts():
    twice = {**RANGER, "weapons": [RIFLE, {**RIFLE, "damage_base": 9}]}
    assert facts("attack", twice, weapon="rifle", dice=[1, 1])["raw"] == 3


def test_unchanged_weapons_are_returned_unchanged():
    assert ask("attack", dice=[100])["actor"]["weapons"] == [RIFLE, SWORD]
