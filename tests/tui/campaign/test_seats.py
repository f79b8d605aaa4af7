"""Changes to seats.toml, and login names on the screen."""

from pathlib import Path
from string import ascii_lowercase, digits

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tui.campaign.problems import FileProblem
from tui.campaign.seats import (
    NAME,
    add_key,
    escaped_name,
    kick_keys,
    named_seat,
    plain_key,
    read_seats,
    remove_key,
    seat_wrongs,
)

LAPTOP = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIEtkp/Tb1dXa98dHubDNza9Zv0zaCnN4FLG3+/Gg0bPS"
PHONE = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIFtkp/Tb1dXa98dHubDNza9Zv0zaCnN4FLG3+/Gg0bPS"
FILE = f"""\
format = 1

# Okado sits at the window.
[[seat]]
name = "okado"
keys = ["{LAPTOP} anna@laptop"]

# Tamsin sits at the door.
[[seat]]
name = "tamsin"
keys = []
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "seats.toml").write_text(FILE)
    return tmp_path


def test_a_kick_moves_keys_within_the_seat_and_keeps_the_comments(folder: Path) -> None:
    kick_keys(folder, "okado", [LAPTOP, PHONE])
    listed = f'keys = []\nkicked = ["{LAPTOP} anna@laptop", "{PHONE}"]\n'
    assert (folder / "seats.toml").read_text() == FILE.replace(f'keys = ["{LAPTOP} anna@laptop"]\n', listed)
    seats = read_seats(folder, [])
    assert not seats.problems
    assert seats.kicked_from(PHONE) == seats.by_name["okado"]
    assert seats.by_name["okado"].keys == ()


def test_a_kicked_key_that_is_admitted_to_any_seat_is_no_longer_kicked(folder: Path) -> None:
    kick_keys(folder, "okado", [LAPTOP])
    add_key(folder, "tamsin", LAPTOP)
    seats = read_seats(folder, [])
    assert seats.kicked_from(LAPTOP) is None
    assert seats.of_key(LAPTOP) == seats.by_name["tamsin"]
    assert "anna@laptop" in (folder / "seats.toml").read_text()


def test_a_removed_key_is_deleted(folder: Path) -> None:
    kick_keys(folder, "okado", [PHONE])
    for key in (LAPTOP, PHONE):
        remove_key(folder, "okado", key)
    seats = read_seats(folder, [])
    assert seats.by_name["okado"].keys == seats.by_name["okado"].kicked == ()


@pytest.mark.parametrize("text", ['seat = "okado"', "[[seat]]\nname = 5\nkeys = 5\nkicked = 5"])
def test_a_file_with_mistakes_is_not_changed(folder: Path, text: str) -> None:
    (folder / "seats.toml").write_text(f"format = 1\n{text}\n")
    with pytest.raises(FileProblem):
        kick_keys(folder, "okado", [LAPTOP])
    assert (folder / "seats.toml").read_text() == f"format = 1\n{text}\n"


def test_a_mistake_in_another_seat_does_not_prevent_a_kick(folder: Path) -> None:
    (folder / "seats.toml").write_text(FILE.replace("keys = []", "kicked = 5"))
    kick_keys(folder, "okado", [LAPTOP])
    add_key(folder, "okado", PHONE)
    seats = read_seats(folder, [])
    assert seats.by_name["okado"].keys == (plain_key(PHONE),)
    assert seats.by_name["okado"].kicked == (LAPTOP,)


def test_a_kicked_key_that_is_no_key_is_reported() -> None:
    [wrong] = seat_wrongs({"seat": [{"name": "okado", "kicked": ["no key"]}]}, [])
    assert wrong.field == "seat[0].kicked[0]"


@given(st.text(max_size=60))
@example("mir\u0430")
@example("o\u212aado")
@example("okado\u0301")
@example("\\u0430")
def test_a_name_is_shown_in_the_letters_of_seats_and_escapes(typed: str) -> None:
    shown = escaped_name(typed)
    assert set(shown.removesuffix("…")) <= {*ascii_lowercase, *digits, *"_-\\U?"}
    if named_seat(typed):
        assert shown == named_seat(typed)
    else:
        # A name that is no seat's never looks like one.
        assert not NAME.fullmatch(shown)
