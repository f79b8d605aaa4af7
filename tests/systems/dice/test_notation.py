"""Dice notation: parsing, rolling, describing, and the positions of errors."""

import random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from systems.dice.notation import (
    MOST_DICE,
    DiceError,
    Expression,
    amount,
    describe,
    is_dice,
    maximum,
    minimum,
    parse,
    roll,
)
from systems.dice.scripted import ScriptedDice
from systems.dice.sources import NeedsFace, RandomDice

LIKELY = st.text("0123456789dDkKhHlLrRoOeEaAvVmMiIsSfF%!<>=+-*/()[],; −×\t\x00日", max_size=40)
SELECTOR = st.builds(
    "{}{}".format, st.sampled_from(["", "<", "<=", ">", ">=", "="]), st.integers(1, 6).map(str)
)
MODIFIER = st.one_of(
    st.builds("{}{}".format, st.sampled_from(["kh", "kl", "dh", "dl", "k"]), st.integers(0, 4).map(str)),
    st.builds("{}{}".format, st.sampled_from(["ro", "r", "rr", "!", "e"]), SELECTOR),
    st.builds("{}{}".format, st.sampled_from(["mi", "ma"]), st.integers(1, 4).map(str)),
    st.just("!"),
)
POOL = st.builds(
    lambda count, sides, modifiers: f"{count}d{sides}{''.join(modifiers)}",
    st.integers(1, 4),
    st.integers(2, 8),
    st.lists(MODIFIER, max_size=3),
)
TERM = st.one_of(POOL, st.integers(0, 30).map(str))
LINE = st.recursive(
    TERM,
    lambda inner: st.one_of(
        st.builds("{}{}{}".format, inner, st.sampled_from([" + ", "-", " * ", "//", ", "]), inner),
        st.builds("({})".format, st.one_of(TERM, inner).filter(lambda text: "," not in text)),
    ),
    max_leaves=5,
)


def faces(text: str, *shown: int) -> str:
    """Roll the line with exactly these faces and describe the result."""
    dice = ScriptedDice(shown)
    told = describe(roll(text, dice))
    assert dice.left == 0
    return told


def refusal(text: str, seed: int = 1) -> DiceError | None:
    """Return the error of a line, or None if it rolls."""
    try:
        roll(text, RandomDice(random.Random(seed)))
    except DiceError as error:
        return error
    return None


