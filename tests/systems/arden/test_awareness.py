"""The unready, the warned, and who may strike back or notice, where the written examples do not reach."""

import pytest

from systems.contract.table import ScriptedChoices, Suggested, Table, WrongChoice
from systems.dice.scripted import ScriptedDice

from .play import facts, play, request, scene_of


@pytest.mark.parametrize(
    ("defense", "awareness", "lower", "fixed"),
    [
        (3, "aware", 13, 13),
        (3, "alert", 13, 13),
        (3, "flat_footed", 10, 10),
        (-2, "flat_footed", 8, 10),
        (3, "unconscious", 5, 5),
        (-9, "unconscious", 1, 5),
    ],
)
def test_being_unready_lowers_the_dc(defense, awareness, lower, fixed):
    target = {"abilities": {"defense": defense}, "awareness": awareness}
    assert facts("attack", 20, target=target)["dc"] == lower
    assert facts("attack", 20, target=target, house={"flat_footed": "fixed"})["dc"] == fixed
    assert facts("attack", 20, target=target, defence_modifier=3)["dc"] == lower + 3
    assert facts("status", actor=target)["defense_dc"] == lower
    assert facts("status", actor=target, house={"flat_footed": "fixed"})["defense_dc"] == fixed


def test_the_flat_footed_have_dc_10_against_a_grapple_too():
    target = {"abilities": {"endurance": 4}, "awareness": "flat_footed"}
    assert facts("attack", 20, target=target, style="grappling")["dc"] == 10


def test_nobody_without_health_points_is_anything_but_unconscious():
    target = {"abilities": {"defense": 5}, "hp": 0, "awareness": "flat_footed"}
    answer = play("attack", 1, target=target)
    assert answer["facts"]["dc"] == 5
    assert answer["facts"]["counter"] is False
    assert answer["target"]["awareness"] == "flat_footed"
    assert facts("attack", 1, target={"hp": 0})["counter"] is False


def test_with_a_given_dc_neither_the_defence_nor_its_modifier_matters():
    target = {"abilities": {"defense": 9}, "awareness": "unconscious"}
    assert facts("attack", 4, target=target, dc=30, defence_modifier=7, defence="agility")["dc"] == 30
    assert facts("attack", 4, target=target, dc=-99)["dc"] == -99


def test_the_game_master_decides_the_effect_of_a_miss_on_the_flat_footed():
    target = {"awareness": "flat_footed"}
    assert play("attack", 1, target=target)["target"]["awareness"] == "alert"
    assert play("attack", 1, target=target, graduates_to="aware")["target"]["awareness"] == "aware"
    assert play("counter", 1, target=target, graduates_to="aware")["target"]["awareness"] == "aware"


def test_a_hit_keeps_a_target_flat_footed_if_no_question_is_asked():
    target = {"awareness": "flat_footed"}
    assert play("attack", 20, target=target)["target"]["awareness"] == "flat_footed"
    assert play("attack", 20, target=target, graduates_to="aware")["target"]["awareness"] == "flat_footed"


@pytest.mark.parametrize(
    ("choices", "after"), [(Suggested(), "alert"), (ScriptedChoices(["aware"]), "aware")]
)
def test_in_play_a_question_is_asked_about_the_flat_footed_after_a_hit(choices, after):
    action, scene = scene_of(request("attack", target={"awareness": "flat_footed"}))
    outcome = action.run(scene, Table(ScriptedDice([12]), choices))
    assert outcome.changes["target"]["awareness"] == after


def test_in_play_no_question_is_asked_about_a_target_that_drops():
    action, scene = scene_of(request("attack", target={"awareness": "flat_footed", "hp": 2}))
    outcome = action.run(scene, Table(ScriptedDice([12]), ScriptedChoices([])))
    assert outcome.changes["target"] == {"hp": 0}


def test_in_play_an_option_answers_the_question_about_the_flat_footed_after_a_miss():
    target = {"awareness": "flat_footed"}
    action, scene = scene_of(request("attack", target=target, graduates_to="aware"))
    outcome = action.run(scene, Table(ScriptedDice([1]), ScriptedChoices([])))
    assert outcome.changes["target"]["awareness"] == "aware"


