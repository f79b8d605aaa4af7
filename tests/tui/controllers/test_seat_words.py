"""The lines about the seats on the command line: everything that the page of seats does by keys."""

import pytest

from systems.errors import Misread
from tests.tui.seat_desk import OTHER_MARK, Table, knock, let_in, seats_state, table
from tui.controllers.seat_words import carry_out_seat_line
from tui.lists.seat_words import WORDS, SeatOrder, read_seat_line, seat_help


@pytest.mark.parametrize(
    ("line", "order"),
    [
        ("seats", SeatOrder("list")),
        ("seats inv eve", SeatOrder("invite", lasts="evening")),
        ("seats password okado good", SeatOrder("password", "okado", lasts="good")),
        (
            "SEATS admit mira at okado once anyway",
            SeatOrder("admit", "mira", "okado", is_once=True, is_sure=True),
        ),
        ("seats make Black Knight", SeatOrder("make", "Black Knight")),
        ("seats remove okado SHA256:abc", SeatOrder("remove", "okado", key="SHA256:abc")),
        ("seats accept 2", SeatOrder("accept", "2")),
    ],
)
def test_a_line_about_the_seats_is_read(line, order):
    assert read_seat_line(line) == order


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("seats invit often", "a password lasts once, evening or good"),
        ("seats kcik okado", "did you mean kick?"),
        ("seats s", "did you mean start or stop?"),
        ("seats kick", "something is missing: seats kick SEAT"),
        ("seats lock it", "nothing follows seats lock"),
        ("seats admit mira maybe", "after the guest come: at SEAT, once, anyway"),
        ("seats remove okado", "give the seat and the key"),
    ],
)
def test_a_wrong_line_is_refused_with_what_to_type(line, why):
    with pytest.raises(Misread, match=why.replace("?", r"\?")):
        read_seat_line(line)


def test_the_command_line_completes_the_words():
    assert [word for word, _ in seat_help("seats ", "seats ").words] == list(WORDS)
    assert [word for word, _ in seat_help("seats re", "seats re").words] == ["readmit", "remove", "refuse"]


async def served(here: Table, *knocks: dict, **seats: dict) -> None:
    here.desk.server.link = here.link  # type: ignore[assignment]
    await here.hear(**{**seats_state(**seats), "knocks": list(knocks)})


async def typed(here: Table, line: str) -> None:
    keys = ["space" if letter == " " else letter for letter in line]
    await here.press("colon", *keys, "enter")


async def test_each_key_of_the_page_of_seats_has_a_word_on_the_command_line(tmp_path):
    async with table(tmp_path, "ask", "start") as here:
        key = {"keys": [OTHER_MARK]}
        await served(here, knock(1, "okado"), okado={}, tamsin=key)
        for line, sent in (
            ("seats password okado evening", {"kind": "password", "seat": "okado", "lasts": "evening"}),
            ("seats lock", {"kind": "lock", "locked": True}),
            ("seats unlock", {"kind": "lock", "locked": False}),
            ("seats kick tamsin", {"kind": "kick", "seat": "tamsin"}),
            (
                f"seats remove tamsin {OTHER_MARK[:12]}",
                {"kind": "remove_key", "seat": "tamsin", "key": OTHER_MARK},
            ),
            ("seats admit 1", let_in(1, "okado")),
            ("seats admit 1 once", {**let_in(1, "okado"), "for_good": False}),
            ("seats dismiss okado", {"kind": "turn_away", "knock": 1}),
        ):
            here.app.services.command(line)
            await here.pilot.idle()
            assert here.link.sent[-1] == sent, line


async def test_a_guest_at_a_seat_with_another_key_needs_anyway(tmp_path):
    async with table(tmp_path, "ask", "start") as here:
        await served(here, knock(1, "tamsin"), tamsin={"keys": [OTHER_MARK]})
        here.app.services.command("seats admit tamsin")
        await here.pilot.idle()
        assert "Tamsin has another key. Add anyway to let tamsin in" in here.text
        assert here.told("let_in") == []
        here.app.services.command("seats admit tamsin anyway")
        assert here.told("let_in")[-1] == let_in(1, "tamsin", second_key=True)


async def test_requests_are_accepted_and_refused_by_number(tmp_path):
    async with table(tmp_path, "ask", "start") as here:
        for line in ("attack 1", "roll 2d6", "roll 1d6"):
            await here.seat(line)
        assert "request 2: Okado asks: roll 2d6" in carry_out_seat_line(here.desk, "seats")
        for line in ("seats refuse 2", "seats accept"):
            here.app.services.command(line)
        await here.pilot.idle()
        assert [request.says for request in here.desk.waiting] == ["roll 1d6"]
        assert here.events[-1].who == "okado"
        here.app.services.command("seats accept 7")
        await here.pilot.idle()
        assert "type a number from 1 to 1" in here.text


async def test_the_list_is_a_page_and_an_invitation_opens_the_messages(tmp_path):
    async with table(tmp_path, "ask", "start") as here:
        await typed(here, "seats")
        assert "seat: seat okado" in here.text
        await here.press("escape")
        await served(here, okado={"password": "baba-bebe", "lasts": "once"})
        await typed(here, "seats invite")
        assert "Password: baba-bebe" in here.text


async def test_without_a_server_a_line_says_how_to_start_one(tmp_path):
    async with table(tmp_path, "ask", "start") as here:
        here.app.services.command("seats kick okado")
        await here.pilot.idle()
        assert "No server is running: seats start starts one" in here.text
        assert len(here.events) == 1


async def test_without_seats_an_invitation_makes_them_and_waits_until_the_server_knows_them(
    tmp_path, monkeypatch
):
    async with table(tmp_path, "ask", "start") as here:
        copied: list[str] = []
        monkeypatch.setattr(here.app, "copy_to_clipboard", copied.append)
        (here.app.table.campaign.path / "seats.toml").unlink()
        await served(here)
        await here.press("P", "i", "enter")
        assert here.told("password") == []
        await served(here, okado={}, tamsin={})
        assert [message["seat"] for message in here.told("password")] == ["okado", "tamsin"]
        okado, tamsin = ({"password": text, "lasts": "once"} for text in ("baba-bebe", "ka-ka"))
        await served(here, okado=okado, tamsin=tamsin)
        await here.press("a")
        assert copied[-1].count("Join the game") == 2
        assert "baba-bebe" in copied[-1]
        assert "ka-ka" in copied[-1]
        assert copied[-1].count("On Windows") == 1
