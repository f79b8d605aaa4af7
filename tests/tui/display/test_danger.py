"""The rows about danger."""

from fractions import Fraction

import pytest

from systems.codec.plain import from_plain, to_plain
from systems.forecast.found import Danger, Threat
from systems.frozen import evolve
from systems.visibility.parts import OrderRow, ShownWord
from tests.systems.fight import Fight
from tui.display.danger import danger_lines, danger_rows, with_danger
from tui.display.order import words_within
from tui.session.work import DangerAnswer
from tui.terminal.symbols import PLAIN, Symbols

ROW = OrderRow("1", "Okado", "players")


def danger(chance: Fraction, *, is_exact: bool = True) -> Danger:
    return Danger("okado", chance, (Threat("guard-1", "attack", (), chance),), is_exact)


@pytest.mark.parametrize(
    ("chance", "text", "tone"),
    [
        (Fraction(1, 4), "†25%", "warning"),
        (Fraction(49, 100), "†49%", "warning"),
        (Fraction(1, 2), "†50%", "danger"),
        (Fraction(1), "†100%", "danger"),
    ],
)
def test_a_danger_of_a_quarter_or_more_is_in_the_row(chance: Fraction, text: str, tone: str) -> None:
    [word] = with_danger(ROW, danger(chance), Symbols()).words
    assert (word.text, word.tone) == (text, tone)


def test_a_small_danger_and_an_unknown_one_leave_the_row_unchanged() -> None:
    assert with_danger(ROW, danger(Fraction(24, 100)), Symbols()) is ROW
    assert with_danger(ROW, None, Symbols()) is ROW


def test_letters_say_what_the_chance_is_for_and_a_sampled_one_is_marked() -> None:
    [word] = with_danger(ROW, danger(Fraction(1, 3), is_exact=False), PLAIN).words
    assert word.text == "falls ≈33%"


def test_the_card_names_the_share_of_each_foe_below_the_chance() -> None:
    rows = danger_rows(Fight("simple", "add okado", "add guard").encounter, danger(Fraction(1, 3)), 40)
    lines = ["".join(text for text, _ in row) for row in rows]
    assert lines[0] == "33% if all go for Okado"
    assert lines[1].endswith("33% (attack)")
    assert lines[1].startswith("  ")


def test_the_share_of_a_foe_names_its_weapon_or_power_also_from_another_process() -> None:
    encounter = Fight("simple", "add okado", "add guard", "start").encounter
    found = Danger("okado", Fraction(1, 4), (Threat("guard", "power", (), Fraction(1, 4), "fire breath"),))
    sent = to_plain(DangerAnswer(dangers=(found,)))
    for dangers in ([found], from_plain(DangerAnswer, sent).dangers):
        line, _ = danger_lines(encounter, dangers)
        assert line.endswith("Guard 25% (fire breath)")


def test_a_narrow_row_in_letters_shows_the_chance_alone() -> None:
    row = evolve(ROW, words=(ShownWord("poisoned", weight="condition"),))
    words = with_danger(row, danger(Fraction(1, 3)), PLAIN).words
    shown = ["".join(text for text, _ in words_within(words, room)) for room in (5, 22)]
    assert shown == ["33% …", "falls 33%  poisoned"]