@pytest.mark.parametrize(
    ("distance", "said", "counter"),
    [(1, None, True), (2, None, False), (1, False, False), (2, True, True)],
)
def test_a_critical_miss_within_reach_allows_a_counterattack(distance, said, counter):
    options = {"distance": distance} | ({} if said is None else {"in_target_range": said})
    answer = play("attack", 1, actor={"name": "Ilsa"}, target={"name": "Bandit"}, **options)
    assert answer["facts"]["counter"] is counter
    offer = {
        "text": "Bandit may strike back at Ilsa.",
        "action": "counter",
        "by": "target",
        "target": "actor",
    }
    offer |= {"options": {"distance": distance}} if distance > 1 else {}
    assert answer["asks"] == ([offer] if counter else [])


@pytest.mark.parametrize(
    ("actor", "reason"),
    [
        ({"hp": 0, "awareness": "alert"}, "status"),
        ({"awareness": "unconscious"}, "status"),
        ({"awareness": "alert"}, "awareness"),
        ({"awareness": "flat_footed"}, "awareness"),
    ],
)
def test_only_the_aware_strike_back(actor, reason):
    assert facts("counter", actor=actor) == {"refused": reason}


def test_alert_and_beaten_means_the_attacker_goes_first():
    for awareness, first in (("alert", True), ("aware", False)):
        answer = play("perception", 5, actor={"awareness": awareness}, dc=10)
        assert answer["facts"] == {"score": 5, "passed": False, "attacker_first": first}
        assert len(answer["asks"]) == first


def test_perception_must_beat_its_dc_and_takes_a_modifier():
    actor = {"abilities": {"perception": 2}, "awareness": "alert"}
    assert facts("perception", 5, actor=actor, dc=9, modifier=3)["passed"] is True
    equal = facts("perception", 5, actor=actor, dc=7, house={"match_hits": True})
    assert (equal["passed"], equal["attacker_first"]) == (False, True)


@pytest.mark.parametrize("actor", [{"hp": 0}, {"awareness": "flat_footed"}, {"awareness": "unconscious"}])
def test_a_combatant_that_cannot_notice_rolls_no_perception(actor):
    assert facts("perception", actor=actor, dc=5) == {"refused": "awareness"}


def blow(*dice, choices=None, agility=2, **options):
    target = {"awareness": "alert", "abilities": {"perception": 3, "defense": 1}, "hp": 5}
    actor = {"abilities": {"agility": agility, "attack": 3}}
    action, scene = scene_of(request("attack", actor=actor, target=target, **options))
    return action.run(scene, Table(ScriptedDice(dice), choices))


def test_in_play_an_alert_target_checks_its_perception_before_the_blow():
    asked = []

    class Asked(Suggested):
        def answer(self, question, choices, of, suggest, id=""):
            asked.append((question, choices, suggest))
            return suggest

    seen = blow(10, 12, choices=Asked())
    assert asked == [
        (
            "target is alert. What must its Perception beat before the blow?",
            ("no check", "5", "10", "12", "15", "20"),
            "12",
        )
    ]
    assert seen.facts["noticed"] is True
    assert seen.changes["target"]["awareness"] == "aware"
    assert seen.tell().text.startswith("target notices actor. actor hits target")
    missed = blow(9, 12, choices=Suggested())
    assert missed.facts["noticed"] is False
    assert "awareness" not in missed.changes["target"]
    assert missed.tell().text.startswith("target notices nothing. actor hits target")


def test_only_a_combatant_that_has_noticed_may_strike_back():
    assert blow(10, 1, choices=Suggested()).facts["counter"] is True
    assert blow(9, 1, choices=Suggested()).facts["counter"] is False
    assert blow(1, choices=ScriptedChoices(["no check"])).facts["counter"] is False


def test_the_number_may_be_another_than_those_that_are_listed():
    assert blow(10, 12, choices=ScriptedChoices(["13"])).facts["noticed"] is False
    assert blow(10, 12, choices=ScriptedChoices(["11"])).facts["noticed"] is True
    for wrong in ("200", "-1", "011", "many", 11):
        with pytest.raises(WrongChoice):
            blow(10, 12, choices=ScriptedChoices([wrong]))


def test_an_option_says_the_number_and_the_rules_alone_ask_for_no_check():
    assert blow(5, 12, perception_dc=7).facts["noticed"] is True
    assert blow(4, 12, perception_dc=7).facts["noticed"] is False
    assert "noticed" not in blow(12).facts
    assert "noticed" not in facts("attack", 12, perception_dc=7)
