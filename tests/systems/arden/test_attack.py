"""Attacks, counterattacks and awareness where the written examples do not reach."""

import pytest

from systems.contract.table import Table
from systems.dice.scripted import ScriptedDice
from systems.encounter.lookup import single
from systems.errors import Wrong
from tests.systems.fight import Fight

from .play import ARDEN, SWORD, facts, play, request, scene_of

SPEAR = {"name": "spear", "ability": "reach", "bands": [4, 2, -1]}


def test_the_weapon_says_which_ability_strikes_and_the_option_goes_before_it():
    actor = {"abilities": {"reach": 3, "attack": 1}, "weapons": [SPEAR]}
    assert facts("attack", 8, actor=actor)["score"] == 11
    assert facts("attack", 8, actor=actor, ability="attack")["score"] == 9
    assert facts("attack", 8, actor=actor, weapon="unarmed")["score"] == 9
    assert facts("attack", 8, actor=actor, ability="unheard of")["score"] == 8


@pytest.mark.parametrize(("distance", "effectiveness"), [(1, 14), (2, 12), (3, 9), (99, 9)])
def test_each_range_has_its_band(distance, effectiveness):
    assert (
        facts("attack", 10, actor={"weapons": [SPEAR]}, distance=distance)["effectiveness"] == effectiveness
    )


def test_the_first_weapon_of_a_name_counts():
    actor = {"weapons": [{**SWORD, "name": "bow"}, SWORD, {**SWORD, "bands": [9, 9, 9]}]}
    assert facts("attack", 10, actor=actor, weapon="sword")["effectiveness"] == 13


def test_a_weapon_called_unarmed_goes_before_bare_hands():
    actor = {"weapons": [SWORD, {"name": "unarmed", "bands": [1, 1, 1]}]}
    assert facts("attack", 10, actor=actor, weapon="unarmed")["effectiveness"] == 11


def test_an_unknown_weapon_is_an_error_before_any_refusal():
    for action in ("attack", "counter"):
        with pytest.raises(Wrong) as wrong:
            play(action, actor={"hp": 0, "weapons": [SWORD]}, weapon="bow")
        assert wrong.value.field == "options.weapon"
        assert "sword" in wrong.value.message


def test_a_weapon_that_is_listed_twice_is_named_once():
    with pytest.raises(Wrong) as wrong:
        play("attack", actor={"weapons": [SWORD, SWORD, {"name": "unarmed"}]}, weapon="halberd")
    assert wrong.value.message == 'no weapon "halberd"; known: sword, unarmed'


@pytest.mark.parametrize(
    ("style", "ability", "against"),
    [
        ("striking", "attack", "defense"),
        ("grappling", "agility", "endurance"),
        ("piercing", "precision", "defense"),
    ],
)
def test_each_style_has_its_ability_and_its_opposing_ability(style, ability, against):
    got = facts(
        "attack", 1, actor={"abilities": {ability: 5}}, target={"abilities": {against: 7}}, style=style
    )
    assert (got["score"], got["dc"]) == (6, 17)


def test_another_ability_defends_when_the_game_master_says_so():
    target = {"abilities": {"agility": 4}}
    assert facts("attack", 5, target=target, style="grappling", defence="agility")["dc"] == 14


def test_a_grapple_that_hits_holds_and_does_no_damage():
    answer = play("attack", 20, target={"max_hp": 4}, style="grappling")
    assert answer["facts"]["result"] == "perfect_hit"
    assert answer["facts"]["damage"] == 0
    assert (answer["target"]["hp"], answer["target"]["restrained"]) == (4, True)
    assert answer["target"]["status"] == "restrained"
    assert "restrained" in answer["text"]


def test_a_grapple_can_be_countered_and_holds_nobody_when_it_misses():
    answer = play("attack", 5, style="grappling")
    assert answer["facts"]["counter"] is True
    assert answer["target"]["restrained"] is False


@pytest.mark.parametrize(("armor", "damage"), [(0, 2), (1, 1), (9, 1), (99, 1)])
def test_a_piercing_hit_counts_as_ten_before_armour(armor, damage):
    got = facts("attack", 3, actor={"abilities": {"precision": 9}}, target={"armor": armor}, style="piercing")
    assert (got["effectiveness"], got["damage"]) == (10 - armor, damage)


def test_split_attention_is_taken_off_before_the_least_of_a_piercing_hit():
    got = facts("attack", 11, actor={"abilities": {"precision": 9}}, style="piercing", split_minor=True)
    assert (got["score"], got["effectiveness"]) == (18, 10)
    got = facts("attack", 13, actor={"abilities": {"precision": 9}}, style="piercing", split_minor=True)
    assert got["effectiveness"] == 11


