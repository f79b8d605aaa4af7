"""Manoeuvres, boons and banes, practice and progression that the written examples do not cover."""

import pytest

from systems.contract.outcome import Term
from systems.contract.table import ScriptedChoices, Suggested
from systems.encounter.lookup import single
from systems.errors import Wrong
from tests.systems.fight import Fight

from .play import ARMED, facts, outcome, play, request, scene_of

TRAINED = {"high_concept": 4, "lineage": -2, "expertise": 1, "willpower": 3}


def bonus(house=None, actor=None, **options):
    return facts("maneuver", 10, actor=actor, house=house, difficulty=10, **options)["bonus"]


def test_a_bonus_named_twice_counts_once():
    assert bonus(actor=TRAINED, relevant=["high_concept", "high_concept", "lineage"]) == 2


def test_an_irrelevant_bonus_is_listed_as_0():
    answer = play("maneuver", 10, actor=TRAINED, difficulty=10, relevant=["expertise"])
    assert {"label": "high concept", "value": 0, "note": "not relevant here"} in answer["terms"]
    assert answer["facts"]["bonus"] == 1


def test_everything_adds_up():
    actor = TRAINED | {"wound_banes": 2, "practiced": ["Smite"]}
    options = {"relevant": ["high_concept"], "maneuver": "Smite", "boons": [1, 2], "banes": [3]}
    assert bonus(actor=actor, save="willpower", modifier=-5, **options) == 4 + 2 + 3 - 3 - 2 + 3 - 5


@pytest.mark.parametrize(
    ("options", "practised"),
    [
        ({}, 0),
        ({"maneuver": "Block"}, 2),
        ({"maneuver": "block"}, 2),
        ({"maneuver": "Parry"}, -3),
        ({"maneuver": "Block", "practice": "modified"}, 1),
        ({"maneuver": "Block", "practice": "spontaneous"}, -3),
        ({"maneuver": "Parry", "practice": "practiced"}, 2),
    ],
)
def test_the_sheet_lists_practised_manoeuvres_unless_an_option_decides(options, practised):
    house = {"spontaneous_penalty": 3}
    expected = practised if options else -3
    assert bonus(house, {"practiced": ["Block"]}, **options) == expected


@pytest.mark.parametrize(
    ("mode", "boons", "banes", "expected"),
    [
        ("sum", [1, 2, 9], [1, 1], 10),
        ("replace", [2, 3, 1], [1, 1], 3),
        ("replace", [1, 1], [2, 1, 5], -5),
        ("cap", [9], [], 2),
        ("cap", [1, 2], [], 2),
        ("cap", [1], [9, 9], -1),
        ("cap", [1, 1, 1], [1], 1),
    ],
)
def test_boons_and_banes_stack_separately(mode, boons, banes, expected):
    assert bonus({"boon_stacking": mode}, boons=boons, banes=banes) == expected


def test_practice_is_a_large_boon_that_replaces_small_ones():
    assert bonus({"boon_stacking": "replace"}, practice="practiced", boons=[1, 1]) == 2
    assert bonus({"boon_stacking": "replace"}, practice="modified", boons=[1, 1]) == 3
    assert bonus({"boon_stacking": "cap"}, practice="practiced", boons=[2]) == 2


def test_wounds_and_lack_of_practice_are_banes_that_stack_as_banes_do():
    hurt = {"wound_banes": 3}
    assert bonus(actor=hurt, banes=[2]) == -5
    assert bonus({"boon_stacking": "replace"}, hurt, banes=[2]) == -2
    assert bonus({"boon_stacking": "cap"}, hurt) == -2
    assert bonus({"boon_stacking": "replace", "spontaneous_penalty": 4}, hurt) == -4


def test_a_bane_that_does_not_count_says_why():
    answer = play(
        "maneuver", 10, actor={"wound_banes": 1}, house={"boon_stacking": "replace"}, difficulty=1, banes=[2]
    )
    assert {"label": "wound", "value": 0, "note": "1, only large ones count"} in answer["terms"]


