"""Tests, opposed tests, Mystic Tests, and the Aether Mark that rerolls a die."""

import pytest

from systems.contract.table import NeedsChoice, ScriptedChoices, Suggested, Table
from systems.dice.scripted import ScriptedDice
from systems.errors import Wrong
from systems.requests import odds
from systems.waygate.checks import DIFFICULTIES

from .play import FIREBOLT, GAME, SWORD, facts, play, rules, scene_of

LITERATE = {"int": 4, "skills": [{"name": "literacy", "attribute": "int", "training": 2}]}


@pytest.mark.parametrize(("difficulty", "value"), DIFFICULTIES.items())
def test_a_total_that_reaches_the_difficulty_passes(difficulty, value):
    options = {"difficulty": difficulty, "modifier": value - 10}
    assert facts("test", [10], options=options)["passed"]
    assert not facts("test", [9], options=options)["passed"]


def test_a_threshold_overrides_a_difficulty():
    assert facts("test", [9], options={"threshold": 5, "difficulty": "hard"})["threshold"] == 5


def test_circumstances_are_added_to_the_value_to_reach():
    options = {"difficulty": "medium", "threshold_modifier": -4}
    assert facts("test", [7], options=options) == {
        "face": 7,
        "total": 7,
        "threshold": 7,
        "passed": True,
        "auto": "none",
    }


def test_options_override_the_skill():
    actor = {**LITERATE, "wp": 1}
    options = {"skill": "literacy", "attribute": "wp", "training": 0, "threshold": 11}
    assert facts("test", [10], actor=actor, options=options)["total"] == 11


def test_helpers_are_worth_two():
    assert facts("test", [10], options={"threshold": 12, "assisted": True})["passed"]


def test_a_natural_20_is_nothing_special_outside_reactions():
    assert facts("test", [20], options={"threshold": 21})["passed"] is False
    found = facts("test", [20], options={"threshold": 21, "reaction": True})
    assert (found["passed"], found["auto"]) == (True, "success")


def test_a_natural_1_fails_a_reaction_too():
    found = facts("test", [1], options={"threshold": -9, "reaction": True})
    assert (found["passed"], found["auto"]) == (False, "fail")


@pytest.mark.parametrize(
    ("action", "request_", "field"),
    [
        ("test", {}, "options.threshold"),
        ("test", {"options": {"skill": "climb", "threshold": 9}}, "options.skill"),
        ("test", {"options": {"threshold": 200}}, "options.threshold"),
        ("test", {"options": {"attribute": "luck", "threshold": 9}}, "options.attribute"),
        ("test", {"options": {"threshold": 9, "use_aether_mark": 1}}, "options.use_aether_mark"),
        ("mystic", {}, "options.mystic"),
        ("mystic", {"options": {"mystic": 0}}, "options.mystic"),
        ("mystic", {"options": {"spell": "firebolt"}}, "options.spell"),
        ("mystic", {"options": {"spell": "firebolt", "mystic": 9}}, "options.spell"),
        ("mystic", {"actor": {"spells": [{"name": "light"}]}}, "options.mystic"),
        ("harm", {}, "options.amount"),
        ("heal", {"options": {"amount": 1000}}, "options.amount"),
        ("reload", {}, "options.weapon"),
        ("unjam", {"actor": {"weapons": [SWORD]}, "options": {"weapon": "gun"}}, "options.weapon"),
        ("status", {"house": {"dying_rounds": 0}}, "house.dying_rounds"),
        ("status", {"actor": {"aether_marks": 2}}, "actor.aether_marks"),
        ("status", {"actor": {"weapons": [{"name": "x", "damage": "2d7"}]}}, "actor.weapons[0].damage"),
        (
            "status",
            {"actor": {"weapons": [{"name": "x", "damage": "1d6", "modes": ["full"]}]}},
            "actor.weapons[0].modes[0]",
        ),
    ],
)
def test_an_invalid_request_names_the_field(action, request_, field):
    with pytest.raises(Wrong) as error:
        play(action, **request_)
    assert error.value.field == field


@pytest.mark.parametrize(
    ("action", "options", "field"),
    [
        ("test", {"use_aether_mark": True}, "options.threshold"),
        ("mystic", {"use_aether_mark": True}, "options.mystic"),
        ("attack", {"use_aether_mark": True}, "options.weapon"),
    ],
)
def test_an_error_comes_before_a_missing_mark(action, options, field):
    with pytest.raises(Wrong) as error:
        play(action, options=options)
    assert error.value.field == field


