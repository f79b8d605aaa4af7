"""Sums of dice in odds: any notation, counted dice, damage of several types, roll over, and too many dice."""

from collections import Counter
from fractions import Fraction
from math import comb

import icepool
import pytest
from hypothesis import given
from hypothesis import strategies as st

from systems.commands.preview import preview
from systems.contract.action import Action
from systems.contract.damage import Blow, DamagePart
from systems.contract.notation import notation
from systems.contract.outcome import Outcome
from systems.contract.table import Table
from systems.dice.scripted import ScriptedDice
from systems.errors import Wrong
from systems.frozen import evolve
from systems.odds import TooManyDice, Walker, facts_odds, spread_without_sums
from systems.odds.weights import MOST_REPEATED
from systems.schema.conversion import read
from systems.schema.fields import declare
from tests.laws import examples
from tests.systems.odds.test_walker import by_throwing, icepool_odds, spread_by_walking
from tests.systems.toy import toy


@pytest.mark.parametrize(
    ("text", "die"),
    [
        ("4d6kh3 + 2", icepool.d(6).highest(4, 3) + 2),
        ("2d20kl1", icepool.d(20).lowest(2)),
        ("3d6ro1", 3 @ icepool.d(6).reroll([1], depth=1)),
        ("d20 adv - 1", icepool.d(20).highest(2) - 1),
        ("8d6kh4", icepool.d(6).highest(8, 4)),
    ],
)
def test_dice_in_notation_have_a_branch_for_each_total(text, die):
    assert spread_by_walking(lambda table: table.roll(text, "dice")) == icepool_odds(die)


def test_the_odds_of_an_explosion_are_listed_until_hardly_anything_is_left():
    walked = spread_by_walking(lambda table: table.roll("2d6!", "dice"))
    assert sum(walked.values()) == 1
    assert abs(walked[4] - Fraction(3, 36)) < Fraction(1, 10**11)


def test_the_dice_of_a_notation_are_rolled_one_by_one_with_their_reason():
    table = Table(ScriptedDice([3, 5, 6]))
    assert table.roll("2d6[fire] + 1", of="target") + table.roll("d6", "cold") == 15
    assert [(die.why, die.of) for die in table.rolls] == [
        ("fire", "target"),
        ("fire", "target"),
        ("cold", "actor"),
    ]


def test_invalid_dice_get_one_sentence_at_the_table_and_in_odds():
    for table in (Table(ScriptedDice([])), Walker()):
        with pytest.raises(Wrong, match="expected"):
            list(table.walk(lambda t: t.roll("2d"))) if isinstance(table, Walker) else table.roll("2d")


@pytest.mark.parametrize(("text", "kept"), [("12d6!kh3", 3), ("10d10!kh2", 2), ("20d6!kh3", 3)])
def test_the_best_of_many_dice_that_explode_are_known_within_a_frame(text, kept):
    dice, _, sides = text.partition("!")[0].partition("d")
    found = spread_by_walking(lambda table: table.roll(text, "pool"))
    # All dice that count show the most. Of dice that add no other, fewer came before N that do.
    most = Fraction(1, int(sides))
    few = sum(comb(int(dice) - 1 + number, number) * most**number for number in range(kept))
    assert abs(found[kept * int(sides)] - (1 - few * (1 - most) ** int(dice))) < Fraction(1, 10**9)


@pytest.mark.parametrize("worth", [5, (-1, 0, 0, 0, 1, 2)])
def test_counted_dice_have_the_odds_of_every_roll(worth):
    def run(table):
        return table.count(3, 6, worth, "pool")

    assert spread_by_walking(run) == by_throwing(run)
    assert len(list(Walker().walk(lambda table: table.count(40, 6, 5, "pool")))) == 41


@pytest.mark.parametrize("target", [-3, 1, 2, 15, 20, 21, 30])
def test_roll_over_is_two_branches_at_most_and_the_odds_of_its_faces(target):
    def run(table):
        return table.chance(target, 20, "save", over=True).passed

    assert spread_by_walking(run) == by_throwing(run)
    assert len(list(Walker().walk(run))) <= 2


def test_a_notation_can_be_grouped():
    def run(table):
        return table.grouped("2d20kh1 + 5", lambda total: (total >= 15) + (total == 25), "attack")[0]

    walked = spread_by_walking(run)
    assert walked == {0: Fraction(81, 400), 1: Fraction(280, 400), 2: Fraction(39, 400)}
    assert len(list(Walker().walk(run))) == 3


PARTS = st.builds(
    DamagePart,
    st.sampled_from(["fire", "cold", "slashing"]),
    st.sampled_from(["2d4", "1d6 + 1", "3d3kh2", Blow(((1, 6), (1, 4)), plus=-2, least=0)]),
    times=st.integers(0, 2),
    divided=st.integers(1, 3),
    less=st.integers(0, 2),
)