@pytest.mark.parametrize(
    ("text", "shown", "told"),
    [
        ("4d6kh3 + 2", (6, 5, 3, 1), "4d6kh3 (6, 5, 3, 1 dropped) + 2 = 16"),
        ("4D6K3+2", (1, 5, 3, 6), "4d6k3 (1 dropped, 5, 3, 6) + 2 = 16"),
        ("4d6kl1", (4, 2, 2, 5), "4d6kl1 (4 dropped, 2 dropped, 2, 5 dropped) = 2"),
        ("3d6kh1", (4, 4, 2), "3d6kh1 (4, 4 dropped, 2 dropped) = 4"),
        ("4d6dl", (4, 2, 3, 5), "4d6dl (4, 2 dropped, 3, 5) = 12"),
        ("5d6dh1dl1", (6, 2, 3, 5, 1), "5d6dh1dl1 (6 dropped, 2, 3, 5, 1 dropped) = 10"),
        ("2d6kh5", (3, 4), "2d6kh5 (3, 4) = 7"),
        ("2d6kh0", (3, 4), "2d6kh0 (3 dropped, 4 dropped) = 0"),
        ("d%", (63,), "d% (63) = 63"),
        ("4dF", (1, 2, 3, 3), "4dF (-1, 0, 1, 1) = 1"),
        ("4dfkh2", (1, 2, 3, 3), "4dFkh2 (-1 dropped, 0 dropped, 1, 1) = 2"),
        ("d20 adv", (8, 17), "d20 adv (8 dropped, 17) = 17"),
        ("1d20dis+5", (8, 17), "1d20 dis (8, 17 dropped) + 5 = 13"),
        ("d20+5 adv", (8, 17), "d20 adv (8 dropped, 17) + 5 = 22"),
        ("disadvantage d20 - 1", (8, 17), "d20 dis (8, 17 dropped) - 1 = 7"),
        ("d20 ADVANTAGE mi10", (8, 7), "d20 adv mi10 (8 as 10, 7 dropped) = 10"),
        ("2d6ro<2", (1, 1, 5), "2d6ro<2 (1 rerolled, 1, 5) = 6"),
        ("2d6r1", (4, 1, 5), "2d6r1 (4, 1 rerolled, 5) = 9"),
        ("d6rr<3", (1, 2, 2, 4), "d6rr<3 (1 rerolled, 2 rerolled, 2 rerolled, 4) = 4"),
        ("d6ro1rr2", (1, 2, 1), "d6ro1rr2 (1 rerolled, 2 rerolled, 1) = 1"),
        ("d6rr>=3rr=1", (3, 1, 2), "d6rr>=3rr=1 (3 rerolled, 1 rerolled, 2) = 2"),
        ("3d6!", (6, 6, 2, 3, 1), "3d6! (6 exploded, 6 exploded, 2, 3, 1) = 18"),
        ("2d6!>4", (5, 2, 4), "2d6!>4 (5 exploded, 2, 4) = 11"),
        ("d6e5", (5, 6), "d6e5 (5 exploded, 6) = 11"),
        ("2d6!kh2", (6, 1, 5), "2d6!kh2 (6 exploded, 1 dropped, 5) = 11"),
        ("d6!ro1", (6, 1, 1), "d6!ro1 (6 exploded, 1 rerolled, 1) = 7"),
        ("2d6mi2ma5", (1, 6), "2d6mi2ma5 (1 as 2, 6 as 5) = 7"),
        ("2d6 [fire] + 1d4 [cold]", (3, 4, 2), "2d6 (3, 4) [fire] + 1d4 (2) [cold] = 9"),
        ("(d6 + 3)[Fire] * 2", (4,), "(d6 (4) + 3) [Fire] * 2 = 14"),
        ("-(d6 - 2) * -3", (5,), "-(d6 (5) - 2) * -3 = 9"),
        ("7//2 - 7 // -2", (), "7 // 2 - 7 // -2 = 7"),
        ("1 - 2 - 3 + 2*3", (), "1 - 2 - 3 + 2 * 3 = 2"),
        ("−3 × d4 − − 2", (2,), "-3 * d4 (2) - -2 = -4"),
        ("d20, d6; 3", (11, 4), "d20 (11) = 11; d6 (4) = 4; 3"),
        (" 2 d 6 kh 1 ", (3, 5), "2d6kh1 (3 dropped, 5) = 5"),
    ],
)
def test_faces_give_the_written_arithmetic_and_every_die_stays_visible(
    text: str, shown: tuple[int, ...], told: str
) -> None:
    assert faces(text, *shown) == told


def test_an_empty_source_names_the_next_die_with_its_reason_and_owner() -> None:
    with pytest.raises(NeedsFace) as caught:
        roll("d20 + 2d6 [fire]", ScriptedDice([3, 4]), of="okado")
    die = caught.value.request
    assert (die.sides, die.why, die.of) == (
        6,
        "fire",
        "okado",
    )


def test_rolls_come_in_rolling_order_with_label_or_dice_as_their_reason() -> None:
    result = roll("2d6ro1 [fire], d%+dF", ScriptedDice([1, 2, 6, 93, 1]), of="okado")
    assert [(one.sides, one.face, one.why, one.of) for one in result.rolls] == [
        (6, 1, "fire", "okado"),
        (6, 2, "fire", "okado"),
        (6, 6, "fire", "okado"),
        (100, 93, "d%", "okado"),
        (3, 1, "dF", "okado"),
    ]
    assert result.totals == (8, 92)
    assert result.total == 8


def test_each_die_records_whether_it_counts_and_why() -> None:
    (part,) = roll("2d6ro2!kh2mi3", ScriptedDice([2, 1, 6, 5])).parts[0]
    assert [(die.face, die.value, die.kept, die.note) for die in part.dice] == [
        (2, 3, False, "rerolled"),
        (1, 3, False, "dropped"),
        (6, 6, True, "exploded"),
        (5, 5, True, ""),
    ]
    assert part.total == 11
    (low,) = roll("d6mi3", ScriptedDice([1])).parts[0]
    assert low.dice[0].note == "min"


