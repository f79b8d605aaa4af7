"""Attacks and wounds that the written examples do not cover."""

import pytest

from systems.contract.outcome import GivenCondition
from systems.contract.table import NeedsChoice, ScriptedChoices, Suggested
from systems.encounter.lookup import single
from systems.errors import Wrong
from tests.systems.fight import Fight

from .play import ARMED, AXE, facts, outcome, play, request

PISTOL = {"name": "pistol", "damage": "1d6", "firearm": True}


def test_an_attack_without_its_weapon_is_an_error_before_any_refusal():
    for actor, options in (
        ({}, {}),
        ({"status": "dead"}, {}),
        (ARMED, {"weapon": "bow"}),
        (ARMED | {"status": "dead"}, {"weapon": "bow"}),
    ):
        with pytest.raises(Wrong) as wrong:
            play("attack", actor=actor, **options)
        assert wrong.value.field == "options.weapon"


@pytest.mark.parametrize("status", ["dying", "unconscious", "catatonic", "dead"])
def test_a_combatant_that_cannot_act_is_refused_before_its_firearm(status):
    actor = {"weapons": [PISTOL], "status": status}
    assert facts("attack", actor=actor, nonlethal=True) == {"refused": "status"}
    assert facts("cast", actor=actor, difficulty=5) == {"refused": "status"}


@pytest.mark.parametrize("status", ["conscious", "adrenaline"])
def test_combatants_woken_or_on_adrenaline_can_attack(status):
    assert facts("attack", 1, 2, actor=ARMED | {"status": status})["hit"] is False


def test_the_first_weapon_of_a_name_counts_and_weapons_keep_their_given_fields():
    actor = {"weapons": [PISTOL, AXE, {**AXE, "damage": "1d4"}]}
    answer = play("attack", 20, 1, 6, 6, actor=actor, weapon="war axe")
    assert answer["facts"]["damage"] == 12
    assert answer["actor"]["weapons"] == actor["weapons"]


@pytest.mark.parametrize(
    ("options", "house", "total"),
    [
        ({}, {}, 10 + 4 + 3 - 2),
        ({"defence": "fortitude"}, {}, 10 + 5 + 3 - 2),
        ({"defence": "willpower"}, {}, 10 + 1 + 3 - 2),
        ({"awareness": "flat_footed"}, {}, 10 + 3 - 2),
        ({"touch": True}, {}, 10 + 4 - 2),
        ({"touch": True, "awareness": "flat_footed"}, {}, 10 - 2),
        ({"defence_modifier": -7}, {}, 10 + 4 + 3 - 2 - 7),
        ({"track": "mental"}, {}, 10 + 1 - 2),
        ({"track": "mental", "touch": False}, {}, 10 + 1 + 3 - 2),
        ({"track": "mental", "defence": "reflex"}, {}, 10 + 4 - 2),
        ({}, {"armor_mode": "subtraction"}, 10 + 4 - 2),
        ({}, {"boon_stacking": "cap"}, 10 + 4 + 3 - 2),
    ],
)
def test_the_defence_is_a_die_a_save_armour_and_wounds(options, house, total):
    target = {"reflex": 4, "fortitude": 5, "willpower": 1, "armor": 3, "wound_banes": 2}
    answer = play("attack", 1, 10, actor=ARMED, target=target, house=house, **options)
    assert answer["facts"]["defense_total"] == total


def test_every_wound_bane_lowers_the_defence_however_banes_stack():
    got = facts("attack", 1, 10, actor=ARMED, target={"wound_banes": 5}, house={"boon_stacking": "cap"})
    assert got["defense_total"] == 5


@pytest.mark.parametrize("status", ["dying", "unconscious", "catatonic", "dead"])
def test_an_unconscious_target_has_no_save_by_default(status):
    target = {"status": status, "reflex": 6}
    assert facts("attack", 1, 10, actor=ARMED, target=target)["defense_total"] == 10
    got = facts("attack", 1, 10, actor=ARMED, target=target, awareness="aware")
    assert got["defense_total"] == 16


