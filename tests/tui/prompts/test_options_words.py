"""What options can be stands in words on the screen, and is written as the game has it."""

from pathlib import Path

import pytest

from tests.tui.opened import opened, playing_sample
from tests.tui.pilot import running
from tests.tui.table import Play, playing
from tui.display.text import width
from tui.lists.target_list import OptionShown
from tui.prompts.options import OptionEditor


async def test_a_choice_is_read_without_underscores_and_written_with_them(tmp_path: Path) -> None:
    here = opened(tmp_path, None, "rooftop-watch")
    session = here.table.session
    assert session is not None
    session.do("start")
    async with running(here, (110, 30)) as pilot:
        play = Play(here, pilot)
        await play.press("f")
        assert "full  free  move action" in play.text
        assert "_" not in play.text
        await play.press("mov")
        assert "kind move action" in play.text.replace("(needed)", "").replace("  ", " ")
        await play.press("<Enter>")
        assert play.last.options == {"kind": "move_action"}
        assert "_" not in play.text


async def test_the_footer_of_a_form_has_choices_in_words(tmp_path: Path) -> None:
    here = opened(tmp_path, None, "the-toll-road")
    async with running(here, (140, 40)) as pilot:
        play = Play(here, pilot)
        await play.press("R<Enter>" + "<Down>" * 40)
        for _ in range(40):
            if "one of aware" in play.text:
                break
            await play.press("<Up>")
        assert "one of aware, alert, flat footed, unconscious" in play.text


def test_an_ellipsis_next_to_the_edited_option_replaces_those_without_room() -> None:
    editor = OptionEditor()
    editor.field = "cover"
    cover = OptionShown("cover", "cover", choices=("none", "half", "three quarters", "full"))
    distance = OptionShown("distance", "distance", value="40", help="in metres")
    narrow, wide = editor.pieces([cover, distance], 44), editor.pieces([cover, distance], 120)
    assert "".join(text for text, _ in narrow).startswith("… · cover ")
    assert width(narrow[:5]) <= 44
    assert "distance 40" in "".join(text for text, _ in wide)


@pytest.mark.parametrize("typed", ["tmel 13<Enter>", "t13 mel<Enter>", "tmelee thr=13<Enter>"])
async def test_each_word_typed_for_a_check_goes_to_the_option_that_it_fits(typed: str) -> None:
    async with playing() as play:
        await play.press(typed)
        assert play.last.typed == "check ability=melee threshold=13 by okado"


@pytest.mark.parametrize("typed", ["a3 half kat<Enter>", "a3 katana half<Enter>", "akatana half<Enter>"])
async def test_options_follow_the_target_as_words_in_any_order(typed: str) -> None:
    async with playing() as play:
        await play.press(typed)
        assert play.last.typed == "attack guard-1 weapon=katana coverage=half by okado"


async def test_a_number_is_a_distance_in_squares(tmp_path: Path) -> None:
    async with playing_sample(tmp_path, "rooftop-watch", "start") as play:
        await play.press("m7<Enter><Enter>")
        assert "moves 7 squares" in play.last.text
