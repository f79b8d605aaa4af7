"""The odds of the notation, against its own dice face by face and against another calculator."""

from fractions import Fraction

import icepool
import pytest
from hypothesis import given
from hypothesis import strategies as st

from systems.dice.notation import DiceError, describe, maximum, minimum, odds, parse, roll
from systems.dice.scripted import ScriptedDice
from systems.dice.sources import NeedsFace
from tests.laws import examples


def readable(text: str) -> bool:
    """Return whether the modifiers fit together: some never end, some name a missing face."""
    try:
        parse(text)
    except DiceError:
        return False
    return True


SMALL = st.builds(
    lambda count, sides, modifiers: f"{count}d{sides}{''.join(modifiers)}",
    st.integers(1, 3),
    st.integers(2, 4),
    st.lists(
        st.sampled_from(
            "kh1 kh2 kl1 dh1 dl1 dl2 ro1 ro<3 ro2 rr1 rr>3 ! !2 !>2 e1 mi2 ma2 ma3 kh0 c1 c>=3".split()
        ),
        max_size=3,
        unique=True,
    ),
).filter(readable)
SMALL_LINE = st.one_of(
    SMALL,
    st.builds("{} {} {}".format, SMALL, st.sampled_from(["+", "-", "*"]), st.integers(1, 5)),
    st.builds("-{} // {}".format, SMALL, st.integers(1, 5)),
    st.sampled_from(
        ["d2 * d3 - d2", "3dFkh2", "2dFdh1 * -2", "d4 adv - d2", "d3 + 1 dis", "6 // d3", "d2, d3"]
    ),
)


def walked(text: str, depth: int) -> tuple[dict[int, Fraction], Fraction]:
    """Return the odds from rolling the line with every sequence of faces up to a length, and the rest."""
    found: dict[int, Fraction] = {}
    left = Fraction(0)
    rows = [((), Fraction(1))]
    while rows:
        row, chance = rows.pop()
        try:
            total = roll(text, ScriptedDice(row)).total
        except NeedsFace as dry:
            sides = dry.request.sides
            if len(row) == depth:
                left += chance
            else:
                rows += [((*row, face), chance / sides) for face in range(1, sides + 1)]
        else:
            found[total] = found.get(total, Fraction(0)) + chance
    return found, left


@examples(50)
@given(SMALL_LINE)
def test_odds_agree_with_every_sequence_of_faces_rolled(text: str) -> None:
    told = odds(text)[0]
    found, left = walked(text, 6)
    assert sum(told.values()) + told.tail == 1
    for total in told.keys() | found.keys():
        seen, said = found.get(total, Fraction(0)), told.get(total, Fraction(0))
        assert seen - told.tail <= said <= seen + left
    if not left:
        assert told == found
        assert told.exact


@examples(40)
@given(SMALL_LINE)
def test_no_outcome_lies_outside_the_bounds_and_without_explosions_both_ends_are_reached(text: str) -> None:
    told = odds(text)[0]
    assert minimum(text) <= min(told)
    assert max(told) <= maximum(text)
    if "!" not in text and "e" not in text:
        assert (min(told), max(told)) == (minimum(text), maximum(text))


def chances(die: "icepool.Die[int]") -> dict[int, Fraction]:
    return {total: die.probability(total) for total in die.outcomes() if die.quantity(total)}


@pytest.mark.parametrize("count", [1, 2, 5, 8])
@pytest.mark.parametrize("sides", [2, 6, 20])
@pytest.mark.parametrize("kept", [1, 2, 3])
def test_keeping_and_dropping_agree_with_icepool(count: int, sides: int, kept: int) -> None:
    pool = icepool.d(sides).pool(count)
    kept = min(kept, count)
    assert odds(f"{count}d{sides}kh{kept}")[0] == chances(pool.highest(kept).sum())
    assert odds(f"{count}d{sides}kl{kept}")[0] == chances(pool.lowest(kept).sum())
    if kept < count:
        assert odds(f"{count}d{sides}dl{kept}")[0] == chances(pool.highest(count - kept).sum())
        assert odds(f"{count}d{sides}dh{kept}")[0] == chances(pool.lowest(count - kept).sum())


