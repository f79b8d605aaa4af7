"""The screen for everyone at the table, without a character."""

import pytest

from systems.visibility.build import view
from systems.visibility.viewer import PUBLIC
from tests.tui.seats.screen import Seat, fight, seen
from tui.display.banner import large_letters


async def test_44_columns_are_enough_to_watch_but_a_player_is_told_to_make_the_terminal_larger():
    play = fight("damage guard-1 30", "condition guard-1 prone for 2 rounds")
    async with Seat(view(play.encounter, play.log, PUBLIC), (44, 24)) as seat:
        assert "▸ 3 ● Okado" in seat.text
        assert "badly hurt" in seat.text
        assert "columns" not in seat.text
        order = next(line for line in seat.text.split("\n") if "1 ▪ Guard 1" in line)
        assert "prone" in order or "…" in order
        assert "Ctrl+Q" in seat.text
    async with Seat(seen(play), (44, 24)) as seat:
        assert "60 columns" in " ".join(seat.text.split())
        await seat.pilot.resize(80, 24)
        assert "▸ 3 ● Okado" in seat.text


async def test_the_public_screen_shows_turn_and_last_blow_in_large_and_spaces_the_order():
    play = fight("damage guard-1 30")
    play.do("attack guard-2 dice=15")
    async with Seat(seen(play, PUBLIC), (120, 36)) as screen:
        lines = screen.text.split("\n")
        assert lines[2].strip() == large_letters("Okado")[0].strip()
        assert lines[6].strip() == "Okado's attack on Guard 2: hit, badly hurt."
        first = next(at for at, line in enumerate(lines) if "3 ● Okado" in line)
        assert lines[first + 1].strip() == ""
        assert "4 ● Tamsin" in lines[first + 2]
        assert not any("│" in line for line in lines)


@pytest.mark.parametrize("size", [(44, 20), (60, 20), (80, 24)])
async def test_the_public_screen_fits_small_terminals_and_keeps_the_turn_in_sight(size):
    async with Seat(seen(fight(), PUBLIC), size) as screen:
        assert "▸ 3 ● Okado" in screen.text
        assert "R1 " in screen.text


async def test_a_seat_with_a_character_has_no_banner():
    async with Seat(seen(fight()), (120, 36)) as seat:
        assert large_letters("Okado")[0] not in seat.text
