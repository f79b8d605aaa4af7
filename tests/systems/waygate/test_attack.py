"""Attacks with blades, guns and spells."""

import pytest

from systems.contract.table import NeedsChoice, ScriptedChoices, Table
from systems.dice.scripted import ScriptedDice
from systems.errors import Wrong

from .play import FIREBOLT, RIFLE, SWORD, facts, play, rules, scene_of

TARGET = {"max_hp": 30, "armor": 12}


def shoot(dice=(), gun=RIFLE, house=None, actor=None, target=TARGET, **options):
    who = {"weapons": [gun], **(actor or {})}
    return play("attack", dice, actor=who, target=target, options=options, house=house or {})


def cast(dice=(), spell=FIREBOLT, house=None, target=TARGET, **options):
    actor = {"spells": [spell], "magic": 3}
    options = {"spell": spell["name"], **options}
    return play("attack", dice, actor=actor, target=target, options=options, house=house or {})


@pytest.mark.parametrize(
    ("request_", "field"),
    [
        ({}, "options.weapon"),
        ({"actor": {"weapons": [SWORD]}, "options": {"weapon": "axe"}}, "options.weapon"),
        ({"actor": {"weapons": [SWORD]}, "options": {"spell": "light"}}, "options.spell"),
        ({"actor": {"spells": [{"name": "light"}]}, "options": {"spell": "light"}}, "options.spell"),
        (
            {"actor": {"spells": [FIREBOLT]}, "options": {"spell": "firebolt", "weapon": "x"}},
            "options.weapon",
        ),
        ({"actor": {"weapons": [SWORD]}, "options": {"mode": "full"}}, "options.mode"),
        ({"actor": {"hp": 0}}, "options.weapon"),
    ],
)
def test_an_impossible_attack_names_the_field(request_, field):
    with pytest.raises(Wrong) as error:
        play("attack", **request_)
    assert error.value.field == field


@pytest.mark.parametrize(
    ("gun", "actor", "options", "reason"),
    [
        ({"jammed": True}, {"hp": 0}, {}, "status"),
        ({"jammed": True}, {"hp": -9}, {"mode": "auto"}, "status"),
        ({"jammed": True, "modes": ["single"]}, {}, {"mode": "burst"}, "jammed"),
        ({"modes": ["single"], "loaded": 0}, {}, {"mode": "burst"}, "mode"),
        ({"modes": []}, {}, {}, "mode"),
        ({"burst": 0}, {}, {"mode": "burst"}, "mode"),
        ({"clip": 0}, {}, {"mode": "auto"}, "mode"),
        ({"loaded": 29}, {}, {"mode": "auto", "use_aether_mark": True}, "clip"),
        ({"loaded": 4}, {}, {"mode": "burst", "use_aether_mark": True}, "ammo"),
        ({"loaded": 0}, {}, {}, "ammo"),
        ({}, {}, {"use_aether_mark": True}, "mark"),
    ],
)
def test_the_first_reason_that_holds_refuses_the_attack(gun, actor, options, reason):
    before = play("status", actor={"weapons": [{**RIFLE, **gun}], **actor})["actor"]
    answer = shoot((), {**RIFLE, **gun}, actor=actor, **options)
    assert answer["facts"] == {"refused": reason}
    assert answer["actor"] == before
    assert answer["rolls"] == []
    assert answer["text"].endswith(".")


def test_a_weapon_other_than_a_firearm_may_be_marked_as_jammed():
    assert shoot((), {**SWORD, "jammed": True})["facts"] == {"refused": "jammed"}


def test_modes_and_jams_do_not_affect_a_spell():
    actor = {"weapons": [{**RIFLE, "jammed": True}], "spells": [FIREBOLT]}
    found = facts("attack", [11, 4], actor=actor, options={"spell": "firebolt", "mode": "auto"})
    assert (found["total"], found["hit"], "loaded" in found) == (11, True, False)


@pytest.mark.parametrize(("hit_on", "hit"), [("exceed", False), ("meet", True)])
def test_a_total_equal_to_the_armor_rating_hits_by_house_rule(hit_on, hit):
    dice = [12, 3] if hit else [12]
    assert shoot(dice, SWORD, house={"hit_on": hit_on})["facts"]["hit"] is hit


def test_a_natural_20_hits_any_armor_with_one_bullet():
    found = shoot([20, 3], target={"armor": 99}, mode="burst")["facts"]
    assert (found["margin"], found["bullets_hit"], found["damage"]) == (-77, 1, 6)


def test_doubling_comes_before_bonuses():
    gun = {**RIFLE, "damage_mod": 2}
    assert shoot([20, 3], gun, target={"armor": 20}, damage_modifier=-1)["facts"]["damage"] == 7


def test_no_bullet_does_negative_damage():
    found = shoot([16, 1, 6, 2], mode="burst", damage_modifier=-3)["facts"]
    assert (found["bullets_hit"], found["damage"]) == (3, 3)


def test_a_weak_blow_changes_nothing():
    answer = shoot([19, 1], SWORD, actor={"str": -5})
    assert (answer["facts"]["hit"], answer["facts"]["damage"], answer["target"]["hp"]) == (True, 0, 30)


