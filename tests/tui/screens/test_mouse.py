"""The mouse, where one is at hand: footer keys, rows of questions, the wheel."""

from pathlib import Path

import pytest
from textual.events import MouseScrollDown

from tests.tui.opened import opened
from tests.tui.pilot import running
from tests.tui.table import at_the_gate, keys, playing, text_of


def column_of(line: str, words: str) -> int:
    assert words in line, line
    return line.index(words)


async def test_a_click_presses_a_key_of_the_footer() -> None:
    async with playing(at_the_gate()) as play:
        await play.pilot.click("#keys", offset=(column_of(play.text.split("\n")[-1], "n next") + 3, 0))
        assert play.last.command == "next"
        await play.press("a")
        await play.pilot.click("#keys", offset=(column_of(play.text.split("\n")[-1], "Esc"), 0))
        assert play.app.services.prompts.current is None


async def test_a_click_marks_a_target_and_a_second_one_attacks_it() -> None:
    async with playing(at_the_gate()) as play:
        await play.press("a")
        lines = play.text.split("\n")
        row = next(at for at, line in enumerate(lines) if "Raider captain" in line and "%" in line)
        top = play.app.screen.dock.region.y
        await play.pilot.click("#dock", offset=(10, row - top))
        assert lines[row].strip("▌ ")[:1] == "5"
        assert play.app.services.prompts.current.subject == "raider-captain"
        await play.pilot.click("#dock", offset=(10, row - top))
        assert play.last.targets == ("raider-captain",)


async def test_the_mouse_wheel_moves_the_mark_of_a_question() -> None:
    async with playing(at_the_gate()) as play:
        await play.press("x")
        dock = play.app.screen.dock.region
        event = MouseScrollDown(
            None, dock.x + 5, dock.y + 3, 0, 0, 0, False, False, False, dock.x + 5, dock.y + 3
        )
        play.app.screen._forward_event(event)
        await play.pilot.idle()
        assert play.app.services.prompts.current.chosen == 0
        at = play.app.services.prompts.current._places
        await play.pilot.click(
            "#dock", offset=(5, 1 + next(row for row, found in at.items() if found == 1) + 1)
        )
        assert play.app.services.prompts.current.chosen == 1


@pytest.mark.parametrize(("size", "keys"), [((80, 24), "x"), ((170, 45), "x"), ((80, 24), ":con")])
async def test_a_click_chooses_the_row_under_the_mouse(size: tuple[int, int], keys: str) -> None:
    async with playing(at_the_gate(), size) as play:
        await play.press(keys)
        dock = play.app.screen.dock
        row = next(at for at, line in enumerate(play.text.split("\n")) if "contest" in line)
        await play.pilot.click("#dock", offset=(3, row - dock.region.y))
        prompt = play.app.services.prompts.current
        assert "contest" in prompt.suggestions[prompt.chosen].text


async def test_a_click_on_a_row_of_damage_marks_it_and_a_second_one_halves_it() -> None:
    async with playing(at_the_gate()) as play:
        await play.press("d3,4 8")
        dock = play.app.screen.dock
        row = next(at for at, line in enumerate(play.text.split("\n")) if "4 Guard 2" in line and "%" in line)
        await play.pilot.click("#dock", offset=(8, row - dock.region.y))
        prompt = play.app.services.prompts.current
        assert prompt.marked == 1
        await play.pilot.click("#dock", offset=(8, row - dock.region.y))
        assert "half=4" in prompt.line.text


async def test_a_click_ticks_a_value_to_save_to_the_roster(tmp_path: Path) -> None:
    here = opened(tmp_path, "north-gate")
    async with running(here) as pilot:
        await pilot.press(*keys("nd4 9<Enter>E<Enter>"))
        prompt = here.services.prompts.current
        ticked = set(prompt.ticked)
        row = next(at for at, line in enumerate(text_of(here).split("\n")) if "[x]" in line)
        await pilot.click("#dock", offset=(8, row - here.screen.dock.region.y))
        assert len(prompt.ticked) == len(ticked) - 1
        here.table.fight.close()


async def test_a_click_chooses_the_row_under_the_mouse_in_a_framed_list_too(tmp_path: Path) -> None:
    here = opened(tmp_path, "north-gate")
    async with running(here) as pilot:

        async def click(words: str) -> None:
            lines = text_of(here).split("\n")
            row = next(at for at, line in enumerate(lines) if words in line)
            await pilot.click(offset=(lines[row].index(words), row))

        def marked() -> str:
            return " ".join(line.partition("▌")[2] for line in text_of(here).split("\n") if "▌" in line)

        await pilot.press("R")
        await click("Veteran guard")
        assert "Veteran guard" in marked()
        await click("armour pool")
        assert "armour pool" in marked()
        await pilot.press("escape", "C")
        await click("The bone court")
        assert "The bone court" in marked()
        here.table.fight.close()


@pytest.mark.parametrize("size", [(80, 24), (140, 40), (170, 45)])
async def test_a_click_chooses_the_combatant_under_the_mouse(size: tuple[int, int]) -> None:
    async with playing(at_the_gate(), size) as play:
        row = next(at for at, line in enumerate(play.text.split("\n")) if "4 ▪ Guard 2" in line)
        await play.pilot.click(offset=(8, row))
        assert play.app.services.cursor == "guard-2"
