"""One action aimed at several: the same target twice, an even split, and choices and dice in an area."""

from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from systems.commands.aims import spread_aims
from systems.commands.preview import preview
from systems.errors import Refused, Wrong
from tests.laws import examples
from tests.systems.emberfall import EMBERFALL, emberfall


def started(*lines, **sheets):
    adds = [f"add {who}" for who in ("ada", "bo", "mage", "guard")]
    return emberfall(*adds, "start", *lines, **sheets)


@pytest.mark.parametrize(
    ("line", "damage"),
    [
        ("missile mage", {"mage": 9}),
        ("missile mage,guard", {"mage": 6, "guard": 3}),
        ("missile guard,mage", {"guard": 6, "mage": 3}),
        ("missile mage,guard,guard", {"mage": 3, "guard": 6}),
        ("missile mage,guard*2", {"mage": 3, "guard": 6}),
        ("missile mage,guard missiles=4", {"mage": 6, "guard": 6}),
    ],
)
def test_missiles_are_split_evenly_unless_targets_are_named_more_often(line, damage):
    fight = started()
    event = fight.do(f"{line} dice=2")
    assert {who: 30 - fight.sheet(who).hp for who in damage} == damage
    assert Counter(event.targets) == {who: done // 3 for who, done in damage.items()}
    assert [roll.face for roll in event.rolls] == [2]


def test_too_many_aims_are_refused_in_one_sentence():
    with pytest.raises(Refused, match="missile has 3 aims, and 4 are named; name fewer"):
        started().do("missile mage,mage,guard,guard")
    with pytest.raises(Refused, match="Mage is named twice; once is enough"):
        started().do("attack mage,mage")


@examples(40)
@given(st.integers(1, 9), st.lists(st.sampled_from("abc"), min_size=1, max_size=9))
def test_every_aim_has_a_target_and_named_ones_are_kept(number, named):
    action = EMBERFALL.action("missile")
    options = action.options(missiles=number)
    if len(named) > number:
        with pytest.raises(Refused):
            spread_aims(action, None, options, named)
        return
    found = Counter(spread_aims(action, None, options, named))
    assert found.total() == number
    assert all(found[who] >= times for who, times in Counter(named).items())
    filled = [found[who] for who in found if found[who] > named.count(who)]
    assert not filled or max(filled) - min(found.values()) <= 1


def test_each_ray_rolls_by_itself_and_stops_at_a_target_that_has_fallen():
    fight = started(mage={"max_hp": 8})
    event = fight.do("rays mage,mage,guard dice=15,8,15,4")
    assert event.text == (
        "Ada: rays on 2, 2 hit. Ada hits Mage for 11 (hp 8 → 0). 19 against 12. "
        "Ada hits Guard for 7 (hp 30 → 23). 19 against 12. 1 aim of rays left: the target has fallen."
    )
    fight.do("undo")
    assert (fight.sheet("mage").hp, fight.sheet("guard").hp) == (8, 30)


def test_a_second_ray_finds_its_target_as_the_first_left_it():
    fight = started(mage={"shield": 5})
    text = fight.text("rays mage dice=9,9,5,9,5")
    assert text.count("Ember Shield") == 1
    assert fight.sheet("mage").hp == 14


def test_amended_rays_keep_their_targets():
    fight = started()
    number = fight.do("rays mage,guard,guard dice=2,2,15,4").n
    fight.do(f"amend {number} dice=2,15,4,15,4")
    assert (fight.sheet("mage").hp, fight.sheet("guard").hp) == (30, 16)
    assert fight.plain == fight.folded()


def test_points_are_divided_evenly_or_as_given():
    hurt = ["damage all 25"]
    fight = started(*hurt)
    fight.do("mend ada,bo,mage")
    assert [fight.sheet(who).hp for who in ("ada", "bo", "mage")] == [12, 12, 11]
    fight.do("undo")
    fight.do("mend ada,bo parts=15,5")
    assert [fight.sheet(who).hp for who in ("ada", "bo")] == [20, 10]
    with pytest.raises(Wrong, match="expected 2 parts of 20 together at most, got 2 with 30"):
        fight.do("mend ada,bo parts=15,15")


@pytest.mark.parametrize(
    ("aims", "amounts"),
    [
        ((), {6: 1, 9: 1, 12: 1, 15: 1}),
        (("mage",), {6: 1, 9: 1, 12: 1, 15: 1}),
        (("mage", "guard"), {4: 1, 6: 1, 8: 1, 10: 1}),
        (("guard", "guard", "mage"), {2: 1, 3: 1, 4: 1, 5: 1}),
        (("guard",), {6: 1, 9: 1, 12: 1, 15: 1}),
        (("guard", "guard"), {2: 1, 3: 1, 4: 1, 5: 1}),
    ],
)
def test_the_odds_next_to_a_target_count_the_aims_at_it(aims, amounts):
    fight = started()
    action = fight.game.action("missile")
    found = preview(fight.encounter, action, "ada", "mage", action.options(), aims=aims)
    assert found.amounts == {amount: Fraction(many, 4) for amount, many in amounts.items()}


def test_an_area_asks_after_the_throw_and_rolls_dice_inside_its_effect():
    fight = started(mage={"resistances": 1})
    event = fight.do("blast mage,guard dice=5,2,3,6,4")
    assert event.text == (
        "Ada's blast: 1 of 2 resist, 5 fire damage. Mage resists and takes 2 (hp 30 → 28), "
        "resists after all. 7 against 13. Guard does not resist and takes 5 (hp 30 → 25), burning, burns. "
        "8 against 13."
    )
    assert fight.sheet("mage").resistances == 0
    assert fight.conditions("guard") == ["burning"]
    assert [answer.question for answer in event.answers] == ["resistance"]
    assert [result.facts.get("rounds") for result in event.results] == [0, 4]


def test_a_changed_number_of_missiles_is_split_again():
    fight = started()
    number = fight.do("missile mage,guard dice=2").n
    fight.do(f"amend {number} missiles=4")
    assert (fight.sheet("mage").hp, fight.sheet("guard").hp) == (24, 24)


def test_a_title_counts_a_target_that_is_named_twice():
    fight = started()
    fight.do("missile mage,guard,guard dice=2")
    assert fight.text("undo").startswith("Undone: Ada's missile on Mage and Guard × 2.")
