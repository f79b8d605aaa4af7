"""Logging in with passwords and knocks: OpenSSH's client at one end, a game master at the other."""

import os
import re
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tui.seats.fake_table import FakeTable, fake_table
from tests.tui.seats.opened import Table, children, served
from tui.campaign.passwords import make_password
from tui.campaign.seats import Seat, Seats, fingerprint, plain_key, read_seats
from tui.seats.bounds import KNOCK, KNOCKS
from tui.seats.joining import Admission, Joining
from tui.terminal.restore import GIVES_BACK, RESTORE

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="seats need a system that can fork")
PROMPT = "Password from the game master, or Enter to knock:"
KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIEtkp/Tb1dXa98dHubDNza9Zv0zaCnN4FLG3+/Gg0bPS"


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Table, FakeTable]]:
    """A server and the game master's end, for tests that leave nobody waiting. Each has keys of its own."""
    with served(tmp_path_factory.mktemp("table")) as table, fake_table(table) as master:
        yield table, master


def test_a_password_seats_a_player_and_binds_the_first_key_proven(
    opened: tuple[Table, FakeTable],
) -> None:
    table, master = opened
    before = (table.campaign / "seats.toml").read_text()
    master.say("password", seat="okado")
    [okado, _] = master.state(lambda state: state["seats"][0]["password"])["seats"]
    assert re.fullmatch(r"[a-z]{4}-[a-z]{4}", okado["password"])
    seat = table.seat("okado", key=table.key())
    seat.until(PROMPT)
    seat.press(okado["password"] + "\r")
    seat.until("Guard 1")
    public = table.key().with_suffix(".pub").read_text().strip()
    assert read_seats(table.campaign, ["okado", "tamsin"]).by_name["okado"].keys == (public,)
    assert "# A seat is a player's place" in (table.campaign / "seats.toml").read_text()
    assert before != (table.campaign / "seats.toml").read_text()
    assert okado["password"] not in table.log()
    # The password is used up, and the key is known from now on.
    other = table.seat("okado", key=table.key("other"))
    other.until(PROMPT)
    other.forget()
    other.press(okado["password"] + "\r")
    other.until(PROMPT)
    table.seat("okado", key=table.key()).until("Guard 1")
    master.state(lambda state: not state["seats"][0]["password"] and len(state["seats"][0]["screens"]) == 2)


def test_a_password_without_a_key_works_until_the_server_ends(opened: tuple[Table, FakeTable]) -> None:
    table, master = opened
    master.say("password", seat="tamsin")
    [_, tamsin] = master.state(lambda state: state["seats"][1]["password"])["seats"]
    for _ in range(2):
        seat = table.seat("tamsin")
        seat.until(PROMPT)
        seat.press(tamsin["password"] + "\r")
        seat.until("Guard 1")


def stolen_key(table: Table, name: str) -> Path:
    """A public key without its private half."""
    key = table.key(name)
    public = table.folder / f"{name}-only.pub"
    public.write_bytes(key.with_suffix(".pub").read_bytes())
    return public


def test_a_guest_who_cannot_sign_with_a_key_knocks_without_it(opened: tuple[Table, FakeTable]) -> None:
    table, master = opened
    guest = table.seat("tamsin", key=stolen_key(table, "victim"))
    guest.until(PROMPT)
    guest.press("\r")
    [knock] = master.state(lambda state: state["knocks"])["knocks"]
    assert knock["fingerprint"] == ""
    assert "Your key" not in guest.text
    guest.press("\x11")
    assert guest.finished() == 0
    master.state(lambda state: not state["knocks"])


def test_a_password_binds_no_key_that_the_player_cannot_sign_with(tmp_path: Path) -> None:
    with served(tmp_path) as table, fake_table(table) as master:
        master.say("password", seat="tamsin")
        [_, tamsin] = master.state(lambda state: state["seats"][1]["password"])["seats"]
        seat = table.seat("tamsin", key=stolen_key(table, "victim"))
        seat.until(PROMPT)
        seat.press(tamsin["password"] + "\r")
        seat.until("Guard 1")
        assert read_seats(table.campaign, ["okado", "tamsin"]).by_name["tamsin"].keys == ()
        assert "without a key" in table.log()


