"""The room of a screen: the log stays beside a question, and what there is no room for is counted."""

import re

import pytest

from tests.tui.opened import opened
from tests.tui.pilot import running
from tests.tui.table import at_the_gate, keys, playing, text_of

QUESTIONS = {
    "a": "target",
    "d": "damage",
    "c": "condition",
    "r": "roll",
    "T": "note",
    "G": "ready",
    "/": "find",
}


@pytest.mark.parametrize("key", QUESTIONS)
@pytest.mark.parametrize("size", [(80, 24), (140, 40), (200, 60)])
async def test_the_end_of_the_log_stays_in_sight_while_a_question_is_open(
    key: str, size: tuple[int, int]
) -> None:
    async with playing(at_the_gate("damage guard-1 7"), size) as play:
        assert "life 45 → 38" in play.text
        await play.press(key)
        lines = [line.strip("│ ▌") for line in play.text.split("\n")]
        log = next(at for at, line in enumerate(lines) if "life 45 → 38" in line)
        typed = next(at for at, line in enumerate(lines) if re.search(rf"(^|│)\s*{QUESTIONS[key]}\b", line))
        assert log < typed


async def test_the_log_beside_a_question_is_dimmed() -> None:
    async with playing(at_the_gate("damage guard-1 7")) as play:
        await play.press("r")
        dock = play.app.screen.dock
        rows = play.app.screen.dock_rows(dock.size.width, dock.size.height)
        log = next(row for row in rows if any("45 → 38" in text for text, _ in row))
        assert {tone for _, tone in log} == {"muted"}


async def test_typing_does_not_move_the_question() -> None:
    async with playing(at_the_gate()) as play:
        places = set()
        for typed in ("c", "3", " ", "p", "r"):
            await play.press(typed)
            places.add(next(at for at, line in enumerate(play.text.split("\n")) if "Condition: " in line))
        assert len(places) == 1


async def test_a_question_with_a_long_list_leaves_no_room_for_the_log_and_says_what_is_missing() -> None:
    async with playing(at_the_gate()) as play:
        await play.press("<ctrl+p>")
        [title] = [line for line in play.text.split("\n") if "Everything by name" in line]
        listed = sum("(" in line for line in play.text.split("\n"))
        assert "Log" not in play.text
        assert f"… {len(play.app.services.prompts.current.entries) - listed} more" in title
        await play.press("roster")
        assert "more" not in next(line for line in play.text.split("\n") if "Everything by name" in line)


async def test_a_list_that_goes_on_says_how_many_rows_lie_below(tmp_path) -> None:
    here = opened(tmp_path)
    async with running(here) as pilot:
        await pilot.press("R", "enter")
        before = re.search(r"… (\d+) more", text_of(here))
        assert before
        await pilot.press("end")
        assert "more ─" not in text_of(here)
        await pilot.press("home")
        assert before[0] in text_of(here)
        here.table.fight.close()


async def test_a_game_is_chosen_out_of_a_list_by_number_name_arrows_or_clicks(tmp_path) -> None:
    here = opened(tmp_path)
    async with running(here) as pilot:
        await pilot.press(*keys("Cnabc<Enter>"))
        lines = text_of(here).split("\n")
        row = next(at for at, line in enumerate(lines) if "2 Atlantis" in line)
        await pilot.click("#dock", offset=(5, row - here.screen.dock.region.y))
        assert here.services.prompts.current.line.text == "atlantis"
        await pilot.press("down")
        assert "▌  3 Atomic D20" in text_of(here)
        await pilot.press("up")
        await pilot.click("#dock", offset=(5, row - here.screen.dock.region.y))
        assert here.table.campaign.system == "atlantis"
        here.table.fight.close()


async def test_an_empty_log_says_why_it_is_empty_and_what_changes_that() -> None:
    async with playing(at_the_gate(begun=False)) as play:
        await play.press("L")
        assert "joins" in play.text
        await play.press("/zzz<Enter>")
        assert "Nothing in the log fits. Esc shows all." in play.text
        await play.press("<Esc>")
        assert "joins" in play.text


async def test_the_odds_beside_nobody_in_particular_are_those_against_one_who_can_still_act() -> None:
    async with playing(at_the_gate("damage guard-1 99")) as play:
        await play.press("o")
        assert "attack against Guard 2" in play.text


async def test_what_a_line_means_is_said_once() -> None:
    async with playing(at_the_gate()) as play:
        await play.press("elife <Enter>")
        assert play.text.count("a whole number from") == 1


async def test_a_long_line_that_is_edited_shows_where_it_goes_on(tmp_path) -> None:
    here = opened(tmp_path)
    async with running(here) as pilot:
        await pilot.press(*keys("R<Enter><Down><Down><Down><Enter>" + "a long word and another " * 4))
        [row] = [line for line in text_of(here).split("\n") if "notes" in line]
        assert "[…" in row
        assert row.rstrip("│ ").endswith("]")
        await pilot.press("home")
        [row] = [line for line in text_of(here).split("\n") if "notes" in line]
        assert row.rstrip("│ ").endswith("…]")
        here.table.fight.close()


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (140, 40)])
async def test_the_page_of_seats_tells_all_its_keys(size: tuple[int, int], tmp_path) -> None:
    here = opened(tmp_path)
    async with running(here, size) as pilot:
        await pilot.press("P")
        told = " ".join(text_of(here).replace("│", " ").split())
        assert (
            "s server · w word · Enter let in, o once · Backspace refuse · t take all · k kick · l lock"
            in told
        )
        assert "Enter do it" not in told
        here.table.fight.close()