@pytest.mark.parametrize(
    ("text", "die"),
    [
        ("10d6", 10 @ icepool.d6),
        ("100d6 - 50", 100 @ icepool.d6 - 50),
        ("3d6 + 2d8 - d4", 3 @ icepool.d6 + 2 @ icepool.d8 - icepool.d4),
        ("(d6 + 1) * d4", (icepool.d6 + 1) * icepool.d4),
        ("3d6 // 2", (3 @ icepool.d6) // 2),
        ("d20 adv + 5", icepool.d20.highest(2, 1) + 5),
        ("d20 dis", icepool.d20.lowest(2, 1)),
        ("5d6dh1dl1", icepool.d6.pool(5)[1:-1].sum()),
        ("2d6ro<3", 2 @ icepool.d6.reroll([1, 2], depth=1)),
        ("2d6rr<3", 2 @ icepool.d6.reroll([1, 2], depth="inf")),
        ("4d6rr1kh3", icepool.d6.reroll([1], depth="inf").highest(4, 3)),
        ("2d8mi3ma6", 2 @ icepool.d8.clip(3, 6)),
        ("d%", icepool.d100),
    ],
)
def test_odds_agree_with_icepool(text: str, die: "icepool.Die[int]") -> None:
    told = odds(text)[0]
    assert told == chances(die)
    assert list(told) == sorted(told)
    assert told.exact


def test_exploding_odds_say_how_much_is_left_and_agree_with_icepool_up_to_that() -> None:
    told = odds("3d6!")[0]
    deep = chances(3 @ icepool.d6.explode(depth=30))
    assert 0 < told.tail < Fraction(1, 10**12)
    assert not told.exact
    assert all(0 <= deep[total] - chance <= told.tail for total, chance in told.items())


def test_each_roll_of_a_line_has_its_own_odds() -> None:
    first, second, third = odds("d2, d4; 7")
    assert first == dict.fromkeys([1, 2], Fraction(1, 2))
    assert second == dict.fromkeys([1, 2, 3, 4], Fraction(1, 4))
    assert third == {7: Fraction(1)}


@pytest.mark.parametrize(
    ("text", "character"),
    [
        ("1000d1000", 1),
        ("d20 + d1000000", 7),
        ("d2000 * d2000", 7),
        ("500d100kh250", 1),
        ("d20!>2", 1),
        ("d100000; " * 9 + "d100000", 46),
    ],
)
def test_odds_that_would_take_too_long_are_refused_and_not_guessed(text: str, character: int) -> None:
    with pytest.raises(DiceError, match=f"too many dice for exact odds, at character {character}$"):
        odds(text)


def test_odds_that_may_divide_by_zero_are_refused() -> None:
    with pytest.raises(DiceError, match="cannot divide by zero, at character 4"):
        odds("10 // (d6 - d6)")


@pytest.mark.parametrize(
    ("text", "die", "number"),
    [
        ("8d6c>=5", icepool.Die([0, 0, 0, 0, 1, 1]), 8),
        ("5d10cs>7", icepool.Die([0] * 7 + [1] * 3), 5),
        ("6d6c1c6", icepool.Die([1, 0, 0, 0, 0, 1]), 6),
        ("4d20c<=11", icepool.Die([1] * 11 + [0] * 9), 4),
        ("3d6c>6", icepool.Die([0]), 3),
    ],
)
def test_counted_dice_have_the_odds_of_another_calculator(text: str, die: icepool.Die, number: int) -> None:
    expected = number @ die
    assert odds(text)[0] == {
        value: Fraction(many, expected.denominator()) for value, many in expected.items()
    }


def test_counting_shows_the_faces_and_how_many_count() -> None:
    assert describe(roll("4d6c>=5", ScriptedDice([6, 2, 5, 1]))) == "4d6c>=5 (6, 2, 5, 1) = 2"
    assert describe(roll("2d6!c6", ScriptedDice([6, 2, 5]))) == "2d6!c6 (6 exploded, 2, 5) = 1"
    assert (minimum("3d6c>=1"), maximum("3d6c>=1"), minimum("3d6c>6"), maximum("3d6c>6")) == (3, 3, 0, 0)