@examples(20)
@given(st.lists(PARTS, min_size=1, max_size=2))
def test_damage_of_several_types_has_the_odds_of_every_roll(parts):
    def run(table):
        damage = table.damage(parts)
        return Outcome(
            {"total": damage.total} | {f"part {at}": part for at, (_, part) in enumerate(damage.amounts)}
        )

    walked = facts_odds(run)
    thrown = {name: Counter() for name in walked}
    for facts, chance in by_throwing(lambda table: tuple(run(table).facts.items())).items():
        for name, value in facts:
            thrown[name][value] += chance
    assert walked == thrown


def test_damage_has_a_branch_for_each_total_and_is_rolled_once():
    fireball = [
        DamagePart("fire", "8d6", divided=2),
        DamagePart("cold", "4d8"),
        DamagePart("acid", "6d4", times=2),
    ]
    branches = list(Walker().walk(lambda table: table.damage(fireball).total))
    assert len(branches) == 85
    table = Table(ScriptedDice([4] * 18))
    first = table.damage(fireball)
    assert (first.total, first.amount("cold"), first.rolled) == (80, 16, (32, 16, 24))
    again = table.damage([evolve(part, times=1, divided=1) for part in fireball], given=first.rolled)
    assert (again.total, len(table.rolls)) == (72, 18)


def test_many_types_of_many_dice_have_one_branch_for_each_total():
    parts = [
        DamagePart(kind, f"{10 + at}d{6 + at}") for at, kind in enumerate(["a", "b", "c", "d", "e", "f"])
    ]
    found = list(Walker().walk(lambda table: table.damage(parts).total))
    assert len(found) == sum((10 + at) * (5 + at) for at in range(6)) + 1


def test_a_repetition_counts_against_the_branches_of_the_whole():
    thrown = []

    def part(again):
        thrown.append(again)
        return sum(again.d(6, "die") for _ in range(8))

    with pytest.raises(TooManyDice):
        list(Walker().walk(lambda table: table.until(part, lambda total: True)[0], most=20_000))
    assert len(thrown) <= 20_001


def test_a_repetition_that_would_take_longer_than_a_frame_is_given_up():
    thrown = []

    def part(again):
        thrown.append(again)
        return sum(again.d(20, "die") for _ in range(3)) * again.d(2, "double")

    with pytest.raises(TooManyDice):
        list(Walker().walk(lambda table: table.until(part, lambda total: True)[0]))
    assert len(thrown) == MOST_REPEATED + 1 < 20**3 * 2


def struck(damage):
    """Hit on 11 or more of a d20. More than 20 points of damage stun."""

    def run(scene, table):
        hit = table.d(20, "attack") >= 11
        total = damage(table) if hit else 0
        return Outcome({"hit": hit, "harm": total, "needed": 11})

    return Action("smite", "A blow.", run, targets="one", success="hit", amount="harm", against="needed")


def test_the_chance_to_hit_stays_when_the_damage_has_too_many_dice():
    fight = toy("add ada", "add orc", "start")
    smite = struck(lambda table: sum(table.blows(1, Blow(((9, 6),)), f"blow {at}") for at in range(6)))
    found = preview(fight.encounter, smite, "ada", "orc", smite.options())
    assert (found.works, found.against, found.too_many, found.amounts) == (Fraction(1, 2), 11, True, {})


def test_a_sum_that_decides_keeps_its_branches_and_the_others_do_not():
    def run(table):
        attack = table.roll("2d20kh1 + 3", "attack")
        extra = [table.blows(1, Blow(((9, 6),)), f"blow {at}") for at in range(5)] if attack >= 15 else []
        return Outcome({"hit": attack >= 15, "harm": sum(extra)})

    found = spread_without_sums(run, lambda outcome: outcome.facts["hit"], most=5_000)
    assert found == {True: 1 - Fraction(11, 20) ** 2, False: Fraction(11, 20) ** 2}


def test_a_decision_that_needs_the_damage_says_too_many_dice():
    smite = struck(lambda table: sum(table.pool(7, 6, f"blow {at}")[0] for at in range(6)))
    fight = toy("add ada", "add orc", "start")
    with pytest.raises(TooManyDice):
        preview(fight.encounter, smite, "ada", "orc", smite.options())


@declare
class Spell:
    damage: str = notation("1d6", "what it does")


@pytest.mark.parametrize("text", ["3", "2d6 + 3", "4d6kh3", "6d10!c>=8", "d20 adv"])
def test_a_field_holds_dice_in_any_notation(text):
    assert read(Spell, {"damage": text}, "").damage == text


@pytest.mark.parametrize("text", ["", "fire", "2d", "1d6, 2d8", "d6 // 0", 7.5])
def test_a_field_refuses_invalid_dice_with_its_path(text):
    with pytest.raises(Wrong, match="damage: expected"):
        read(Spell, {"damage": text}, "")