def test_equal_totals_pass_under_any_tie_rule_and_no_face_decides():
    for ties in ("actor", "defender"):
        assert facts("maneuver", 10, house={"ties": ties}, difficulty=10)["passed"] is True
    assert facts("maneuver", 1, difficulty=-99)["passed"] is True
    assert facts("maneuver", 20, difficulty=199) == {
        "bonus": 0,
        "total": 20,
        "degree": -179,
        "passed": False,
    }


def test_the_dead_roll_too_when_the_game_master_says_so():
    assert facts("maneuver", 10, actor={"status": "dead"}, difficulty=10)["passed"] is True


def test_the_line_of_the_log_names_its_numbers():
    knight = {"name": "The Black Knight", "practiced": ["Riposte"], "fortitude": 3}
    assert (
        play("maneuver", 9, actor=knight, difficulty=12, maneuver="Riposte")["text"]
        == "The Black Knight fails the Riposte manoeuvre. 11 against 12, degree −1."
    )
    assert (
        play("maneuver", 9, actor=knight, difficulty=12, save="fortitude")["text"]
        == "The Black Knight passes the Fortitude save. 12 against 12, degree 0."
    )


def test_practice_replaces_the_earlier_manoeuvres():
    answer = play("practice", actor={"practiced": ["Block"]}, maneuvers=["Parry", "Parry"])
    assert answer["facts"] == {"practiced": 2}
    assert answer["actor"]["practiced"] == ["Parry", "Parry"]
    assert play("practice", actor={"practiced": ["Block"]})["actor"]["practiced"] == []


def test_the_hour_of_practice_is_refused_before_the_limit():
    names = ["a", "b"]
    house = {"practice_limit": 1}
    assert facts("practice", actor={"practiced_today": True}, house=house, maneuvers=names) == {
        "refused": "once_per_day"
    }
    assert facts("practice", house=house, maneuvers=names) == {"refused": "limit"}
    assert facts("practice", house={"practice_limit": 0}) == {"practiced": 0}


def test_a_new_day_opens_practice_and_healing():
    answer = play("new_day", actor={"practiced_today": True, "healed_today": True})
    assert answer["facts"] == {}
    assert (answer["actor"]["practiced_today"], answer["actor"]["healed_today"]) == (False, False)


@pytest.mark.parametrize(
    ("variant", "relation", "by_level"),
    [
        ("character_1", "hc_expertise", [2, 2, 2, 2]),
        ("character_1", "hc", [1, 1, 1, 1]),
        ("character_1", "aspect_in", [0, 0, 0, 0]),
        ("character_1", "untrained", [0, 0, 0, 0]),
        ("1", "hc_expertise", [0, 2, 4, 6]),
        ("1", "hc", [0, 2, 4, 6]),
        ("1", "aspect_in", [0, 1, 2, 3]),
        ("1", "aspect_out", [0, 1, 2, 3]),
        ("2", "hc_expertise", [0, 3, 6, 9]),
        ("2", "aspect_in", [0, 3, 6, 9]),
        ("2", "aspect_out", [0, 0, 0, 0]),
        ("3", "aspect_out", [0, 3, 6, 9]),
        ("3", "untrained", [0, 0, 0, 0]),
        ("4", "aspect_in", [0, 4, 9, 13]),
        ("4", "hc", [0, 3, 6, 9]),
        ("4", "aspect_out", [0, 1, 3, 4]),
        ("5", "hc", [0, 0, 0, 0]),
        ("5", "aspect_in", [0, 0, 0, 0]),
    ],
)
def test_each_variant_of_progression_has_its_numbers(variant, relation, by_level):
    levels = ("none", "apprentice", "journeyman", "master")
    house = {"progression": variant}
    got = [facts("progression", house=house, level=level, relation=relation)["bonus"] for level in levels]
    assert got == by_level