@pytest.mark.parametrize(
    ("options", "armor", "damage"),
    [
        ({}, 4, 8),
        ({"damage_modifier": 5}, 4, 13),
        ({}, 40, 0),
        ({}, -3, 15),
        ({"touch": True}, 4, 12),
        ({"touch": True, "damage_modifier": -50}, 4, 0),
    ],
)
def test_subtracted_armour_leaves_at_least_0_damage(options, armor, damage):
    house = {"armor_mode": "subtraction"}
    got = facts("attack", 20, 1, 6, 6, actor=ARMED, target={"armor": armor}, house=house, **options)
    assert got["damage"] == damage


def test_negative_damage_is_no_wound():
    answer = play("attack", 20, 1, 1, 1, actor=ARMED, damage_modifier=-9, use_stamina=True)
    assert (answer["facts"]["damage"], answer["facts"]["wound"]) == (0, "none")
    assert "location" not in answer["facts"]
    assert (answer["target"]["stamina"], answer["target"]["hearts"]) == (1, 3)


def test_only_a_physical_wound_has_a_place():
    assert "location" not in facts("attack", 20, 1, 6, 6, actor=ARMED, track="mental")
    assert "location" not in facts("attack", 1, 20, actor=ARMED)
    assert facts("attack", 20, 1, 1, 1, actor=ARMED, use_stamina=True)["location"] == "head"


def test_a_house_may_give_ties_to_the_defender():
    assert facts("attack", 10, 10, 1, 1, actor=ARMED)["hit"] is True
    assert facts("attack", 10, 10, actor=ARMED, house={"ties": "defender"})["hit"] is False


def test_a_firearm_is_refused_as_nonlethal_and_nothing_changes():
    answer = play(
        "attack", actor={"name": "Ragnor", "weapons": [PISTOL]}, target={"hearts": 1}, nonlethal=True
    )
    assert answer["facts"] == {"refused": "nonlethal"}
    assert answer["target"]["hearts"] == 1
    assert answer["text"] == "The pistol is a firearm and cannot be used to spare a life."


@pytest.mark.parametrize(
    ("status", "track", "nonlethal", "after"),
    [
        ("active", "physical", False, "dying"),
        ("conscious", "physical", False, "dying"),
        ("unconscious", "physical", False, "dying"),
        ("catatonic", "physical", False, "dying"),
        ("active", "mental", False, "catatonic"),
        ("unconscious", "mental", False, "catatonic"),
        ("active", "mental", True, "unconscious"),
        ("conscious", "physical", True, "unconscious"),
        ("catatonic", "physical", True, "catatonic"),
        ("dying", "mental", False, "dying"),
        ("dying", "physical", True, "dying"),
        ("adrenaline", "physical", False, "adrenaline"),
        ("dead", "mental", True, "dead"),
    ],
)
def test_the_wound_that_empties_a_track_decides_the_status(status, track, nonlethal, after):
    actor = {"status": status, "hearts": 1, "brains": 1, "death_choice": "miraculous"}
    got = play("wound", actor=actor, damage=4, track=track, nonlethal=nonlethal)["actor"]
    assert got["status"] == after
    newly_dying = after == "dying" != status
    assert got["death_choice"] == ("none" if newly_dying else "miraculous")
    assert (got["hearts"], got["brains"]) == ((0, 1) if track == "physical" else (1, 0))


def test_a_major_wound_counts_its_bane_and_not_as_minor():
    got = play("wound", actor={"brains": 1}, damage=10, track="mental")["actor"]
    assert (got["brains"], got["minor_mental"], got["wound_banes"]) == (0, 0, 1)


def test_a_minor_wound_is_counted_only_when_it_takes_a_unit():
    assert play("wound", damage=9)["actor"]["minor_physical"] == 1
    assert play("wound", damage=9, use_stamina=True)["actor"]["minor_physical"] == 0
    assert play("wound", actor={"hearts": 0}, damage=9)["actor"]["minor_physical"] == 0


def test_counts_stop_at_the_end_of_their_range():
    actor = {"wound_banes": 20, "minor_physical": 20}
    assert play("wound", actor=actor, damage=10)["actor"]["wound_banes"] == 20
    assert play("wound", actor=actor, damage=1)["actor"]["minor_physical"] == 20


