"""A large paste at a seat is refused with its size; everything else passes at once."""

import os
import subprocess
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tui.seats.fake_table import fake_table
from tests.tui.seats.opened import served
from tui.seats.paste import LARGEST_PASTE, PasteGuard

BEGIN, END = b"\x1b[200~", b"\x1b[201~"
typed = st.binary(max_size=40).filter(lambda data: b"\x1b" not in data)


def in_pieces(data: bytes, cuts: list[int]) -> tuple[bytes, list[int]]:
    """What passes, and the sizes refused, if the bytes arrive in pieces."""
    guard, passed, refused = PasteGuard(), b"", []
    places = sorted({0, len(data), *(cut % (len(data) + 1) for cut in cuts)})
    for first, last in pairwise(places):
        more, size = guard.take(data[first:last])
        passed += more
        refused += [size] * bool(size)
    return passed, refused


@given(typed, st.integers(0, LARGEST_PASTE), typed, st.lists(st.integers(0, 10_000), max_size=8))
def test_keys_and_small_pastes_pass_unchanged_in_any_pieces(
    before: bytes, size: int, after: bytes, cuts: list[int]
) -> None:
    data = before + BEGIN + b"x" * size + END + after
    assert in_pieces(data, cuts) == (data, [])


@given(typed, st.integers(LARGEST_PASTE + 1, 9_000), typed, st.lists(st.integers(0, 10_000), max_size=8))
def test_a_large_paste_is_left_out_and_its_size_reported(
    before: bytes, size: int, after: bytes, cuts: list[int]
) -> None:
    data = before + BEGIN + b"x" * size + END + after
    assert in_pieces(data, cuts) == (before + BEGIN + END + after, [size])


def test_a_lone_escape_passes_at_once() -> None:
    assert PasteGuard().take(b"\x1b") == (b"\x1b", 0)


def test_a_paste_that_never_ends_takes_bounded_memory() -> None:
    guard = PasteGuard()
    guard.take(BEGIN)
    for _ in range(1_000):
        assert guard.take(b"x" * 1_000) == (b"", 0)
    assert guard.take(END + b"a") == (END + b"a", 1_000_000)


forks = pytest.mark.skipif(not hasattr(os, "fork"), reason="seats need a system that can fork")


@forks
def test_a_seat_hears_keys_after_a_paste_that_was_too_large(tmp_path: Path) -> None:
    with served(tmp_path, keys={"okado": "key"}) as table:
        seat = table.seat("okado", key=table.key())
        seat.until("Guard 1")
        seat.press("\x1b[200~" + "x" * 30_000 + "\x1b[201~")
        seat.until("That paste has 30,000 bytes; a seat takes at most 2,000.")
        seat.forget()
        seat.press("?")
        seat.until("Esc")


@forks
def test_a_name_that_no_seat_can_have_is_refused_in_our_own_words(tmp_path: Path) -> None:
    with served(tmp_path) as table:
        ran = table.ssh("okado\u200e", options=["-o", "LogLevel=INFO"])
        assert "a seat's name has only small letters, digits, - and _" in ran.stderr


@forks
def test_a_roll_without_a_screen_says_that_it_waits(tmp_path: Path) -> None:
    with served(tmp_path, keys={"okado": "key"}) as table, fake_table(table) as master:
        master.state(lambda state: state["seats"])
        words = [*table.words("okado", key=table.key()), "roll 2d6"]
        with subprocess.Popen(words, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True) as client:
            request = master.request()
            answer = {"id": request["id"], "seat": "okado", "ok": True}
            master.say("waits", **answer, text="This waits for the game master.")
            assert client.stdout is not None
            assert client.stdout.readline() == "This waits for the game master.\n"
            master.say("result", **answer, text="Okado rolls 2d6: 7.")
            assert client.stdout.readline() == "Okado rolls 2d6: 7.\n"
            assert client.wait(20) == 0
