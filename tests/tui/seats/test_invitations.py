"""Invitations and lasting passwords, with the `affray` command and OpenSSH's own client."""

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.command import sample, start_forked
from tests.tui.seats.fake_table import FakeTable, fake_table
from tests.tui.seats.opened import CAMPAIGN, Client, Table, served
from tui.campaign.passwords import PasswordHash, hash_of, make_password, read_hash
from tui.campaign.seats import Seat, Seats, add_seats, read_seats, seat_for, set_password
from tui.display.invitation import Invitation, host_of
from tui.seats.bounds import LONGEST_DELAY, TRIES_FORGOTTEN, WrongTries
from tui.seats.joining import Admission, Joining
from tui.wire.reach import is_address, is_private

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="seats need a system that can fork")
PROMPT = "Password from the game master, or Enter to knock:"
OWN = ["okado", "tamsin"]


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Table, FakeTable]]:
    with served(tmp_path_factory.mktemp("table")) as table, fake_table(table) as master:
        yield table, master


def invited(table: Table, *words: str) -> dict[str, Any]:
    state = str(table.folder / "state")
    ran = start_forked("invite", str(table.campaign), "--json", *words, XDG_STATE_HOME=state)
    assert ran.status == 0, ran
    return {seat["name"]: seat for seat in json.loads(ran.out)["seats"]}


def lets_in(table: Table, seat: str, password: str) -> Client:
    client = table.seat(seat)
    client.until(PROMPT)
    client.press(password + "\r")
    client.until("Guard 1")
    return client


# The command


def test_an_invitation_names_line_password_and_host_key_and_seats_the_player(
    opened: tuple[Table, FakeTable],
) -> None:
    table, _ = opened
    found = invited(table, "--seat", "okado")["okado"]
    assert found["line"] == f"ssh -p {table.port} okado@127.0.0.1"
    assert found["fingerprint"] in table.line
    assert re.fullmatch(r"[a-z]{4}-[a-z]{4}", found["password"])
    # Inviting again repeats the password that was sent already.
    assert invited(table, "--seat", "okado")["okado"] == found
    lets_in(table, "okado", found["password"])


def test_the_message_is_ready_to_paste(opened: tuple[Table, FakeTable]) -> None:
    table, _ = opened
    ran = start_forked("invite", str(table.campaign), XDG_STATE_HOME=str(table.folder / "state"))
    assert ran.out.count("    ssh -p") == 2
    assert "Join the game as Okado: paste this line into a terminal." in ran.out
    assert re.search(r"^Password: [a-z-]{9} \(it works once; ", ran.out, re.MULTILINE)
    assert re.search(r"^Host key: SHA256:[A-Za-z0-9+/]{43}$", ran.out, re.MULTILINE)
    assert ran.complaint == "only on your network; set [seats] address"


def test_without_a_server_the_rest_of_the_invitation_is_printed(tmp_path: Path) -> None:
    campaign = sample(tmp_path, CAMPAIGN)
    state = str(tmp_path / "state")
    ran = start_forked("invite", str(campaign), "--seat", "okado", XDG_STATE_HOME=state)
    assert ran.status == 0
    assert "no server runs, so there are no passwords" in ran.err
    assert "okado@" in ran.out
    assert "Host key: SHA256:" in ran.out
    key = tmp_path / "state" / "affray" / "seats" / "host_key"
    assert key.stat().st_mode & 0o777 == 0o600


def test_an_unknown_seat_is_named_with_the_one_meant(tmp_path: Path) -> None:
    campaign = sample(tmp_path, CAMPAIGN)
    ran = start_forked("invite", str(campaign), "--seat", "okada", XDG_STATE_HOME=str(tmp_path))
    assert ran.status == 1
    assert ran.complaint == 'there is no seat "okada"; did you mean okado?'


def test_the_address_in_campaign_toml_is_the_one_in_the_line(tmp_path: Path) -> None:
    campaign = sample(tmp_path, CAMPAIGN)
    file = campaign / "campaign.toml"
    file.write_text(file.read_text() + '\n[seats]\naddress = "dice.example.org"\nport = 22\n')
    ran = start_forked("invite", str(campaign), "--json", XDG_STATE_HOME=str(tmp_path))
    assert json.loads(ran.out)["seats"][0]["line"] == "ssh okado@dice.example.org"
    file.write_text(file.read_text().replace("dice.example.org", "a b; rm -rf"))
    ran = start_forked("invite", str(campaign), XDG_STATE_HOME=str(tmp_path))
    assert ran.complaint == "campaign.toml: seats.address: expected a host name or an address"