def test_a_known_key_that_the_client_cannot_sign_with_opens_no_seat(tmp_path: Path) -> None:
    with served(tmp_path, keys={"okado": "key"}) as table:
        thief = table.seat("okado", key=stolen_key(table, "key"))
        thief.until(PROMPT)
        assert "Guard 1" not in thief.text


def test_a_known_key_opens_its_seat_after_an_unknown_one_that_was_proven(tmp_path: Path) -> None:
    with served(tmp_path, keys={"okado": "key"}) as table:
        last = [word for name in ("third", "key") for word in ("-o", f"IdentityFile={table.key(name)}")]
        table.seat("okado", *last, key=table.key("unknown")).until("Guard 1")
        used = fingerprint(table.key().with_suffix(".pub").read_text())
        assert f"sits at okado, {used}" in table.log()


def test_the_server_reports_mistakes_in_seats_toml_to_the_table(tmp_path: Path) -> None:
    with served(tmp_path) as table, fake_table(table) as master:
        file = table.campaign / "seats.toml"
        text = file.read_text(encoding="utf-8")
        assert master.state(lambda state: state["seats"])["problems"] == []
        file.write_text(text.replace("format = 1\n", ""), encoding="utf-8")
        problems = master.state(lambda state: state["problems"])["problems"]
        assert problems == ["seats.toml:1: format: is needed: format = 1"]
        file.write_text(text, encoding="utf-8")
        master.state(lambda state: not state["problems"] and len(state["seats"]) == 2)


def test_a_guest_who_knocks_waits_on_an_empty_page_until_the_game_master_decides(
    opened: tuple[Table, FakeTable],
) -> None:
    table, master = opened
    seat = table.seat("tamsin", key=table.key("knocks"))
    seat.until(PROMPT)
    seat.press("\r")
    seat.until("You have knocked")
    assert "Guard" not in seat.text
    # A stranger gets no program: those of the seats are as many as before.
    [warm] = children(table.process.pid)
    assert len(children(warm)) == sum(
        len(each["screens"]) for each in master.state(lambda state: state["knocks"])["seats"]
    )
    seat.forget()
    seat.resize(40, 20)
    seat.press("let me in ")
    seat.until("You have knocked", "leave.")
    assert "game master to let" not in seat.text  # the lines are wrapped
    seat.resize(80, 24)
    [knock] = master.state(lambda state: state["knocks"])["knocks"]
    public = table.key("knocks").with_suffix(".pub").read_text()
    assert knock["name"] == "tamsin"
    assert knock["fingerprint"] == fingerprint(public)
    assert knock["fingerprint"] in seat.text.replace("\r\n", "")
    master.say("let_in", knock=knock["id"], seat="tamsin", for_good=True, second_key=False)
    seat.until("Guard 1")
    table.seat("tamsin", key=table.key("knocks")).until("Guard 1")
    master.state(lambda state: not state["knocks"])


def test_a_waiting_guest_leaves_by_a_key_and_has_the_terminal_back(opened: tuple[Table, FakeTable]) -> None:
    table, master = opened
    seat = table.seat("whoever")
    seat.until(PROMPT)
    seat.press("\r")
    seat.until("You have knocked")
    master.state(lambda state: state["knocks"])
    seat.press("\x11")
    assert seat.finished() == 0
    assert seat.output.rstrip().endswith(GIVES_BACK)
    master.state(lambda state: not state["knocks"])


def test_a_guest_is_informed_when_turned_away(opened: tuple[Table, FakeTable]) -> None:
    table, master = opened
    seat = table.seat("whoever")
    seat.until(PROMPT)
    seat.press("\r")
    seat.until("You have knocked")
    [knock] = master.state(lambda state: state["knocks"])["knocks"]
    master.say("turn_away", knock=knock["id"])
    seat.finished()
    assert "has turned you away" in seat.text
    master.state(lambda state: not state["knocks"])


