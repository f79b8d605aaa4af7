"""Where players were: kept for the next server, bounded, and lost without harm."""

from pathlib import Path

import pytest

from tui.seats.places import Places
from tui.seats.seat_messages import SeatSpot
from tui.wire.address import table_socket


@pytest.fixture
def campaign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "campaign"


async def test_the_next_server_restores_each_players_place(campaign: Path) -> None:
    first, other = Places(campaign), Places(campaign)
    first.remember("okado", SeatSpot(cursor="Guard 1", bell=0, line="attack 3 "))
    first.remember("mira", SeatSpot(line="note " + "x" * 400))
    first.show("okado", "north-gate", 7)
    other.remember("tamsin", SeatSpot(line="next"))
    first.save()
    other.save()
    after = Places(campaign)
    assert after.of("okado").spot == SeatSpot(cursor="Guard 1", bell=0, line="attack 3 ")
    assert (after.of("okado").encounter, after.of("okado").n) == ("north-gate", 7)
    assert len(str(after.of("mira").spot.line)) == 405
    assert after.of("tamsin").spot == SeatSpot(line="next")
    file = table_socket(campaign).with_suffix(".places")
    assert file.stat().st_mode & 0o777 == 0o600


async def test_texts_of_a_seat_are_cut_and_lose_control_characters(campaign: Path) -> None:
    places = Places(campaign)
    places.remember("okado", SeatSpot(line="a\x1b[31m", cursor="x" * 501))
    assert places.of("okado").spot == SeatSpot(line="a [31m")


@pytest.mark.parametrize("text", ["", "[]", "{", '{"okado": 3}', '{"okado": {"spot": []}}', "[" * 9_999])
async def test_a_file_that_holds_none_is_as_good_as_none(campaign: Path, text: str) -> None:
    table_socket(campaign).with_suffix(".places").write_text(text)
    places = Places(campaign)
    assert places.of("okado").n == 0
    places.show("okado", "north-gate", 2)
    places.save()
    assert Places(campaign).of("okado").n == 2