@pytest.mark.parametrize(
    ("gun", "face", "blocks", "jammed", "hit", "loaded"),
    [
        ({}, 2, True, True, False, 30),
        ({}, 2, False, True, True, 29),
        ({}, 1, False, True, False, 30),
        ({"maintained": True}, 2, True, False, True, 29),
        ({"maintained": True}, 1, True, True, False, 30),
        ({"firearm": False}, 1, True, False, False, 29),
        ({"firearm": False}, 2, True, False, True, 29),
    ],
)
def test_jams_depend_on_face_maintenance_and_house_rule(gun, face, blocks, jammed, hit, loaded):
    dice = [face, 4] if hit else [face]
    house = {"jam_blocks_shot": blocks}
    answer = shoot(dice, {**RIFLE, **gun}, house, actor={"dex": 30})
    found = answer["facts"]
    assert (found["jammed"], found["hit"], found["loaded"]) == (jammed, hit, loaded)
    weapon = answer["actor"]["weapons"][0]
    assert (weapon.get("jammed", False), weapon.get("loaded", 30)) == (jammed, loaded)


def test_an_answer_keeps_the_given_and_changed_fields_of_a_weapon():
    assert shoot([5], {**SWORD, "clip": 3})["actor"]["weapons"] == [{**SWORD, "clip": 3, "loaded": 2}]
    assert shoot([5], SWORD)["actor"]["weapons"] == [SWORD]
    jammed = shoot([1])["actor"]["weapons"]
    assert jammed == [{**RIFLE, "jammed": True}]
    cleared = play("unjam", actor={"weapons": jammed})["actor"]["weapons"]
    assert cleared == [{**RIFLE, "jammed": False}]


def test_only_the_first_of_two_weapons_of_one_name_is_fired():
    actor = {"weapons": [RIFLE, {**RIFLE, "loaded": 3}]}
    after = play("attack", [5], actor=actor, target=TARGET, options={"weapon": "submachine gun"})["actor"]
    assert [one["loaded"] for one in after["weapons"]] == [29, 3]


def test_a_missed_burst_spends_its_rounds():
    assert shoot([3], mode="burst")["facts"]["loaded"] == 25


def test_rounds_are_not_counted_without_a_clip():
    answer = shoot([13, 1, 1], {**RIFLE, "clip": 0}, mode="burst")
    assert "loaded" not in answer["facts"]
    assert answer["actor"]["weapons"] == [{**RIFLE, "clip": 0}]


@pytest.mark.parametrize(
    ("burst", "clip", "cap", "bullets"),
    [(5, 30, "burst", 5), (5, 30, "clip", 7), (0, 30, "burst", 7), (0, 4, "burst", 4), (9, 4, "burst", 4)],
)
def test_the_bullets_of_an_auto_attack_are_limited(burst, clip, cap, bullets):
    gun = {**RIFLE, "burst": burst, "clip": clip}
    house = {"auto_cap": cap}
    found = shoot([19, *[1] * bullets], gun, house, actor={"dex": 9}, mode="auto")["facts"]
    assert (found["margin"], found["bullets_hit"], found["loaded"]) == (20, bullets, 0)


def test_auto_fire_uses_one_clip_of_a_larger_load():
    found = shoot([19, 1, 1], {**RIFLE, "clip": 2, "loaded": 5}, actor={"dex": 9}, mode="auto")["facts"]
    assert (found["bullets_hit"], found["loaded"]) == (2, 3)


def test_a_firearm_without_single_shots_fires_in_its_first_mode():
    gun = {**RIFLE, "modes": ["auto", "burst"]}
    assert shoot([5], gun)["facts"]["loaded"] == 0
    assert shoot([], {**gun, "firearm": False})["facts"] == {"refused": "mode"}


def test_a_spell_must_reach_its_mystic_test_and_beat_the_armor():
    assert cast([7], target={"armor": 4})["facts"]["hit"] is False
    assert cast([8, 5], target={"armor": 4})["facts"] == {
        "face": 8,
        "total": 11,
        "margin": 7,
        "hit": True,
        "critical": False,
        "jammed": False,
        "mayhem": False,
        "bullets_hit": 1,
        "damage": 8,
    }
    assert cast([9])["facts"]["hit"] is False


def test_a_natural_20_always_hits_and_mayhem_still_depends_on_the_total():
    found = cast([20, 5], {**FIREBOLT, "mystic": 99}, target={"armor": 99})
    assert (found["facts"]["hit"], found["facts"]["mayhem"], found["facts"]["damage"]) == (True, True, 13)
    assert "Magical Mayhem" in found["asks"][0]["text"]


def test_a_spell_without_a_mystic_test_brings_mayhem_only_on_a_1():
    spell = {"name": "spark", "damage": "1d4"}
    assert cast([1], spell)["facts"]["mayhem"] is True
    assert cast([2], spell)["facts"]["mayhem"] is False


