"""Damage of several types passes a target's defences in ordered steps; a critical doubles its dice alone."""

import icepool
import pytest
from hypothesis import given
from hypothesis import strategies as st

from systems.contract.damage import DamagePart, DamageStep
from systems.contract.outcome import Outcome
from systems.contract.table import Table
from systems.contract.typed_damage import (
    DamageDefence,
    TypedDice,
    more_dice,
    read_damage,
    steps_for,
    typed_parts,
)
from systems.dice.scripted import ScriptedDice
from systems.errors import Wrong
from systems.odds import facts_odds
from tests.laws import examples
from tests.systems.odds.test_walker import by_throwing, icepool_odds

FIRE = ("fire",)


def taken(damage, *defences):
    """Return the damage taken of this much fire."""
    return DamagePart("fire", "1d6", steps=steps_for("fire", defences)).worth(damage)


@pytest.mark.parametrize(
    ("damage", "defences", "left"),
    [
        (28, [DamageDefence("reduce", amount=5), DamageDefence("resist"), DamageDefence("vulnerable")], 22),
        (28, [DamageDefence("vulnerable"), DamageDefence("resist"), DamageDefence("reduce", amount=5)], 22),
        (27, [DamageDefence("share"), DamageDefence("resist")], 6),
        (27, [DamageDefence("share", rounded="up"), DamageDefence("resist", rounded="up")], 7),
        (9, [DamageDefence("resist"), DamageDefence("resist", FIRE)], 4),
        (9, [DamageDefence("resist", ("cold",))], 9),
        (9, [DamageDefence("vulnerable"), DamageDefence("immune", FIRE)], 0),
        (3, [DamageDefence("reduce", amount=5)], 0),
        (3, [DamageDefence("reduce", amount=5, least=1)], 1),
        (3, [DamageDefence("add", amount=4), DamageDefence("resist")], 3),
    ],
)
def test_defences_apply_in_the_order_of_the_rules_and_round_one_by_one(damage, defences, left):
    assert taken(damage, *defences) == left


def test_a_game_may_have_an_order_of_its_own():
    steps = steps_for(
        "fire", (DamageDefence("resist"), DamageDefence("reduce", amount=5)), ("resist", "reduce")
    )
    assert DamagePart("fire", "1d6", steps=steps).worth(28) == 9


def test_the_steps_are_told_one_by_one():
    part = DamagePart(
        "fire",
        "8d6",
        steps=(DamageStep("aura", plus=-5), DamageStep("resistance", divided=2), DamageStep(times=2)),
    )
    assert part.reckoning(28) == "28, \N{MINUS SIGN} 5 aura = 23, / 2 resistance = 11, × 2 = 22"
    assert DamagePart("fire", "8d6").reckoning(28) == ""


def test_dice_of_one_type_pass_the_defences_together():
    parts = typed_parts(
        [TypedDice("1d8 + 3", "slashing"), TypedDice("1d6", "fire"), TypedDice("1d6", "slashing")],
        (DamageDefence("resist", ("slashing",)),),
    )
    assert [(part.type, part.dice) for part in parts] == [("slashing", "1d8 + 3 + 1d6"), ("fire", "1d6")]
    rolled = Table(ScriptedDice([4, 4, 5])).damage(parts)
    assert rolled.amounts == (("slashing", 5), ("fire", 5))


DEFENCES = st.lists(
    st.builds(
        DamageDefence,
        st.sampled_from(["add", "reduce", "share", "resist", "vulnerable", "immune"]),
        st.sampled_from([(), ("fire",), ("cold",)]),
        amount=st.integers(1, 3),
        rounded=st.sampled_from(["down", "up"]),
    ),
    max_size=3,
).map(tuple)
DAMAGE = st.lists(
    st.builds(TypedDice, st.sampled_from(["1d4+1", "2d3", "1d6"]), st.sampled_from(["fire", "cold"])),
    min_size=1,
    max_size=2,
)


@examples(25)
@given(DAMAGE, DEFENCES)
def test_damage_in_steps_has_the_odds_of_every_roll(damage, defences):
    def run(table):
        return Outcome({"damage": table.damage(typed_parts(damage, defences)).total})

    assert facts_odds(run)["damage"] == by_throwing(lambda table: run(table).facts["damage"])


def test_damage_in_steps_agrees_with_another_calculator():
    defences = (DamageDefence("reduce", amount=2), DamageDefence("resist", FIRE))
    fire = ((2 @ icepool.d(6)) + 4).map(lambda total: max(0, total - 2) // 2)
    cold = icepool.d(8).map(lambda total: max(0, total - 2))
    parts = typed_parts([read_damage("2d6+4 fire"), read_damage("1d8 cold")], defences)
    found = facts_odds(lambda table: Outcome({"damage": table.damage(parts).total}))["damage"]
    assert found == icepool_odds(fire + cold)


@pytest.mark.parametrize(
    ("dice", "doubled"),
    [
        ("2d6+6", "4d6 + 6"),
        ("1d8+2d6+3", "2d8 + 4d6 + 3"),
        ("d6", "2d6"),
        ("2d6 - 1d4", "4d6 - 2d4"),
        ("(2d6+1)*2", "(4d6 + 1) * 2"),
        ("4d6kh3 + 2", "(4d6kh3 + 4d6kh3) + 2"),
        ("5", "5"),
    ],
)
def test_a_critical_hit_doubles_the_dice_and_not_the_numbers(dice, doubled):
    assert more_dice(dice) == doubled
    more_dice(doubled)


@pytest.mark.parametrize(
    ("text", "dice", "type"),
    [
        ("2d6+6 fire", "2d6+6", "fire"),
        ("2d6 + 6 fire", "2d6 + 6", "fire"),
        ("1d8", "1d8", ""),
        ("5 cold", "5", "cold"),
        ("1d6 magical slashing", "1d6", "magical slashing"),
    ],
)
def test_damage_is_read_as_dice_and_a_type(text, dice, type):
    assert read_damage(text) == TypedDice(dice, type)


@pytest.mark.parametrize("text", ["fire", "", "2d fire", "2d6+ fire"])
def test_a_text_without_dice_is_refused_with_an_example(text):
    with pytest.raises(Wrong, match="such as 2d6"):
        read_damage(text)