def test_a_piercing_match_misses_even_if_matches_hit():
    answer = play(
        "attack", 5, actor={"abilities": {"precision": 5}}, style="piercing", house={"match_hits": True}
    )
    assert answer["facts"]["result"] == "critical_miss"
    assert answer["actor"]["turn_over"] is True


def test_a_piercing_match_is_reported_as_a_match():
    told = play("attack", 11, actor={"abilities": {"precision": 0}}, target={}, style="piercing")["text"]
    assert "11 against 10, effectiveness 11" in told
    told = play("attack", 10, actor={"abilities": {"precision": 0}}, target={}, style="piercing")["text"]
    assert "10 against 10, a match, which misses when piercing, effectiveness 10" in told


def test_a_piercing_match_warns_the_flat_footed():
    answer = play("attack", 10, target={"awareness": "flat_footed"}, style="piercing")
    assert answer["facts"]["result"] == "miss"
    assert answer["target"]["awareness"] == "alert"


def test_a_match_with_a_low_effectiveness_is_only_a_match():
    answer = play("attack", 2, actor={"abilities": {"attack": 8}}, target={"armor": 5})
    assert answer["facts"]["effectiveness"] == -3
    assert answer["facts"]["result"] == "match"
    assert answer["actor"]["turn_over"] is False


def test_if_matches_hit_the_effectiveness_grades_the_hit():
    got = facts("attack", 15, dc=15, house={"match_hits": True})
    assert (got["result"], got["hit"], got["damage"]) == ("critical_hit", True, 3)


def test_split_attention_may_touch_the_score_alone():
    both = facts("attack", 12, split_minor=True)
    alone = facts("attack", 12, split_minor=True, house={"split_scope": "action"})
    assert (both["score"], both["effectiveness"]) == (10, 10)
    assert (alone["score"], alone["effectiveness"]) == (10, 12)


def test_an_ordinary_miss_offers_no_counterattack():
    assert facts("attack", 6)["result"] == "miss"
    assert facts("attack", 6)["counter"] is False


def test_outside_encounters_nothing_is_paid_and_no_turn_ends():
    actor = {"ap": 0, "turn_over": True}
    answer = play("attack", 1, actor=actor, encounter=False)
    assert answer["facts"]["result"] == "critical_miss"
    assert answer["actor"]["ap"] == 0
    assert (answer["actor"]["acted"], answer["actor"]["exhausted"]) == (False, False)


@pytest.mark.parametrize(
    ("actor", "reason"),
    [
        ({"hp": 0, "turn_over": True, "ap": 0}, "status"),
        ({"awareness": "unconscious", "turn_over": True, "ap": 0}, "status"),
        ({"turn_over": True, "ap": 0}, "turn_over"),
        ({"ap": 0}, "ap"),
    ],
)
def test_attacks_and_checks_are_refused_for_the_first_reason_that_holds(actor, reason):
    assert facts("attack", actor=actor) == {"refused": reason}
    assert facts("check", actor=actor, ability="agility", dc=9) == {"refused": reason}


def test_the_unconscious_do_nothing_outside_encounters_either():
    assert facts("attack", actor={"hp": 0}, encounter=False) == {"refused": "status"}


def test_a_counterattack_is_free_and_comes_when_the_turn_is_over():
    actor = {"ap": 0, "turn_over": True, "weapons": [SWORD]}
    answer = play("counter", 12, actor=actor, target={"armor": 1})
    assert answer["facts"]["effectiveness"] == 14
    assert answer["target"]["hp"] == 3
    assert answer["actor"] == play("turn_start", actor=actor)["actor"] | {"turn_over": True}


def test_a_miss_of_a_counterattack_ends_no_turn_and_opens_no_other():
    answer = play("counter", 1)
    assert answer["facts"]["result"] == "critical_miss"
    assert answer["facts"]["counter"] is False
    assert answer["actor"]["turn_over"] is False
    assert answer["asks"] == []


def test_a_blow_at_a_target_at_0_says_that_its_health_stays_at_0():
    struck = play("attack", 15, target={"hp": 0})
    damage = struck["facts"]["damage"]
    assert struck["text"].startswith(f"actor hits target for {damage} (hp stays 0). 4 AP left. ")


