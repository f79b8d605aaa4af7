"""Checks, turns, action points and health where the written examples do not reach."""

import pytest

from systems.contract.action import Scene
from systems.contract.table import Table
from systems.dice.scripted import ScriptedDice
from systems.errors import Wrong
from systems.schema.fields import fields_of
from systems.sheets import read_sheet

from .play import ARDEN, facts, play


def sheet(**fields):
    return read_sheet(ARDEN, fields, "actor")


def test_a_check_needs_a_dc_or_an_opponent_and_says_so_before_it_refuses():
    with pytest.raises(Wrong) as wrong:
        play("check", actor={"hp": 0}, ability="agility", defence_modifier=3)
    assert wrong.value.field == "options.dc"
    with pytest.raises(Wrong) as wrong:
        play("check", dc=10)
    assert wrong.value.field == "options.ability"


def test_the_dc_of_a_check_goes_before_the_opponent():
    target = {"abilities": {"willpower": 4}}
    options = {"ability": "charm", "defence": "willpower", "defence_modifier": 2}
    assert facts("check", 9, target=target, **options)["dc"] == 16
    assert facts("check", 9, target=target, dc=8, **options)["dc"] == 8


def test_neither_awareness_nor_armour_counts_in_a_check():
    target = {"abilities": {"defense": 4}, "awareness": "unconscious", "armor": 9, "hp": 0}
    got = facts("check", 12, target=target, ability="attack", defence="defense", effect_modifier=3)
    assert (got["dc"], got["effectiveness"], got["damage"]) == (14, 15, 0)


def test_a_failed_check_ends_the_turn_leaves_the_target_and_opens_no_counterattack():
    target = {"awareness": "flat_footed"}
    answer = play("check", 1, target=target, ability="stealth", defence="perception")
    assert answer["facts"]["result"] == "critical_miss"
    assert answer["facts"]["counter"] is False
    assert answer["actor"]["turn_over"] is True
    assert answer["target"] == play("check", 15, target=target, ability="x", dc=1)["target"]


def test_matches_pass_checks_by_house_rule():
    assert facts("check", 9, ability="agility", dc=9)["passed"] is False
    assert facts("check", 9, ability="agility", dc=9, house={"match_hits": True})["passed"] is True


def test_split_attention_lowers_a_check():
    got = facts("check", 12, ability="agility", dc=9, split_minor=True)
    assert (got["score"], got["effectiveness"]) == (10, 10)


@pytest.mark.parametrize(
    ("actor", "reason"),
    [
        ({"hp": 0, "turn_over": True, "ap": 0, "moves": 1}, "status"),
        ({"turn_over": True, "ap": 0, "moves": 1}, "turn_over"),
        ({"ap": 0, "moves": 1}, "speed"),
        ({"ap": 0, "moves": 1, "abilities": {"speed": 3}}, "ap"),
    ],
)
def test_a_move_is_refused_for_the_first_reason_that_holds(actor, reason):
    assert facts("move", actor=actor, spaces=3) == {"refused": reason}


def test_a_slow_combatant_may_be_unable_to_move():
    slow = {"abilities": {"speed": -2}}
    assert facts("move", actor=slow, spaces=0) == {"refused": "speed"}
    assert facts("move", spaces=0) == {"cost": 0}


def test_a_second_move_with_the_last_point_ends_the_turn():
    after = play("move", actor={"ap": 1, "moves": 1}, spaces=0)["actor"]
    assert (after["ap"], after["moves"], after["turn_over"], after["exhausted"]) == (0, 2, True, True)
    assert after["capacity"] == 2


def test_a_free_action_has_no_effect_of_0_points():
    answer = play("move", actor={"ap": 0}, spaces=0)
    assert answer["facts"] == {"cost": 0}
    assert (answer["actor"]["turn_over"], answer["actor"]["exhausted"]) == (False, False)
    assert "out of AP" not in answer["text"]


def test_only_paying_the_last_point_has_the_effects_of_0_points():
    answer = play("move", actor={"ap": 1, "moves": 1}, spaces=0)
    assert answer["facts"] == {"cost": 1}
    assert (answer["actor"]["turn_over"], answer["actor"]["exhausted"]) == (True, True)