@pytest.mark.parametrize(
    ("faces", "place"),
    [
        ((1, 2), "left_shoulder"),
        ((3, 4), "right_shoulder"),
        ((5,), "left_foot"),
        ((6,), "right_foot"),
        ((7,), "left_leg"),
        ((8,), "right_leg"),
        ((9,), "left_hand"),
        ((10,), "right_hand"),
        ((11, 12), "left_arm"),
        ((13, 14), "right_arm"),
        ((15, 16), "groin"),
        ((17,), "lower_torso"),
        ((18,), "upper_torso"),
        ((19,), "neck"),
        ((20,), "head"),
    ],
)
def test_every_face_has_its_place(faces, place):
    assert [facts("location", face=face)["location"] for face in faces] == [place] * len(faces)


def test_stamina_is_suggested_for_a_minor_wound_of_an_able_combatant():
    asked = request("wound", damage=5)
    assert outcome(asked, choices=Suggested()).facts["paid_by"] == "stamina"
    assert outcome(asked).facts["paid_by"] == "hearts"
    assert outcome(asked, choices=ScriptedChoices([False])).facts["paid_by"] == "hearts"
    asleep = request("wound", actor={"status": "unconscious"}, damage=5)
    assert outcome(asleep, choices=Suggested()).facts["paid_by"] == "hearts"


@pytest.mark.parametrize(
    "asked",
    [
        request("wound", damage=10),
        request("wound", damage=0),
        request("wound", actor={"stamina": 0}, damage=5),
        request("wound", damage=5, use_stamina=False),
        request("attack", actor=ARMED, target={"fortitude": 2}, defence="reflex", use_stamina=True),
    ],
)
def test_no_question_is_asked_about_a_given_answer(asked):
    outcome(asked, 20, 1, 1, 1, choices=ScriptedChoices([]))


def test_a_target_that_endures_better_is_asked_how_to_defend():
    asked = request("attack", actor=ARMED, target={"fortitude": 2, "reflex": 1})
    assert outcome(asked, 1, 10).facts["defense_total"] == 11
    assert outcome(asked, 1, 10, choices=Suggested()).facts["defense_total"] == 12
    assert outcome(asked, 1, 10, choices=ScriptedChoices(["reflex"])).facts["defense_total"] == 11
    caught = request("attack", actor=ARMED, target={"fortitude": 2}, awareness="flat_footed")
    assert outcome(caught, 1, 10, choices=ScriptedChoices([])).facts["defense_total"] == 10


def test_a_dying_combatant_is_offered_last_breaths():
    struck = outcome(request("attack", actor=ARMED, target={"hearts": 2}), 14, 1, 6, 6)
    assert [(ask.action, ask.by) for ask in struck.asks] == [("death_choice", "target")]
    assert struck.gives == (GivenCondition("target", "wounded_right_arm"),)
    again = outcome(request("wound", actor={"hearts": 0, "status": "dying"}, damage=3))
    assert again.asks == ()


def test_foes_simply_die_by_house_rule():
    house = {"foes_last_breaths": "none"}
    foe = {"hearts": 1, "is_pc": False}
    for action, dice, parts in (
        ("wound", (), {"damage": 5, "actor": foe}),
        ("attack", (20, 1, 3, 3), {"actor": ARMED, "target": foe}),
    ):
        killed = outcome(request(action, house=house, **parts), *dice)
        changes = {**killed.changes.get("actor", {}), **killed.changes.get("target", {})}
        assert (changes["status"], killed.asks) == ("dead", ())
    assert outcome(request("wound", damage=5, actor={"hearts": 1}, house=house)).asks
    assert outcome(request("wound", damage=5, actor=foe)).asks


@pytest.mark.parametrize(("rule", "paid_by"), [("spent", "stamina"), ("kept", "hearts")])
def test_a_house_rule_decides_the_stamina_of_foes(rule, paid_by):
    house = {"foes_stamina": rule}
    foe = request("wound", damage=5, actor={"is_pc": False}, house=house)
    assert outcome(foe, choices=ScriptedChoices([])).facts["paid_by"] == paid_by
    told = request("wound", damage=5, actor={"is_pc": False}, house=house, use_stamina=rule == "kept")
    assert outcome(told).facts["paid_by"] != paid_by
    with pytest.raises(NeedsChoice):
        outcome(request("wound", damage=5, house=house), choices=ScriptedChoices([]))


def test_a_players_character_is_known_by_its_side():
    fight = Fight("atomic_d20", "add okado", "add guard")
    assert [single(fight.encounter, who).sheet.is_pc for who in ("okado", "guard")] == [True, False]