@pytest.mark.parametrize(
    ("action", "options", "field"),
    [
        ("maneuver", {}, "options.difficulty"),
        ("maneuver", {"difficulty": 200}, "options.difficulty"),
        ("maneuver", {"difficulty": 1, "boons": [0]}, "options.boons[0]"),
        ("maneuver", {"difficulty": 1, "banes": [1, 10]}, "options.banes[1]"),
        ("maneuver", {"difficulty": 1, "relevant": ["aspect"]}, "options.relevant[0]"),
        ("maneuver", {"difficulty": 1, "save": "armor"}, "options.save"),
        ("maneuver", {"difficulty": 1, "weapon": "axe"}, "options.weapon"),
        ("practice", {"maneuvers": [""]}, "options.maneuvers[0]"),
        ("location", {}, "options.face"),
        ("location", {"face": 21}, "options.face"),
        ("death_choice", {}, "options.choice"),
        ("death_choice", {"choice": "none"}, "options.choice"),
        ("heal", {"amount": -1}, "options.amount"),
        ("major_heal", {}, "options.days"),
        ("progression", {"level": "master"}, "options.relation"),
    ],
)
def test_an_invalid_value_is_named_by_its_path(action, options, field):
    with pytest.raises(Wrong) as wrong:
        play(action, **options)
    assert wrong.value.field == field


def test_a_saved_boon_is_asked_about_at_the_roll_and_spent():
    asked = request("maneuver", actor={"boon": 2}, difficulty=10)
    used = outcome(asked, 9, choices=ScriptedChoices([True]))
    assert (used.facts["passed"], used.changes["actor"]) == (True, {"boon": 1})
    assert ("boon kept", 1) in [(term.label, term.value) for term in used.tell().terms]
    kept = outcome(asked, 9, choices=ScriptedChoices([False]))
    assert (kept.facts["passed"], kept.changes["actor"]) == (False, {})
    outcome(request("maneuver", difficulty=10), 9, choices=ScriptedChoices([]))


def test_a_boon_is_saved_by_default_except_that_of_adrenaline():
    for action, dice, more in (("attack", (5, 20), {}), ("cast", (20,), {"difficulty": 5})):
        actor = ARMED | {"boon": 1}
        assert play(action, *dice, actor=actor, **more)["actor"]["boon"] == 1
        answer = play(action, *dice, actor=actor, use_boon=True, **more)
        assert answer["actor"]["boon"] == 0
        assert ". A boon is spent. " in answer["text"]
        rush = request(action, actor=actor | {"status": "adrenaline"}, **more)
        assert outcome(rush, *dice, choices=Suggested()).changes["actor"] == {"boon": 0}
    assert facts("attack", 5, 20, actor=ARMED | {"boon": 1}, use_boon=True)["total"] == 6


def test_in_a_fight_last_words_give_boons_that_add_up_and_are_spent():
    fight = Fight("atomic_d20", "add okado", "add okado as Bo", "add okado as Cy", "add guard")
    for line in ("start", "set bo status dying", "set cy status dying"):
        fight.do(line)
    fight.do("death_choice choice=last_words by bo")
    fight.do("death_choice choice=last_words by cy")
    okado = single(fight.encounter, "okado")
    assert (okado.sheet.boon, fight.conditions("okado")) == (2, ["boon 2"])
    assert single(fight.encounter, "guard").sheet.boon == 0
    fight.do("maneuver difficulty=9 use_boon=yes by okado")
    assert fight.conditions("okado") == ["boon 1"]
    fight.do("maneuver difficulty=9 use_boon=yes by okado")
    assert not single(fight.encounter, "okado").conditions


def test_high_concept_and_practised_manoeuvres_are_offered_by_name():
    actor = {"high_concept": 3, "high_concept_name": "Black Knight", "practiced": ["Riposte"]}
    action, scene = scene_of(request("attack", actor=ARMED | actor, relevant=["high_concept"]))
    notes = action.notes(scene)
    assert notes["relevant=high_concept"] == "Black Knight, +3"
    assert notes["maneuver=Riposte"] == "practised, +2"
    told = outcome(request("attack", actor=ARMED | actor, relevant=["high_concept"]), 1, 20).tell()
    assert told.terms[0] == Term("high concept", 3, "Black Knight", "actor")