@pytest.mark.parametrize(
    ("actor", "reason"),
    [
        ({"hp": 0, "turn_over": True, "ap": 0, "minors": 2}, "status"),
        ({"turn_over": True, "ap": 0, "minors": 2}, "turn_over"),
        ({"ap": 0, "minors": 2}, "ap"),
    ],
)
def test_a_minor_action_is_refused_for_the_first_reason_that_holds(actor, reason):
    assert facts("minor", actor=actor) == {"refused": reason}


def test_two_minor_actions_are_free_and_none_is_a_major_one():
    assert facts("minor", actor={"minors": 1}) == {"cost": 0}
    answer = play("minor", actor={"minors": 2})
    assert answer["facts"] == {"cost": 1}
    assert (answer["actor"]["minors"], answer["actor"]["acted"]) == (3, False)


@pytest.mark.parametrize(
    ("actor", "reason"),
    [
        ({"hp": 0, "turn_over": True, "acted": True}, "status"),
        ({"turn_over": True, "acted": True}, "turn_over"),
        ({"acted": True}, "acted"),
    ],
)
def test_a_rest_is_refused_for_the_first_reason_that_holds(actor, reason):
    assert facts("rest", actor=actor) == {"refused": reason}


def test_a_move_forbids_other_actions_for_the_rest_of_the_turn():
    moved = play("move", spaces=0)["actor"]
    assert facts("rest", actor=moved) == {"refused": "acted"}


@pytest.mark.parametrize("action", ["rest", "turn_end"])
def test_recovery_stops_at_the_capacity_and_lowers_nothing(action):
    assert play(action, actor={"capacity": 3, "ap": 2})["actor"]["ap"] == 3
    full = play(action, actor={"capacity": 3, "ap": 4})
    assert full["facts"] == {"regained": 0}
    assert (full["actor"]["ap"], full["actor"]["turn_over"]) == (4, True)


def test_the_unconscious_recover_action_points_too():
    assert facts("turn_end", actor={"hp": 0, "ap": 1}) == {"regained": 1}


@pytest.mark.parametrize(
    ("max_ap", "rounding", "capacity"),
    [(1, "down", 1), (1, "up", 1), (5, "down", 2), (5, "up", 3), (6, "up", 3), (99, "down", 49)],
)
def test_the_capacity_is_halved_and_never_nothing(max_ap, rounding, capacity):
    house = {"ap_half_rounding": rounding}
    after = play("attack", 20, actor={"max_ap": max_ap, "ap": 1}, house=house)["actor"]
    assert (after["capacity"], after["exhausted"]) == (capacity, True)


def test_the_maximum_is_halved_not_the_capacity():
    assert play("attack", 20, actor={"max_ap": 9, "capacity": 3, "ap": 1})["actor"]["capacity"] == 4


def test_running_out_again_does_not_halve_again():
    after = play("attack", 20, actor={"max_ap": 9, "capacity": 4, "ap": 1, "exhausted": True})["actor"]
    assert (after["ap"], after["capacity"], after["turn_over"]) == (0, 4, True)


def test_a_turn_resets_its_values_and_the_end_of_the_encounter_clears_exhaustion():
    tired = {"moves": 2, "minors": 3, "acted": True, "turn_over": True, "exhausted": True, "capacity": 2}
    after = play("turn_start", actor=tired)["actor"]
    assert [after[name] for name in ("moves", "minors", "acted", "turn_over")] == [0, 0, False, False]
    assert (after["capacity"], after["exhausted"]) == (2, True)
    rested = play("encounter_end", actor=tired)["actor"]
    assert (rested["capacity"], rested["exhausted"], rested["ap"]) == (5, False, 2)
    assert play("encounter_end", actor={"max_ap": 5, "capacity": 9})["actor"]["capacity"] == 5


def test_harm_stops_at_nothing_and_healing_at_the_maximum():
    assert play("harm", actor={"hp": 2}, amount=999)["facts"] == {"damage": 2}
    assert play("heal", actor={"hp": 2}, amount=999)["actor"]["hp"] == 5
    above = play("heal", actor={"hp": 9}, amount=3)
    assert (above["facts"], above["actor"]["hp"]) == ({"healed": 0}, 9)