@pytest.mark.parametrize(
    ("action", "options"), [("test", {"threshold": 9}), ("opposed", {}), ("mystic", {"mystic": 9})]
)
def test_without_a_mark_no_die_is_rolled(action, options):
    answer = play(action, options={**options, "use_aether_mark": True})
    assert answer["facts"] == {"refused": "mark"}
    assert answer["rolls"] == []
    assert answer["text"]


def test_the_second_face_counts_for_everything_even_when_it_is_worse():
    actor = {"aether_marks": 1}
    found = play("mystic", [19, 1], actor=actor, options={"mystic": 5, "use_aether_mark": True})
    assert found["facts"] == {"face": 1, "total": 1, "passed": False, "mayhem": True}
    assert found["actor"]["aether_marks"] == 0
    assert [term["value"] for term in found["terms"]] == [0, 0, 1]


def test_a_held_mark_is_asked_for_once_the_die_has_failed():
    request = {"action": "test", "actor": {"aether_marks": 1}, "options": {"threshold": 10}}
    action, scene = scene_of(request)
    with pytest.raises(NeedsChoice) as asked:
        action.run(scene, Table(ScriptedDice([9]), ScriptedChoices([])))
    assert asked.value.request.question == "9 against 10. Spend the Aether Mark?"
    assert asked.value.request.suggest is False
    spent = action.run(scene, Table(ScriptedDice([9, 10]), ScriptedChoices([True])))
    assert (spent.facts["passed"], spent.changes["actor"]) == (True, {"aether_marks": 0})
    kept = action.run(scene, Table(ScriptedDice([9]), Suggested()))
    assert (kept.facts["passed"], kept.changes["actor"]) == (False, {})


def test_no_question_is_asked_for_a_good_die_a_used_mark_or_a_given_answer():
    def quiet(face, actor, **options):
        request = {"action": "test", "actor": actor, "options": {"threshold": 10, **options}}
        action, scene = scene_of(request)
        return action.run(scene, Table(ScriptedDice([face]), ScriptedChoices([])))

    assert quiet(10, {"aether_marks": 1}).facts["passed"]
    assert not quiet(9, {}).facts["passed"]
    assert not quiet(9, {"aether_marks": 1}, use_aether_mark=False).facts["passed"]


def test_the_mark_can_be_spent_when_an_opposed_test_is_being_lost():
    action, scene = scene_of({"action": "opposed", "actor": {"aether_marks": 1}})
    spent = action.run(scene, Table(ScriptedDice([5, 9, 9, 3, 2]), ScriptedChoices([True])))
    assert spent.facts["attempts"] == 2
    assert spent.changes["actor"] == {"aether_marks": 0}
    won = action.run(scene, Table(ScriptedDice([9, 5]), ScriptedChoices([])))
    assert won.changes["actor"] == {}


def test_a_mark_rerolls_the_first_attempt_only():
    found = play("opposed", [2, 9, 9, 4, 3], actor={"aether_marks": 1}, options={"use_aether_mark": True})
    assert (found["facts"]["attempts"], found["facts"]["face"]) == (2, 4)
    assert found["actor"]["aether_marks"] == 0


@pytest.mark.parametrize(
    ("dice", "modifier", "winner", "by"),
    [
        ([20, 1], 0, "actor", "natural"),
        ([1, 20], 40, "target", "natural"),
        ([7, 1], -20, "actor", "natural"),
        ([7, 20], 40, "target", "natural"),
        ([20, 20], -1, "target", "total"),
        ([1, 1], 1, "actor", "total"),
        ([8, 9], 1, "target", "die"),
        ([9, 8], -1, "actor", "die"),
    ],
)
def test_an_opposed_test_has_a_winner_and_a_reason(dice, modifier, winner, by):
    found = facts("opposed", dice, options={"modifier": modifier})
    assert (found["winner"], found["decided_by"], found["attempts"]) == (winner, by, 1)


@pytest.mark.parametrize("face", [1, 20])
def test_the_same_natural_face_on_both_sides_starts_over(face):
    assert facts("opposed", [face, face, 5, 4])["attempts"] == 2


def test_the_opponent_uses_the_same_attribute_unless_another_is_named():
    target = {"int": 5, "wp": 7}
    assert facts("opposed", [9, 9], target=target, options={"attribute": "int"})["opposed_total"] == 14
    options = {"attribute": "int", "target_attribute": "wp"}
    assert facts("opposed", [9, 9], target=target, options=options)["opposed_total"] == 16


def test_attempts_are_left_out_of_the_odds():
    assert "attempts" not in odds(GAME, {"action": "opposed"})["facts"]


