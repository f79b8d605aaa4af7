"""Seats made with one key, and their invitations."""

from tests.tui.seat_desk import OTHER_MARK, WHERE, Table, knock, seats_state, table
from tui.campaign.seats import read_seats


def without_seats(here: Table) -> None:
    """Remove the seats of the sample, as in a new campaign."""
    (here.app.table.campaign.path / "seats.toml").unlink()


async def test_one_key_makes_a_seat_for_every_character(tmp_path):
    async with table(tmp_path, "ask", "start") as here:
        without_seats(here)
        await here.press("P")
        assert "Okado has no seat: m makes okado" in here.text
        await here.press("M")
        assert "New seats: okado, tamsin. i invites the players." in here.text
        seats = read_seats(here.app.table.campaign.path, ["okado", "tamsin"]).by_name
        assert {name: seat.characters for name, seat in seats.items()} == {
            "okado": ("okado",),
            "tamsin": ("tamsin",),
        }
        assert "has no seat" not in here.text
        await here.press("M")
        assert "Every character has a seat" in here.text


async def test_one_key_makes_a_seat_for_the_marked_character(tmp_path):
    async with table(tmp_path, "ask", "start") as here:
        without_seats(here)
        await here.press("P", "down", "m")
        assert list(read_seats(here.app.table.campaign.path, ["tamsin"]).by_name) == ["tamsin"]
        assert "Okado has no seat" in here.text


async def test_a_guest_with_a_characters_name_is_offered_its_new_seat(tmp_path):
    async with table(tmp_path, "ask", "start") as here:
        without_seats(here)
        await here.hear(**{**seats_state(), "knocks": [knock(1, "tamsin")]})
        await here.press("P")
        assert "tamsin knocks → make seat tamsin for Tamsin" in here.text
        assert "Enter make seat tamsin for Tamsin" in here.text.split("\n")[-1]
        await here.press("enter")
        assert here.told("let_in") == []
        await here.hear(**{**seats_state(tamsin={}), "knocks": [knock(1, "tamsin")]})
        await here.press("enter")
        assert here.told("let_in")[-1]["seat"] == "tamsin"


async def test_invitations_are_shown_and_copied_once_their_passwords_are_there(tmp_path, monkeypatch):
    async with table(tmp_path, "ask", "start") as here:
        copied_texts: list[str] = []
        monkeypatch.setattr(here.app, "copy_to_clipboard", copied_texts.append)
        here.desk.server.link = here.link  # type: ignore[assignment]
        await here.hear(**seats_state(okado={}, tamsin={"keys": [OTHER_MARK]}))
        await here.press("P", "i")
        assert "How long do the players' passwords last?" in here.text
        await here.press("enter")
        assert here.told("password") == [{"kind": "password", "seat": "okado"}]
        assert "passwords are being made" in here.text
        made = {"password": "baba-bebe", "lasts": "once"}
        await here.hear(**seats_state(okado=made, tamsin={"keys": [OTHER_MARK]}))
        assert "ssh -p 22222 okado@192.168.100.100" in here.text
        assert "Password: baba-bebe" in here.text
        assert WHERE["fingerprint"] in here.text
        assert "only on your network; set [seats] address" in here.text
        assert "baba-bebe" in copied_texts[0]
        await here.press("tab")
        assert "your key opens the seat" in here.text
        assert "tamsin@" in copied_texts[-1]
        await here.press("escape")
        assert "Seats:" in here.text


async def test_a_password_may_last_for_good(tmp_path):
    async with table(tmp_path, "ask", "start") as here:
        here.desk.server.link = here.link  # type: ignore[assignment]
        await here.hear(**seats_state(okado={}))
        await here.press("P", "i", "ctrl+u", *"often", "enter")
        assert "Type once, evening or good" in here.text
        await here.press("ctrl+u", *"good", "enter")
        assert here.told("password") == [{"kind": "password", "seat": "okado", "lasts": "good"}]