def test_a_kicked_seat_knocks_again_and_a_locked_table_takes_nobody_new(tmp_path: Path) -> None:
    with served(tmp_path, keys={"okado": "key"}) as table, fake_table(table) as master:
        seat = table.seat("okado", key=table.key())
        seat.until("Guard 1")
        master.say("kick", seat="okado")
        seat.finished()
        assert "ended this seat" in seat.text
        seat = table.seat("okado", key=table.key())
        seat.until(PROMPT)
        assert "okado is kicked" in table.log()
        master.say("lock", locked=True)
        master.state(lambda state: state["is_locked"])
        seat.press("\r")
        seat.finished()
        assert "locked" in seat.text


def test_a_kicked_key_stays_out_after_a_restart_until_the_game_master_lets_it_in(tmp_path: Path) -> None:
    with served(tmp_path, keys={"okado": "key"}) as table, fake_table(table) as master:
        mark = fingerprint(table.key().with_suffix(".pub").read_text())
        master.say("kick", seat="okado")
        master.state(lambda state: state["seats"][0]["kicked"] == [mark] and not state["seats"][0]["keys"])
    for goes_back_by in ("let_back", "knock"):
        with served(tmp_path) as table, fake_table(table) as master:
            seat = table.seat("okado", key=table.key())
            seat.until(PROMPT)
            if goes_back_by == "let_back":
                master.say("let_back", seat="okado", key=mark)
                master.state(lambda state: state["seats"][0]["keys"] == [mark])
            else:
                seat.press("\r")
                [knock] = master.state(lambda state: state["knocks"])["knocks"]
                assert (knock["seat"], knock["kicked_from"], knock["key_of"]) == ("okado", "okado", "")
                master.say("let_in", knock=knock["id"], seat="okado", for_good=True, second_key=False)
                seat.until("Guard 1")
            table.seat("okado", key=table.key()).until("Guard 1")
            master.say("kick", seat="okado")
            master.state(lambda state: state["seats"][0]["kicked"] == [mark])


def test_a_seat_that_has_got_another_key_meanwhile_keeps_the_guest_waiting(tmp_path: Path) -> None:
    with served(tmp_path, keys={"okado": "key"}) as table, fake_table(table) as master:
        seat = table.seat("okado", key=table.key("other"))
        seat.until(PROMPT)
        seat.press("\r")
        [knock] = master.state(lambda state: state["knocks"])["knocks"]
        master.say("let_in", knock=knock["id"], seat="okado", for_good=True, second_key=False)
        master.say("lock", locked=True)
        assert master.state(lambda state: state["is_locked"])["knocks"] == [knock]
        master.say("let_in", knock=knock["id"], seat="okado", for_good=True, second_key=True)
        seat.until("Guard 1")
        master.state(lambda state: len(state["seats"][0]["keys"]) == 2)


def test_a_removed_key_ends_its_screens_and_no_others(tmp_path: Path) -> None:
    keys = {"okado": "key", "tamsin": "other"}
    with served(tmp_path, keys=keys) as table, fake_table(table) as master:
        first = table.seat("okado", key=table.key())
        first.until("Guard 1")
        other = table.seat("tamsin", key=table.key("other"))
        other.until("Guard 1")
        mark = fingerprint(table.key().with_suffix(".pub").read_text())
        master.say("remove_key", seat="okado", key=mark)
        first.finished()
        assert "ended this seat" in first.text
        state = master.state(lambda state: not state["seats"][0]["keys"])
        assert state["seats"][0]["kicked"] == []
        assert state["seats"][1]["screens"]


def test_a_seat_whose_program_hangs_is_ended_with_the_same_sentence(tmp_path: Path) -> None:
    with served(tmp_path, keys={"okado": "key"}) as table, fake_table(table) as master:
        seat = table.seat("okado", key=table.key())
        seat.until("Guard 1")
        [program] = children(children(table.process.pid)[0])
        os.kill(program, signal.SIGSTOP)
        master.say("kick", seat="okado")
        seat.finished()
        assert RESTORE in seat.output
        assert seat.text.count("ended this seat") == 1
        assert "has failed" not in seat.text


# The same without a network


