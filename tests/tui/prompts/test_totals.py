"""Totals of real dice at the table: `=22` is the dice plus the bonus that the question shows."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from systems.dice.sources import Total, TotalRoll
from systems.encounter.events import given_in
from tests.tui.opened import opened
from tests.tui.pilot import running
from tests.tui.table import Play

SHOT = "submachine gun"


@asynccontextmanager
async def shooting(tmp_path: Path, *lines: str) -> AsyncIterator[Play]:
    """Open the thin place at Aryn's shot at a wicked thrasher, with real dice, at the first die.

    Its d20 has +4, its 2d6 have no bonus.
    """
    here = opened(tmp_path, None, "the-thin-place")
    assert here.table.session is not None
    for line in ("start dice=5,20,6,7,8,9", *lines):
        here.table.session.do(line)
    async with running(here, (80, 24)) as pilot:
        play = Play(here, pilot)
        await play.press("Da<Enter>")
        assert play.session.encounter.progress.turn == "aryn"
        yield play


async def test_a_called_total_of_one_die_gives_its_face(tmp_path: Path) -> None:
    async with shooting(tmp_path) as play:
        assert "added: Dex 4" in play.text
        assert "=total, bonus included" in play.text
        await play.press("=17<Enter>")
        await play.press("4 5<Enter>")
        assert [roll.face for roll in play.last.rolls] == [13, 4, 5]


async def test_a_called_total_of_several_dice_is_kept_without_faces(tmp_path: Path) -> None:
    async with shooting(tmp_path) as play:
        await play.press("13<Enter>")
        assert "die 1 of 2" in play.text
        assert "=total" in play.text
        await play.press("=9<Enter>")
        assert play.last.rolls[1] == TotalRoll("2d6", 9, f"{SHOT} damage", "aryn")
        assert "9 damage" in play.last.text
        await play.press("y")
        row = next(line for line in play.text.split("\n") if "2d6" in line).replace("│", "")
        assert row.split()[:2] == ["2d6", "9"]


async def test_totals_and_faces_can_be_typed_in_one_line(tmp_path: Path) -> None:
    async with shooting(tmp_path) as play:
        await play.press("=17 =9<Enter>")
        assert given_in(play.last) == [13, Total(9)]


async def test_a_called_total_includes_the_bonus_of_damage(tmp_path: Path) -> None:
    async with shooting(tmp_path, "set aryn damage_mod 3") as play:
        await play.press("13<Enter>")
        assert "added: +3" in play.text
        await play.press("=12<Enter>")
        assert play.last.rolls[1].total == 9


@pytest.mark.parametrize(
    ("keys", "sentence"),
    [
        ("=25<Enter>", "d20 +4 can't make 25, only 5 to 24"),
        ("=4<Enter>", "d20 +4 can't make 4, only 5 to 24"),
        ("13<Enter>=13<Enter>", "2d6 can't make 13, only 2 to 12"),
        ("13<Enter>4<Enter>=9<Enter>", "=9 is too late, one of these dice is known already"),
        ("13 =13<Enter>", "2d6 can't make 13, only 2 to 12"),
        ("1=3<Enter>", '"1=3" is not a face: type what the die shows, 1 to 20'),
    ],
)
async def test_an_impossible_total_is_refused_in_one_sentence_and_stays_typed(
    tmp_path: Path, keys: str, sentence: str
) -> None:
    async with shooting(tmp_path) as play:
        await play.press(keys)
        assert sentence in play.text
        assert play.app.services.prompts.current is not None
        typed = keys.replace("<Enter>", " ").split()[-1]
        assert any(line.rstrip().endswith(typed) for line in play.text.split("\n") if line.startswith(" d"))


async def test_dice_of_which_one_is_kept_take_no_total(tmp_path: Path) -> None:
    async with shooting(tmp_path) as play:
        await play.press("<Esc>r4d6kh3<Enter>")
        assert "=total" not in play.text
        await play.press("=9<Enter>")
        assert "=9 is a total, but each of these dice counts by itself" in play.text
        await play.press("6 5 4 1<Enter>")
        assert "= 15" in play.last.text


async def test_a_roll_of_dice_and_a_number_takes_the_whole_called_total(tmp_path: Path) -> None:
    async with shooting(tmp_path) as play:
        await play.press("<Esc>r2d6+3<Enter>")
        assert "added: +3" in play.text
        await play.press("=12<Enter>")
        assert play.last.text == "Rolled 2d6 (total 9) + 3 = 12."


async def test_a_total_that_fell_before_an_undo_is_taken_again(tmp_path: Path) -> None:
    async with shooting(tmp_path) as play:
        await play.press("13 =9<Enter>")
        rolls = play.last.rolls
        await play.press("ua<Enter>")
        assert "rolled before: 13 9 in all" in play.text
        await play.press("<Enter>")
        assert play.last.rolls == rolls


async def test_the_line_of_an_amendment_shows_a_total_and_takes_another(tmp_path: Path) -> None:
    async with shooting(tmp_path) as play:
        await play.press("13 =9<Enter>Le")
        assert "dice=13,=9" in play.text
        await play.press("<backspace>7<Enter><Enter>")
        replaced = play.last.replaced[0]
        assert replaced.rolls[1].total == 7
        assert "7 damage" in replaced.text
