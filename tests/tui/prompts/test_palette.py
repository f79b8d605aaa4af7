"""The palette finds every command from every screen, and goes where it is."""

import pytest

from tests.tui.table import at_the_gate, playing
from tui.prompts.palette import palette_entries
from tui.settings.keys import EVERYWHERE, KEYS

HIDDEN = {"palette", "offer", "other_next", "other_back"}


@pytest.mark.parametrize("screen", EVERYWHERE)
async def test_every_command_of_every_screen_is_found_from_each(screen: str) -> None:
    async with playing() as play:
        await play.app.switch_mode(screen)
        found = {entry.help for entry in palette_entries(play.app.services)}
        assert {key.help for key in KEYS if key.id not in HIDDEN} <= found


async def test_a_command_of_the_order_is_done_from_the_log() -> None:
    async with playing(at_the_gate()) as play:
        await play.press("L")
        await play.pilot.press("ctrl+p", *"damage", "enter")
        assert play.app.current_mode == "initiative"
        assert play.app.services.prompts.current is not None
        await play.press("37<Enter>")
        assert play.last.command == "damage"


async def test_initiative_is_found_and_set_for_the_combatant_under_the_cursor() -> None:
    async with playing() as play:
        await play.pilot.press("down", "ctrl+p", *"initiative", "enter")
        await play.press("15<Enter>")
        assert (play.last.command, play.last.targets) == ("initiative", ("tamsin",))


async def test_a_command_for_another_cursor_is_listed_and_not_carried_out() -> None:
    async with playing() as play:
        await play.pilot.press("ctrl+p", *"unfold all", "enter")
        assert play.app.current_mode == "log"
        assert "z unfold all: Show or hide the dice" in play.text
