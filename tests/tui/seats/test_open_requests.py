"""The requests of a seat on its screen: listed, withdrawn, refused and lapsed."""

import os
from pathlib import Path

import pytest

from tests.tui.seats.fake_table import fake_table
from tests.tui.seats.opened import served
from tests.tui.seats.screen import SIZES, Seat, fight, seen

ATTACK = {"id": "t1", "text": "attack on Guard 1", "is_open": True}
ROLL = {"id": "t2", "text": "roll 2d6", "is_open": True}
LAPSED = {"id": "t3", "text": "Lapsed, because Okado's turn is over: attack on Guard 2.", "is_open": False}


async def sent(seat: Seat, *requests: dict) -> None:
    seat.app.take({"kind": "requests", "requests": list(requests)})
    await seat.pilot.idle()


@pytest.mark.parametrize("size", SIZES)
async def test_a_seat_shows_its_waiting_requests_and_w_lists_them(size):
    async with Seat(seen(fight()), size) as seat:
        await sent(seat, LAPSED, ATTACK, ROLL)
        assert "Waiting: attack on Guard 1 and 1 more (w lists requests)" in seat.text
        await seat.press("w")
        for text in ("Lapsed, because Okado's turn is over", "waits: attack on Guard 1", "waits: roll 2d6"):
            assert text in seat.text
        await seat.press("escape")
        await sent(seat)
        assert "Waiting:" not in seat.text


async def test_enter_withdraws_the_marked_request():
    async with Seat(seen(fight())) as seat:
        await sent(seat, ATTACK, ROLL)
        await seat.press("w", "down", "enter")
        assert seat.app.wire.withdrawn == ["t2"]
        assert "Enter withdraw" in seat.text


async def test_a_request_is_not_withdrawn_if_the_mark_has_just_moved_to_it():
    async with Seat(seen(fight())) as seat:
        await sent(seat, ATTACK, ROLL)
        await seat.press("w")
        await sent(seat, ROLL)
        await seat.pilot.type_ahead("enter")
        assert seat.app.wire.withdrawn == []
        assert "press the key again" in seat.text
        await seat.pilot.type_ahead("enter")
        assert seat.app.wire.withdrawn == ["t2"]


async def test_without_requests_the_list_says_so_and_enter_does_nothing():
    async with Seat(seen(fight())) as seat:
        await seat.press("w")
        assert "None of your requests waits." in seat.text
        await seat.press("enter")
        assert seat.app.wire.withdrawn == []


async def test_a_refused_request_is_still_listed_after_a_lost_line():
    async with Seat(seen(fight())) as seat:
        await sent(seat, LAPSED)
        assert "Waiting:" not in seat.text
        await seat.press("w")
        assert "Lapsed, because" in seat.text


@pytest.mark.skipif(not hasattr(os, "fork"), reason="seats need a system that can fork")
def test_requests_are_listed_withdrawn_and_lapse_over_ssh(tmp_path: Path) -> None:
    with served(tmp_path, keys={"okado": "key"}) as table:
        with fake_table(table) as master:
            seat = table.seat("okado", key=table.key(), size=(110, 34))
            seat.until("Guard 1")
            master.say("requests", seat="okado", requests=[ATTACK, ROLL])
            master.say("requests", seat="tamsin", requests=[LAPSED])
            seat.until("Waiting: attack on Guard 1 and 1 more")
            seat.press("w")
            seat.until("waits: roll 2d6")
            seat.press("\r")
            sent = master.next("withdraw")
            assert (sent["id"], sent["seat"]) == ("t1", "okado")
            master.say("requests", seat="okado", requests=[ROLL])
            # A screen that opens later gets the list as well.
            other = table.seat("okado", key=table.key(), size=(110, 34))
            other.until("Waiting: roll 2d6")
        seat.until("Lapsed, because the game master's program has ended: roll 2d6")
