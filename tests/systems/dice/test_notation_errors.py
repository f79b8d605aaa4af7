"""Texts that the notation refuses, and their error sentences."""

import pytest

from systems.dice.notation import MOST_DICE, DiceError, maximum, minimum, odds, parse, roll
from systems.dice.scripted import ScriptedDice


@pytest.mark.parametrize(
    ("text", "message", "character"),
    [
        ("4d6kx3", "expected h or l after k", 5),
        ("", "expected a number or dice", 1),
        ("4d6 + ", "expected a number or dice", 7),
        ("2d", "expected the number of sides after d", 3),
        ("(1 + 2", "expected )", 7),
        ("1)", "this ) has no (", 2),
        ("1 / 2", "to divide, write //, which rounds down", 3),
        ("d6 fire", '"f" does not belong here', 4),
        ("d6\x1b[2J", "this character does not belong here", 3),
        ("d6 [fire", "this label has no ]", 4),
        ("d6 [\x1b]", "a label is 1 to 100 printable characters", 5),
        ("d6ro", "expected a face after ro", 5),
        ("d6rr<", "expected a face after <", 6),
        ("d6mi7", "a d6 has faces 1 to 6", 5),
        ("2dFro1", "fate dice can be kept and dropped, nothing else", 4),
        ("2d6 adv", "adv belongs to a single die, as in d20 adv + 5", 5),
        ("adv d20 + d4", "adv belongs to a single die, as in d20 adv + 5", 12),
        ("0d6", "expected at least one die", 1),
        ("d0", "a die has 1 to 1,000,000 sides", 2),
        ("d1000001", "a die has 1 to 1,000,000 sides", 2),
        ("600d6, 401d6", "too many dice, 1,000 is the most", 8),
        ("1000d6 + d20", "too many dice, 1,000 is the most", 10),
        ("1000000001", "this number is too large, 1,000,000,000 is the most", 1),
        ("2d6+3 d20", "write 3d20 without a space, or a comma between two rolls", 6),
        ("2d6 + 3 d20", "write 3d20 without a space, or a comma between two rolls", 8),
        ("1d1!", "this explosion never ends", 1),
        ("3 + d6!>=1", "this explosion never ends", 5),
        ("d6rr<3!>2", "this explosion never ends", 1),
        ("d6rr<7", "this reroll never ends", 1),
        ("d6rr<4rr>3", "this reroll never ends", 1),
        ("(" * 51 + "1" + ")" * 51, "more than 50 parentheses inside one another", 51),
        ("1" + "+1" * 500, "more than 1,000 characters", 1001),
    ],
)
def test_an_error_says_what_is_wrong_and_points_at_the_character(
    text: str, message: str, character: int
) -> None:
    with pytest.raises(DiceError) as caught:
        parse(text)
    error = caught.value
    assert (error.message, error.position) == (message, character - 1)
    assert str(error).endswith(f": {message}, at character {character}")


@pytest.mark.parametrize("text", ["1//0", "d4//(d4 - d4)", "7 + 4//(2-2)"])
def test_a_division_by_zero_is_our_error(text: str) -> None:
    with pytest.raises(DiceError, match="cannot divide by zero"):
        roll(text, ScriptedDice([1, 1, 1]))


def test_a_result_that_no_game_needs_is_refused() -> None:
    with pytest.raises(DiceError, match="the result is too large, at character 22"):
        roll("1000000000 * 1000000 * 2", ScriptedDice([]))


@pytest.mark.parametrize("text", ["d2!", "1000d2!", "999d6rr1 + d6!", "500d2ro1 + 500d2ro1"])
def test_rerolls_and_explosions_stop_at_the_most_dice(text: str) -> None:
    class Ones:
        asked = 0

        def face(self, sides: int, why: str = "", of: str = "") -> int:
            self.asked += 1
            return 1 if "r" in text else sides

    dice = Ones()
    with pytest.raises(DiceError, match="these dice do not end within 1,000"):
        roll(text, dice)
    assert 0 < dice.asked <= MOST_DICE


def test_odds_and_bounds_point_at_the_text_too() -> None:
    for ask in (odds, minimum, maximum):
        with pytest.raises(DiceError, match=r'^"7 // \(3 - 3\)": cannot divide by zero, at character 3$'):
            ask("7 // (3 - 3)")