def test_a_plain_number_or_dice_is_an_amount_and_two_rolls_are_not() -> None:
    assert amount(" 12 ") == 12
    assert amount("-(3+4)") == -7
    dice = amount("2d6+3")
    assert isinstance(dice, Expression)
    assert dice.dice == 2
    for text in ["2d6, 3", "high", "1//0"]:
        with pytest.raises(DiceError):
            amount(text)


@pytest.mark.parametrize(
    "text", ["d20", "2D6+3", " 4d6kx3", "(1+d4)*2", "3 + 2d6", "d%", "4dF", "adv d20", "-d6"]
)
def test_a_text_that_begins_like_dice_counts_as_dice_even_with_a_later_error(text: str) -> None:
    assert is_dice(text)


@pytest.mark.parametrize(
    "text", ["", "7", "dodge", "d", "guard d6", "-3", "okado-d6", "dfend", "advance d6", " " * 10**6]
)
def test_other_words_are_not_taken_for_dice(text: str) -> None:
    assert not is_dice(text)


@given(st.one_of(LIKELY, st.text(), LINE), st.integers(0, 99))
@example("\ud800", 0)
@example("İd6", 0)
@example("٣d6", 0)
@example("K" * 1001, 0)
@example("-" * 999 + "1", 0)
@example("(" * 500 + ")" * 500, 0)
def test_every_text_rolls_or_raises_a_short_printable_error(text: str, seed: int) -> None:
    error = refusal(text, seed)
    if error is None:
        assert describe(roll(text, RandomDice(random.Random(seed)))).isprintable()
        return
    assert str(error).isprintable()
    assert len(str(error)) < 300
    assert 0 <= error.position <= len(text)


@given(LINE, st.integers(0, 2**32))
def test_a_result_lies_within_its_bounds_and_equals_the_sum_of_its_dice(text: str, seed: int) -> None:
    if refusal(text, seed) is not None:
        return
    low, high = minimum(text), maximum(text)
    result = roll(text, RandomDice(random.Random(seed)))
    assert low <= result.total <= high
    assert len(result.rolls) <= MOST_DICE
    assert len(result.rolls) >= result.line.dice
    for parts in result.parts:
        for part in parts:
            assert part.total == sum(die.value for die in part.dice if die.kept)
    again = ScriptedDice([one.face for one in result.rolls])
    assert roll(text, again) == result
    assert again.left == 0


@given(
    st.lists(
        st.tuples(st.sampled_from("+-*"), st.integers(1, 3), st.integers(2, 20)), min_size=1, max_size=6
    ),
    st.data(),
)
def test_scripted_faces_follow_the_arithmetic_of_the_line(
    terms: list[tuple[str, int, int]], data: st.DataObject
) -> None:
    shown: list[int] = []
    text = sums = "0"
    for sign, count, sides in terms:
        pool = data.draw(st.lists(st.integers(1, sides), min_size=count, max_size=count))
        shown += pool
        text += f"{sign}{count}d{sides}"
        sums += f"{sign}({'+'.join(map(str, pool))})"
    assert roll(text, ScriptedDice(shown)).total == eval(sums)


@given(LINE)
def test_a_parsed_line_rolls_like_its_text(text: str) -> None:
    if refusal(text) is None:
        line = parse(text)
        assert roll(line, RandomDice(random.Random(1))) == roll(text, RandomDice(random.Random(1)))


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("d6 d6", "d6, d6"),
        ("2d6+1 4d6kh3 d%", "2d6+1, 4d6kh3, d%"),
        ("d6; d8 d4", "d6; d8; d4"),
        ("d6 df", "d6, df"),
    ],
)
def test_dice_after_a_space_are_a_separate_roll(text: str, meant: str) -> None:
    totals, meant_totals = (roll(line, RandomDice(random.Random(1))).totals for line in (text, meant))
    assert totals == meant_totals
    assert len(totals) > 1


@pytest.mark.parametrize("text", ["d6 3", "d6d6", "d6 d", "d6 fire"])
def test_other_words_after_dice_are_refused(text: str) -> None:
    with pytest.raises(DiceError):
        parse(text)


def test_two_rolls_are_no_amount() -> None:
    with pytest.raises(DiceError, match="expected one amount, at character 1"):
        amount("d6 d6")