@pytest.mark.parametrize(
    ("address", "private"),
    [("192.168.1.20", True), ("10.0.0.1", True), ("127.0.0.1", True), ("fe80::1", True), ("8.8.8.8", False)],
)
def test_an_address_that_only_the_own_network_reaches_is_marked(address: str, private: bool) -> None:
    assert is_private(address) is private
    invitation = Invitation("okado", ["Okado"], address, 2222, "SHA256:x")
    assert bool(invitation.warning) is private


def test_a_private_address_that_is_set_is_marked_as_that_of_a_network() -> None:
    invitation = Invitation("okado", ["Okado"], "100.64.0.7", 2222, "SHA256:x", is_chosen=True)
    assert invitation.warning == "100.64.0.7 is private: only players in its network or VPN reach it"


def test_the_host_is_the_set_address_else_the_one_listened_on() -> None:
    assert host_of("dice.example.org", "0.0.0.0") == "dice.example.org"
    assert host_of(None, "10.1.2.3") == "10.1.2.3"
    assert not is_address("-oProxyCommand=x")
    assert not is_address("a b")


# Lasting passwords


def test_a_lasting_password_seats_binds_no_key_and_outlives_the_server(tmp_path: Path) -> None:
    with served(tmp_path) as table:
        password = invited(table, "--lasts", "good")["tamsin"]["password"]
        assert re.fullmatch(r"[a-z]{4}(-[a-z]{4}){3}", password)
        stored = (table.campaign / "seats.toml").read_text()
        assert password not in stored
        assert stored.count('password = "scrypt:') == 2
        for _ in range(2):
            seat = table.seat("tamsin", key=table.key())
            seat.until(PROMPT)
            seat.press(password.upper() + "\r")
            seat.until("Guard 1")
        assert read_seats(table.campaign, OWN).by_name["tamsin"].keys == ()
        assert password not in table.log()
    with served(tmp_path) as table:
        lets_in(table, "tamsin", password)


def test_a_new_password_and_a_kick_end_a_lasting_one(tmp_path: Path) -> None:
    with served(tmp_path) as table, fake_table(table) as master:
        invited(table, "--lasts", "good")
        master.state(lambda state: all(seat["lasts"] == "good" for seat in state["seats"]))
        master.say("password", seat="okado", lasts="evening")
        master.say("kick", seat="tamsin")
        master.state(lambda state: [seat["lasts"] for seat in state["seats"]] == ["evening", ""])
        seats = read_seats(table.campaign, OWN).by_name
        assert [seats[name].password for name in OWN] == [None, None]


def test_a_password_for_the_evening_seats_again_and_binds_no_key(opened: tuple[Table, FakeTable]) -> None:
    table, master = opened
    master.say("password", seat="tamsin", lasts="evening")
    state = master.state(lambda state: state["seats"][1]["lasts"] == "evening")
    for _ in range(2):
        seat = table.seat("tamsin", key=table.key("evening"))
        seat.until(PROMPT)
        seat.press(state["seats"][1]["password"] + "\r")
        seat.until("Guard 1")
    assert read_seats(table.campaign, OWN).by_name["tamsin"].keys == ()


def test_wrong_guesses_never_end_a_lasting_password(tmp_path: Path) -> None:
    with served(tmp_path) as table:
        password = invited(table, "--lasts", "good", "--seat", "okado")["okado"]["password"]
        guess = table.seat("okado")
        for _ in range(2):
            guess.until(PROMPT)
            guess.forget()
            guess.press("wrong-guess\r")
        guess.until(PROMPT)
        lets_in(table, "okado", password)


# The same without a network


def state_of(seat: Seat, clock: list[float]) -> Joining:
    return Joining(Seats({seat.name: seat}), lambda: clock[0], make_password)