def test_the_line_of_the_log_names_its_numbers():
    ilsa = {"name": "Ilsa", "abilities": {"attack": 3}, "weapons": [SWORD]}
    bandit = {"name": "Bandit 1", "abilities": {"defense": 1}, "hp": 4, "armor": 1}
    hit = play("attack", 10, actor=ilsa, target=bandit)
    assert hit["text"] == (
        "Ilsa hits Bandit 1 for 2 (hp 4 → 2). 4 AP left. 13 against 11, effectiveness 12, critical hit."
    )
    miss = play("attack", 2, actor=ilsa, target=bandit)
    assert miss["text"] == ("Ilsa misses Bandit 1. Turn over. 5 against 11, effectiveness 4, critical miss.")
    back = play("counter", 12, actor=bandit | {"armor": 0}, target=ilsa)
    assert back["text"].startswith("Bandit 1 strikes back and hits Ilsa for 2 (hp 5 → 3). 12 against 10")


def test_the_arithmetic_explains_dc_and_effectiveness():
    target = {"abilities": {"defense": 3}, "awareness": "flat_footed", "armor": 1}
    action, scene = scene_of(request("attack", target=target, style="piercing", split_minor=True))
    steps = {step.label: step for step in action.run(scene, Table(ScriptedDice([20]))).tell().steps}
    assert steps["DC"].note == "base 10, defense +3, flat-footed −3 (10 at most)"
    assert steps["effectiveness"].note == "d20 20, split attention −2, unarmed 0, armour −1"
    assert steps["hp"].value == "5 → 2"


def rules_of(action, *dice, **parts):
    run, scene = scene_of(request(action, **parts))
    return run.run(scene, Table(ScriptedDice(dice))).tell().rules


@pytest.mark.parametrize(
    ("die", "rule"),
    [
        (5, "APD-10"),
        (6, "APD-11"),
        (8, "APD-09"),
        (9, "APD-12"),
        (10, "APD-13"),
        (14, "APD-13"),
        (15, "APD-14"),
        (19, "APD-14"),
        (20, "APD-15"),
    ],
)
def test_each_degree_names_the_rule_that_decided_it(die, rule):
    named = rules_of("attack", die, actor={"abilities": {"attack": 2}})
    assert named[3] == rule


def test_counterattacks_and_running_out_of_action_points_name_their_rules():
    assert "APD-42" in rules_of("attack", 1)
    assert "APD-42" not in rules_of("attack", 1, distance=2)
    assert "APD-42" in rules_of("counter", 20)
    assert "APD-37" in rules_of("attack", 20, actor={"ap": 1})
    assert "APD-37" not in rules_of("attack", 20, actor={"ap": 2})
    assert "APD-37" not in rules_of("attack", 20, actor={"ap": 0}, encounter=False)
    assert "APD-37" in rules_of("check", 20, actor={"ap": 1}, ability="agility", dc=1)


@pytest.mark.parametrize(
    ("action", "actor", "rules"),
    [
        ("move", {}, ("APD-29",)),
        ("move", {"moves": 1}, ("R8",)),
        ("move", {"moves": 1, "ap": 1}, ("R8", "APD-37")),
        ("minor", {"minors": 1}, ("APD-33",)),
        ("minor", {"minors": 2}, ("APD-34",)),
        ("minor", {"minors": 2, "ap": 1}, ("APD-34", "APD-37")),
    ],
)
def test_free_and_paid_actions_name_their_rules(action, actor, rules):
    options = {"spaces": 0} if action == "move" else {}
    assert rules_of(action, actor=actor, **options) == rules


def test_every_action_names_its_facts_and_refusals():
    for action in ARDEN.actions:
        assert action.help
        for name in (action.success, action.amount, action.against):
            assert not name or name in action.facts


def test_the_grappler_of_a_grappled_combatant_is_known():
    fight = Fight("arden", "add okado", "add guard", "start")
    fight.do("attack guard style=grappling dice=20 by okado")
    held = single(fight.encounter, "guard")
    assert [(condition.name, condition.source) for condition in held.conditions] == [("restrained", "okado")]
    fight.do("clear guard restrained")
    assert not single(fight.encounter, "guard").sheet.restrained


def test_each_weapon_shows_its_modifier_at_that_distance():
    bow = {"name": "bow", "bands": [-1, 2, 4]}
    action, scene = scene_of(request("attack", actor={"weapons": [SWORD, bow]}, distance=2))
    assert action.notes(scene) == {
        "weapon=sword": "effectiveness +1 at 2",
        "weapon=bow": "effectiveness +2 at 2",
    }
