"""The open-ended die, checks and contests."""

import pytest

from systems.commands.dispatcher import perform
from systems.commands.table import parse
from systems.contract.table import NeedsChoice, ScriptedChoices, Table
from systems.dice.scripted import ScriptedDice
from tests.systems.fight import Fight

from .asking import GUARD, OKADO, asked, scene_of


def checked(*, dice, actor=OKADO, house=None, **options):
    return asked("check", actor, dice=dice, house=house, **options)["facts"]


@pytest.mark.parametrize(
    ("dice", "luck"), [([2], 2), ([19], 19), ([1, 1], -1), ([1, 20], -20), ([20, 1], 21), ([20, 20], 40)]
)
def test_the_die_is_open_at_both_ends_once(dice, luck):
    assert asked("roll", dice=dice)["facts"] == {"luck": luck}


def test_a_check_reports_all_its_facts():
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


def test_a_contest_asks_each_side_for_the_trait_that_replaces_a_missing_ability():
    request = {"action": "contest", "actor": {"name": "Okado"}, "target": {"name": "Guard"}}
    action, scene = scene_of({**request, "options": {"ability": "stealth", "defence_ability": "perception"}})
    with pytest.raises(NeedsChoice) as asks:
        action.run(scene, Table(ScriptedDice([]), ScriptedChoices(["none"])))
    assert (asks.value.request.question, asks.value.request.of) == (
        "Which trait replaces perception where it is not learned?",
        "target",
    )
    # Named for the actor it holds for both, and nobody is asked again.
    named = {"ability": "stealth", "trait": "mind"}
    action, scene = scene_of({**request, "options": named})
    assert action.run(scene, Table(ScriptedDice([5, 5]), ScriptedChoices([]))).facts["winner"] == "none"


def test_a_check_by_several_asks_once_for_the_trait_that_replaces_an_unlearned_ability():
    fight = Fight("atlantis", "add okado", "add guard", "start")
    command = parse("check ability=stealth threshold=10 by okado,guard", fight.game)
    answers = ScriptedChoices(["mind"])
    done = perform(fight.encounter, fight.log, fight.roster, command, ScriptedDice([10, 10]), answers)
    assert [answer.value for answer in done.answers] == ["mind"]
    labels = [result.terms[0].label for result in done.results]
    assert labels == ["mind, untrained in stealth"] * 2


def test_a_player_character_may_learn_an_untrained_ability_it_used_with_success():
    def learns(action, dice, target=None, **options):
        actor = {**OKADO, "may_learn": ["lore"]}
        return asked(action, actor, target, dice=dice, **options)["actor"]["may_learn"]

    athletics = {"ability": "athletics", "threshold": 10}
    assert learns("check", [10], **athletics) == ["lore", "athletics"]
    assert learns("check", [9], **athletics) == ["lore"]
    assert learns("check", [10], ability="Lore", threshold=10) == ["lore"]
    assert learns("check", [10], ability="melee", threshold=10) == ["lore"]
    assert learns("contest", [10, 5], GUARD, ability="stealth") == ["lore", "stealth"]
    assert learns("contest", [5, 10], GUARD, ability="stealth") == ["lore"]
    assert learns("attack", [9], GUARD, weapon="punch", defence="none") == ["lore"]
    assert learns("attack", [20, 9], GUARD, weapon="punch", defence="none") == ["lore", "brawl"]


def test_an_untrained_opponent_that_wins_a_contest_may_learn_and_a_foe_may_not():
    lost = asked("contest", OKADO, {**GUARD, "is_pc": True}, dice=[5, 10], ability="stealth")
    assert lost["target"]["may_learn"] == ["stealth"]
    foe = asked("contest", OKADO, {**GUARD, "is_pc": False}, dice=[5, 10], ability="stealth")
    assert foe["target"]["may_learn"] == []


@pytest.mark.parametrize(("face", "score"), [(1, 1), (10, 1), (11, 2), (26, 3), (51, 4), (76, 5), (100, 5)])
def test_a_learned_ability_begins_at_1_to_5_by_a_d100(face, score):
    learned = asked("learn", {**OKADO, "may_learn": ["lore", "stealth"]}, dice=[face])
    assert learned["actor"]["abilities"] == {**OKADO["abilities"], "lore": score}
    assert learned["actor"]["may_learn"] == ["stealth"]


def test_the_game_master_may_set_the_first_value_of_a_learned_ability():
    learned = asked("learn", {"may_learn": ["lore", "stealth"]}, dice=[], ability="Stealth", score=20)
    assert learned["actor"]["abilities"] == {"stealth": 20}


@pytest.mark.parametrize(("ability", "reason"), [("melee", "learned"), ("lore", "untried")])
def test_known_and_unused_abilities_are_not_learned(ability, reason):
    assert asked("learn", OKADO, dice=[], ability=ability)["facts"] == {"refused": reason}
    assert asked("learn", OKADO, dice=[])["facts"] == {"refused": "untried"}


def test_the_end_of_a_fight_offers_learning_and_writes_it_on_the_sheet():
    fight = Fight("atlantis", "add okado", "add guard", "start")
    fight.do("check ability=stealth threshold=2 trait=body by okado dice=19")
    assert "Okado may learn stealth." in fight.text("end")
    offer = next(offer for offer in fight.encounter.offers if offer.command)
    assert fight.text(f"{offer.command} dice=40") == "Okado learns stealth: 3."
    assert fight.sheet("okado").abilities["stealth"] == 3
    assert not fight.encounter.offers


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


def test_a_tied_contest_has_no_winner_under_any_house_rule():
    for tie_passes in (True, False):
        house = {"tie_passes": tie_passes}
        found = asked("contest", OKADO, OKADO, dice=[10, 10], ability="melee", house=house)
        assert found["facts"]["winner"] == "none"
        assert "ties the melee contest" in found["text"]


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
