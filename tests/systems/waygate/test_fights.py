"""Conditions in a fight: their effect on hit tests and on their bearers as a turn begins."""

import pytest

from systems.schema.conversion import read
from tests.systems.fight import Entry, Fight

from .play import FIREBOLT, GAME, facts, play


def fight_under(*lines):
    """Okado, Str 2 and Dex 3, has the turn; the guard comes next, with armor 10 and 30 hit points."""
    opening = ("add okado", "add guard", "set guard max_hp 30", "set guard hp 30", "start dice=20,1")
    return Fight("waygate", *opening, *lines)


@pytest.mark.parametrize(
    ("condition", "weapon", "total"),
    [
        ("prone", "blade", 5 + 2 + 2),
        ("prone", "rifle", 5 + 3 - 2),
        ("flanked", "blade", 5 + 2 + 2),
        ("flanked", "rifle", 5 + 3),
        ("covered", "blade", 5 + 2 - 2),
        ("covered", "rifle", 5 + 3 - 2),
        ("stunned", "rifle", 5 + 3 + 2),
    ],
)
def test_a_condition_affects_only_its_weapons(condition, weapon, total):
    fight = fight_under(f"condition guard {condition}")
    assert f" {total} against armor 10" in fight.text(
        f"attack guard weapon={weapon} dice=5 use_aether_mark=no"
    )


def test_a_finesse_weapon_is_a_melee_weapon():
    fight = fight_under("condition guard prone", "set okado weapons.blade.kind finesse")
    assert " 10 against armor 10" in fight.text("attack guard weapon=blade dice=5 use_aether_mark=no")


@pytest.mark.parametrize(("condition", "total"), [("prone", 8), ("flanked", 8), ("covered", 6)])
def test_cover_affects_a_spell_but_prone_and_flanked_do_not(condition, total):
    fight = Fight("waygate")
    villy = read(GAME.sheet, {"magic": 3, "spells": [FIREBOLT]})
    fight.roster["villy"] = Entry("Villy", "players", villy)
    for line in ("add villy", "add guard", "start dice=20,1", f"condition guard {condition}"):
        fight.do(line)
    assert f" {total} against armor 10" in fight.text("attack guard spell=firebolt dice=5")


def test_the_stunned_shake_it_off_with_a_vit_test_as_their_turn_ends():
    fight = fight_under("set okado aether_marks 0", "condition okado stunned")
    assert fight.text("next dice=13").startswith("Okado stays stunned. Vit test 13 against 14.")
    assert fight.conditions("okado") == ["stunned"]
    fight.do("next")
    fight.do("set okado vit 1")
    assert fight.text("next dice=13").startswith(
        "Okado shakes off the stun. Vit test 14 against 14. Okado is no longer stunned."
    )
    assert fight.conditions("okado") == []


def test_the_unconscious_make_no_test_against_being_stunned():
    fight = fight_under("condition okado stunned", "set okado hp 0")
    assert "Vit test" not in fight.text("next")


def test_bleeding_and_fire_cost_d4s_as_the_turn_begins():
    fight = fight_under("condition guard bleeding", "condition guard burned 2 for 1 rounds")
    text = fight.text("next dice=3,4,1")
    assert text.startswith("Guard bleeds for 3 (hp 30 → 27). Guard burns for 5 (hp 27 → 22).")
    assert fight.sheet("guard").hp == 22


def test_bleeding_to_below_0_is_dying_in_the_same_turn():
    fight = fight_under("condition guard bleeding", "set guard hp 2")
    fight.do("next dice=3,2")
    assert (fight.sheet("guard").hp, fight.sheet("guard").rounds_below_zero) == (-3, 1)


def test_a_combatant_that_bled_to_death_neither_burns_nor_dies_again():
    fight = fight_under("condition guard bleeding", "condition guard burned", "set guard hp -13")
    fight.do("next dice=2")
    assert (fight.sheet("guard").hp, fight.sheet("guard").rounds_below_zero) == (-15, 0)


@pytest.mark.parametrize("action", ["bleed", "burn"])
def test_an_ongoing_condition_can_be_run_alone(action):
    assert facts(action, [4]) == {"damage": 4}
    assert facts(action, [4, 3, 1], options={"dice_number": 3}) == {"damage": 8}
    assert facts(action, actor={"hp": -5}) == {"refused": "dead"}


def test_falling_by_bleeding_begins_a_new_count_and_death_offers_the_mark():
    fallen = play("bleed", [2], actor={"hp": 1, "max_hp": 30, "rounds_below_zero": 2})["actor"]
    assert (fallen["hp"], fallen["rounds_below_zero"]) == (-1, 0)
    assert play("burn", [1], actor={"hp": -4, "max_hp": 10, "aether_marks": 1})["asks"]
