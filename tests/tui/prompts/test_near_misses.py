"""A near miss of a known word is asked about once in a prompt, and refused by `:` and `run`."""

import re
from pathlib import Path

import pytest

from tests.tui.opened import playing_sample
from tests.tui.table import playing


@pytest.mark.parametrize(
    ("game", "typed", "asks", "done"),
    [
        ("the-toll-road", "c5 alrt<Enter>", "did you mean alert?", "condition 5 alert"),
        ("the-thin-place", "c3 bleding<Enter>", "did you mean bleeding?", "condition 3 bleeding"),
        ("the-goblin-ford", "+gobln x2<Enter>", "did you mean Goblin?", "add goblin x2"),
        ("the-goblin-ford", "+goblin side=foos<Enter>", "did you mean foes?", "add goblin side=foes"),
    ],
)
async def test_enter_asks_whether_a_near_miss_was_meant_and_a_second_enter_takes_it(
    tmp_path: Path, game: str, typed: str, asks: str, done: str
) -> None:
    async with playing_sample(tmp_path, game, "start") as play:
        before = len(play.session.log.events)
        await play.press(typed)
        assert asks in play.text
        assert "Enter again takes it." in " ".join(play.text.split())
        assert len(play.session.log.events) == before
        await play.press("<Enter>")
        assert play.last.typed == done


async def test_a_change_after_the_question_is_read_again() -> None:
    async with playing() as play:
        await play.press("c3 pronne<Enter>")
        await play.press("x<Enter>")
        assert play.app.services.prompts.current is not None
        await play.press('<ctrl+u>3 "pronne"<Enter>')
        assert play.last.typed == 'condition 3 "pronne"'


async def test_a_near_miss_of_a_manoeuvre_asks_before_the_dice_fall(tmp_path: Path) -> None:
    async with playing_sample(tmp_path, "the-bone-court", "start") as play:
        before = len(play.session.log.events)
        await play.press("a4 man=Blck<Enter>")
        assert "did you mean Block?" in play.text
        assert len(play.session.log.events) == before
        await play.press("<Enter>")
        assert play.last.options["maneuver"] == "Block"


async def test_quotes_keep_the_name_of_a_manoeuvre_that_is_on_no_sheet(tmp_path: Path) -> None:
    async with playing_sample(tmp_path, "the-bone-court", "start") as play:
        await play.press('a4 man="Blck"<Enter>')
        assert play.last.options["maneuver"] == "Blck"


async def test_quotes_make_a_new_side_of_a_near_miss(tmp_path: Path) -> None:
    async with playing_sample(tmp_path, "the-goblin-ford", "start") as play:
        await play.press('+goblin side="foos"<Enter>')
        assert play.last.typed == 'add goblin side="foos"'
        await play.press(":add goblin side=playres<Enter>")
        assert "did you mean players?" in play.text


async def test_a_size_may_be_a_word(tmp_path: Path) -> None:
    async with playing_sample(tmp_path, "the-bone-court", "start") as play:
        await play.press("a4 bo=small<Enter>")
        assert play.last.options["boons"] == [1]


async def test_the_command_line_refuses_a_near_miss_with_the_suggestion(tmp_path: Path) -> None:
    async with playing_sample(tmp_path, "the-toll-road", "start") as play:
        before = len(play.session.log.events)
        await play.press(":condition 5 alrt<Enter>")
        assert "did you mean alert?" in play.text
        await play.press("<Enter>")
        assert len(play.session.log.events) == before


async def test_e_takes_a_number_without_a_space_and_asks_about_the_end_of_a_label() -> None:
    async with playing() as play:
        await play.press("elife24")
        assert "life 24" in play.text
        await play.press("<Enter>")
        assert play.session.encounter.combatants["okado"].sheet.life == 24
        await play.press("eper attack 8<Enter>")
        assert "did you mean armour per attack?" in play.text
        await play.press("<Enter>")
        assert play.last.typed == "set okado armour_per_attack 8"


async def test_e_shows_a_new_entry_as_what_it_becomes_and_asks_about_a_near_miss() -> None:
    async with playing() as play:
        await play.press("eability juggling 4")
        assert "ability: juggling 4" in play.text
        await play.press("<Enter>")
        assert play.session.encounter.combatants["okado"].sheet.abilities["juggling"] == 4
        await play.press("eweapons.swrod 20<Enter>")
        assert "did you mean sword?" in play.text
        await play.press("<Enter>")
        assert play.last.typed == "set okado weapons.sword 20"


async def test_a_row_of_the_roster_form_asks_about_a_near_miss_and_a_second_enter_saves_it(
    tmp_path: Path,
) -> None:
    async with playing_sample(tmp_path, "rooftop-watch", size=(110, 34)) as play:
        await play.press("R<Enter>" + "<Down>" * 16)
        await play.press("rifle 3+3 explosoin<Enter>")
        said = " ".join(play.text.split())
        assert "did you mean explosion? Enter again takes it." in said
        assert "Saved." not in said
        await play.press("<Enter>")
        assert "Saved." in play.text
        assert re.search("rifle +3[+]3, area explosion", play.text)


async def test_text_changed_after_the_question_about_a_near_miss_is_read_again_in_the_roster_form(
    tmp_path: Path,
) -> None:
    async with playing_sample(tmp_path, "rooftop-watch", size=(110, 34)) as play:
        await play.press("R<Enter>" + "<Down>" * 16)
        await play.press("rifle 3+3 explosoin<Enter>n<Enter>")
        assert "explosoinn" in play.text
        assert "Saved." not in play.text
        await play.press("<Esc>")
        assert re.search("rifle +2[+]3", play.text)


async def test_a_field_that_is_not_near_is_not_suggested() -> None:
    async with playing() as play:
        await play.press("eslots 3<Enter>")
        assert 'There is no field "slots"' in play.text
        assert "did you mean" not in play.text
        await play.press("<ctrl+u>ntoes 3<Enter>")
        assert "did you mean notes?" in play.text