def test_wrong_tries_slow_the_seat_and_the_address_up_to_a_minute() -> None:
    clock = [0.0]
    hashed = hash_of("baba-baba-baba-baba")
    state = state_of(Seat("okado", password=hashed), clock)
    assert state.has_lasting
    delays = []
    for _ in range(9):
        delays.append(state.delay("okado", "10.0.0.9"))
        assert state.of_lasting("okado", "10.0.0.9", hashed, matches=False) == Admission("no")
    assert delays == [0, 1, 2, 4, 8, 16, 32, 60, 60]
    assert state.delay("okado", "10.0.0.1") == LONGEST_DELAY
    assert state.delay("tamsin", "10.0.0.9") == LONGEST_DELAY
    assert state.delay("tamsin", "10.0.0.1") == 0
    # The password still works, and that ends the delay.
    assert state.of_lasting("okado", "10.0.0.1", hashed, matches=True) == Admission("seat", "okado")
    assert state.delay("okado", "10.0.0.1") == 0
    clock[0] = TRIES_FORGOTTEN + 1
    assert state.delay("tamsin", "10.0.0.9") == 0


def test_a_password_that_ended_while_it_was_compared_opens_nothing() -> None:
    hashed = hash_of("baba-baba-baba-baba")
    state = state_of(Seat("okado"), [0.0])
    assert state.of_lasting("okado", "::1", hashed, matches=True) == Admission("no")


def test_the_delays_take_bounded_memory() -> None:
    tries = WrongTries()
    for number in range(5_000):
        tries.add((f"address {number}",), 0.0)
    assert sum(tries.delay((f"address {number}",), 0.0) > 0 for number in range(5_000)) == 1_000


def test_a_hash_is_salted_reads_back_and_matches_only_its_password() -> None:
    first, second = hash_of("baba-bebe"), hash_of("baba-bebe")
    assert str(first) != str(second)
    assert read_hash(str(first)) == first
    assert first.matches("BABA bebe")
    assert not first.matches("baba-bebi")


@pytest.mark.parametrize(
    "text",
    [
        "secret",
        "scrypt:16384:8:1:AAAA:AAAA",
        str(PasswordHash(2**20, 8, 1, bytes(16), bytes(32))),
        str(PasswordHash(1000, 8, 1, bytes(16), bytes(32))),
        str(PasswordHash(2**14, 64, 1, bytes(16), bytes(32))),
    ],
)
def test_a_hash_that_affray_did_not_write_is_reported_and_not_repeated(text: str, tmp_path: Path) -> None:
    assert read_hash(text) is None
    (tmp_path / "seats.toml").write_text(f'format = 1\n[[seat]]\nname = "okado"\npassword = "{text}"\n')
    [problem] = read_seats(tmp_path, []).problems
    assert "expected the hash that Affray wrote" in str(problem)
    assert text not in str(problem)


# seats.toml


def test_new_seats_leave_the_file_as_a_person_wrote_it(tmp_path: Path) -> None:
    campaign = sample(tmp_path, CAMPAIGN)
    before = (campaign / "seats.toml").read_text()
    add_seats(campaign, [Seat("mira", ("okado",))])
    after = (campaign / "seats.toml").read_text()
    assert after.startswith(before.rstrip("\n"))
    assert read_seats(campaign, OWN).by_name["mira"].characters == ("okado",)
    set_password(campaign, "mira", hash_of("x"))
    set_password(campaign, "mira", None)
    assert (campaign / "seats.toml").read_text() == after


def test_only_the_user_can_read_a_file_with_a_hash_also_after_later_changes(tmp_path: Path) -> None:
    campaign = sample(tmp_path, CAMPAIGN)
    file = campaign / "seats.toml"
    file.chmod(0o644)
    set_password(campaign, "okado", hash_of("x"))
    assert file.stat().st_mode & 0o777 == 0o600
    add_seats(campaign, [Seat("mira", ("okado",))])
    assert file.stat().st_mode & 0o777 == 0o600


def test_a_first_seat_makes_the_file(tmp_path: Path) -> None:
    add_seats(tmp_path, [Seat("mira", ("mira",))])
    assert list(read_seats(tmp_path, ["mira"]).by_name) == ["mira"]


def test_a_seat_is_named_for_its_character_and_unlike_every_other() -> None:
    taken = Seats({"mira": Seat("mira"), "mira-2": Seat("mira-2")})
    assert seat_for("mira", taken) == Seat("mira-3", ("mira",))
    assert seat_for("Çelik-Ödül", Seats()).name == "celik-odul"
    assert seat_for("漢", Seats()).name == "player"


def test_the_help_of_invite_names_how_long_a_password_lasts() -> None:
    assert "until it is used, for the evening, or for good" in " ".join(
        start_forked("invite", "--help").out.split()
    )