def test_healing_wakes_a_combatant_that_only_lacked_health_points():
    assert play("heal", actor={"hp": 0}, amount=1)["actor"]["status"] == "active"
    asleep = play("heal", actor={"hp": 0, "awareness": "unconscious"}, amount=1)
    assert asleep["actor"]["status"] == "unconscious"
    assert "conscious again" not in asleep["text"]


@pytest.mark.parametrize(
    ("actor", "status"),
    [
        ({"hp": 0, "restrained": True}, "unconscious"),
        ({"awareness": "unconscious"}, "unconscious"),
        ({"restrained": True}, "restrained"),
        ({"awareness": "flat_footed"}, "active"),
    ],
)
def test_the_status_follows_from_the_sheet(actor, status):
    answer = play("status", actor=actor)
    assert answer["actor"]["status"] == status
    assert answer["facts"]["can_act"] is (status != "unconscious")


@pytest.mark.parametrize("bands", [[], [1, 2], [1, 2, 3, 4]])
def test_a_weapon_has_three_bands(bands):
    with pytest.raises(Wrong) as wrong:
        play("status", actor={"weapons": [{"name": "sword", "bands": bands}]})
    assert wrong.value.field == "actor.weapons[0].bands"


def test_weapons_keep_their_given_fields():
    weapons = [{"name": "club"}, {"name": "bow", "bands": [0, 1, 3]}]
    assert play("attack", 12, actor={"weapons": weapons}, weapon="bow")["actor"]["weapons"] == weapons


def test_initiative_is_a_die_and_speed_and_ties_go_to_the_faster():
    ilsa = sheet(abilities={"speed": 4})
    assert ARDEN.initiative.score(ilsa, Table(ScriptedDice([11]))) == 15
    assert ARDEN.initiative.tie(ilsa) == 4
    assert ARDEN.initiative.roll_off == 0


def test_a_glance_shows_armour_exhaustion_and_awareness():
    house = ARDEN.house()
    tired = sheet(armor=1, exhausted=True, capacity=2, awareness="flat_footed", turn_over=True)
    assert [mark.text for mark in ARDEN.glance(tired, house)] == [
        "armour 1",
        "exhausted",
        "flat-footed",
        "turn over",
    ]
    assert ARDEN.glance(sheet(), house) == ()
    assert ARDEN.glance(sheet(hp=0, awareness="alert", turn_over=True), house) == ()


def test_a_turn_is_briefed_with_the_important_facts():
    house = ARDEN.house()
    assert ARDEN.brief(sheet(hp=0), house) == ("Unconscious, cannot act",)
    held = sheet(ap=1, exhausted=True, capacity=2, awareness="alert", restrained=True)
    assert ARDEN.brief(held, house) == (
        "1 of 5 action points",
        "Exhausted: at most 2 action points",
        "Alert",
        "Restrained by a grapple",
    )

    assert "Exhausted: at most 1 action point" in ARDEN.brief(sheet(ap=1, exhausted=True, capacity=1), house)


def test_worked_out_figures_are_the_sums_of_their_terms():
    for figure in ARDEN.figures(sheet(abilities={"defense": 3}, awareness="flat_footed"), ARDEN.house()):
        if figure.terms:
            assert figure.value == sum(term.value for term in figure.terms)
    strong = sheet(abilities={"endurance": 2})
    shown = {one.label: one.value for one in ARDEN.figures(strong, ARDEN.house())}
    assert shown["DC against grappling"] == 12
    assert (shown["free moves"], shown["capacity when exhausted"]) == (1, 2)


def test_conditions_name_options_and_fields_that_are_there():
    for condition in ARDEN.conditions:
        assert not condition.field or condition.field in fields_of(ARDEN.sheet)
        for effect in condition.effects:
            assert effect.option in fields_of(ARDEN.action(effect.action).options)


def test_an_unnamed_actor_is_refused_in_whole_sentences():
    scene = Scene(sheet(hp=0), sheet(), ARDEN.action("rest").options(), ARDEN.house(), "Ilsa", "Bandit")
    outcome = ARDEN.action("rest").run(scene, Table(ScriptedDice([])))
    assert outcome.tell().text == "Ilsa is unconscious and cannot act."