def test_the_first_spell_is_cast_when_neither_spell_nor_value_is_named():
    actor = {"magic": 2, "spells": [FIREBOLT, {"name": "heal", "mystic": 8}]}
    assert facts("mystic", [8], actor=actor)["passed"] is False
    assert facts("mystic", [8], actor=actor, options={"spell": "heal"})["passed"] is True
    assert facts("mystic", [8], actor=actor, options={"spell": "heal", "mystic": 12})["passed"] is False


@pytest.mark.parametrize(
    ("house", "total", "mayhem"),
    [
        ("at_or_below_half", 6, True),
        ("at_or_below_half", 7, False),
        ("below_half", 6, False),
        ("below_half", 5, True),
    ],
)
def test_mayhem_at_half_of_the_mystic_test(house, total, mayhem):
    found = play("mystic", [total], options={"mystic": 13}, house={"mayhem_at": house})
    assert found["facts"]["mayhem"] is mayhem
    assert bool(found["asks"]) is mayhem


@pytest.mark.parametrize(
    ("action", "dice", "options", "named"),
    [
        ("test", [9], {"threshold": 9}, "01 02"),
        ("test", [9], {"difficulty": "hard", "threshold_modifier": 2, "assisted": True}, "01 02 03 04 11"),
        ("test", [20], {"threshold": 9, "reaction": True}, "02 55"),
        ("test", [9, 1], {"threshold": 9, "use_aether_mark": True}, "02 49 57"),
        ("opposed", [9, 8], {}, "36"),
        ("opposed", [9, 9], {"modifier": -1}, "36"),
        ("opposed", [9, 9, 20, 1], {}, "36 38 55 57"),
        ("opposed", [9, 8], {"modifier": -1}, "36 37"),
        ("mystic", [9], {"mystic": 9}, "N4"),
        ("mystic", [4], {"mystic": 9}, "19 N4"),
        ("mystic", [1], {"mystic": 9}, "20 57"),
    ],
)
def test_the_rules_that_counted_are_named_and_no_others(action, dice, options, named):
    found = rules(action, dice, actor={"aether_marks": 1}, options=options)
    assert found == tuple(f"WAY-{one}" for one in named.split())


SNEAK = {"skills": [{"name": "sneak", "attribute": "dex", "training": 2}], "dex": 3}


def test_skills_count_in_an_opposed_test():
    found = facts(
        "opposed", [9, 8], actor=SNEAK, target=SNEAK, options={"skill": "sneak", "target_skill": "sneak"}
    )
    assert (found["total"], found["opposed_total"]) == (14, 13)


def test_the_target_of_a_skill_meets_it_with_the_same_attribute():
    found = facts("opposed", [9, 8], actor=SNEAK, target={"dex": 4}, options={"skill": "sneak"})
    assert (found["total"], found["opposed_total"]) == (14, 12)


def test_a_skill_takes_the_place_of_the_attribute():
    with pytest.raises(Wrong) as error:
        play("opposed", actor=SNEAK, options={"skill": "sneak", "attribute": "dex"})
    assert error.value.field == "options.attribute"
    with pytest.raises(Wrong) as error:
        play("opposed", options={"target_skill": "sneak"})
    assert error.value.field == "options.target_skill"


def test_the_targets_second_die_is_rolled_after_the_actors():
    both = {"use_aether_mark": True, "target_use_aether_mark": True}
    found = play("opposed", [2, 3, 9, 8], actor={"aether_marks": 1}, target={"aether_marks": 1}, options=both)
    assert (found["facts"]["face"], found["facts"]["opposed_face"]) == (9, 8)
    assert (found["actor"]["aether_marks"], found["target"]["aether_marks"]) == (0, 0)
    refused = facts("opposed", options={"target_use_aether_mark": True})
    assert refused == {"refused": "target_mark"}


def test_the_target_is_asked_for_its_mark_when_it_is_losing():
    action, scene = scene_of({"action": "opposed", "target": {"aether_marks": 1}})
    spent = action.run(scene, Table(ScriptedDice([9, 5, 12]), ScriptedChoices([True])))
    assert (spent.facts["winner"], spent.changes["target"]) == ("target", {"aether_marks": 0})
    won = action.run(scene, Table(ScriptedDice([5, 9]), ScriptedChoices([])))
    assert won.changes["target"] == {}


def test_the_list_of_targets_shows_the_chance_to_win_an_opposed_test():
    action = GAME.action("opposed")
    assert (action.success, action.succeeds("actor"), action.succeeds("target")) == ("winner", True, False)


def test_an_opposed_test_without_attribute_or_skill_uses_luck():
    told = play("opposed", [9, 5], actor={"name": "Villy"}, target={"name": "Aryk"})["text"]
    assert told == "Villy's luck beats Aryk's luck. 9 against 5, decided by the total."