def test_a_jam_depends_on_the_second_face():
    answer = shoot([2, 15, 4], actor={"aether_marks": 1}, use_aether_mark=True)
    assert (answer["facts"]["jammed"], answer["facts"]["damage"]) == (False, 4)
    assert answer["actor"]["aether_marks"] == 0
    worse = shoot([15, 2], actor={"aether_marks": 1}, use_aether_mark=True)
    assert worse["facts"]["jammed"] is True


@pytest.mark.parametrize(("face", "asked"), [(9, True), (2, True), (13, False), (20, False)])
def test_the_mark_is_asked_for_when_the_attack_fails(face, asked):
    action, scene = scene_of(
        {"action": "attack", "actor": {"weapons": [RIFLE], "aether_marks": 1}, "target": TARGET}
    )
    table = Table(ScriptedDice([face, 3]), ScriptedChoices([]))
    if asked:
        with pytest.raises(NeedsChoice):
            action.run(scene, table)
    else:
        assert action.run(scene, table).facts["hit"]


def test_the_question_for_the_mark_says_that_the_gun_jams_and_that_mayhem_comes():
    def question(face, **request):
        actor = {"weapons": [RIFLE], "spells": [FIREBOLT], "aether_marks": 1}
        action, scene = scene_of({"action": "attack", "actor": actor, "target": TARGET, **request})
        with pytest.raises(NeedsChoice) as needs:
            action.run(scene, Table(ScriptedDice([face]), ScriptedChoices([])))
        return needs.value.request.question.partition(". Spend")[0]

    assert question(2) == "2 against armor 12, the gun jams"
    assert question(2, options={"spell": "firebolt"}) == "2 against armor 12, Magical Mayhem"
    # Even a shot that hits has jammed the gun, and the mark can undo that, too.
    house, target = {"jam_blocks_shot": False}, {"armor": 1}
    assert question(2, house=house, target=target) == "2 against armor 1, the gun jams"


def test_a_death_with_a_mark_offers_a_return():
    answer = shoot([19, 6], target={"max_hp": 4, "armor": 1, "aether_marks": 1, "name": "Aryn"})
    assert answer["target"]["status"] == "dead"
    assert answer["asks"][0]["text"].startswith("Aryn dies with an Aether Mark")
    assert shoot([19, 6], target={"max_hp": 4, "armor": 1})["asks"] == []


def test_the_log_describes_an_attack_in_one_line():
    actor = {"name": "Aryn", "dex": 4}
    target = {**TARGET, "name": "Fury"}
    lines = [
        shoot(dice, actor=actor, target=target, mode="burst")["text"] for dice in ([13, 1, 2, 3], [3], [2])
    ]
    assert lines == [
        "Aryn hits Fury with submachine gun (burst) for 6 (hp 30 → 24). 25 rounds left. "
        "19 against armor 12, 3 of 5 bullets hit, 6 damage.",
        "Aryn misses Fury with submachine gun (burst). 25 rounds left. 9 against armor 12.",
        "Aryn's submachine gun jams before the shot at Fury. 30 rounds left. 2 rolled.",
    ]


@pytest.mark.parametrize(
    ("dice", "options", "named"),
    [
        ([5], {}, "15 21"),
        ([15, 1], {}, "15 21 34"),
        ([15, 1, 1, 1], {"mode": "burst"}, "15 21 26 27 34"),
        ([4], {"mode": "auto"}, "15 21 30"),
        ([2], {}, "15 16"),
        ([1], {"mode": "burst"}, "15 16 26 57"),
        ([20, 1], {}, "15 34 55 56"),
        ([20, 3, 3, 3, 3, 3], {"mode": "burst"}, "15 26 27 34 55 56 43"),
        ([2, 5], {"use_aether_mark": True}, "15 21 49"),
        ([10, 1], {"weapon": "short sword"}, "13 21 32"),
        ([10], {"spell": "firebolt"}, "18 N4"),
        ([5], {"spell": "firebolt"}, "18 19 N4"),
        ([1], {"spell": "firebolt"}, "18 20 57"),
        ([20, 8], {"spell": "firebolt"}, "18 35 55 56 40"),
    ],
)
def test_the_rules_that_counted_are_named_and_no_others(dice, options, named):
    actor = {"weapons": [RIFLE, SWORD], "spells": [FIREBOLT], "aether_marks": 1}
    target = {"max_hp": 12, "armor": 9}
    found = rules("attack", dice, actor=actor, target=target, options=options)
    assert found == tuple(f"WAY-{one}" for one in named.split())


def test_reloading_fills_the_clip_and_removes_no_round():
    def reloaded(loaded):
        answer = play("reload", actor={"weapons": [{**RIFLE, "loaded": loaded}]})
        return answer["facts"]["loaded"], answer["actor"]["weapons"][0]["loaded"]

    assert reloaded(3) == (30, 30)
    assert reloaded(35) == (35, 35)


def test_clearing_a_weapon_without_a_jam_changes_nothing():
    answer = play("unjam", actor={"weapons": [RIFLE]})
    assert answer["facts"] == {"jammed": False}
    assert answer["actor"]["weapons"] == [RIFLE]
