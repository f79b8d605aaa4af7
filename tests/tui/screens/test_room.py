"""The room of a screen: the log stays beside a question, and what there is no room for is counted."""

import re

import pytest

from tests.tui.opened import OKADO, opened
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


@pytest.mark.parametrize("size", [(80, 24), (140, 40), (200, 60)])
async def test_the_end_of_the_log_stays_visible_while_a_question_is_open(size: tuple[int, int]) -> None:
    async with playing(at_the_gate("damage guard-1 7"), size) as play:
        for key, question in QUESTIONS.items():
            assert "life 45 → 38" in play.text
            await play.press(key)
            lines = [line.strip("│ ▌") for line in play.text.split("\n")]
            log = next(at for at, line in enumerate(lines) if "life 45 → 38" in line)
            typed = next(at for at, line in enumerate(lines) if re.search(rf"(^|│)\s*{question}\b", line))
            assert log < typed, key
            await play.press("<Esc>")


async def test_the_log_is_dimmed_while_a_question_is_open() -> None:
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
            places.add(next(at for at, line in enumerate(play.text.split("\n")) if "Add: 3 " in line))
        assert len(places) == 1


async def test_a_long_question_hides_the_log_and_says_so() -> None:
    async with playing(at_the_gate()) as play:
        await play.press("<ctrl+p>")
        [title] = [line for line in play.text.split("\n") if "Keys, actions and colours" in line]
        listed = sum("(" in line for line in play.text.split("\n"))
        assert "Log" not in play.text
        assert f"… {len(play.app.services.prompts.current.entries) - listed} more" in title
        await play.press("roster")
        assert "more" not in next(
            line for line in play.text.split("\n") if "Keys, actions and colours" in line
        )


async def test_a_long_list_shows_how_many_rows_are_below(tmp_path) -> None:
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


async def test_a_game_is_chosen_from_a_list_by_number_name_arrows_or_clicks(tmp_path) -> None:
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


async def test_an_empty_log_explains_why_and_what_to_do() -> None:
    async with playing(at_the_gate(begun=False)) as play:
        await play.press("L")
        assert "joins" in play.text
        await play.press("/zzz<Enter>")
        assert "No event matches. Esc shows all." in play.text
        await play.press("<Esc>")
        assert "joins" in play.text


async def test_odds_without_a_target_are_against_a_combatant_that_can_still_act() -> None:
    async with playing(at_the_gate("damage guard-1 99")) as play:
        await play.press("o")
        assert "attack against Guard 2" in play.text


async def test_the_meaning_of_a_line_is_shown_once() -> None:
    async with playing(at_the_gate()) as play:
        await play.press("elife <Enter>")
        assert play.text.count("a whole number from") == 1


async def test_a_long_edited_line_shows_that_it_continues(tmp_path) -> None:
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
async def test_the_page_of_seats_shows_all_its_keys(size: tuple[int, int], tmp_path) -> None:
    here = opened(tmp_path)
    async with running(here, size) as pilot:
        await pilot.press("P")
        lines = [line.strip("│ ") for line in text_of(here).split("\n")]
        shown = [key for line in lines for key in line.split("  ")]
        keys = "s server, w password, Enter accept or let in, o let in once, Backspace refuse or remove"
        assert f"{keys}, t accept all, k kick, l lock" in ", ".join(shown)
        assert "Enter confirm" not in shown
        here.table.fight.close()


@pytest.mark.parametrize(
    "campaign", [OKADO, "rooftop-watch", "the-thin-place", "the-bone-court", "the-toll-road"]
)
async def test_the_question_of_a_condition_is_whole_on_the_smallest_screen(campaign: str, tmp_path) -> None:
    here = opened(tmp_path, None, campaign)
    async with running(here, (60, 20)) as pilot:
        await pilot.press("c")
        [title] = [line for line in text_of(here).split("\n") if "Add: 3 " in line]
        assert "removes it" in title
        here.table.fight.close()


async def test_help_about_a_whole_table_is_shown_at_its_first_row() -> None:
    async with playing(at_the_gate()) as play:
        await play.press("e")
        assert play.text.count("name and score") == 1


async def test_an_unknown_option_is_reported_once() -> None:
    async with playing(at_the_gate()) as play:
        await play.press("a4 zz=1<Enter>")
        assert play.text.count("has no option") == 1


async def test_the_dead_in_a_range_are_not_shown_to_take_damage() -> None:
    async with playing(at_the_gate("damage guard-1 99")) as play:
        await play.press("d3-5 7")
        assert "Guard 2 and Raider captain: take 7" in play.text


async def test_a_long_list_of_targets_says_so_on_the_smallest_screen() -> None:
    async with playing(at_the_gate("add guard x12"), (60, 20)) as play:
        await play.press("a")
        [title] = [line for line in play.text.split("\n") if "attack" in line and "to beat" in line]
        assert re.search(r"attack … [0-9]+ more ", title)


async def test_in_three_panes_the_order_and_the_side_effects_of_a_target_are_not_cut() -> None:
    async with playing(at_the_gate("next", "condition guard-1 grappled"), (170, 45)) as play:
        await play.press("a")
        screen = play.app.screen
        # What the samples need: 66 for names and words, 71 for the names of side effects and their chances.
        assert screen.order.content_size.width >= 66
        assert screen.dock.content_size.width >= 71
        assert screen.card.content_size.width >= 24
        assert "side effects" in play.text


async def test_next_to_the_order_the_question_gets_more_room_than_the_card() -> None:
    async with playing(at_the_gate(), (170, 45)) as play:
        screen = play.app.screen
        assert screen.dock.size.width > screen.order.size.width > screen.card.size.width


async def test_the_message_that_no_event_matches_is_not_cut() -> None:
    async with playing(at_the_gate(), (60, 20)) as play:
        await play.press("L/who: nobody<Enter>")
        assert "Raider captain, Wolf. Esc shows all." in " ".join(play.text.split())


async def test_the_meanings_of_options_are_aligned() -> None:
    async with playing(at_the_gate()) as play:
        await play.press("t")
        helps = ("the ability rolled", "the result needed", "the game master's number")
        lines = [line for line in play.text.split("\n") if any(help in line for help in helps)]
        places = [line.index(help) for line in lines for help in helps if help in line]
        assert len(places) == len(helps)
        assert len(set(places)) == 1
