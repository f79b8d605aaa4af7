"""The application: screens, leaving, and what it says when no fight is open."""

import pytest

from tests.tui.table import SIZES, app, at_the_gate, playing


@pytest.mark.parametrize("how", ["ctrl+q"])
async def test_ctrl_q_leaves_with_status_0_even_from_a_question(how: str) -> None:
    for before in ("", "a3", ":damage", "y", "?"):
        running = app()
        async with running.run_test(size=(80, 24)) as pilot:
            await pilot.press(*before)
            await pilot.press(how)
        assert running.return_value == 0
        assert running.return_code == 0


async def test_each_screen_is_one_key_away_from_each() -> None:
    async with playing() as play:
        for key, mode in (("R", "roster"), ("L", "log"), ("S", "status"), ("I", "initiative"), ("L", "log")):
            await play.press(key)
            assert play.app.current_mode == mode


async def test_what_happened_on_another_screen_is_there_on_coming_back() -> None:
    async with playing() as play:
        await play.press("Ln")
        await play.press("I")
        assert play.session.encounter.course.turn == "tamsin"
        assert "▸ 2 Tamsin" in play.text
        assert "Tamsin's turn" in play.text


async def test_the_palette_holds_the_keys_and_the_actions_of_the_game() -> None:
    async with playing(at_the_gate(), (140, 40)) as play:
        names = [command.title for command in play.app.get_system_commands(play.app.screen)]
        assert "Next (n)" in names
        assert "Coup de grace" in names
        await play.press("<ctrl+p>")
        await play.press("repair")
        await play.pilot.pause(0.3)
        assert "Repair" in play.text


async def test_a_command_of_the_palette_is_carried_out() -> None:
    async with playing() as play:
        commands = {one.title: one.callback for one in play.app.get_system_commands(play.app.screen)}
        commands["Next (n)"]()
        await play.pilot.pause()
        assert play.session.encounter.course.turn == "tamsin"


LONG = " ".join(f"reason{number}" for number in range(24))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("screen", ["I", "R", "L", "S"])
async def test_a_long_sentence_is_shown_whole_and_its_room_given_back(
    screen: str, size: tuple[int, int]
) -> None:
    async with playing(size=size) as play:
        await play.press(screen)
        await play.pilot.pause()
        play.app.say("")
        await play.pilot.pause()
        before = play.text
        play.app.say(LONG, error=True)
        await play.pilot.pause()
        assert LONG in " ".join(play.text.split())
        play.app.say("")
        await play.pilot.pause()
        assert play.text == before


async def test_a_sentence_longer_than_a_quarter_of_the_screen_says_that_it_goes_on() -> None:
    async with playing() as play:
        play.app.say(" ".join([LONG] * 4), error=True)
        await play.pilot.pause()
        assert "Guard 1" in play.text
        assert "…" in play.text