def joining(**seats: str) -> Joining:
    """Two seats; `seats`: the key of each."""
    found = {name: Seat(name, (name,), (key,) if key else ()) for name, key in seats.items()}
    return Joining(Seats(found), lambda: clock[0], lambda: make_password(lambda letters: letters[0]))


clock = [0.0]


def knocks(state: Joining, times: int) -> None:
    for _ in range(times):
        state.knock("x", "1.2.3.4", "", lambda seat: None, lambda sentence: None)


def test_a_password_works_for_its_seat_only_and_ends_after_ten_wrong_tries() -> None:
    state = joining(okado="", tamsin="")
    password = state.hand_out("okado")
    assert password is not None
    assert password.text == "baba-baba"
    assert state.of_password("tamsin", password.text, "") == Admission("no")
    for _ in range(9):
        assert state.of_password("okado", "wrong", "") == Admission("no")
    assert state.of_password("OKADO", f" {password.text.upper()} ", "") == Admission("seat", "okado")
    assert state.of_password("okado", "wrong", "") == Admission("no")
    assert state.of_password("okado", password.text, "") == Admission("no")
    assert state.hand_out("nobody") is None


@pytest.mark.parametrize("typed", ["baba-baba", "babaBaba", " Baba baba\t", "baba – baba", "BABABABA"])
def test_a_spoken_password_may_be_typed_without_its_hyphen(typed: str) -> None:
    state = joining(okado="")
    state.hand_out("okado")
    assert state.of_password("okado", typed, "") == Admission("seat", "okado")


@pytest.mark.parametrize("typed", ["-", "baba", "bababababa", "b-a-b-a"])
def test_a_wrong_password_is_refused_and_is_no_knock(typed: str) -> None:
    state = joining(okado="")
    state.hand_out("okado")
    assert state.of_password("okado", typed, "") == Admission("no")


def test_a_key_of_one_seat_is_not_bound_to_another_seat() -> None:
    state = joining(okado=KEY, tamsin="")
    password = state.hand_out("tamsin")
    assert password is not None
    assert state.of_password("tamsin", password.text, KEY) == Admission("seat", "tamsin")
    assert state.of_key("okado", KEY) is not None
    assert state.of_key("tamsin", KEY) is None


def test_at_most_eight_guests_wait_for_at_most_ten_minutes() -> None:
    state = joining(okado="")
    knocks(state, KNOCKS)
    assert state.of_password("okado", "", "") == Admission("full")
    assert state.knock("x", "", "", lambda seat: None, lambda sentence: None) is None
    assert state.overdue() == []
    clock[0] += KNOCK + 1
    assert len(state.overdue()) == KNOCKS
    clock[0] = 0.0


def test_a_kicked_key_opens_no_seat_even_if_a_seat_lists_it() -> None:
    found = {"okado": Seat("okado", (), (KEY,)), "tamsin": Seat("tamsin", (), (), (KEY,))}
    state = Joining(Seats(found), lambda: clock[0], lambda: "baba-baba")
    assert state.of_key("okado", KEY) is None


def test_a_password_lets_a_kicked_key_in_again_at_its_seat() -> None:
    found = {"okado": Seat("okado", (), (), (KEY,))}
    state = Joining(Seats(found), lambda: clock[0], lambda: "baba-baba")
    state.hand_out("okado")
    assert state.of_password("okado", "baba-baba", KEY) == Admission("seat", "okado", KEY)


@pytest.mark.parametrize("name", ["\u212akado", "o\u212aado", "OKADO\u0301", "okado ", "о\u043aado", ""])
def test_a_look_alike_of_a_seats_name_is_no_seat(name: str) -> None:
    assert joining(okado=KEY).of_key(name, KEY) is None


@pytest.mark.parametrize(
    "line", ["", "ssh-ed25519", "ssh-ed25519 !!!", "ssh-rsa AAAAC3NzaC1lZDI1NTE5AAAAIEtk", "x" * 20_000]
)
def test_other_text_is_no_public_key(line: str) -> None:
    assert plain_key(line) == ""
    assert fingerprint(line) == ""


def test_a_public_key_is_the_same_with_another_comment() -> None:
    assert plain_key(f"{KEY} anna@home") == KEY
