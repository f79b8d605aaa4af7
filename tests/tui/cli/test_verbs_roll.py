"""`affray roll`: a roll on one line, exact odds as a table, errors that point at the character."""

import re

import pytest

from tests.command import affray, start


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["2d6+3"], r"2d6 \(\d, \d\) \+ 3 = \d+"),
        (["2d6", "+", "3"], r"2d6 \(\d, \d\) \+ 3 = \d+"),
        (["2d6", "-3"], r"2d6 \(\d, \d\) - 3 = -?\d+"),
        (["-1d6"], r"-1d6 \(\d\) = -\d"),
        (["-(1d6+1)"], r"-\(1d6 \(\d\) \+ 1\) = -\d"),
        (["-1d4", "--seed", "3"], r"-1d4 \(\d\) = -\d"),
        (["d%"], r"d% \(\d+\) = \d+"),
        (["4d6kh3"], r"4d6kh3 \(.*dropped.*\) = \d+"),
        (["1d20+5 [attack]"], r"1d20 \(\d+\) \+ 5 \[attack\] = \d+"),
        (["2d6, 1d8"], r"2d6 .* = \d+; 1d8 .* = \d"),
    ],
)
def test_a_roll_is_one_line(words, said):
    ran = affray("roll", *words)
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.count("\n") == 1
    assert re.fullmatch(said, ran.out.strip())


def test_a_seed_that_is_no_number_has_a_clear_error():
    ran = affray("roll", "2d6", "--seed", "often")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("affray: argument --seed: expected a whole number")


def test_a_seed_repeats_a_roll():
    [one] = {affray("roll", "20d20", "--seed", "7").out for _ in range(3)}
    assert affray("roll", "--seed", "7", "20d20").out == one
    assert affray("roll", "20d20", "--seed", "8").out != one
    assert affray("roll", "20d20", "--seed", "-7").status == 0
    assert start("roll", "20d20", "--seed", "7").out == one


def test_without_a_seed_rolls_differ():
    assert len({affray("roll", "20d20").out for _ in range(3)}) > 1


def test_odds_are_exact_and_add_up():
    ran = affray("roll", "2d6", "--odds")
    assert (ran.status, ran.err) == (0, "")
    lines = [line.split() for line in ran.out.splitlines()]
    assert [int(one[0]) for one in lines] == list(range(2, 13))
    assert [one[1] for one in lines] == [f"{min(n - 1, 13 - n) / 36:.4%}" for n in range(2, 13)]
    assert lines[0][2] == "100.0000%"


def test_the_odds_of_several_rolls_are_separated():
    first, second = affray("roll", "1d2, 1d3", "--odds").out.split("\n\n")
    assert (len(first.splitlines()), len(second.splitlines())) == (2, 3)


def test_the_odds_of_exploding_dice_state_the_chance_left_out():
    assert "beyond this, still exploding" in affray("roll", "1d6!", "--odds").out


@pytest.mark.parametrize("odds", [(), ("--odds",)])
@pytest.mark.parametrize(
    ("dice", "place"),
    [
        ("", 1),
        ("   ", 1),
        ("2d", 3),
        ("2d6 +", 6),
        ("1d0", 3),
        ("0d6", 1),
        ("1/2", 2),
        ("1//0", 2),
        ("999999999999d6", 1),
        ("2d6\x1b[31m", 4),
        ("🐉", 1),
        ("1d6!>0", 1),
        ("(" * 900, None),
        ("9" * 900, None),
        ("1+" * 5000 + "1", None),
        ("2d6 " * 5000, None),
    ],
)
def test_an_error_points_at_the_character(dice, place, odds):
    ran = affray("roll", dice, *odds)
    assert (ran.status, ran.out) == (1, "")
    assert f"at character {place or ''}" in ran.complaint


def test_too_many_dice_for_exact_odds_are_refused_at_once():
    assert "too many dice" in affray("roll", "1000d6", "--odds").complaint


def test_several_dice_are_several_rolls():
    ran = affray("roll", "d6", "2d8+1", "--seed", "1")
    assert ran.out == affray("roll", "d6, 2d8+1", "--seed", "1").out
    assert ran.out.count("=") == 2
