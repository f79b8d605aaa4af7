"""Wide screens: longer bars and whole names, panes as high as their content, and the recap so far."""

from pathlib import Path

import pytest

from tests.tui.opened import playing_sample
from tests.tui.table import Play, at_the_gate, playing
from tui.screens.initiative import LOG_NEXT_TO_PANES
from tui.terminal.screen import BareScreen
from tui.widgets.order_list import OrderList

STORY = f'set okado notes "{"owes the abbot " * 16}"'
SPELLS = [f'condition okado "spell {number}"' for number in range(9)]
BLOWS = ("damage guard-1 20", "attack guard-2 by okado dice=19")


async def recap_is_shown(play: Play) -> None:
    """Wait for the recap, which is not part of the first picture."""
    await play.pilot.until(lambda: "So far" in play.text and "lost" in play.text)


WIDE = [(110, 30), (140, 40), (170, 45), (200, 60)]


def lines_of(play: Play) -> list[str]:
    return play.text.split("\n")


def bar_cells(play: Play, name: str) -> int:
    line = next(line for line in lines_of(play) if f" {name} " in line and "/" in line)
    return sum(line.split("│")[1].count(step) for step in "━╸─") if "│" in line else line.count("━")


@pytest.mark.parametrize("size", WIDE)
async def test_panes_are_as_high_as_their_content_and_free_rows_show_the_recap(size: tuple[int, int]) -> None:
    async with playing(at_the_gate(*BLOWS), size) as play:
        screen = play.app.screen
        order = screen.query_one(OrderList)
        assert order.content_size.height == len(order.rows)
        await recap_is_shown(play)
        assert "dealt" in play.text
        assert "heaviest blow: Okado on Guard 2" in play.text
        card = next(at for at, line in enumerate(lines_of(play)) if "╭─ Okado" in line)
        assert screen.card.region.y == card
        blank = [line for line in screen._card_rows(40, screen.card.content_size.height) if not line]
        assert len(blank) <= 2
        assert screen.dock.region.bottom >= size[1] - 2


async def test_a_narrow_screen_and_a_fight_that_has_not_begun_show_no_recap() -> None:
    async with playing(at_the_gate(*BLOWS), (80, 24)) as play:
        assert "So far" not in play.text
        await play.pilot.resize(140, 40)
        await recap_is_shown(play)
        await play.pilot.resize(80, 24)
        assert "So far" not in play.text
        order = play.app.screen.query_one(OrderList)
        assert order.region.width == 80
    async with playing(at_the_gate(begun=False), (140, 40)) as play:
        assert "So far" not in play.text


@pytest.mark.parametrize("size", WIDE[:2])
async def test_bars_are_longer_and_names_whole_from_110_columns(size: tuple[int, int]) -> None:
    name = "Captain of the guard"
    async with playing(at_the_gate(f'set raider-captain name "{name}"'), (80, 24)) as play:
        narrow = bar_cells(play, "Okado")
    async with playing(at_the_gate(f'set raider-captain name "{name}"'), size) as play:
        assert bar_cells(play, "Okado") > narrow
        assert f" {name} " in play.text


async def test_the_recap_follows_each_blow_and_an_undo() -> None:
    async with playing(at_the_gate("damage guard-1 20"), (140, 40)) as play:
        await recap_is_shown(play)
        assert "20 lost" in play.text
        await play.press("d3 7<Enter>")
        assert "27 lost" in play.text
        await play.press("u")
        assert "20 lost" in play.text


async def test_moving_the_cursor_moves_no_pane() -> None:
    async with playing(at_the_gate(*BLOWS), (140, 40)) as play:
        screen = play.app.screen
        await recap_is_shown(play)
        for _ in range(6):
            await play.press("<Down>")
        places = set()
        for _ in range(6):
            await play.press("<Up>")
            places.add((screen.order.region, screen.card.region, screen.dock.region))
        assert len(places) == 1


async def test_a_long_card_gets_rows_of_the_log_down_to_those_that_the_log_keeps() -> None:
    size = (140, 40)
    async with playing(at_the_gate(STORY), size) as play:
        assert "shows all" not in play.text
        assert play.app.screen.dock.region.height > LOG_NEXT_TO_PANES
    async with playing(at_the_gate(STORY, *SPELLS), size) as play:
        assert "more: S shows all" in play.text
        assert play.app.screen.dock.region.height == LOG_NEXT_TO_PANES
        assert play.app.screen.card.region.bottom == play.app.screen.dock.region.y
        # The target prompt has room below the end of the log: nothing moves.
        before = play.app.screen.dock.region
        await play.press("a")
        assert "Okado is spell 8" in play.text
        assert play.app.screen.dock.region == before


async def test_before_the_fight_the_card_gets_the_rows_of_the_empty_log(tmp_path: Path) -> None:
    async with playing_sample(tmp_path, "the-sunken-vault", size=(140, 40)) as play:
        await play.press("<Down>")
        assert play.app.screen.card.region.height > 26
        assert "begins the fight" in play.text
        await play.press("n")
        assert play.app.screen.dock.region.height == LOG_NEXT_TO_PANES
        play.app.table.fight.close()


async def test_panes_that_move_are_laid_out_once_for_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    laid_out = []
    once = BareScreen._refresh_layout

    def counted(screen: BareScreen, *size, **how) -> None:
        laid_out.append(screen)
        once(screen, *size, **how)

    async with playing(at_the_gate(*BLOWS, STORY, *SPELLS, "next"), (140, 40)) as play:
        await recap_is_shown(play)
        monkeypatch.setattr(BareScreen, "_refresh_layout", counted)
        for key in ("<Up>", "x", "<Esc>"):
            laid_out.clear()
            before = play.app.screen.dock.region
            await play.press(key)
            assert play.app.screen.dock.region != before, key
            assert len(laid_out) == 1, key


async def test_an_open_question_gets_its_rows_and_the_panes_come_back() -> None:
    async with playing(at_the_gate(*BLOWS), (140, 40)) as play:
        await recap_is_shown(play)
        before = play.text
        await play.press("x")
        assert play.app.screen.order.region.bottom <= play.app.screen.dock.region.y
        await play.press("<Esc>")
        assert play.text == before
